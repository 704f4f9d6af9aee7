"""Specifications whose output premetric has real values: each pair is decided by exact comparison of two reals.

A comparison that nothing decides leaves the answer OPEN, unless another pair is refuted.
"""

from fractions import Fraction
from typing import Any

from stirred.spec.blocks.specification import Specification
from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law
from stirred.spec.numbers.reals.logarithm_sum import LogarithmSum
from stirred.spec.numbers.reals.real import Number, Real, larger
from stirred.spec.output_premetrics import RealValued
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness, formula_witness, jsonable

_MOST_TERMS = 400
"""Terms of a formula that a witness has: replaying more of them takes long."""


def settled_by(measure: RealValued, budget: Any = None) -> Verdict:
    """EXHAUSTED where all numbers are rational, else ENCLOSED: by certified enclosures that are disjoint."""
    is_rational = measure.is_rational and not isinstance(budget, (Real, Loss))
    return Verdict.EXHAUSTED if is_rational else Verdict.ENCLOSED


def check_real_comparison(comparison: ComparedLaws, specification: Specification, scope: str) -> Evidence:
    """Settled where every pair of every universe satisfies Equation (1), REFUTED with a witness, else OPEN."""
    measure = comparison.flavor.output_premetric
    if not isinstance(measure, RealValued):
        raise EngineError(f"{measure.name} has no real-valued distances")
    found = comparison.first_violation(specification)
    if found is None and comparison.undecided is None:
        budgets = set(map(type, specification.budgets.values())) - {Fraction, int, type(None)}
        return Evidence(Verdict.ENCLOSED if budgets else settled_by(measure), scope, comparison.checked_pairs())
    if found is None:
        x, y, reason = comparison.undecided or ("", "", "")
        return Evidence(Verdict.OPEN, scope, f"x = {x}, x' = {y}: not decided: {reason}")
    x, y, d, universe = found
    laws = comparison.laws[x], comparison.laws[y]
    value, bound = measure.distance(*laws), measure.bound(specification.budgets[universe], d)
    if bound is None:
        raise EngineError("an infinite bound is violated by nothing")
    sentence = f"x = {x}, x' = {y}, d = {d}: D_Pr[P_x, P_x'] {_relation(value)}"
    witness = real_witness(measure, laws, value, bound, x=x, x_prime=y)
    return Evidence(Verdict.REFUTED, scope, f"{sentence} exceeds {bound}", witness)


def _relation(value: Number | None) -> str:
    """A value after the sign that is true of it."""
    text = "infinite" if value is None else str(value)
    return text if text.startswith(("≈", "in [")) else f"= {text}"


def enclosed_need(comparison: ComparedLaws) -> Number | None:
    """The smallest budget where nothing tells which pair needs most: enclosed by what all need; None for ∞."""
    measure = comparison.flavor.output_premetric
    largest: Number = Fraction(0)
    for universe in comparison.flavor.multiverse:
        for x, y, d in comparison.listed(universe, comparison.rows(universe)):
            need = measure.smallest_budget(comparison.law_pair(x, y).distance, d)
            if need is None:
                return None
            largest = larger(largest, need)
    return largest


def real_witness(
    measure: RealValued, laws: tuple[Law[Any], Law[Any]], value: Number | None, bound: Number, **data_sets: Any
) -> Witness:
    """A witness that D(P, Q) exceeds a bound, as a formula that `verify.evidence.certificates.replay` computes.

    Of a premetric that states a formula, it is recomputed from the probabilities, with outcomes of one likelihood ratio
    merged; of another one, or where nothing but an outcome of one law shows that D is infinite, it is the comparison.
    """
    p, q = laws
    note = f"p and q are the laws of {' and '.join(f'{name} = {point}' for name, point in data_sets.items())}"
    told = {name: jsonable(point) for name, point in data_sets.items()}
    alone = next((t for t in p if not q.numeric(t)), None)
    if value is None and alone is not None:
        note = f"{note}: at {alone} q is 0, so that {measure.described()} is infinite; a finite one needs q > 0"
        return {**formula_witness("q > 0", note=note, p=p.numeric(alone), q=Fraction(0)), **told}
    if value is None:
        seen = next((t for t in p if p.numeric(t) != q.numeric(t)), None)
        note = f"{note}, at {seen}: they differ, and {measure.described()} is infinite there"
        numbers = {name: law.numeric(seen) for name, law in (("p", p), ("q", q))}
        return {**formula_witness("p == q", note=note, **numbers), **told}
    text, numbers = _formula(measure, laws)
    if not text:
        lower = value if isinstance(value, Fraction) else value.enclosure(30).lower
        note = f"{note}; D is their {measure.described()}, {value}, or a number just below it"
        return {**formula_witness(f"D <= {_bound_text(bound)}", note=note, D=lower), **told}
    return {**formula_witness(f"{text} <= {_bound_text(bound)}", note=note, **numbers), **told}


def _formula(measure: RealValued, laws: tuple[Law[Any], Law[Any]]) -> tuple[str, dict[str, Fraction]]:
    """D(P, Q) in the probabilities, outcomes of one ratio merged, which changes no value; no text where it is long."""
    p, q = laws
    merged: dict[Fraction, Fraction] = {}
    for t in p:
        if q.numeric(t):
            ratio = p.numeric(t) / q.numeric(t)
            merged[ratio] = merged.get(ratio, Fraction(0)) + p.numeric(t)
    numbers: dict[str, Fraction] = {}
    for place, (ratio, weight) in enumerate(merged.items()):
        numbers |= {f"p{place}": weight, f"q{place}": weight / ratio}
    return measure.formula(len(merged)) if len(merged) <= _MOST_TERMS else "", numbers


def _bound_text(bound: Number) -> str:
    """The bound, or a rational just above it; one that is a sum of logarithms as it is."""
    if isinstance(bound, LogarithmSum):
        return " + ".join(f"({c})*ln({argument})" for argument, c in bound.terms.items()) or "0"
    return str(bound if isinstance(bound, Fraction) else bound.enclosure(30).upper)
