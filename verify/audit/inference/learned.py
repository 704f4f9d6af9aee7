"""What is asked about a budget, priors and events included, and the bounds of each answer.

Bounds at a distance that no two data sets of a universe of the claim have speak of nobody.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import permutations
from typing import Any

from stirred.mechanisms.catalogue import SWAPPING
from stirred.spec.arguments import InputError, parse_exact, probability
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.output_premetrics import Curve
from stirred.verify.engines.inference.posterior import posterior_bounds, sharpest_posterior
from stirred.verify.evidence.files.toml_text import load_toml
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.claim.domain import freeze

Interval = tuple[Fraction, Fraction]
"""The lower and the upper bound of a number."""


@dataclass(frozen=True)
class Asked:
    """What is asked of a budget.

    Attributes:
        alpha: the level of a test.
        share: the prior probability of one of two data sets.
        distances: those that are asked about; where there are none, those of the claim's data sets, or 1, 2 and 3.
    """

    alpha: Fraction = Fraction(1, 20)
    share: Fraction = Fraction(1, 2)
    distances: tuple[int, ...] = ()


@dataclass(frozen=True)
class Limit:
    """Bounds on one number.

    Attributes:
        name: for a reader and for grep.
        what: the number in words.
        printed: the dissertation's bounds, with the factor that the lower one of a release lacks.
        sharpest: the sharpest that follow from the budget and are attained; for a release, from the mechanism.
        exact: the range that this mechanism has; None where its laws are not listed.
    """

    name: str
    what: str
    printed: Interval
    sharpest: Interval
    exact: Interval | None = None


@dataclass(frozen=True)
class Inference:
    """What a budget lets someone learn.

    Attributes:
        gamma: e^ε, rounded up where it is irrational.
        notes: what they hold for.
        curves: the printed and the sharpest power as functions of the level, for some distances.
    """

    name: str
    budget: str
    gamma: Fraction
    asked: Asked
    limits: tuple[Limit, ...]
    notes: tuple[str, ...]
    curves: Mapping[int, tuple[Curve, Curve]] = field(default_factory=dict)


def posterior_limit(
    asked: Asked, gamma: Fraction, d: int, exact: Interval | None = None, ratio: Fraction | None = None
) -> Limit:
    """The posterior probability of one of two data sets at a distance; the largest likelihood ratio is γ^d or given."""
    printed = posterior_bounds(asked.share, gamma, d)
    sharp = sharpest_posterior(asked.share, gamma, d) if ratio is None else sharpest_posterior(asked.share, ratio, 1)
    return Limit(f"posterior.{d}", f"posterior for a prior of {asked.share}, distance {d}", printed, sharp, exact)


def hull(intervals: Sequence[Interval]) -> Interval:
    """The smallest interval that holds some intervals."""
    return min(low for low, _ in intervals), max(high for _, high in intervals)


@dataclass(frozen=True)
class Conjecture:
    """An event that someone wants to know of, and what they believe before a release."""

    prior: Mapping[Any, Fraction]
    event: Collection[Any]


def read_conjecture(domain: FiniteDomain, event: str, prior: str | None) -> Conjecture:
    """A conjecture from its texts, arrays as in a claim file.

    Args:
        domain: the data sets.
        event: an array of data sets.
        prior: an array of [data set, probability]; uniform where there is none.
    """
    chosen = [_point("--event", domain, entry) for entry in _array("--event", event)]
    believed = dict.fromkeys(domain, Fraction(1, len(domain))) if prior is None else _prior(domain, prior)
    if not sum(believed.get(x, Fraction(0)) for x in chosen):
        raise InputError("--event: its prior probability is 0: what is conditional on it is undefined")
    return Conjecture(believed, frozenset(chosen))


class _Decimal(str):
    """A number with a point or an exponent, as it is written."""

    __slots__ = ()


def _array(option: str, text: str) -> list[Any]:
    found = load_toml(option, f"value = {text}", parse_float=_Decimal)
    value = found.get("value")
    if len(found) > 1 or not isinstance(value, list) or not value:
        raise InputError(f"{option} must be an array such as [[[0], [1]]]; got {text!r}")
    _refuse_decimals(option, value)
    return value


def _refuse_decimals(option: str, value: Any) -> None:
    if isinstance(value, _Decimal):
        raise InputError(f'{option}: numbers must be exact; got the float {value}: write "{value}", a text')
    for part in value if isinstance(value, list) else ():
        _refuse_decimals(option, part)


def _point(option: str, domain: FiniteDomain, value: Any) -> Any:
    point = freeze(value)
    try:
        is_inside = point in domain
    except TypeError:
        is_inside = False
    if not is_inside:
        raise InputError(f"{option} must name data sets of the domain, such as {domain.points[0]!r}; got {point!r}")
    return domain.points[domain.index(point)]


def _prior(domain: FiniteDomain, text: str) -> Mapping[Any, Fraction]:
    found: dict[Any, Fraction] = {}
    for entry in _array("--prior", text):
        if not isinstance(entry, list) or len(entry) != 2:
            raise InputError(f"--prior must be an array of [data set, probability]; got {entry!r}")
        point = _point("--prior", domain, entry[0])
        if point in found:
            raise InputError(f"--prior must name each data set once; {point!r} stands twice")
        found[point] = probability(f"--prior of {point!r}", parse_exact(f"--prior of {point!r}", entry[1]))
    if (total := sum(found.values(), Fraction(0))) != 1:
        raise InputError(f"--prior must sum to exactly 1; got {total}")
    return found


_MOST_TABLES = 5_000
_MOST_PAIRS = 20_000
"""Of data sets whose distance is measured; a universe's first data set is compared with all others first."""

_HAMMING = ("hamming_ordered", "hamming_unordered")


@dataclass(frozen=True)
class Attained:
    """The distances between two different data sets of one universe, as far as they are known.

    Attributes:
        seen: positive integers at which there are two, in order.
        is_all: whether there is none at any other.
        least: an integer below which there is none.
    """

    seen: tuple[int, ...]
    is_all: bool
    least: int = 1

    def excludes(self, distance: int) -> bool:
        """Whether no two data sets of one universe are certainly at this distance."""
        return distance < self.least or (self.is_all and distance not in self.seen)


def attained_distances(built: PrivacyClaim) -> Attained:
    """The distances of a claim: of data sets that are listed they are measured, up to a number of pairs.

    Under the swapping invariants, and between tables with the same margins, a record that alone is another one changes
    a margin: two different data sets are at least 2 apart, counted in the records that are swapped.
    """
    listed = built.with_listed_tables(_MOST_TABLES)
    if listed.data is not None:
        return _measured(listed.data)
    metric, resolution = built.input_premetric
    mechanism = built.mechanism
    is_swapped = (
        "swapping" in built.invariants
        and mechanism is not None
        and mechanism.name == SWAPPING
        and mechanism.resolution in (None, resolution)
    )
    has_margins = built.kind is not None and built.kind.margins is not None
    return Attained((), is_all=False, least=2 if metric in _HAMMING and (is_swapped or has_margins) else 1)


def _measured(data: InputBlocks) -> Attained:
    seen, left = set[Fraction | int](), _MOST_PAIRS
    for universe in data.multiverse:
        for x, y in permutations(data.domain.ordered(universe), 2):
            if not left:
                return Attained(_whole(seen), is_all=False)
            left -= 1
            d = data.input_premetric(x, y)
            if d:
                seen.add(d)
    return Attained(_whole(seen), is_all=True)


def _whole(seen: set[Fraction | int]) -> tuple[int, ...]:
    return tuple(sorted(int(d) for d in seen if Fraction(d).denominator == 1))
