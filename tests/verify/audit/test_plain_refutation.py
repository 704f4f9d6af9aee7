"""What a refutation means in plain words: every number of the sentence is on the side on which the sentence is true."""

import re
from fractions import Fraction

import pytest

from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.enclosure import exponential
from stirred.verify.audit.audit_report import plain_sentence
from stirred.verify.cli import main

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
