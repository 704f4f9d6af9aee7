"""Unbounded noise that is released: the choices of the sampler, followed, have exactly the law of the draw."""

from fractions import Fraction

import pytest

from stirred.mechanisms import sample
from stirred.mechanisms.interpreters import sampling


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
