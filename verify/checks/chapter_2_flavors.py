"""Evidence for dissertation, sections 2.4.3 and 2.5: what d_X can say for a multiverse, and what D_Pr decides alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import cache
from itertools import permutations
from typing import Any

from spec.law import Law
from spec.loss import INFINITE, Loss
from spec.multiverse import vacuous
from spec.output_premetric import total_variation
from spec.specification import Specification
from verify.algebra.small_comparisons import SCOPE, same_mechanisms, small_specifications
from verify.algebra.small_domains import specification
from verify.checks.chapter_2_processing import DISTANCES, Distance, Value, at_most, images, over, times
from verify.evidence import EngineError, Evidence, formula_witness
from verify.ledger import checks, refutes
from verify.verdict import Verdict

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


@cache
def _both_ways(measured: Distance) -> tuple[tuple[Both, tuple[Both, ...]], ...]:
    """D(P, Q) and D(Q, P) for all pairs of laws, and for their images under all functions."""
    return tuple(
        ((measured(p, q), measured(q, p)), tuple((measured(a, b), measured(b, a)) for a, b in after))
        for p, q, after in images()
    )


def _leaves(measured: Distance, there: Value, back: Value) -> tuple[str, Value, Value] | None:
    """A mechanism (P, Q) that leaves the flavor with these distances by a function: D after it, and the bound."""
    for (p, q, pushed), (before, after) in zip(images(), _both_ways(measured), strict=True):
        needed = [over(before[0], there), over(before[1], back)]
        budget = None if None in needed else max(value for value in needed if value is not None)
        bounds = times(budget, there), times(budget, back)
        for (f_p, f_q), values in zip(pushed, after, strict=True):
            for value, bound in zip(values, bounds, strict=True):
                if not at_most(value, bound):
                    return f"P = {dict(p)}, Q = {dict(q)} become {dict(f_p)}, {dict(f_q)}", value, bound
    return None


def _depends(premetrics: Mapping[str, Distance], distances: Iterable[Both]) -> Evidence:
    """Whether all flavors on two data sets with these distances are immune, or none is, for each D_Pr."""
    pairs = list(distances)
    shown = ", ".join(f"({'oo' if d is None else d}, {'oo' if e is None else e})" for d, e in pairs)
    scope = (
        f"{', '.join(premetrics)}; (d(x, x'), d(x', x)) in {{{shown}}}; laws on two outcomes in thirds and on three in "
        "halves, all 27 functions"
    )
    for name, measured in premetrics.items():
        found = {pair: _leaves(measured, *pair) for pair in pairs}
        immune = [pair for pair, case in found.items() if case is None]
        left = next(((pair, case) for pair, case in found.items() if case is not None), None)
        if immune and left is not None:
            (there, back), (laws, value, bound) = left
            if value is None or bound is None:
                raise EngineError("a witness needs finite distances")
            safe = ["oo" if d is None else str(d) for d in immune[0]]
            detail = f"{name}: immune at d = ({safe[0]}, {safe[1]}), not at ({there}, {'oo' if back is None else back})"
            note = f"{detail}: {laws}, D_Pr after the function and its bound"
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
    return _depends(DISTANCES, (*_PLAIN, (Fraction(1), Fraction(0))))
