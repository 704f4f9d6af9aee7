"""The fast comparison finds what comparing every pair finds: budgets, verdicts, and the pair that is shown."""

import random
from fractions import Fraction
from functools import cache

import pytest
from quality.brute_force import first_violation, largest_need, renyi_verdict
from tiers import AT_NIGHT

from stirred.spec.arguments import InputError
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
from stirred.verify.engines import comparison as comparison_module
from stirred.verify.engines import law_pairs, law_screen
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
    """Pairs are left out by integer arrays wherever any can be."""
    if request.param:
        monkeypatch.setattr(comparison_module, "_FEW", 0)
        monkeypatch.setattr(comparison_module, "_BLOCK", 1)
        monkeypatch.setattr(law_screen, "_FEWEST", 1)
        monkeypatch.setattr(law_screen, "_TRIAL", 10**9)


@pytest.mark.usefixtures("screened")
@pytest.mark.parametrize("few", [0, 10])
@pytest.mark.parametrize("measure", EXACT, ids=lambda one: one.name)
def test_budgets_worst_pairs_and_first_violations_are_those_of_every_pair(monkeypatch, measure, few):
    monkeypatch.setattr(law_pairs, "_FEWEST_CELLS", -1 if few else 10**9)  # laws in a matrix, and in dictionaries
    left_out = refuted = 0
    for seed in range(SEEDS):
        draw = random.Random(seed)  # noqa: S311 a fixed sample
        flavor = random_flavor(draw, measure)
        laws = random_laws(draw, flavor.domain)
        comparison = ComparedLaws(laws, flavor, few=few)
        for universe in flavor.multiverse:
            assert comparison.largest_need([universe]) == largest_need(laws, flavor, [universe])
        found = comparison.largest_need(flavor.multiverse)
        assert found == largest_need(laws, flavor, flavor.multiverse)
        specification = Specification(flavor, budgets(draw, flavor, found[0]))
        violation = comparison.first_violation(specification)
        assert violation == first_violation(laws, specification)
        left_out += bool(comparison.left_out())
        refuted += violation is not None
    assert refuted > SEEDS // 12
    assert (left_out > SEEDS // 24) == (measure.has_triangle_inequality)


@pytest.mark.parametrize("fewest", [-1, 10**9], ids=["in a matrix", "in dictionaries"])
def test_pairs_with_the_same_likelihood_ratios_are_one(monkeypatch, fewest):
    monkeypatch.setattr(law_pairs, "_FEWEST_CELLS", fewest)
    weights = [(2, 1, 1), (1, 1, 2), (1, 1, 2, 2, 1, 1), (1, 1, 1, 1, 2, 2)]  # the last two: 2 : 1, 1 : 1 and 1 : 2
    laws = NumberedLaws(
        {x: Law({t: Fraction(w, sum(row)) for t, w in enumerate(row)}) for x, row in enumerate(weights)}
    )
    pairs = LawPairs(laws, Multiplicative())
    assert pairs.pair(0, 1).masses == ((1, 1), (1, 2), (2, 1))
    assert pairs.pair(1, 0) is pairs.pair(0, 1) is pairs.pair(2, 3)
    whole = LawPairs(laws, FirstOutcome())
    assert whole.pair(0, 1).laws == (laws.law(0), laws.law(1))
    assert whole.pair(0, 1) is whole.pair(0, 1)


@pytest.mark.parametrize("fewest", [-1, 10**9], ids=["in a matrix", "in dictionaries"])
def test_pairs_of_many_probabilities_are_told_apart(monkeypatch, fewest):
    monkeypatch.setattr(law_pairs, "_FEWEST_CELLS", fewest)
    up = {t: Fraction(t, 210) for t in range(1, 21)}  # 21 numbers with 0, and 441 pairs of them: more than a byte has
    laws = NumberedLaws({"up": Law(up), "down": Law({21 - t: p for t, p in up.items()})})
    expected = tuple((t, 21 - t) for t in range(1, 21))
    assert LawPairs(laws, Multiplicative()).pair(0, 1).masses == expected


@pytest.mark.parametrize("fewest", [-1, 10**9], ids=["in a matrix", "in dictionaries"])
def test_of_a_pair_the_first_law_stays_first_where_that_matters(monkeypatch, fewest):
    monkeypatch.setattr(law_pairs, "_FEWEST_CELLS", fewest)
    even, skewed = Law({0: Fraction(1, 2), 1: Fraction(1, 2)}), Law({0: Fraction(1, 4), 1: Fraction(3, 4)})
    pairs = LawPairs(NumberedLaws({"even": even, "skewed": skewed}), ChiSquared())
    assert pairs.pair(0, 1).masses == ((2, 1), (2, 3))
    assert pairs.pair(1, 0).masses == ((1, 2), (3, 2))
    assert pairs.pair(0, 1).distance == Fraction(1, 3)
    assert pairs.pair(1, 0).distance == Fraction(1, 4)


def test_curves_of_every_pair_are_compared():
    crossing = 0
    for seed in range(120):
        draw = random.Random(seed)  # noqa: S311 a fixed sample
        flavor = random_flavor(draw, Tradeoff())
        laws = random_laws(draw, flavor.domain)
        comparison = ComparedLaws(laws, flavor, few=0)
        try:
            expected = largest_need(laws, flavor, flavor.multiverse)
        except CrossingCurvesError:
            crossing += 1
            with pytest.raises(CrossingCurvesError):
                comparison.largest_need(flavor.multiverse)
            continue
        assert comparison.largest_need(flavor.multiverse) == expected
    assert 5 < crossing < 115


def test_the_first_violation_of_a_curve_is_that_of_every_pair():
    seen = set()
    for seed in range(60):
        draw = random.Random(seed)  # noqa: S311 a fixed sample
        flavor = random_flavor(draw, Tradeoff())
        laws = random_laws(draw, flavor.domain)
        curve = Tradeoff().distance(*(laws[point] for point in draw.choices(flavor.domain.points, k=2)))
        specification = Specification.constant(flavor, curve)
        violation = ComparedLaws(laws, flavor, few=0).first_violation(specification)
        assert violation == first_violation(laws, specification)
        seen.add(violation is None)
    assert len(seen) == 2


def test_verdicts_on_normalized_renyi_are_those_of_every_pair():
    seen = set()
    for seed in range(20):
        draw = random.Random(seed)  # noqa: S311 a fixed sample
        flavor = random_flavor(draw, NormalizedRenyi())
        laws = random_laws(draw, flavor.domain)
        comparison = ComparedLaws(laws, flavor, few=0)
        smallest = smallest_compared_budget(comparison, digits=6)
        for factor in (Fraction(1, 2), Fraction(101, 100)):
            budget = Fraction(1) if smallest is None else smallest.upper * factor
            specification = Specification.constant(flavor, budget)
            expected, pair = renyi_verdict(laws, specification)
            found = check_renyi_comparison(comparison, specification, "all")
            assert found.verdict is expected
            seen.add(expected)
            if pair is not None:
                both = (f"x = {x}, x' = {y}, d = " for x, y in (pair, pair[::-1]))  # whichever divergence is larger
                assert found.detail.startswith(tuple(both))
    assert seen == {Verdict.ENCLOSED, Verdict.REFUTED}


def test_the_smallest_budget_encloses_that_of_every_pair():
    for seed in range(15):
        draw = random.Random(seed)  # noqa: S311 a fixed sample
        flavor = random_flavor(draw, NormalizedRenyi())
        laws = random_laws(draw, flavor.domain)
        ends_of = cache(lambda p, q: normalized_renyi_squared(p, q, digits=8))
        needs = [
            (ends_of(laws[x], laws[y]), d)
            for universe in flavor.multiverse
            for x in universe
            for y in universe
            if x != y and laws[x] != laws[y] and (d := flavor.input_premetric(x, y)) is not None
        ]
        found = smallest_compared_budget(ComparedLaws(laws, flavor, few=0), digits=8)
        if any(d == 0 or isinstance(ends[0], Loss) for ends, d in needs):
            assert found is None
            continue
        lower = max((ends[0] / Fraction(d) ** 2 for ends, d in needs), default=0)
        upper = max((ends[1] / Fraction(d) ** 2 for ends, d in needs), default=0)
        assert found is not None
        assert found.lower <= upper
        assert lower <= found.upper
        assert found.upper - found.lower <= Fraction(4, 10**8)  # no distance is below 1/2


COIN, OTHER = Law({0: Fraction(1, 2), 1: Fraction(1, 2)}), Law({0: Fraction(1, 9), 1: Fraction(8, 9)})


@pytest.mark.parametrize("later", [(1,), (1, 1)])
def test_a_pair_that_was_left_out_is_shown_where_it_is_simpler_than_what_was_found(later):
    """x and x' lie between: the step from z to x' breaks the bound too, but z has more records than x."""
    x, z, x_prime, y, y_prime = (0,), (0, 0, 0), (2, 2), later, (3, 3)
    domain = FiniteDomain((x, later, z, x_prime, y_prime))
    metric = explicit({(x, z): 1, (z, x_prime): 1, (x, x_prime): 2, (y, y_prime): 2}, "record")
    flavor = Flavor(domain, vacuous(domain), metric, Multiplicative())
    laws = {x: COIN, z: COIN, y: COIN, x_prime: OTHER, y_prime: OTHER}
    specification = Specification.constant(flavor, Loss(Fraction(5, 4)))
    comparison = ComparedLaws(laws, flavor, few=0)
    assert comparison.left_out().startswith("3 pairs compared, which bound 1 others")
    assert comparison.first_violation(specification) == (x, x_prime, 2, frozenset(domain))
    assert first_violation(laws, specification) == (x, x_prime, 2, frozenset(domain))


def test_a_pair_that_was_left_out_is_simpler_by_the_records_of_its_first_data_set():
    """As above, and x' has fewer records than x and z."""
    x, z, x_prime = (0, 0), (0, 0, 0), (2,)
    domain = FiniteDomain((x, z, x_prime))
    metric = explicit({(x, z): 1, (z, x_prime): 1, (x, x_prime): 2}, "record")
    laws = {x: COIN, z: COIN, x_prime: OTHER}
    specification = Specification.constant(Flavor(domain, vacuous(domain), metric, Multiplicative()), Loss(2))
    assert ComparedLaws(laws, specification.flavor, few=0).first_violation(specification) == first_violation(
        laws, specification
    )


@pytest.mark.usefixtures("screened")
def test_what_a_loss_bounds_far_away_is_not_written_out():
    """A loss above ln 4 at the distance 10^6: what it bounds has more than 10^6 bits."""
    domain = FiniteDomain((0, 1, 2, 3))
    metric = explicit({(0, 1): 1, (2, 3): 10**6}, "record")
    flavor = Flavor(domain, vacuous(domain), metric, Multiplicative())
    laws = {0: COIN, 1: OTHER, 2: COIN, 3: OTHER}
    assert ComparedLaws(laws, flavor).largest_need(flavor.multiverse) == largest_need(laws, flavor, flavor.multiverse)


@pytest.mark.usefixtures("screened")
def test_a_loss_that_is_hardly_above_zero_is_exceeded_by_all_that_is_larger():
    domain = FiniteDomain((0, 1, 2, 3))
    least, half = Fraction(1, 10**100), Fraction(1, 2)
    metric = explicit({(0, 1): 1, (1, 2): half, (2, 3): half}, "record")
    flavor = Flavor(domain, vacuous(domain), metric, Multiplicative())
    laws = {
        x: Law({0: half + shift, 1: half - shift}) for x, shift in zip(domain, (0, least, 0, 2 * least), strict=True)
    }
    comparison = ComparedLaws(laws, flavor)
    assert comparison.largest_need(flavor.multiverse) == largest_need(laws, flavor, flavor.multiverse)


def test_small_universes_are_compared_pair_by_pair():
    for size, is_reduced in ((32, False), (33, True)):
        domain = FiniteDomain(tuple(range(size)))
        flavor = Flavor(
            domain, vacuous(domain), InputPremetric("difference", "unit", lambda a, b: abs(a - b)), Multiplicative()
        )
        laws = dict.fromkeys(domain, COIN)
        assert bool(ComparedLaws(laws, flavor).left_out()) == is_reduced
        assert not ComparedLaws(laws, flavor, few=size).left_out()
        assert ComparedLaws(laws, flavor, few=size - 1).left_out()


def test_laws_are_those_of_the_data_sets_and_no_others():
    domain = FiniteDomain((0, 1))
    flavor = Flavor(domain, vacuous(domain), explicit({}, "record"), Multiplicative())
    with pytest.raises(InputError, match="a law for every data set of the domain; 1 has none"):
        ComparedLaws({0: COIN}, flavor)
    with pytest.raises(InputError, match="laws for the data sets of the domain alone; 2 is not one"):
        ComparedLaws({0: COIN, 1: COIN, 2: COIN}, flavor)


def test_whoever_watches_is_told_how_many_rows_of_pairs_are_compared():
    domain = FiniteDomain((0, 1, 2))
    flavor = Flavor(domain, vacuous(domain), explicit({(0, 1): 1}, "record"), Multiplicative())
    comparison, told = ComparedLaws(dict.fromkeys(domain, COIN), flavor), []
    with watching(lambda *where: told.append(where)):
        comparison.largest_need(flavor.multiverse)
    assert {("distances", 3, 3), ("pairs", 3, 3)} <= set(told)
    assert told[-1][0] == "pairs"
    told.clear()
    renyi = Flavor(domain, flavor.multiverse, flavor.input_premetric, NormalizedRenyi())
    laws = {0: COIN, 1: Law({0: Fraction(1, 4), 1: Fraction(3, 4)}), 2: COIN}
    with watching(lambda *where: told.append(where)):
        check_renyi_comparison(ComparedLaws(laws, renyi), Specification.constant(renyi, Fraction(1)), "all")
    assert ("bounds of pairs", 1, 1) in told
