"""The bounding interpreter: the law of a mechanism with infinitely many paths, from below, with what is left out.

Every choice is followed while the path's probability is at least a cutoff; the probability of the paths given up is
counted. With accepted mass a(t), rejected mass r and missing mass m, a + r + m = 1, the law of the accepted outcomes
is at least a(t)/(1 − r) at t, and these bounds sum to 1 − m/(1 − r).
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import partial
from math import floor
from typing import Any

from stirred.mechanisms.source import RestartError, Source, Weight, check_weights
from stirred.spec.arguments import InputError, exact

_UNIT = 2**192
"""Lower bounds are rounded down to multiples of 1/2^192, which keeps their denominators small."""


@dataclass(frozen=True)
class BoundedLaw:
    """A law from below: lower[t] ≤ P(t) ≤ lower[t] + missing, and Σ lower + missing = 1."""

    lower: Mapping[Any, Fraction]
    missing: Fraction


class _CutError(Exception):
    """The present path is given up."""


@dataclass(slots=True)
class _Branch:
    outcomes: tuple[Any, ...]
    weights: tuple[Fraction, ...]
    taken: int = 0


@dataclass
class _Follower:
    """What one run shares: the cutoff, and the laws of attempts already followed."""

    cutoff: Fraction
    known: dict[Hashable, BoundedLaw] = field(default_factory=dict)

    def attempt(self, body: Callable[[Source], Any]) -> BoundedLaw:
        if not isinstance(body, partial):
            return self.follow(body)
        key = (body.func, body.args, tuple(sorted(body.keywords.items())))
        try:
            known = self.known.get(key)
        except TypeError:  # an argument is not hashable
            return self.follow(body)
        if known is None:
            known = self.known[key] = self.follow(body)
        return known

    def follow(self, body: Callable[[Source], Any]) -> BoundedLaw:
        branches: list[_Branch] = []
        accepted: dict[Any, Fraction] = {}
        rejected = Fraction(0)
        while True:
            source = _BoundingSource(branches, self)
            try:
                outcome = body(source)
                accepted[outcome] = accepted.get(outcome, Fraction(0)) + source.weight
            except RestartError:
                rejected += source.weight
            except _CutError:
                del branches[source.position :]
            while branches and branches[-1].taken + 1 == len(branches[-1].weights):
                branches.pop()
            if not branches:
                break
            branches[-1].taken += 1
        if not accepted:
            raise InputError("the mechanism must finish on some path above the cutoff; use a smaller cutoff")
        kept = 1 - rejected
        lower = {t: Fraction(floor(mass / kept * _UNIT), _UNIT) for t, mass in accepted.items()}
        return BoundedLaw(lower, 1 - sum(lower.values(), Fraction(0)))


class _BoundingSource(Source):
    """Follows one path of choices; `weight` is its probability, at least the cutoff."""

    def __init__(self, branches: list[_Branch], follower: _Follower) -> None:
        self._branches = branches
        self._follower = follower
        self.position = 0
        self.weight = Fraction(1)

    def choose(self, weights: Sequence[Weight | int]) -> int:
        checked = check_weights(weights)
        numbers = [weight for weight in checked if isinstance(weight, Fraction)]
        if len(numbers) != len(checked):
            raise InputError("an open parameter and an unbounded Gaussian are not followed; give a value, or a program")
        index: int = self._take(lambda: _Branch(tuple(range(len(numbers))), tuple(numbers)))
        return index

    def attempt(self, body: Callable[[Source], Any]) -> Any:
        def opened() -> _Branch:
            law = self._follower.attempt(body)
            return _Branch(tuple(law.lower), tuple(law.lower.values()))

        return self._take(opened)

    def _take(self, opened: Callable[[], _Branch]) -> Any:
        if self.position == len(self._branches):
            self._branches.append(opened())
        branch = self._branches[self.position]
        self.position += 1
        self.weight *= branch.weights[branch.taken]
        if self.weight < self._follower.cutoff:
            raise _CutError
        return branch.outcomes[branch.taken]


def bounded_law(mechanism: Callable[..., Any], data: Any, *, cutoff: Fraction, **parameters: Any) -> BoundedLaw:
    """The law of a mechanism's output from below, for mechanisms whose choices have no bound.

    An attempt given as a `functools.partial` of hashable arguments is followed once for each of them.

    Paths of a probability below the cutoff, in (0, 1), are given up.

    >>> def first_head(data, source):
    ...     return data if source.bernoulli(Fraction(1, 2)) else first_head(data + 1, source)
    >>> bounded_law(first_head, 0, cutoff=Fraction(1, 4))
    BoundedLaw(lower={1: Fraction(1, 4), 0: Fraction(1, 2)}, missing=Fraction(1, 4))
    """
    least = exact("cutoff", cutoff)
    if not 0 < least < 1:
        raise InputError(f"cutoff must be between 0 and 1, exclusive; got {cutoff!r}")
    return _Follower(least).follow(lambda source: mechanism(data, source, **parameters))
