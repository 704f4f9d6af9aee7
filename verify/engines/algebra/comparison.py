"""The order of specifications: is every mechanism of one a mechanism of the other? With a separating mechanism if not.

Three answers. "Yes" states why. "No" comes with the exact laws of a mechanism that satisfies the first specification
and breaks the second, checked pair by pair before it is returned. Everything else is "undecided".

For D_Mult, D_Mult^δ and D_TV, in any mixture, events decide: such a distance is the largest over events, and reporting
whether an event happened cannot increase a distance of the first specification. So where any mechanism separates, one
with two outcomes does, and its probabilities solve linear inequalities. For D_Mult alone and for D_TV alone the closure
of the constraint matrix decides, and the separating mechanism is written down.
"""

import heapq
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from math import ceil, floor
from typing import Any, NoReturn

from stirred.spec.algebra.closure import closure, symmetrized
from stirred.spec.arguments import InputError
from stirred.spec.blocks.multiverse import components
from stirred.spec.blocks.specification import ConstraintMatrix, Specification
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law, point_mass
from stirred.spec.output_premetrics import OutputPremetric
from stirred.verify.engines.algebra.linear_program import implied
from stirred.verify.evidence.finding import EngineError

MAX_PROGRAM = 16
"""The largest domain on which linear programs are solved."""

_DIGITS = (0, 4, 8, 16)

_MOST = Fraction(2) ** 4096
_LARGEST = Loss(_MOST)
"""Powers above it have no place in a law that is shown."""

Laws = Mapping[Any, Law[Any]]


class Decision(Enum):
    """Whether every mechanism of one specification is one of the other."""

    YES = "every mechanism of the first satisfies the second"
    NO = "some mechanism of the first breaks the second"
    UNDECIDED = "neither was shown"

    def __bool__(self) -> NoReturn:
        raise TypeError("an answer has no truth value; compare it with the Decision that you mean")


@dataclass(frozen=True)
class Comparison:
    """An answer with what shows it.

    Attributes:
        mechanism: for "no", the laws of a mechanism that separates, by data set.
        pair: for "no", two data sets where it breaks the second specification.
    """

    answer: Decision
    reason: str
    mechanism: Laws | None = None
    pair: tuple[Any, Any] | None = None


def broken_pairs(laws: Laws, matrix: ConstraintMatrix) -> Iterator[tuple[Any, Any]]:
    """The pairs at which a mechanism exceeds a constraint matrix, in domain order."""
    measure = matrix.output_premetric
    for x in matrix.domain:
        for y in matrix.domain:
            bound = matrix(x, y)
            unconstrained = measure.at_most(measure.no_bound, bound)
            if not unconstrained and not measure.at_most(_distance(measure, laws[x], laws[y]), bound):
                yield x, y


def _distance(measure: OutputPremetric, p: Law[Any], q: Law[Any]) -> Any:
    """D_Pr(P, Q), where it follows without an enclosure."""
    if measure.is_infinite_at_total_variation_one and not set(p) & set(q):
        return measure.no_bound
    return measure.distance(p, q)


def stronger(first: Specification | ConstraintMatrix, second: Specification | ConstraintMatrix) -> Comparison:
    """Whether every mechanism that satisfies the first specification satisfies the second.

    Source: dissertation, Definition 2.4.9.
    """
    a, b = (one.matrix() if isinstance(one, Specification) else one for one in (first, second))
    if a.domain.points != b.domain.points:
        raise InputError("specifications must be on one domain to be compared; pull one back along a recording map")
    if a.output_premetric == b.output_premetric and _below(symmetrized(a), b):
        return Comparison(Decision.YES, "every stated bound of the first is at most that of the second")
    if (apart := _apart(a, b)) is not None:
        return apart
    if not (_is_decided_by_events(a.output_premetric) and _is_decided_by_events(b.output_premetric)):
        names = f"{a.output_premetric.name} and {b.output_premetric.name}"
        return Comparison(Decision.UNDECIDED, f"no engine separates or derives bounds for {names}")
    if a.output_premetric == b.output_premetric and a.output_premetric.has_triangle_inequality:
        return _by_closure(a, b)
    if len(a.domain) > MAX_PROGRAM:
        return Comparison(Decision.UNDECIDED, f"linear programs are solved on at most {MAX_PROGRAM} data sets")
    return _by_programs(a, b)


def _is_decided_by_events(measure: OutputPremetric) -> bool:
    return measure.event_form(measure.zero) is not None


def _below(a: ConstraintMatrix, b: ConstraintMatrix) -> bool:
    return all(x == y or b.output_premetric.at_most(a(x, y), bound) for (x, y), bound in b.entries.items())


def _in_order(matrix: ConstraintMatrix) -> list[tuple[Any, Any]]:
    place = matrix.domain.index
    return sorted(matrix.entries, key=lambda pair: (place(pair[0]), place(pair[1])))


def _separated(a: ConstraintMatrix, b: ConstraintMatrix, laws: Laws, reason: str) -> Comparison:
    """The answer "no", after checking that the mechanism satisfies the first and breaks the second."""
    broken = next(broken_pairs(laws, b), None)
    if broken is None or next(broken_pairs(laws, a), None) is not None:
        raise EngineError("a separating mechanism does not separate")
    return Comparison(Decision.NO, reason, laws, broken)


def _apart(a: ConstraintMatrix, b: ConstraintMatrix) -> Comparison | None:
    """The mechanism that reports the class of data sets connected by bounds of the first, if it breaks the second."""
    measure = a.output_premetric

    def bounded(x: Any, y: Any) -> bool:
        return not measure.at_most(measure.no_bound, a(x, y))

    classes = components(a.domain.points, bounded)
    laws = {x: point_mass(number) for number, members in enumerate(classes) for x in members}
    if next(broken_pairs(laws, b), None) is None:
        return None
    return _separated(a, b, laws, "the first leaves unconnected what the second compares")


def _by_closure(a: ConstraintMatrix, b: ConstraintMatrix) -> Comparison:
    """C* ≤ C' decides for D_Mult and for D_TV: every entry of C* is attained by a mechanism."""
    closed, measure = closure(a), a.output_premetric
    for x, y in _in_order(b):
        bound, reached = b(x, y), closed(x, y)
        if measure.at_most(measure.no_bound, reached):
            reached = measure.largest
        if x == y or measure.at_most(reached, bound):
            continue
        reason = f"the first allows {reached} between {x!r} and {y!r}, the second {bound}"
        for digits in _DIGITS:
            laws = _attaining(closed, x, digits)
            if not measure.at_most(measure.distance(laws[x], laws[y]), bound):
                return _separated(a, b, laws, reason)
        return Comparison(Decision.UNDECIDED, f"{reason}: no laws of short numbers tell them apart")
    return Comparison(Decision.YES, "every bound that the first implies along paths is at most that of the second")


def extremal_laws(closed: ConstraintMatrix, start: Any) -> dict[Any, Law[int]]:
    """A mechanism under D_Mult that attains every entry of a closed matrix in the row of one data set."""
    for bound in closed.entries.values():
        if bound.gamma is not None and bound.distance != 1:
            raise InputError(f"every finite bound must be the logarithm of a rational; got {bound}")
    return _falling_law(closed, start, 0)


def _attaining(closed: ConstraintMatrix, start: Any, digits: int) -> dict[Any, Law[int]]:
    """A mechanism with two outcomes that attains a row of a closed matrix, up to so many digits."""
    if closed.output_premetric.has_losses:
        return _falling_law(closed, start, digits)
    distances = {u: Fraction(1) if closed(start, u) is None else closed(start, u) for u in closed.domain}
    return {u: Law({0: d, 1: 1 - d}) for u, d in distances.items()}


def _falling_law(closed: ConstraintMatrix, start: Any, digits: int) -> dict[Any, Law[int]]:
    """P_u(0) = e^(−f(u))/2 with f(u) ≤ C*(start, u) and |f(u) − f(v)| ≤ C*(u, v), in rationals.

    1 − e^(−f)/2 changes by at most the factor e^|f(u) − f(v)| too, so D_Mult(P_u, P_v) = |f(u) − f(v)|.
    """
    factors: dict[Any, Fraction] = {}
    queue = [(Fraction(1), closed.domain.index(start), start)]
    while queue:
        factor, _, here = heapq.heappop(queue)
        if here in factors:
            continue
        factors[here] = factor
        for there in closed.domain:
            step = closed(here, there)
            if there not in factors and step.gamma is not None:
                heapq.heappush(queue, (factor * _below_gamma(step, digits), closed.domain.index(there), there))
    heads = {u: 1 / (2 * factors[u]) if u in factors else Fraction(0) for u in closed.domain}
    return {u: Law({0: head, 1: 1 - head}) for u, head in heads.items()}


def _below_gamma(loss: Loss, digits: int) -> Fraction:
    """A rational at most e^ε and at least 1: e^ε itself where it is written so, and at most 2^4096."""
    ends = None if loss > _LARGEST else loss.ratio(digits + 10)
    if ends is None:
        return _MOST
    return ends.lower if loss.distance == 1 else max(Fraction(1), Fraction(floor(ends.lower * 10**digits), 10**digits))


def _above_gamma(loss: Loss, digits: int) -> Fraction | None:
    """A rational at least e^ε: e^ε itself where it is written so; None where it is above 2^4096."""
    ends = None if loss > _LARGEST else loss.ratio(digits + 10)
    if ends is None:
        return None
    return ends.upper if loss.distance == 1 else Fraction(ceil(ends.upper * 10**digits), 10**digits)


def _limit(measure: OutputPremetric, bound: Any, digits: int, *, up: bool) -> tuple[Fraction, Fraction] | None:
    """(γ, δ) with "D_Pr(P, Q) ≤ bound iff E_γ(P‖Q) ≤ δ and E_γ(Q‖P) ≤ δ", γ rounded; None where nothing is bounded.

    Rounded up, a γ that is too large to be written out bounds nothing.
    """
    if measure.at_most(measure.no_bound, bound):
        return None
    form = measure.event_form(bound)
    if form is None:
        raise EngineError(f"{measure.name} is not decided by events")
    loss, delta = form
    gamma = (_above_gamma if up else _below_gamma)(loss, digits)
    return None if gamma is None else (gamma, delta)


def _by_programs(a: ConstraintMatrix, b: ConstraintMatrix) -> Comparison:
    """One linear program for each pair that the second bounds, over the mechanisms with two outcomes."""
    for digits in _DIGITS[1:]:
        if (found := _separating_event(a, b, digits)) is not None:
            return _separated(a, b, found, "a mechanism with two outcomes separates them")
        if not _some_event(a, b, digits):
            return Comparison(Decision.YES, "the inequalities of the first imply those of the second for every event")
    return Comparison(Decision.UNDECIDED, "the two are closer than 16 digits")


def _separating_event(a: ConstraintMatrix, b: ConstraintMatrix, digits: int) -> dict[Any, Law[int]] | None:
    """A mechanism for bounds of the first rounded down, of the second rounded up."""
    rows, bounds = _inequalities(a, digits, up=False)
    for row, bound in _targets(b, digits, up=True):
        point = implied(rows, bounds, row, bound).point
        if point is not None:
            return {u: Law({0: t, 1: 1 - t}) for u, t in zip(a.domain, point, strict=True)}
    return None


def _some_event(a: ConstraintMatrix, b: ConstraintMatrix, digits: int) -> bool:
    """Whether there is a mechanism for bounds of the first rounded up, of the second rounded down."""
    rows, bounds = _inequalities(a, digits, up=True)
    return any(implied(rows, bounds, row, bound).point is not None for row, bound in _targets(b, digits, up=False))


Row = tuple[Fraction, ...]


def _inequalities(matrix: ConstraintMatrix, digits: int, *, up: bool) -> tuple[list[Row], list[Fraction]]:
    """The inequalities for t_u = P_u(0): those of the matrix for the two outcomes, and 0 ≤ t ≤ 1."""
    size = len(matrix.domain)
    rows, bounds = [], []
    for u in range(size):
        for sign, limit in ((-1, 0), (1, 1)):
            rows.append(tuple(Fraction(sign * (u == k)) for k in range(size)))
            bounds.append(Fraction(limit))
    for row, bound in _targets(matrix, digits, up=up):
        rows.append(row)
        bounds.append(bound)
        # the other outcome: (1 − t_u) − γ(1 − t_v) ≤ δ
        rows.append(tuple(-entry for entry in row))
        bounds.append(bound - sum(row, Fraction(0)))
    return rows, bounds


def _targets(matrix: ConstraintMatrix, digits: int, *, up: bool) -> Iterator[tuple[Row, Fraction]]:
    """The inequality t_u − γ·t_v ≤ δ of each bounded pair, in both orders."""
    points = matrix.domain.points
    both = symmetrized(matrix)
    for x, y in _in_order(both):
        limit = _limit(matrix.output_premetric, both(x, y), digits, up=up)
        if x != y and limit is not None:
            gamma, delta = limit
            yield tuple(Fraction(u == x) - gamma * (u == y) for u in points), delta
