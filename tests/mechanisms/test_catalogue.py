"""Small mechanisms of the catalogue, and those that were published wrong: which budgets they meet.

Counts given by what is not 0 are released as they are when they are written out.
"""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from noisy_comparisons import (
    answers_specification,
    report_noisy_max,
    report_noisy_max_budget,
    sparse_vector,
    sparse_vector_budget,
)
from refusals import check_refused, each
from strategies import open_probabilities

from stirred.mechanisms import clamped_geometric, exact_law, randomized_response, truncated_geometric
from stirred.mechanisms.das.topdown import QueryGroup
from stirred.mechanisms.das.topdown.cell_names import CellNames
from stirred.mechanisms.das.topdown.integers import Box, Marginal, SparseCounts, at, nonzero
from stirred.mechanisms.das.topdown.leaf_classes import cell_classes
from stirred.mechanisms.das.topdown.schema import Recode, RecordSchema, Units
from stirred.spec import INFINITE, Loss, Multiplicative, hamming_ordered
from stirred.verify.engines.exhaustive import check_specification, mechanism_laws, smallest_budget
from stirred.verify.evidence.verdict import Verdict

ANSWERS = list(product((0, 1), repeat=3))


def laws(p):
    return {x: exact_law(randomized_response, x, flip_probability=p) for x in ANSWERS}


@given(open_probabilities)
def test_the_loss_is_the_absolute_log_odds_per_flipped_answer(p):
    one = Loss(max(p / (1 - p), (1 - p) / p))
    d = hamming_ordered("answer")
    released = laws(p)
    for x, y in product(ANSWERS, ANSWERS):
        assert Multiplicative().distance(released[x], released[y]) == one.times(d(x, y))


@pytest.mark.parametrize("p", [0, 1])
def test_certain_answers_lose_everything(p):
    released = laws(p)
    assert all(
        Multiplicative().distance(released[x], released[y]) == INFINITE for x, y in product(ANSWERS, ANSWERS) if x != y
    )


def test_the_last_answer_is_flipped_too():
    law = exact_law(randomized_response, (0, 0), flip_probability=Fraction(1, 3))
    assert law.push(lambda z: z[-1])[1] == Fraction(1, 3)


def test_no_answers_are_no_choice():
    assert exact_law(randomized_response, (), flip_probability=Fraction(1, 3))[()] == 1


ratios = st.builds(lambda a, b: Fraction(a, a + b), st.integers(1, 6), st.integers(1, 6))
sizes = st.integers(2, 7)


def neighbour_losses(mechanism, size, ratio):
    laws = [exact_law(mechanism, x, size=size, ratio=ratio) for x in range(size)]
    return [Multiplicative().distance(laws[x], laws[x + 1]) for x in range(size - 1)]


@given(sizes, ratios)
def test_the_clamped_law_is_two_sided_folded_onto_its_ends_with_the_loss_of_the_unbounded_noise(size, ratio):
    assert set(neighbour_losses(clamped_geometric, size, ratio)) == {Loss(1 / ratio)}
    for x in range(size):
        law = exact_law(clamped_geometric, x, size=size, ratio=ratio)
        for t in range(1, size - 1):
            assert law[t] == (1 - ratio) / (1 + ratio) * ratio ** abs(t - x)
        # the tail below 0: (1-a)/(1+a) (a^x + a^(x+1) + ...) = a^x / (1+a)
        assert law[0] == ratio**x / (1 + ratio)


@given(sizes, ratios)
def test_the_truncated_law_has_geometric_weights_and_once_to_twice_the_loss_of_the_unbounded_noise(size, ratio):
    law = exact_law(truncated_geometric, 0, size=size, ratio=ratio)
    assert all(law[t + 1] == ratio * law[t] for t in range(size - 1))
    worst = max(neighbour_losses(truncated_geometric, size, ratio))
    assert Loss(1 / ratio) <= worst <= Loss(1 / ratio**2)
    assert (worst == Loss(1 / ratio)) == (size == 2)


@pytest.mark.parametrize("mechanism", [clamped_geometric, truncated_geometric])
def test_one_possible_count_is_released_as_it_is(mechanism):
    assert exact_law(mechanism, 0, size=1, ratio=Fraction(1, 2))[0] == 1


HALF = Fraction(1, 2)
NOISE = {"threshold": 1, "threshold_ratio": HALF, "query_ratio": HALF}
threshold_ratios = st.sampled_from([HALF, Fraction(1, 3), Fraction(2, 3)])


def bits(length):
    return tuple(product((0, 1), repeat=length))


def smallest(mechanism, data_sets, claimed, **parameters):
    """The smallest budget and the verdict on the claimed one."""
    specification = answers_specification(data_sets, claimed)
    laws = mechanism_laws(mechanism, specification.flavor.domain, **parameters)
    verdict = check_specification(laws, specification, "all pairs").verdict
    return smallest_budget(laws, specification.flavor)[0], verdict


@settings(max_examples=6)
@given(threshold_ratios, threshold_ratios, st.integers(1, 2), st.integers(-1, 2))
def test_sparse_vector_meets_its_budget(threshold_ratio, query_ratio, positives, threshold):
    _, verdict = smallest(
        sparse_vector,
        bits(3),
        sparse_vector_budget(threshold_ratio, query_ratio, positives),
        threshold=threshold,
        threshold_ratio=threshold_ratio,
        query_ratio=query_ratio,
        positives=positives,
    )
    assert verdict is Verdict.EXHAUSTED


def test_the_loss_of_above_threshold_rises_to_its_budget_with_the_number_of_queries():
    losses = [
        smallest(sparse_vector, ((0,) * n + (1,), (1,) * n + (0,)), sparse_vector_budget(HALF, HALF), **NOISE)[0]
        for n in range(5)
    ]
    assert losses == sorted(losses)
    assert losses[-1] <= sparse_vector_budget(HALF, HALF) == Loss(8)


@settings(max_examples=4)
@given(threshold_ratios)
def test_report_noisy_max_meets_its_budget(ratio):
    _, verdict = smallest(report_noisy_max, bits(3), report_noisy_max_budget(ratio), ratio=ratio)
    assert verdict is Verdict.EXHAUSTED


def test_report_noisy_max_of_two_counts_is_a_comparison_of_two_draws():
    # index 0 iff X >= Y for independent draws; P(X = Y) = (1/9)(1 + 2(1/4 + 1/16 + ...)) = 5/27
    law = exact_law(report_noisy_max, (0, 0), ratio=HALF)
    assert law[0] == HALF + Fraction(5, 54)


SCHEMA = RecordSchema(
    "person",
    {"kind": ("house", "jail", "ship"), "age": ("0", "1", "2", "3"), "sex": ("f", "m")},
    {
        "away": Recode("kind", {"away": ("ship", "jail")}),
        "grown": Recode("age", {"old": ("2", "3"), "young": ("0", "1")}),
    },
    (),
    Units("kind", {"jail": 1}, {"ship": 9}),
)

QUERIES = ("total", "detailed", "sex * kind", "away", "grown * away * sex", "age * grown", "kind * away")
lists = st.lists(st.integers(-3, 9), min_size=1, max_size=9)


@given(lists)
def test_sparse_counts_are_the_sequence_they_were_made_of(dense):
    counts = SparseCounts(len(dense), *nonzero(dense))
    assert counts == tuple(dense)
    assert tuple(dense) == counts
    assert hash(counts) == hash(tuple(dense))
    assert [counts[place] for place in range(-len(dense), len(dense))] == dense + dense
    assert counts[1:] == tuple(dense[1:])
    assert counts.at(np.arange(len(dense))).tolist() == at(dense, np.arange(len(dense))).tolist() == dense
    assert counts != (*dense[:-1], dense[-1] + 1)
    assert counts != (*dense, 0)
    assert SparseCounts.sum_of(len(dense), [counts, dense]) == [2 * count for count in dense]
    with pytest.raises(IndexError, match="a cell must be below"):
        counts[len(dense)]


def _of_every_record(query):
    """The rows of a query from its definition, in the order of the first cell of each."""
    recodes = {name: {v: k for k, of in one.groups.items() for v in of} for name, one in SCHEMA.recodes.items()}
    found = {}
    for number, values in enumerate(product(*SCHEMA.attributes.values())):
        record = dict(zip(SCHEMA.attributes, values, strict=True))
        key = [
            recodes[one].get(record[SCHEMA.recodes[one].of]) if one in recodes else record[one]
            for one in SCHEMA.factors(query)
        ]
        if None not in key:
            found.setdefault(", ".join(key) or "total", [0] * 27)[number] = 1
    return {name: tuple(row) for name, row in found.items()}


@pytest.mark.parametrize("query", QUERIES)
def test_rows_of_a_query_are_found_by_strides(query):
    rows = SCHEMA.rows(query)
    assert list(rows.items()) == list(_of_every_record(query).items())
    marginal = SCHEMA.marginal(query)
    assert list(marginal) == list(rows.values())
    assert isinstance(marginal, Marginal)
    assert marginal == SCHEMA.marginal(query)
    assert repr(marginal) == repr(SCHEMA.marginal(query))
    assert hash(marginal) == hash(SCHEMA.marginal(query))
    assert [other for other in QUERIES if SCHEMA.marginal(other) == marginal] == [query]
    cells = np.arange(27)
    assert [row.at(cells).tolist() for row in marginal] == [list(row) for row in rows.values()]
    written, lazy = (QueryGroup(query, "person", of, 1) for of in (tuple(map(tuple, marginal)), marginal))
    counts = tuple(range(27))
    assert written.answers(0, counts).tolist() == lazy.answers(0, counts).tolist()
    some = np.array([3, 8, 25, 26])
    assert written.terms_within(0, some) == lazy.terms_within(0, some)
    assert written.squared_sensitivity == lazy.squared_sensitivity


def test_limits_of_units_are_rows_of_records_and_units():
    least, most = (edit.row for edit in SCHEMA.edits)
    assert least == (*(0,) * 8, *(-1,) * 8, *(0,) * 8, 0, 1, 0)
    assert most == (*(0,) * 16, *(1,) * 8, 0, 0, -9)


def test_names_of_cells_are_made_when_asked_for():
    names = SCHEMA.cell_parts
    assert isinstance(names, CellNames)
    assert [names.name(cell) for cell in range(27)] == list(names)
    assert repr(names) == repr(SCHEMA.cell_parts)
    assert (names.name(9), names["units: ship"], len(names)) == ("jail, 0, m", "unit", 27)


@given(st.lists(st.tuples(*(st.integers(-1, 1),) * 5), max_size=4))
def test_classes_are_the_cells_with_one_column(rows):
    columns = list(zip(*rows, strict=True)) if rows else [()] * 5
    numbers = {column: number for number, column in enumerate(dict.fromkeys(columns))}
    assert cell_classes(rows, 5).tolist() == [numbers[column] for column in columns]
    box = Box((5,), ((1, 3),), 5, 2)
    assert len(set(cell_classes([box, tuple(box)], 5).tolist())) == 2


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: exact_law(randomized_response, (0,), flip_probability=0.25), "float"),
        *(
            row
            for mechanism in (clamped_geometric, truncated_geometric)
            for row in each(
                lambda bad, mechanism=mechanism: exact_law(mechanism, bad[0], size=bad[1], ratio=bad[2]),
                [(-1, 3, HALF), (3, 3, HALF), (0, 0, HALF), (0, 3, 0), (0, 3, 1), (0, 3, 0.5), (1.0, 3, HALF)],
                "must be",
            )
        ),
        *each(
            lambda answers: exact_law(randomized_response, answers, flip_probability=Fraction(1, 3)),
            [(2,), (0, -1), ("yes",), (0.5,)],
            "answers must be 0 or 1; got",
        ),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)
