"""The ladder from 2010-style swapping to the PSA: losses and laws computed another way.

The table of the variants' losses: the PSA's column, the infinite lines, and the command that prints it.
"""

from collections import Counter
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_flavors import law
from strategies import margins, open_probabilities
from tiers import few

from stirred.mechanisms import psa_law_by_choices
from stirred.mechanisms.swapping.permutation_counts import likelihood, psa_law
from stirred.spec import INFINITE, ZERO, InputError, Loss, contingency_tables, psa_budget
from stirred.spec.blocks.tables import TooManyTablesError, table_distance
from stirred.spec.flavors.permutation_swapping import largest_stratum
from stirred.verify.cli.main import main
from stirred.verify.engines.swapping import loss
from stirred.verify.engines.swapping.loss import representatives, universe_loss
from stirred.verify.engines.swapping.variant_loss import loss_of_laws, variant_rows
from stirred.verify.ledger.engines.pairwise_ladder import (
    FOUR,
    FREE,
    HALF,
    NEIGHBORS,
    REMOTE,
    REPAIRED,
    RUNGS,
    STATES,
    THREE,
    rung_laws,
    swapped_laws,
)

rates = st.one_of(open_probabilities, st.sampled_from([Fraction(0), Fraction(1)]))


def all_ratios(rows, columns, p):
    """Every (loss, z, d, x, x') of the universe, from the laws that follow every choice."""
    universe = contingency_tables(rows, columns)
    released = {x: psa_law_by_choices(x, p) for x in universe}
    for x, y, z in product(universe, universe, universe):
        high, low = released[x][z], released[y][z]
        if x != y and high > low:
            loss = INFINITE if low == 0 else Loss(high / low)
            d = table_distance(x, y)
            yield loss.over(d), z, d, x, y


@given(margins(4).filter(lambda drawn: sum(drawn[0]) > 0), rates)
def test_the_loss_is_the_largest_over_all_triples(drawn, p):
    rows, columns = drawn
    expected = max((ratio[0] for ratio in all_ratios(rows, columns, p)), default=ZERO)
    found = universe_loss(rows, columns, p)
    assert found == expected
    assert (found.witness is None) == (expected == ZERO)
    if found.witness is not None:
        x, y, z = found.witness
        high, low = likelihood(x, z, p), likelihood(y, z, p)
        assert (INFINITE if low == 0 else Loss(high / low, table_distance(x, y))) == found


@pytest.mark.parametrize("p", [Fraction(1, 3), Fraction(3, 4), Fraction(1)])
@pytest.mark.parametrize("drawn", [((2, 1), (1, 2)), ((1, 1, 1), (1, 1, 1)), ((2, 2), (3, 1)), ((2, 3), (1, 2, 2))])
def test_the_witness_has_the_first_output_and_the_smallest_distance(drawn, p):
    found = universe_loss(*drawn, p)
    attaining = [ratio[1:] for ratio in all_ratios(*drawn, p) if ratio[0] == found]
    x, y, z = found.witness
    assert (z, table_distance(x, y)) == min(attaining)[:2]
    assert (z, table_distance(x, y), x, y) in attaining


@given(margins(4).filter(lambda drawn: sum(drawn[0]) > 0), open_probabilities)
def test_theorem_1_covers_it(drawn, p):
    assert universe_loss(*drawn, p) <= psa_budget(largest_stratum([drawn]), p)


@pytest.mark.parametrize("p", [Fraction(1, 20), Fraction(19, 20)])
def test_the_loss_does_not_depend_on_the_names_of_categories(p):
    expected = universe_loss((3, 1, 1), (2, 2, 1), p)
    for rows, columns in product(permutations((3, 1, 1)), permutations((2, 2, 1))):
        assert universe_loss(rows, columns, p) == expected
    assert universe_loss((2, 2, 1), (3, 1, 1), p) == expected


def test_one_table_is_no_loss_and_certain_moves_are_an_infinite_one():
    assert universe_loss((3,), (2, 1), HALF) == universe_loss((10**9,), (10**9,), HALF) == ZERO
    assert universe_loss((1, 1), (1, 1), 0) == universe_loss((1, 1), (1, 1), 1) == INFINITE


def test_equal_likelihoods_are_no_loss_and_have_no_witness():
    # both outputs have the mass of one: nobody moves, or both do, at even odds
    found = universe_loss((1, 1), (1, 1), HALF)
    assert (found, found.gamma, found.witness) == (ZERO, 1, None)


@pytest.mark.parametrize(("rows", "columns"), [((40, 40), (40, 40)), ((30, 25), (35, 20)), ((9, 8), (6, 6, 5))])
@pytest.mark.parametrize("rate", few([Fraction(2, 7), HALF]))
def test_no_pair_of_a_large_universe_has_a_larger_loss_than_what_is_found(rows, columns, rate):
    found = universe_loss(rows, columns, rate)
    x, other, z = found.witness
    assert Loss(likelihood(x, z, rate) / likelihood(other, z, rate), table_distance(x, other)) == found
    tables = contingency_tables(rows, columns)
    for one, output in product(tables[:: len(tables) // 6], repeat=2):
        masses = {table: likelihood(table, output, rate) for table in tables[:: len(tables) // 9]}
        for table, mass in masses.items():
            if table != one:
                ratio = likelihood(one, output, rate) / mass
                assert Loss(max(ratio, 1 / ratio), table_distance(one, table)) <= found


@pytest.mark.parametrize("bits", [1, 3])
@pytest.mark.parametrize("margins", [((6, 6), (6, 6)), ((5, 4), (3, 6)), ((3, 2, 2), (4, 3)), ((4, 3), (3, 2, 2))])
@pytest.mark.parametrize("rate", [Fraction(0), Fraction(1, 20), HALF, Fraction(6, 7), Fraction(1)])
def test_where_bounds_overlap_the_exact_likelihoods_decide(margins, rate, bits, monkeypatch):
    found = universe_loss(*margins, rate)
    monkeypatch.setattr(loss, "_BITS", bits)
    coarse = universe_loss(*margins, rate)
    assert (coarse, coarse.witness) == (found, found.witness)


@pytest.mark.parametrize(
    ("bounds", "kept"),
    [
        ([(10, 11), (11, 20), (12, 13)], [1, 2]),  # the second may be the largest, though the third is above the first
        ([(10, 11), (12, 13), (11, 12)], [1, 2]),
        ([(12, 13), (10, 11), (13, 13)], [0, 2]),
        ([(5, 5), (5, 5), (4, 4)], [0, 1]),
        ([(1, 1), (0, 0), (1, 2)], [2]),
        ([(0, 1), (0, 0), (1, 1)], []),
    ],
)
def test_every_pair_that_may_have_the_largest_ratio_is_kept(bounds, kept):
    steps = tuple((i, 3, 2) for i in range(3))
    assert loss._largest([*bounds, (1, 1)], steps) == ({2: [(i, 3) for i in kept]} if kept else {})


def test_a_pair_is_kept_though_a_likelihood_is_nothing_or_uncertain():
    steps = ((0, 1, 2), (0, 2, 2), (3, 1, 2), (0, 3, 4))  # likelihoods of nothing are below all others
    assert loss._largest([(7, 8), (0, 0), (1, 1), (2, 2)], steps) == {2: [(0, 1), (3, 1)], 4: [(0, 3)]}
    for third in ((9, 9), (7, 9)):  # 10/5 to 10/4, and 9/4, or 7/4 to 9/4: either may be larger
        assert loss._largest([(10, 10), (4, 5), third, (4, 4)], ((0, 1, 2), (2, 3, 2))) == {2: [(0, 1), (2, 3)]}


def test_a_ratio_that_is_below_1_after_all_is_no_loss():
    class Wide:
        """Likelihoods 2 and 3, of which the bounds leave open which is larger."""

        def within(self, x, z):
            return 1, 4

        def exact(self, x, z):
            return {"x": 2, "y": 3}[x]

    nothing = ZERO, None
    assert loss._worst_at("z", ("x", "y"), Wide(), ((0, 1, 2),), nothing) == nothing
    assert loss._worst_at("z", ("x", "y"), Wide(), ((1, 0, 2),), nothing)[0] == Loss(Fraction(3, 2), 2)


def test_two_hundred_records_lose_most_where_each_row_fills_a_column():
    found = universe_loss((100, 100), (100, 100), HALF)
    x, other, z = ((99, 1), (1, 99)), ((100, 0), (0, 100)), ((0, 100), (100, 0))
    assert found.witness == (x, other, z)
    assert found == Loss(likelihood(x, z, HALF) / likelihood(other, z, HALF), 2)


def test_a_universe_may_have_as_many_tables_as_the_limit_says(monkeypatch):
    monkeypatch.setattr(loss, "MAX_TABLES", 4)
    assert universe_loss((3, 3), (3, 3), HALF) > ZERO
    with pytest.raises(TooManyTablesError, match="must have at most 4 tables for its exact loss; it has 5"):
        universe_loss((4, 4), (4, 4), HALF)


def test_a_loss_with_a_witness_is_still_that_loss():
    found = universe_loss((1, 1), (1, 1), Fraction(3, 4))
    assert found == Loss(Fraction(3))
    assert hash(found) == hash(Loss(Fraction(3)))
    assert {found} == {Loss(Fraction(9), 2)}


LONG = r"must take at most about 10 minutes .* would take about \d{3,}:"


@pytest.mark.parametrize(
    ("rows", "columns", "p", "message"),
    [
        ((0,), (0,), HALF, "at least one record"),
        ((1,), (2,), HALF, "same total"),
        ((1, 1), (1, 1), 0.5, "float"),
        ((1, 1), (1, 1), 2, "between 0 and 1"),
        ((4000, 4000), (4000, 4000), HALF, "it has 4001"),
        ((10**5,) * 3, (10**5,) * 3, HALF, "at least"),
        ((10,) * 3, (10,) * 3, HALF, LONG),
        ((2900, 2900), (2900, 2900), HALF, LONG),
    ],
)
def test_bad_arguments_are_refused(rows, columns, p, message):
    with pytest.raises(InputError, match=message):
        universe_loss(rows, columns, p)


@pytest.mark.parametrize(
    ("rows", "columns", "classes"),
    [((1, 1), (1, 1), 1), ((1, 1, 1), (1, 1, 1), 1), ((2, 2), (2, 2), 2), ((2, 1), (2, 1), 2), ((2, 2), (3, 1), 1)],
)
def test_one_output_stands_for_each_class_under_relabelling(rows, columns, classes):
    universe = contingency_tables(rows, columns)
    kept = representatives(universe, rows, columns)
    assert len(kept) == classes
    row_moves, column_moves = (
        [m for m in permutations(range(len(side))) if all(side[i] == side[j] for i, j in enumerate(m))]
        for side in (rows, columns)
    )
    reached = [tuple(tuple(t[i][j] for j in c) for i in r) for t in kept for r in row_moves for c in column_moves]
    assert set(reached) == set(universe)


def test_there_is_a_state_for_every_rule_of_swapping_by_pairs():
    assert len(STATES) == len(RUNGS) - 2


@pytest.mark.parametrize("small", STATES, ids=lambda small: small.name)
def test_the_last_rung_has_the_law_and_the_loss_of_permutation_swapping(small):
    laws = rung_laws(RUNGS[-1], small)
    assert loss_of_laws(laws).loss == universe_loss(*small.margins, HALF)
    assert all(sorted(found.values()) == sorted(psa_law(table, HALF).values()) for table, found in laws.items())


def test_two_households_with_fair_coins():
    # They stay iff both coins fail: 1/4 against 3/4, at distance 2.
    laws = swapped_laws(NEIGHBORS, REPAIRED, Fraction(1))
    assert all(sorted(law.values()) == [Fraction(1, 4), Fraction(3, 4)] for law in laws.values())
    assert loss_of_laws(laws).loss == Loss(3).over(2)


def test_one_pair_cannot_move_two_pairs_of_households():
    laws = swapped_laws(FOUR, REPAIRED, HALF)
    x, y = (x for x in laws if 0 in x[0])
    assert len(laws[x]) == len(laws[y]) == 2
    assert not {z for z in laws[x] if laws[x][z]} >= {z for z in laws[y] if laws[y][z]}


def exchanged_again_and_again(kinds):
    """The law of who stands where: everybody in random order, a fair coin, any other household as partner."""
    size, law = len(kinds), Counter()
    orders = list(permutations(range(size)))
    for order in orders:
        places = {tuple(range(size)): Fraction(1, len(orders))}
        for target in order:
            moved = Counter()
            for place, mass in places.items():
                moved[place] += mass / 2
                for partner in set(range(size)) - {target}:
                    there = list(place)
                    there[target], there[partner] = there[partner], there[target]
                    moved[tuple(there)] += mass / 2 / (size - 1)
            places = moved
        for place, mass in places.items():
            law[tuple(kinds[place.index(spot)] for spot in range(size))] += mass
    return law


@pytest.mark.parametrize(("small", "kinds"), [(NEIGHBORS, "ab"), (REMOTE, "aab"), (THREE, "abc")])
def test_households_that_may_swap_again_are_exchanged_as_by_hand(small, kinds):
    masses = sorted(exchanged_again_and_again(kinds).values())
    laws = swapped_laws(small, FREE, Fraction(1))
    assert masses in [sorted(law.values()) for law in laws.values()]
    if kinds == "ab":
        assert masses == [HALF, HALF]


ROWS = list(variant_rows())


def losses(name):
    return {(row.universe, row.swap_rate): row.found.loss for row in ROWS if row.variant.startswith(name)}


def test_the_psa_column_is_the_exact_loss_of_the_universe():
    for row in ROWS:
        if "any" in row.universe or row.variant.startswith("matching"):
            assert row.psa.loss.is_infinite
        else:
            margins = [tuple(map(int, side.strip("()").split(","))) for side in row.universe.split(" x ")]
            assert row.psa.loss == universe_loss(*margins, row.swap_rate)


def test_infinite_lines_are_those_with_too_few_moves_or_too_wide_a_universe():
    two, three, four = "(1, 1) x (1, 1)", "(1, 1, 1) x (1, 1, 1)", "(2, 2) x (2, 2)"
    infinite = {"at": {three, four}, "exactly": {two, three, four}, "disjoint": {three}, "the": {"(1, 1) x any"}}
    found = [(row.variant.split()[0], row.universe) for row in ROWS if row.found.loss.is_infinite]
    assert set(found) == {(name, universe) for name, universes in infinite.items() for universe in universes}


def test_losses_of_variants_by_hand():
    # noise on two categories, replaced with probability 1/2: the true value has probability 3/4 and the other one 1/4
    assert set(losses("noise before").values()) == {Loss(3)}
    # beside imputed records two swap: P(stay)/P(swap) = (1−p)²/p² over the distance 2 of the only two tables
    assert losses("first row")[("(1, 1, 1) x (1, 1, 1)", Fraction(1, 20))] == Loss(19)


def test_a_difference_at_distance_zero_needs_an_infinite_budget_and_at_infinity_none():
    laws = {"a": law(1, 1), "b": law(1, 3)}
    assert loss_of_laws(laws, lambda *_: 0).loss.is_infinite
    assert loss_of_laws(laws, lambda *_: None).loss.is_zero
    assert loss_of_laws(laws, lambda *_: 1).loss == Loss(2)


def test_the_command_prints_each_line_and_a_witness_under_an_infinite_loss(capsys):
    assert main(["derive", "variants"]) == 0
    out, err = capsys.readouterr()
    lines = out.splitlines()
    assert err == ""
    assert sum("witness: x = " in line for line in lines) == sum(row.found.loss.is_infinite for row in ROWS)
    assert len([line for line in lines if not line.startswith("    ")]) == len(ROWS) + 1


@pytest.mark.parametrize(
    ("option", "message"),
    [
        (["--swap-rate", "1/2"], "derive variants cannot be combined with --swap-rate"),
        (["--latex"], "derive variants cannot be combined with --latex"),
    ],
)
def test_options_of_the_psa_are_refused(capsys, option, message):
    assert main(["derive", "variants", *option]) == 2
    assert capsys.readouterr().err == f"stirred: {message}\n"
