"""Unbounded draws: exact laws of comparisons against truncated sums, closed forms, and what may not be read.

Where it is released, the choices of the sampler, followed, have exactly the law of the draw.
"""

import copy
import operator
from collections import Counter
from contextlib import suppress
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tiers import examples

from stirred.mechanisms import clamped_geometric, exact_law, sample
from stirred.mechanisms.draws.unbounded_draw import extreme
from stirred.mechanisms.interpreters import sampling
from stirred.mechanisms.interpreters.choice_runs import run_masses
from stirred.mechanisms.interpreters.run_lister import list_runs
from stirred.mechanisms.noise.geometric import geometric_weights
from stirred.spec import SYMBOL, InputError

HALF = Fraction(1, 2)
ratios = st.sampled_from([HALF, Fraction(1, 3), Fraction(2, 5)])
COMPARISONS = (operator.ge, operator.gt, operator.le, operator.lt, operator.eq, operator.ne)
FARTHEST = {2: 12, 3: 7}
"""The largest value that is enumerated, by number of draws."""


@st.composite
def comparisons(draw, draws=3):
    """Steps that compare two draws plus a number, or one draw with a number."""
    first = draw(st.integers(0, draws - 1))
    second = draw(st.none() | st.integers(0, draws - 1))
    return draw(st.sampled_from(COMPARISONS)), first, second, draw(st.integers(-2, 2))


def answers(steps, values):
    """What the comparisons answer on these values; the second operand is always the one with the number."""
    return tuple(
        compare(values[first], (0 if second is None else values[second]) + number)
        for compare, first, second, number in steps
    )


def noisy(source, kinds):
    return [source.geometric(a) if kind == "geometric" else source.discrete_laplace(a) for kind, a in kinds]


def weight(kind, alpha, value):
    if kind == "geometric":
        return (1 - alpha) * alpha**value if value >= 0 else 0
    return (1 - alpha) / (1 + alpha) * alpha ** abs(value)


KINDS = st.tuples(st.sampled_from(["geometric", "laplace"]), ratios)


def check_against_truncated_sums(program, kinds):
    """Every exact probability is between the truncated sum and that sum plus all that was left out."""
    law = exact_law(lambda data, source: program(noisy(source, kinds)), None)
    found = Counter()
    far = FARTHEST[len(kinds)]
    tables = [{k: w for k in range(-far, far + 1) if (w := weight(*kind, k))} for kind in kinds]
    for values in product(*tables):
        found[program(values)] += prod(table[value] for table, value in zip(tables, values, strict=True))
    left_out = 1 - sum(found.values())
    assert left_out < Fraction(1, 50)
    for outcome in {*law, *found}:
        assert found[outcome] <= law[outcome] <= found[outcome] + left_out
    return law


@examples(10, at_night=120)
@given(st.lists(comparisons(draws=2), min_size=1, max_size=4), st.tuples(KINDS, KINDS))
def test_comparisons_of_two_draws_have_their_exact_law(steps, kinds):
    check_against_truncated_sums(lambda values: answers(steps, values), kinds)


@settings(max_examples=5)
@given(st.tuples(KINDS, KINDS, KINDS), st.tuples(*[st.integers(-2, 2)] * 3))
def test_orders_of_three_draws_have_their_exact_law(kinds, shifts):
    def order(values):
        shifted = [value + by for value, by in zip(values, shifts, strict=True)]
        return tuple(sorted(range(3), key=lambda i: shifted[i])), shifted.index(max(shifted))

    check_against_truncated_sums(order, kinds)


@examples(10, at_night=100)
@given(st.tuples(KINDS, KINDS), st.integers(-3, 3))
def test_sums_and_absolute_values_have_their_exact_law(kinds, threshold):
    check_against_truncated_sums(lambda values: (values[0] + values[1] >= threshold, abs(values[0]) > 1), kinds)


@examples(10, at_night=100)
@given(st.lists(comparisons(), min_size=1, max_size=3), st.tuples(KINDS, KINDS, KINDS))
def test_both_listings_give_one_law_or_refuse_a_cycle(steps, kinds):
    def program(source):
        return answers(steps, noisy(source, kinds))

    def law_of(listing):
        """The law; None where the comparisons link three draws in a cycle."""
        with suppress(InputError):
            return listing()
        return None

    law = law_of(lambda: dict(exact_law(lambda data, source: program(source), None)))
    assert law == law_of(lambda: run_masses(list_runs(program, 10**6), lambda row: row))


def test_a_cycle_of_three_comparisons_is_refused():
    def mechanism(data, source):
        x, y, z = (source.geometric(HALF) for _ in range(3))
        return x >= y and x >= z + 1 and y >= z - 2 and y <= z + 2

    with pytest.raises(InputError, match="link three draws or more in a cycle"):
        exact_law(mechanism, None)


@given(st.integers(0, 4), ratios)
def test_a_clamped_draw_is_the_clamped_geometric_mechanism(count, alpha):
    law = exact_law(lambda data, source: source.clamp(data + source.discrete_laplace(alpha), 0, 4), count)
    assert law == exact_law(clamped_geometric, count, size=5, ratio=alpha)


@given(ratios, st.integers(-3, 3), st.integers(0, 4))
def test_a_difference_of_geometric_draws_is_discrete_laplace(alpha, low, width):
    def difference(data, source):
        return source.clamp(source.geometric(alpha) - source.geometric(alpha), low, low + width)

    assert exact_law(difference, None) == exact_law(
        lambda data, source: source.clamp(source.discrete_laplace(alpha), low, low + width), None
    )


@given(ratios)
def test_a_value_may_be_read_once_comparisons_bound_it(alpha):
    def truncated(source):
        noise = 2 + source.discrete_laplace(alpha)
        return int(noise) if 0 <= noise < 5 else source.restart()

    # conditioned on the range it is the truncated geometric mechanism
    law = exact_law(lambda data, source: source.attempt(truncated), None)
    assert tuple(law[t] for t in range(5)) == geometric_weights(2, 5, alpha)


def test_a_value_read_twice_is_the_same():
    def mechanism(data, source):
        noise = source.discrete_laplace(HALF)
        first = source.clamp(noise, -1, 2)
        return first, source.clamp(noise, -2, 1), noise >= 1

    law = exact_law(mechanism, None)
    assert set(law) == {(-1, -2, False), (-1, -1, False), (0, 0, False), (1, 1, True), (2, 1, True)}
    # P(k <= -2) = (1/3)(1/4 + 1/8 + ...) = 1/6
    assert law[-1, -2, False] == Fraction(1, 6)


def test_the_waiting_time_that_a_loop_counts_is_a_geometric_draw():
    # P(k >= 3) = (1/2)^3: three tails
    law = exact_law(lambda data, source: source.geometric(HALF) >= 3, None)
    assert law[True] == Fraction(1, 8)


def test_a_loop_without_end_is_refused_as_unbounded():
    def waiting(source):
        count = 0
        while source.bernoulli(HALF):
            count += 1
        return count % 2

    for listing in (lambda: exact_law(lambda data, source: waiting(source), None), lambda: list_runs(waiting, 10**6)):
        with pytest.raises(InputError, match="unbounded: one run of the mechanism made more than 1000 choices"):
            listing()


def test_many_choices_that_can_fall_in_one_way_only_are_no_endless_run():
    assert exact_law(lambda data, source: sum(source.bernoulli(0) for _ in range(1500)), None)[0] == 1


@given(st.sampled_from([HALF, Fraction(1, 3), Fraction(7, 9)]))
def test_the_ratio_may_be_left_open(alpha):
    def mechanism(data, source, *, ratio):
        draws = [count + source.discrete_laplace(ratio) for count in data]
        return draws.index(max(draws)), source.clamp(draws[0], 0, 1)

    assert exact_law(mechanism, (0, 1), ratio=SYMBOL).at(alpha) == exact_law(mechanism, (0, 1), ratio=alpha)


def test_draws_are_sampled_by_the_same_program():
    def mechanism(data, source):
        return source.clamp(source.discrete_laplace(HALF), -2, 2)

    law, runs = exact_law(mechanism, None), 4000
    found = Counter(sample(mechanism, None, seed=seed) for seed in range(runs))
    for outcome, probability in law.items():
        # Hoeffding: further off than 0.05 with probability at most 2 exp(-2 * 4000 * 0.0025) < 5e-9
        assert abs(Fraction(found[outcome], runs) - probability) < Fraction(1, 20)


READINGS = {
    "as output": lambda draw: draw,
    "str": str,
    "repr": repr,
    "format": lambda draw: f"{draw:>3}",
    "int": int,
    "float": float,
    "index": lambda draw: [1, 2, 3][draw],
    "range": range,
    "member": lambda draw: draw in {1, 2},
    "copy": copy.copy,
}


@pytest.mark.parametrize("reading", READINGS)
def test_an_unbounded_value_is_not_read(reading):
    for read in (READINGS[reading], lambda draw: READINGS[reading](draw if draw >= 3 else 3 - draw)):
        with pytest.raises(InputError, match="unbounded: clamp it with source"):
            exact_law(lambda data, source, read=read: read(1 + source.discrete_laplace(HALF)), None)


def sum_and_difference(source):
    x, y = source.geometric(HALF), source.geometric(HALF)
    return x >= y and x + y >= 1


def draws_of_two_attempts(source):
    outer = source.geometric(HALF)
    return source.attempt(lambda inner: outer >= inner.geometric(HALF))


def choice_of_the_outer_source(source):
    outer = source.geometric(HALF)
    return source.attempt(lambda inner: outer >= 1)


REFUSED = {
    "must be between 0 and 1": lambda source: source.geometric(1),
    "ratio must be an exact number": lambda source: source.geometric(0.5),
    "what is added to a draw must be an exact number": lambda source: source.geometric(HALF) >= 0.5,
    "the factor of a draw must be": lambda source: 0.5 * source.geometric(HALF),
    "high must be at least 3": lambda source: source.clamp(source.geometric(HALF), 3, 2),
    "value must be an int": lambda source: source.clamp(HALF, 0, 2),
    "high must be at most low": lambda source: source.clamp(source.geometric(HALF), 0, 10**6),
    "a value that is read must be an integer": lambda source: source.clamp(source.geometric(HALF) * HALF, 0, 2),
    "a comparison may be of one draw": lambda source: sum(source.geometric(HALF) for _ in range(3)) > 1,
    "by their sum and by their difference": sum_and_difference,
    "must be of one attempt": draws_of_two_attempts,
    "must draw from the source that it is given": choice_of_the_outer_source,
}


@pytest.mark.parametrize("message", REFUSED)
def test_what_has_no_exact_law_is_refused_in_one_line(message):
    with pytest.raises(InputError, match=message) as caught:
        exact_law(lambda data, source: REFUSED[message](source), None)
    assert "\n" not in str(caught.value)


def test_a_threshold_may_be_any_exact_number():
    # x >= 3/2 iff x >= 2; 2x >= 3 likewise
    for compare in (lambda x: x >= Fraction(3, 2), lambda x: 2 * x >= 3, lambda x: not -x > Fraction(-3, 2)):
        assert exact_law(lambda data, source, compare=compare: compare(source.geometric(HALF)), None)[True] == Fraction(
            1, 4
        )


def noisy_max(noise):
    def program(scores, source):
        noisy = [score + noise(source) for score in scores]
        best = 0
        for place in range(1, len(noisy)):
            best = place if noisy[place] > noisy[best] else best
        return best

    return program


def difference(source, alpha=HALF):
    return source.geometric(alpha) - source.geometric(alpha)


def test_differences_of_geometric_draws_are_compared_as_two_sided_ones():
    for scores in ((0, 1), (1, 0, 2)):
        joined = exact_law(noisy_max(difference), scores)
        assert joined == exact_law(noisy_max(lambda source: source.discrete_laplace(HALF)), scores)


def test_a_threshold_with_noise_is_one_draw_for_all_comparisons():
    def threshold(noise):
        def program(answers, source):
            bound = 1 + noise(source)
            return tuple(answer + noise(source) >= bound for answer in answers)

        return program

    assert exact_law(threshold(difference), (0, 2)) == exact_law(
        threshold(lambda source: source.discrete_laplace(HALF)), (0, 2)
    )


def test_a_draw_of_a_joined_difference_is_not_used_alone():
    def alone(_, source):
        first, second = source.geometric(HALF), source.geometric(HALF)
        if first - second > difference(source):
            return first > 1
        return second > 1

    def with_another(_, source):
        first, second = source.geometric(HALF), source.geometric(HALF)
        return first - second > difference(source) and first + second > difference(source)

    for program in (alone, with_another):
        with pytest.raises(InputError, match="neither is used alone"):
            exact_law(program, None)


def test_draws_that_are_not_alike_or_known_are_not_joined():
    def unlike(_, source):
        return source.geometric(HALF) - source.geometric(HALF**2) > difference(source)

    def known(_, source):
        first = source.geometric(HALF)
        return first > 1 and first - source.geometric(HALF) > difference(source)

    for program in (unlike, known):
        with pytest.raises(InputError, match="a comparison may be of one draw"):
            exact_law(program, None)


class Followed(sampling.SamplingSource):
    """A sampler whose choices are given; `chance` is the product of their probabilities."""

    def __init__(self, choices):
        super().__init__(0)
        self.choices, self.chance = list(choices), Fraction(1)

    def bernoulli(self, p):
        found = self.choices.pop(0)
        self.chance *= p if found else 1 - p
        return found


def followed(mechanism, choices, monkeypatch):
    source = Followed(choices)
    monkeypatch.setattr(sampling, "SamplingSource", lambda seed: source)
    return sample(mechanism, None), source


@pytest.mark.parametrize("ratio", [Fraction(1, 2), Fraction(127, 128)])
@pytest.mark.parametrize("steps", [0, 1, 5, 63, 64, 65, 131, 200])
def test_the_choices_of_a_geometric_draw_have_its_probability(monkeypatch, ratio, steps):
    digits = [bool(steps >> place & 1) for place in range(6)] if ratio > Fraction(63, 64) else []
    choices = [*digits, *[True] * (steps >> len(digits)), False]
    value, source = followed(lambda _, source: source.geometric(ratio) + 7, choices, monkeypatch)
    assert (value, source.choices) == (7 + steps, [])
    assert source.chance == (1 - ratio) * ratio**steps


def test_noise_of_two_sides_is_a_difference_of_two_draws(monkeypatch):
    ratio = Fraction(99, 100)
    choices = [True, *[False] * 5, True, False, *[False] * 2, True, *[False] * 3, False]  # 1 + 64, and 4
    value, source = followed(lambda _, source: source.discrete_laplace(ratio) + 10, choices, monkeypatch)
    assert (value, source.choices) == (10 + 65 - 4, [])
    assert source.chance == (1 - ratio) ** 2 * ratio**69


def first_by_comparing(numbers, sign):
    return (max if sign > 0 else min)(range(len(numbers)), key=numbers.__getitem__)


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize("ratios", [(HALF,) * 4, (HALF, Fraction(1, 3), HALF, HALF)])
@pytest.mark.parametrize("kind", ["laplace", "geometric"])
@pytest.mark.parametrize("data", [(0, 0, 0), (0, 2, 1), (Fraction(1, 3), 0, Fraction(-5, 2)), (1, 0, 0, 2)])
def test_the_first_extreme_by_one_choice_has_the_law_of_comparisons(data, kind, ratios, sign):
    def first(data, source, *, found):
        draws = noisy(source, [("laplace", ratios[0]), *((kind, ratio) for ratio in ratios[1 : len(data)])])
        return found([x + draw for x, draw in zip(data, draws, strict=True)], sign)

    assert exact_law(first, data, found=extreme) == exact_law(first, data, found=first_by_comparing)


def test_draws_of_which_something_is_known_and_numbers_are_compared_one_by_one():
    def compared(_, source):
        one, *others = draws = noisy(source, [("laplace", HALF)] * 3)
        return (
            one > 0,
            extreme(draws, 1),
            extreme([*others, 1], 1),
            extreme(others, 1),
            extreme([*others, others[0]], 1),
        )

    assert {found[1:] for found in exact_law(compared, ())} == {(None,) * 4}
