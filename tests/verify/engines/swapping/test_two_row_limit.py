"""The loss over two columns for two rows n₁, n₂ > c = n/(2+o), beside its limit as n grows.

Measured, not proved: at finite n the worst columns are the rows themselves. The limit is no bound: at p = 1/4 the loss
of 120 and 120 records is above it.
"""

from __future__ import annotations

from fractions import Fraction
from math import log

import flint
import pytest

from stirred.mechanisms.permutation_counts import derangements, likelihood, moved_counts
from stirred.spec.loss import Loss
from stirred.spec.permutation_swapping import odds
from stirred.verify.engines.swapping.balanced_rows import limit_of_balanced_budgets
from stirred.verify.engines.swapping.loss import universe_loss

CASES = [("1/4", 1, 1), ("1/2", 1, 1), ("1/2", 2, 3), ("3/4", 1, 1), ("3/4", 2, 3), ("3/4", 1, 2)]


def limit(first, second, rate):
    """1 + (1+o)·c²/((n₁−c)(n₂−c)), exact."""
    c = Fraction(first + second) / (2 + odds(rate))
    found = 1 + (1 + odds(rate)) * c * c / ((first - c) * (second - c))
    assert Loss(found, 2) == limit_of_balanced_budgets(first, second, rate)
    return found


def quotient(x, x_prime, z, rate):
    """P_x(z)/P_x'(z), enclosed to 300 bits."""
    o = odds(rate)
    with flint.ctx.workprec(400):
        powers = [flint.arb(o.numerator) ** k / o.denominator**k for k in range(sum(map(sum, x)) + 1)]
        high, low = (
            sum(flint.arb(n) * powers[k] / derangements(k) for k, n in enumerate(moved_counts(start, z)) if n)
            for start in (x, x_prime)
        )
        found = high / low
    assert found.rel_accuracy_bits() > 300
    return found


def table(first, second, corner):
    """Two rows, and columns with the same totals, `corner` records in both first ones."""
    return ((corner, first - corner), (first - corner, second - first + corner))


def near_and_far(first, second):
    """Two triples (x, x', z) with z = diag(n₁, n₂): x is z itself, or as far as can be; x' is one exchange from x."""
    z = table(first, second, first)
    return (z, table(first, second, first - 1), z), (table(first, second, 1), table(first, second, 0), z)


@pytest.mark.parametrize(("rate", "first", "second"), CASES)
@pytest.mark.parametrize("times", [3, 6, 9])
def test_the_worst_columns_are_the_rows_and_the_worst_output_is_the_diagonal(rate, first, second, times):
    p, (n1, n2) = Fraction(rate), (times * first, times * second)
    losses = {c: universe_loss((n1, n2), (c, n1 + n2 - c), p) for c in range(1, (n1 + n2) // 2 + 1)}
    assert max(losses, key=losses.__getitem__) == n1
    assert losses[n1] == Loss(max(likelihood(x, z, p) / likelihood(y, z, p) for x, y, z in near_and_far(n1, n2)), 2)


@pytest.mark.parametrize(("rate", "first", "second"), CASES)
def test_the_loss_comes_as_near_to_the_limit_as_one_over_n(rate, first, second):
    p = Fraction(rate)
    for size in (120, 480, 1_920):
        n1 = size * first // (first + second)
        worst = max(float(quotient(*triple, p)) for triple in near_and_far(n1, size - n1))
        assert abs(log(limit(n1, size - n1, p)) - log(worst)) / 2 < 10 / size


def test_the_limit_is_no_bound():
    rate = Fraction(1, 4)
    near, far = (quotient(*triple, rate) for triple in near_and_far(120, 120))
    assert limit(120, 120, rate) == 49
    assert near > 49 > far
