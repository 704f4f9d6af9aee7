"""Evidence for dissertation, sections 2.5 and A.5: composition and post-processing, premetric by premetric."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any

from spec.law import Law
from spec.law import product as independent
from spec.loss import INFINITE, Loss
from spec.output_premetrics import ApproximateMultiplicative, Multiplicative, total_variation
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness, formula_witness
from verify.ledger import checks, refutes

Value = Fraction | None
"""A distance of laws that the statements of this module are tried with; None is ∞."""

Distance = Callable[[Law[Any], Law[Any]], Value]

_PURE = Multiplicative()


def _gamma_minus_one(p: Law[Any], q: Law[Any]) -> Value:
    """e^D_Mult − 1: a premetric that post-processing cannot increase, not subadditive."""
    gamma = _PURE.distance(p, q).gamma
    return None if gamma is None else gamma - 1


def _spread(p: Law[Any], q: Law[Any]) -> Value:
    """The number of possible outcomes times D_TV: no function can increase it, randomness can."""
    return len({*p, *q}) * total_variation(p, q)


def _far(p: Law[Any], q: Law[Any]) -> Value:
    """0 for equal laws, else 2 − D_TV, which falls as laws grow apart."""
    return Fraction(0) if p == q else 2 - total_variation(p, q)


def _nothing(p: Law[Any], q: Law[Any]) -> Value:  # noqa: ARG001 the premetric 0
    """0 for all laws."""
    return Fraction(0)


DISTANCES: Mapping[str, Distance] = {
    "D_TV": total_variation,
    "D_TV^2": lambda p, q: total_variation(p, q) ** 2,
    "e^D_Mult - 1": _gamma_minus_one,
    "outcomes times D_TV": _spread,
    "2 - D_TV of different laws": _far,
    "0": _nothing,
}
"""Premetrics that have the properties of section 2.5 and premetrics that lack them."""

_SHOWN = f"{len(DISTANCES)} premetrics: {', '.join(DISTANCES)}"


def _coins(parts: int) -> tuple[Law[int], ...]:
    return tuple(Law({0: Fraction(k, parts), 1: Fraction(parts - k, parts)}) for k in range(parts + 1))


@cache
def _laws() -> tuple[Law[int], ...]:
    """Laws on two outcomes in thirds, and on three outcomes in halves."""
    halves = [
        Law({t: Fraction(k, 2) for t, k in enumerate(parts)})
        for parts in product(range(3), repeat=3)
        if sum(parts) == 2
    ]
    return tuple(dict.fromkeys((*_coins(3), *halves)))


_LAWS = "laws on two outcomes in thirds and on three in halves"


def at_most(left: Value, right: Value) -> bool:
    """Left ≤ right."""
    return right is None or (left is not None and left <= right)


def times(budget: Value, distance: Value) -> Value:
    """ε·d with 0·∞ = ∞."""
    return None if budget is None or distance is None else budget * distance


def _plus(first: Value, second: Value) -> Value:
    return None if first is None or second is None else first + second


def over(value: Value, distance: Value) -> Value:
    """The smallest ε with value ≤ ε·d."""
    if distance is None or value == 0:
        return Fraction(0)
    return None if value is None or distance == 0 else value / distance


def _iff(name: str, side: bool, other: bool, scope: str) -> Evidence | None:
    if side == other:
        return None
    note = f"{name}: 1 where the flavor has the property, 1 where the inequality holds"
    witness = formula_witness("flavor == inequality", flavor=int(side), inequality=int(other), note=note)
    return Evidence(Verdict.REFUTED, scope, note, witness)


_ALL: tuple[Value, ...] = (Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2), None)


def _composition_iff(distances: tuple[Value, ...]) -> Evidence:
    """Whether "closed on all flavors on two data sets" is (2.10), for each premetric."""
    scope = f"{_SHOWN}; coins in thirds; {{X}} of two data sets with d in {{0, 1/2, 1, 2, oo}}, smallest budgets"
    coins = [(p, q) for p in _coins(3) for q in _coins(3)]
    for name, measured in DISTANCES.items():
        cases = [
            (measured(p, q), measured(r, s), measured(independent(p, r), independent(q, s)))
            for (p, q), (r, s) in product(coins, coins)
        ]
        inequality = all(at_most(joint, _plus(first, second)) for first, second, joint in cases)
        closed = all(
            at_most(joint, times(_plus(over(first, d), over(second, d)), d))
            for d in distances
            for first, second, joint in cases
        )
        if (found := _iff(name, closed, inequality, scope)) is not None:
            return found
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("composition.iff-subadditive")
def composition_iff() -> Evidence:
    """Proposition 2.5.3."""
    return _composition_iff(_ALL)


@refutes("composition.iff-subadditive", "only flavors with d_X in {0, oo}")
def composition_iff_trivially() -> Evidence:
    """The mutant on the edge cases, where the budget says nothing."""
    return _composition_iff((Fraction(0), None))


def _maps() -> list[tuple[int, ...]]:
    return list(product(range(3), repeat=3))


@cache
def images() -> tuple[tuple[Law[int], Law[int], tuple[tuple[Law[int], Law[int]], ...]], ...]:
    """All pairs of laws, each with its images under all functions."""
    pushed = {p: [p.push(f.__getitem__) for f in _maps()] for p in _laws()}
    return tuple((p, q, tuple(set(zip(pushed[p], pushed[q], strict=True)))) for p in _laws() for q in _laws())


@cache
def _processed(measured: Distance) -> bool:
    """(2.11) for all functions on three outcomes."""
    return all(at_most(measured(*after), measured(p, q)) for p, q, pushed in images() for after in pushed)


def _immune(measured: Distance, distances: tuple[Value, ...]) -> bool:
    """Whether all flavors on two data sets are immune: a mechanism (P, Q) at its smallest budget stays there."""
    for p, q, pushed in images():
        value, after = measured(p, q), [measured(*image) for image in pushed]
        if not all(at_most(one, times(over(value, d), d)) for d in distances for one in after):
            return False
    return True


def _processing_iff(distances: tuple[Value, ...]) -> Evidence:
    scope = f"{_SHOWN}; {_LAWS}; all 27 functions; {{X}} of two data sets with d in {{0, 1/2, 1, 2, oo}}"
    for name, measured in DISTANCES.items():
        if (found := _iff(name, _immune(measured, distances), _processed(measured), scope)) is not None:
            return found
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("post-processing.iff-data-processing.finite")
def processing_iff() -> Evidence:
    """Proposition 2.5.4 where all subsets are measurable."""
    return _processing_iff(_ALL)


@refutes("post-processing.iff-data-processing.finite", "only flavors with d_X = oo")
def processing_iff_trivially() -> Evidence:
    """The mutant on an edge case, where nothing is asked."""
    return _processing_iff((None,))


_COIN = Law({0: Fraction(1, 2), 1: Fraction(1, 2)})


def _with_noise(law: Law[Any]) -> Law[Any]:
    return independent(law, _COIN)


@cache
def _noise_invariant(measured: Distance) -> bool:
    return all(measured(_with_noise(p), _with_noise(q)) == measured(p, q) for p, q in product(_laws(), repeat=2))


_RANDOMISED = ((0, 1, 2, 3, 4, 5), (0, 1, 2, 1, 1, 2), (0, 1, 2, 0, 2, 2), (0, 0, 0, 1, 1, 1), (0, 0, 1, 0, 0, 1))
"""Functions of (t, u), t in three outcomes and u a coin, by t + 3u: all told, one outcome halved, the coin alone, …"""


def _increase(measured: Distance) -> tuple[Law[int], Law[int], tuple[int, ...]] | None:
    """Laws P, Q and a function of the outcome and a fair coin that increases their distance: (A.5) fails."""
    for p, q in product(_laws(), repeat=2):
        value, noisy = measured(p, q), (_with_noise(p), _with_noise(q))
        for f in _RANDOMISED:
            first, second = (law.push(lambda tu, f=f: f[tu[0] + 3 * tu[1]]) for law in noisy)  # type: ignore[misc]
            if not at_most(measured(first, second), value):
                return p, q, f
    return None


@cache
def _randomly_processed(measured: Distance) -> bool:
    """(A.5) with a fair coin for Q: no randomised function of the outcome increases D."""
    return _increase(measured) is None


def _implied(assumed: Callable[[Distance], bool], claimed: Callable[[Distance], bool], *, both: bool) -> Evidence:
    """Whether one property of a premetric implies (or is equivalent to) another one."""
    scope = f"{_SHOWN}; {_LAWS}; five functions of the outcome and a fair coin"
    for name, measured in DISTANCES.items():
        first, second = assumed(measured), claimed(measured)
        if (first and not second) or (both and first != second):
            note = f"{name}: 1 where the premise holds, 1 where the conclusion does"
            witness = formula_witness("premise <= conclusion", premise=int(first), conclusion=int(second), note=note)
            if not first:
                witness = formula_witness("premise == conclusion", premise=0, conclusion=1, note=note)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("post-processing.randomised-implied")
def randomised_implied() -> Evidence:
    """The sentence as printed, without an assumption on D_Pr."""
    scope = f"{_SHOWN}; {_LAWS}; all 27 functions, five functions of the outcome and a fair coin"
    for name, measured in DISTANCES.items():
        found = _increase(measured) if _processed(measured) else None
        if found is not None:
            if measured is not _spread:
                raise EngineError(f"{name} must be increased by functions, or by no randomised ones")
            p, q, f = found
            after = [_with_noise(law).push(lambda tu, f=f: f[tu[0] + 3 * tu[1]]) for law in (p, q)]  # type: ignore[misc]
            detail = f"{name}: no function increases it, f(t, u) = {f}[t + 3u] does: P = {dict(p)}, Q = {dict(q)}"
            witness = _spread_witness((p, q), (after[0], after[1]), detail)
            return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _spread_witness(before: tuple[Law[Any], Law[Any]], after: tuple[Law[Any], Law[Any]], note: str) -> Witness:
    """The number of outcomes times D_TV before and after, D_TV as P(E) - Q(E) for the event E where P > Q."""
    numbers: dict[str, Fraction | int] = {}
    for suffix, (p, q) in (("", before), ("_after", after)):
        event = [t for t in p if p.numeric(t) > q.numeric(t)]
        numbers[f"outcomes{suffix}"] = len({*p, *q})
        numbers[f"p{suffix}"] = sum(map(p.numeric, event), Fraction(0))
        numbers[f"q{suffix}"] = sum(map(q.numeric, event), Fraction(0))
    return formula_witness("outcomes_after*(p_after - q_after) <= outcomes*(p - q)", note=note, **numbers)


@checks("post-processing.randomised-noise")
def randomised_noise() -> Evidence:
    """Proposition A.5.3."""

    def assumed(measured: Distance) -> bool:
        return _noise_invariant(measured) and _processed(measured)

    found = _implied(assumed, _randomly_processed, both=False)
    return found if found.verdict is Verdict.REFUTED else _implied(_randomly_processed, _processed, both=False)


@refutes("post-processing.randomised-noise", "without invariance to extraneous noise")
def randomised_without_noise() -> Evidence:
    """The mutant without the assumption."""
    return _implied(_processed, _randomly_processed, both=True)


def _one_inequality(measured: Distance) -> bool:
    return _randomly_processed(measured)


@cache
def _immune_randomised(measured: Distance) -> bool:
    """Every flavor on two data sets stays immune when a coin is drawn beside the output."""
    for p, q in product(_laws(), repeat=2):
        budget = over(measured(p, q), Fraction(2))
        for f in _RANDOMISED:
            first, second = (
                _with_noise(law).push(lambda tu, f=f: f[tu[0] + 3 * tu[1]])  # type: ignore[misc]
                for law in (p, q)
            )
            if not at_most(measured(first, second), times(budget, Fraction(2))):
                return False
    return True


@checks("noise.one-inequality")
def one_inequality() -> Evidence:
    """Corollary A.5.4."""
    return _implied(_one_inequality, _immune_randomised, both=True)


@refutes("noise.one-inequality", "(2.11) for (A.5)")
def one_inequality_deterministic() -> Evidence:
    """The mutant with functions of the outcome alone."""
    return _implied(_processed, _immune_randomised, both=True)


@checks("noise.from-randomised")
def noise_from_randomised() -> Evidence:
    """Lemma A.7.2."""
    return _implied(_randomly_processed, _noise_invariant, both=False)


@refutes("noise.from-randomised", "immune to non-random post-processing")
def noise_from_deterministic() -> Evidence:
    """The mutant with the weaker premise."""
    return _implied(_processed, _noise_invariant, both=False)


def _invariant(premetrics: Mapping[str, Distance]) -> Evidence:
    scope = f"{', '.join(premetrics)}; {_LAWS}, noise a fair coin and one of thirds"
    for name, measured in premetrics.items():
        for p, q in product(_laws(), repeat=2):
            for noise in (_COIN, _coins(3)[1]):
                before, after = measured(p, q), measured(independent(p, noise), independent(q, noise))
                if before != after:
                    note = f"{name} of {dict(p)} and {dict(q)}, with noise {dict(noise)}"
                    values = [Fraction(-1) if v is None else v for v in (before, after)]
                    witness = formula_witness("after == before", after=values[1], before=values[0], note=note)
                    return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _approximate(p: Law[Any], q: Law[Any]) -> Value:
    return ApproximateMultiplicative(Fraction(1, 4)).distance(p, q).gamma


@checks("noise.invariance")
def noise_invariance() -> Evidence:
    """D_Mult (as e^D − 1), D_Mult^(1/4) (as e^D) and D_TV."""
    return _invariant({"D_Mult": _gamma_minus_one, "D_Mult^(1/4)": _approximate, "D_TV": total_variation})


@refutes("noise.invariance", "the number of outcomes times D_TV")
def noise_variance() -> Evidence:
    """The mutant premetric."""
    return _invariant({"outcomes times D_TV": _spread})


def _multiplicative(bound: Callable[[Loss, Loss], Loss]) -> Evidence:
    """(2.11) and (2.10) for D_Mult."""
    scope = f"D_Mult; {_LAWS}, all 27 functions; products of coins in thirds"
    if not _processed(_gamma_minus_one):
        note = "a function increases D_Mult; 1 where none does"
        return Evidence(Verdict.REFUTED, scope, note, formula_witness("kept == 1", kept=0, note=note))
    for p, q, r, s in product(_coins(3), repeat=4):
        joint = _PURE.distance(independent(p, r), independent(q, s))
        allowed = bound(_PURE.distance(p, q), _PURE.distance(r, s))
        if not joint <= allowed:
            note = f"e^D_Mult of ({dict(p)}, {dict(r)}) and ({dict(q)}, {dict(s)})"
            witness = formula_witness("joint <= allowed", joint=joint.gamma, allowed=allowed.gamma, note=note)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _sum(first: Loss, second: Loss) -> Loss:
    return INFINITE if first.gamma is None or second.gamma is None else Loss(first.gamma * second.gamma)


@checks("post-processing.multiplicative")
def multiplicative() -> Evidence:
    """The sum of the losses."""
    return _multiplicative(_sum)


@refutes("post-processing.multiplicative", "the larger loss for the sum")
def multiplicative_largest() -> Evidence:
    """The mutant in which a second release is free."""
    return _multiplicative(max)
