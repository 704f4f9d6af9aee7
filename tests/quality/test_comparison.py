"""The fast comparison finds what comparing every pair finds: budgets, verdicts, and the pair that is shown."""

import random
from fractions import Fraction
from functools import cache

import pytest
from quality.brute_force import first_violation, largest_need, renyi_verdict, screen_everything
from small_flavors import flavor, law
from tiers import AT_NIGHT

from stirred.spec.blocks.domain import FiniteDomain, multisets, ordered_data_sets
from stirred.spec.blocks.input_premetric import (
    InputPremetric,
    Neighbors,
    Order,
    deletion_distance,
    explicit,
    hamming_ordered,
    hamming_unordered,
    neighbor_premetric,
    symmetric_difference,
)
from stirred.spec.blocks.multiverse import Multiverse, induced, vacuous
from stirred.spec.blocks.specification import Flavor, Specification
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import (
    ApproximateMultiplicative,
    ChiSquared,
    Multiplicative,
    NormalizedRenyi,
    TotalVariation,
    Tradeoff,
)
from stirred.verify.engines import law_pairs
from stirred.verify.engines.comparison import ComparedLaws, CrossingCurvesError
from stirred.verify.engines.law_pairs import LawPairs, NumberedLaws
from stirred.verify.engines.zcdp.normalized_renyi import normalized_renyi_squared
from stirred.verify.engines.zcdp.renyi_check import check_renyi_comparison, smallest_compared_budget
from stirred.verify.evidence.process_control.workload import watching
from stirred.verify.evidence.verdict import Verdict


class FirstOutcome(TotalVariation):
    """|P(0) − Q(0)|, which tells outcomes apart."""

    name = "first_outcome"
    is_immune_to_post_processing = False

    def distance(self, p, q):
        return abs(p.numeric(0) - q.numeric(0))


SEEDS = 120 if AT_NIGHT else 40
EXACT = [Multiplicative(), ApproximateMultiplicative(Fraction(1, 10)), TotalVariation(), FirstOutcome()]
METRICS = [
    (hamming_ordered, ordered_data_sets),
    (deletion_distance, ordered_data_sets),
    (hamming_unordered, multisets),
    (symmetric_difference, multisets),
]


def random_laws(draw, domain):
    """Laws of few shapes: equal ones, permuted ones, some of a smaller support, as mechanisms have them."""
    known = []
    is_sparse = draw.random() < 0.3
    for _ in range(draw.choice((1, 2, 4))):
        weights = [
            draw.choice((0, 1, 1, 2, 2, 3, 3, 10) if is_sparse else (1, 1, 2, 3, 10))
            for _ in range(draw.choice((2, 3, 4)))
        ]
        weights[0] += 1
        known.append([Fraction(w, sum(weights)) for w in weights])
    laws = {}
    for point in domain:
        masses = list(draw.choice(known))
        if draw.random() < 0.5:
            draw.shuffle(masses)
        laws[point] = Law(dict(enumerate(masses)))
    return laws


def random_flavor(draw, measure):
    lengths = draw.choice(((2,), (3,), (0, 1, 2), (1, 2)))
    metric, listing = draw.choice(METRICS)
    domain = listing(draw.choice(((0, 1), (0, 1, 2))), lengths)
    order = Order.ORDERED if listing is ordered_data_sets else Order.UNORDERED
    premetric = draw.choice((metric("record"), neighbor_premetric(draw.choice(list(Neighbors)), order, "record")))
    if draw.random() < 0.4 or isinstance(measure, Tradeoff):
        steps = (1, 1, None) if isinstance(measure, Tradeoff) else (0, 1, 1, 2, Fraction(1, 2), 3, None)
        table = {(x, y): draw.choice(steps) for x in domain for y in domain if x != y}
        premetric = explicit({pair: d for pair, d in table.items() if d is not None}, "record")
    multiverse = draw.choice(
        (
            vacuous(domain),
            induced(domain, sum),
            Multiverse({frozenset(draw.sample(domain.points, draw.randint(0, len(domain)))) for _ in range(2)}),
        )
    )
    return Flavor(domain, multiverse, premetric, measure)


def cases(seeds, measure):
    """Drawn flavors with laws, each with the draw that made it."""
    for seed in range(seeds):
        draw = random.Random(seed)  # noqa: S311 a fixed sample
        compared = random_flavor(draw, measure)
        yield draw, compared, random_laws(draw, compared.domain)


def budgets(draw, flavor, found):
    """Around the smallest one, a different one for each universe."""
    result = {}
    for universe in flavor.multiverse:
        factor = draw.choice((1, Fraction(99, 100), Fraction(1, 2)))
        if isinstance(found, Loss):
            gamma = Fraction(9, 4) if found.gamma is None else max(Fraction(1), found.gamma * factor)
            result[universe] = Loss(gamma, found.distance)
        else:
            result[universe] = Fraction(1, 4) if found is None else found * factor
    return result


@pytest.fixture(params=[False, True], ids=["", "screened"])
def screened(request, monkeypatch):
    if request.param:
        screen_everything(monkeypatch)


@pytest.mark.usefixtures("screened")
@pytest.mark.parametrize("few", [0, 10])
@pytest.mark.parametrize("measure", EXACT, ids=lambda one: one.name)
def test_budgets_worst_pairs_and_first_violations_are_those_of_every_pair(monkeypatch, measure, few):
    monkeypatch.setattr(law_pairs, "_FEWEST_CELLS", -1 if few else 10**9)  # laws in a matrix, and in dictionaries
    left_out = refuted = 0
    for draw, compared, laws in cases(SEEDS, measure):
        comparison = ComparedLaws(laws, compared, few=few)
        for universe in compared.multiverse:
            assert comparison.largest_need([universe]) == largest_need(laws, compared, [universe])
        found = comparison.largest_need(compared.multiverse)
        assert found == largest_need(laws, compared, compared.multiverse)
        specification = Specification(compared, budgets(draw, compared, found[0]))
        violation = comparison.first_violation(specification)
        assert violation == first_violation(laws, specification)
        left_out += bool(comparison.left_out())
        refuted += violation is not None
    assert refuted > SEEDS // 12
    assert (left_out > SEEDS // 24) == (measure.has_triangle_inequality)


@pytest.mark.usefixtures("screened")
@pytest.mark.parametrize("measure", EXACT, ids=lambda one: one.name)
def test_pairs_of_laws_of_which_no_two_are_equal_are_met_once(measure):
    for draw, compared, laws in cases(SEEDS // 4, measure):
        for place, (point, one) in enumerate(laws.items()):
            laws[point] = one.bind(lambda t, place=place: Law({t: Fraction(1, 2), ("own", place): Fraction(1, 2)}))
        comparison = ComparedLaws(laws, compared, few=draw.choice((0, 10)))
        universes = [universe for universe in compared.multiverse if universe]
        for asked in ([draw.choice(universes)] if universes else [], compared.multiverse):
            assert comparison.largest_need(asked) == largest_need(laws, compared, asked)


@pytest.fixture(params=[-1, 10**9], ids=["in a matrix", "in dictionaries"])
def pairs_of(request, monkeypatch):
    """The pairs of some laws under an output premetric."""
    monkeypatch.setattr(law_pairs, "_FEWEST_CELLS", request.param)
    return lambda laws, measure: LawPairs(NumberedLaws(laws), measure)


def test_pairs_with_the_same_likelihood_ratios_are_one(pairs_of):
    weights = [(2, 1, 1), (1, 1, 2), (1, 1, 2, 2, 1, 1), (1, 1, 1, 1, 2, 2)]  # the last two: 2 : 1, 1 : 1 and 1 : 2
    laws = {x: law(*row) for x, row in enumerate(weights)}
    pairs, whole = pairs_of(laws, Multiplicative()), pairs_of(laws, FirstOutcome())
    assert pairs.pair(0, 1).masses == ((1, 1), (1, 2), (2, 1))
    assert pairs.pair(1, 0) is pairs.pair(0, 1) is pairs.pair(2, 3)
    assert whole.pair(0, 1).laws == (laws[0], laws[1])
    assert whole.pair(0, 1) is whole.pair(0, 1)


def test_pairs_of_many_probabilities_are_told_apart(pairs_of):
    # 21 numbers with 0, and 441 pairs of them: more than a byte has
    pairs = pairs_of({"up": law(*range(1, 21)), "down": law(*range(20, 0, -1))}, Multiplicative())
    assert pairs.pair(0, 1).masses == tuple((t, 21 - t) for t in range(1, 21))


def test_of_a_pair_the_first_law_stays_first_where_that_matters(pairs_of):
    pairs = pairs_of({"even": law(1, 1), "skewed": law(1, 3)}, ChiSquared())
    assert pairs.pair(0, 1).masses == ((2, 1), (2, 3))
    assert pairs.pair(1, 0).masses == ((1, 2), (3, 2))
    assert pairs.pair(0, 1).distance == Fraction(1, 3)
    assert pairs.pair(1, 0).distance == Fraction(1, 4)


def test_curves_of_every_pair_are_compared():
    crossing = 0
    for _, compared, laws in cases(120, Tradeoff()):
        comparison = ComparedLaws(laws, compared, few=0)
        try:
            expected = largest_need(laws, compared, compared.multiverse)
        except CrossingCurvesError:
            crossing += 1
            with pytest.raises(CrossingCurvesError):
                comparison.largest_need(compared.multiverse)
            continue
        assert comparison.largest_need(compared.multiverse) == expected
    assert 5 < crossing < 115


def test_the_first_violation_of_a_curve_is_that_of_every_pair():
    seen = set()
    for draw, compared, laws in cases(60, Tradeoff()):
        curve = Tradeoff().distance(*(laws[point] for point in draw.choices(compared.domain.points, k=2)))
        specification = Specification.constant(compared, curve)
        violation = ComparedLaws(laws, compared, few=0).first_violation(specification)
        assert violation == first_violation(laws, specification)
        seen.add(violation is None)
    assert len(seen) == 2


def test_verdicts_on_normalized_renyi_are_those_of_every_pair():
    seen = set()
    for _, compared, laws in cases(20, NormalizedRenyi()):
        comparison = ComparedLaws(laws, compared, few=0)
        smallest = smallest_compared_budget(comparison, digits=6)
        for factor in (Fraction(1, 2), Fraction(101, 100)):
            budget = Fraction(1) if smallest is None else smallest.upper * factor
            specification = Specification.constant(compared, budget)
            expected, pair = renyi_verdict(laws, specification)
            found = check_renyi_comparison(comparison, specification, "all")
            assert found.verdict is expected
            seen.add(expected)
            if pair is not None:
                both = (f"x = {x}, x' = {y}, d = " for x, y in (pair, pair[::-1]))  # whichever divergence is larger
                assert found.detail.startswith(tuple(both))
    assert seen == {Verdict.ENCLOSED, Verdict.REFUTED}


def test_the_smallest_budget_encloses_that_of_every_pair():
    for _, compared, laws in cases(15, NormalizedRenyi()):
        ends_of = cache(lambda p, q: normalized_renyi_squared(p, q, digits=8))
        needs = [
            (ends_of(laws[x], laws[y]), d)
            for universe in compared.multiverse
            for x in universe
            for y in universe
            if x != y and laws[x] != laws[y] and (d := compared.input_premetric(x, y)) is not None
        ]
        found = smallest_compared_budget(ComparedLaws(laws, compared, few=0), digits=8)
        if any(d == 0 or isinstance(ends[0], Loss) for ends, d in needs):
            assert found is None
            continue
        lower = max((ends[0] / Fraction(d) ** 2 for ends, d in needs), default=0)
        upper = max((ends[1] / Fraction(d) ** 2 for ends, d in needs), default=0)
        assert found is not None
        assert found.lower <= upper
        assert lower <= found.upper
        assert found.upper - found.lower <= Fraction(4, 10**8)  # no distance is below 1/2


COIN, OTHER = law(1, 1), law(1, 8)


@pytest.mark.parametrize("later", [(1,), (1, 1)])
def test_a_pair_that_was_left_out_is_shown_where_it_is_simpler_than_what_was_found(later):
    """x and x' lie between: the step from z to x' breaks the bound too, but z has more records than x."""
    x, z, x_prime, y, y_prime = (0,), (0, 0, 0), (2, 2), later, (3, 3)
    points = (x, later, z, x_prime, y_prime)
    compared = flavor({(x, z): 1, (z, x_prime): 1, (x, x_prime): 2, (y, y_prime): 2}, points=points)
    laws = {x: COIN, z: COIN, y: COIN, x_prime: OTHER, y_prime: OTHER}
    specification = Specification.constant(compared, Loss(Fraction(5, 4)))
    comparison = ComparedLaws(laws, compared, few=0)
    assert comparison.left_out().startswith("3 pairs compared, which bound 1 others")
    assert comparison.first_violation(specification) == (x, x_prime, 2, frozenset(points))
    assert first_violation(laws, specification) == (x, x_prime, 2, frozenset(points))


def test_a_pair_that_was_left_out_is_simpler_by_the_records_of_its_first_data_set():
    """As above, and x' has fewer records than x and z."""
    x, z, x_prime = (0, 0), (0, 0, 0), (2,)
    compared = flavor({(x, z): 1, (z, x_prime): 1, (x, x_prime): 2}, points=(x, z, x_prime))
    laws, specification = {x: COIN, z: COIN, x_prime: OTHER}, Specification.constant(compared, Loss(2))
    found = ComparedLaws(laws, compared, few=0).first_violation(specification)
    assert found == first_violation(laws, specification)


LEAST = 10**100


@pytest.mark.usefixtures("screened")
@pytest.mark.parametrize(
    ("distances", "laws"),
    [
        # a loss above ln 4 at the distance 10^6: what it bounds has more than 10^6 bits
        ({(0, 1): 1, (2, 3): 10**6}, (COIN, OTHER, COIN, OTHER)),
        # (1/2, 1/2) and laws that differ from it by 10^-100 and 2·10^-100: all that is larger exceeds such a loss
        (
            {(0, 1): 1, (1, 2): Fraction(1, 2), (2, 3): Fraction(1, 2)},
            (COIN, law(LEAST + 2, LEAST - 2), COIN, law(LEAST + 4, LEAST - 4)),
        ),
    ],
    ids=["not written out", "hardly above zero"],
)
def test_losses_of_any_size_are_those_of_every_pair(distances, laws):
    compared, laws = flavor(distances), dict(enumerate(laws))
    found = ComparedLaws(laws, compared).largest_need(compared.multiverse)
    assert found == largest_need(laws, compared, compared.multiverse)


@pytest.mark.parametrize(("size", "is_reduced"), [(32, False), (33, True)])
def test_small_universes_are_compared_pair_by_pair(size, is_reduced):
    domain = FiniteDomain(tuple(range(size)))
    difference = InputPremetric("difference", "unit", lambda a, b: abs(a - b))
    compared, laws = Flavor(domain, vacuous(domain), difference, Multiplicative()), dict.fromkeys(domain, COIN)
    assert bool(ComparedLaws(laws, compared).left_out()) == is_reduced
    assert not ComparedLaws(laws, compared, few=size).left_out()
    assert ComparedLaws(laws, compared, few=size - 1).left_out()


def test_whoever_watches_is_told_how_many_rows_of_pairs_are_compared():
    compared, told = flavor({(0, 1): 1}, points=range(3)), []
    comparison = ComparedLaws(dict.fromkeys(compared.domain, COIN), compared)
    with watching(lambda *where: told.append(where)):
        comparison.largest_need(compared.multiverse)
    assert {("distances", 3, 3), ("pairs", 3, 3)} <= set(told)
    assert told[-1][0] == "pairs"
    told.clear()
    renyi = flavor({(0, 1): 1}, NormalizedRenyi(), points=range(3))
    comparison = ComparedLaws({0: COIN, 1: law(1, 3), 2: COIN}, renyi)
    with watching(lambda *where: told.append(where)):
        check_renyi_comparison(comparison, Specification.constant(renyi, Fraction(1)), "all")
    assert ("bounds of pairs", 1, 1) in told
