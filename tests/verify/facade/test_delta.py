"""The smallest delta of a mechanism at an epsilon, its curve, and conversions, from Python."""

from fractions import Fraction
from itertools import permutations

import pytest

import stirred
from stirred.mechanisms import exact_law
from stirred.spec import Enclosure, InputError, hockey_stick
from stirred.spec.numbers.enclosure import exponential

COUNTS = {"data_sets": range(4), "distance": "absolute_difference"}


def noisy_count(count, source, *, ratio):
    return source.clamp(count + source.discrete_laplace(ratio), 0, 3)


def leaking(count, source, *, ratio):
    return count if source.bernoulli(ratio) else -1


def expected(mechanism, gammas, **parameters):
    """Over all pairs, E at γ^d by its sum."""
    laws = [exact_law(mechanism, count, **parameters) for count in range(4)]
    return max(hockey_stick(laws[x], laws[y], gammas(abs(x - y))) for x, y in permutations(range(4), 2))


@pytest.mark.parametrize("gamma", [1, Fraction(11, 10), Fraction(3, 2), 2, 3])
@pytest.mark.parametrize("mechanism", [noisy_count, leaking])
def test_it_is_the_largest_over_all_pairs(mechanism, gamma):
    found = stirred.smallest_delta(mechanism, **COUNTS, epsilon=f"ln({gamma})", ratio="1/3")
    assert found == expected(mechanism, lambda d: Fraction(gamma) ** d, ratio=Fraction(1, 3))


def test_an_irrational_gamma_is_enclosed():
    found = stirred.smallest_delta(noisy_count, **COUNTS, epsilon="0.5", ratio="1/3")
    assert isinstance(found, Enclosure)
    low, high = (
        expected(
            noisy_count, lambda d, end=end: getattr(exponential(Fraction(d, 2), digits=60), end), ratio=Fraction(1, 3)
        )
        for end in ("upper", "lower")
    )
    assert found.lower <= low <= high <= found.upper
    assert found.upper - found.lower < Fraction(1, 10**30)


def test_it_is_enough_and_nothing_less_is():
    claim = {**COUNTS, "output": "approximate", "epsilon": "0.5", "ratio": "1/3"}
    delta = stirred.smallest_delta(noisy_count, **COUNTS, epsilon="0.5", ratio="1/3")
    enough = stirred.audit(noisy_count, **claim, delta=delta.upper + Fraction(1, 10**20))
    assert enough.holds
    short = stirred.audit(noisy_count, **claim, delta=delta.lower - Fraction(1, 10**20))
    assert short.verdict is stirred.Verdict.REFUTED
    (answer,) = [a.evidence for a in short.record.answers if a.question == "delta"]
    assert answer.detail.startswith(
        f"the smallest delta at epsilon = 0.5 is {delta.relation()}, needed by x = 0, x' = 3;"
    )
    assert "at distance k" in answer.detail


def test_it_is_0_at_the_loss_and_infinite_losses_leave_their_mass():
    assert stirred.smallest_delta(noisy_count, **COUNTS, epsilon="ln 3", ratio="1/3") == 0
    assert stirred.smallest_delta(noisy_count, **COUNTS, epsilon="infinite", ratio="1/3") == 0
    assert stirred.smallest_delta(leaking, **COUNTS, epsilon="infinite", ratio="1/3") == Fraction(1, 3)
    with pytest.raises(InputError, match="vacuous, so every mechanism satisfies it"):
        stirred.smallest_delta(leaking, data_sets=[1], distance="absolute_difference", epsilon=0, ratio="1/3")


def test_the_curve_has_its_pieces_by_distance():
    curves = stirred.privacy_curve(noisy_count, data_sets=[0, 1, 3], distance="absolute_difference", ratio="1/2")
    assert sorted(curves.by_distance) == [1, 2, 3]
    assert curves.lines()[:2] == (
        "delta = (2 - e^epsilon)/3 for 1 <= e^epsilon <= 2",
        "delta = 0 for e^epsilon >= 2",
    )
    assert curves.by_distance[2].delta(4) == curves.by_distance[3].delta(8) == 0


def test_a_law_that_is_not_exact_is_refused_in_one_line():
    with pytest.raises(stirred.InputError, match="exact finite laws"):
        stirred.smallest_delta(lambda count, source: count + source.discrete_gaussian(4), **COUNTS, epsilon=1)


def test_conversions_take_texts_and_refuse_floats():
    (found,) = stirred.convert(mu="1", at_epsilon="1")[1:]
    assert (found.name, found.value.text(6)) == ("delta", "0.126937")
    assert [one.name for one in stirred.convert(epsilon="ln 3", order=2)] == ["rho", "rho", "epsilon"]
    with pytest.raises(stirred.InputError, match="rho must be exact; got the float"):
        stirred.convert(rho=0.1, delta="1e-6")
    with pytest.raises(stirred.InputError, match="exactly one"):
        stirred.convert(delta="1e-6")
    with pytest.raises(stirred.InputError, match="must be finite"):
        stirred.convert(epsilon="infinite", order=2)


def test_curves_and_conversions_are_shown_in_words():
    curves = stirred.privacy_curve(noisy_count, **COUNTS, ratio="1/2")
    assert str(curves).splitlines() == list(curves.lines())
    assert repr(curves) == f"<DeltaCurves {'; '.join(curves.lines())}>"
    assert repr(stirred.convert(mu=1, order=2)[0]) == "<Converted rho = 0.5 by mu^2/2>"
    loss = stirred.smallest_budget(noisy_count, **COUNTS, ratio=stirred.SYMBOL)
    assert repr(loss) == f"<LossFunction {loss}>"
