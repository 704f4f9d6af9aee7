"""The checker of sentences confirms what is true, and nothing else; it needs no part of this program."""

import json
import subprocess
import sys
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_certificates import SENTENCE, SUMS

from stirred.verify.evidence.certificates import language, sentences
from stirred.verify.evidence.certificates.case_values import encoded
from stirred.verify.evidence.certificates.decimal_interval import UndecidedError
from stirred.verify.evidence.certificates.exact_number import WitnessError
from stirred.verify.evidence.certificates.sentences import FUNCTIONS, SentenceError, check

MAPS = {"p": {"map": [[[0, 1], {"number": "1/3"}], [None, {"number": "2/3"}]]}, "s": {"set": ["b", "a"]}}


def of(says, is_so=True, words=None, **case):
    one = {"says": says, "is": is_so, "scope": "all", "names": list(case), "cases": [list(case.values())]}
    return {**SUMS, "sentences": [one], "words": words or {}}


def test_what_is_true_is_confirmed():
    words, trusted, without, last = check(SUMS)
    assert last == "CONFIRMED: true of every one of 2 cases: less(x, y) <= d [two]"
    assert words.startswith('not compared: {"claim": "sums", "statement": ')
    assert trusted.startswith("taken on trust")
    assert without == "not in the certificate: PROVED by a theorem"
    assert check(of("x < 0", is_so=False, x=1))[-1] == "CONFIRMED: false of one case: x < 0 [all]"


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
        ("(7/2) % 1 == 1/2 and -7 % 4 == 1 and 7 % -4 == -1 and (-1/2) % (1/3) == 1/6 and 0 < exp(1) % 2 < 1", {}),
        ("sorted([{'b'}, {'a'}, {'a', 'b'}, set(())]) == (set(()), {'a'}, {'a', 'b'}, {'b'})", {}),
        ("sorted([(1, {'b'}), (1, {'a'})]) == ((1, {'a'}), (1, {'b'})) and sorted([(10,), (9,)]) == ((9,), (10,))", {}),
    ],
)
def test_each_part_of_the_language(says, case):
    case = {"x": [1, 2]} if case == 0 else case
    names = [name for name in case if name in says]
    assert check(of(says, **{name: case[name] for name in names}))[-1].startswith("CONFIRMED: true of one case")
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
        "set() == x",
        "min() == x",
        "max() == x",
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
        "not (x - 1)",
        "(x and True) == x",
        "(x == 1 and x) == x",
        "(x == 0 or 0) == 0",
        "(1 if x else 2) == x",
        "len([1 for n in (1, 2) if n]) == 2",
        "any(n for n in (0, 2))",
        "all((1, 2))",
        "oo/oo == 1",
        "x == 1 #",
        "x == 1; x",
        "",
        "'%.30f' % x == '1.000000000000000000000000000000'",
        "'%s' % 1 == '1'",
        "x % 'a' == 1",
        "x % 0 == 1",
        "x % oo == 1",
        "len([1 for {x: 1}[1] in (7,)]) == 1",
        "len([1 for (a, {x: 1}[1]) in ((1, 2),)]) == 1",
        "len([1 for a, *b in ((1, 2),)]) == 1",
        "len([oo for oo in (1,)]) == 1",
        "len(__builtins__) == 0",
        "__debug__ == x or x == 1",
        "len([__a for __a in (1,)]) == 1",
        "len([\u03b5 for \u03b5 in (1,)]) == 1",
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
        {"words": {"less(x, y)": "sum(y) - sum(x)", "\uff4cess(x)": "0"}},
        {"words": {"less(x, y)": "sum(y) - sum(x)", "__less(x)": "0"}},
        {"words": {"less(x, y)": "sum(y) - sum(x)", "other(\uff58)": "0"}},
        {"words": {"less(x, y)": "sum(y) - sum(x)", "other(__x)": "0"}},
        {"sentences": [{**SENTENCE, "names": ["x", "y", "\uff44"], "cases": [[[0], [0], 0]]}]},
        {"sentences": [{**SENTENCE, "cases": [{"set": [[0], [1], 1]}]}]},
        {"words": None},
    ],
)
def test_what_is_malformed_is_refused(changes):
    with pytest.raises(SentenceError):
        check({**SUMS, **changes})


@pytest.mark.parametrize(
    ("cases", "are_different"),
    [
        ([1, {"number": "1"}], False),
        ([{"number": "1"}, {"number": "2/2"}], False),
        ([[1, None], [{"number": "3/3"}, None]], False),
        ([{"set": [1, "a"]}, {"set": ["a", {"number": "1"}]}], False),
        ([{"map": [[1, 2], [3, 4]]}, {"map": [[3, 4], [1, {"number": "2"}]]}], False),
        ([1, "1", [1], {"set": [1]}, {"map": [[1, 1]]}, None, "oo", [], {"set": []}, {"map": []}, [[1]], "(1)"], True),
    ],
)
def test_cases_differ_by_their_values(cases, are_different):
    one = {"says": "x == x", "is": True, "scope": "all", "names": ["x"], "cases": [[case] for case in cases]}
    if are_different:
        assert f"every one of {len(cases)} cases" in check({**SUMS, "sentences": [one]})[-1]
    else:
        with pytest.raises(SentenceError, match="different"):
            check({**SUMS, "sentences": [one]})


def test_the_order_of_sets_does_not_depend_on_the_run(tmp_path):
    """Texts are hashed anew in every run of Python."""
    says = (
        "sorted({{'a', 'b'}, {'c', 'd'}, {'e'}, set(())})[1] == {'a', 'b'} and sorted({('b', 1), ('a', 2)})[0][1] == 2"
    )
    (tmp_path / "sets.json").write_text(json.dumps(of(says)))
    for seed in "0123456":
        command = [sys.executable, sentences.__file__, "sets.json"]
        subprocess.run(command, cwd=tmp_path, check=True, capture_output=True, env={"PYTHONHASHSEED": seed})


def test_words_and_names_of_a_case_are_apart():
    """A case may have the name of a function or of a word, and a call always means these."""
    both = of("sum(sum) == f(f)", words={"f(x)": "x + 1"}, sum=[1, 2], f=2)
    assert check(both)[-1].startswith("CONFIRMED")


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
