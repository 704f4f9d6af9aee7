"""Formulas that this project claims hold of random cases outside those that the claims name."""

import random
from fractions import Fraction

import pytest

from stirred.verify.certificates.language import holds
from stirred.verify.claims.survey_sampling import dependent_samples as dependent
from stirred.verify.engines.surveys.worst_release import worst_release
from stirred.verify.ledger.failures import plain, words_of


def said(claimed, **case):
    return holds(claimed, {name: plain(value) for name, value in case.items()}, words_of(claimed))


def ratio(p, q, g):
    return sum(Fraction(p[w]) * g[w] for w in p) / sum(Fraction(q[w]) * g[w] for w in q)


DESIGNS = {
    "disjoint, 1 of 5": (5, dependent._sharing(1, 0)),
    "sharing one, 2 of 3": (3, dependent._sharing(2, 1)),
    "sharing two, 3 of 4": (4, dependent._sharing(3, 2)),
    "halves of 4": (4, dependent._sharing(2, 0)),
}


@pytest.mark.parametrize("design", DESIGNS)
def test_two_samples_lose_the_largest_corner(design):
    size, coordination = DESIGNS[design]
    chance = random.Random(design)  # noqa: S311 cases, not secrets
    p, q = (coordination(((1, record), *((unit, "z") for unit in range(2, size + 1)))) for record in "ab")
    for _ in range(3):
        beta, gamma = (1 + Fraction(chance.randint(1, 40), chance.randint(1, 12)) for _ in range(2))
        g = worst_release(p, q, dependent._jointly(beta, gamma)).weights
        claimed = "y == by_overlap(p, beta, gamma) and y >= mean_power(p, beta, gamma)"
        assert said(claimed, y=ratio(p, q, g), p=p, beta=beta, gamma=gamma)
