"""The invariants that distances hide: dissertation, Proposition A.3.3 and what stands around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, permutations, product
from typing import Any

from spec.closure import closure
from verify.claims.multiverse.words import (
    HIDDEN,
    INFIMA,
    LARGEST,
    SMALLEST,
    TOUCHING,
    classes,
    cut_along,
    finite,
    instead_of_whole,
    matrix_of,
)
from verify.engines.algebra.small_domains import domain_of, multiverses, premetric_tables
from verify.evidence.witness import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import false, state
from verify.ledger.theorems import theorem

state(
    "multiverse.hidden-invariants",
    "dissertation, Proposition A.3.3",
    printed="Given a premetric d_X, define the relation ~ by x ~ x' if d_X(x, x') < oo. Let ~_cl be the symmetric- and "
    "transitive-closure of ~. Define the invariant c(x) = [x] which sends x in X to its equivalence class [x] under "
    "~_cl. Then, for all constant privacy loss budgets eps_D = eps, M(X, {X}, d_X, D_Pr, eps_D) = M(X, "
    "multiverse_c, d_X, D_Pr, eps_D).",
    checks=[instead_of_whole(HIDDEN), theorem("multiverse.linked_classes")],
    mutants={"classes joined by distances below 1 for below oo": instead_of_whole(TOUCHING)},
)

state(
    "multiverse.hidden-inside",
    "dissertation, Proposition A.3.3",
    printed="More generally, M(X, multiverse_0, d_X, D_Pr, eps_D) = M(X, multiverse_1, d_X, D_Pr, eps_D), for any "
    "multiverse_0 and budget eps_D : multiverse_0 -> [0, oo], where multiverse_1 = {D_0 n D : D_0 in multiverse_0, D "
    "in multiverse_c such that D_0 n D is not empty} and eps'_D' = inf{eps_D : D in multiverse_0 with D' subset of "
    "D}.",
    reading="the budget on multiverse_1 is eps'_D', which the sentence defines for nothing else and which Proposition "
    "A.3.2 and the proof have there; eps_D is no budget on multiverse_1",
    checks=[cut_along(HIDDEN), theorem("multiverse.meets_linked", within=INFIMA)],
    mutants={"sup for inf": cut_along(HIDDEN, LARGEST)},
)

_SIZES: Mapping[str, Any] = {
    "X": ("a", "b", "aa"),
    "universes": {frozenset({"a", "b", "aa"}), frozenset({"a", "b"}), frozenset({"aa"})},
    "d": {("a", "b"): 1, ("b", "a"): 1},
}
"""Bounded DP on two data sets of one record and one of two: universes are X and the data sets of each size."""


@cases("bounded DP on a, b and aa; the universes {a, b} with the budget ln 2 and X with ln 4; one mechanism", "P eps d")
def larger_outside() -> Iterator[tuple[Any, ...]]:
    heads = {"a": Fraction(4, 5), "b": Fraction(1, 5), "aa": Fraction(1, 5)}
    eps = {frozenset({"a", "b"}): 2, frozenset(_SIZES["X"]): 4}
    yield {x: {0: head, 1: 1 - head} for x, head in heads.items()}, eps, _SIZES["d"]


_ALLOWED = "keeps_all(P, {{v: {} for v in meets_of(eps, hidden_classes(P, d))}}, d) and not keeps_all(P, eps, d)"

state(
    "multiverse.hidden-inside.infimum",
    "dissertation, Proposition A.3.3",
    claim="The budget on D_0 n D must be eps'_D' there: with that of some D_0 that gives D_0 n D, such as the largest "
    "one, a mechanism may satisfy the second specification and not the first.",
    checks=[
        every(larger_outside, _ALLOWED.format("max(budgets_giving(eps, hidden_classes(P, d), v))")),
        theorem("multiverse.meets_linked_budget_refuted"),
    ],
    mutants={"eps'": every(larger_outside, _ALLOWED.format(SMALLEST))},
)

Case = tuple[tuple[Any, ...], Any, Mapping[Any, Any]]


def _small(*, with_empty: bool) -> Iterator[Case]:
    for size in (1, 2, 3):
        domain = domain_of(size)
        listed = [frozenset(m) for m in multiverses(domain) if with_empty or frozenset() not in m]
        for table in premetric_tables(domain, (0, None)):
            d = finite(table)
            yield from ((domain.points, universes, d) for universes in listed)


_ALL = "all multiverses on one to three data sets, all premetrics in {0, oo}"
with_empty = cases(_ALL, "X universes d")(lambda: _small(with_empty=True))
without_empty = cases(f"bounded DP on a, b and aa; {_ALL}; the empty set is no universe", "X universes d")(
    lambda: chain([tuple(_SIZES.values())], _small(with_empty=False))
)

Condition = Callable[[Any, Any], bool]
_HIDDEN = "hidden_classes(X, d)"
_OUTSIDE = f"any(len(u & c) > 0 and (u & c) not in universes for u in universes for c in {_HIDDEN})"
_CLASS_OUTSIDE = f"any(c not in universes for c in {_HIDDEN})"
_MEETS_TWO = f"any(sum(1 for c in {_HIDDEN} if len(u & c) > 0) > 1 for u in universes)"
_CONDITIONS: Mapping[str, Condition] = {
    _OUTSIDE: lambda universes, parts: any(u & c and u & c not in universes for u in universes for c in parts),
    _CLASS_OUTSIDE: lambda universes, parts: any(c not in universes for c in parts),
    _MEETS_TWO: lambda universes, parts: any(sum(bool(u & c) for c in parts) > 1 for u in universes),
}


def changes(points: Any, universes: Any, d: Any, *, where: str, only: bool) -> Witness | None:
    """multiverse_1 != multiverse_0 where a condition holds, and `only` there."""
    parts = classes(points, d)
    differs = {u & c for u in universes for c in parts if u & c} != universes
    if _CONDITIONS[where](universes, parts) == differs or (differs and not only):
        return None
    changed = f"meets_of(universes, {_HIDDEN}) != universes"
    claimed = f"({where}) == ({changed})" if only else f"not {where} or {changed}"
    return failure(claimed, X=points, universes=universes, d=d)


state(
    "multiverse.hidden-changes",
    "dissertation, Proposition A.3.3",
    printed="Moreover, suppose that there exists some D_0 in multiverse_0 such that one of the connected components of "
    "the graph (D_0, ~_cl) is not in multiverse_0. Then multiverse_1 != multiverse_0.",
    checks=[every(with_empty, changes, where=_OUTSIDE, only=False), theorem("multiverse.meets_linked_changes")],
    mutants={"some class of d_X is no universe": every(with_empty, changes, where=_CLASS_OUTSIDE, only=False)},
)

state(
    "multiverse.hidden-changes-iff",
    "dissertation, section A.7, proof of Proposition A.3.3",
    printed="Therefore, multiverse_1 != multiverse_0 iff there exists D_0 in multiverse_0 such that one of its "
    "connected components is not in multiverse_0 (assuming that the empty set is not in multiverse_0).",
    grade=false("only 'if' holds, which is all that the proposition says: a universe may fall apart into universes"),
    checks=[every(without_empty, changes, where=_OUTSIDE, only=True)],
    refuted_by=["multiverse.meets_linked_changes_iff_refuted"],
)

state(
    "multiverse.hidden-changes-iff.within",
    "dissertation, section A.7, proof of Proposition A.3.3",
    claim="If the empty set is not in multiverse_0, multiverse_1 != multiverse_0 iff some D_0 meets two classes of "
    "~_cl.",
    repairs="multiverse.hidden-changes-iff",
    checks=[every(without_empty, changes, where=_MEETS_TWO, only=True)],
    mutants={"the empty set may be a universe": every(with_empty, changes, where=_MEETS_TWO, only=True)},
)


@cases("D_Mult, three data sets, all premetrics in {0, 1, oo}, eps in {0, ln 2}, {X}; all mechanisms", "X eps d")
def of_distances() -> Iterator[Any]:
    for table, gamma in product(premetric_tables(domain_of(3), (0, 1, None)), (1, 2)):
        yield (0, 1, 2), {frozenset({0, 1, 2}): gamma}, finite(table)


def unrestricted(points: Any, eps: Any, d: Any, *, sets: str) -> Witness | None:
    """Nothing follows for D_Mult(P_x, P_x') where x and x' are not in one of the sets."""
    matrix = closure(matrix_of(points, eps, d))
    parts = list(map(set, d)) if sets == "sets_of(near_pairs(X, d))" else classes(points, d)
    for x, y in permutations(points, 2):
        if not matrix(x, y).is_infinite and not any(x in part and y in part for part in parts):
            claimed = f"any(x in c and y in c for c in {sets}) or implied_bound(X, eps, d, x, y) == oo"
            return failure(claimed, X=points, eps=eps, d=d, x=x, y=y)
    return None


state(
    "multiverse.hidden-unrestricted",
    "dissertation, section A.3, end",
    printed="If x, x' are not in the same universe of multiverse_c then the DP specification eps_D-DP(X, {X}, d_X, "
    "D_Pr) places no restrictions on D_Pr(P_x, P_x'), explicitly or implicitly.",
    checks=[every(of_distances, unrestricted, sets="hidden_classes(X, d)")],
    mutants={
        "the pairs at a finite distance for the classes": every(
            of_distances, unrestricted, sets="sets_of(near_pairs(X, d))"
        )
    },
)
