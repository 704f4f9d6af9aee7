"""`choice`, `permutation`, `shuffle` and `permuted` of NumPy's generator, exact."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from stirred.mechanisms.generators.discrete_draws import integer_below, weights_of_cuts
from stirred.mechanisms.generators.grid_draw import GeneratorRun
from stirred.mechanisms.generators.sized import array_of

__all__ = ["NumpyChoices"]

_FLOYD = 10_000
"""Populations up to here are sampled without replacement by Floyd's algorithm where the sample is not shuffled."""


class NumpyChoices:
    """The methods that draw members and orders."""

    _run: GeneratorRun

    def choice(  # noqa: PLR0917 as NumPy has them
        self, a: Any, size: Any = None, replace: bool = True, p: Any = None, axis: int = 0, shuffle: bool = True
    ) -> Any:
        """Members of a population: uniform, or where a uniform number falls in the cumulated probabilities."""
        population = int(a) if np.ndim(a) == 0 else np.asarray(a)
        n = population if isinstance(population, int) else population.shape[axis]
        shape = () if size is None else tuple(int(one) for one in np.atleast_1d(size))
        count = math.prod(shape)
        if not n and count:
            raise ValueError("a cannot be empty unless no samples are taken")
        rates = None if p is None else _checked(p, n)
        if not replace and count > n:
            raise ValueError("Cannot take a larger sample than population when replace is False")
        places = (
            [self._one(n, rates) for _ in range(count)]
            if replace
            else self._different(n, count, shuffle=shuffle)
            if rates is None
            else self._weighted(rates, count)
        )
        found = places[0] if size is None else array_of(shape, places, np.int64)
        if isinstance(population, int):
            return found
        return population[found] if population.ndim == 1 else population.take(found, axis=axis)

    def _one(self, n: int, rates: Any) -> int:
        return int(integer_below(self._run, n)) if rates is None else self._by_cuts(_cumulated(rates))

    def _by_cuts(self, cuts: Any) -> int:
        return self._run.source.choose(weights_of_cuts(tuple(map(float, cuts))))

    def _different(self, n: int, count: int, *, shuffle: bool) -> list[int]:
        """A uniform ordered sample; without a shuffle in the order of NumPy's algorithm."""
        if shuffle:
            left = list(range(n))
            return [left.pop(self._run.source.uniform(len(left))) for _ in range(count)]
        if n > _FLOYD:
            self._run.refuse(f"rng.choice of more than {_FLOYD} members with shuffle=False is not followed")
        found: list[int] = []
        for last in range(n - count, n):
            drawn = self._run.source.uniform(last + 1)
            found.append(last if drawn in found else drawn)
        return found

    def _weighted(self, rates: Any, count: int) -> list[int]:
        """Different members: what is drawn twice is drawn again among the others, as NumPy does."""
        if np.count_nonzero(rates) < count:
            raise ValueError("Fewer non-zero entries in p than size")
        found: list[int] = []
        while len(found) < count:
            rates[found] = 0
            cuts = _cumulated(rates)
            drawn = [self._by_cuts(cuts) for _ in range(count - len(found))]
            found += dict.fromkeys(drawn)
        return found

    def permutation(self, x: Any, axis: int = 0) -> Any:
        """A uniform order of a range, or of an array along an axis."""
        array = np.arange(x) if np.ndim(x) == 0 else np.asarray(x)
        return array.take(self._run.source.permutation(array.shape[axis]), axis=axis)

    def shuffle(self, x: Any, axis: int = 0) -> None:
        """Put a list, or an array along an axis, in a uniform order."""
        if isinstance(x, np.ndarray):
            x[...] = self.permutation(x, axis)
            return
        order = self._run.source.permutation(len(x))
        x[:] = [x[place] for place in order]

    def permuted(self, x: Any, *, axis: Any = None, out: Any = None) -> Any:
        """An array, each of whose lines along an axis is put in a uniform order of its own."""
        array = np.array(x)
        if axis is None:
            made = self.permutation(array.ravel()).reshape(array.shape)
        else:
            lines = np.moveaxis(array, axis, -1)
            for place in np.ndindex(lines.shape[:-1]):
                lines[place] = self.permutation(lines[place])
            made = array
        if out is None:
            return made
        out[...] = made
        return out


def _checked(p: Any, n: int) -> Any:
    """The probabilities as floats, checked as NumPy checks them."""
    rates = np.array(p, dtype=np.float64)
    if rates.ndim != 1 or rates.size != n:
        raise ValueError("a and p must have same size")
    if np.isnan(rates).any() or (rates < 0).any():
        raise ValueError("Probabilities are not non-negative")
    if abs(math.fsum(rates) - 1.0) > math.sqrt(np.finfo(np.float64).eps):
        raise ValueError("Probabilities do not sum to 1")
    return rates


def _cumulated(rates: Any) -> Any:
    cuts = rates.cumsum()
    cuts /= cuts[-1]
    return cuts
