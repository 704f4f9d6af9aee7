from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import check_refused, each
from strategies import laws, open_probabilities

from stirred.mechanisms import Source, exact_law
from stirred.spec import SYMBOL, InputError, Law
from stirred.spec.laws.law import point_mass
from stirred.spec.laws.law import product as joint

HALF = Fraction(1, 2)


def test_a_mechanism_without_choices_is_a_point_mass():
    assert exact_law(lambda data, source: data, "x") == point_mass("x")


@given(laws())
def test_a_choice_has_its_weights(law):
    weights = [law[t] for t in range(4)]
    assert exact_law(lambda data, source: source.choose(weights), None) == law


@given(laws(3), laws(2))
def test_choices_in_a_row_are_independent(first, second):
    def mechanism(data, source):
        return source.choose([first[t] for t in range(3)]), source.choose([second[t] for t in range(2)])

    assert exact_law(mechanism, None) == joint(first, second)


def test_choices_may_depend_on_earlier_ones():
    def mechanism(data, source):
        return source.uniform(1 + source.uniform(3))

    # a third each of (1), (1/2, 1/2) and (1/3, 1/3, 1/3)
    assert exact_law(mechanism, None) == Law({0: Fraction(11, 18), 1: Fraction(5, 18), 2: Fraction(1, 9)})


def test_a_branch_of_probability_zero_is_never_run():
    def mechanism(data, source):
        if source.bernoulli(data):
            raise RuntimeError("impossible")
        return "possible"

    assert exact_law(mechanism, 0) == point_mass("possible")
    with pytest.raises(RuntimeError):
        exact_law(mechanism, HALF)


@given(open_probabilities)
def test_a_restart_at_the_top_conditions_the_whole_law(p):
    def mechanism(data, source):
        pair = source.bernoulli(p), source.bernoulli(p)
        if pair[0] == pair[1]:
            source.restart()
        return pair[0]

    # von Neumann's fair coin
    assert exact_law(mechanism, None) == Law({True: HALF, False: HALF})


def test_an_attempt_conditions_its_body_only():
    def mechanism(data, source):
        first = source.bernoulli(Fraction(1, 3))

        def body(inner):
            value = inner.uniform(4)
            if value == 3 or (first and value == 0):
                inner.restart()
            return value

        return first, source.attempt(body)

    law = exact_law(mechanism, None)
    assert law.push(lambda pair: pair[0]) == Law({True: Fraction(1, 3), False: Fraction(2, 3)})
    assert law[True, 1] == Fraction(1, 6)
    assert law[False, 1] == Fraction(2, 9)


def test_an_attempt_inside_an_attempt_is_conditioned_first():
    def inner(source):
        value = source.uniform(4)
        if value == 3:
            source.restart()
        return value

    def outer(source):
        total = source.attempt(inner) + source.attempt(inner)
        if total == 0:
            source.restart()
        return total

    # two uniform digits 0, 1, 2, their sum given that it is not 0: 8 equally likely pairs are left
    expected = Law({1: Fraction(2, 8), 2: Fraction(3, 8), 3: Fraction(2, 8), 4: Fraction(1, 8)})
    assert exact_law(lambda data, source: source.attempt(outer), None) == expected


def test_a_restart_after_an_attempt_belongs_to_the_enclosing_one():
    def body(source):
        kept = source.attempt(lambda inner: inner.uniform(2))
        if kept:
            source.restart()
        return kept

    assert exact_law(lambda data, source: (source.uniform(2), source.attempt(body)), None) == Law(
        {(0, 0): HALF, (1, 0): HALF}
    )


def test_what_chooses_for_ever_is_stopped_by_the_budget():
    def mechanism(data, source):
        while not source.bernoulli(HALF):
            pass
        return 1

    with pytest.raises(InputError, match=r"more than 1000 choices: write rejection loops as source.attempt"):
        exact_law(mechanism, None, choice_budget=1000)


def test_the_budget_counts_the_choices_of_attempts_too():
    def body(source):
        return sum(source.uniform(2) for _ in range(10))

    with pytest.raises(InputError, match="more than 100 choices"):
        exact_law(lambda data, source: source.attempt(body), None, choice_budget=100)


def test_an_attempt_must_draw_from_the_source_that_it_is_given():
    # reading the outer source inside would return an outcome of the wrong choice: 1 instead of 11
    def mechanism(data, source):
        return source.attempt(lambda inner: 10 + source.uniform(2))

    with pytest.raises(InputError, match="must draw from the source that it is given"):
        exact_law(mechanism, None)


def test_the_source_of_an_attempt_is_useless_after_it():
    def mechanism(data, source):
        kept = []
        source.attempt(kept.append)
        return kept[0].uniform(2)

    with pytest.raises(InputError, match="must draw from the source that it is given"):
        exact_law(mechanism, None)


@pytest.mark.parametrize("weights", [(0.5, 0.5), (HALF,), (), (HALF, HALF, HALF), (2, -1), (True,), ("1",)])
def test_weights_must_be_exact_probabilities_that_sum_to_1(weights):
    with pytest.raises(InputError):
        exact_law(lambda data, source: source.choose(weights), None)


@given(st.integers(0, 5))
def test_a_permutation_is_uniform(n):
    law = exact_law(lambda data, source: source.permutation(n), None)
    assert len(law) == len({tuple(sorted(order)) for order in law}) * len(law)
    assert set(law.values()) == {Fraction(1, len(law))}


@given(open_probabilities)
def test_an_open_parameter_gives_the_law_at_every_value(p):
    def mechanism(data, source, rate):
        def body(inner):
            pair = inner.bernoulli(rate), inner.bernoulli(rate)
            if sum(pair) == 1:
                inner.restart()
            return pair

        return source.attempt(body)

    assert exact_law(mechanism, None, rate=SYMBOL).at(p) == exact_law(mechanism, None, rate=p)


THIRD = Fraction(1, 3)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ((HALF, HALF), (THIRD, 1 - THIRD)),
        ((THIRD, 1 - THIRD), (1 - THIRD, THIRD)),
        ((HALF, HALF), (HALF, HALF - Fraction(1, 10**40), Fraction(1, 10**40))),
        ((HALF, HALF, 0), (HALF, HALF)),
    ],
)
@pytest.mark.parametrize("depth", [0, 2])
def test_weights_that_change_from_run_to_run_are_refused(first, second, depth):
    """Law and sum would be right with either weights: only their comparison shows that a hidden state chose them."""
    runs = iter(range(1000))

    def mechanism(data, source):
        weights = second if next(runs) else first
        return tuple(source.choose((HALF, HALF)) for _ in range(depth)), source.choose(weights)

    with pytest.raises(
        InputError, match="all of its randomness from its source; two runs on the same choices differed"
    ):
        exact_law(mechanism, None)


def test_the_same_weights_written_otherwise_are_the_same():
    runs = iter(range(1000))

    def mechanism(data, source):
        return source.choose([Fraction(1), Fraction(0)] if next(runs) % 2 else (1, 0)), source.uniform(2)

    assert exact_law(mechanism, None) == Law({(0, 0): HALF, (0, 1): HALF})


def test_a_run_that_makes_fewer_or_more_choices_than_before_is_refused():
    for flip in (0, 1):
        runs = iter(range(1000))

        def mechanism(data, source, *, runs=runs, flip=flip):
            is_first = next(runs) == 0
            kept = source.uniform(2)
            return (kept, source.uniform(2)) if is_first == bool(flip) else (kept, 0)

        if flip:
            with pytest.raises(InputError, match="two runs on the same choices differed"):
                exact_law(mechanism, None)
        else:  # more choices on a path that was not followed before are no contradiction
            assert sum(exact_law(mechanism, None).values()) == 1


def test_the_budget_is_the_number_of_choices_that_are_followed():
    def mechanism(data, source):
        return source.uniform(2), source.uniform(2)

    assert len(exact_law(mechanism, None, choice_budget=3)) == 4  # the first one, and one after each of its outcomes
    with pytest.raises(InputError, match="made more than 2 choices"):
        exact_law(mechanism, None, choice_budget=2)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: exact_law(lambda data, source: source.restart(), None), "probability 1"),
        (lambda: exact_law(lambda data, source: source.attempt(Source.restart), None), "probability 1"),
        (lambda: exact_law(lambda data, source: [1], None), "hashable"),
        *each(
            lambda weights: exact_law(lambda data, source: source.choose(weights), None),
            [{0: HALF, 1: HALF}, {HALF}, iter((HALF, HALF)), "01", None],
            "weights must be a list or tuple of probabilities, by index; got ",
        ),
        *each(lambda n: exact_law(lambda data, source: source.uniform(n), None), [0, -1, 2.0, True], "n must be"),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)
