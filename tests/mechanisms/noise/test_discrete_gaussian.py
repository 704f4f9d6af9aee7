"""Discrete Gaussian noise by the program and in arrays; many draws by inversion are those that are looked up singly."""

from collections import Counter
from fractions import Fraction
from functools import partial
from itertools import count

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from refusals import check_refused, each

from stirred.mechanisms import diagonal_discrete_gaussian, discrete_gaussian, replay, sample
from stirred.mechanisms.fast import inversion
from stirred.mechanisms.fast.inversion import gaussian_from_words, inverted
from stirred.mechanisms.interpreters.sampling import SamplingSource
from stirred.spec.laws.discrete_gaussian import cumulative, cumulative_floors, gaussian_scale, point_probability


def chi_squared(draws, scale, reach):
    """The statistic of the cells -reach, ..., reach and the rest, against the exact law."""
    counts = Counter(x if abs(x) <= reach else None for x in draws)
    law = {x: point_probability(scale, x).lower for x in range(-reach, reach + 1)}
    law[None] = 1 - sum(law.values())
    return float(sum((counts[x] - len(draws) * mass) ** 2 / (len(draws) * mass) for x, mass in law.items()))


class TestProgram:
    @given(st.integers(-(10**30), 10**30), st.integers(0, 2**32))
    def test_noise_does_not_depend_on_the_query(self, data, seed):
        program = discrete_gaussian(Fraction(9, 2))
        assert sample(program, data, seed=seed) - data == sample(program, 0, seed=seed)

    def test_a_run_replays_from_its_choices(self):
        program, source = discrete_gaussian(3), SamplingSource(7)
        drawn = [source.attempt(lambda inner: program(10, inner)) for _ in range(20)]
        record, again = source.record, []
        source = SamplingSource(7)
        for value in drawn:
            before = len(source.record)
            assert source.attempt(lambda inner: program(10, inner)) == value
            again.append(replay(program, 10, record[before : len(source.record)]))
        assert again == drawn

    @pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(4), Fraction(30)])
    def test_draws_fit_the_law(self, scale):
        # n = 4000, seed 11; chi-squared with 2r + 1 degrees of freedom stays below 2r + 1 + 6 sqrt(2(2r + 1))
        source, program = SamplingSource(11), discrete_gaussian(scale)
        reach = {Fraction(1, 2): 1, Fraction(4): 4, Fraction(30): 11}[scale]
        draws = [program(0, source) for _ in range(4000)]
        freedom = 2 * reach + 1
        assert chi_squared(draws, scale, reach) < freedom + 6 * (2 * freedom) ** 0.5

    def test_a_vector_has_its_own_scale_in_each_coordinate(self):
        source, program = SamplingSource(5), diagonal_discrete_gaussian((Fraction(1, 100), 400))
        draws = [program((1, 2), source) for _ in range(300)]
        assert {first for first, _ in draws} == {1}  # P(X != 0) = 2 e^-50
        assert len({second for _, second in draws}) > 20


def fast_draw(*arguments, **named):
    return inversion.discrete_gaussian(*arguments, **named)


class TestArrays:
    @pytest.mark.parametrize("scale", [Fraction(1, 2), Fraction(4), Fraction(30)])
    def test_draws_fit_the_law(self, scale):
        # n = 10^6, seed 3
        reach = {Fraction(1, 2): 2, Fraction(4): 7, Fraction(30): 20}[scale]
        freedom = 2 * reach + 1
        draws = fast_draw(scale, 10**6, seed=3).tolist()
        assert chi_squared(draws, scale, reach) < freedom + 6 * (2 * freedom) ** 0.5

    @given(st.integers(0, 2**64 - 1), st.sampled_from([Fraction(1, 100), Fraction(2), Fraction(500)]))
    def test_a_word_is_inverted_exactly(self, word, scale):
        later = 2**63
        drawn = int(gaussian_from_words(scale, words_of(word), lambda n: np.full(n, later, dtype=np.uint64))[0])
        low, high = Fraction(word, 2**64), Fraction(word + 1, 2**64)
        assert cumulative(scale, drawn, digits=60).upper > low
        assert cumulative(scale, drawn - 1, digits=60).lower < high

    @pytest.mark.parametrize("place", [0, 1, 3])
    def test_a_word_that_does_not_decide_is_continued(self, place):
        # the first 64 bits of P(X <= place), then bits below and above the following ones
        scale = Fraction(2)
        bits = int(cumulative(scale, place, digits=60).lower * 2**128)
        word, rest = divmod(bits, 2**64)
        for following, expected in ((rest - 1, place), (rest + 1, place + 1)):
            serve = iter([following])
            drawn = gaussian_from_words(scale, words_of(word), lambda n, serve=serve: words_of(next(serve)))
            assert drawn.tolist() == [expected]

    def test_two_undecided_words_are_continued_by_a_third(self):
        scale, place = Fraction(2), 1
        bits = int(cumulative(scale, place, digits=90).lower * 2**192)
        words = [bits >> 128, bits >> 64 & 2**64 - 1, bits & 2**64 - 1]
        for last, expected in ((words[2] - 1, place), (words[2] + 1, place + 1)):
            serve = iter([words[1], last])
            drawn = gaussian_from_words(scale, words_of(words[0]), lambda n, serve=serve: words_of(next(serve)))
            assert drawn.tolist() == [expected]

    @pytest.mark.parametrize(("word", "sign"), [(0, -1), (2**64 - 1, 1)])
    def test_the_extreme_words_reach_beyond_the_table(self, word, sign):
        # P(|X| >= x) < 2^-64 for sigma^2 = 1 from x = 10 on
        serve = iter([word, 2**63])
        (drawn,) = gaussian_from_words(Fraction(1), words_of(word), lambda n: words_of(next(serve))).tolist()
        assert sign * drawn >= 9

    def test_a_seed_repeats_and_no_seed_does_not(self):
        assert np.array_equal(fast_draw(100, 50, seed=1), fast_draw(100, 50, seed=1))
        assert not np.array_equal(fast_draw(100, 50, seed=1), fast_draw(100, 50, seed=2))
        assert not np.array_equal(fast_draw(100, 50), fast_draw(100, 50))

    def test_no_draws_are_an_empty_array(self):
        assert fast_draw(1, 0, seed=1).shape == (0,)
        assert fast_draw(1, 0, seed=1).dtype == np.int64


def words_of(word):
    return np.array([word], dtype=np.uint64)


@pytest.mark.parametrize("variance", [Fraction(1, 9), Fraction(4), Fraction(700)])
def test_many_words_are_inverted_as_few_are(monkeypatch, variance):
    cumulative = partial(cumulative_floors, gaussian_scale(variance))
    _, floors = cumulative(64)
    near = {floor + step for floor in floors for step in (-1, 0, 1)}
    begins = {(place << 48) + step for place in (0, 1, 2**15, 2**16) for step in (-1, 0, 1)}
    words = np.array([word for word in sorted(near | begins) if 0 <= word < 2**64], dtype=np.uint64)
    assert sum(int(word) in floors for word in words) == len(set(floors)) > 3  # these ask for further words

    def further(start=7):
        numbers = count(start)
        return lambda n: np.array([(next(numbers) << 60) % 2**64 for _ in range(n)], dtype=np.uint64)

    few = inverted(cumulative, words, further())
    monkeypatch.setattr(inversion, "_MANY", 1)
    assert inverted(cumulative, words, further()).tolist() == few.tolist()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        *(
            row
            for program in (
                lambda data: sample(discrete_gaussian(1), data),
                lambda data: sample(diagonal_discrete_gaussian((1, 2)), (0, data)),
            )
            for row in each(
                program, [0.5, Fraction(1, 2), 1.0, True, "1", None], r"data must be an int: .*infinite loss"
            )
        ),
        *(
            row
            for build in (discrete_gaussian, lambda s: diagonal_discrete_gaussian((1, s)), lambda s: fast_draw(s, 1))
            for row in each(build, [0, -1, 1.0, "1", True, None, 10**9], r"^sigma_squared must be")
        ),
        (
            lambda: sample(diagonal_discrete_gaussian((1, 1)), (1, 2, 3)),
            "one entry for each of the 2 scales; got 3",
        ),
        *each(partial(fast_draw, 1), [-1, 1.5, True, "2"], r"^size must be"),
        *each(lambda seed: fast_draw(1, 1, seed=seed), [-1, 1.5, True, "2"], r"^seed must be"),
    ],
)
def test_what_is_refused(call, message):
    check_refused(call, message)
