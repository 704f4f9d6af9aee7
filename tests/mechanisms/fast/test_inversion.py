"""Draws by inversion: many at once, which a guide looks up, are those that are looked up one by one."""

from fractions import Fraction
from functools import partial
from itertools import count

import numpy as np
import pytest

from stirred.mechanisms.fast import inversion
from stirred.mechanisms.fast.inversion import inverted
from stirred.spec.laws.discrete_gaussian import cumulative_floors, gaussian_scale


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
