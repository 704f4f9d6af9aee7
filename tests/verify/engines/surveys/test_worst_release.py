"""The worst release of a sample: what is known already is said again to whoever lists what is found true."""

from fractions import Fraction

from stirred.spec.law import Law
from stirred.verify.engines.surveys.worst_release import worst_release
from stirred.verify.evidence.listing import listening

HEADS = Law({"heads": Fraction(1, 2), "tails": Fraction(1, 2)})
TAILS = Law({"heads": Fraction(1, 4), "tails": Fraction(3, 4)})


def limited(bound):
    return lambda s, t: Fraction(bound)


def test_the_program_that_proves_it_is_listed_though_the_answer_is_known():
    known = worst_release(HEADS, TAILS, limited(3))
    for _ in range(2):
        with listening() as found:
            assert worst_release(HEADS, TAILS, limited(3)) == known
        assert len(found) == 1
        assert found[0].case["value"] == known.ratio


def test_another_limit_another_law_and_another_order_are_other_questions():
    """With g = (b, 1) or (1, b): 2(b + 1)/(b + 3) in one order and (3b + 1)/(2(b + 1)) in the other."""
    for bound in (2, 3, 2):
        assert worst_release(HEADS, TAILS, limited(bound)).ratio == Fraction(2 * (bound + 1), bound + 3)
        assert worst_release(TAILS, HEADS, limited(bound)).ratio == Fraction(3 * bound + 1, 2 * (bound + 1))
