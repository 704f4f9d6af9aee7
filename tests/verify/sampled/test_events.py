import math

import numpy as np

from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.sampled.events import learned_event
from stirred.verify.sampled.looks import objective_of
from stirred.verify.sampled.outputs import plain_output, seen

PURE = objective_of(Multiplicative(), 1)


def draws(mechanism, data, seed, count=4_000):
    rng = np.random.default_rng(seed)
    return [seen(plain_output(mechanism(data, rng))) for _ in range(count)]


def ratio(mechanism, x, y):
    """The likelihood ratio, on fresh draws, of the event that is learned."""
    found = learned_event(draws(mechanism, x, 1), draws(mechanism, y, 2), PURE)
    inside, outside = (sum(one in found[1] for one in draws(mechanism, data, seed)) for data, seed in ((x, 3), (y, 4)))
    return inside / (outside + 1), str(found[1])


def test_of_few_values_the_likeliest_are_chosen():
    found, text = ratio(lambda data, rng: (data + rng.integers(3)) % 5, 0, 2)
    assert found > 100
    assert text == "the output is 0 or 1"


def test_a_threshold_is_found_in_continuous_outputs():
    found, text = ratio(lambda data, rng: round(data + rng.normal(), 6), 0, 3)
    assert found > 30
    assert text.startswith("number 0 is in (-oo, ")


def test_the_last_binary_digit_tells_textbook_laplace_noise_apart():
    found, text = ratio(lambda data, rng: data + rng.laplace(), 0, 1)
    assert found > 100
    assert "binary digit" in text


def test_a_shift_of_every_entry_is_found_in_a_vector():
    found, _ = ratio(lambda data, rng: (data + rng.normal(scale=4, size=12)).round(1), 0, 2)
    one, _ = ratio(lambda data, rng: (data + rng.normal(scale=4, size=1)).round(1), 0, 2)
    assert found > 2 * one > 2


def test_where_an_output_ends_is_seen_in_its_shape():
    def until(data, rng):
        return [None] * int(rng.geometric(data)) + [round(rng.normal(), 6)]

    found, text = ratio(until, 0.9, 0.2)
    assert found > 3
    assert "shape (None, '#')" in text


def test_what_stands_where_is_seen_in_a_vector_with_gaps():
    def answers(data, rng):
        return [True if rng.random() < share else None for share in data]

    x, y = [0.6] * 6 + [0.4] * 6, [0.4] * 6 + [0.6] * 6
    assert ratio(answers, x, y)[0] > 3


def test_what_cannot_be_told_apart_is_not():
    found, _ = ratio(lambda data, rng: int(rng.integers(100)), 0, 1)
    assert 0.5 < found < 2


def test_outputs_of_libraries_are_plain_values():
    values = [np.float32(1.5), np.array([[1, 2]]), {"b": (1,), "a": {2, 1}}, np.True_, b"x", float("nan"), float("inf")]
    assert plain_output(values) == (1.5, ((1, 2),), (("a", (1, 2)), ("b", (1,))), True, b"x", "nan", float("inf"))
    assert all(math.isfinite(number) for number in seen(plain_output(values)).numbers)


def test_an_event_is_the_same_for_the_same_draws():
    def shuffled(data, rng):
        return tuple(rng.permutation(data).tolist())

    texts = {ratio(shuffled, (1, 2, 3, 4), (4, 4, 2, 1))[1] for _ in range(2)}
    assert len(texts) == 1
