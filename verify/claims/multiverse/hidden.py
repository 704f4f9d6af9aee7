"""The invariants that distances hide: dissertation, Proposition A.3.3 and what stands around it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import chain, product
from typing import Any

from verify.claims.multiverse.words import INFIMA, cut_along, finite, instead_of_whole
from verify.engines.algebra.small_domains import domain_of, multiverses, premetric_tables
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
    checks=[instead_of_whole("hidden_classes(P, d)"), theorem("multiverse.linked_classes")],
    mutants={
        "classes joined by distances below 1 for below oo": instead_of_whole(
            "classes_along(P, set((x, y) for x, y in d if d[x, y] == 0))"
        )
    },
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
    checks=[cut_along("hidden_classes(P, d)"), theorem("multiverse.meets_linked", within=INFIMA)],
    mutants={"sup for inf": cut_along("hidden_classes(P, d)", "largest_around(eps, v)")},
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
    mutants={"eps'": every(larger_outside, _ALLOWED.format("smallest_around(eps, v)"))},
)


def _small(*, with_empty: bool) -> Iterator[tuple[Any, ...]]:
    for size in (1, 2, 3):
        listed = [set(m) for m in multiverses(domain_of(size)) if with_empty or frozenset() not in m]
        tables = map(finite, premetric_tables(domain_of(size), (0, None)))
        yield from ((tuple(range(size)), universes, d) for d, universes in product(tables, listed))


_ALL = "all multiverses on one to three data sets, all premetrics in {0, oo}"
with_empty = cases(_ALL, "X universes d")(lambda: _small(with_empty=True))
without_empty = cases(f"bounded DP on a, b and aa; {_ALL}; the empty set is no universe", "X universes d")(
    lambda: chain([tuple(_SIZES.values())], _small(with_empty=False))
)

_CHANGED = "all({} (meets_of(universes, parts) != universes) for parts in [hidden_classes(X, d)])"
_OUTSIDE = "any(len(u & c) > 0 and u & c not in universes for u in universes for c in parts)"
_CHANGED_IF = _CHANGED.format(f"not {_OUTSIDE} or")
_CHANGED_IFF = _CHANGED.format(f"{_OUTSIDE} ==")
_CHANGED_IF_CLASS = _CHANGED.format("all(c in universes for c in parts) or")
_MEETS_TWO_IFF = _CHANGED.format("any(sum(1 for c in parts if len(u & c) > 0) > 1 for u in universes) ==")

state(
    "multiverse.hidden-changes",
    "dissertation, Proposition A.3.3",
    printed="Moreover, suppose that there exists some D_0 in multiverse_0 such that one of the connected components of "
    "the graph (D_0, ~_cl) is not in multiverse_0. Then multiverse_1 != multiverse_0.",
    checks=[every(with_empty, _CHANGED_IF), theorem("multiverse.meets_linked_changes")],
    mutants={"some class of d_X is no universe": every(with_empty, _CHANGED_IF_CLASS)},
)

state(
    "multiverse.hidden-changes-iff",
    "dissertation, section A.7, proof of Proposition A.3.3",
    printed="Therefore, multiverse_1 != multiverse_0 iff there exists D_0 in multiverse_0 such that one of its "
    "connected components is not in multiverse_0 (assuming that the empty set is not in multiverse_0).",
    grade=false("only 'if' holds, which is all that the proposition says: a universe may fall apart into universes"),
    checks=[every(without_empty, _CHANGED_IFF)],
    refuted_by=["multiverse.meets_linked_changes_iff_refuted"],
)

state(
    "multiverse.hidden-changes-iff.within",
    "dissertation, section A.7, proof of Proposition A.3.3",
    claim="If the empty set is not in multiverse_0, multiverse_1 != multiverse_0 iff some D_0 meets two classes of "
    "~_cl.",
    repairs="multiverse.hidden-changes-iff",
    checks=[every(without_empty, _MEETS_TWO_IFF)],
    mutants={"the empty set may be a universe": every(with_empty, _MEETS_TWO_IFF)},
)


@cases("D_Mult, three data sets, all premetrics in {0, 1, oo}, eps in {0, ln 2}, {X}; all mechanisms", "X eps d")
def of_distances() -> Iterator[Any]:
    for table, gamma in product(premetric_tables(domain_of(3), (0, 1, None)), (1, 2)):
        yield (0, 1, 2), {frozenset({0, 1, 2}): gamma}, finite(table)


_UNRESTRICTED = (
    "all(x == y or any(x in c and y in c for c in parts) or implied_bound(X, eps, d, x, y) == oo "
    "for parts in [{}] for x in X for y in X)"
)

state(
    "multiverse.hidden-unrestricted",
    "dissertation, section A.3, end",
    printed="If x, x' are not in the same universe of multiverse_c then the DP specification eps_D-DP(X, {X}, d_X, "
    "D_Pr) places no restrictions on D_Pr(P_x, P_x'), explicitly or implicitly.",
    checks=[every(of_distances, _UNRESTRICTED.format("hidden_classes(X, d)"))],
    mutants={
        "the pairs at a finite distance for the classes": every(
            of_distances, _UNRESTRICTED.format("sets_of(near_pairs(X, d))")
        )
    },
)
