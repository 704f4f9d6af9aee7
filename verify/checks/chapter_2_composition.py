"""Evidence on composition of different flavors, and with shared seeds: dissertation, sections 2.5 and A.5."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product

from spec.closure import closure
from spec.composition import compose, composed_laws
from spec.law import Law
from spec.law import product as independent
from spec.loss import Loss
from spec.output_premetric import Multiplicative
from spec.specification import ConstraintMatrix, Specification
from verify.algebra.comparison import broken_pairs, extremal_laws
from verify.algebra.small_comparisons import TABLES
from verify.algebra.small_domains import domain_of, multiverses, specification
from verify.evidence import Evidence, formula_witness
from verify.ledger import checks, refutes
from verify.verdict import Verdict

_PURE = Multiplicative()


def _claims() -> list[Specification]:
    """Specifications on three data sets that differ in multiverse, premetric and budgets."""
    domain = domain_of(3)
    kept = [m for m in multiverses(domain) if m.universes and all(len(u) > 1 for u in m)]
    return [specification(domain, {u: Loss(Fraction(len(u))) for u in m}, table) for m, table in product(kept, TABLES)]


def _different(combine: Callable[[ConstraintMatrix, ConstraintMatrix], ConstraintMatrix]) -> Evidence:
    """Whether the combined matrix bounds (T₁, T₂), with equality for the extremal mechanisms of closed matrices."""
    scope = (
        "D_Mult, three data sets, all pairs of twelve specifications: every fourth of those with the multiverses of "
        "universes of two or three data sets, three premetrics, the budgets ln |D|; mechanisms that attain each entry"
    )
    listed = [closure(one.matrix()) for one in _claims()[::4]]
    for first, second in product(listed, repeat=2):
        claimed = combine(first, second)
        for x, y in permutations(first.domain, 2):
            one, other = extremal_laws(first, x), extremal_laws(second, x)
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
    """The sum of the matrices."""
    return _different(compose)


def _largest(first: ConstraintMatrix, second: ConstraintMatrix) -> ConstraintMatrix:
    entries = {pair: max(first(*pair), second(*pair)) for pair in permutations(first.domain, 2)}
    return ConstraintMatrix(first.domain, first.output_premetric, entries)


@refutes("composition.different-flavors", "the larger bound for the sum")
def different_flavors_largest() -> Evidence:
    """The mutant in which a second release is free."""
    return _different(_largest)


def _joint_loss(agreement: Fraction) -> Loss:
    """The loss of (x xor U₁, U₂) for fair coins that agree with this probability."""
    part = agreement / 2
    seeds = Law({(0, 0): part, (1, 1): part, (0, 1): Fraction(1, 2) - part, (1, 0): Fraction(1, 2) - part})
    laws = composed_laws(domain_of(2), lambda x, u: x ^ u, lambda _, u: u, seeds)
    return _PURE.distance(laws[0], laws[1])


def _shared(agreements: tuple[Fraction, ...]) -> Evidence:
    """Whether joint laws with equal marginals give different losses, one of them above the sum of the two."""
    scope = f"T_1 = x xor U_1, T_2 = U_2, fair coins that agree with probability {', '.join(map(str, agreements))}"
    losses = [_joint_loss(agreement) for agreement in agreements]
    if len(set(losses)) < 2 or max(losses).is_zero:
        note = "how many different losses of (T_1, T_2) there are"
        return Evidence(Verdict.REFUTED, scope, note, formula_witness("losses > 1", losses=len(set(losses)), note=note))
    shown = ", ".join(map(str, losses))
    return Evidence(Verdict.EXHAUSTED, scope, f"each of T_1 and T_2 has the loss 0; the pair has {shown}")


@checks("composition.shared-seeds")
def shared_seeds() -> Evidence:
    """Independent, partly shared and equal seeds."""
    return _shared((Fraction(1, 2), Fraction(3, 4), Fraction(1)))


@refutes("composition.shared-seeds", "independent seeds only")
def fresh_seeds() -> Evidence:
    """The mutant without sharing."""
    return _shared((Fraction(1, 2),))
