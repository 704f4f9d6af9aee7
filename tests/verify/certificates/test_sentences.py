"""The checker of sentences confirms what is true, and nothing else; it needs no part of this program."""

import json
import subprocess
import sys
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.certificates import language, sentences
from verify.certificates.case_values import encoded
from verify.certificates.decimal_interval import UndecidedError
from verify.certificates.exact_number import WitnessError
from verify.certificates.sentences import FUNCTIONS, SentenceError, check, main

SENTENCE = {"says": "less(x, y) <= d", "is": True, "scope": "two", "names": ["x", "y", "d"]}
SUMS = {
    "format": "stirred sentences 1",
    "claim": "sums",
    "statement": "x is at most d below y.",
    "words": {"less(x, y)": "sum(y) - sum(x)"},
    "sentences": [{**SENTENCE, "cases": [[[0, 1], [1, 1], 1], [[0], [{"number": "1/2"}], {"number": "1/2"}]]}],
    "without": ["PROVED by a theorem"],
}
MAPS = {"p": {"map": [[[0, 1], {"number": "1/3"}], [None, {"number": "2/3"}]]}, "s": {"set": ["b", "a"]}}


def of(says, is_so=True, words=None, **case):
    one = {"says": says, "is": is_so, "scope": "all", "names": list(case), "cases": [list(case.values())]}
    return {**SUMS, "sentences": [one], "words": words or {}}


def test_what_is_true_is_confirmed():
    first, trusted, without = check(SUMS)
    assert first == "CONFIRMED: true of every one of 2 cases: less(x, y) <= d [two]"
    assert trusted.startswith("taken on trust")
    assert without == "not in the certificate: PROVED by a theorem"
    assert check(of("x < 0", is_so=False, x=1))[0] == "CONFIRMED: false of one case: x < 0 [all]"


@pytest.mark.parametrize(
    ("says", "case"),
    [
        ("p[(0, 1)] + p[oo] == 1", MAPS),
        ("sum(p[t] for t in p) == 1 and len(p) == 2", MAPS),
        ("tuple(s) == ('a', 'b') and [c for c in s][0] == 'a' and 'b' in s", MAPS),
        ("{k: v for k, v in items(p)} == p and get(p, 5, oo) == oo", MAPS),
        ("0*oo == oo and oo/3 == oo and 3/oo == 0 and oo - 3 == oo and 5 < oo and not oo < oo and oo <= oo", {}),
        ("min([]) == oo and max([]) == 0 and min(2, oo) == 2 and max(2, oo) == oo and abs(-2) == 2", {}),
        ("1/3 + 1/6 == 1/2 and 2**-2 == 1/4 and 7 // 2 == 3 and -7 % 4 == 1 and (1/2)**2 == 1/4", {}),
        ("ln(3) > 1 and ln(1) == 0 and exp(0) == 1 and sqrt(4/9) == 2/3 and sqrt(2)**2 < 2 + 1/10**30", {}),
        ("27/10 < exp(1) < 28/10 and floor(exp(1)*100) == 271 and exp(1)**-1 < 1/2 and 1 - exp(1) < 0", {}),
        ("max(ln(2), 1/2) > 69/100 and max(exp(1), exp(1)*1) > 2 and min(1/2, ln(2)) == 1/2", {}),
        ("exp(-1000) > 0 and exp(1)/exp(1) > 99/100 and -ln(2) < 0", {}),
        ("sorted(subsets((1, 2)))[0] == set(()) and len(subsets((1, 2))) == 4", {}),
        ("[len(permutations((1, 2, 3))), factorial(3), comb(4, 2), derangements(4)] == [6, 6, 6, 9]", {}),
        ("zip((1, 2), range(2)) == ((1, 0), (2, 1)) and enumerate('a' for i in range(1)) == ((0, 'a'),)", {}),
        ("product((1,), (2, 3)) == ((1, 2), (1, 3)) and {1, 2} - {1} == {2} and {1} | {2} == {1, 2}", {}),
        ("(1 if x[-1] == 2 else 0) == 1 and x[1:] == (2,) and any(y > 1 for y in x) and not all(y > 1 for y in x)", 0),
        ("all(a < b for a, b in [(1, 2)] for c in [b] if c > 1)", {}),
    ],
)
def test_each_part_of_the_language(says, case):
    case = {"x": [1, 2]} if case == 0 else case
    names = [name for name in case if name in says]
    assert check(of(says, **{name: case[name] for name in names}))[0].startswith("CONFIRMED: true of one case")
    with pytest.raises(SentenceError, match="is true of"):
        check(of(says, is_so=False, **{name: case[name] for name in names}))


@pytest.mark.parametrize(
    "says",
    [
        "x.__class__ == x",
        "(lambda: 1)() == 1",
        "f'{x}' == x",
        "__import__('os') == x",
        "x == 0.5",
        "x == 1e3",
        "x is x",
        "x << 2 == x",
        "(y := x) == x",
        "len(*[x]) == 1",
        "sum((1,), start=2) == 3",
        "x",
        "x + y == y",
        "1/0 == 1",
        "2**10**9 > 1",
        "range(5/2) == (0, 1)",
        "sum(range(3)(1)) == 2",
        "ln(0) < 1",
        "ln(2) == ln(2)*1 - 0*ln(3)",
        "exp(1) - exp(1) == 0",
        "not ln(2)",
        "oo/oo == 1",
        "x == 1 #",
        "x == 1; x",
        "",
    ],
)
@pytest.mark.parametrize("is_so", [True, False])
def test_what_is_not_in_the_language_or_not_decided_is_refused(says, is_so):
    with pytest.raises(SentenceError):
        check(of(says, is_so, x=1) if says != "1/0 == 1" else of(says, is_so))


@pytest.mark.parametrize(
    "changes",
    [
        {"format": "stirred sentences 2"},
        {"more": 1},
        {"sentences": []},
        {"sentences": [{**SENTENCE, "cases": []}]},
        {"sentences": [{**SENTENCE, "cases": [[[0], [0]]]}]},
        {"sentences": [{**SENTENCE, "cases": [[[0], [0], 0], [[0], [0], 0]]}]},
        {"sentences": [{**SENTENCE, "cases": [[[0], [1], 0]]}]},
        {"sentences": [{**SENTENCE, "cases": [[[0], [0], 0.5]]}]},
        {"sentences": [{**SENTENCE, "cases": [[[0], [0], {"number": "1/0"}]]}]},
        {"sentences": [{**SENTENCE, "cases": [[{"map": [[0, 1], [0, 2]]}, [0], 0]]}]},
        {"sentences": [{**SENTENCE, "cases": [[{"set": [0, 0]}, [0], 0]]}]},
        {"sentences": [{**SENTENCE, "cases": [[{"law": []}, [0], 0]]}]},
        {"sentences": [{**SENTENCE, "names": ["x", "y", "y"], "cases": [[[0], [0], 0]]}]},
        {"sentences": [{**SENTENCE, "names": ["x", "y", "oo"], "cases": [[[0], [0], 0]]}]},
        {"sentences": [{**SENTENCE, "is": 1, "cases": [[[0], [0], 0]]}]},
        {"sentences": [{**SENTENCE, "more": 1, "cases": [[[0], [0], 0]]}]},
        {"words": {}},
        {"words": {"less(x, y)": "less(x, y)"}},
        {"words": {"less(x, y)": "sum(y) - sum(x)", "less(x)": "0"}},
        {"words": {"less(x, y)": "sum(y) - sum(x)", "sum(x)": "0"}},
        {"words": {"less": "0"}},
        {"words": None},
    ],
)
def test_what_is_malformed_is_refused(changes):
    with pytest.raises(SentenceError):
        check({**SUMS, **changes})


def test_words_and_names_of_a_case_are_apart():
    """A case may have the name of a function or of a word, and a call always means these."""
    both = of("sum(sum) == f(f)", words={"f(x)": "x + 1"}, sum=[1, 2], f=2)
    assert check(both)[0].startswith("CONFIRMED")


def test_the_functions_are_those_of_the_ledger():
    assert FUNCTIONS.keys() == language.FUNCTIONS.keys()


NUMBERS = st.one_of(st.integers(-3, 3), st.fractions(-3, 3, max_denominator=4), st.just(None))
ATOMS = st.sampled_from(
    ["a", "b", "c", "0", "2", "ln(b*b + 2)", "exp(a)", "min(a, b)", "max(b, c)", "abs(a)", "len({a, b})"]
)
SUMS_OF = st.recursive(
    ATOMS,
    lambda inner: st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*", "/", "//", "%"]), inner),
    max_leaves=5,
)


@given(st.tuples(SUMS_OF, st.sampled_from(["<", "<=", "==", "!=", ">", ">="]), SUMS_OF), NUMBERS, NUMBERS, NUMBERS)
def test_what_is_confirmed_is_what_replay_says(comparison, a, b, c):
    """Two evaluations that share nothing: where the ledger's has a truth value, this one has no other."""
    says, case = " ".join(comparison), {"a": a, "b": b, "c": c}
    try:
        expected = language.holds(says, case, {})
    except (TypeError, WitnessError, UndecidedError):
        return
    used = {name: encoded(value) for name, value in case.items()}
    with pytest.raises(SentenceError):
        check(of(says, not expected, **used))


@given(st.fractions(Fraction(1, 100), 100), st.sampled_from(["ln", "exp", "sqrt"]), st.integers(1, 30))
def test_functions_are_enclosed(number, name, places):
    """Each end against the ledger's intervals, and against the other end."""
    exact = sentences._enclosed(name, 40, number)
    ends = [Fraction(end) for end in exact.ends] if not isinstance(exact, (int, Fraction)) else [exact, exact]
    other = sentences._enclosed(name, 160, number)
    inner = [Fraction(end) for end in other.ends] if not isinstance(other, (int, Fraction)) else [other, other]
    assert ends[0] <= inner[0] <= inner[1] <= ends[1]
    assert ends[1] - ends[0] <= abs(ends[1]) * Fraction(1, 10**places)


def test_files_as_a_person_checks_them(tmp_path, capsys):
    files = {
        "right.json": json.dumps(SUMS),
        "several.json": json.dumps([SUMS, {**SUMS, "claim": "x\n\x1b[2J"}]),
        "wrong.json": json.dumps(of("x < 0", x=1)),
        "torn.json": json.dumps(SUMS)[:-1],
        "twice.json": json.dumps(SUMS)[:-1] + ', "claim": "other"}',
        "deep.json": "[" * 400_000,
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    statuses = [main([str(tmp_path / name)]) for name in files] + [main([str(tmp_path / "none.json")]), main([])]
    assert statuses == [0, 0, 1, 2, 1, 2, 2, 2]
    out = capsys.readouterr().out
    assert "right.json: sums: CONFIRMED: true of every one of 2 cases" in out
    assert "x??[2J: CONFIRMED" in out
    assert "wrong.json: NOT CONFIRMED: 'x < 0' is false of {'x': '1'}" in out


def test_the_file_alone_is_enough(tmp_path):
    (tmp_path / "sentences.py").write_text(Path(sentences.__file__).read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "sums.json").write_text(json.dumps(SUMS))
    found = subprocess.run(
        [sys.executable, "-I", "-S", "sentences.py", "sums.json"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert found.stdout.startswith("sums.json: sums: CONFIRMED")
    assert len(Path(sentences.__file__).read_text(encoding="utf-8").splitlines()) <= 400
