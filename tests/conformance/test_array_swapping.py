"""Every array implementation of the PSA has the law of the program: a class for each inherits `Swaps`."""

from fractions import Fraction

import numpy as np
import pytest
from conformance.array_swapping import (
    UNIVERSES,
    check_independent_strata,
    check_law,
    check_moves,
    check_replay,
    fits,
    law_of_moves,
)
from hypothesis import given
from hypothesis import strategies as st
from tiers import few

from stirred.mechanisms.fast.permutation_swapping import draw_moves

RATES = [Fraction(0), Fraction(1, 20), Fraction(1, 2), Fraction(2, 3), Fraction(1)]
RECORDS = st.lists(st.tuples(st.integers(-1, 2), st.integers(0, 2), st.integers(0, 2)), max_size=9).map(tuple)


class Swaps:
    """What holds for all of them; a subclass gives `draw`."""

    @staticmethod
    def draw(matching, swap_rate, seed):
        raise NotImplementedError

    @pytest.mark.parametrize(("sizes", "swap_rate"), UNIVERSES, ids=str)
    def test_draws_fit_the_exact_law(self, sizes, swap_rate):
        check_law(self.draw, sizes, swap_rate)

    @pytest.mark.parametrize(("size", "swap_rate"), few([(3, Fraction(1, 2)), (3, Fraction(1)), (4, Fraction(1))]))
    def test_strata_are_independent(self, size, swap_rate):
        check_independent_strata(self.draw, size, swap_rate)

    @given(RECORDS, st.sampled_from(RATES), st.integers(0, 2**40))
    def test_moves_permute_inside_strata_and_leave_no_stratum_with_one_moved(self, rows, p, seed):
        check_moves(self.draw, np.array([m for m, _, _ in rows], dtype=np.int64), p, seed)

    @given(RECORDS, st.sampled_from(RATES), st.integers(0, 2**40))
    def test_the_program_makes_the_same_moves_on_the_same_choices(self, rows, p, seed):
        check_replay(self.draw, rows, p, seed)


class TestNumPy(Swaps):
    @staticmethod
    def draw(matching, swap_rate, seed):
        return draw_moves(matching, swap_rate=swap_rate, seed=seed)


def test_a_law_that_is_not_the_one_drawn_from_does_not_fit():
    law = law_of_moves((4,), Fraction(1))
    assert len(law) == 9  # the derangements of four
    fitting = dict.fromkeys(law, 1000)
    assert fits(fitting, law)
    assert not fits({**fitting, next(iter(law)): 1300}, law)
