"""The translated expressions mean what the language means: the same answers, or no answer."""

from collections import Counter
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.laws.law import Law
from stirred.verify.evidence.certificates.decimal_interval import UndecidedError
from stirred.verify.evidence.certificates.exact_number import WitnessError
from stirred.verify.evidence.certificates.language import holds
from stirred.verify.evidence.finding import EngineError
from stirred.verify.ledger import compiled as module
from stirred.verify.ledger import failures
from stirred.verify.ledger.compiled import OO, compiled, lifted, lowered
from stirred.verify.ledger.failures import plain, unless, words_of

NUMBERS = st.one_of(st.none(), st.integers(-3, 4), st.fractions(-2, 3, max_denominator=4))
TUPLES = st.lists(st.integers(0, 2), max_size=4).map(tuple)
SETS = st.frozensets(st.integers(0, 3), max_size=4)
LAWS = st.dictionaries(st.integers(0, 2), st.fractions(0, 1, max_denominator=5), max_size=3)
CASE = st.fixed_dictionaries(
    {"a": NUMBERS, "b": NUMBERS, "x": TUPLES, "y": TUPLES, "s": SETS, "t": SETS, "p": LAWS, "q": LAWS}
)
EXPRESSIONS = [
    *(f"a {operation} b {relation} a" for operation in ("+", "-", "*", "/", "//", "%") for relation in ("<", "==")),
    "a**2 >= b",
    "a**b == 1",
    "a == b",
    "a < b <= a + 1",
    "not a <= b or b <= a",
    "min(a, b) <= max(a, b)",
    "min(x) <= max(y)",
    "min([]) == a",
    "sum(x) == len(y)",
    "abs(a) >= a",
    "x + y == y + x",
    "x[0] == y[-1]",
    "x[1:] == y[:2]",
    "s <= t",
    "s & t == s - t",
    "s | t == {0, 1}",
    "[k for k in s] == [k for k in t]",
    "[k + m for k in s for m in x if k > m] == y",
    "{k % 2 for k in x} == {k % 2 for k in y}",
    "tuple(s) == sorted(t)",
    "{k: x[k] for k in range(len(x))} == {k: y[k] for k in range(len(y))}",
    "any(k in t for k in s) == all(k in s for k in t)",
    "len([k for k in x if k in y]) > len(s)",
    "sum(p[k] for k in p) <= 1",
    "hamming(x, y) <= symmetric_difference(x, y)",
    "hamming(x, y) == hamming_ordered(x, y)",
    "total_variation(p, q) <= a",
    "likelihood_ratio(p, q) == oo",
    "multiplicative(p, q) <= b",
    "is_law(p)",
    "same_law(p, q)",
    "hockey_stick(p, q, 2) == 0",
    "len(subsets(s)) == 2**len(s)",
    "permutations(x[:3]) == product(x, y)",
    "zip(x, y) == enumerate(x)",
    "items(p) == items(q)",
    "get(p, 0, a) == get(q, 0, b)",
    "factorial(len(x)) >= derangements(len(y))",
    "oo / a == oo",
    "a / oo <= b",
    "{a: x, b: y} == {b: y, a: x}",
    "get({0: a, 1: b}, len(x), oo) == a",
    "all(k + k <= 4 for k in [len(x)])",
    "comb(4, len(s)) > 1",
    "(a if len(x) > 1 else b) == oo",
    "ln(2) < 1",
    "p[0] == q[0]",
    "x == s",
    "'a' == 'b' or a == oo",
    "min(s, default) == 1",
    "sum([[k] for k in x]) == 1",
]


@pytest.mark.parametrize("claimed", EXPRESSIONS)
@given(case=CASE)
def test_an_answer_of_the_translation_is_that_of_the_evaluation(claimed, case):
    words = words_of(claimed)
    function = compiled(claimed, tuple(words.items()), tuple(case))
    if function is None:
        assert claimed.startswith("ln")
        return
    try:
        quick = function(*map(lifted, case.values()))
    except Exception:
        quick = None
    try:
        slow = holds(claimed, case, words)
    except (WitnessError, UndecidedError):
        slow = None
    if isinstance(quick, bool) and slow is not None:
        assert quick is slow


@given(a=NUMBERS, b=NUMBERS)
def test_infinity_is_above_every_number_and_absorbs(a, b):
    one, other = lifted(a), lifted(b)
    assert (one < other) == (a is not None and (b is None or a < b))
    assert (one == other) == (a == b)
    assert (OO + one) is OO
    assert (one * OO) is OO
    assert len({OO, OO, lifted(None), 3, lifted(Fraction(3))}) == 2


@given(case=CASE)
def test_what_is_lifted_is_computed_with_by_another_implementation_and_comes_back_as_it_was(case):
    for value in (case, tuple(case.values())):
        assert lowered(lifted(value)) == value
        assert "Fraction" not in repr(lifted(value))


def test_values_of_the_engines_are_lifted_as_they_are_written_plain():
    law = Law({(0, Fraction(1, 2)): Fraction(1, 3), (1, None): Fraction(2, 3)})
    given = (law, [law, {1, 2}], Loss(Fraction(3, 2), 2), INFINITE, {"a": [Fraction(1, 3)]})
    for _ in range(2):
        assert lowered(lifted(given)) == plain(given)


def test_laws_that_are_lifted_are_told_apart_when_more_are_than_are_kept(monkeypatch):
    monkeypatch.setattr(module, "_MOST_OUTCOMES", 4)
    for n in [*range(1, 6), *range(1, 6)]:
        law = Law({k: Fraction(1, n) for k in range(n)})
        assert lowered(lifted(law)) == plain(law)


def test_a_translation_that_differs_is_an_engine_failure(monkeypatch):
    """At the first case of every expression already, and wherever the translation finds it false."""
    monkeypatch.setattr(failures, "_ASKED", Counter())
    monkeypatch.setattr(failures, "compiled", lambda *_: lambda *_: True)
    for claimed in ("n + 0 <= 3", "n + 1 <= 3"):
        with pytest.raises(EngineError, match="disagree"):
            unless(claimed, n=4)
    monkeypatch.setattr(failures, "compiled", lambda *_: lambda *_: False)
    with pytest.raises(EngineError, match="disagree"):
        unless("n + 0 <= 3", n=1)


def test_what_the_translation_cannot_do_is_evaluated(monkeypatch):
    monkeypatch.setattr(failures, "compiled", lambda *_: lambda *_: 1 / 0)
    assert unless("n + 0 <= 3", n=1) is None
    assert unless("n + 0 <= 3", n=4)["case"] == {"n": 4}
