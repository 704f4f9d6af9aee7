"""States of programs are equal only where the values are, and which of them are one object."""

from fractions import Fraction

from stirred.mechanisms.choice_follower import ChoiceBudget, follow
from stirred.mechanisms.choice_tree import tree_law
from stirred.mechanisms.loop_masses import has_loops
from stirred.mechanisms.program_state import ProgramStates

HALF = Fraction(1, 2)


def test_which_of_two_equal_lists_a_name_stands_for_is_part_of_the_state():
    def program(source):
        one, other = [0], [0]
        which = one
        while source.bernoulli(HALF):
            which = other if which is one else one
        one[0] = 1
        return which[0]

    tree = follow(program, ChoiceBudget(100), states=ProgramStates([HALF]))
    assert has_loops(tree.nodes)
    # E(−1)^n of the rounds n is Σ ½ (−½)^k = 1/3
    assert dict(tree_law(tree)) == {1: Fraction(2, 3), 0: Fraction(1, 3)}
