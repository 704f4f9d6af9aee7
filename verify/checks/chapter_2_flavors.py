"""Evidence for dissertation, sections 2.4.3 and 2.5: what d_X can say for a multiverse, and what D_Pr decides alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations, product
from typing import Any

from spec.law import Law
from spec.law import product as independent
from spec.loss import INFINITE, Loss
from spec.multiverse import vacuous
from spec.output_premetrics import total_variation
from spec.specification import Specification
from verify.checks.chapter_2_processing import DISTANCES, Distance, Value, at_most, images, over, times
from verify.engines.algebra.small_comparisons import SCOPE, same_mechanisms, small_specifications
from verify.engines.algebra.small_domains import specification
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_TWO = Loss(Fraction(2))


def _redefined(claim: Specification, pick: Callable[[list[Loss]], Loss]) -> Specification:
    """The specification with {X}, eps = ln 2 and d'(x, x') = (a bound of the universes that hold x and x')/ln 2."""
    domain, d = claim.flavor.domain, claim.flavor.input_premetric
    table = {}
    for x, y in permutations(domain, 2):
        bounds = [budget.times(d(x, y)) for universe, budget in claim.budgets.items() if {x, y} <= universe]
        table[x, y] = _in_bits(pick(bounds) if bounds else INFINITE)
    return specification(domain, dict.fromkeys(vacuous(domain), _TWO), table)


def _in_bits(bound: Loss) -> Fraction | None:
    """The number n with bound = n ln 2, for a power of 2."""
    if bound.gamma is None:
        return None
    bits = bound.gamma.numerator.bit_length() - 1
    if bound.gamma != 2**bits:
        raise EngineError(f"bounds must be multiples of ln 2; got {bound}")
    return Fraction(bits, bound.distance)


def _in_premetric(pick: Callable[[list[Loss]], Loss]) -> Evidence:
    cases = ((listed, _redefined(listed.claim, pick)) for listed in small_specifications())
    return same_mechanisms(cases, SCOPE)


@checks("refinement.in-premetric")
def in_premetric() -> Evidence:
    """With the smallest bound of a pair for its distance."""
    return _in_premetric(min)


@refutes("refinement.in-premetric", "the largest bound of the universes for the smallest")
def in_premetric_largest() -> Evidence:
    """The mutant that forgets universes."""
    return _in_premetric(max)


Both = tuple[Value, Value]


def _one_sided(p: Law[Any], q: Law[Any]) -> Value:
    """D_TV where P has no more outcomes than Q, else 0."""
    return total_variation(p, q) if len(p) <= len(q) else Fraction(0)


_ONE_SIDED: Mapping[str, Distance] = {**DISTANCES, "D_TV where P has no more outcomes than Q": _one_sided}

_PLAIN: tuple[Both, ...] = tuple((Fraction(1), d) for d in (Fraction(1), Fraction(1, 2), Fraction(2), None))
"""d(x, x') and d(x', x), positive and not both infinite."""

_EDGE: Both = (Fraction(1), Fraction(0))

_RELEASES = tuple(Law({0: Fraction(k, 3), 1: Fraction(3 - k, 3)}) for k in range(4))


@cache
def _both_ways(measured: Distance) -> tuple[tuple[Both, tuple[Both, ...]], ...]:
    """D(P, Q) and D(Q, P) for all pairs of laws, and for their images under all functions."""
    return tuple(
        ((measured(p, q), measured(q, p)), tuple((measured(a, b), measured(b, a)) for a, b in after))
        for p, q, after in images()
    )


def _smallest(before: Both, there: Value, back: Value) -> Value:
    """The smallest budget of a mechanism with these D(P, Q) and D(Q, P)."""
    needed = [over(before[0], there), over(before[1], back)]
    return None if None in needed else max(value for value in needed if value is not None)


Left = tuple[str, Value, Value]
"""What left a flavor, with D after it and the bound."""


def _beyond(after: Both, budget: Value, there: Value, back: Value) -> tuple[Value, Value] | None:
    """D and its bound, in the direction where D is above it."""
    bounds = times(budget, there), times(budget, back)
    return next(((d, bound) for d, bound in zip(after, bounds, strict=True) if not at_most(d, bound)), None)


def _leaves(measured: Distance, there: Value, back: Value) -> Left | None:
    """A mechanism (P, Q) that leaves the flavor with these distances by a function."""
    for (p, q, pushed), (before, after) in zip(images(), _both_ways(measured), strict=True):
        budget = _smallest(before, there, back)
        for (f_p, f_q), values in zip(pushed, after, strict=True):
            if (found := _beyond(values, budget, there, back)) is not None:
                return f"P = {dict(p)}, Q = {dict(q)} become {dict(f_p)}, {dict(f_q)}", *found
    return None


@cache
def _pairs_of_releases(measured: Distance) -> tuple[tuple[str, Both, Both, Both], ...]:
    """D both ways between two mechanisms' laws, and between the laws of both releases together."""
    fresh = list(product(_RELEASES, repeat=2))
    return tuple(
        (
            f"P = {dict(p)}, Q = {dict(q)} with P' = {dict(r)}, Q' = {dict(s)}",
            (measured(p, q), measured(q, p)),
            (measured(r, s), measured(s, r)),
            (measured(independent(p, r), independent(q, s)), measured(independent(q, s), independent(p, r))),
        )
        for (p, q), (r, s) in product(fresh, fresh)
    )


def _exceeds(measured: Distance, there: Value, back: Value) -> Left | None:
    """Two mechanisms whose fresh composition is above the sum of their smallest budgets."""
    for shown, first, second, both in _pairs_of_releases(measured):
        budgets = _smallest(first, there, back), _smallest(second, there, back)
        total = None if budgets[0] is None or budgets[1] is None else budgets[0] + budgets[1]
        if (found := _beyond(both, total, there, back)) is not None:
            return shown, *found
    return None


_PROPERTIES: Mapping[str, Callable[[Distance, Value, Value], Left | None]] = {"immune": _leaves, "closed": _exceeds}


def _depends(
    premetrics: Mapping[str, Distance], distances: Iterable[Both], properties: Iterable[str] = _PROPERTIES
) -> Evidence:
    """Whether all flavors on two data sets with these distances have a property, or none has, for each D_Pr."""
    pairs, names = list(distances), list(properties)
    shown = ", ".join(f"({'oo' if d is None else d}, {'oo' if e is None else e})" for d, e in pairs)
    laws_tried = {
        "immune": "laws on two outcomes in thirds and on three in halves, all 27 functions",
        "closed": "fresh compositions of laws on two outcomes in thirds",
    }
    scope = f"{', '.join(premetrics)}; (d(x, x'), d(x', x)) in {{{shown}}}; " + "; ".join(laws_tried[n] for n in names)
    for (name, measured), has in product(premetrics.items(), names):
        found = {pair: _PROPERTIES[has](measured, *pair) for pair in pairs}
        kept = [pair for pair, case in found.items() if case is None]
        left = next(((pair, case) for pair, case in found.items() if case is not None), None)
        if kept and left is not None:
            (there, back), (laws, value, bound) = left
            if value is None or bound is None:
                raise EngineError("a witness needs finite distances")
            safe = ["oo" if d is None else str(d) for d in kept[0]]
            detail = f"{name}: {has} at d = ({safe[0]}, {safe[1]}), not at ({there}, {'oo' if back is None else back})"
            note = f"{detail}: {laws}, D_Pr afterwards and its bound"
            witness = formula_witness("after <= bound", after=value, bound=bound, note=note)
            return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("post-processing.only-premetric")
def only_premetric() -> Evidence:
    """As printed, also for a one-sided D_Pr."""
    return _depends(_ONE_SIDED, _PLAIN)


@checks("post-processing.only-premetric.symmetric")
def only_symmetric_premetric() -> Evidence:
    """For symmetric ones."""
    return _depends(DISTANCES, _PLAIN)


@refutes("post-processing.only-premetric.symmetric", "one distance may be 0")
def only_symmetric_premetric_at_zero() -> Evidence:
    """The mutant with an edge case."""
    return _depends(DISTANCES, (*_PLAIN, _EDGE), ["immune"])


@refutes("post-processing.only-premetric.symmetric", "one distance may be 0, for compositions")
def only_symmetric_premetric_at_zero_composed() -> Evidence:
    """The mutant with the same edge case."""
    return _depends(DISTANCES, (*_PLAIN, _EDGE), ["closed"])


@refutes("post-processing.only-premetric.symmetric", "any D_Pr, for compositions")
def only_premetric_composed() -> Evidence:
    """The mutant is the printed sentence's second half."""
    return _depends(_ONE_SIDED, _PLAIN, ["closed"])
