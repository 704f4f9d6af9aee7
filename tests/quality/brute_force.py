"""The exhaustive engine as it is defined: every pair of every universe, one after another, nothing left out."""

from itertools import permutations

from verify.engines.comparison import CrossingCurvesError, simplicity
from verify.engines.zcdp.renyi_check import decide_renyi_bound
from verify.evidence.verdict import Verdict


def ordered(flavor, universe):
    return sorted(universe, key=flavor.domain.index)


def largest_need(laws, flavor, universes):
    """The largest smallest budget with the first pair that needs it."""
    measure, distance = flavor.output_premetric, flavor.input_premetric
    budget, worst, given_up = measure.zero, None, []
    for universe in universes:
        for x, y in permutations(ordered(flavor, universe), 2):
            needed = measure.smallest_budget(measure.distance(laws[x], laws[y]), distance(x, y))
            if measure.at_most(needed, budget):
                continue
            given_up.append((budget, worst))
            budget, worst = needed, (x, y)
    if not all(measure.at_most(other, budget) for other, _ in given_up):
        raise CrossingCurvesError
    return budget, worst


def bounded_pairs(specification):
    """Every pair with its distance and bound, simplest first."""
    flavor = specification.flavor
    pairs = [
        (x, y, flavor.input_premetric(x, y), specification.budgets[universe])
        for universe in flavor.multiverse
        for x, y in permutations(ordered(flavor, universe), 2)
    ]
    pairs.sort(key=lambda pair: simplicity(flavor, *pair[:3]))
    return [(x, y, d, flavor.output_premetric.bound(budget, d)) for x, y, d, budget in pairs]


def first_violation(laws, specification):
    """The simplest pair that violates Equation (1)."""
    measure = specification.flavor.output_premetric
    pairs = bounded_pairs(specification)
    return next(
        ((x, y) for x, y, _, bound in pairs if not measure.at_most(measure.distance(laws[x], laws[y]), bound)), None
    )


def renyi_verdict(laws, specification):
    """The verdict for D_NoR, with the simplest pair that is refuted."""
    verdicts = {}
    for x, y, _, bound in bounded_pairs(specification):
        verdicts[x, y, bound], _ = decide_renyi_bound(laws[x], laws[y], bound)
        if verdicts[x, y, bound] is Verdict.REFUTED:
            return Verdict.REFUTED, (x, y)
    return Verdict.OPEN if Verdict.OPEN in verdicts.values() else Verdict.ENCLOSED, None
