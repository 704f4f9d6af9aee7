"""Evidence on composition of different flavors, and with shared seeds: dissertation, sections 2.5 and A.5."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from spec.closure import closure
from spec.composition import compose, composed_laws
from spec.law import Law
from spec.law import product as independent
from spec.loss import INFINITE, ZERO, Loss
from spec.output_premetrics import Multiplicative
from spec.specification import ConstraintMatrix, Specification
from verify.engines.algebra.comparison import broken_pairs, extremal_laws
from verify.engines.algebra.small_comparisons import TABLES
from verify.engines.algebra.small_domains import domain_of, multiplicative_witness, multiverses, specification
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_PURE = Multiplicative()


def _claims() -> list[Specification]:
    """Specifications on three data sets that differ in multiverse, premetric and budgets."""
    domain = domain_of(3)
    kept = [m for m in multiverses(domain) if m.universes and all(len(u) > 1 for u in m)]
    return [specification(domain, {u: Loss(Fraction(len(u))) for u in m}, table) for m, table in product(kept, TABLES)]


def _different(combine: Callable[[ConstraintMatrix, ConstraintMatrix], ConstraintMatrix]) -> Evidence:
    """Whether the combined matrix bounds (T₁, T₂), with equality for the extremal mechanisms of the closures."""
    scope = (
        "D_Mult, three data sets, all pairs of twelve specifications: every fourth of those with the multiverses of "
        "universes of two or three data sets, three premetrics, the budgets ln |D|; mechanisms that attain each entry"
    )
    listed = [(one.matrix(), closure(one.matrix())) for one in _claims()[::4]]
    for (first, closed), (second, closed_second) in product(listed, repeat=2):
        claimed = combine(first, second)
        for x, y in permutations(first.domain, 2):
            one, other = extremal_laws(closed, x), extremal_laws(closed_second, x)
            pair = {u: independent(one[u], other[u]) for u in first.domain}
            broken = next(broken_pairs(pair, claimed), None)
            reached = _PURE.distance(pair[x], pair[y])
            if broken is not None or reached != claimed(x, y):
                a, b = broken or (x, y)
                values = [_PURE.distance(pair[a], pair[b]), claimed(a, b)]
                note = f"e^-D_Mult of (T_1, T_2) at {a}, {b}, and of the combined bound; 0 for oo"
                low, high = (
                    Fraction(0) if v.gamma is None else 1 / v.gamma**w.distance
                    for v, w in zip(values, values[::-1], strict=True)
                )
                return Evidence(
                    Verdict.REFUTED, scope, note, formula_witness("pair == bound", pair=low, bound=high, note=note)
                )
    return Evidence(Verdict.EXHAUSTED, scope, f"{len(listed) ** 2} pairs of specifications")


@checks("composition.different-flavors")
def different_flavors() -> Evidence:
    """The sum of the closures."""
    return _different(lambda first, second: compose(closure(first), closure(second)))


@refutes("composition.different-flavors", "the sum of the matrices as they are stated, not of their closures")
def different_flavors_stated() -> Evidence:
    """The mutant that does not close the matrices."""
    return _different(compose)


def _largest(stated: ConstraintMatrix, other: ConstraintMatrix) -> ConstraintMatrix:
    first, second = closure(stated), closure(other)
    entries = {pair: max(first(*pair), second(*pair)) for pair in permutations(first.domain, 2)}
    return ConstraintMatrix(first.domain, first.output_premetric, entries)


@refutes("composition.different-flavors", "the larger bound for the sum")
def different_flavors_largest() -> Evidence:
    """The mutant in which a second release is free."""
    return _different(_largest)


def _joint_laws(agreement: Fraction) -> dict[Any, Law[Any]]:
    """The laws of (x xor U₁, U₂) for fair coins that agree with this probability."""
    part = agreement / 2
    seeds = Law({(0, 0): part, (1, 1): part, (0, 1): Fraction(1, 2) - part, (1, 0): Fraction(1, 2) - part})
    return composed_laws(domain_of(2), lambda x, u: x ^ u, lambda _, u: u, seeds)


def _shared(claimed: Callable[[Fraction], Loss]) -> Evidence:
    """Whether the loss of (T₁, T₂) is as claimed for each joint law of the seeds; T₁ and T₂ have the loss 0 alone."""
    agreements = (Fraction(1, 2), Fraction(3, 4), Fraction(1))
    scope = f"T_1 = x xor U_1, T_2 = U_2, fair coins that agree with probability {', '.join(map(str, agreements))}"
    losses = []
    for agreement in agreements:
        laws = _joint_laws(agreement)
        alone = [_PURE.distance(laws[0].push(lambda t, i=i: t[i]), laws[1].push(lambda t, i=i: t[i])) for i in (0, 1)]  # type: ignore[misc]
        if not all(loss.is_zero for loss in alone):
            raise EngineError("each of the two mechanisms must have the loss 0")
        losses.append(_PURE.distance(laws[0], laws[1]))
        if losses[-1] != claimed(agreement):
            detail = f"the coins agree with probability {agreement}: the loss of (T_1, T_2) is {losses[-1]}"
            return Evidence(Verdict.REFUTED, scope, detail, multiplicative_witness(laws, 0, 1, 1, claimed(agreement)))
    shown = ", ".join(map(str, losses))
    return Evidence(Verdict.EXHAUSTED, scope, f"each of T_1 and T_2 has the loss 0; the pair has {shown}")


@checks("composition.shared-seeds")
def shared_seeds() -> Evidence:
    """Independent, partly shared and equal seeds."""
    return _shared(lambda agreement: INFINITE if agreement == 1 else Loss(agreement / (1 - agreement)))


@refutes("composition.shared-seeds", "the loss of (T_1, T_2) is the sum of the losses, whatever the joint law")
def shared_seeds_sum() -> Evidence:
    """The mutant in which the joint law does not matter."""
    return _shared(lambda _: ZERO)
