"""Formulas that this project claims hold of random cases outside those that the claims name."""

import random
from fractions import Fraction

import pytest

import stirred.verify.claims.pairwise_swapping.tiers  # noqa: F401 its words are used here
from stirred.spec.surveys.amplification import Compared
from stirred.verify.claims.inference.optimality import posterior
from stirred.verify.claims.pairwise_swapping.tiers import too_few, visits
from stirred.verify.claims.survey_sampling import clusters, words
from stirred.verify.claims.survey_sampling import dependent_samples as dependent
from stirred.verify.claims.survey_sampling.dependent_samples import by_overlap, mean_power
from stirred.verify.engines.surveys.design_loss import distance_of_samples
from stirred.verify.engines.surveys.worst_release import power_limit, worst_release
from stirred.verify.ledger.failures import says_so


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
        claimed = lambda y, p, beta, gamma: y == by_overlap(p, beta, gamma) and y >= mean_power(p, beta, gamma)
        assert says_so(claimed, y=ratio(p, q, g), p=p, beta=beta, gamma=gamma)


@pytest.mark.parametrize("eighties", [3, 14, 25])
def test_half_of_tier_3_is_just_what_is_needed_at_other_sizes(eighties):
    third, wanted = 10 * eighties, 3 * eighties
    assert says_so(lambda third, wanted: 2 / 5 < too_few(third, 3 / 10, wanted) < 1 / 2, third=third, wanted=wanted)


@pytest.mark.parametrize("left", [5, 12, 33])
def test_lower_probabilities_of_tier_3_mean_more_visits_at_other_sizes(left):
    chance = random.Random(left)  # noqa: S311 cases, not secrets
    third = 2 * left + chance.randint(left, 3 * left)
    claimed = lambda third, left: visits(third, 3 / 10, left) > visits(third, 6 / 10, left)
    assert says_so(claimed, third=third, left=left)


@pytest.mark.parametrize(("number", "step"), [(8, 2), (8, 4)])
def test_other_lists_in_random_order_within_regions_amplify_as_simple_random_samples(number, step):
    design = clusters._systematic(step, clusters._by_region(number // step))
    p, q = words.laws_of(design, clusters.in_clusters(1, number))
    gamma = 1 + Fraction(random.Random(number * step).randint(1, 40), 12)  # noqa: S311 cases, not secrets
    g = worst_release(p, q, power_limit(gamma, distance_of_samples(Compared.REPLACED))).weights
    assert ratio(p, q, g) == 1 + (gamma - 1) / step


def test_the_posterior_of_an_atom_is_below_the_bound_of_theorem_5_6_3_at_other_priors():
    chance = random.Random(563)  # noqa: S311 cases, not secrets
    for _ in range(20):
        w, g = Fraction(chance.randint(1, 99), 100), 1 + Fraction(chance.randint(1, 30), 10)
        n, more = chance.randint(1, 9), chance.randint(0, 9)
        case = {"w": w, "g": g, "n": n, "t": n + more}
        assert says_so(lambda t, g, w, n: posterior(t, g, w, n) == w * g**n / (1 - w + w * g**n), **case)
        assert says_so(lambda t, g, w, n: posterior(t, g, w, n) < w * g**n, **case)
