"""Releasing more than the invariants: what varies within a universe costs, and what does not is free of charge."""

from functools import cache
from itertools import combinations, product
from typing import Any

from stirred.spec.blocks.domain import multisets
from stirred.spec.blocks.multiverse import Multiverse, components
from stirred.spec.laws.law import point_mass
from stirred.spec.output_premetrics import OutputPremetric
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, failure, incomplete, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.census.releases import renyi_sum
from stirred.verify.ledger.claims.invariants.release import mechanisms, needs
from stirred.verify.ledger.claims.specifications.words import (
    APPROXIMATE,
    METRICS,
    PURE,
    blocks,
    everywhere,
    free,
    keeps,
    made,
    named,
    value_of,
)
from stirred.verify.ledger.engines import small_domains as small
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.engines.small_domains import Table
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance, hamming, multiplicative, together

_FEW = (small.LAWS[0], small.LAWS[2], small.LAWS[3])

_mechanisms = lambda *measures: mechanisms(
    "all mechanisms with 6 laws up to relabelling", small.LAWS, small.kernels(small.domain_of(3)), *measures
)

state(
    "invariants.zero-budget",
    "article, Proposition 2",
    "dissertation, Proposition 2.4.12",
    "slides, Sufficiency and necessity of restricting the data universe",
)(
    """Suppose that a data release mechanism T varies within some universe D_0 in D-multiverse in the sense that there
    exists x, x' in D_0 with d_X(x, x') < oo but P(T(x, U) in .) != P(T(x', U) in .). When D_Pr is a metric, T satisfies
    eps_D-DP(X, D-multiverse, d_X, D_Pr) only if eps_D_0 > 0.""",
    every(_mechanisms(*METRICS), needs),
    mutant("D_Mult^(1/4), which is no metric", _mechanisms(APPROXIMATE)),
    theorem("invariants.varying_costs"),
    mutant("d_X(x, x') may be oo", every(_mechanisms(PURE), needs, at_infinity=True)),
)

swapped = cases(
    "swapping: the data sets of two records with holding and swapping categories 0, 1; 1 between neighbors", "laws"
)(lambda: [{x: point_mass(x) for x in multisets(tuple(product((0,), (0, 1), (0, 1))), (2,))}])

additional_costs = lambda laws: (
    not any(laws[x] != laws[y] and c[x] == c[y] for c in (margins_of(laws),) for x in c for y in c)
    or not any(
        keeps("D_Mult", laws, {(x, y): 1 for x in c for y in c if hamming(x, y) == 1}, everywhere(c, (1, 1)))
        for c in (margins_of(laws),)
    )
)
margins_of = lambda points: {x: [sorted((r[0], r[i]) for r in x) for i in (1, 2)] for x in points}

state("invariants.additional-information", "article, section 2.4")(
    """The following result demonstrates that the invariant-induced multiverse does not allow for the release of
    additional information, above and beyond the information contained in the invariants, without incurring some loss of
    protection.""",
    every(swapped, additional_costs),
    reading="a mechanism whose law is not a function of c does not satisfy the PLB 0",
    grade=incomplete(
        "the distances inside the universes must be finite, as Proposition 2 asks: of neighbors swapping leaves none"
    ),
    refuted_by=["invariant_multiverse.information_refuted"],
)

state("invariants.sufficient", "dissertation, section 2.4.3")(
    """Sufficiency is described in two parts: 1) the invariants can be released exactly without privacy loss (by the
    first half of Proposition 2.4.11); but 2) any additional information (not logically equivalent to the invariants)
    cannot be released without incurring privacy loss (by Proposition 2.4.12).""",
    every(swapped, additional_costs),
    reading="the second part; the first one is invariants.release-free",
    grade=incomplete("the distances inside the universes must be finite, as Proposition 2.4.12 asks"),
    refuted_by=["invariant_multiverse.information_refuted"],
)

_flavors = lambda *measures: cases(
    "two and three data sets, all mechanisms with 3 laws up to relabelling, all premetrics with values in {0, 1, oo}, "
    "all multiverses of universes with at least two data sets; " + ", ".join(str(named(one)) for one in measures),
    "measure multiverse d",
)(
    lambda: (
        case
        for domain in (small.domain_of(2), small.domain_of(3))
        for large in [[universe for universe in small.universes(domain) if len(universe) > 1]]
        for chosen in [[Multiverse(one) for size in range(len(large) + 1) for one in combinations(large, size)]]
        for case in product(measures, chosen, small.premetric_tables(domain, (0, 1, None)))
    )
)
touching = lambda d, universes, x, y: together(universes, x, y) and min(distance(d, x, y), distance(d, y, x)) < oo
one_class = lambda d, universes, x, y: (
    touching(d, universes, x, y)
    or any(touching(d, universes, x, z) and touching(d, universes, z, y) for u in universes for z in u)
)
free_iff_constant = lambda measure, laws, d, budgets: (
    keeps(measure, laws, d, budgets)
    == all(laws[x] == laws[y] for x in laws for y in laws if one_class(d, budgets, x, y))
)


@cache
def _equal(measure: OutputPremetric) -> frozenset[tuple[int, int]]:
    """The pairs of the laws that are at distance 0."""
    zero = value_of(measure, _FEW[0], _FEW[0])
    return frozenset((i, j) for i in range(3) for j in range(3) if value_of(measure, _FEW[i], _FEW[j]) == zero)


def constant_on_classes(measure: OutputPremetric, multiverse: Multiverse, d: Table) -> Witness | None:
    """A mechanism satisfies the PLB 0 iff its law is constant on the classes of implicitly comparable data sets."""
    size, equal = 2 if len(d) == 2 else 3, _equal(measure)
    asked = [pair for pair, distance in d.items() if distance is not None and multiverse.compares(*pair)]
    classes = components(range(size), lambda x, y: (x, y) in asked)
    case: dict[str, Any] = {"measure": named(measure), "d": d, "budgets": free(measure, multiverse)}
    for kernel in small.kernels(small.domain_of(size), _FEW):
        constant = all(len({kernel[x] for x in group}) == 1 for group in classes)
        if all((kernel[x], kernel[y]) in equal for x, y in asked) != constant:
            return failure(free_iff_constant, laws=made(kernel, _FEW), **case)
    return settled(
        True,
        lambda measure, d, budgets, few: all(
            free_iff_constant(measure, {x: p for x, p in enumerate(k)}, d, budgets)  # noqa: C416 no dict() there
            for k in (product(few, few) if size == 2 else product(few, few, few))
        ),
        lambda: {**case, "few": _FEW},
    )


own("invariants.additional-information.components", "article, section 2.4")(
    """Under D_Mult (and under D_TV) a mechanism satisfies the PLB 0 on a multiverse iff its law is constant on every
    class of implicitly comparable data sets, those joined by pairs of a common universe at finite distance.""",
    every(_flavors(*METRICS), constant_on_classes),
    mutant("D_Mult^(1/4), which is no metric", _flavors(APPROXIMATE)),
    theorem(
        "invariant_multiverse.information", within="any D_Pr that is 0 between equal laws only; D_Mult on finite sets"
    ),
    repairs="invariants.additional-information",
)

varies_within = lambda c, coarse: (
    all((c[x] == c[y]) == (coarse[x] == coarse[y]) for x in c for y in c)
    or all(coarse[x] == coarse[y] for x in c for y in c)
    or any(c[x] == c[y] and coarse[x] != coarse[y] for x in c for y in c)
)

state("invariants.varies-within", "article, section 2.4")(
    """A mechanism T varies within a universe D_0 in D_c whenever it includes information that is not logically
    equivalent to the invariants c.""",
    every(blocks, varies_within),
    reading="""a mechanism that is not constant, and whose law is not a function of c with c a function of it; finite
    distances; here T = c'""",
    grade=incomplete(
        "the information must be 'above and beyond' the invariants, as said before Proposition 2; county "
        "counts are not equivalent to block counts and vary within none of their universes"
    ),
    refuted_by=["invariant_multiverse.varies_refuted"],
)

with_invariants = cases(
    "two and three data sets, all invariants, all mechanisms with 3 laws, one distance for all pairs",
    "c laws",
    lambda: (
        (c, dict(enumerate(laws)))
        for size in (2, 3)
        for c, laws in product(small.invariants(small.domain_of(size)), product(_FEW, repeat=size))
    ),
)

is_function_of = lambda values, c: all(c[x] != c[y] or values[x] == values[y] for x in c for y in c)
varies = lambda c, laws, d: any(c[x] == c[y] and laws[x] != laws[y] and d < oo for x in c for y in c)

own("invariants.varies-within.function", "article, section 2.4")(
    """With finite distances, a mechanism varies within a universe of the invariant-induced multiverse iff its law is
    not a function of c.""",
    every(with_invariants, lambda c, laws, d: varies(c, laws, d) != is_function_of(laws, c), d=1),
    mutant("c is not a function of the law", lambda c, laws, d: varies(c, laws, d) != is_function_of(c, laws)),
    mutant("infinite distances", {"d": None}),
    theorem("invariant_multiverse.varies_nowhere_iff"),
    repairs="invariants.varies-within",
)

without_common_support = lambda c, p, c_prime, q: all(
    len(set(a) & set(b)) == 0 and multiplicative(a, b) == oo and renyi_sum(a, b, 2) == oo
    for a in [{(c, t): p[t] for t in p}]
    for b in [{(c_prime, t): q[t] for t in q}]
)
_released_with = lambda *values: cases(
    "T releases c and a noisy statistic; all pairs of laws of it with two outcomes and denominator 4; D_nor by its "
    "order 2",
    "c c_prime p q",
)(lambda: ((c, c_prime, p, q) for (c, c_prime), p, q in product(values, laws_of(2, 4), laws_of(2, 4))))

state("invariants.no-common-support", "slides, Does data swapping satisfy differential privacy?")(
    """If a mechanism T contains an invariant (and x, x' have different values for this invariant), then P_x and P_x' do
    not have common support, and so d_MULT[P_x, P_x'] = D_nor[P_x, P_x'] = oo.""",
    every(_released_with((0, 1), (2, 1)), without_common_support),
    mutant("whether or not their values differ", _released_with((0, 1), (1, 1))),
)
