"""How a mechanism is sampled: how many draws, with what confidence, for how long. It loads nothing that draws."""

import secrets
from dataclasses import dataclass
from fractions import Fraction

from stirred.spec.arguments import InputError, integer, positive_integer, probability
from stirred.verify.audit.black_box.confidence import MOST_DRAWS

CONFIDENCE = 1 - Fraction(1, 10**6)
"""Of a refutation, unless another one is asked for: of a million audits of sound mechanisms at most one is refuted."""

DRAWS = 100_000
"""Of the last look, under each of two data sets, unless another number is asked for."""

_FIRST = 500
_GROWTH = 4
_SECONDS = 60


@dataclass(frozen=True)
class Sampling:
    """How a mechanism is sampled.

    Attributes:
        draws: of the last look, under each of two data sets.
        confidence: of a refutation.
        seed: of all draws; unless given, a new one.
        seconds: after which no look is begun, and one that is under way is not used.
        jobs: processes that draw, where the mechanism's randomness comes from the seed.
        resume: a file that keeps the looks.
        digits: significant digits to which numbers of outputs are rounded first, so that what the last binary digits
            of a float show is left aside; None for all.
        generator: what a mechanism takes where nothing else says it: "numpy", "random" or "source".
    """

    draws: int = DRAWS
    confidence: Fraction = CONFIDENCE
    seed: int | None = None
    seconds: int = _SECONDS
    jobs: int = 1
    resume: str | None = None
    digits: int | None = None
    generator: str | None = None

    def __post_init__(self) -> None:
        look_sizes(self.draws)
        if probability("confidence", self.confidence) in (0, 1):
            raise InputError(f"confidence must be above 0 and below 1; got {self.confidence}")
        for name in ("seconds", "jobs", *([] if self.digits is None else ["digits"])):
            positive_integer(name, getattr(self, name))
        if self.seed is None:
            object.__setattr__(self, "seed", secrets.randbits(32))
        integer("seed", self.seed, minimum=0)


def look_sizes(draws: int) -> tuple[int, ...]:
    """The draws of each look under each data set, four times as many each, up to those that are allowed.

    >>> look_sizes(100_000)
    (500, 2000, 8000, 32000, 100000)
    """
    if positive_integer("draws", draws) > MOST_DRAWS:
        raise InputError(f"draws must be at most {MOST_DRAWS}; got {draws}")
    sizes = []
    size = _FIRST
    while size * 2 < draws:
        sizes.append(size)
        size *= _GROWTH
    return (*sizes, draws)
