"""The sampling and the replaying interpreter: run a mechanism on random bits, or on recorded choices."""

import math
import random
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from typing import Any, TypeVar

import flint

from stirred.mechanisms.draws.unbounded_draw import Draw, Gaussian
from stirred.mechanisms.noise.discrete_gaussian import discrete_gaussian
from stirred.mechanisms.source import PublicSource, RestartError, Source, Weight, check_weights
from stirred.spec.arguments import InputError, integer, positive_integer, probability
from stirred.spec.laws.gaussian_share import GaussianShare
from stirred.spec.laws.law import Probability
from stirred.spec.numbers.ball import precision

T = TypeVar("T", bound=Hashable)

_BITS = 64


class SamplingSource(Source):
    """Draws every choice from a cryptographic generator, or from a seeded one where a run must repeat.

    A choice with rational weights is one uniform integer below their common denominator: no float takes part.

    Attributes:
        record: the choices drawn so far, which `replay` reads.
    """

    def __init__(self, seed: int | None = None) -> None:
        self._random: random.Random = random.SystemRandom()
        if seed is not None:
            self._random = random.Random(integer("seed", seed))  # noqa: S311 seeded on request
        self.record: list[int] = []

    def choose(self, weights: Sequence[Weight | int]) -> int:
        checked = check_weights(weights)
        if shares := [weight for weight in checked if isinstance(weight, GaussianShare)]:
            index = self._share(shares)
            self.record.append(index)
            return index
        numbers = [weight for weight in checked if isinstance(weight, Fraction)]
        if len(numbers) != len(checked):
            raise InputError("an open parameter cannot be sampled; give it a value")
        scale = math.lcm(*(number.denominator for number in numbers))
        ticket = self._random.randrange(scale)
        index = 0
        while ticket >= (share := numbers[index].numerator * (scale // numbers[index].denominator)):
            ticket -= share
            index += 1
        self.record.append(index)
        return index

    def _share(self, shares: Sequence[GaussianShare]) -> int:
        """Which of the shares holds a uniform number; of that number so many bits are drawn that this is certain."""
        bits, drawn = 0, 0
        while True:
            bits, drawn = bits + _BITS, (drawn << _BITS) + self._random.randrange(1 << _BITS)
            with precision(2 * bits):
                low, reached = flint.arb(drawn) / flint.arb(2) ** bits, flint.arb(0)
                high = low + 1 / flint.arb(2) ** bits
                for index, share in enumerate(shares):
                    before, reached = reached, reached + share.ball()
                    if (index == 0 or before <= low) and (index == len(shares) - 1 or high <= reached):
                        return index

    def uniform(self, n: int) -> int:
        index = self._random.randrange(positive_integer("n", n))
        self.record.append(index)
        return index

    def bernoulli(self, p: Probability | int) -> bool:
        rate = probability("p", p)
        success = self._random.randrange(rate.denominator) < rate.numerator
        self.record.append(int(success))
        return success

    def attempt(self, body: Callable[[Source], Any]) -> Any:
        while True:
            before = len(self.record)
            try:
                return body(PublicSource(self))
            except RestartError:
                _check_progress(len(self.record) - before)


def _check_progress(choices: int) -> None:
    """Refuse an attempt that restarts without a choice: it would do so for ever."""
    if not choices:
        raise InputError("the mechanism restarts with probability 1, so it never finishes")


class ReplaySource(Source):
    """Reads recorded choices instead of drawing them."""

    def __init__(self, choices: Sequence[int]) -> None:
        self._choices = tuple(choices)
        self._position = 0

    @property
    def is_exhausted(self) -> bool:
        """Whether every recorded choice has been read."""
        return self._position == len(self._choices)

    def choose(self, weights: Sequence[Weight | int]) -> int:
        checked = check_weights(weights)
        if self.is_exhausted:
            raise InputError(f"the record ends after {self._position} choices; the mechanism asks for another")
        index = self._choices[self._position]
        if not 0 <= index < len(checked) or not checked[index]:
            raise InputError(f"recorded choice {self._position} must have positive probability; got {index}")
        self._position += 1
        return index

    def attempt(self, body: Callable[[Source], Any]) -> Any:
        while True:
            before = self._position
            try:
                return body(PublicSource(self))
            except RestartError:
                _check_progress(self._position - before)


def sample(mechanism: Callable[..., T], data: Any, *, seed: int | None = None, **parameters: Any) -> T:
    """One draw of a mechanism's output: from a cryptographic generator, or repeatable where a seed is given.

    Unbounded noise that is released is drawn here.
    """
    source = SamplingSource(seed)
    return _drawn(source.attempt(lambda inner: mechanism(data, inner, **parameters)), source)  # type: ignore[no-any-return]


def _drawn(output: Any, source: Source) -> Any:
    """The output with integers in the place of released noise."""
    if isinstance(output, tuple):
        parts = tuple(_drawn(part, source) for part in output)
        return parts if type(output) is tuple else output._make(parts) if hasattr(output, "_make") else output
    if not isinstance(output, Draw):
        return output
    shift, law = output.released()
    if isinstance(law, Gaussian):
        return discrete_gaussian(law.sigma_squared)(shift, source)
    signs = (1, -1) if law.is_two_sided else (-1,) if law.is_reflected else (1,)
    for sign in signs:  # the difference of two geometric draws is two-sided
        shift += sign * _tails(law.ratio, source)
    return shift


_LONG = Fraction(63, 64)
_DIGITS = 6


def _tails(ratio: Probability, source: Source) -> int:
    """K ≥ 0 with probability (1 − α)·α^k: tails before a first head, or where these are many by binary digits.

    The digits of K are independent, that of 2^j is 1 with probability α^(2^j)/(1 + α^(2^j)); K without its last six is
    of the same kind, with α^64.
    """
    found, step = 0, 1
    if isinstance(ratio, Fraction) and ratio > _LONG:
        for _ in range(_DIGITS):
            found += step * source.bernoulli(ratio / (1 + ratio))
            ratio, step = ratio * ratio, 2 * step
    while source.bernoulli(ratio):
        found += step
    return found


def replay(mechanism: Callable[..., T], data: Any, choices: Sequence[int], **parameters: Any) -> T:
    """The output of a mechanism on recorded choices."""
    source = ReplaySource(choices)
    output: T = source.attempt(lambda inner: mechanism(data, inner, **parameters))
    if not source.is_exhausted:
        raise InputError("the record holds more choices than the mechanism makes")
    return output
