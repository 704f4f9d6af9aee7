"""Flows of least cost against the exhaustive solver; what is no network; the exact check of what is nearest.

Conflicts are irreducible and proved, whatever the constraints are. A root that is estimated on chosen cells has the
counts that it has on all of them.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import nearest_points, nested_points
from tiers import examples

from stirred.mechanisms.das.topdown import Design, Geography, KeptTotal, Published, QueryGroup, Tie, Weights, invariants
from stirred.mechanisms.das.topdown.design import form_values
from stirred.mechanisms.das.topdown.integers import SparseCounts
from stirred.mechanisms.das.topdown.nearest import (
    Constraint,
    InfeasibleError,
    NearestPoint,
    Square,
    exhaustive,
    loss,
    violated,
)
from stirred.mechanisms.das.topdown.schema import Recode, RecordRule, RecordSchema, Units
from stirred.mechanisms.fast import flow_point
from stirred.mechanisms.fast import topdown as fast_topdown
from stirred.mechanisms.fast.conflict import conflict, contradiction
from stirred.mechanisms.fast.flow_point import flow_of_least_cost, row_prices, values_of
from stirred.mechanisms.fast.nearest_point import fast_nearest, highs_nearest, is_nearest, rounded_point
from stirred.mechanisms.fast.nested_sums import network_of
from stirred.mechanisms.fast.topdown import Estimation, estimate
from stirred.mechanisms.fast.topdown_noise import keyed_measurements
from stirred.mechanisms.fast.unit_pieces import PieceProgram, Squares
from stirred.spec import InputError


def found_by(solver, problem):
    try:
        return solver(problem)
    except InfeasibleError:
        return None


@pytest.fixture
def flows_only(monkeypatch):
    monkeypatch.setattr(PieceProgram, "solve", lambda self: pytest.fail("HiGHS was asked"))


@examples(30, at_night=300)
@given(nearest_points())
def test_every_problem_has_the_point_of_the_reference(problem):
    assert found_by(fast_nearest, problem) == found_by(exhaustive, problem)


@examples(40, at_night=400)
@given(nested_points())
def test_sums_that_nest_have_the_point_of_the_reference_without_highs(problem):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PieceProgram, "solve", lambda self: pytest.fail("HiGHS was asked"))
        assert fast_nearest(problem) == exhaustive(problem)


@examples(15, at_night=100)
@given(nested_points(), st.data())
def test_only_nearest_points_have_a_proof(problem, data):
    squares = Squares(problem)
    network = network_of(squares)
    flow = flow_of_least_cost(network)
    prices = row_prices(squares, network, flow)
    assert is_nearest(squares, values_of(squares, network, flow.values), prices)
    moved = [value + data.draw(st.integers(-1, 1)) for value in flow.values[: problem.size].tolist()]
    is_near = violated(problem, moved) is None and loss(problem, moved) == loss(problem, exhaustive(problem))
    values = squares.of(np.array([*moved, *squares.guess[problem.size :]], dtype=np.int64))
    assert is_nearest(squares, values, prices) == is_near
    wrong = prices.copy()
    wrong[data.draw(st.integers(0, len(wrong) - 1)) if len(wrong) else slice(0)] += data.draw(st.integers(-99, 99))
    if not is_near:
        assert not is_nearest(squares, values, wrong)


def test_numbers_that_could_leave_64_bits_prove_nothing():
    squares = Squares(NearestPoint(1, 1, (Constraint("all", ((0, 1),), 3, 3),), (Square(((0, 1),), 3, 1),)))
    assert is_nearest(squares, np.array([3]), np.zeros(0, dtype=np.int64))
    both = (Constraint("both", ((0, 1), (1, 1)), 2, 2),)
    squares = Squares(NearestPoint(2, 2, both, (Square(((0, 1),), 1, 1), Square(((1, 1),), 1, 1))))
    assert is_nearest(squares, np.array([1, 1]), np.array([0]))
    assert not is_nearest(squares, np.array([1, 1]), np.array([2**61]))


@pytest.mark.parametrize(
    "terms",
    [
        (((0, 1), (1, 1)), ((1, 1), (2, 1)), ((0, 1), (2, 1))),  # three sums, each crossing the others
        (((0, 1), (1, 2)),),
        (((0, 1), (1, -1)),),
    ],
)
def test_rows_that_are_no_nested_sums_are_no_network(terms):
    rows = (*terms, *(((variable, 1),) for variable in range(3)))
    constraints = tuple(Constraint(f"row {i}", form, 0, 3) for i, form in enumerate(rows))
    problem = NearestPoint(3, 3, constraints, tuple(Square(((i, 1),), 2, 1) for i in range(3)))
    assert network_of(Squares(problem)) is None
    assert fast_nearest(problem) == exhaustive(problem)


def test_constants_make_sums_of_what_is_left(flows_only):
    """At most 9 to each unit: with 2 units the rule is one about persons alone."""
    units = Constraint("units", ((2, 1),), 2, 2)
    most = Constraint("at most 9", ((0, 1), (1, 1), (2, -9)), None, 0)
    squares = (Square(((0, 1),), 20, 1), Square(((1, 1),), 15, 1), Square(((0, 1), (2, 5)), 31, 2))
    problem = NearestPoint(3, 3, (units, most), squares)
    points = ((i, j, 2) for i in range(19) for j in range(19 - i))
    assert fast_nearest(problem) == min(points, key=lambda point: (loss(problem, point), point))


def test_a_point_far_from_the_targets_takes_few_small_flows(monkeypatch):
    draw = np.random.default_rng(1)
    targets = draw.integers(-3_000, 3_000, 300).tolist()
    total = Constraint("total", tuple((i, 1) for i in range(300)), 100_000, 100_000)
    squares = [Square(((i, 1),), target, 1) for i, target in enumerate(targets)]
    squares += [Square(((2 * i, 1), (2 * i + 1, 1)), int(draw.integers(-6_000, 6_000)), 3) for i in range(150)]
    problem = NearestPoint(300, 300, (total,), tuple(squares))
    sizes, pieces = [], flow_point._pieces

    def counted(*given):
        found = pieces(*given)
        sizes.append(len(found.arc))
        return found

    monkeypatch.setattr(flow_point, "_pieces", counted)
    point = fast_nearest(problem)
    assert len(sizes) <= 40
    assert max(sizes) <= 30_000
    monkeypatch.undo()
    assert loss(problem, point) == loss(problem, highs_nearest(problem, settle_ties=False))


def test_ties_of_several_steps_are_settled(flows_only):
    """Nothing is measured of the first two: any split of 7 is as near."""
    total = Constraint("total", ((0, 1), (1, 1)), 7, 7)
    for most in (5, 9):
        box = Constraint("box", ((1, 1),), None, most)
        problem = NearestPoint(2, 2, (total, box), ())
        assert fast_nearest(problem) == exhaustive(problem) == (max(0, 7 - most), min(7, most))
        assert fast_nearest(replace(problem, largest=True)) == (7, 0)


def test_a_false_answer_of_the_flow_is_not_taken(monkeypatch):
    total = Constraint("total", ((0, 1), (1, 1)), 7, 7)
    problem = NearestPoint(2, 2, (total,), (Square(((0, 1),), 3, 1), Square(((1, 1),), 4, 1)))
    right = flow_of_least_cost

    def wrong(network):
        flow = right(network)
        return replace(flow, values=flow.values + np.array([1, -1, *[0] * (len(flow.values) - 2)]))

    monkeypatch.setattr("stirred.mechanisms.fast.nearest_point.flow_of_least_cost", wrong)
    monkeypatch.setattr("stirred.mechanisms.fast.nearest_point.first_flow", lambda network, flow, *_, **__: flow.values)
    asked = []
    honest = PieceProgram.solve
    monkeypatch.setattr(PieceProgram, "solve", lambda self: asked.append(1) or honest(self))
    assert fast_nearest(problem) == (3, 4)
    assert asked


BOX = tuple(Constraint(f"box {i}", ((i, 1),), None, 3) for i in range(4))


def can_be_met(size, constraints):
    """By the exhaustive solver: every variable is in a box from 0 to 3 beside."""
    try:
        exhaustive(NearestPoint(size, 0, (*constraints, *BOX[:size]), ()))
    except InfeasibleError:
        return False
    return True


@examples(15, at_night=150)
@given(nearest_points())
def test_a_conflict_is_irreducible_and_its_factors_prove_it(problem):
    if can_be_met(problem.size, problem.constraints):
        with pytest.raises(InputError, match="these can be met"):
            conflict(problem)
        return
    found = conflict(problem)
    assert not can_be_met(problem.size, found.constraints)
    for left in found.constraints:
        others = [one for one in found.constraints if one != left]
        # boxes are constraints like any other here, so that what is left without them is tried in a larger one
        wider = [Constraint(f"wide {i}", ((i, 1),), None, 30) for i in range(problem.size)]
        exhaustive(NearestPoint(problem.size, 0, (*others, *wider), ()))
    if found.factors is not None:
        assert contradiction(found.constraints, found.factors) > 0


def test_integers_alone_can_be_in_conflict():
    odd = Constraint("twice the count", ((0, 2),), 3, 3)
    found = conflict(NearestPoint(1, 1, (*BOX[:1], odd), ()))
    assert found.text().endswith("no integers meet these together: twice the count = 3")


def test_a_large_conflict_is_proved_and_its_first_constraints_are_named():
    each = [Constraint(f"cell {i}", ((i, 1),), 1, None) for i in range(60)]
    most = Constraint("all", tuple((i, 1) for i in range(60)), None, 59)
    spare = Constraint("spare", ((60, 1),), 1, None)
    found = conflict(NearestPoint(61, 61, (spare, *each, most), ()))
    assert contradiction(found.constraints, found.factors) == 1
    assert set(found.constraints) == {*each, most}
    assert "cell 11 >= 1 and 49 more (with the factors 1, 1" in found.text()
    assert found.text().endswith("and 49 more they add up to 0 >= 1)")


def test_a_conflict_of_totals_is_named_with_its_numbers():
    state = Constraint("population of A", ((0, 1), (1, 1)), 3, 3)
    blocks = [Constraint(f"persons in block {i}", ((i, 1),), 2, None) for i in range(2)]
    spare = Constraint("persons in block 3", ((2, 1),), 1, None)
    assert conflict(NearestPoint(3, 3, (spare, state, *blocks), ())).text() == (
        "no data set meets the constraints; these contradict each other: population of A = 3, "
        "persons in block 0 >= 2, persons in block 1 >= 2 (with the factors -1, 1, 1 they add up to 0 >= 1)"
    )


SCHEMA = RecordSchema(
    "person",
    {"kind": ("home", "jail", "ship"), "sex": ("f", "m"), "age": tuple(map(str, range(12))), "race": tuple("abcdefgh")},
    {"grown": Recode("age", {"young": tuple(map(str, range(4))), "old": tuple(map(str, range(4, 12)))})},
    (RecordRule("no children at sea", {"kind": ("ship",), "age": ("0", "1", "2")}),),
    Units("kind", {"jail": 1, "ship": 1}, {"jail": 99, "ship": 99}),
)

TOWNS = Geography({"US": None, "A": "US", "B": "US"})

QUERIES = ("total", "kind * grown", "sex * race", "age * sex", "kind * age * race", "detailed")


def design_of(schema=SCHEMA):
    groups = tuple(QueryGroup(one, "person", schema.marginal(one), Fraction(1, 6)) for one in QUERIES)
    kept = [KeptTotal(f"persons {level}", level, schema.rows("total")["total"]) for level in (1,)]
    kept += [KeptTotal(f"units {kind}", 2 - 1, schema.unit_row(kind)) for kind in schema.unit_types]
    return Design(
        TOWNS, schema.cell_parts, groups, tuple(kept), schema.edits, (Fraction(1, 2),) * 2, {"person": Fraction(1, 2)}
    )


def estimation_of(seed, persons, design, reproduced=None):
    random = np.random.default_rng(seed)
    chosen = design.open_cells[design.open_cells < SCHEMA.records]
    leaves = {}
    for leaf in TOWNS.leaves:
        counts = np.zeros(len(design.cells), dtype=np.int64)
        np.add.at(counts, random.choice(chosen[::5], persons), 1)
        kinds = counts[: SCHEMA.records].reshape(3, -1).sum(axis=1)
        counts[SCHEMA.records :] = np.maximum(1, kinds // 9)
        counts[np.flatnonzero(counts[: SCHEMA.records] == 0)[:3]] += 1  # so that every kind of unit has a person
        leaves[leaf] = SparseCounts.from_pairs(len(counts), dict(enumerate(counts.tolist())))
    histograms = design.summed(leaves)
    measured = keyed_measurements(design, histograms, bytes([seed] * 32))
    published = tuple(
        Published(KeptTotal(f"released {name}", 1, row), tuple(form_values([row], list(leaves.values())).T[0].tolist()))
        for name, row in (SCHEMA.rows(reproduced).items() if reproduced else ())
    )
    return Estimation(design, measured, invariants(design, histograms), published, rounded_point)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("weights", Weights)
def test_chosen_cells_have_what_all_cells_have(monkeypatch, seed, weights):
    monkeypatch.setattr(fast_topdown, "_FIRST", 40)
    design = replace(design_of(), weights=weights, tie=list(Tie)[seed % 2])
    one = estimation_of(seed, 60, design)
    on_all = estimate(one)
    on_chosen = estimate(replace(one, most_cells=0))
    assert len(design.open_cells) > 400
    assert on_chosen == on_all


def test_chosen_cells_have_totals_of_an_earlier_release(monkeypatch):
    monkeypatch.setattr(fast_topdown, "_FIRST", 40)
    one = estimation_of(5, 40, design_of(), "kind * grown * sex")
    found = estimate(replace(one, most_cells=0))
    assert found == estimate(one)
    for of in one.published:
        assert list(of.values) == form_values([of.aggregate.row], [found[leaf] for leaf in TOWNS.leaves]).T[0].tolist()


def test_more_cells_are_chosen_where_those_of_a_class_are_used_up(monkeypatch):
    """One person for each of 20 units at sea, of whom the measurements tell nothing: in every cell chosen at first."""
    monkeypatch.setattr(fast_topdown, "_FIRST", 40)
    design = design_of()
    sea, units = SCHEMA.marginal("kind").of(design.open_cells) == 2, SCHEMA.records + 2
    counts = {int(design.open_cells[sea][-1]): 20, units: 20, 0: 1, SCHEMA.records: 1}
    leaf = SparseCounts.from_pairs(len(design.cells), counts)
    histograms = design.summed(dict.fromkeys(TOWNS.leaves, leaf))
    measured = tuple(tuple([-5] * len(group.rows) for group in design.groups) for _ in TOWNS.nodes)
    one = Estimation(design, measured, invariants(design, histograms), (), rounded_point)
    assert estimate(replace(one, most_cells=0))["US"] == estimate(one)["US"]


def test_a_conflict_is_told_with_its_constraints():
    one = estimation_of(0, 5, design_of())
    totals = ((0, 0), *one.totals[1:])
    with pytest.raises(InputError, match=r"^level 0, US: .*persons 1 of A = 0"):
        estimate(replace(one, totals=totals, most_cells=0))


def test_the_nearest_integers_are_not_sought_among_many_cells():
    one = replace(estimation_of(0, 5, design_of()), most_cells=10, solver=lambda problem: ())
    with pytest.raises(InputError, match="among at most 10 cells at the root; it has 5"):
        estimate(one)
