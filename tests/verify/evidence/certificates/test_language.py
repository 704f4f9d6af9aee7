"""The language of cases: what it computes is what Python computes exactly; what it refuses ends in one error.

No control character of any file reaches a terminal raw, whatever the command.
"""

import contextlib
import json
import time
from fractions import Fraction
from pathlib import Path

import pytest
from claim_texts import SCHEMA, SOUND, replaced
from hypothesis import given
from hypothesis import strategies as st

from stirred.verify.cli import main as cli
from stirred.verify.cli.commands.kept_records import LEDGER
from stirred.verify.evidence.certificates.case_values import decoded, encoded, shown_value
from stirred.verify.evidence.certificates.decimal_interval import UndecidedError
from stirred.verify.evidence.certificates.exact_number import WitnessError
from stirred.verify.evidence.certificates.language import free_names, holds, sides
from stirred.verify.evidence.certificates.printable import json_text, one_line, printable
from stirred.verify.evidence.certificates.replay import main as replay_main
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.certificates.work import Work

NUMBERS = st.one_of(st.integers(-9, 9), st.fractions(-9, 9, max_denominator=9))
LEAVES = st.one_of(NUMBERS, st.booleans(), st.none(), st.text(max_size=3))
KEYS = st.one_of(st.integers(-3, 3), st.text(max_size=2), st.tuples(st.integers(0, 2), st.integers(0, 2)))

VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3).map(tuple),
        st.frozensets(KEYS, max_size=3),
        st.dictionaries(KEYS, inner, max_size=3),
    ),
    max_leaves=6,
)


@given(VALUES)
def test_a_value_survives_its_json(value):
    assert decoded(json.loads(json.dumps(encoded(value))), Work()) == value


@pytest.mark.parametrize("value", [0.5, object(), (1, 0.5), {"a": 1j}, b"x"])
def test_what_is_not_exact_and_plain_is_refused(value):
    with pytest.raises(WitnessError, match="exact and plain"):
        encoded(value)


@pytest.mark.parametrize(
    "value", [0.5, {"number": "x"}, {"set": 1}, {"map": [[1]]}, {"map": [[1, 2], [1, 3]]}, {"a": 1, "b": 2}, {}]
)
def test_json_that_is_no_value_is_refused(value):
    with pytest.raises(WitnessError):
        decoded(value, Work())


OPERATIONS = st.sampled_from(["+", "-", "*", "/", "//", "%"])
RELATIONS = st.sampled_from(["<", "<=", "==", "!=", ">", ">="])


@given(NUMBERS, OPERATIONS, NUMBERS, RELATIONS, NUMBERS)
def test_arithmetic_is_exact(a, operation, b, relation, c):
    """Each operation and relation against Python's own on fractions."""
    text = f"a {operation} b {relation} c"
    if b == 0 and operation in {"/", "//", "%"}:
        with pytest.raises(WitnessError, match="divides by zero"):
            holds(text, {"a": a, "b": b, "c": c}, {})
        return
    exact = {name: Fraction(value) for name, value in (("a", a), ("b", b), ("c", c))}
    assert holds(text, {"a": a, "b": b, "c": c}, {}) is eval(text, exact)  # noqa: S307 the text is made here


@given(st.lists(st.integers(-4, 4), max_size=5), st.integers(0, 3))
def test_comprehensions_are_pythons(xs, n):
    scope = {"xs": tuple(xs), "n": n}
    for text in (
        "sum(x * x for x in xs if x > n) == n",
        "[x for x in xs if x != n] == xs",
        "len({x % 2 for x in xs}) == n",
        "all(xs[i] <= xs[i + 1] for i in range(len(xs) - 1))",
        "any(x == y for i, x in enumerate(xs) for y in xs[:i])",
        "len(subsets(xs)) == 2**len(xs)",
        "sorted(xs) == xs",
        "sum(x*y for x, y in zip(xs, xs[1:])) >= n",
    ):
        plain = {**scope, "subsets": lambda v: range(2 ** len(v)), "sorted": lambda v: tuple(sorted(v))}
        expected = eval(text.replace("[x for x in xs if x != n]", "tuple([x for x in xs if x != n])"), plain)  # noqa: S307
        assert holds(text, scope, {}) is expected, text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("oo > 10**9", True),
        ("oo == oo", True),
        ("oo <= oo", True),
        ("oo < oo", False),
        ("0*oo == oo", True),
        ("oo + 1 == oo", True),
        ("1 < oo", True),
        ("min([]) == oo", True),
        ("max([]) == 0", True),
        ("max(1, oo) == oo", True),
        ("min(oo, 2) == 2", True),
        ("abs(0 - 3) == 3", True),
        ("ln(2) < 7/10", True),
        ("exp(1) > 271/100 and exp(1) < 272/100", True),
        ("sqrt(4) == 2", True),
        ("floor(exp(1)) == 2", True),
        ("ln(2) < oo", True),
        ("{1, 2} <= {1, 2, 3}", True),
        ("{1, 2} - {2} == {1}", True),
        ("[1] + [2] == [1, 2]", True),
        ("get({'a': 1 for x in [1]}, 'b', 5) == 5", True),
        ("len(permutations(range(4))) == factorial(4)", True),
        ("comb(5, 2) == 10 and derangements(4) == 9", True),
        ("(1 if 2 > 1 else 1/0) == 1", True),
        ("1 < 2 < 3", True),
        ("1 < 3 < 2", False),
        ("not 1 in [2]", True),
    ],
)
def test_what_expressions_mean(text, value):
    assert holds(text, {}, {}) is value


@pytest.mark.parametrize(
    "text",
    [
        "1 + 1",
        "1 < 'a'",
        "f(1) == 1",
        "x == 1",
        "(lambda: 1)() == 1",
        "x.y == 1",
        "__import__('os') == 1",
        "0.5 == 1/2",
        "oo - oo == 0",
        "1 - oo < 0",
        "[1][3] == 1",
        "2**(1/2) == 1",
        "0**(0 - 1) == 1",
        "all([1])",
        "(y := 1) == 1",
        "f'{1}' == '1'",
        "print(1) == 1",
        "1 is 1",
        "",
        "1 == 1 # comment",
        "a b",
        "len(1) == 1",
        "sum(x for x in 3) == 3",
        "min('a', 1) == 1",
    ],
)
def test_what_is_not_in_the_language_is_refused(text):
    with pytest.raises(WitnessError):
        holds(text, {}, {})


def test_words_are_what_the_witness_defines():
    words = {"twice(x)": "2*x", "four(x)": "twice(twice(x))"}
    assert holds("four(n) == 12", {"n": 3}, words)
    assert sides("four(n) <= n", {"n": 3}, words) == ("12", "3")
    for text in ("permutations() == n", "set() == n", "floor(1, n) == n"):
        with pytest.raises(WitnessError, match=rf"{text.split('(')[0]} takes no such values"):
            holds(text, {"n": 3}, {})
    with pytest.raises(WitnessError, match="takes 1 values"):
        holds("twice(1, 2) == 2", {}, words)
    with pytest.raises(WitnessError, match="a name of its own"):
        holds("1 == 1", {}, {"len(x)": "0"})
    with pytest.raises(WitnessError, match="nested too deeply"):
        holds("f(1) == 1", {}, {"f(x)": "f(x)"})


def test_a_parameter_hides_nothing_of_the_case():
    with pytest.raises(WitnessError, match="'n'"):
        holds("f(1) == 4", {"n": 3}, {"f(x)": "x + n"})


@pytest.mark.parametrize(
    "text",
    [
        "sum(1 for x in range(10000) for y in range(10000)) == 1",
        "len(product(range(1000), range(1000))) == 1",
        "10**10000 ** 10000 == 1",
        "factorial(10000) ** 100 == 1",
        "len(subsets(range(100))) == 1",
    ],
)
def test_what_takes_long_is_refused_soon(text):
    began = time.process_time()
    with pytest.raises((UndecidedError, WitnessError)):
        holds(text, {}, {})
    assert time.process_time() - began < 20


def test_equal_irrational_sides_are_undecided():
    with pytest.raises(UndecidedError, match="too close"):
        holds("sqrt(2)*sqrt(2) == 2", {}, {})


def test_free_names_are_those_that_the_case_must_give():
    assert free_names("sum(x for x in xs) <= n") == {"sum", "xs", "n"}


def test_a_case_is_replayed_from_its_json():
    witness = {
        "kind": "case",
        "claimed": "hamming(x, y) <= 0",
        "where": {"hamming(x, y)": "sum(1 for a, b in zip(x, y) if a != b)"},
        "case": {"x": [0, 1], "y": [1, 1]},
    }
    assert replay(witness) == "false at x = (0, 1), y = (1, 1): hamming(x, y) <= 0 (left 1, right 0)"
    with pytest.raises(WitnessError, match="holds of the case"):
        replay({**witness, "case": {"x": [1, 1], "y": [1, 1]}})


def test_values_are_shown_as_a_person_reads_them():
    assert shown_value((1, None, frozenset({2, 1}), {"a": Fraction(1, 2)}, True)) == "(1, oo, {1, 2}, {'a': 1/2}, True)"


HOSTILE = "a\x1b[2J\x07\x7f\x9b31m\u202e\u2066\u2028\u2029\u200b\r\x00b"
IN_TOML = json.dumps(HOSTILE.replace("\x7f", "\x85"))  # an escape for each, as TOML has them too


@given(st.text())
def test_what_is_printed_prints_as_itself(text):
    assert printable(text).isprintable()
    assert one_line(text).isprintable()
    assert printable(printable(text)) == printable(text)


@given(st.recursive(st.text() | st.integers(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_json_prints_as_itself_and_reads_back(value):
    text = json_text(value)
    assert all(line.isprintable() for line in text.split("\n"))
    assert json.loads(text) == value


def file(folder: Path, name: str, content: str | bytes) -> str:
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return str(path)


NUMBERED = f"""\
id = "own"
statement = "a number"
[[numbers]]
what = "share"
printed = {IN_TOML}
formula = "1/2"
"""

RECORD = {"privacy_budget": HOSTILE, HOSTILE: {"privacy_budget": "3", "state_filter": [HOSTILE]}}


def commands(folder: Path) -> dict[str, list[str]]:
    """Each command on files whose every text, and whose name, is hostile."""
    odd = "n\x1b[31m\u202ename"
    described = replaced(SCHEMA, ('schema = { vote = ["no", "yes"] }\nrecords = 2', f"description = {IN_TOML}"))
    claim = file(folder, f"{odd}.toml", replaced(SCHEMA, ('["no", "yes"]', f"[{IN_TOML}, 0]")))
    resolution = replaced(SOUND, ('"household"', IN_TOML))
    listed = replaced(SCHEMA, ('schema = { vote = ["no", "yes"] }\nrecords = 2', f"data_sets = [[{IN_TOML}], [0]]"))
    table = file(folder, f"{odd}.csv", f'county,"size\x1b[2J\u202e"\n"{odd}",1\nb,2\n')
    witness = {"kind": "formula", "claimed": f"1 < x{HOSTILE}", "values": {"x": "1"}}
    named = {"kind": "formula", "claimed": "1 == 2", "values": {}, "note": HOSTILE}
    law = [[HOSTILE, "1"]]
    events = {"law": law, "law_prime": [["b", "1"]], "event": [HOSTILE], "probability": "1", "probability_prime": "0"}
    stated = {
        "input_premetric": {"name": "hamming_ordered", "data": "records"},
        "output_premetric": {"name": "multiplicative"},
        "budget": {"epsilon": "1"},
    }
    loss = {"kind": "loss", "x": [HOSTILE], "x_prime": [0], **events, "claim": {"id": HOSTILE, **stated}}
    kept = [dict.fromkeys(LEDGER.fields, HOSTILE)]
    replays = [witness, named, loss, {"id": HOSTILE, "witness": loss}, {"kind": HOSTILE}, {HOSTILE: 1, "kind": "loss"}]
    swapped = ["swap", table, "--swap", "county", "--swap-rate", "1/2"]
    return {
        "audit": ["audit", claim],
        "audit json": ["audit", claim, "--json"],
        "audit listed": ["audit", file(folder, "listed.toml", listed)],
        "audit numbers": ["audit", file(folder, "numbers.toml", NUMBERED)],
        "audit resolution": ["audit", file(folder, "resolution.toml", resolution)],
        "audit not written": ["audit", file(folder, "sound.toml", SOUND), "--witness", str(folder / f"{odd}.json")],
        "audit record": ["audit", file(folder, f"{odd}.json", json.dumps(RECORD))],
        "audit yaml": ["audit", file(folder, f"{odd}.yaml", f"status: {json.dumps(HOSTILE)}\n")],
        "audit ini": ["audit", file(folder, f"{odd}.ini", f"[budget]\n{odd} = {odd}\n")],
        "audit missing": ["audit", str(folder / f"{odd}.none.toml")],
        "show": ["show", claim],
        "show described": ["show", file(folder, f"{odd}2.toml", described)],
        "show described json": ["show", str(folder / f"{odd}2.toml"), "--json"],
        "compare": ["compare", claim, claim],
        "compare json": ["compare", claim, claim, "--json"],
        "swap": [*swapped, "--resolution", odd],
        "swap output": [*swapped, "--output", str(folder / f"{odd}.out")],
        "swap missing": ["swap", table, "--swap", odd, "--swap-rate", "1/2"],
        "swap rate": ["swap", table, "--swap", "county", "--swap-rate", odd],
        "plot": ["derive", "psa", "--plot", str(folder / f"{odd}.svg")],
        "verify": ["verify", odd],
        "against": ["verify", "psa.swap-probability.printed", "--against", file(folder, "kept.json", json.dumps(kept))],
        "unknown command": [odd],
        "unknown option": ["verify", f"--{odd}"],
        **{
            f"replay {index}": ["replay", file(folder, f"{odd}{index}.w.json", json.dumps(one))]
            for index, one in enumerate(replays)
        },
        "replay beside a claim": ["replay", str(folder / f"{odd}2.w.json"), "--claim", claim],
    }


def test_no_command_prints_what_does_not_print(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr(
        "stirred.verify.cli.commands.plot.plot_psa", lambda path, b: None
    )  # the name of the picture is what matters
    seen = 0
    for label, arguments in commands(tmp_path).items():
        with contextlib.suppress(SystemExit):  # of argparse
            cli.main(arguments)
        out, err = capsys.readouterr()
        assert out + err, label
        assert all(line.isprintable() for line in (out + err).split("\n")), (label, out, err)
        seen += "\\x1b" in out + err or "\\u001b" in out + err
    assert seen >= 20


def test_replaying_alone_prints_as_itself_too(tmp_path, capsys):
    path = commands(tmp_path)["replay 2"][1]
    assert replay_main([path]) == 1
    assert capsys.readouterr().out.replace("\n", "").isprintable()
