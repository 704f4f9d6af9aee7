"""A Pufferfish instantiation is a specification: what it compares, how far apart, and what it refuses."""

from fractions import Fraction

import pytest

from stirred.spec.arguments import InputError
from stirred.spec.law import Law
from stirred.spec.loss import Loss
from stirred.spec.multiverse import components
from stirred.spec.output_premetrics import Multiplicative
from stirred.spec.pufferfish import Pufferfish, conditional
from stirred.verify.engines.exhaustive import check_specification

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)
INDEPENDENT = Law(
    {(a, b): (QUARTER if a else 3 * QUARTER) * (QUARTER if b else 3 * QUARTER) for a in (0, 1) for b in (0, 1)}
)
CONTAGION = Law({(0, 0): 3 * QUARTER, (1, 1): QUARTER})
FIRST = {"ill": {(1, 0), (1, 1)}, "well": {(0, 0), (0, 1)}}
PAIRS = (("ill", "well"),)


def flipped(point, rate=QUARTER):
    """Each answer is flipped with probability 1/4."""
    shares = {(a, b): Fraction(1) for a in (0, 1) for b in (0, 1)}
    return Law({t: (1 - rate if t[0] == point[0] else rate) * (1 - rate if t[1] == point[1] else rate) for t in shares})


LAWS = {point: flipped(point) for point in INDEPENDENT}


def test_a_conditional_is_the_law_given_the_event():
    assert conditional(INDEPENDENT, FIRST["ill"]) == Law({(1, 0): 3 * QUARTER, (1, 1): QUARTER})


def test_a_conditional_given_an_event_of_probability_0_is_undefined():
    assert conditional(CONTAGION, {(0, 1)}) is None


def test_correlated_records_need_a_larger_budget_than_independent_ones():
    """Under differential privacy 3, given independent records 3, given equal ones 3 * 3."""
    for prior, needed in ((INDEPENDENT, 3), (CONTAGION, 9)):
        p = Pufferfish({"attacker": prior}, FIRST, PAIRS)
        laws = p.provided(LAWS)
        assert Multiplicative().distance(*laws.values()) == Loss(Fraction(needed))
        assert check_specification(laws, p.specification(Loss(Fraction(needed))), "beliefs").verdict.name == "EXHAUSTED"
        assert check_specification(laws, p.specification(Loss(needed - HALF)), "beliefs").verdict.name == "REFUTED"


def test_beliefs_of_two_attackers_are_apart_unless_they_are_equal():
    p = Pufferfish({"a": INDEPENDENT, "b": CONTAGION}, FIRST, PAIRS)
    assert p.premetric("a | ill", "a | well") == 1
    assert p.premetric("a | ill", "b | ill") is None
    assert len(components(p.domain.points, lambda x, y: p.premetric(x, y) is not None)) == 2


def test_equal_conditionals_are_one_point_and_join_paths():
    """Of 0, 1, 2 one attacker leaves out 2, the other 0: both are sure of 1 given {1, 2} and {0, 1}."""
    events = {"low": {0}, "middle": {1}, "high": {2}}
    a, b = Law({0: HALF, 1: HALF}), Law({1: HALF, 2: HALF})
    p = Pufferfish({"a": a, "b": b}, events, (("low", "middle"), ("middle", "high")), leaves_out_undefined=True)
    assert set(p.beliefs) == {"a | low", "a | middle = b | middle", "b | high"}
    assert p.premetric("a | low", "b | high") == p.premetric("b | high", "a | low") == 2
    assert p.premetric.is_metric_on(p.domain)
    assert p.undefined == (("a", "high"), ("b", "low"))


def test_a_pair_stands_for_both_orders():
    one = Pufferfish({"a": INDEPENDENT}, FIRST, (("ill", "well"),))
    other = Pufferfish({"a": INDEPENDENT}, FIRST, (("well", "ill"),))
    assert one.steps == other.steps
    assert one.premetric.is_symmetric_on(one.domain)


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"attackers": {}}, "must have at least one attacker; got none"),
        ({"pairs": ()}, "must have at least one pair of competing conjectures; got none"),
        ({"pairs": (("ill", "wel"),)}, "'wel' is none: did you mean 'well'?"),
        ({"conjectures": {**FIRST, "second": {(0, 1)}}}, "every conjecture must be in a pair, .*'second' is not"),
        (
            {"conjectures": {"ill": {(1, 0)}, "well": {(0, 0)}}, "attackers": {"b": CONTAGION}},
            "'b' given 'ill' is undefined",
        ),
        ({"attackers": {"a\x1b[2J": INDEPENDENT}}, "must have printable names"),
        ({"attackers": {"a|b": INDEPENDENT}}, "must have printable names without | and =; got 'a|b'"),
    ],
)
def test_what_asks_for_nothing_or_is_undefined_is_refused(changed, message):
    with pytest.raises(InputError, match=message.replace("|", r"\|").replace("?", r"\?")):
        Pufferfish(**{"attackers": {"a": INDEPENDENT}, "conjectures": FIRST, "pairs": PAIRS} | changed)


def test_an_instantiation_whose_conditionals_are_all_undefined_has_no_domain():
    p = Pufferfish({"a": CONTAGION}, {"e": {(0, 1)}, "f": {(1, 0)}}, (("e", "f"),), leaves_out_undefined=True)
    with pytest.raises(InputError, match="all are undefined"):
        _ = p.domain
