"""The loss of adaptive releases against sums over all integers that matter, at 60 digits."""

from fractions import Fraction

import mpmath
import pytest

from stirred.spec import InputError
from stirred.verify.engines.adaptive_loss import adaptive_loss, followed, loss_above

CONTEXT = mpmath.MPContext()
CONTEXT.dps = 60
FIRST, SECOND = Fraction(2), Fraction(3)


def split(data, source):
    """Two noisy counts where their noisy sum is at least 2, else the noisy sum."""
    total = sum(data)
    if total + source.discrete_gaussian(FIRST) >= 2:
        return tuple(count + source.discrete_gaussian(SECOND) for count in data)
    return total + source.discrete_gaussian(SECOND)


def weights(scale, mean):
    found = {k: CONTEXT.exp(-(CONTEXT.mpf(k - mean) ** 2) / (2 * CONTEXT.mpf(scale.numerator))) for k in range(-90, 91)}
    total = sum(found.values())
    return {k: weight / total for k, weight in found.items()}


def moment(p, q, order):
    return sum(mass**order * q[k] ** (1 - order) for k, mass in p.items())


def divergence(x, y, order, *, is_drawn):
    """D_alpha/alpha of `split`, with the first draw or without it."""
    first = [weights(FIRST, sum(data)) for data in (x, y)]
    fine = moment(weights(SECOND, x[0]), weights(SECOND, y[0]), order) * moment(
        weights(SECOND, x[1]), weights(SECOND, y[1]), order
    )
    coarse = moment(weights(SECOND, sum(x)), weights(SECOND, sum(y)), order)
    if is_drawn:
        terms = [
            mass**order * first[1][k] ** (1 - order) * (fine if k >= 2 else coarse) for k, mass in first[0].items()
        ]
    else:
        tails = [(sum(m for k, m in law.items() if k >= 2), sum(m for k, m in law.items() if k < 2)) for law in first]
        terms = [p**order * q ** (1 - order) * a for p, q, a in zip(*tails, (fine, coarse), strict=True)]
    return CONTEXT.log(sum(terms)) / (order * (order - 1))


PAIRS = [((1, 0), (0, 0)), ((1, 1), (1, 0)), ((2, 0), (1, 1)), ((0, 2), (2, 0)), ((3, 0), (1, 1))]


@pytest.mark.parametrize(("x", "y"), PAIRS)
def test_the_ends_are_those_of_sums_over_all_integers(x, y):
    loss = adaptive_loss(followed(split, x), followed(split, y))
    orders = (CONTEXT.mpf("1.5"), 2, 3, 6, 20)
    for is_drawn in (True, False):
        for pair in ((x, y), (y, x)):
            assert max(divergence(*pair, order, is_drawn=is_drawn) for order in orders) <= float(loss.upper) + 1e-12
    attained = max(divergence(*pair, 2, is_drawn=False) for pair in ((x, y), (y, x)))
    assert float(loss.released) >= attained - 1e-12
    # the limit of large orders
    highest = max(divergence(*pair, 20, is_drawn=True) for pair in ((x, y), (y, x)))
    assert abs(highest - float(loss.lower)) < 0.05


def test_the_budget_of_a_worst_pair_is_exact():
    # one count leaves: 1/(2*2) for the sum, 1/(2*3) in either shape
    loss = adaptive_loss(followed(split, (1, 1)), followed(split, (1, 0)))
    assert loss.lower == loss.upper == Fraction(1, 4) + Fraction(1, 6)
    assert Fraction(1, 6) < loss.released < loss.upper
    # the sum stays, the split changes in both counts
    assert adaptive_loss(followed(split, (2, 0)), followed(split, (1, 1))).upper == Fraction(1, 3)


def test_several_comparisons_of_one_draw_cost_it_once():
    def thrice(data, source):
        noisy = data + source.discrete_gaussian(FIRST)
        return next((place for place in range(3) if noisy < place), 3)

    loss = adaptive_loss(followed(thrice, 1), followed(thrice, 0))
    assert loss.upper == Fraction(1, 4)


def test_shapes_that_one_data_set_alone_releases_have_infinite_loss():
    def without_noise(data, source):
        return split(data, source) if sum(data) < 1 else data

    loss = adaptive_loss(followed(without_noise, (1, 0)), followed(without_noise, (0, 0)))
    assert (loss.lower, loss.upper, loss.released) == (None, None, None)


@pytest.mark.parametrize(
    ("program", "words"),
    [
        (lambda data, source: source.bernoulli(Fraction(1, 2)), "by comparing discrete Gaussian draws alone"),
        (lambda data, source: source.discrete_laplace(Fraction(1, 2)), "release discrete Gaussian noise alone"),
        (lambda data, source: source.discrete_gaussian(1) >= 0 and False, "another shape in each of its runs"),
        (lambda data, source: source.discrete_gaussian(1 + data) >= 0, "the same noise, on both data sets"),
    ],
)
def test_what_cannot_be_compared_is_refused(program, words):
    with pytest.raises(InputError, match=words):
        adaptive_loss(followed(program, 0), followed(program, 1))


def test_a_draw_compared_with_other_numbers_is_refused():
    def moved(data, source):
        noisy = source.discrete_gaussian(1)
        return next((place for place in range(2) if noisy < place * (1 + data)), 2)

    def again(data, source):
        first, second = data + source.discrete_gaussian(1), source.discrete_gaussian(1)
        return first >= 0, second >= 0, first >= 1

    for program in (moved, again):
        with pytest.raises(InputError, match="the same"):
            adaptive_loss(followed(program, 0), followed(program, 1))


def test_the_first_pair_above_a_budget_is_named():
    assert loss_above(split, PAIRS[:2], Fraction(5, 12)) is None
    first, second, loss = loss_above(split, PAIRS, Fraction(5, 12))
    assert ((first, second), loss.upper) == (PAIRS[3], Fraction(4, 3))
