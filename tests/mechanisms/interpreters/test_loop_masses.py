"""Trees whose paths go back, given as numbers: the probabilities of their outputs, and what is no such tree."""

from fractions import Fraction

import pytest

from stirred.mechanisms.interpreters.choice_path import ATTEMPT, CHOICE, KINDS, RESTART, RESULT
from stirred.mechanisms.interpreters.choice_tree import ChoiceTree, tree_law
from stirred.mechanisms.interpreters.loop_masses import loop_masses
from stirred.spec import InputError

COIN = (Fraction(1, 3), Fraction(2, 3))


@pytest.mark.parametrize(
    "nodes",
    [
        [0, RESULT, 2 * KINDS + RESTART],
        [ATTEMPT, 0, RESULT, 2 * KINDS + RESTART, RESULT],
        [0, RESULT, KINDS + RESTART, RESULT],
        [0, KINDS + RESTART, KINDS + RESTART],
        [0, KINDS + RESTART],
        [0, KINDS + RESTART, KINDS + RESULT],
        [0, KINDS + RESTART, KINDS],
    ],
)
def test_numbers_that_are_no_tree_with_loops_are_refused(nodes):
    with pytest.raises(InputError):
        tree_law(ChoiceTree([COIN], ["a", "b"], nodes))


def test_weights_that_a_tree_with_loops_does_not_have_are_refused():
    for weights in ([], [(0, 0)]):
        with pytest.raises(InputError, match="must name weights"):
            loop_masses(weights, [CHOICE, RESULT, KINDS + RESTART], Fraction)


@pytest.mark.parametrize(
    ("back", "masses"), [(1, ("6/19", "4/19", "9/19")), (2, ("2/5", "4/15", "1/3")), (3, ("2/9", "4/9", "1/3"))]
)
def test_an_attempt_counts_as_one_choice_of_a_path(back, masses):
    """A coin gives c or leads to an attempt, this gives a or leads to a coin, and that gives b or goes back."""
    attempt = [ATTEMPT, CHOICE, RESULT, KINDS + RESULT]
    nodes = [CHOICE, 2 * KINDS + RESULT, *attempt, RESULT, CHOICE, KINDS + RESULT, back * KINDS + RESTART]
    assert loop_masses([COIN], nodes, Fraction) == list(map(Fraction, masses))
