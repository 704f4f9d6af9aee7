"""A budget covers exactly the losses up to it, decided near the boundary against rational bounds of e^ε."""

from decimal import Decimal
from fractions import Fraction
from itertools import combinations_with_replacement

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import gammas

from stirred.spec import INFINITE, ZERO, Enclosure, Loss
from stirred.verify.engines.printed_number import Printed, parse_printed
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import cover_evidence, covers, loss_bounds, shortfall

EPSILONS = [*(f"1/{3 * 10**places}" for places in (100, 48, 30, 6)), "0.1", "0.5", "0.69", "1", "3", "20"]
UNIT = Fraction(1, 10**48)


def budget(epsilon):
    return ClaimedBudget(epsilon=parse_printed("epsilon", epsilon))


def powers_of_e(x):
    """e^x from below and from above to more than 110 places: a partial sum, and the rest by a geometric series."""
    total = term = Fraction(1)
    k = 0
    while term > Fraction(1, 10**120) or k <= 2 * x:
        k += 1
        term = term * x / k
        total += term
    return total, total + 2 * term


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_the_bounds_enclose_the_claimed_budget_and_close_in_on_it_to_48_places(epsilon):
    bounds = [(low.gamma, high.gamma) for low, high in loss_bounds(budget(epsilon))]
    (root,) = {loss.distance for pair in loss_bounds(budget(epsilon)) for loss in pair}
    assert root == 1 or 1 <= Fraction(epsilon) * root <= 10  # of a small budget they are those of a multiple
    below, above = powers_of_e(Fraction(epsilon) * root)
    assert all(1 <= low <= below < above <= high for low, high in bounds)
    assert [high - low for low, high in bounds] == [Fraction(1, 10**places) for places in (6, 12, 24, 48)]


@pytest.mark.parametrize(
    ("epsilon", "root"),
    [("1/1000000", 1), ("1/1000001", 10**7), ("1/6000000", 10**7), ("1/10000000", 10**8), ("7e-50", 10**50)],
)
def test_below_a_millionth_the_bounds_are_those_of_the_multiple_by_a_power_of_ten_above_1(epsilon, root):
    assert {loss.distance for pair in loss_bounds(budget(epsilon)) for loss in pair} == {root}


@pytest.mark.parametrize(("epsilon", "bits"), [("3601", 5196), ("3801.5", 5485), ("4946", 7136)])
def test_of_a_large_power_of_e_as_many_digits_are_kept_as_of_one_of_5000_bits(epsilon, bits):
    """2^196 is just above 10^59, 2^485 just below 10^146 and 2^2136 just above 10^643."""
    dropped = len(str(2 ** (bits - 5000))) - 1
    with mpmath.workdps(2500):
        power = mpmath.exp(mpmath.mpf(epsilon))
        assert int(power).bit_length() == bits
        for digits, (low, high) in zip((6, 12, 24, 48), loss_bounds(budget(epsilon)), strict=True):
            assert int(low.gamma) <= power <= int(high.gamma)
            assert high.gamma - low.gamma <= high.gamma / 10**digits
            texts = [str(loss.gamma) for loss in (low, high)]
            assert min(len(text) - len(text.rstrip("0")) for text in texts) == dropped - digits


@pytest.mark.parametrize("places", [3, 6, 12, 24, 47])
@pytest.mark.parametrize("distance", [1, 3])
@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_budget_covers_a_loss_iff_its_power_of_e_is_at_most_that_of_the_budget(epsilon, distance, places):
    below, above = (power**distance for power in powers_of_e(Fraction(epsilon)))
    step = Fraction(1, 10**places) * below
    assert covers(budget(epsilon), Loss(above + step, distance)) is False
    if below - step >= 1:
        assert covers(budget(epsilon), Loss(below - step, distance)) is True
    assert covers(budget(epsilon), ZERO) is True
    assert covers(budget(epsilon), INFINITE) is False


@pytest.mark.parametrize("epsilon", EPSILONS)
def test_a_loss_that_agrees_with_the_budget_to_48_places_is_not_decided(epsilon):
    *_, (low, high) = loss_bounds(budget(epsilon))
    assert [covers(budget(epsilon), loss) for loss in (low, high)] == [True, None]
    assert covers(budget(epsilon), Loss(low.gamma + UNIT / 2, low.distance)) is None
    assert covers(budget(epsilon), Loss(high.gamma + UNIT, high.distance)) is False


@given(gammas, st.integers(1, 4), gammas, st.integers(1, 4))
def test_a_budget_with_an_exact_power_is_compared_exactly(gamma, distance, other, far):
    claimed = ClaimedBudget(loss=Loss(gamma, distance))
    assert covers(claimed, Loss(other, far)) is (other**distance <= gamma**far)
    assert covers(claimed, Loss(gamma, distance)) is True
    assert covers(claimed, Loss(gamma + Fraction(1, 10**100), distance)) is False
    assert covers(ClaimedBudget(loss=INFINITE), Loss(other, far)) is True


def test_a_budget_of_no_loss_covers_only_no_loss():
    for claimed in (budget("0"), ClaimedBudget(loss=ZERO)):
        assert covers(claimed, ZERO) is True
        assert covers(claimed, Loss(1 + Fraction(1, 10**100))) is False


@pytest.mark.parametrize("question", [covers, shortfall])
def test_a_budget_of_another_kind_is_refused(question):
    with pytest.raises(EngineError, match="a budget of losses must be one"):
        question(ClaimedBudget(rho_squared=parse_printed("rho_squared", "1")), Loss(2))


@given(st.integers(0, 20), st.integers(1, 12), gammas, st.integers(1, 4))
def test_the_shortfall_is_the_difference_in_nats(tenths, places, gamma, distance):
    claimed = Fraction(tenths, 10)
    # a loss of claimed + 10^-places, up to 10^-110
    loss = Loss(powers_of_e(claimed + Fraction(1, 10**places))[0])
    assert Decimal(shortfall(budget(str(claimed)), loss)) == Decimal(1).scaleb(-places)
    exact = Loss(gamma, distance)
    short = shortfall(ClaimedBudget(loss=exact), Loss(gamma * powers_of_e(Fraction(1, 4))[0] ** distance, distance))
    assert Decimal(short) == Decimal("0.25")
    assert shortfall(budget(str(claimed)), INFINITE) == "infinity"


def test_a_number_covers_what_is_enough_iff_it_is_at_least_as_large():
    numbers = [Fraction(n, 2) for n in range(5)]
    for lower, upper in combinations_with_replacement(numbers, 2):
        for number in numbers:
            evidence = cover_evidence(Printed(f"<{number}>", number), Enclosure(lower, upper), "it", "scope")
            answer = evidence.detail.split(":")[0]
            if number >= upper:
                settled = Verdict.EXHAUSTED if lower == upper else Verdict.ENCLOSED
                assert evidence.verdict is settled
                assert answer.startswith(f"claimed <{number}> ≥ it, ")
            elif number < lower:
                assert (evidence.verdict, answer) == (Verdict.OPEN, "not shown")
                assert evidence.detail.endswith(f" by {Enclosure(lower - number, upper - number).text()}")
            else:
                assert (evidence.verdict, answer) == (Verdict.OPEN, "cannot be decided here")
            assert f"<{number}>" in evidence.detail
            assert Enclosure(lower, upper).text() in evidence.detail
            assert evidence.scope == "scope"
