"""The look-alike of `random.Random`: Python's own methods over exact draws.

`choice`, `choices`, `shuffle`, `randrange`, `randint` and `uniform` are the code of Python's class itself; what they
draw by, `random()` and a uniform integer, is the source's. A rejection loop is its result, which is uniform.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any, NoReturn

from stirred.mechanisms.generators.discrete_draws import binomial_weights, exact_value, integer_below, uniform_float
from stirred.mechanisms.generators.grid_draw import GeneratorRun

__all__ = ["PythonRandom"]

_NOT_FOLLOWED = (
    *("gauss", "normalvariate", "lognormvariate", "vonmisesvariate", "gammavariate", "betavariate", "weibullvariate"),
    *("seed", "getstate", "setstate"),
)


class PythonRandom(random.Random):
    """A `random.Random` that draws from a source.

    Args:
        run: the run that it belongs to.
    """

    def __new__(cls, run: GeneratorRun) -> PythonRandom:  # noqa: ARG004 as __init__
        made: Any = random.Random.__new__
        return made(cls, 0)  # type: ignore[no-any-return]  # a seed, so that the system is not asked for one

    def __init__(self, run: GeneratorRun) -> None:
        self._run = run

    def random(self) -> Any:
        """k/2^53, uniform, not drawn yet."""
        return uniform_float(self._run)

    def getrandbits(self, k: int, /) -> Any:
        """A uniform integer of k bits."""
        return integer_below(self._run, 2**k)

    def _randbelow(self, n: int) -> Any:
        return integer_below(self._run, n)

    def randbytes(self, n: int) -> bytes:
        """Bytes that are uniform."""
        return bytes(self._run.source.uniform(256) for _ in range(n))

    def sample(self, population: Sequence[Any], k: int, *, counts: Any = None) -> list[Any]:
        """K different members, in a uniform order.

        Raises:
            ValueError: there are not so many.
            TypeError: the population is no sequence.
        """
        if not isinstance(population, Sequence):
            raise TypeError("Population must be a sequence.  For dicts or sets, use sorted(d).")
        left = list(range(len(population)))
        if counts is not None:
            left = [place for place, count in enumerate(counts) for _ in range(count)]
        if not 0 <= k <= len(left):
            raise ValueError("Sample larger than population or is negative")
        return [population[left.pop(self._run.source.uniform(len(left)))] for _ in range(k)]

    def expovariate(self, lambd: float = 1.0) -> Any:
        """−log(1 − U)/lambd, as Python computes it."""
        logarithm = (1.0 - self.random()).step("math.log", math.log)
        return -logarithm / lambd

    def triangular(self, low: float = 0.0, high: float = 1.0, mode: float | None = None) -> Any:
        """Piecewise a square root of U, as Python computes it."""
        if high == low:
            return low
        u, c = self.random(), 0.5 if mode is None else (mode - low) / (high - low)
        if u > c:
            u, c, low, high = 1.0 - u, 1.0 - c, high, low
        return low + (high - low) * (u * c).step("math.sqrt", math.sqrt)

    def binomialvariate(self, n: int = 1, p: float = 0.5) -> int:
        """Successes in n trials, by the documented law."""
        self._run.documented.add("binomialvariate")
        weights = binomial_weights(n, exact_value(p))
        if weights is None:
            self._run.refuse("binomialvariate of more than 2,000 trials is not followed")
        return self._run.source.choose(weights)

    def __reduce__(self) -> NoReturn:
        self._run.refuse("the state of a generator is not followed")


def _refusing(name: str) -> Any:
    def refused(self: PythonRandom, *_: Any, **__: Any) -> NoReturn:
        self._run.refuse(
            f"rng.{name} is not followed: draw by rng.random() and round the result, or audit with --sampled"
        )

    refused.__name__, refused.__doc__ = name, "Refused."
    return refused


for _name in _NOT_FOLLOWED:
    setattr(PythonRandom, _name, _refusing(_name))
