"""The source of randomness that a mechanism is written against; its interpreters decide what a choice does.

A mechanism is an ordinary function `mechanism(data, source, **parameters)` that draws every random choice from its
source and returns a hashable output. The same function is then followed choice by choice to its exact law
(`interpreters.exact_law`), run on random bits (`interpreters.sampling`) or re-run on recorded choices
(`mechanisms.replay`), so that what was verified is what runs.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any, NoReturn, TypeVar

from stirred.mechanisms.draws.unbounded_draw import Draw, Draws, Gaussian, noise_ratio
from stirred.mechanisms.draws.zone_mass import Geometric
from stirred.spec.arguments import Exact, InputError, integer, positive_integer, probability
from stirred.spec.laws.discrete_gaussian import gaussian_scale
from stirred.spec.laws.enclosed_share import EnclosedShare
from stirred.spec.laws.gaussian_share import GaussianShare, check_partition
from stirred.spec.laws.law import Probability
from stirred.spec.numbers.open_parameter import OpenValue
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient

T = TypeVar("T")

Weight = Probability | GaussianShare | ExponentialQuotient | EnclosedShare
"""What a choice is weighed by: an exact probability, the share of a discrete Gaussian that it is, or an enclosure."""


class RestartError(Exception):
    """Leaves the present attempt: raised by `Source.restart`, never caught by a mechanism."""


_MISTAKES = (
    *(InputError, RestartError, TypeError, AttributeError, NameError, ImportError, SyntaxError, OSError, Warning),
    *(RecursionError, NotImplementedError, MemoryError),
)
RAISES = "raises "
"""What the text of something raised begins with, and no other output does."""


class Raised:
    """An output that is none: the code raised something, which is released as its class and its text.

    Mistakes of whoever wrote the code, and what this program and the system raise, are no outputs, nor is what was
    raised on their account.

    Args:
        error: what was raised.

    Attributes:
        text: "raises ", the class, the text and the attributes of the exception, and of those that it came from.
        key: the text as a literal of Python's.

    >>> Raised(ValueError("probabilities contain NaN")).key
    "'raises ValueError: probabilities contain NaN'"
    """

    def __init__(self, error: Exception) -> None:
        cause: BaseException | None = error
        while cause is not None:
            if isinstance(cause, _MISTAKES):
                raise error
            cause = cause.__cause__ or cause.__context__
        self.error = error
        self.text = f"{RAISES}{_shown(error)}"
        if re.search(r"\bat 0x[0-9a-f]+", self.text):
            raise InputError(
                f"what a mechanism raises must not show an address, which no two runs share; got {self.text!r}"
            )
        self.key = repr(self.text)


def _shown(error: BaseException) -> str:
    """The class and the text of an exception, with its arguments, notes and attributes, members and causes."""
    kind, text = type(error), str(error)
    name = kind.__qualname__ if kind.__module__ == "builtins" else f"{kind.__module__}.{kind.__qualname__}"
    said = f"{name}{': ' if text else ''}{text}"
    is_told = error.args in ((), (text,)) or (isinstance(error, LookupError) and repr(error.args) == f"({text},)")
    if isinstance(error, BaseExceptionGroup):
        said += f" ({'; '.join(map(_shown, error.exceptions))})"
    elif not is_told:
        said += f" {error.args!r}"
    said += "".join(f", {name.strip('_')} {value!r}" for name, value in sorted(vars(error).items()))
    before = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return said if before is None else f"{said}, after {_shown(before)}"


def is_raised(key: str) -> bool:
    """Whether a key is that of something raised."""
    return key[1:].startswith(RAISES) and key[0] in "'\""


def result_key(result: Any, key: Callable[[Any], Hashable]) -> Hashable:
    """The key of a result, or of what was raised."""
    if type(result) is Raised:
        return result.key
    if type(result) is str and result.startswith(RAISES):
        raise InputError(f"an output that is a text must not begin with {RAISES!r}; got {result!r}")
    return key(result)


def check_weights(weights: Sequence[object]) -> tuple[Weight, ...]:
    """The weights of a choice: exact probabilities, each in [0, 1], with sum exactly 1, or all parts of a Gaussian."""
    if not isinstance(weights, Sequence) or isinstance(weights, str):
        raise InputError(f"weights must be a list or tuple of probabilities, by index; got {type(weights).__name__}")
    shares = [weight for weight in weights if isinstance(weight, GaussianShare)]
    if shares and len(shares) == len(weights):
        check_partition(shares)
        return tuple(shares)
    if any(isinstance(weight, EnclosedShare) for weight in weights):
        return _enclosed(weights)
    checked: list[Probability] = []
    for index, weight in enumerate(weights):
        given = weight.function if type(weight) is OpenValue else weight
        is_formula = isinstance(given, (RationalFunction, ExponentialQuotient))
        checked.append(given if is_formula else probability(f"weight {index}", given))  # type: ignore[arg-type]
    total = sum(checked, Fraction(0))
    if total != 1:
        raise InputError(f"weights of a choice must sum to exactly 1; got {total}")
    return tuple(checked)


def _enclosed(weights: Sequence[object]) -> tuple[Weight, ...]:
    """Weights some of which are only enclosed, by rationals the others: numbers among them sum to 1."""
    ends = [
        (one.lower, one.upper) if isinstance(one, EnclosedShare) else (probability("a weight", one),) * 2
        for one in weights
    ]
    if not sum(low for low, _ in ends) <= 1 <= sum(high for _, high in ends):
        raise InputError("weights of a choice must sum to exactly 1; these enclose no such numbers")
    return tuple(one if isinstance(one, EnclosedShare) else low for one, (low, _) in zip(weights, ends, strict=True))


def bernoulli_weights(p: Probability | int) -> tuple[Probability | int, Probability | int]:
    """The weights of False and True."""
    return 1 - p if type(p) is OpenValue or isinstance(p, RationalFunction) else 1 - probability("p", p), p


@lru_cache(maxsize=64)
def _uniform_weights(n: int) -> tuple[Fraction, ...]:
    return (Fraction(1, n),) * n


_LONGEST_RUN = 1_000


class UnboundedError(InputError):
    """A program that makes so many choices that its loops may have no end."""


def check_run_length(choices: int) -> None:
    """Refuse a run that has gone on for too many choices that could have fallen otherwise: its loop may have no end."""
    if choices > _LONGEST_RUN:
        raise UnboundedError(
            f"unbounded: one run of the mechanism made more than {_LONGEST_RUN} choices; write a loop that waits for "
            "success as source.geometric(ratio), one that rejects as source.attempt(body), or end it earlier"
        )


class Source(ABC):
    """Where a mechanism draws its randomness from."""

    _draws: Draws | None = None

    @abstractmethod
    def choose(self, weights: Sequence[Weight | int]) -> int:
        """An index i drawn with probability weights[i]."""

    @abstractmethod
    def attempt(self, body: Callable[[Source], T]) -> T:
        """The result of `body(source)`, begun afresh as often as it restarts: a rejection loop.

        Its law is the law of `body` conditioned on not restarting. The result of `body` must be hashable, and `body`
        must have no other effect: it draws from the source that it is given, and changes no variable outside.
        """

    def bernoulli(self, p: Probability | int) -> bool:
        """True with probability p."""
        return self.choose(bernoulli_weights(p)) == 1

    def uniform(self, n: int) -> int:
        """An int drawn uniformly from 0, …, n−1."""
        return self.choose(_uniform_weights(positive_integer("n", n)))

    def permutation(self, n: int) -> tuple[int, ...]:
        """A uniform permutation of 0, …, n−1 (Fisher and Yates: n−1 uniform choices)."""
        items = list(range(n))
        for last in range(n - 1, 0, -1):
            other = self.uniform(last + 1)
            items[last], items[other] = items[other], items[last]
        return tuple(items)

    def geometric(self, ratio: Probability) -> Draw:
        """An unbounded int k ≥ 0 with probability (1−α)·α^k, for α = `ratio` in (0, 1): the tails before a first head.

        It is compared, not read: each comparison is one choice with its exact probability.
        """
        return self._unbounded().new(Geometric(noise_ratio(ratio), is_two_sided=False))

    def discrete_laplace(self, ratio: Probability) -> Draw:
        """An unbounded int k with probability (1−α)/(1+α)·α^|k|, for α = `ratio` in (0, 1): e^−ε for sensitivity 1.

        It is compared, not read: each comparison is one choice with its exact probability.

        Source: Ghosh, Roughgarden, Sundararajan (2012), the (two-sided) geometric mechanism.
        """
        return self._unbounded().new(Geometric(noise_ratio(ratio), is_two_sided=True))

    def discrete_gaussian(self, sigma_squared: Exact) -> Draw:
        """An unbounded int k with probability ∝ e^(−k²/(2σ²)), for an exact σ² in (0, 10⁸].

        It is compared with numbers, clamped, or released with a whole number added; it is not compared with another
        draw. Its probabilities are irrational, so that what an audit says of them is enclosed.

        Source: Canonne, Kamath and Steinke (2020), Definition 1.
        """
        return self._unbounded().new(Gaussian(gaussian_scale(sigma_squared)))

    def clamp(self, value: Draw | int, low: int, high: int) -> int:
        """The value moved into low, …, high: of an unbounded draw one choice, with the tails' mass on the ends."""
        if isinstance(value, Draw):
            return value.clamped(low, high)
        return min(max(integer("value", value), integer("low", low)), integer("high", high, minimum=low))

    def _unbounded(self) -> Draws:
        if self._draws is None:
            self._draws = Draws(self.choose)
        return self._draws

    def restart(self) -> NoReturn:
        """Reject: go back to the beginning of the present attempt, or of the whole mechanism outside of one."""
        raise RestartError


class PublicSource(Source):
    """The source that a mechanism is handed, whichever interpreter runs it: one class, so that none can be told apart.

    It passes every choice on, and the body of an attempt gets one too.
    """

    __slots__ = ("__bernoulli", "__choose", "__interpreter")

    def __init__(self, interpreter: Source) -> None:
        self.__interpreter = interpreter
        self.__bernoulli = interpreter.bernoulli
        self.__choose = interpreter.choose

    def __getattr__(self, name: str) -> NoReturn:
        raise AttributeError(
            f"a Source has no {name!r}; where the parameter is a numpy.random.Generator or a random.Random, annotate "
            "it so, or say generator = 'numpy' or 'random'"
        )

    def choose(self, weights: Sequence[Weight | int]) -> int:
        return self.__choose(weights)

    def attempt(self, body: Callable[[Source], T]) -> T:
        return self.__interpreter.attempt(body)

    def bernoulli(self, p: Probability | int) -> bool:
        return self.__bernoulli(p)

    def uniform(self, n: int) -> int:
        return self.__interpreter.uniform(n)
