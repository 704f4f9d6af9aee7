"""Checks that no perturbed case can make fail are found, and no others."""

from fractions import Fraction

import pytest

from stirred.spec.laws.law import uniform_law
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger.answers import printed, unsettled
from stirred.verify.ledger.failures import unless
from stirred.verify.ledger.perturbed import can_fail
from stirred.verify.ledger.quantifiers import cases, every, some

numbers = cases("a and b", "a b")(lambda: [(Fraction(a), Fraction(b)) for a in range(4) for b in range(4)])
laws = cases("laws of three outcomes", "p q")(
    lambda: [({0: Fraction(1, 2), 1: Fraction(1, 2)}, {0: Fraction(1, 4), 1: Fraction(3, 4)})]
)
same = cases("a, and a again", "a b")(lambda: [(a, a) for a in range(5)])


def is_sum(a, b) -> Witness | None:
    return unless("c == a + b", a=a, b=b, c=a + b)


def is_small(a, b) -> Witness | None:
    return unless("a + b <= 6", a=a, b=b)


@pytest.mark.parametrize(
    "check",
    [
        every(numbers, lambda a, b: max(a, b) >= a),
        every(numbers, lambda a: (a - (a + 1)) ** 2 == 1),
        every(numbers, lambda a, b: 1 * a == a and (a + b) ** 2 == a**2 + 2 * a * b + b**2),
        every(
            laws,
            lambda p, q: sum(p[t] for t in p) - sum(q[t] for t in q) == sum(p[t] for t in p) - sum(q[t] for t in q),
        ),
        every(numbers, is_sum),
        some(numbers, lambda a: a - a == 0),
    ],
)
def test_a_planted_identity_cannot_fail(check):
    assert can_fail(check) is False


@pytest.mark.parametrize(
    "check",
    [
        every(same, lambda a, b: a == b),
        every(numbers, lambda a, b: a + b <= 6),
        every(laws, lambda p: sum(p[t] for t in p) == 1),
        every(laws, lambda p: all(t in [0, 1] for t in p)),
        every(numbers, is_small),
        some(laws, lambda p, q: p[0] > q[0]),
        every(cases("a law", "p")(lambda: [uniform_law((0, 1))]), lambda p: p[0] == p[1]),
    ],
)
def test_a_check_with_content_fails_on_some_perturbed_case(check):
    assert can_fail(check) is True


def test_what_compares_no_cases_is_not_asked():
    assert can_fail(unsettled("no data")) is None
    assert can_fail(printed([], "no rows")) is None
    assert can_fail(every(cases("one case without parts", "")(lambda: [()]), lambda: 1 + 1 == 2)) is None
