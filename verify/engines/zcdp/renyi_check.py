"""Zero-concentrated specifications on finite domains: each pair is decided from an enclosure of D_NoR².

D_NoR² ≤ ρ²·d² holds where the upper end is at most the bound, fails where the lower end exceeds it, and is undecided
where they agree to the last digit asked for.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from operator import itemgetter
from typing import Any

import flint

from stirred.spec.blocks.input_premetric import FiniteDistance
from stirred.spec.blocks.multiverse import Universe
from stirred.spec.blocks.specification import Specification
from stirred.spec.budgets.loss import ZERO
from stirred.spec.laws.law import Law
from stirred.spec.numbers.ball import ball_of, dyadic, precision
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import NormalizedRenyi
from stirred.verify.engines.comparison import ComparedLaws, simplicity
from stirred.verify.engines.law_pairs import MergedPair
from stirred.verify.engines.universe_pairs import Row
from stirred.verify.engines.zcdp.normalized_renyi import RenyiSupremum, renyi_supremum
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.process_control.workload import part
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness, event_witness, renyi_law_witness

# Bounds of D_NoR² that cost one pass over the outcomes, by which most pairs are settled before any search.
#
# With L = ln(P/Q) and K(t) = ln E_P[e^{tL}], K(t) ≤ t·K'(0) + t²·R²/8: the second derivative of K is the variance of
# L under a tilted law, at most a quarter of the square of the range R = max L − min L. So g(t) = K(t)/(t(1+t)) is at
# most (K'(0) + t·R²/8)/(1 + t), a mean of K'(0) = KL(P‖Q) and R²/8. The same at t = −1, where K is 0, says KL ≤ R²/8:
# the supremum lies between the two.

_BITS = 64


def renyi_bounds(p: Law[Any], q: Law[Any]) -> Enclosure | None:
    """An enclosure of D_NoR(P, Q)², narrow only for nearly equal laws; None where it is infinite.

    >>> coin, other = Law({0: Fraction(1, 4), 1: Fraction(3, 4)}), Law({0: Fraction(3, 4), 1: Fraction(1, 4)})
    >>> found = renyi_bounds(coin, other)
    >>> found.lower < Fraction("0.549307") < found.upper < Fraction("0.603475")
    True
    """
    if set(p) != set(q):
        return None
    with precision(_BITS):
        losses = [(p.numeric(t), q.numeric(t), ball_of(p.numeric(t) / q.numeric(t)).log()) for t in p]
        forward = sum((ball_of(mass) * loss for mass, _, loss in losses), flint.arb(0))
        backward = sum((-ball_of(mass) * loss for _, mass, loss in losses), flint.arb(0))
        least, most = min(dyadic(loss.lower()) for *_, loss in losses), max(dyadic(loss.upper()) for *_, loss in losses)
        if not (forward.is_finite() and backward.is_finite()):
            raise EngineError("a divergence of laws with one support must be finite")
        lower = max(dyadic(forward.lower()), dyadic(backward.lower()), Fraction(0))
    return Enclosure(lower, (most - least) ** 2 / 8)


_DIGITS = (4, 12, 28)
_STEPS = (2, 5)
_MARGIN = Fraction(1, 10**30)
"""A refutation must exceed its bound by more than the replay of its witness can tell apart."""


def decide_renyi_bound(p: Law[Any], q: Law[Any], bound: Fraction | None) -> tuple[Verdict, RenyiSupremum | None]:
    """Whether D_NoR(P, Q)² ≤ bound, from enclosures of 4, 12 and 28 digits.

    ENCLOSED where it holds, REFUTED where it does not, OPEN where the bound is too close to tell; and the enclosure
    that decides, None where none is needed or D_NoR is ∞.
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
    """A witness of D_NoR(P, Q)² > bound: D_α/α at one order, KL (the limit α → 1), or an outcome of one law."""
    if _is_exchanged(p, q, found):
        p, q = q, p
        exchanged = {"x": "x_prime", "x_prime": "x"}
        data_sets = {exchanged[key]: value for key, value in data_sets.items()}
    if found is not None:
        return renyi_law_witness((p, q), order=found.order, bound=bound, note=note, **data_sets)
    alone = next((outcome for outcome in p if not q.numeric(outcome)), None)
    if alone is None:
        raise EngineError("D_NoR is infinite only where the supports differ")
    what = f"{note}: P'(E) = 0 < P(E), so D_NoR is infinite and no finite rho^2 is a budget"
    return event_witness((p, q), [alone], distance=0, claimed=ZERO, note=what, **data_sets)


def _is_exchanged(p: Law[Any], q: Law[Any], found: RenyiSupremum | None) -> bool:
    """Whether the witness is of (Q, P): of the larger divergence, or of an outcome that P does not have."""
    if found is not None:
        return found.swapped
    return all(q.numeric(outcome) for outcome in p)


def check_renyi_comparison(comparison: ComparedLaws, specification: Specification, scope: str) -> Evidence:
    """ENCLOSED where every pair of every universe satisfies Equation (1) for D_NoR, REFUTED with the smallest witness.

    Budgets are ρ². OPEN where no pair is refuted but some bound agrees with D_NoR² to 28 digits.
    """
    decisions = _Decisions(comparison, specification)
    found = decisions.first(comparison.rows)
    if found is not None and found.verdict is Verdict.REFUTED:
        found = decisions.first(partial(comparison.simpler_rows, found=found.pair), simpler_than=found) or found
    elif found is not None:  # a pair that is not decided bounds no other
        found = decisions.first(comparison.all_rows)
    if found is None:
        return Evidence(Verdict.ENCLOSED, scope, comparison.checked_pairs())
    x, y, d = found.pair
    p, q = comparison.laws[x], comparison.laws[y]
    verdict, supremum = decide_renyi_bound(p, q, found.bound)
    if verdict is not Verdict.REFUTED:
        detail = f"x = {x}, x' = {y}: D_NoR^2 and {found.bound} agree to {_DIGITS[-1]} digits"
        return Evidence(Verdict.OPEN, scope, detail)
    first, second = (y, x) if _is_exchanged(p, q, supremum) else (x, y)
    where = f"x = {first}, x' = {second}, d = {d}"
    shown = "infinite" if supremum is None else Enclosure(supremum.lower, supremum.upper).text()
    witness = renyi_witness(p, q, found.bound, supremum, where, x=x, x_prime=y)
    return Evidence(Verdict.REFUTED, scope, f"{where}: D_NoR^2 = {shown} exceeds {found.bound}", witness)


@dataclass(frozen=True)
class _Undone:
    """A pair (x, x', d) that does not satisfy its bound, or is not shown to."""

    pair: tuple[Any, Any, FiniteDistance]
    bound: Fraction
    verdict: Verdict


class _Decisions:
    """Whether pairs satisfy their bounds, each merged pair of laws with one bound decided once."""

    def __init__(self, comparison: ComparedLaws, specification: Specification) -> None:
        self._comparison = comparison
        self._specification = specification
        self._verdicts: dict[tuple[MergedPair, Fraction], Verdict] = {}

    def first(
        self, rows: Callable[[Universe], Iterable[tuple[int, Row]]], simpler_than: _Undone | None = None
    ) -> _Undone | None:
        """The simplest pair that is refuted, else the simplest one that is undecided; None where all bounds hold."""
        flavor = self._comparison.flavor
        listed = [
            (simplicity(flavor, *pair), pair, bound)
            for universe in flavor.multiverse
            for pair, bound in self._bounded(universe, rows(universe))
        ]
        if simpler_than is not None:
            least = simplicity(flavor, *simpler_than.pair)
            listed = [entry for entry in listed if entry[0] < least]
        listed.sort(key=itemgetter(0))
        undecided: _Undone | None = None
        with part("bounds of pairs", len(listed)) as done:
            for _, pair, bound in listed:
                verdict = self._verdict(self._comparison.law_pair(*pair[:2]), bound)
                if verdict is Verdict.REFUTED:
                    return _Undone(pair, bound, verdict)
                if verdict is Verdict.OPEN and undecided is None:
                    undecided = _Undone(pair, bound, verdict)
                done.advance()
        return undecided

    def _bounded(
        self, universe: Universe, rows: Iterable[tuple[int, Row]]
    ) -> Iterator[tuple[tuple[Any, Any, FiniteDistance], Fraction]]:
        """The pairs of different laws that Equation (1) bounds."""
        comparison, budget = self._comparison, self._specification.budgets[universe]
        for pair in comparison.listed(universe, rows):
            bound = comparison.flavor.output_premetric.bound(budget, pair[2])
            if bound is not None and not comparison.has_one_law(*pair[:2]):
                yield pair, bound

    def _verdict(self, laws: MergedPair, bound: Fraction) -> Verdict:
        key = laws, bound
        if key not in self._verdicts:
            quick = renyi_bounds(*laws.laws)
            is_met = quick is not None and quick.upper <= bound
            self._verdicts[key] = Verdict.ENCLOSED if is_met else decide_renyi_bound(*laws.laws, bound)[0]
        return self._verdicts[key]


def smallest_compared_budget(comparison: ComparedLaws, *, digits: int = 12) -> Enclosure | None:
    """An enclosure of the smallest ρ² that one budget for all universes needs; None where no finite one is enough.

    Each D_NoR² that may be the largest is enclosed to a width of 10^-digits, before division by d². Bounds are
    tightened step by step, and only of those pairs that may still need most.
    """
    nearest = _nearest(comparison)
    if nearest is None:
        return None
    needs: dict[MergedPair, Enclosure] = {}
    for laws, d in nearest.items():
        quick = renyi_bounds(*laws.laws)
        if quick is None:
            return None
        needs[laws] = _over(quick, d)
    for step in (*(step for step in _STEPS if step < digits), digits):
        lower = max((need.lower for need in needs.values()), default=Fraction(0))
        needs = {laws: need for laws, need in needs.items() if need.upper >= lower}
        with part(f"Rényi divergences to {step} digits", len(needs)) as done:
            for laws in sorted(needs, key=lambda one: needs[one].upper, reverse=True):
                if needs[laws].upper >= lower:
                    found = renyi_supremum(*laws.laws, digits=step)
                    if found is None:
                        raise EngineError("D_NoR is infinite only where the supports differ")
                    near = _over(Enclosure(found.lower, found.upper), nearest[laws])
                    known = needs[laws]
                    needs[laws] = Enclosure(max(known.lower, near.lower), min(known.upper, near.upper))
                    lower = max(lower, needs[laws].lower)
                done.advance()
    upper = max((need.upper for need in needs.values()), default=Fraction(0))
    return Enclosure(lower, max(lower, upper))


def _over(squared: Enclosure, d: Fraction) -> Enclosure:
    scale = d**NormalizedRenyi.power
    return Enclosure(squared.lower / scale, squared.upper / scale)


def _nearest(comparison: ComparedLaws) -> dict[MergedPair, Fraction] | None:
    """The pairs of different laws, each at the least distance where it occurs; None where that is 0."""
    nearest: dict[MergedPair, Fraction] = {}
    for universe in comparison.flavor.multiverse:
        for x, y, d in comparison.listed(universe, comparison.rows(universe)):
            if comparison.has_one_law(x, y):
                continue
            if d == 0:
                return None
            laws = comparison.law_pair(x, y)
            nearest[laws] = min(nearest.get(laws, Fraction(d)), Fraction(d))
    return nearest
