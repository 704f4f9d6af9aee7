"""Releasing the invariants, and more: what is free of charge on the universes that they induce, and what costs."""

from collections.abc import Iterable
from functools import cache
from itertools import combinations, permutations, product
from typing import Any

from stirred.spec.blocks.domain import multisets
from stirred.spec.blocks.input_premetric import Distance
from stirred.spec.blocks.multiverse import Multiverse, components, induced, vacuous
from stirred.spec.laws.law import Law, point_mass
from stirred.spec.output_premetrics import OutputPremetric
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import Cases, cases, every, failure, incomplete, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.census.budgets import renyi_sum
from stirred.verify.ledger.claims.specifications import words
from stirred.verify.ledger.claims.specifications.words import (
    APPROXIMATE,
    METRICS,
    PURE,
    blocks,
    everywhere,
    free,
    keeps,
    keeps_on,
    made,
    named,
    refines,
    releases,
    sharing,
    unless_kept,
    value_of,
)
from stirred.verify.ledger.engines import small_domains as small
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.engines.small_domains import SmallestBudgets, Table
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance, hamming, multiplicative, probability, together

# releasing the invariants: free of charge on the multiverse that they induce, at infinite loss on others

_THREE = small.domain_of(3)
_SHAPES, _INVARIANTS = small.invariant_shapes(_THREE), tuple(small.invariants(_THREE))
_TABLES = tuple(small.premetric_tables(_THREE, (0, 1, None)))
_MULTIVERSES = tuple(small.multiverses(_THREE))
_LARGE = tuple(universe for universe in small.universes(_THREE) if len(universe) > 1)


def _constant_tables(distances: Iterable[Distance], size: int = 3) -> list[Table]:
    return [dict.fromkeys(permutations(range(size), 2), distance) for distance in distances]


# what a mechanism tells of each data set, with the PLB 0 on each of some multiverses
_at_zero = lambda scope, cs, multiverses_of, tables=_TABLES, told=releases: cases(
    f"three data sets, {scope}; D_Mult, D_Mult^(1/4), D_TV", "measure laws d budgets"
)(
    lambda: (
        (measure, laws, d, free(measure, multiverse))
        for measure, (c, laws) in product(words.MEASURES, [(c, told(c)) for c in cs])
        for multiverse, d in product(multiverses_of(c), tables)
    )
)
_own = lambda c: [induced(_THREE, c.__getitem__)]

_SLIDE = "slides, Sufficiency and necessity of restricting the data universe"
_OF_SHAPES = "all invariants up to relabelling, all premetrics with values in {0, 1, oo}"

state("invariants.release-free", "article, Proposition 1", "dissertation, Proposition 2.4.11", _SLIDE)(
    """Fix a domain X and some invariants c : X -> R^k. For any d_X and D_Pr, the mechanism T(x) = c(x) that releases
    the invariants exactly satisfies eps_D-DP(X, D_c, d_X, D_Pr) with PLB eps_D = 0 for all D in D_c.""",
    every(_at_zero(_OF_SHAPES, _SHAPES, _own), unless_kept),
    mutant("the multiverse {X} for the one induced by c", _at_zero(_OF_SHAPES, _SHAPES, lambda _: [vacuous(_THREE)])),
    theorem("invariants.invariants_free"),
)

# the multiverses with c constant within all (or some) of their universes
_constant_within = lambda quantifier: _at_zero(
    "all invariants, all such multiverses of the 256, d the same in {0, 1, 2, oo} for all pairs",
    _INVARIANTS,
    lambda c: [one for one in _MULTIVERSES if quantifier(len({c[x] for x in u}) <= 1 for u in one)],
    _constant_tables(small.DISTANCES),
)

state("invariants.release-free.any-multiverse", "article, section 2.4", "dissertation, section 2.4.3")(
    """This result also holds if D-multiverse is any multiverse with c constant within every universe D in D-multiverse
    (i.e., if c(x) = c(x') for all x, x' in D and all D in D-multiverse).""",
    every(_constant_within(all), unless_kept),
    mutant("c constant within some universe for every universe", _constant_within(any)),
    theorem("invariants.invariants_free_within"),
)

# the data themselves, on the multiverses of invariants with at least so many values
_published = lambda least: _at_zero(
    "all premetrics with values in {0, 1, oo}",
    [c for c in _SHAPES if len(set(c.values())) >= least],
    _own,
    told=lambda _: {x: point_mass(x) for x in _THREE},
)

state("invariants.injective", "article, section 2.4")(
    """in the extreme example where c is an injective function so that the universes D are singletons, the entire data
    set can be published, and hence there is no actual protection afforded by the DP specification eps_D-DP(X, D_c, d_X,
    D_Pr) even though in such cases eps_D can be set to zero""",
    every(_published(3), unless_kept),
    mutant("c need not be injective", _published(1)),
    theorem("invariant_multiverse.injective_free"),
)

# every mechanism, with the PLB 0 on the multiverse of invariants with so many values
_any_mechanism = lambda different: cases(
    "D_Mult, all invariants on three data sets, all mechanisms with 6 laws up to relabelling, d in {0, 1}, eps = 0",
    "measure laws d budgets",
)(
    lambda: (
        (words.PURE, words.made(kernel), d, free(words.PURE, *_own(c)))
        for c in _INVARIANTS
        if len(set(c.values())) == different
        for d, kernel in product(small.premetric_tables(_THREE, (0, 1)), small.kernels(_THREE))
    )
)

state("invariants.singletons-unprotected", "dissertation, section 2.4.3")(
    """Indeed in the extreme example where c is an injective function so that the universes D are singletons, there is
    no privacy protection afforded by the DP specification eps_D-DP(X, D_c, d_X, D_Pr) regardless of the choices of d_X,
    D_Pr and eps_D.""",
    every(_any_mechanism(3), unless_kept),
    mutant("two data sets may share their invariants", _any_mechanism(2)),
    theorem("invariant_multiverse.injective_free"),
    reading="every mechanism satisfies the specification, at the PLB 0 already",
)

# T(x) = {eps_D : x in D}, with the PLB 0
_reports = lambda listed: cases(
    "three data sets, all partitions, all PLBs with values in {0, ln 2, ln 4, oo}, D_Mult, d the same in {0, 1, oo} "
    "for all pairs",
    "measure laws d budgets",
)(
    lambda: (
        (words.PURE, releases(told), d, free(words.PURE, multiverse))
        for multiverse, d in product(listed, _constant_tables((0, 1, None)))
        for chosen in product(range(len(small.LOSSES)), repeat=len(multiverse))
        for budgets in [list(zip(chosen, multiverse, strict=True))]
        for told in [{x: tuple(sorted({j for j, u in budgets if x in u})) for x in _THREE}]
    )
)

own("invariants.budget-reported", "article, Remark 1")(
    """Where the multiverse is a partition, the budget eps_D(x) of the universe of the realised data x can be reported
    without additional protection loss: T(x) = eps_D(x) satisfies the PLB 0.""",
    every(_reports([one for c in _INVARIANTS for one in _own(c)]), unless_kept),
    mutant("the multiverse need not be a partition", _reports([one for one in _MULTIVERSES if len(one) == 2])),
    theorem("invariants.budgets_at_free"),
    reading='of the PSA the remark says that "the value of eps can still be publicly reported"',
)


def mechanisms(scope: str, laws: tuple[Law[int], ...], kernels: Iterable[Any], *measures: OutputPremetric) -> Cases:
    """Mechanisms of given laws on three data sets, with every premetric."""
    needed, listed = [SmallestBudgets(measure, laws) for measure in measures], list(kernels)
    shown = ", ".join(str(named(measure)) for measure in measures)
    scope = f"three data sets, {scope}, all premetrics with values in {{0, 1, oo}}, any multiverse around D_0; {shown}"
    return cases(scope, "needed kernel d")(lambda: product(needed, listed, _TABLES))


costs = lambda measure, laws, d, universe, budget, at_infinity: (
    not any(laws[x] != laws[y] and (at_infinity or distance(d, x, y) < oo) for x in universe for y in universe)
    or not keeps_on(measure, laws, d, universe, budget)
)


def needs(
    needed: SmallestBudgets, kernel: Any, d: Table, *, infinite: bool = False, at_infinity: bool = False
) -> Witness | None:
    """If P_x != P_x' and d(x, x') < oo for some x, x' in D_0, T needs eps_D_0 > 0 (or eps_D_0 = oo)."""
    most = sum(budget != needed.measure.no_bound for budget in needed.values) - 1 if infinite else 0
    laws, name = words.made(kernel, needed.laws), named(needed.measure)
    for universe in _LARGE:
        pairs, rank = permutations(universe, 2), needed.of(universe, kernel, d)
        if rank <= most and any(kernel[x] != kernel[y] and (at_infinity or d[x, y] is not None) for x, y in pairs):
            return failure(
                lambda measure, laws, d, universe, budget: costs(measure, laws, d, universe, budget, at_infinity),
                measure=name,
                laws=laws,
                d=d,
                universe=universe,
                budget=needed.values[rank],
            )
    return settled(
        True,
        lambda measure, laws, d, budget, universes: all(
            costs(measure, laws, d, universe, budget, at_infinity) for universe in universes
        ),
        lambda: {"measure": name, "laws": laws, "d": d, "budget": needed.values[most], "universes": _LARGE},
    )


_released = lambda *measures: mechanisms(
    "all invariants up to relabelling",
    tuple(map(point_mass, range(3))),
    (tuple(c.values()) for c in _SHAPES),
    *measures,
)

_AT_LAST = "outcomes in a finite set, or any premetric that is oo between different point masses"
_COSTS = (
    every(_released(words.PURE, words.APPROXIMATE), needs, infinite=True),
    mutant("D_TV for a D_Pr that is infinite at total variation one", _released(words.VARIATION)),
    theorem("invariants.invariants_cost", "invariants.invariants_cost_points", within=_AT_LAST),
    mutant("d_X(x, x') may be oo", every(_released(words.PURE), needs, infinite=True, at_infinity=True)),
)

state("invariants.release-infinite", "article, Proposition 1", _SLIDE)(
    """Now suppose D_Pr(P, Q) = oo whenever the total variation distance between P and Q is one. … Let D-multiverse be a
    multiverse such that there exists some universe D_0 in D-multiverse and some x, x' in D_0 with d_X(x, x') < oo and
    c(x) != c(x'). Then T does not satisfy eps_D-DP(X, D-multiverse, d_X, D_Pr) whenever eps_D_0 < oo.""",
    *_COSTS,
    reading="T is T(x) = c(x), with values in R^k and its Borel sets",
)

state("invariants.costly", "dissertation, Proposition 2.4.11")(
    """Now suppose D_Pr(P, Q) = oo if d_TV(P, Q) = 1. Let D-multiverse be a multiverse such that there exists some
    universe D_0 in D-multiverse and some x, x' in D_0 with d_X(x, x') < oo and c(x) != c(x'). Then T does not satisfy
    eps_D-DP(X, D-multiverse, d_X, D_Pr) whenever eps_D_0 < oo.""",
    *_COSTS,
    reading="T is T(x) = c(x), with the sigma-algebras of Definition A.1.4; see components.functions-free",
)

sigma_algebras = cases(
    "T = the number of records of two data sets that differ by one record, with the trivial sigma-algebra on its "
    "values and with all subsets; the PLB 0 under D_Mult",
    "laws sigma",
)(
    lambda: (
        ({x: point_mass(len(x)) for x in (("a",), ("a", "b"))}, set(map(frozenset, events)))
        for events in (((), (1, 2)), ((), (1,), (2,), (1, 2)))
    )
)

any_sigma_algebra = lambda laws, sigma: any(
    probability(laws[x], s) > probability(laws[y], s) for s in sigma for x in laws for y in laws
)

own("invariants.costly.separated", "dissertation, Proposition 2.4.11")(
    "The same with a sigma-algebra that separates the values of c, as the Borel sets of R^l do.",
    *_COSTS,
    mutant("any sigma-algebra", every(sigma_algebras, any_sigma_algebra)),
)

state("invariants.necessity", "article, section 2.4")(
    """The second part of Proposition 1 demonstrates the necessity of the invariant-induced multiverse. It shows that a
    set of invariants cannot be published as is by a DP mechanism whenever D-multiverse does not conform to these
    invariants. More precisely, if there are data sets x, x' in D_0, which take different values on the invariants (and
    satisfy d_X(x, x') < oo), then releasing the invariants exactly would require eps_D_0 = oo.""",
    *_COSTS,
    reading="""what stands after 'More precisely', for a D_Pr as in Proposition 1; that the multiverse be D_c itself is
    not necessary, every refinement does (invariants.necessity.refinement, Coq's induced_universes_refuted)""",
)

state(
    "invariants.necessary", "dissertation, section 2.4.3", "slides, Does data swapping satisfy differential privacy?"
)(
    """in order to formulate DP with invariants c, it is necessary and sufficient to limit the Lipschitz condition via
    the invariant-induced universe function D_c. Necessity follows from the second half of Proposition 2.4.11: if there
    are datasets x, x' in D_0 with different values on the invariants, then releasing the invariants exactly would
    require eps_D = oo.""",
    *_COSTS,
    reading="""what stands after the colon, with D_0, x, x' and D_Pr of Proposition 2.4.11, which it repeats: d_X(x, x')
    < oo there, as the article says again (invariants.necessity)""",
)

conforming = cases(
    "two and three data sets, all invariants, all multiverses, d the same in {0, 1, 2} for all pairs; D_Mult",
    "c d universes",
)(
    lambda: (
        case
        for domain in (small.domain_of(2), _THREE)
        for tables in [_constant_tables((0, 1, 2), len(domain))]
        for case in product(tuple(small.invariants(domain)), tables, [set(m) for m in small.multiverses(domain)])
    )
)

# within the budget ln 4 on every universe: a point mass is at distance 0 or oo from another
releasable = lambda c, d, universes: keeps("D_Mult", {x: {c[x]: 1} for x in c}, d, {u: (4, 1) for u in universes})
releasable_iff_coarser = lambda c, d, universes: releasable(c, d, universes) == refines(sharing(c), universes)

own("invariants.necessity.refinement", "article, section 2.4")(
    """Under D_Mult and finite distances, T(x) = c(x) satisfies some finite PLB on a multiverse iff the multiverse is a
    refinement of the one induced by c.""",
    every(conforming, lambda c, d, universes: releasable(c, d, universes) == refines(universes, sharing(c))),
    mutant("the multiverse induced by c is a refinement of the multiverse", releasable_iff_coarser),
    theorem("invariant_multiverse.finite_budget_iff", within="universes that are not empty"),
)

# releasing more than the invariants: what varies within a universe costs, and what does not is free of charge

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
    refuted_by=["invariant_multiverse.zero_budget_refuted"],
)

state("invariants.sufficient", "dissertation, section 2.4.3")(
    """Sufficiency is described in two parts: 1) the invariants can be released exactly without privacy loss (by the
    first half of Proposition 2.4.11); but 2) any additional information (not logically equivalent to the invariants)
    cannot be released without incurring privacy loss (by Proposition 2.4.12).""",
    every(swapped, additional_costs),
    reading="the second part; the first one is invariants.release-free",
    grade=incomplete("the distances inside the universes must be finite, as Proposition 2.4.12 asks"),
    refuted_by=["invariant_multiverse.zero_budget_refuted"],
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
        "invariant_multiverse.zero_budget_iff",
        within="any D_Pr that is 0 between equal laws only; D_Mult on finite sets",
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
    "two and three data sets, all invariants, all mechanisms with 3 laws, one distance for all pairs", "c laws"
)(
    lambda: (
        (c, dict(enumerate(laws)))
        for size in (2, 3)
        for c, laws in product(small.invariants(small.domain_of(size)), product(_FEW, repeat=size))
    )
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
