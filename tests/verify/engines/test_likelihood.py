from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import laws, open_probabilities, tables

from stirred.mechanisms import exact_law, permutation_swapping
from stirred.mechanisms.choice_follower import ChoiceBudget, follow
from stirred.mechanisms.choice_runs import Runs
from stirred.mechanisms.permutation_swapping import table_records
from stirred.mechanisms.run_lister import list_runs
from stirred.spec import INFINITE, Law, Loss
from stirred.verify.engines import likelihood
from stirred.verify.engines.likelihood import CheckedLaws, approximate_law, check_against, check_ratio
from stirred.verify.evidence.finding import EngineError


@given(tables(records=4), open_probabilities)
def test_the_swapping_law_has_the_same_value_at_60_digits(table, p):
    records = table_records(table)
    law = exact_law(permutation_swapping, records, swap_rate=p)
    check_against(law, approximate_law(permutation_swapping, records, swap_rate=p), "law")


@given(laws(3, positive=True), laws(3, positive=True))
def test_nested_attempts_and_restarts_have_the_same_value(first, second):
    weights = [[law[t] for t in range(3)] for law in (first, second)]

    def inner(source):
        value = source.choose(weights[0])
        if value == 2:
            source.restart()
        return value

    def outer(source):
        total = source.choose(weights[1]) + source.attempt(inner) + source.attempt(inner)
        if total == 0:
            source.restart()
        return total

    def mechanism(data, source):
        result = source.attempt(inner), source.attempt(outer)
        if result == (0, 1):
            source.restart()
        return result

    check_against(exact_law(mechanism, None), approximate_law(mechanism, None), "law")


def test_two_attempts_without_a_choice_between_them_are_told_apart():
    def half(source):
        if source.uniform(2):
            source.restart()
        return 0

    def third(source):
        source.attempt(half)
        if source.uniform(3):
            source.restart()
        return source.uniform(2)

    value = approximate_law(lambda data, source: source.attempt(third), None)
    assert {outcome: float(mass) for outcome, mass in value.items()} == {0: 0.5, 1: 0.5}


def test_a_point_mass_has_the_value_one():
    assert approximate_law(lambda data, source: data, "x") == {"x": 1}
    check_against(exact_law(lambda data, source: source.choose((1, 0)), None), {0: Fraction(1)}, "law")


TOLERANCE = Fraction(1, 10**50)


@given(open_probabilities, st.sampled_from([-1, 1]), st.integers(1, 9), st.integers(45, 55))
def test_a_probability_may_differ_by_the_tolerance_and_no_more(p, sign, digit, places):
    """The computations agree to about 60 digits, so a difference d·10^-k is seen as soon as it is above 10^-50."""
    shift = Fraction(digit, 10**places)
    value = approximate_law(lambda data, source: source.bernoulli(p), None)
    law = Law({True: p + sign * shift, False: 1 - p - sign * shift})
    if shift == TOLERANCE:
        return
    if shift < TOLERANCE:
        check_against(law, value, "law")
    else:
        with pytest.raises(EngineError, match=r"law: the exact probability of .* and its independent value disagree"):
            check_against(law, value, "law")


def test_an_outcome_that_only_one_computation_has_is_a_disagreement():
    sure = Law({0: 1})
    with pytest.raises(EngineError, match="of 1 and its independent value"):
        check_against(sure, {**approximate_law(lambda data, source: 0, None), 1: Fraction(1, 10**40)}, "law")
    with pytest.raises(EngineError, match="of 0 and its independent value"):
        check_against(sure, {}, "law")


@pytest.mark.parametrize("places", [40, 50, 60, 1000])
def test_an_outcome_of_one_computation_alone_is_a_disagreement_however_improbable(places):
    rare = Fraction(1, 10**places)
    value = approximate_law(lambda data, source: source.choose((1 - rare, rare)), None)
    law, others = Law({0: 1 - rare, 1: rare}), {0: value[0]}
    check_against(law, value, "law")
    for one, other in ((law, others), (Law({0: 1}), {0: 1, 1: value[1]})):
        with pytest.raises(EngineError, match="of 1 and its independent value disagree"):
            check_against(one, other, "law")


@given(open_probabilities, open_probabilities, st.sampled_from([-1, 1]), st.integers(1, 5), st.integers(45, 55))
def test_a_loss_may_differ_by_the_tolerance_and_no_more(p, q, sign, distance, places):
    """|ln p − ln q| against ln(γ)/d: where γ is changed by the factor 1 ± s, ln(γ)/d is changed by about s/d."""
    high, low = max(p, q), min(p, q) / 2
    power, shift = (high / low) ** distance, Fraction(1, 10**places)
    check_ratio(high, low, Loss(power, distance), "loss")
    check_ratio(low, high, Loss(power, distance), "loss")
    wrong = Loss(power * (1 + sign * shift), distance)
    if shift / distance < TOLERANCE * Fraction(9, 10):
        check_ratio(high, low, wrong, "loss")
    elif shift / distance > TOLERANCE * Fraction(11, 10):
        with pytest.raises(EngineError, match="loss: the exact loss and its independent value disagree"):
            check_ratio(high, low, wrong, "loss")


def test_an_infinite_loss_is_one_where_a_single_probability_is_zero():
    half, none = Fraction(1, 2), Fraction(0)
    check_ratio(half, none, INFINITE, "loss")
    check_ratio(none, half, INFINITE, "loss")
    for p, q, loss in ((half, half, INFINITE), (none, none, INFINITE), (half, none, Loss(9)), (none, half, Loss(9))):
        with pytest.raises(EngineError, match="disagree about being infinite"):
            check_ratio(p, q, loss, "loss")


def biased(share, outputs):
    """Two answers by one weight."""

    def program(source):
        answer = source.attempt(lambda inner: inner.bernoulli(share))
        return outputs[answer], source.choose((share, 1 - share))

    return program


@pytest.mark.parametrize("most", [1, 2, 2_000], ids=["forgets always", "forgets often", "keeps all"])
def test_laws_are_given_and_checked_one_after_another_whatever_is_kept(monkeypatch, most):
    monkeypatch.setattr(likelihood, "_MOST_SHAPES", most)
    checked = CheckedLaws()
    for share in [Fraction(1, n) for n in (2, 3, 4, 3, 2)]:
        for outputs in ("ab", "cd", "aa"):
            program = biased(share, outputs)
            tree, runs = follow(program, ChoiceBudget(100)), list_runs(program, 100)
            law = checked.law(tree)
            assert dict(law) == dict(exact_law(lambda data, source, program=program: program(source), None))
            assert checked.exact(runs) == dict(law)
            checked.check(law, runs)
            other = Runs([row[::-1] for row in runs.weights], runs.outputs, runs.nodes)
            if share == Fraction(1, 2):
                checked.check(law, other)
                continue
            assert checked.exact(other) != dict(law)
            with pytest.raises(EngineError, match="and its independent value disagree"):
                checked.check(law, other)
            with pytest.raises(EngineError, match="and its independent value disagree"):
                checked.check(law, Runs(runs.weights, [*runs.outputs[:-1], "another"], runs.nodes))
            checked.check(law, runs)


def test_equal_numbers_of_laws_are_one_object_while_they_are_kept():
    checked = CheckedLaws()
    laws = [checked.law(follow(biased(Fraction(1, 2), outputs), ChoiceBudget(100))) for outputs in ("ab", "cd")]
    assert len({id(mass) for law in laws for mass in law.values()}) == 1
