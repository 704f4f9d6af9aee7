"""The invariants that distances hide: dissertation, Proposition A.3.3 and what stands around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from itertools import chain, permutations, product
from typing import Any

from spec.closure import closure
from spec.loss import ZERO
from spec.multiverse import Universe, components, vacuous
from verify.algebra.small_domains import LOSSES, domain_of, multiverses, premetric_tables, specification
from verify.claims.multiverse.words import (
    INFIMA,
    data,
    same_universes,
    specifications,
    vacuous_specifications,
)
from verify.evidence import Witness
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
    "D_c-multiverse, d_X, D_Pr, eps_D).",
    checks=[
        every(vacuous_specifications, same_universes, pieces="classes(P, near(P, d))", budget="one_budget(eps)"),
        theorem("multiverse.linked_classes"),
    ],
    mutants={
        "classes joined by distances below 1 for below oo": every(
            vacuous_specifications, same_universes, pieces="classes(P, touching(P, d))", budget="one_budget(eps)"
        )
    },
)

state(
    "multiverse.hidden-inside",
    "dissertation, Proposition A.3.3",
    printed="More generally, M(X, multiverse_0, d_X, D_Pr, eps_D) = M(X, multiverse_1, d_X, D_Pr, eps_D), for any "
    "multiverse_0 and budget eps_D : multiverse_0 -> [0, oo], where multiverse_1 = {D_0 n D : D_0 in multiverse_0, D "
    "in D_c-multiverse such that D_0 n D is not empty} and eps'_D' = inf{eps_D : D in multiverse_0 with D' subset of "
    "D}.",
    reading="the budget on multiverse_1 is eps'_D', which the sentence defines for nothing else and which Proposition "
    "A.3.2 and the proof have there; eps_D is no budget on multiverse_1",
    checks=[
        every(specifications, same_universes, pieces="classes(P, near(P, d))", cut=True),
        theorem("multiverse.meets_linked", within=INFIMA),
    ],
    mutants={
        "sup for inf": every(
            specifications, same_universes, pieces="classes(P, near(P, d))", cut=True, budget="largest(eps, v)"
        )
    },
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


_ALLOWED = "obeys(P, {{v: {} for v in meets(eps, classes(P, near(P, d)))}}, d) and not obeys(P, eps, d)"

state(
    "multiverse.hidden-inside.infimum",
    "dissertation, Proposition A.3.3",
    claim="The budget on D_0 n D must be eps'_D' there: with that of some D_0 that gives D_0 n D, such as the largest "
    "one, a mechanism may satisfy the second specification and not the first.",
    checks=[
        every(larger_outside, _ALLOWED.format("max(given(eps, classes(P, near(P, d)), v))")),
        theorem("multiverse.meets_linked_budget_refuted"),
    ],
    mutants={"eps'": every(larger_outside, _ALLOWED.format("smallest(eps, v)"))},
)

Case = tuple[tuple[Any, ...], Any, Mapping[Any, Any]]


def _small(*, with_empty: bool) -> Iterator[Case]:
    for size in (1, 2, 3):
        domain = domain_of(size)
        listed = [frozenset(m) for m in multiverses(domain) if with_empty or frozenset() not in m]
        for table in premetric_tables(domain, (0, None)):
            d = {pair: n for pair, n in table.items() if n is not None}
            yield from ((domain.points, universes, d) for universes in listed)


_ALL = "all multiverses on one to three data sets, all premetrics in {0, oo}"
with_empty = cases(_ALL, "X universes d")(lambda: _small(with_empty=True))
without_empty = cases(f"bounded DP on a, b and aa; {_ALL}; the empty set is no universe", "X universes d")(
    lambda: chain([tuple(_SIZES.values())], _small(with_empty=False))
)

Condition = Callable[[Any, Any], bool]
_CLASSES = "classes(X, near(X, d))"
_OUTSIDE = f"any(len(u & c) > 0 and (u & c) not in universes for u in universes for c in {_CLASSES})"
_CLASS_OUTSIDE = f"any(c not in universes for c in {_CLASSES})"
_MEETS_TWO = f"any(sum(1 for c in {_CLASSES} if len(u & c) > 0) > 1 for u in universes)"
_CONDITIONS: Mapping[str, Condition] = {
    _OUTSIDE: lambda universes, classes: any(u & c and u & c not in universes for u in universes for c in classes),
    _CLASS_OUTSIDE: lambda universes, classes: any(c not in universes for c in classes),
    _MEETS_TWO: lambda universes, classes: any(sum(bool(u & c) for c in classes) > 1 for u in universes),
}


def changes(points: Any, universes: Any, d: Any, *, where: str, only: bool) -> Witness | None:
    """multiverse_1 != multiverse_0 where a condition holds, and `only` there."""
    classes = _classes(points, d)
    differs = {u & c for u in universes for c in classes if u & c} != universes
    if _CONDITIONS[where](universes, classes) == differs or (differs and not only):
        return None
    changed = f"meets(universes, {_CLASSES}) != universes"
    claimed = f"({where}) == ({changed})" if only else f"not {where} or {changed}"
    return failure(claimed, X=points, universes=universes, d=d)


def _classes(points: Any, d: Any) -> tuple[Universe, ...]:
    return components(points, lambda x, y: (x, y) in d)


state(
    "multiverse.hidden-changes",
    "dissertation, Proposition A.3.3",
    printed="Moreover, suppose that there exists some D_0 in multiverse_0 such that one of the connected components of "
    "the graph (D_0, ~_cl) is not in multiverse_0. Then multiverse_1 != multiverse_0.",
    checks=[
        every(with_empty, changes, where=_OUTSIDE, only=False),
        theorem("multiverse.meets_linked_changes"),
    ],
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


@cases("D_Mult, three data sets, all premetrics in {0, 1, oo}, eps in {0, ln 2}, {X}; all mechanisms", "matrix case")
def of_distances() -> Iterator[tuple[Any, ...]]:
    domain = domain_of(3)
    for table, budget in product(premetric_tables(domain, (0, 1, None)), (ZERO, LOSSES[1])):
        claim = specification(domain, dict.fromkeys(vacuous(domain), budget), table)
        yield closure(claim.matrix()), data(claim)


def unrestricted(matrix: Any, case: Mapping[str, Any], *, classes: str) -> Witness | None:
    """Nothing follows for D_Mult(P_x, P_x') where x and x' are not in one class."""
    d = case["d"]
    parts = list(map(set, d)) if classes == "pairs_of(near(X, d))" else _classes(range(3), d)
    for x, y in permutations(range(3), 2):
        if not matrix(x, y).is_infinite and not any(x in part and y in part for part in parts):
            claimed = f"any(x in c and y in c for c in {classes}) or implied(X, eps, d, x, y) == oo"
            return failure(claimed, X=(0, 1, 2), x=x, y=y, **case)
    return None


state(
    "multiverse.hidden-unrestricted",
    "dissertation, section A.3, end",
    printed="If x, x' are not in the same universe of D_c-multiverse then the DP specification eps_D-DP(X, {X}, d_X, "
    "D_Pr) places no restrictions on D_Pr(P_x, P_x'), explicitly or implicitly.",
    checks=[every(of_distances, unrestricted, classes="classes(X, near(X, d))")],
    mutants={
        "the pairs at a finite distance for the classes": every(
            of_distances, unrestricted, classes="pairs_of(near(X, d))"
        )
    },
)
