"""The line of a refuted claim and its witness name one pair, the one that needs most; the line can be recomputed."""

import re
from fractions import Fraction
from math import exp, isclose

import pytest
from claim_texts import answer, audited
from hypothesis import given
from hypothesis import strategies as st

import stirred
from stirred.spec import Law, Loss
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import InputPremetric
from stirred.spec.blocks.multiverse import vacuous
from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import INFINITE
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, TotalVariation
from stirred.spec.output_premetrics.base import mass
from stirred.verify.audit.refutation import worst_pair
from stirred.verify.engines.exhaustive import smallest_budget
from stirred.verify.evidence.verdict import Verdict

BLOCKS = """\
id = "own"
statement = "A noisy answer satisfies its budget."
[domain]
data_sets = [0, 1, 2]
[multiverse]
invariants = []
[input_premetric]
name = "absolute_difference"
resolution = "person"
[mechanism]
name = "kernel"
laws = [
  [0, [["a", "1/2"], ["b", "3/8"], ["c", "1/8"]]],
  [1, [["a", "3/8"], ["b", "3/8"], ["c", "1/4"]]],
  [2, [["a", "1/16"], ["b", "1/2"], ["c", "7/16"]]],
]
"""
MEASURES = {
    "pure": ('name = "multiplicative"', 'epsilon = "0.3"'),
    "gamma": ('name = "multiplicative"', "gamma = 2"),
    "approximate": ('name = "approximate_multiplicative"\ndelta = "1/20"', 'epsilon = "0.3"'),
    "total variation": ('name = "total_variation"', 'epsilon = "1/10"'),
}
LAWS = {
    0: {"a": Fraction(1, 2), "b": Fraction(3, 8), "c": Fraction(1, 8)},
    1: {"a": Fraction(3, 8), "b": Fraction(3, 8), "c": Fraction(1, 4)},
    2: {"a": Fraction(1, 16), "b": Fraction(1, 2), "c": Fraction(7, 16)},
}
APPROXIMATE = ApproximateMultiplicative(Fraction(1, 20))
LINE = re.compile(
    r"; x = (?P<x>\d), x' = (?P<y>\d), d = (?P<d>\d), E = \{(?P<event>.*)\}: "
    r"P\[E \| x\] = (?P<p>\S+) > (?P<allowed>.*) = (?P<symbols>.*P\[E \| x'\].*) \((?P<left>\S+) > (?P<right>\S+)\)$"
)


def refuted(tmp_path, name):
    measure, budget = MEASURES[name]
    text = BLOCKS.replace("[mechanism]", f"[output_premetric]\n{measure}\n[budget]\n{budget}\n[mechanism]")
    record = audited(tmp_path, text)
    assert record.verdict is Verdict.REFUTED
    return record, answer(record, "budget")


@pytest.mark.parametrize("name", MEASURES)
def test_the_line_and_the_witness_name_one_pair_and_one_event(tmp_path, name):
    record, found = refuted(tmp_path, name)
    line = LINE.search(found.detail)
    assert line, found.detail
    assert record.sentence == found.detail
    x, y = int(line["x"]), int(line["y"])
    assert (found.witness["x"], found.witness["x_prime"]) == (x, y)
    event = line["event"].split(", ")
    assert found.witness["event"] == event
    p, q = (sum(LAWS[one][outcome.strip("'")] for outcome in event) for one in (x, y))
    assert line["p"] == str(p) == found.witness["probability"]
    assert str(q) == found.witness["probability_prime"]
    assert str(q) in line["allowed"]


@pytest.mark.parametrize("name", MEASURES)
def test_the_line_can_be_recomputed_by_hand(tmp_path, name):
    _, found = refuted(tmp_path, name)
    line = LINE.search(found.detail)
    written = re.sub(r"e\^([0-9.]+)", r"exp(\1)", line["allowed"]).replace("^", "**")
    allowed = eval(written, {"exp": exp})  # noqa: S307 what the line says, as a calculator would read it
    assert float(Fraction(line["p"])) >= float(line["left"]) > float(line["right"]) >= allowed - 1e-12
    assert isclose(float(line["right"]), allowed, rel_tol=1e-5)


@pytest.mark.parametrize(
    ("name", "pair"),
    # likelihoods of a: the ratio is 6 between 1 and 2; 8 between 0 and 2, at distance 2, and √8 < 6; 4/3 between 0
    # and 1, where c has 2; total variation: 5/16 between 1 and 2, (7/16)/2 between 0 and 2, 1/8 between 0 and 1
    [("pure", {1, 2}), ("gamma", {1, 2}), ("approximate", {1, 2}), ("total variation", {1, 2})],
)
def test_the_pair_is_the_one_that_needs_most(tmp_path, name, pair):
    record, found = refuted(tmp_path, name)
    assert {found.witness["x"], found.witness["x_prime"]} == pair
    needed = answer(record, "mechanism").detail
    assert all(f"= {x}" in needed for x in pair)


WEIGHTS = st.lists(st.integers(0, 6), min_size=3, max_size=3).filter(any)


@given(st.lists(WEIGHTS, min_size=3, max_size=3), st.sampled_from([Multiplicative(), APPROXIMATE, TotalVariation()]))
def test_at_the_worst_pair_the_event_needs_the_whole_smallest_budget(rows, measure):
    laws = {x: Law({t: Fraction(w, sum(row)) for t, w in enumerate(row) if w}) for x, row in enumerate(rows)}
    domain = FiniteDomain(tuple(laws))
    distance = InputPremetric("absolute_difference", "person", lambda x, y: abs(x - y))
    flavor = Flavor(domain, vacuous(domain), distance, measure)
    needed, pair = smallest_budget(laws, flavor)
    if pair is None:
        return
    worst = worst_pair(laws, measure, pair, distance)
    p, q = (mass(law, worst.event) for law in worst.laws)
    delta = measure.parameters.get("delta", 0)
    assert {worst.x, worst.x_prime} == set(pair)
    assert p > q
    if isinstance(needed, Loss):
        beyond = INFINITE if q == 0 else Loss((p - delta) / q)
        assert beyond == needed.times(worst.distance)
    else:
        assert p - q == needed * worst.distance


def two_answers(data, source):
    return tuple(value if source.bernoulli(Fraction(1, 10)) else None for value in data)


PAIRS = stirred.ordered_data_sets((0, 1), [2])


def test_a_pair_beyond_neighbours_that_refutes_a_delta_names_the_distance_of_neighbours():
    claim = {"data_sets": PAIRS, "epsilon": 0, "delta": "1/10"}
    found = stirred.audit(two_answers, distance="hamming_ordered", **claim)
    assert found.verdict is Verdict.REFUTED
    assert "d = 2" in found.because
    assert found.because.endswith(
        "; classically (epsilon, delta) is about neighbours only: the distance 'neighbors_replace_one_ordered' says so"
    )
    assert stirred.audit(two_answers, distance="neighbors_replace_one_ordered", **claim).holds


def test_where_no_relation_is_known_the_hint_says_what_it_would_be():
    def counts(data, source):
        return two_answers(range(1, data + 1), source)

    def far(x, y):
        return abs(x - y)

    for distance in ("absolute_difference", far):
        found = stirred.audit(counts, data_sets=(1, 3), distance=distance, epsilon=0, delta="1/10")
        assert found.because.endswith("neighbours only: a distance that is infinite for all other pairs says so")


@pytest.mark.parametrize(
    "claim",
    [
        {"distance": "hamming_ordered", "epsilon": 1},  # no delta
        {"distance": "bounded", "epsilon": 0, "delta": "1/20"},  # neighbours alone
    ],
)
def test_other_refutations_have_no_hint_of_neighbours(claim):
    found = stirred.audit(two_answers, data_sets=PAIRS, **claim)
    assert found.verdict is Verdict.REFUTED
    assert "classically" not in found.because
