from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from stirred.mechanisms.das.topdown import (
    Design,
    EditConstraint,
    Geography,
    KeptTotal,
    Published,
    QueryGroup,
    Tie,
    Weights,
    answers,
    estimate,
    invariants,
    replacement_cost,
    topdown,
)
from stirred.mechanisms.fast.nearest_point import highs_nearest
from stirred.mechanisms.interpreters.sampling import SamplingSource, replay, sample
from stirred.spec import InputError

NATION = Geography({"nation": None, "A": "nation", "B": "nation", "A1": "A", "A2": "A", "B1": "B"})
CELLS = {
    "housed": "person",
    "in quarters": "person",
    "occupied": "household",
    "vacant": "household",
    "quarters": "household",
}


def row(*cells):
    return tuple(int(cell in cells) for cell in CELLS)


PERSONS, HOUSED, QUARTERED = row("housed", "in quarters"), row("housed"), row("in quarters")
DESIGN = Design(
    geography=NATION,
    cells=CELLS,
    groups=(
        QueryGroup("total", "person", (PERSONS,), Fraction(1, 3)),
        QueryGroup("detail", "person", (HOUSED, QUARTERED), Fraction(2, 3)),
        QueryGroup("occupied", "household", (row("occupied"),), Fraction(1)),
    ),
    invariants=(
        KeptTotal("population", 1, PERSONS),
        KeptTotal("housing units", 2, row("occupied", "vacant")),
        KeptTotal("group quarters", 2, row("quarters")),
    ),
    edits=(
        EditConstraint("no empty quarters", (0, -1, 0, 0, 1)),
        EditConstraint("at most 3 in quarters", (0, 1, 0, 0, -3)),
        EditConstraint("no empty household", (-1, 0, 1, 0, 0)),
        EditConstraint("at most 3 in a household", (1, 0, -3, 0, 0)),
    ),
    level_shares=(Fraction(1, 4), Fraction(1, 4), Fraction(1, 2)),
    rho_squared={"person": Fraction(256, 100), "household": Fraction(7, 100)},
)
LEAVES = NATION.leaves


def data_set(households, quarters):
    """Records of a block: a household of each size (0: vacant), group quarters with so many persons."""
    found = []
    for leaf, sizes, groups in zip(LEAVES, households, quarters, strict=True):
        for size in sizes:
            found += [(leaf, "housed")] * size + [(leaf, "occupied" if size else "vacant")]
        for size in groups:
            found += [(leaf, "in quarters")] * size + [(leaf, "quarters")]
    return tuple(found)


sizes = st.lists(st.integers(0, 2), max_size=2)
data_sets = st.builds(
    data_set, st.tuples(sizes, sizes, sizes), st.tuples(*(st.lists(st.integers(1, 2), max_size=1),) * 3)
)
EXAMPLE = data_set([(2, 0), (), (2,)], [(), (1,), ()])


def nested(answer):
    """Some measurement of every query, in the shape of the measurements."""
    return tuple(tuple(tuple(answer() for _ in group.rows) for group in DESIGN.groups) for _ in NATION.nodes)


class TestProgram:
    @examples(10, at_night=160)
    @given(data_sets, st.integers(0, 10**6))
    def test_the_estimate_meets_every_constraint(self, data, seed):
        _, found = sample(topdown, data, seed=seed, design=DESIGN)
        records = [
            (leaf, cell) for leaf, counts in found for cell, n in zip(CELLS, counts, strict=True) for _ in range(n)
        ]
        released, true = DESIGN.histograms(records), DESIGN.histograms(data)
        assert invariants(DESIGN, released) == invariants(DESIGN, true)
        for leaf in LEAVES:
            for edit in DESIGN.edits:
                assert sum(a * n for a, n in zip(edit.row, released[leaf], strict=True)) <= edit.bound

    @examples(10, at_night=100)
    @given(data_sets, st.integers(0, 10**6))
    def test_both_solvers_release_the_same(self, data, seed):
        reference = sample(topdown, data, seed=seed, design=DESIGN)
        assert sample(topdown, data, seed=seed, design=DESIGN, solver=highs_nearest) == reference

    def test_a_run_replays_from_its_choices(self):
        source = SamplingSource(5)
        found = source.attempt(lambda inner: topdown(EXAMPLE, inner, design=DESIGN))
        assert replay(topdown, EXAMPLE, source.record, design=DESIGN) == found

    @given(st.permutations(EXAMPLE))
    @settings(max_examples=10, deadline=None)
    def test_the_order_of_records_does_not_matter(self, data):
        assert sample(topdown, data, seed=3, design=DESIGN) == sample(topdown, EXAMPLE, seed=3, design=DESIGN)


class TestEstimation:
    @examples(10, at_night=120)
    @given(data_sets, st.integers(0, 10**6))
    def test_it_is_a_function_of_measurements_and_invariants(self, data, seed):
        measurements, found = sample(topdown, data, seed=seed, design=DESIGN)
        totals = invariants(DESIGN, DESIGN.histograms(data))
        assert estimate(DESIGN, measurements, totals) == found

    @examples(10, at_night=120)
    @given(data_sets)
    def test_exact_answers_that_determine_the_data_are_estimated_by_them(self, data):
        # housed, in quarters and occupied are measured, vacant and quarters follow from the invariants
        histograms = DESIGN.histograms(data)
        found = estimate(DESIGN, answers(DESIGN, histograms), invariants(DESIGN, histograms))
        assert dict(found) == {leaf: histograms[leaf] for leaf in LEAVES}

    @examples(10, at_night=100)
    @given(st.data())
    def test_every_level_is_nearest_among_all_that_are_possible(self, data):
        """One state with two blocks and two cells, against a list of all data sets with the population."""
        geography = Geography({"nation": None, "A": "nation", "B": "nation"})
        groups = (
            QueryGroup("total", "person", ((1, 1),), Fraction(1, 2)),
            QueryGroup("detail", "person", ((1, 0), (0, 1)), Fraction(1, 2)),
        )
        design = Design(
            geography,
            {"a": "person", "b": "person"},
            groups,
            (KeptTotal("population", 0, (1, 1)),),
            (EditConstraint("b at most 2", (0, 1), 2),),
            (Fraction(1, 3), Fraction(2, 3)),
            {"person": Fraction(1)},
            data.draw(st.sampled_from(Weights)),
            data.draw(st.sampled_from(Tie)),
        )
        population = data.draw(st.integers(0, 4))
        measured = data.draw(st.lists(st.integers(-3, 6), min_size=9, max_size=9))
        nodes = [((measured[i],), (measured[i + 1], measured[i + 2])) for i in (0, 3, 6)]
        cells = [cell for cell in product(range(5), repeat=2) if cell[1] <= 2]
        weights = (1, 1)  # equal shares have equal weights under both rules

        def distance(counts, node):
            return weights[0] * (sum(counts) - node[0][0]) ** 2 + weights[1] * sum(
                (n - t) ** 2 for n, t in zip(counts, node[1], strict=True)
            )

        order = 1 if design.tie is Tie.SMALLEST else -1
        possible = [(x, y) for x in cells for y in cells if sum(x) + sum(y) == population]
        tops = {(x[0] + y[0], x[1] + y[1]) for x, y in possible}
        top = min(tops, key=lambda z: (distance(z, nodes[0]), [order * n for n in z]))
        split = [(x, y) for x, y in possible if (x[0] + y[0], x[1] + y[1]) == top]
        best = min(
            split,
            key=lambda pair: (
                distance(pair[0], nodes[1]) + distance(pair[1], nodes[2]),
                [order * n for n in (*pair[0], *pair[1])],
            ),
        )
        for solver in (None, highs_nearest):
            found = estimate(design, tuple(nodes), ((population,),), **({"solver": solver} if solver else {}))
            assert found == (("A", best[0]), ("B", best[1]))

    def test_what_was_published_is_reproduced(self):
        histograms = DESIGN.histograms(EXAMPLE)
        totals = invariants(DESIGN, histograms)
        _, first = sample(topdown, EXAMPLE, seed=1, design=DESIGN)
        occupied = KeptTotal("occupied", 2, row("occupied"))
        values = tuple(counts[2] for _, counts in first)
        for seed in range(10):
            again, _ = sample(topdown, EXAMPLE, seed=100 + seed, design=DESIGN)
            found = estimate(DESIGN, again, totals, [Published(occupied, values)])
            assert tuple(counts[2] for _, counts in found) == values

    def test_invariants_that_contradict_each_other_are_refused_with_level_and_node(self):
        totals = ((3, 2), (2, 0, 1), (0, 0, 1))  # B: two persons, of which the group quarters need one
        contradiction = ((0, 2), *totals[1:2], (0, 1, 0))  # nobody in A, but occupied group quarters in A2
        found = r"level 0, nation: no data set meets the constraints: .*population of A.*group quarters of A2"
        with pytest.raises(InputError, match=found):
            estimate(DESIGN, nested(lambda: 0), contradiction)
        assert estimate(DESIGN, nested(lambda: 0), totals)

    @pytest.mark.parametrize("answer", [(-1,) * 5, (0,) * 4, (0, 0, 0, 0, 9)])
    def test_a_wrong_answer_of_a_solver_is_refused(self, answer):
        totals = invariants(DESIGN, DESIGN.histograms(EXAMPLE))
        with pytest.raises(InputError, match=r"level .*: the solver"):
            estimate(DESIGN, nested(lambda: 0), totals, solver=lambda problem: answer)


class TestBudget:
    def test_the_noise_spends_exactly_the_budget(self):
        assert DESIGN.spent("person") == Fraction(256, 100)
        assert DESIGN.spent("household") == Fraction(7, 100)

    def test_a_replaced_person_costs_at_most_the_persons_budget(self):
        persons = [((leaf, cell),) for leaf in LEAVES for cell in ("housed", "in quarters")]
        costs = {replacement_cost(DESIGN, DESIGN.histograms(x), DESIGN.histograms(y)) for x in persons for y in persons}
        # a person who moves to the other kind in another state: everything but the nation's total changes
        assert max(costs) <= DESIGN.rho_squared["person"]
        assert max(costs) == Fraction(256, 100) * (Fraction(1, 4) * Fraction(2, 3) + Fraction(3, 4))

    def test_sensitivity_of_columns_that_overlap(self):
        group = QueryGroup("overlapping", "person", ((1, 1), (2, -1)), Fraction(1))
        # moved: 2(1 + 4); changed in place: (1 - 1)^2 + (2 + 1)^2
        assert group.squared_sensitivity == 10

    @pytest.mark.parametrize("tie", Tie)
    @pytest.mark.parametrize("weights", Weights)
    def test_options_do_not_change_the_measurements(self, tie, weights):
        found, _ = sample(topdown, EXAMPLE, seed=1, design=replace(DESIGN, tie=tie, weights=weights))
        assert found == sample(topdown, EXAMPLE, seed=1, design=DESIGN)[0]


class TestBadInput:
    @pytest.mark.parametrize(
        ("change", "words"),
        [
            (
                {"level_shares": (Fraction(1, 2), Fraction(1, 2))},
                "level_shares must be one for each of 3 levels; got 2",
            ),
            ({"level_shares": (Fraction(1, 2),) * 3}, "shares of the levels must sum to exactly 1; got 3/2"),
            ({"level_shares": (Fraction(0), Fraction(0), Fraction(1))}, "shares of the levels must be positive; got 0"),
            ({"level_shares": (0.5, 0.25, 0.25)}, "a share of the levels must be an exact number; got the float 0.5"),
            (
                {"rho_squared": {"person": Fraction(1)}},
                "query group occupied: part must have a budget; got 'household'",
            ),
            ({"rho_squared": {"person": Fraction(0)}}, "rho_squared of person must be positive; got 0"),
            ({"groups": DESIGN.groups[1:]}, "shares of the queries of person must sum to exactly 1; got 2/3"),
            ({"invariants": (KeptTotal("p", 3, PERSONS),)}, "invariant p: level must be one of the geography; got 3"),
            (
                {"edits": (EditConstraint("e", (1,)),)},
                "edit constraint e: a row must have one entry for each of 5 cells",
            ),
            (
                {"groups": (*DESIGN.groups[:2], replace(DESIGN.groups[2], rows=(PERSONS,)))},
                "query group occupied: cells must be of part 'household'",
            ),
        ],
    )
    def test_a_design_is_refused(self, change: Mapping[str, object], words):
        with pytest.raises(InputError, match=words):
            replace(DESIGN, **change)

    @pytest.mark.parametrize(
        ("parents", "words"),
        [
            ({}, "exactly one root"),
            ({"a": None, "b": None}, "exactly one root"),
            ({"a": None, "b": "c"}, "node 'b' has 'c'"),
            ({"a": None, "b": "c", "c": "b"}, "'b' is in or under a cycle"),
            ({"a": None, "b": "a", "c": "a", "d": "b"}, "every leaf must be at level 2; 'c' is at level 1"),
        ],
    )
    def test_a_geography_is_refused(self, parents, words):
        with pytest.raises(InputError, match=words):
            Geography(parents)

    def test_a_deep_geography_is_a_tree_like_any_other(self):
        depth = 5000
        chain = Geography({"0": None, **{str(i): str(i - 1) for i in range(1, depth)}})
        assert len(chain.levels) == depth
        assert chain.below(["4998"]) == ("4998", "4999")

    @pytest.mark.parametrize("record", [("A", "housed"), ("A1", "horse"), ("C", "housed")])
    def test_a_record_outside_the_design_is_refused(self, record):
        with pytest.raises(InputError, match="a record must name a leaf of the geography and a cell"):
            sample(topdown, [record], seed=1, design=DESIGN)

    def test_data_that_break_an_edit_constraint_are_refused(self):
        with pytest.raises(InputError, match="at most 3 in a household of A1: the data must be at most 0; got 1"):
            sample(topdown, [("A1", "housed")], seed=1, design=DESIGN)
