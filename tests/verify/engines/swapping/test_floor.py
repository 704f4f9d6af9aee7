"""How far exact losses reach, and that the shortcuts that take them there lose nothing."""

import time
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb

import pytest
from tiers import few

from stirred.mechanisms.swapping.permutation_counts import derangements, likelihood, moved_counts, psa_law
from stirred.mechanisms.swapping.permutation_swapping import psa_law_by_choices
from stirred.spec.arguments import InputError
from stirred.spec.blocks.tables import (
    column_margins,
    contingency_tables,
    margins_of_size,
    row_margins,
    table_distance,
)
from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
from stirred.spec.flavors.permutation_swapping import Margins, psa_budget
from stirred.verify.engines.swapping.bounds import (
    certified_budget,
    sharpened_budget,
    single_record_loss,
    two_category_budget,
)
from stirred.verify.engines.swapping.circuits import circuit_steps, circuits
from stirred.verify.engines.swapping.floor import (
    CLAMPED_GEOMETRIC,
    ERRORS,
    WEIGHTED,
    Prior,
    ReleaseProblem,
    floor_of,
    lower_bound,
)
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.engines.swapping.price import noise_ratio, price
from stirred.verify.ledger.engines.disjoint_tables import disjoint_pair, largest_distance, shifted_pair

HALF = Fraction(1, 2)
EASY = Loss(9, 2)


@pytest.mark.parametrize("error", ERRORS)
def test_on_two_tables_the_floor_is_randomized_response(error):
    """P(change) = 1/(1 + gamma) and one record of each row moves then, at which each cell changes by 1."""
    found = floor_of(ReleaseProblem.of((1, 1), (1, 1), EASY, error))
    assert found.lower == found.upper == Fraction(1, 10)


@pytest.mark.parametrize(
    ("alpha", "error", "optimal"),
    [
        (Fraction(9, 10), "changed", True),
        (HALF, "absolute", True),
        (Fraction(3, 5), "absolute", False),
        (Fraction(1, 3), "squared", True),
        (HALF, "squared", False),
    ],
)
def test_the_clamped_geometric_mechanism_is_optimal_up_to_its_threshold(alpha, error, optimal):
    problem = ReleaseProblem.of((8, 8), (8, 8), Loss(1 / alpha, 2), error)
    found = floor_of(problem)
    assert (found.attained_by == CLAMPED_GEOMETRIC) is optimal
    assert problem.meets(found.mechanism)
    assert found.lower <= found.upper == problem.error(found.mechanism)
    assert found.upper - found.lower < Fraction(1, 10**4)


@pytest.mark.parametrize("prior", Prior)
@pytest.mark.parametrize("error", ERRORS)
def test_the_solver_brackets_what_is_known_exactly(monkeypatch, error, prior):
    problem = ReleaseProblem.of((3, 3), (3, 3), EASY, error, prior)
    exact = floor_of(problem)
    monkeypatch.setattr("stirred.verify.engines.swapping.floor._on_line", lambda _: None)
    monkeypatch.setattr("stirred.verify.engines.swapping.floor._by_weights", lambda _: None)
    found = floor_of(problem)
    assert found.lower <= exact.upper
    assert exact.lower <= found.upper
    assert found.upper - found.lower < Fraction(1, 10**6)
    assert problem.meets(found.mechanism)


def test_the_worst_case_is_above_the_mean():
    mean, worst = (floor_of(ReleaseProblem.of((2, 2), (2, 1, 1), EASY, "absolute", prior)) for prior in Prior)
    assert mean.upper < worst.lower


def test_circuits_of_three_records_are_constraints_too():
    problem = ReleaseProblem.of((1, 1, 1), (1, 1, 1), EASY, "changed")
    assert {d for _, _, d in problem.steps} == {2, 3}
    found = floor_of(problem)
    assert 0 < found.upper - found.lower < Fraction(1, 10**6)
    assert problem.meets(found.mechanism)


def test_the_weighted_mechanism_leaves_most_tables_unchanged():
    problem = ReleaseProblem.of((2, 2), (2, 1, 1), EASY, "changed")
    found = floor_of(problem)
    assert (found.attained_by, found.is_exact) == (WEIGHTED, True)
    assert problem.meets(found.mechanism)


TWO_TABLES = ReleaseProblem.of((1, 1), (1, 1), EASY, "changed")


def test_a_mechanism_over_the_budget_is_seen():
    over = Fraction(1, 11)
    assert not TWO_TABLES.meets([[1 - over, over], [over, 1 - over]])
    assert not TWO_TABLES.meets([[HALF, HALF], [HALF, HALF + over]])
    assert TWO_TABLES.meets([[HALF, HALF], [HALF, HALF]])


def test_without_multipliers_nothing_is_bounded():
    assert lower_bound(TWO_TABLES, [HALF, HALF], {}) == 0


def problem(rows, columns, budget=EASY):
    return ReleaseProblem.of(rows, columns, budget, "absolute")


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        ("multipliers must be", lambda: lower_bound(TWO_TABLES, [HALF, HALF], {(0, 1): [Fraction(-1), Fraction(0)]})),
        ("weights must be", lambda: lower_bound(TWO_TABLES, [Fraction(1), Fraction(0)], {})),
        ("must allow two tables", lambda: problem((3,), (1, 2))),
        ("must be positive and finite", lambda: problem((1, 1), (1, 1), ZERO)),
        ("must be positive and finite", lambda: problem((1, 1), (1, 1), INFINITE)),
        (r"would take about \d+ minutes", lambda: problem((40, 40), (20, 30, 30))),
        (r"would take about \d+ minutes", lambda: problem((20, 20), (15, 15, 10))),
        ("positive and finite", lambda: noise_ratio(EASY, (4,), (4,))),
        (r"at most 3000 tables .* it has 879801: stirred\.", lambda: universe_loss((50,) * 3, (50,) * 3, HALF)),
    ],
)
def test_what_has_no_floor_or_takes_long_is_refused(message, ask):
    with pytest.raises(InputError, match=message):
        ask()


def test_noise_has_the_ratio_of_its_shape_rounded_to_the_safe_side():
    assert noise_ratio(EASY, (4, 4), (4, 4, 0)) == Fraction(1, 9)
    assert noise_ratio(Loss(9), (3, 3, 3), (3, 3, 3)) ** 2 * 9 >= 1


def test_the_price_on_a_line_is_that_of_the_table_of_the_claims():
    found = price((8, 8), (8, 8), HALF, "absolute")
    assert found.noise == found.weighted == found.floor.lower == found.floor.upper < found.swapping
    assert 6 < found.swapping / found.noise < 6.01


def test_with_three_categories_a_side_composed_noise_can_be_worse_than_the_psa():
    found = price((2, 2, 2), (2, 2, 2), Fraction(1, 10), "absolute")
    assert found.floor.upper < found.swapping < found.noise


NIGHTLY = pytest.mark.nightly


def universes(sizes, rows, columns):
    """The margins of sizes, with at most so many categories on each side."""
    return [(n, *sides) for n in sizes for sides in product(margins_of_size(n, rows), margins_of_size(n, columns))]


def all_pairs_loss(rows, columns, rate):
    """The definition, without circuits and without symmetry."""
    tables = contingency_tables(rows, columns)
    worst = ZERO
    for z in tables:
        masses = [likelihood(x, z, rate) for x in tables]
        for i, x in enumerate(tables):
            for j, y in enumerate(tables):
                if masses[i] > masses[j]:
                    worst = max(worst, Loss(masses[i] / masses[j], table_distance(x, y)) if masses[j] else INFINITE)
    return worst


@pytest.mark.parametrize("rate", few([Fraction(1, 20), Fraction(1), Fraction(0), HALF, Fraction(19, 20)], 2))
def test_circuits_and_symmetry_lose_nothing_up_to_five_records(rate):
    for _, rows, columns in universes(range(2, 6), 4, 4):
        assert universe_loss(rows, columns, rate) == all_pairs_loss(rows, columns, rate)


def test_circuits_of_length_three_are_needed():
    loss = universe_loss((1, 1, 1), (1, 1, 1), Fraction(1, 20))
    x, x_prime, _ = loss.witness
    assert (loss.distance, table_distance(x, x_prime)) == (3, 3)


def test_circuits_connect_every_two_tables_along_a_shortest_way():
    for rows, columns in (((3, 2, 2), (3, 3, 1)), ((2, 1, 1, 1), (2, 1, 1, 1)), ((4, 3), (2, 3, 2))):
        tables = contingency_tables(rows, columns)
        nearest = [[0 if i == j else 99 for j in range(len(tables))] for i in range(len(tables))]
        for i, j, length in circuit_steps(tables):
            assert length == table_distance(tables[i], tables[j])
            nearest[i][j] = length
        for k in range(len(tables)):
            for i, row in enumerate(nearest):
                nearest[i] = [min(direct, row[k] + nearest[k][j]) for j, direct in enumerate(row)]
        assert nearest == [[table_distance(x, y) for y in tables] for x in tables]


def test_circuits_are_counted_right():
    assert [len(circuits(k, k)) for k in (1, 2, 3, 4)] == [0, 2, 30, 2 * 36 + 12 * 16 + 6 * 24]


@pytest.mark.parametrize("records", [1, 2, 3, 4, 5, pytest.param(6, marks=NIGHTLY), pytest.param(7, marks=NIGHTLY)])
def test_counting_agrees_with_listing_all_permutations(records):
    moves = [(order, sum(map(int.__ne__, order, range(records)))) for order in permutations(range(records))]
    for _, rows, columns in universes([records], 3, 3):
        tables = contingency_tables(rows, columns)
        for x in tables:
            held = [(h, s) for h, row in enumerate(x) for s, count in enumerate(row) for _ in range(count)]
            listed = {z: [0] * (records + 1) for z in tables}
            for order, moved in moves:
                cells = [[0] * len(columns) for _ in rows]
                for place, token in enumerate(order):
                    cells[held[place][0]][held[token][1]] += 1
                listed[tuple(map(tuple, cells))][moved] += 1
            assert all(list(moved_counts(x, z)) == listed[z] for z in tables)


@NIGHTLY
def test_counting_agrees_with_the_program_at_seven_records():
    for rows, columns in (((4, 3), (4, 3)), ((3, 2, 2), (4, 3)), ((3, 2, 2), (3, 3, 1))):
        x = contingency_tables(rows, columns)[0]
        assert psa_law(x, Fraction(1, 3)) == psa_law_by_choices(x, Fraction(1, 3))


def test_counts_of_all_outputs_are_the_permutations_by_moved_records():
    for rows, columns in (((9, 3), (7, 5)), ((5, 4, 3), (6, 4, 2)), ((3, 3, 3, 3), (4, 4, 4))):
        tables = contingency_tables(rows, columns)
        n = sum(rows)
        totals = [sum(counts) for counts in zip(*(moved_counts(tables[0], z) for z in tables), strict=True)]
        assert totals == [comb(n, k) * derangements(k) for k in range(n + 1)]


@pytest.mark.parametrize("cells", [((5, 5, 5),) * 3, ((2, 1, 2, 1), (1, 2, 1, 2)) * 2])
def test_one_likelihood_of_large_tables_takes_less_than_a_second(cells):
    start = time.perf_counter()
    assert 0 < likelihood(cells, cells, Fraction(1, 20)) < 1
    assert time.perf_counter() - start < 1


def test_a_balanced_universe_of_one_hundred_records_is_exact():
    loss = universe_loss((50, 50), (50, 50), HALF)
    d = derangements
    form = Fraction(d(100), d(98)) + 98 * Fraction(d(100), d(99)) + 49**2
    assert loss == Loss(form / 50**2, 2)
    assert Loss(2) < loss < Loss(3)


def test_two_by_three_universes_of_twenty_four_records_stay_below_their_bound():
    for rows, columns in (((12, 12), (8, 8, 8)), ((18, 6), (20, 2, 2)), ((23, 1), (22, 1, 1))):
        for rate in (Fraction(1, 20), HALF):
            loss = universe_loss(rows, columns, rate)
            assert loss <= two_category_budget(24, rate) < psa_budget(24, rate)


@NIGHTLY
def test_no_budget_is_below_the_exact_loss_of_a_two_by_three_universe(capsys):
    """All of 3 to 24 records at p = 1/2: every budget that is printed, proved or conjectured, and the closed form."""
    half, began, universes = HALF, time.process_time(), 0
    for records in range(3, 25):
        nearest: dict[str, tuple[float, Margins]] = {}
        for rows, columns in product(margins_of_size(records, 2), margins_of_size(records, 3)):
            if (len(rows), len(columns)) != (2, 3):
                continue
            universes += 1
            loss = universe_loss(rows, columns, half)
            bounds = {"(7)": psa_budget(records, half), "two categories": two_category_budget(records, half)}
            bounds["conjectured"] = Loss(Fraction(max(records + 1, 9)), 2)
            if records >= 4:
                bounds["sharpened"] = sharpened_budget(records, half)
            assert (
                loss <= certified_budget(rows, columns, half) <= min(bounds[name] for name in bounds if name[0] != "c")
            )
            if 1 in rows:
                assert loss == single_record_loss(columns, half)
            for name, bound in bounds.items():
                assert loss <= bound
                margin = float(bound.epsilon().lower - loss.epsilon().upper)
                nearest[name] = min(nearest.get(name, (margin, (rows, columns))), (margin, (rows, columns)))
        with capsys.disabled():
            print(f"\n{records} records, least margins: {nearest}", end="")
    with capsys.disabled():
        print(f"\n{universes} universes, {time.process_time() - began:.0f} s of processor")
    assert universes == sum(n // 2 * round(n * n / 12) for n in range(3, 25))


@NIGHTLY
@pytest.mark.parametrize("records", range(2, 41))
def test_every_two_by_two_universe_up_to_forty_records(records):
    for _, rows, columns in universes([records], 2, 2):
        if rows >= columns and len(rows) == len(columns) == 2:
            for rate in (Fraction(1, 20), HALF):
                assert universe_loss(rows, columns, rate) <= two_category_budget(records, rate)


@NIGHTLY
@pytest.mark.parametrize("records", [7, 8])
def test_every_universe_up_to_eight_records_has_an_exact_loss(records):
    for _, rows, columns in universes([records], 4, 4):
        if rows >= columns:
            assert universe_loss(rows, columns, HALF) <= psa_budget(records, HALF)


UP_TO_SIX = [pair for n in range(1, 7) for pair in combinations_with_replacement(margins_of_size(n, 4), 2)]


@pytest.mark.parametrize(("rows", "columns"), UP_TO_SIX)
def test_a_pair_is_found_iff_two_tables_are_as_far_apart_as_there_are_records(rows, columns):
    found = disjoint_pair(rows, columns)
    assert (found is not None) == (largest_distance(rows, columns)[0] == sum(rows))
    for pair in filter(None, (found, shifted_pair(rows, columns))):
        assert all((row_margins(table), column_margins(table)) == (rows, columns) for table in pair)
        assert table_distance(*pair) == sum(rows)


def test_the_smallest_margins_of_lemma_8_without_a_pair_keep_two_records_in_common():
    assert largest_distance((5, 5, 2), (4, 4, 4))[0] == 10
