"""Practical estimation against the reference, on all kinds of designs; what is summarized; several processes."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tiers import examples
from towns import CELLS, EACH, GROUPS, SHARES, TOWNS

from stirred.mechanisms.das.topdown import (
    Design,
    EditConstraint,
    KeptTotal,
    Published,
    Tie,
    Weights,
    answers,
    estimate,
    invariants,
)
from stirred.mechanisms.das.topdown.completion import Completion
from stirred.mechanisms.das.topdown.leaf_classes import leaf_problem
from stirred.mechanisms.das.topdown.nearest import Constraint, InfeasibleError, NearestPoint, Square, exhaustive, loss
from stirred.mechanisms.das.topdown.siblings import Known, Siblings
from stirred.mechanisms.fast.nearest_point import highs_nearest, rounded_point
from stirred.mechanisms.fast.topdown import Estimation
from stirred.mechanisms.fast.topdown import estimate as fast_estimate
from stirred.spec import InputError

THIRD = Fraction(1, 3)

rows = st.tuples(*(st.integers(-1, 2),) * 4)
counts = st.tuples(*(st.integers(0, 1),) * 4)


@st.composite
def estimations(draw):
    """Exact histograms of a few persons, some of their sums kept, edits that they meet, and wrong measurements."""
    leaves = {leaf: draw(counts) for leaf in TOWNS.leaves}
    totals = [
        KeptTotal(f"total {i}", draw(st.integers(0, 2)), draw(st.tuples(*(st.integers(0, 1),) * 4)))
        for i in range(draw(st.integers(0, 2)))
    ]
    population = KeptTotal("population", draw(st.integers(0, 2)), (1, 1, 1, 1))
    edits = []
    for i in range(draw(st.integers(0, 2))):
        row = draw(rows)
        most = max(sum(a * n for a, n in zip(row, of, strict=True)) for of in leaves.values())
        edits.append(EditConstraint(f"edit {i}", row, most))
    design = Design(
        TOWNS, CELLS, GROUPS, (population, *totals), tuple(edits), SHARES, {"person": Fraction(1)},
        draw(st.sampled_from(Weights)), draw(st.sampled_from(Tie)),
    )  # fmt: skip
    records = [(leaf, cell) for leaf, of in leaves.items() for cell, n in zip(CELLS, of, strict=True) for _ in range(n)]
    histograms = design.histograms(records)
    measured = tuple(
        tuple(tuple(value + draw(st.integers(-2, 2)) for value in group) for group in node)
        for node in answers(design, histograms)
    )
    return Estimation(design, measured, invariants(design, histograms))


@examples(10, at_night=100)
@given(estimations())
def test_it_releases_what_the_reference_releases(one):
    found = fast_estimate(one)
    assert tuple((leaf, found[leaf]) for leaf in TOWNS.leaves) == estimate(one.design, one.measurements, one.totals)


@examples(10, at_night=100)
@given(estimations())
def test_rounded_estimates_meet_every_constraint_and_need_not_be_nearest(one):
    found = fast_estimate(replace(one, solver=rounded_point))
    records = [
        (leaf, cell) for leaf in TOWNS.leaves for cell, n in zip(CELLS, found[leaf], strict=True) for _ in range(n)
    ]
    assert invariants(one.design, one.design.histograms(records)) == one.totals
    assert all(one.design.histograms(records)[node] == found[node] for node in TOWNS.nodes)
    for leaf in TOWNS.leaves:
        for edit in one.design.edits:
            assert sum(a * n for a, n in zip(edit.row, found[leaf], strict=True)) <= edit.bound


def test_rounding_ends_elsewhere_than_at_the_nearest_point():
    """All sums of two of three variables are measured as 1: halves are exact, and are rounded to 0."""
    pairs = tuple(Square(((i, 1), (j, 1)), 1, 1) for i, j in ((0, 1), (1, 2), (0, 2)))
    box = tuple(Constraint(f"x{i}", ((i, 1),), None, 3) for i in range(3))
    problem = NearestPoint(3, 3, box, pairs)
    assert exhaustive(problem) == highs_nearest(problem) == (0, 0, 1)
    assert rounded_point(problem) == (0, 0, 0)
    assert loss(problem, (0, 0, 1)) == 1 < loss(problem, (0, 0, 0))


DESIGN = Design(TOWNS, CELLS, GROUPS, (KeptTotal("population", 0, (1, 1, 1, 1)),), (), SHARES, {"person": Fraction(1)})


def test_constraints_of_single_classes_leave_no_variable_below():
    """Bounds of kinds at every leaf are bounds of their sums above; the population of a state is a sum of two."""
    edits = (EditConstraint("at most 9 of a kind", (1, 1, 0, 0), 9), EditConstraint("at least 1", (0, 0, -1, -1), -1))
    design = replace(DESIGN, edits=edits)
    completion = Completion(design, Known(design, ((40,),), ()))
    assert completion.classes.tolist() == [0, 0, 1, 1]
    assert completion.box("A") == [(0, 18), (2, None)]
    design = replace(design, invariants=(KeptTotal("population", 1, (1, 1, 1, 1)),))
    completion = Completion(design, Known(design, ((20, 9),), ()))
    assert {node: completion.box(node) for node in "abcAB"} == {
        **{leaf: [(0, 9), (1, None)] for leaf in "abc"},
        **dict.fromkeys("AB"),
    }


def test_the_number_of_processes_changes_nothing():
    measured = tuple(
        tuple(tuple(7 * i + 3 * j + k for k, _ in enumerate(group.rows)) for j, group in enumerate(GROUPS))
        for i, _ in enumerate(TOWNS.nodes)
    )
    one = Estimation(DESIGN, measured, ((30,),))
    assert fast_estimate(one, workers=2) == fast_estimate(one)


def test_what_was_found_before_is_taken_and_the_rest_is_told():
    measured = tuple(((5, 2), (3, 2, 1, 1)) for _ in TOWNS.nodes)
    one = Estimation(DESIGN, measured, ((30,),), (), highs_nearest)
    told = {}
    found = fast_estimate(one, keep=lambda level, parent, children: told.setdefault(parent, children))
    assert list(told) == [None, "US", "A", "B"]
    again = {}
    before = {parent: told[parent] for parent in (None, "US", "A")}
    assert fast_estimate(one, done=before, keep=lambda _, parent, children: again.setdefault(parent, children)) == found
    assert list(again) == ["B"]


def test_a_design_may_ask_other_queries_at_other_levels():
    shares = (Fraction(0), Fraction(1, 3), Fraction(1, 2))
    groups = (replace(GROUPS[0], share=shares), replace(GROUPS[1], share=tuple(1 - share for share in shares)))
    design = replace(DESIGN, groups=groups)
    assert design.spent("person") == 1
    histograms = design.histograms([("a", "young"), ("c", "in prison")])
    exact = answers(design, histograms)
    assert exact[0] == ((), (1, 0, 0, 1))
    assert exact[1] == ((1, 0), (1, 0, 0, 0))
    found = fast_estimate(Estimation(design, exact, invariants(design, histograms)))
    assert found == histograms
    assert estimate(design, exact, invariants(design, histograms)) == tuple(
        (leaf, histograms[leaf]) for leaf in TOWNS.leaves
    )
    with pytest.raises(InputError, match="query group kind: must be asked at level 0; its share is 0"):
        design.variance(0, groups[0])


@pytest.mark.parametrize(
    ("shares", "words"),
    [
        ((THIRD,) * 2, "query group kind: share must be one for each of 3 levels; got 2"),
        ((THIRD, THIRD, Fraction(1, 2)), "queries of person at level 2 must sum to exactly 1; got 7/6"),
        ((THIRD, -THIRD, THIRD), "queries of person at level 1 must not be negative; got -1/3"),
    ],
)  # fmt: skip
def test_shares_by_level_are_refused_by_level(shares, words):
    with pytest.raises(InputError, match=words):
        replace(DESIGN, groups=(replace(GROUPS[0], share=shares), GROUPS[1]))


def test_a_published_table_is_reproduced_below_and_above():
    measured = tuple(((5, 2), (3, 2, 1, 1)) for _ in TOWNS.nodes)
    published = (Published(KeptTotal("young", 2, EACH[0]), (4, 0, 7)),)
    found = fast_estimate(Estimation(DESIGN, measured, ((30,),), published))
    assert [found[leaf][0] for leaf in TOWNS.leaves] == [4, 0, 7]
    assert tuple((leaf, found[leaf]) for leaf in TOWNS.leaves) == estimate(
        DESIGN, measured, ((30,),), published, solver=highs_nearest
    )


def can_be_met(problem):
    try:
        highs_nearest(problem, settle_ties=False)
    except InfeasibleError:
        return False
    return True


@examples(10, at_night=240)
@given(estimations(), st.integers(-1, 1), st.integers(-1, 1), st.booleans())
def test_constraints_on_leaves_can_be_met_where_those_on_all_nodes_can(one, more, fewer, is_below):
    totals = [list(values) for values in one.totals]
    totals[0][0] += more
    totals[-1][-1] += fewer
    known = Known(one.design, tuple(map(tuple, totals)), ())
    nodes, parent = (("A", "B"), (1, 0, 2, 1 + more)) if is_below else (("US",), None)
    siblings = Siblings(one.design, nodes, parent, [((0, 0), (0, 0, 0, 0))] * len(nodes), known)
    leaves = leaf_problem(siblings)
    assert can_be_met(leaves) == can_be_met(siblings.problem())
    assert {constraint.name for constraint in leaves.constraints} >= {
        f"{total.name} of {node}"
        for node in TOWNS.below(nodes)
        for total, value in known[node]
        if any(total.row) or value  # nothing is asked where 0 times each cell is 0
    }


def test_contradicting_totals_are_refused_with_level_node_and_reason():
    kept = (KeptTotal("persons", 1, (1, 1, 1, 1)), KeptTotal("in school", 2, EACH[2]))
    design = replace(DESIGN, invariants=kept)
    measured = tuple(((5, 2), (3, 2, 1, 1)) for _ in TOWNS.nodes)
    with pytest.raises(InputError) as refused:
        fast_estimate(Estimation(design, measured, ((3, 9), (2, 2, 0))))
    assert str(refused.value) == (
        "level 0, US: no data set meets the constraints; these contradict each other: persons of A = 3, "
        "in school of a = 2, in school of b = 2 (with the factors -1, 1, 1 they add up to 0 >= 1)"
    )


@examples(10, at_night=100)
@given(estimations(), st.tuples(*(st.integers(0, 2),) * len(CELLS)))
def test_cells_whose_parent_has_none_are_no_variables(one, counts):
    """Found with them or without them, the counts of the children are the same, and so is a refusal."""
    siblings = Siblings(one.design, ("a", "b"), counts, [((0, 3), (0, 0, 1, 2))] * 2, one.known)
    completion = Completion(one.design, one.known)
    problem, cells = completion.problem(siblings), completion.open_cells(siblings)
    assert problem.decided == sum(map(len, cells))
    assert all(counts[cell] for of_node in cells for cell in of_node)

    def found(problem, cells):
        try:
            return siblings.solved(problem, highs_nearest, cells)
        except InfeasibleError:
            return None

    assert found(problem, cells) == found(siblings.problem(), [np.arange(4)] * 2)


def test_cells_that_a_kept_total_leaves_nothing_are_no_variables():
    """At `a` all persons are in a household and at `b` none, as was released before."""
    before = tuple(
        Published(KeptTotal(name, 2, row), values)
        for name, row, values in (("housed", (1, 1, 0, 0), (3, 0, 2)), ("others", (0, 0, 1, 1), (0, 4, 1)))
    )
    design = replace(DESIGN, invariants=())
    measured = tuple(((5, 2), (3, 2, 1, 1)) for _ in TOWNS.nodes)
    one = Estimation(design, measured, (), before, highs_nearest)
    siblings = Siblings(design, ("a", "b"), (2, 1, 1, 3), measured[-3:-1], one.known)
    completion = Completion(design, one.known)
    assert [cells.tolist() for cells in completion.open_cells(siblings)] == [[0, 1], [2, 3]]
    assert completion.problem(siblings).decided == 4
    assert one.children("A", (2, 1, 1, 3)) == {"a": (2, 1, 0, 0), "b": (0, 0, 1, 3)}
    with pytest.raises(InfeasibleError, match=r"contradict each other: .*housed of a = 3"):
        one.children("A", (1, 1, 2, 3))
    found = fast_estimate(one)
    assert estimate(design, measured, (), before) == tuple((leaf, found[leaf]) for leaf in TOWNS.leaves)


def test_a_node_of_which_the_parent_has_one_record_is_a_problem_of_one_cell():
    siblings = Siblings(DESIGN, ("a", "b"), (0, 0, 1, 0), [((5, 2), (3, 2, 1, 1))] * 2, {"a": (), "b": ()})
    problem = Completion(DESIGN, Known(DESIGN, ((1,),), ())).problem(siblings)
    assert (problem.size, len(problem.squares)) == (2, 4)  # each: its kind, and its cell
    assert siblings.solved(problem, highs_nearest, [siblings.open_cells] * 2) == {"a": (0, 0, 0, 0), "b": (0, 0, 1, 0)}
