"""The bounds between which a claimed epsilon is decided lie on both sides of it, however small it is."""

from decimal import Context
from fractions import Fraction

import pytest

from verify.audit.budget_cover import loss_bounds
from verify.audit.claim_budget import ClaimedBudget
from verify.engines.printed_number import parse_printed


@pytest.mark.parametrize("epsilon", ["0.000000000000000000000000000001", "0.1", "0.5", "0.69", "1", "3", "20"])
def test_the_bounds_enclose_the_claimed_budget_and_close_in_on_it(epsilon):
    exact = Fraction(Context(prec=120).exp(Context(prec=120).create_decimal(epsilon)))
    widths = []
    for low, high in loss_bounds(ClaimedBudget(epsilon=parse_printed("epsilon", epsilon))):
        assert low.gamma is not None
        assert high.gamma is not None
        assert 1 <= low.gamma <= exact <= high.gamma
        widths.append(high.gamma - low.gamma)
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] <= Fraction(1, 10**47)
