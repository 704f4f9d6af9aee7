"""The line of a refuted claim and its witness name one pair, the one that needs most; the line can be recomputed.

What a refutation means in plain words: every number of the sentence is on the side on which the sentence is true.
"""

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
from stirred.spec.numbers.enclosure import exponential
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, TotalVariation
from stirred.spec.output_premetrics.base import mass
from stirred.verify.audit.audit_report import plain_sentence
from stirred.verify.audit.refutation import worst_pair
from stirred.verify.cli.main import main
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


F = Fraction
GAMMAS = (F(1), F(2), F(201, 100), F(10**6 + 1, 10**6))
EPSILONS = (F(0), F(7, 10), F(1, 10), F(3))


def witness(p, q, *, d=1, name="hamming_ordered", resolution="person", event=("yes",), delta=None, **budget):
    """A witness with P_x(E) = p and P_x'(E) = q at two data sets at distance d."""
    x, x_prime = ["a"] * 9, ["b"] * d + ["a"] * (9 - d)
    if name in ("symmetric_difference", "deletion_distance", "neighbors_add_remove_ordered"):
        x_prime = ["a"] * (9 - d)
    output = {"name": "multiplicative"} if delta is None else {"name": "approximate_multiplicative", "delta": delta}
    return {
        "kind": "loss",
        "x": x,
        "x_prime": x_prime,
        "event": list(event),
        "probability": str(p),
        "probability_prime": str(q),
        "claim": {
            "id": "a",
            "statement": "b",
            "input_premetric": {"name": name, "resolution": resolution, "data": "records"},
            "output_premetric": output,
            "budget": {key: str(value) for key, value in budget.items()},
        },
    }


def numbers(sentence):
    return [F(text) for text in re.findall(r"\d+(?:\.\d+)?(?:e-?\d+)?", sentence)]


def test_the_example_of_a_majority_has_a_factor_that_is_exact_and_a_promise_rounded_up():
    # e^0.7 = 2.01375..., which is not rounded to the nearest, 2.01, but upward
    assert plain_sentence(witness(F(11, 32), F(5, 32), epsilon="7/10")) == (
        'Changing the record of one person can make the output "yes" at least 2.2 times as likely; '
        "the claim promises at most 2.02 times."
    )


@pytest.mark.parametrize("d", [1, 2, 3])
@pytest.mark.parametrize("budget", [*({"gamma": one} for one in GAMMAS), *({"epsilon": one} for one in EPSILONS)])
@pytest.mark.parametrize("excess", [F(3), F(11, 10), F(1001, 1000), F(10**7 + 1, 10**7)])
def test_the_factor_is_rounded_down_and_the_promise_up_whatever_they_are(d, budget, excess):
    power = (
        Loss(budget["gamma"]).times(d).ratio(60) if "gamma" in budget else exponential(budget["epsilon"] * d, digits=60)
    )
    q = F(1, 10**6)
    ratio = power.upper * excess
    said = plain_sentence(witness(q * ratio, q, d=d, **budget))
    likelier, promised = numbers(said.partition("at least ")[2])
    assert promised < likelier <= ratio
    assert promised >= power.upper
    assert f"Changing {'the record of one person' if d == 1 else f'{d} records, each of one person,'} can make" in said


@pytest.mark.parametrize(
    ("p", "q"), [(F(1, 2), F(1, 5)), (F(9, 10), F(1, 3)), (F(223457, 10**6), F(1, 17)), (F(1, 8), 0)]
)
@pytest.mark.parametrize(("gamma", "delta"), [(F(2), "1/100"), (F(1), "1/1000"), (F(3, 2), "1/7919")])
def test_of_epsilon_and_delta_both_probabilities_are_rounded_so_that_the_sentence_is_true(p, q, gamma, delta):
    allowed = gamma * q + F(delta)
    said = plain_sentence(witness(p, q, gamma=gamma, delta=delta))
    before, after, promised = numbers(said.partition("from ")[2])
    assert q <= before
    assert allowed <= promised < after <= p
    assert ("from 0 to" in said) == (q == 0)


def test_what_was_impossible_and_becomes_possible_has_its_probability_rounded_down():
    assert plain_sentence(witness(F(2, 3), 0, gamma=2)) == (
        'Changing the record of one person can make the output "yes" possible, with probability at least 0.666, where '
        "it was impossible; no epsilon allows that."
    )


@pytest.mark.parametrize(
    ("name", "d", "resolution", "begins"),
    [
        ("hamming_unordered", 2, "household", "Changing 2 records, each of one household, can"),
        ("neighbors_replace_one_ordered", 1, "voter", "Changing the record of one voter can"),
        ("symmetric_difference", 1, "person", "Adding or removing the record of one person can"),
        ("deletion_distance", 3, "record", "Adding or removing 3 records can"),
        ("neighbors_add_remove_ordered", 1, None, "Adding or removing one record can"),
    ],
)
def test_the_subject_is_what_a_step_of_the_premetric_does_to_its_unit(name, d, resolution, begins):
    assert plain_sentence(witness(F(1, 2), F(1, 100), name=name, d=d, resolution=resolution, gamma=2)).startswith(
        begins
    )


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (["7/2"], "the output 7/2 "),
        ([["a", 1]], 'the output ["a", 1] '),
        (["yes", 2], 'an output among "yes", 2 '),
        (list(range(5)), "an output in a set of 5 "),
        (["x" * 100], "the output of the counterexample "),
    ],
)
def test_the_event_is_named_where_it_is_short(event, words):
    assert f"can make {words}at least" in plain_sentence(witness(F(1, 2), F(1, 100), event=event, gamma=2))


def test_nothing_is_said_of_what_no_such_sentence_can_be_said():
    good = witness(F(1, 2), F(1, 100), gamma=2)
    assert plain_sentence(good)
    claim = good["claim"]
    explicit = {
        "name": "explicit",
        "data": "records",
        "resolution": None,
        "distances": [[good["x"], good["x_prime"], "1"]],
    }
    for changed in (
        {"output_premetric": {"name": "total_variation"}, "budget": {"epsilon": "1/10"}},
        {"output_premetric": {"name": "normalized_renyi"}, "budget": {"rho_squared": "1/10"}},
        {"output_premetric": {"name": "tradeoff"}, "budget": {"curve": [["0", "0"], ["1", "1"]]}},
        {"input_premetric": explicit},
    ):
        assert plain_sentence({**good, "claim": {**claim, **changed}}) == ""
    assert plain_sentence({**good, "x": good["x_prime"]}) == ""  # at distance 0 nobody's record changes
    assert plain_sentence({"kind": "formula", "claimed": "a <= 1", "values": {"a": "2"}}) == ""
    assert plain_sentence({**good, "claim": {"id": "a", "statement": "b"}}) == ""
    assert plain_sentence(None) == ""


@pytest.mark.parametrize("budget", [{"gamma": F(10**12)}, {"epsilon": F(50)}])
def test_nothing_is_said_in_numbers_that_nobody_reads(budget):
    assert plain_sentence(witness(F(1), F(1, 10**30), **budget)) == ""


def test_a_terminal_and_a_page_say_it_under_the_verdict(capsys):
    said = "A difference of 1 in the data can make the output 0 at least 1.18 times as likely"
    main(["audit", "tests/claims/geometric.toml", "--format", "html"])
    assert f"<p>{said}; the claim promises at most 1.11 times.</p>" in capsys.readouterr().out
    main(["audit", "tests/claims/geometric.toml", "--color", "always"])
    assert f" means {said}" in " ".join(capsys.readouterr().out.split())
    main(["audit", "tests/claims/coin.toml", "--color", "always"])
    assert " means " not in capsys.readouterr().out
