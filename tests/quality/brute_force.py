"""The exhaustive engine as it is defined: every pair of every universe, one after another, nothing left out."""

from itertools import permutations

from stirred.verify.engines import comparison, law_screen
from stirred.verify.engines.comparison import CrossingCurvesError
from stirred.verify.engines.zcdp.renyi_check import decide_renyi_bound
from stirred.verify.evidence.verdict import Verdict


def screen_everything(monkeypatch):
    """Pairs are left out by integer arrays wherever any can be."""
    monkeypatch.setattr(comparison, "_FEW", 0)
    monkeypatch.setattr(comparison, "_BLOCK", 1)
    monkeypatch.setattr(law_screen, "_FEWEST", 1)
    monkeypatch.setattr(law_screen, "_TRIAL", 10**9)


def ordered(flavor, universe):
    return sorted(universe, key=flavor.domain.index)


def largest_need(laws, flavor, universes):
    """The largest smallest budget with the nearest pair that needs it, the first of those."""
    measure, distance = flavor.output_premetric, flavor.input_premetric
    budget, given_up, needs = measure.zero, [], []
    for universe in universes:
        for x, y in permutations(ordered(flavor, universe), 2):
            needed = measure.smallest_budget(measure.distance(laws[x], laws[y]), distance(x, y))
            needs.append((needed, (x, y)))
            if not measure.at_most(needed, budget):
                given_up.append(budget)
                budget = needed
    if not all(measure.at_most(other, budget) for other in given_up):
        raise CrossingCurvesError
    if measure.at_most(budget, measure.zero):
        return budget, None
    equal = [pair for needed, pair in needs if measure.at_most(budget, needed)]
    return budget, min(equal, key=lambda pair: (distance(*pair) is None, distance(*pair) or 0))


def bounded_pairs(specification):
    """Every pair with its distance and bound, simplest first."""
    flavor = specification.flavor
    pairs = [
        (x, y, flavor.input_premetric(x, y), universe)
        for universe in flavor.multiverse
        for x, y in permutations(ordered(flavor, universe), 2)
    ]
    place, records = flavor.domain.points.index, flavor.domain.count_records
    pairs.sort(key=lambda pair: (records(pair[0]), pair[2] is None, pair[2] or 0, place(pair[0]), place(pair[1])))
    return [(*pair, flavor.output_premetric.bound(specification.budgets[pair[3]], pair[2])) for pair in pairs]


def first_violation(laws, specification):
    """The simplest pair that violates Equation (1), with its distance and the first such universe."""
    measure = specification.flavor.output_premetric
    for x, y, d, universe, bound in bounded_pairs(specification):
        if not measure.at_most(measure.distance(laws[x], laws[y]), bound):
            return x, y, d, universe
    return None


def renyi_verdict(laws, specification):
    """The verdict for D_NoR, with the simplest pair that is refuted."""
    verdicts = {}
    for x, y, _, _, bound in bounded_pairs(specification):
        verdicts[x, y, bound], _ = decide_renyi_bound(laws[x], laws[y], bound)
        if verdicts[x, y, bound] is Verdict.REFUTED:
            return Verdict.REFUTED, (x, y)
    return Verdict.OPEN if Verdict.OPEN in verdicts.values() else Verdict.ENCLOSED, None
