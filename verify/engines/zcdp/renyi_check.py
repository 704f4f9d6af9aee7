"""Zero-concentrated specifications on finite domains: each pair is decided from an enclosure of D_NoR².

D_NoR² ≤ ρ²·d² holds where the upper end is at most the bound, fails where the lower end exceeds it, and is undecided
where they agree to the last digit asked for.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from spec.enclosure import Enclosure
from spec.input_premetric import Distance
from spec.law import Law
from spec.loss import ZERO
from spec.output_premetrics import NormalizedRenyi
from spec.specification import Flavor, Specification
from verify.engines.exhaustive import ordered_pairs
from verify.engines.zcdp.normalized_renyi import RenyiSupremum, renyi_supremum
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness, event_witness, renyi_law_witness

__all__ = ["check_renyi_specification", "decide_renyi_bound", "renyi_witness", "smallest_renyi_budget"]

_DIGITS = (4, 12, 28)
_MARGIN = Fraction(1, 10**30)
"""A refutation must exceed its bound by more than the replay of its witness can tell apart."""

Laws = Mapping[Any, Law[Any]]


@dataclass(frozen=True)
class _Pair:
    """Two data sets with their distance and the bound ρ²·d²; None stands for ∞."""

    first: Any
    second: Any
    distance: Distance
    bound: Fraction | None


def decide_renyi_bound(p: Law[Any], q: Law[Any], bound: Fraction | None) -> tuple[Verdict, RenyiSupremum | None]:
    """Whether D_NoR(P, Q)² ≤ bound, from enclosures of 4, 12 and 28 digits.

    Args:
        p: a finite law.
        q: a finite law.
        bound: exact; None for ∞.

    Returns:
        ENCLOSED where it holds, REFUTED where it does not, OPEN where the bound is too close to tell; and the
        enclosure that decides, None where none is needed or D_NoR is ∞.
    """
    if bound is None or p == q:
        return Verdict.ENCLOSED, None
    found: RenyiSupremum | None = None
    for digits in _DIGITS:
        found = renyi_supremum(p, q, digits=digits)
        if found is None or found.lower > bound + _MARGIN:
            return Verdict.REFUTED, found
        if found.upper <= bound:
            return Verdict.ENCLOSED, found
    return Verdict.OPEN, found


def renyi_witness(
    p: Law[Any], q: Law[Any], bound: Fraction, found: RenyiSupremum | None, note: str, **data_sets: Any
) -> Witness:
    """A witness that D_NoR(P, Q)² exceeds a bound: D_α/α at one order, KL (the limit α → 1), or an outcome of one law.

    Args:
        p: P, a finite law.
        q: Q, a finite law.
        bound: what is exceeded.
        found: the enclosure with its order; None where D_NoR is infinite.
        note: what the laws are.
        **data_sets: `x` and `x_prime`, which have them, where they are known.

    Raises:
        EngineError: the laws have one support although no order is given.
    """
    exchanged = {"x": "x_prime", "x_prime": "x"}
    if found is None:
        for law, other in ((p, q), (q, p)):
            for outcome in law:
                if not other.numeric(outcome):
                    what = f"{note}: P'(E) = 0 < P(E), so D_NoR is infinite and no finite rho^2 is a budget"
                    named = {exchanged[key] if law is q else key: value for key, value in data_sets.items()}
                    return event_witness((law, other), [outcome], distance=0, claimed=ZERO, note=what, **named)
        raise EngineError("D_NoR is infinite only where the supports differ")
    first, second = (q, p) if found.swapped else (p, q)
    named = {exchanged[key] if found.swapped else key: value for key, value in data_sets.items()}
    return renyi_law_witness((first, second), order=found.order, bound=bound, note=note, **named)


def _pairs(laws: Laws, specification: Specification) -> Iterator[_Pair]:
    """The pairs of different laws that Equation (1) bounds, each unordered pair with one bound once."""
    measure = specification.flavor.output_premetric
    seen = set()
    for x, y, d, budget in ordered_pairs(laws, specification):
        bound = measure.bound(budget, d)
        key = (frozenset((laws[x], laws[y])), bound)
        if bound is not None and laws[x] != laws[y] and key not in seen:
            seen.add(key)
            yield _Pair(x, y, d, bound)


def check_renyi_specification(laws: Laws, specification: Specification, scope: str) -> Evidence:
    """ENCLOSED where every pair of every universe satisfies Equation (1) for D_NoR, REFUTED with the smallest witness.

    OPEN where no pair is refuted but some bound agrees with D_NoR² to 28 digits.

    Args:
        laws: the law of the mechanism on every data set.
        specification: with the output premetric `NormalizedRenyi`; its budgets are ρ².
        scope: what the laws cover, in words.
    """
    undecided: _Pair | None = None
    for pair in _pairs(laws, specification):
        p, q = laws[pair.first], laws[pair.second]
        verdict, found = decide_renyi_bound(p, q, pair.bound)
        where = f"x = {pair.first}, x' = {pair.second}, d = {pair.distance}"
        if verdict is Verdict.REFUTED and pair.bound is not None:
            shown = "infinite" if found is None else Enclosure(found.lower, found.upper).text()
            witness = renyi_witness(p, q, pair.bound, found, where, x=pair.first, x_prime=pair.second)
            return Evidence(verdict, scope, f"{where}: D_NoR^2 = {shown} exceeds {pair.bound}", witness)
        if verdict is Verdict.OPEN:
            undecided = undecided or pair
    if undecided is not None:
        where = f"x = {undecided.first}, x' = {undecided.second}"
        return Evidence(Verdict.OPEN, scope, f"{where}: D_NoR^2 and {undecided.bound} agree to {_DIGITS[-1]} digits")
    pairs = specification.flavor.multiverse.compared_pairs()
    return Evidence(Verdict.ENCLOSED, scope, f"{pairs} pairs checked")


def smallest_renyi_budget(laws: Laws, flavor: Flavor, *, digits: int = 12) -> Enclosure | None:
    """An enclosure of the smallest ρ² that one budget for all universes needs; None where no finite one is enough.

    Args:
        laws: the law of the mechanism on every data set.
        flavor: with the output premetric `NormalizedRenyi`.
        digits: each D_NoR² is enclosed to a width of 10^-digits, before division by d².
    """
    lower = upper = Fraction(0)
    for pair in _pairs(laws, Specification.constant(flavor, Fraction(1))):
        found = renyi_supremum(laws[pair.first], laws[pair.second], digits=digits)
        if found is None or not pair.distance:
            return None
        scale = Fraction(pair.distance) ** NormalizedRenyi.power
        lower, upper = max(lower, found.lower / scale), max(upper, found.upper / scale)
    return Enclosure(lower, upper)
