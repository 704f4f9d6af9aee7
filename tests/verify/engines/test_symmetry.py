"""A declared symmetry is used only where it is one, and then finds what comparing every pair finds."""

import random
from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest
from quality.brute_force import first_violation, largest_need, renyi_verdict
from small_flavors import flavor, law

from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import FiniteDomain, multisets, ordered_data_sets
from stirred.spec.blocks.input_premetric import (
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
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, NormalizedRenyi, TotalVariation
from stirred.verify.engines import symmetry as symmetry_module
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.symmetry import Generator, Symmetry
from stirred.verify.engines.zcdp.renyi_check import check_renyi_comparison
from stirred.verify.laws.claim.domain import DomainKind
from stirred.verify.laws.claim.symmetry import build_symmetry

EXACT = [Multiplicative(), ApproximateMultiplicative(Fraction(1, 10)), TotalVariation()]


def declared(domain, *entries, variables=None, is_ordered=True):
    kind = DomainKind(
        len(domain), lambda: domain, None, is_ordered, "domain", variables and dict.fromkeys(variables, ())
    )
    return build_symmetry("symmetry", entries, kind, domain)


def closure(symmetry, pair):
    """Every pair that the generators lead to."""
    found, waiting = {pair}, [pair]
    while waiting:
        x, y = waiting.pop()
        for generator in symmetry.generators:
            image = generator.image(x), generator.image(y)
            if image not in found:
                found.add(image)
                waiting.append(image)
    return found


def invariant_table(draw, symmetry, domain, values):
    """A random function of pairs of data sets that the symmetry keeps."""
    table = {}
    for pair in product(domain, repeat=2):
        if pair not in table:
            table.update(dict.fromkeys(closure(symmetry, pair), draw.choice(values)))
    return table


def symmetric_laws(draw, symmetry, domain):
    """Outputs are data sets, renamed; P_x(y) depends on what the symmetry keeps of (x, y)."""
    weights = invariant_table(draw, symmetry, domain, draw.choice(((1, 2, 3), (0, 1, 1, 5))))
    name = dict(zip(domain, draw.sample(range(len(domain)), len(domain)), strict=True))
    rows = {x: sorted((name[y], weights[x, y] + (x == y)) for y in domain) for x in domain}
    return {x: law(*(weight for _, weight in row)) for x, row in rows.items()}


def case(draw, measure):
    records, lengths = draw.choice((((0, 1), (3,)), ((0, 1), (1, 2)), ((0, 1, 2), (2,))))
    domain = ordered_data_sets(records, lengths)
    symmetry = declared(domain, *draw.choice((("records",), ("values",), ("records", "values"))))
    if draw.random() < 0.5:
        metric = draw.choice((hamming_ordered("r"), neighbor_premetric(Neighbors.REPLACE_ONE, Order.ORDERED, "r")))
    else:
        table = invariant_table(draw, symmetry, domain, (1, 2, Fraction(1, 2), None))
        metric = explicit({(x, y): d for (x, y), d in table.items() if d is not None and x != y}, "r")
    orbits = {frozenset(x for x, _ in closure(symmetry, (point, point))) for point in domain}
    multiverse = draw.choice((vacuous(domain), induced(domain, len), Multiverse(sorted(orbits, key=sorted))))
    return symmetry, symmetric_laws(draw, symmetry, domain), Flavor(domain, multiverse, metric, measure)


@pytest.mark.parametrize("few", [0, 32])
@pytest.mark.parametrize("measure", EXACT, ids=lambda one: one.name)
def test_budgets_worst_pairs_and_first_violations_are_those_of_every_pair(measure, few):
    spared = refuted = 0
    for seed in range(60):
        draw = random.Random(seed)  # noqa: S311 a fixed sample
        symmetry, laws, under = case(draw, measure)
        comparison = ComparedLaws(laws, under, few=few, symmetry=symmetry)
        for universe in under.multiverse:
            assert comparison.largest_need([universe]) == largest_need(laws, under, [universe])
            spared += len(list(comparison.all_rows(universe))) < len(universe)
        found, _ = comparison.largest_need(under.multiverse)
        smaller = found
        if isinstance(found, Loss) and found.gamma is not None:
            smaller = Loss(max(Fraction(1), found.gamma * Fraction(9, 10)), found.distance)
        elif isinstance(found, Fraction):
            smaller = found * Fraction(9, 10)
        specification = Specification.constant(under, smaller)
        violation = comparison.first_violation(specification)
        assert violation == first_violation(laws, specification)
        refuted += violation is not None
    assert spared > 50
    assert refuted > 10


def test_verdicts_on_normalized_renyi_are_those_of_every_pair():
    seen = set()
    for seed in range(8):
        draw = random.Random(seed)  # noqa: S311 a fixed sample
        symmetry, laws, under = case(draw, NormalizedRenyi())
        for budget in (Fraction(1, 20), Fraction(2)):
            specification = Specification.constant(under, budget)
            found = check_renyi_comparison(ComparedLaws(laws, under, symmetry=symmetry), specification, "all")
            expected, pair = renyi_verdict(laws, specification)
            assert found.verdict is expected
            seen.add(expected)
            if pair is not None:
                both = (f"x = {x}, x' = {y}, d = " for x, y in (pair, pair[::-1]))
                assert found.detail.startswith(tuple(both))
    assert len(seen) == 2


BITS = ordered_data_sets((0, 1), (2,))


def compared(laws, symmetry, *, domain=BITS, metric=None, multiverse=None):
    under = Flavor(domain, multiverse or vacuous(domain), metric or hamming_ordered("r"), Multiplicative())
    return ComparedLaws(laws, under, symmetry=symmetry)


def test_a_law_that_depends_on_the_order_is_named_with_both_data_sets():
    laws = {(0, 0): law(1, 1), (0, 1): law(1, 2), (1, 0): law(1, 3), (1, 1): law(1, 1)}
    with pytest.raises(InputError) as caught:
        compared(laws, declared(BITS, "records"))
    assert str(caught.value) == (
        "symmetry: records must be a symmetry; with the first two records exchanged x = (0, 1) becomes x' = (1, 0), "
        "whose law is no relabelling of the law of x that also fits the data sets before it"
    )

    short = ordered_data_sets((0, 1), (1,))  # where all laws change
    with pytest.raises(InputError, match=r"x = \(0,\) becomes x' = \(1,\), whose law is no relabelling"):
        compared({(0,): law(1, 1), (1,): law(1, 2)}, declared(short, "values"), domain=short)


def test_relabellings_that_differ_from_one_data_set_to_another_are_no_symmetry():
    # each exchange alone is a relabelling; but P_(0,0) and P_(0,1) put their heavy outputs together, P_(1,1) and
    # P_(1,0) apart, so that the two pairs need different budgets
    laws = {(0, 0): law(3, 1), (0, 1): law(2, 1), (1, 0): law(1, 2), (1, 1): law(3, 1)}
    every = compared(laws, None)
    assert every.law_pair((0, 0), (0, 1)).distance != every.law_pair((1, 1), (1, 0)).distance
    with pytest.raises(InputError, match=r"x = \(0, 1\) becomes x' = \(1, 0\), whose law is no relabelling"):
        compared(laws, declared(BITS, "values"))


def test_outputs_that_are_renamed_alike_on_all_data_sets_are_a_symmetry():
    laws = {x: Law({(t, x[0]): p for t, p in law(1, 2).items()}) for x in BITS}
    assert "2 data sets, the first of each orbit" in compared(laws, declared(BITS, "values")).left_out()


def test_a_distance_that_changes_is_named_with_its_pair():
    metric = explicit({((0, 0), (0, 1)): 1, ((0, 0), (1, 0)): 2}, "r")
    laws = dict.fromkeys(BITS, law(1, 1))
    with pytest.raises(InputError, match=r"x = \(0, 0\), x' = \(0, 1\) at distance 1 become \(0, 0\), \(1, 0\) at ano"):
        compared(laws, declared(BITS, "records"), metric=metric)
    with pytest.raises(InputError, match="at distance 1 become"):
        compared(laws, declared(BITS, "values"), metric=explicit({((0, 0), (0, 1)): 1}, "r"))


def test_records_in_other_places_change_the_distance_of_deletions_only():
    domain = ordered_data_sets((0, 1), (3, 4))
    laws = dict.fromkeys(domain, law(1, 1))
    for metric in (hamming_ordered, hamming_unordered, symmetric_difference):
        assert compared(laws, declared(domain, "records"), domain=domain, metric=metric("r")).left_out()
    with pytest.raises(InputError, match=r"x = \(0, 1, 0\), x' = \(1, 0, 1\) at distance 2 become"):
        compared(laws, declared(domain, "records"), domain=domain, metric=deletion_distance("r"))
    assert compared(laws, declared(domain, "values"), domain=domain, metric=deletion_distance("r")).left_out()


@pytest.mark.parametrize("order", list(Order))
@pytest.mark.parametrize("neighbors", list(Neighbors))
@pytest.mark.parametrize("is_local", [False, True])
def test_distances_that_are_taken_as_kept_are_kept(order, neighbors, is_local):
    metrics = {
        (Neighbors.REPLACE_ONE, Order.UNORDERED): hamming_unordered,
        (Neighbors.REPLACE_ONE, Order.ORDERED): hamming_ordered,
        (Neighbors.ADD_REMOVE, Order.UNORDERED): symmetric_difference,
        (Neighbors.ADD_REMOVE, Order.ORDERED): deletion_distance,
    }
    metric = neighbor_premetric(neighbors, order, "r") if is_local else metrics[neighbors, order]("r")
    domain = ordered_data_sets((0, 1, 2), (1, 2, 3))
    for generator in declared(domain, "records", "values").generators:
        kept = all(metric(x, y) == metric(generator.image(x), generator.image(y)) for x, y in product(domain, repeat=2))
        assert generator.keeps(metric.relation) == (
            not generator.moves_places or order is Order.UNORDERED or neighbors is Neighbors.REPLACE_ONE
        )
        assert kept or not generator.keeps(metric.relation)
        assert not generator.keeps(None)


def test_bijections_of_places_move_records_and_those_of_values_do_not():
    generators = declared(ordered_data_sets((0, 1, 2), (3,)), "records", "values").generators
    assert [generator.moves_places for generator in generators] == [True, True, False, False]
    assert len(declared(ordered_data_sets((0, 1), (2,)), "records", "values").generators) == 2


def test_a_data_set_that_leaves_its_universe_or_the_domain_is_named():
    laws = dict.fromkeys(BITS, law(1, 1))
    with pytest.raises(InputError, match=r"x = \(0, 0\) becomes \(1, 1\) of another universe"):
        compared(laws, declared(BITS, "values"), multiverse=induced(BITS, sum))
    part = FiniteDomain(((0, 0), (0, 1), (1, 1)))
    laws.pop((1, 0))
    with pytest.raises(InputError, match=r"x = \(0, 1\) becomes \(1, 0\), no data set"):
        compared(laws, declared(part, "records"), domain=part)


def test_values_of_unordered_records_are_exchanged_whatever_order_stands_for_them():
    domain = multisets((0, 1, 2), (2,))
    laws = {x: law(1 + len(set(x)), 2) for x in domain}
    symmetry = declared(domain, "values", is_ordered=False)
    comparison = compared(laws, symmetry, domain=domain, metric=hamming_unordered("r"))
    assert [domain.points[place] for place, _ in comparison.all_rows(frozenset(domain))] == [(0, 0), (0, 1)]


def relabelled(rows, image):
    """Whether one relabelling of the columns takes each row to that of its image, by trying all."""
    places = range(len(rows[0]))
    return any(
        all(rows[image[x]][other] == rows[x][t] for x in range(len(rows)) for t, other in enumerate(order))
        for order in permutations(places)
    )


def is_accepted(rows, image):
    """Whether the check accepts an exchange of data sets, the metric being the same for every pair."""
    laws = {x: law(*row) for x, row in enumerate(rows)}
    generator = Generator("an exchange", lambda x: image[x], moves_places=True)
    symmetry = Symmetry("here", "an exchange", (generator,), lambda x: x)
    try:
        ComparedLaws(laws, flavor(dict.fromkeys(permutations(range(len(rows)), 2), 1)), symmetry=symmetry)
    except InputError as error:
        assert "no relabelling" in str(error)  # noqa: PT017
        return False
    return True


IN_ARRAYS = pytest.mark.parametrize("cells", [0, 10**6], ids=["one by one", "in arrays"])


@IN_ARRAYS
def test_outputs_are_told_apart_by_where_they_are_impossible(monkeypatch, cells):
    monkeypatch.setattr(symmetry_module, "_MOST_CELLS", cells)
    rows, image = ((1, 2, 0), (1, 0, 2), (2, 1, 0)), (1, 0, 2)
    assert not relabelled(rows, image)
    assert not is_accepted(rows, image)


@IN_ARRAYS
def test_exactly_relabellings_are_accepted(monkeypatch, cells):
    monkeypatch.setattr(symmetry_module, "_MOST_CELLS", cells)
    seen = Counter()
    for seed in range(400):
        draw = random.Random(seed)  # noqa: S311 a fixed sample
        size, outputs = draw.choice((2, 3, 4)), draw.choice((3, 4))
        base = [*(draw.choice((0, 0, 1, 1, 2)) for _ in range(outputs - 1)), 1]
        rows = [draw.sample(base, outputs) for _ in range(size)]
        image = draw.sample(range(size), size)
        expected = relabelled(rows, image)
        assert is_accepted(rows, image) is expected
        seen[expected] += 1
    assert min(seen.values()) > 50
