"""The completion of a multiverse: dissertation, Lemma 6.2.11 and its proof."""

from collections.abc import Iterator
from itertools import product

from stirred.verify.ledger import Cases, Check, cases, every, mutant, own, some, state, theorem
from stirred.verify.ledger.claims.multiverse.words import (
    Case,
    Distances,
    Rewriting,
    budget_at,
    finite,
    keeps_all,
    rewritten,
    same_bounds,
    specifications,
)
from stirred.verify.ledger.claims.survey_settings.words import completed_by, lie_in, multiverses_of
from stirred.verify.ledger.engines.small_domains import domain_of, premetric_tables
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance

extended_metric = lambda X, d: all(
    distance(d, x, y) == distance(d, y, x)
    and distance(d, x, z) <= distance(d, x, y) + distance(d, y, z)
    and (x == y or distance(d, x, y) > 0)
    for x in X
    for y in X
    for z in X
)
connected_throughout = lambda universes, d: all(distance(d, x, y) < oo for u in universes for x in u for y in u)


def _is_metric(d: Distances) -> bool:
    """Whether a table of the finite distances between different points is that of a metric that may be oo."""
    steps = [(x, z, d[x, y] + d[y, z]) for (x, y), (v, z) in product(d, d) if v == y and x != z]
    triangle = all((x, z) in d and d[x, z] <= length for x, z, length in steps)
    return triangle and all(n > 0 and d.get((y, x)) == n for (x, y), n in d.items())


def _flavors(*, metric: bool) -> Cases:
    which = "metrics" if metric else "premetrics"
    values = "{0, 1, 2, oo}" if metric else "{1, oo}"
    return cases(
        f"three data sets, all multiverses but for universes of one, all {which} with values in {values}",
        "X universes d",
    )(
        lambda: (
            case
            for table in map(finite, premetric_tables(domain_of(3), (0, 1, 2, None) if metric else (1, None)))
            if not metric or _is_metric(table)
            for case in (((0, 1, 2), universes, table) for universes in multiverses_of(range(3)))
        )
    )


_LISTED = tuple(multiverses_of((0, 1, 2)))
_MULTIVERSES = "all {} multiverses on three data sets, with universes of two or more"
two_multiverses = cases(_MULTIVERSES.format("pairs of"), "U V")(lambda: product(_LISTED, repeat=2))
three_multiverses = cases(_MULTIVERSES.format("triples of"), "U V W")(lambda: product(_LISTED, repeat=3))

own("completion.coarsening", "dissertation, Definition 6.2.6")(
    """Coarsening is reflexive and transitive. It is no partial order: {{a, b, c}} and {{a, b, c}, {a, b}} are
    coarsenings of each other.""",
    every(three_multiverses, lambda U, V, W: lie_in(U, U) and (not (lie_in(U, V) and lie_in(V, W)) or lie_in(U, W))),
    some(two_multiverses, lambda U, V: U != V and lie_in(U, V) and lie_in(V, U)),
    theorem(
        "settings.coarsening_refl",
        "settings.coarsening_trans",
        "settings.coarsening_antisym_refuted",
        within="every domain",
    ),
    mutant("it is symmetric", every(two_multiverses, lambda U, V: not lie_in(U, V) or lie_in(V, U))),
)

complete = lambda universes, d: connected_throughout(completed_by(universes, d), d)
connected_or_no_metric = lambda X, universes, d: connected_throughout(universes, d) or not extended_metric(X, d)

state("completion.complete", "dissertation, Lemma 6.2.11")(
    """Let (D_0, multiverse, d_D_0, D_Pr) be a DP flavor where d_D_0 is a metric. Then, the completion of the multiverse
    is complete""",
    every(_flavors(metric=True), lambda X, universes, d: extended_metric(X, d) and complete(universes, d)),
    mutant(
        "a premetric, such as the distance between neighbors of Example 6.2.3", every(_flavors(metric=False), complete)
    ),
    mutant("the multiverse itself", connected_or_no_metric),
    theorem("settings.completion_complete", "settings.completion_complete_refuted", within="every domain"),
    reading="a metric that may be oo, as Definition 6.2.8 presumes",
)

budgets_of_connected = lambda eps, d, which, bound: (
    {v: budget_at(which, eps, eps, v) for v in {{y for y in u if distance(d, x, y) < bound} for u in eps for x in u}}
)


def _with_budget(which: str, *, metric: bool, below_1: bool = False) -> Check:
    """Whether the parts of universes that are connected to a data set of theirs have the same mechanisms."""
    other = Rewriting(
        lambda eps, d: ((eps, d), (budgets_of_connected(eps, d, which, 1 if below_1 else oo), d)),
        lambda P, eps, d: same_bounds(P, eps, d, budgets_of_connected(eps, d, which, 1 if below_1 else oo), d),
        lambda P, eps, d: (
            keeps_all(P, eps, d) == keeps_all(P, budgets_of_connected(eps, d, which, 1 if below_1 else oo), d)
        ),
    )

    def listed() -> Iterator[Case]:
        return (case for case in specifications if not metric or _is_metric(case[2]))

    kind = "; those with a metric" if metric else ""
    return every(cases(f"{specifications.scope}{kind}", "X eps d")(listed), rewritten, other=other)


_SMALLEST, _LARGEST = "the smallest around", "the largest around"

state("completion.mechanisms", "dissertation, Lemma 6.2.11", "dissertation, (D.1)")(
    """Let (D_0, multiverse, d_D_0, D_Pr) be a DP flavor where d_D_0 is a metric. Then … for all budgets eps_D :
    multiverse -> R^>=0, M(D_0, completion, d_D_0, D_Pr, eps_D') = M(D_0, multiverse, d_D_0, D_Pr, eps_D), where eps_D'
    = inf{eps_D : D in multiverse s.t. D' subset of D}.""",
    _with_budget(_SMALLEST, metric=True),
    theorem("settings.completion_inf", "settings.completion_budgets", within="every domain"),
    mutant("sup for inf", _with_budget(_LARGEST, metric=True)),
    reading="0*oo = oo, without which the proof could not assume that d_D_0 < oo",
)

own("completion.mechanisms.premetric", "dissertation, Lemma 6.2.11")(
    """For every premetric the completion, with the budget inf{eps_D : D' subset of D}, has the same mechanisms as the
    multiverse: that d is a metric is needed only for it to be complete.""",
    _with_budget(_SMALLEST, metric=False),
    theorem("settings.completion_inf", within="every domain"),
    mutant("sup for inf", _with_budget(_LARGEST, metric=False)),
    mutant("d(d, d') < 1 for d(d, d') < oo", _with_budget(_SMALLEST, metric=False, below_1=True)),
)
