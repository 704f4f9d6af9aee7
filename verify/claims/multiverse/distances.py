"""The multiverse in the distances, and pairs for universes: dissertation, Propositions A.3.1 and A.3.2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from verify.claims.multiverse.words import (
    INFIMA,
    Budgets,
    Distances,
    Points,
    comparable,
    constant_specifications,
    cut_along,
    instead_of_whole,
    rewritten,
)
from verify.engines.algebra.small_domains import domain_of, multiverses
from verify.evidence.witness import Witness
from verify.ledger.claim import Check
from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import state
from verify.ledger.theorems import theorem
from verify.ledger.words import define

define(
    {
        "farther_distances(X, universes, d, times)": "{(x, y): distance(d, x, y) * (1 if together(universes, x, y) "
        "else times) for x in X for y in X if x != y}",
        "displayed_distance(universes, d, x, y)": "distance(d, x, y) if together(universes, x, y) else oo",
    }
)

_WHOLE = "{v: one_budget(eps) for v in [set(P)]}, "


def _farther(times: int | str) -> Check:
    return every(constant_specifications, rewritten, other=f"{_WHOLE}farther_distances(P, eps, d, {times})")


_ENCODES = [_farther("oo"), theorem("multiverse.multiverse_in_premetric")]
_DOUBLED = {"2 d_X for oo where no universe holds both": _farther(2)}

state(
    "multiverse.in-premetric",
    "dissertation, Proposition A.3.1",
    printed="Given a DP flavor (X, multiverse, d_X, D_Pr), define d'_X(x, x') = 0 if x = x', d_X(x, x') else if "
    "there exists D in multiverse such that x, x' in D, oo otherwise. Then, for any constant privacy loss budget "
    "eps_D = eps, M(X, multiverse, d_X, D_Pr, eps_D) = M(X, {X}, d'_X, D_Pr, eps_D).",
    checks=_ENCODES,
    mutants=_DOUBLED,
)

state(
    "multiverse.in-premetric.bare",
    "dissertation, section A.4, before Proposition A.4.2",
    printed="For any DP specification … where the budget eps_D = eps is constant in D, "
    "M(X, multiverse, d_X, D_Pr, eps_D) = M(X, {X}, d_X^multiverse, D_Pr, eps), where d_X^multiverse(x, x') = d_X(x, "
    "x') if there exists D in multiverse with x, x' in D, oo otherwise.",
    reading="the mechanisms are compared; that the distance of x from itself is 0 is said in Proposition A.3.1, and "
    "they do not depend on it",
    checks=_ENCODES,
    mutants=_DOUBLED,
)


@cases("all multiverses on one to three data sets", "X universes")
def all_multiverses() -> Iterator[tuple[Any, Any]]:
    return ((tuple(range(size)), set(m)) for size in (1, 2, 3) for m in multiverses(domain_of(size)))


_PREMETRIC = "all(displayed_distance(universes, {p: 0 for p in product(X, X)}, x, x) == 0 for x in X)"

state(
    "multiverse.in-premetric.zero-diagonal",
    "dissertation, section A.4, before Proposition A.4.2",
    claim="d_X^multiverse as displayed, without a case for x = x', need not be a premetric: it is oo from x to itself "
    "where no universe holds x.",
    checks=[
        every(all_multiverses, f"{_PREMETRIC} == all(any(x in u for u in universes) for x in X)"),
        theorem("multiverse.no_universe_premetric_refuted", within="that it need not be a premetric"),
    ],
    mutants={
        "where some universe is not empty": every(
            all_multiverses, f"{_PREMETRIC} == any(len(u) > 0 for u in universes)"
        )
    },
)

state(
    "multiverse.pairs",
    "dissertation, Proposition A.3.2",
    printed="Given a premetric d_X, define multiverse = {{x, x'} : x, x' in X such that d_X(x, x') < oo}. Then, for "
    "all constant privacy loss budgets eps_D = eps, M(X, {X}, d_X, D_Pr, eps_D) = M(X, multiverse, d_X, D_Pr, eps_D).",
    checks=[instead_of_whole("sets_of(near_pairs(P, d))"), theorem("multiverse.near_pairs_suffice")],
    mutants={"0 < d_X(x, x') < oo": instead_of_whole("sets_of((x, y) for x, y in d if d[x, y] > 0)")},
)

state(
    "multiverse.self-intersections",
    "dissertation, Proposition A.3.2",
    printed="More generally, M(X, multiverse_0, d_X, D_Pr, eps_D) = M(X, multiverse_1, d_X, D_Pr, eps'_D'), for any "
    "multiverse_0 and any budget eps_D : multiverse_0 -> [0, oo], where multiverse_1 = {D_0 n D : D_0 in multiverse_0, "
    "D in multiverse_0 such that D_0 n D is not empty} and eps'_D' = inf{eps_D : D in multiverse_0 with D' subset of "
    "D}.",
    checks=[cut_along("eps"), theorem("multiverse.meets_self", within=INFIMA)],
    mutants={"sup for inf": cut_along("eps", "largest_around(eps, v)")},
)

state(
    "multiverse.pairs-inside",
    "dissertation, section A.3, after Proposition A.3.2",
    printed="The above proposition shows that we can always restrict the DP specification to universes of pairs of "
    "protection objects.",
    reading="with eps' on the intersections of the universes with the pairs at finite distances: the proof reads the "
    "second display so, with D in the multiverse of pairs",
    checks=[cut_along("sets_of(near_pairs(P, d))"), theorem("multiverse.meets_near_pairs", within=INFIMA)],
    mutants={"sup for inf": cut_along("sets_of(near_pairs(P, d))", "largest_around(eps, v)")},
)


def vacuous_alone(points: Points, eps: Budgets, d: Distances, *, beyond: int) -> Witness | None:
    """Where some universe holds all x, x' with beyond < d_X(x, x') < oo, {X} has the same mechanisms."""
    if not all(comparable(eps, d, *pair) for pair in d if d[pair] > beyond):
        return None
    return rewritten(points, eps, d, other=f"{_WHOLE}d")


state(
    "multiverse.vacuous",
    "dissertation, section 2.4.3",
    claim="A vacuous multiverse (for all distinct x, x' with d_X(x, x') < oo or d_X(x', x) < oo there exists a "
    "universe with x, x' in it) has the same mechanisms as {X}, for a budget that is one number.",
    checks=[every(constant_specifications, vacuous_alone, beyond=-1), theorem("multiverse.vacuous_multiverse")],
    mutants={"0 < d_X(x, x') < oo for d_X(x, x') < oo": every(constant_specifications, vacuous_alone, beyond=0)},
)
