"""Laws of a program that only moves what records say are those of following it, in their order."""

from fractions import Fraction
from functools import partial

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, ChoiceFollower
from stirred.mechanisms.interpreters.choice_tree import tree_law
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping
from stirred.spec import SYMBOL
from stirred.spec.arguments import InputError
from stirred.verify.laws.moved_records import MovedRecords
from stirred.verify.laws.plain import PlainTexts

RECORDS = st.lists(st.tuples(st.integers(0, 1), st.sampled_from("ab"), st.integers(0, 2)), max_size=5)


@given(records=RECORDS, rate=st.sampled_from([SYMBOL, Fraction(0), Fraction(1, 3), Fraction(1, 2)]))
def test_they_are_the_laws_of_following_every_choice(records, rate):
    program = partial(permutation_swapping, swap_rate=rate)
    followed = tree_law(ChoiceFollower(PlainTexts()).follow(partial(program, records), ChoiceBudget(10_000)))
    law = MovedRecords(program, 10_000, PlainTexts()).law(records)
    assert list(law) == list(followed)
    assert all(law[text] == followed[text] for text in followed)


def test_a_permutation_counts_once_for_each_way_to_draw_it():
    moved = MovedRecords(partial(permutation_swapping, swap_rate=Fraction(1, 2)), 10_000, PlainTexts())
    law = moved.law([(0, 0, "a"), (0, 0, "b"), (0, 1, "a")])
    # w_0 = 1/5, w_2 = 1/5 for each exchange, w_3 = 1/10 for each cycle; "a" goes to both rows, but where "b" moves down
    assert sorted(law[text] for text in law) == [Fraction(3, 10), Fraction(7, 10)]


def test_too_many_choices_are_refused():
    moved = MovedRecords(partial(permutation_swapping, swap_rate=Fraction(1, 2)), 10, PlainTexts())
    with pytest.raises(InputError, match="choices"):
        moved.law([(0, 0, 0)] * 4)
