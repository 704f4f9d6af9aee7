"""Invariants in the multiverse or in the input premetric, and where they exclude nothing: bounded DP and its size."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any

from spec import input_premetric as unit
from spec.domain import FiniteDomain, multisets, ordered_data_sets
from spec.input_premetric import InputPremetric, Neighbors, Order
from spec.law import Law, point_mass
from spec.loss import INFINITE, ZERO, Loss
from spec.multiverse import induced, vacuous
from verify.claims.specifications.words import PURE, Labels, Laws, keeps, releases, sizes
from verify.engines.algebra.small_domains import (
    LAWS,
    Table,
    domain_of,
    invariant_shapes,
    premetric_tables,
    specification,
)
from verify.evidence.witness import Witness
from verify.ledger.failures import failure
from verify.ledger.quantifiers import Cases, cases, every, some
from verify.ledger.statement import incomplete, state
from verify.ledger.theorems import theorem

_TWO = Loss(Fraction(2))
_TINY = (ZERO, _TWO, INFINITE)

Distances = Mapping[tuple[Any, Any], Any]


def _bounds(domain: FiniteDomain, universes: Any, budget: Loss, d: Distances) -> list[Loss]:
    """C(x, x') of all pairs of different data sets, for one budget."""
    matrix = specification(domain, dict.fromkeys(universes, budget), d).matrix()
    return [matrix(*pair) for pair in permutations(domain, 2)]


def _same(domain: FiniteDomain, c: Labels, budget: Loss, d: Distances, whole: Distances) -> bool:
    """Whether the multiverse of c with d has the bounds of {X} with another premetric."""
    return _bounds(domain, induced(domain, c.__getitem__), budget, d) == _bounds(domain, vacuous(domain), budget, whole)


_EQUIVALENT = (
    "keeps('D_Mult', laws, d, everywhere(c, budget)) == "
    "keeps('D_Mult', laws, {0}, everywhere({{x: 0 for x in c}}, budget))"
)
"""A mechanism satisfies the multiverse of c iff it satisfies {X} with a premetric."""

_APART = "{{(x, y): get(d, (x, y), oo) if c[x] == c[y] else {0} for x in c for y in c}}"


@cases(
    "D_Mult, three data sets, all invariants up to relabelling, all premetrics with values in {0, 1, oo}, eps in {0, "
    "ln 2, oo} the same for all universes",
    "c d budget",
)
def constant_budgets() -> Iterator[tuple[Labels, Table, Loss]]:
    three = domain_of(3)
    return product(invariant_shapes(three), premetric_tables(three, (0, 1, None)), _TINY)


def same_result(c: Labels, d: Table, budget: Loss, *, times: int | None = None) -> Witness | None:
    """D_c with d has the bounds of {X} with d set to oo (or multiplied) where the invariants disagree."""
    far = {pair: None if times is None or distance is None else times * distance for pair, distance in d.items()}
    changed = {(x, y): distance if c[x] == c[y] else far[x, y] for (x, y), distance in d.items()}
    if _same(domain_of(3), c, budget, d, changed):
        return None
    apart = _APART.format("oo" if times is None else f"(oo if get(d, (x, y), oo) == oo else {times}*d[x, y])")
    return failure(_EQUIVALENT.format(apart), laws=releases(c), c=c, d=d, budget=budget)


state(
    "invariants.two-encodings",
    "article, section 2.2",
    "dissertation, section 3.1.2",
    printed="these two approaches — incorporating invariants via d_X or via D-multiverse — have the same result: Both "
    "ensure that the DP condition (Equation 1) only bounds the 'distance' between the distributions P(T(x, U) in .) "
    "and P(T(x', U) in .) when the two counterfactual data sets x and x' agree on the invariants",
    reading="the result is what stands after the colon; where the PLB is one number, as it must be on {X}, the same "
    "mechanisms satisfy both",
    checks=[every(constant_budgets, same_result), theorem("multiverse.invariants_in_premetric")],
    mutants={"2 d_X(x, x') for oo where the invariants disagree": every(constant_budgets, same_result, times=2)},
)

_THREE = (LAWS[2], LAWS[3], LAWS[4])
_TWICE = combinations_with_replacement(_THREE, 2)
_MECHANISMS: list[Laws] = [dict(enumerate((*left, *right))) for left, right in product(_TWICE, repeat=2)]
_PAIRS_OF_FOUR: Table = dict.fromkeys(permutations(range(4), 2), 1)
_WITHIN: Table = {(x, y): 1 if x // 2 == y // 2 else None for x, y in permutations(range(4), 2)}
_LEFT, _RIGHT, _WHOLE = frozenset({0, 1}), frozenset({2, 3}), frozenset(range(4))


@cases(
    "X = {0, 1, 2, 3}, c = (0, 0, 1, 1), d = 1, D_Mult; every eps_X in [0, oo]: what mechanisms of 3 laws need", "eps"
)
def budgets_of_one_universe() -> list[Loss]:
    return [*sorted({PURE.distance(p, q) for p, q in product(_THREE, repeat=2)}), INFINITE]


def separates(eps: Loss, *, first: Loss, second: Loss) -> Witness | None:
    """Some mechanism satisfies the PLB and not eps on {X} with d set to oo across the invariants, or the reverse."""
    varying, whole = {_LEFT: first, _RIGHT: second}, {_WHOLE: eps}
    for laws in _MECHANISMS:
        if (keeps(PURE, laws, _PAIRS_OF_FOUR, varying) is None) != (keeps(PURE, laws, _WITHIN, whole) is None):
            return None
    claimed = "any(keeps('D_Mult', laws, d, varying) != keeps('D_Mult', laws, apart, whole) for laws in mechanisms)"
    return failure(claimed, mechanisms=_MECHANISMS, d=_PAIRS_OF_FOUR, apart=_WITHIN, varying=varying, whole=whole)


state(
    "invariants.two-encodings.varying-budget",
    "article, section 2.2",
    claim="The two ways differ where the PLB differs between universes: there are invariants c, d_X and a PLB on the "
    "invariant-induced multiverse such that no PLB on {X}, with d_X set to oo whenever x and x' disagree on c, is "
    "satisfied by the same mechanisms.",
    checks=[
        every(budgets_of_one_universe, separates, first=Loss(Fraction(4, 3)), second=_TWO),
        theorem("invariant_multiverse.two_encodings_differ"),
    ],
    mutants={"the same PLB for both universes": every(budgets_of_one_universe, separates, first=_TWO, second=_TWO)},
)

_DIVIDED = "any(divided(d, c, eps, x, y) for d in (hammings(c),) for eps in budgets for x in c for y in c)"

state(
    "invariants.nonvacuous",
    "article, section 2.2",
    printed="a nonvacuous multiverse D-multiverse — as happens whenever there are invariants … (By 'nonvacuous "
    "multiverse,' we mean one that is not equivalent to the multiverse D-multiverse = {X}.)",
    reading="invariants that are not constant; equivalent: satisfied by the same mechanisms at every PLB that is one "
    "number, for which equal bounds at 0, ln 2 and oo are enough",
    grade=incomplete("two data sets at a finite distance must disagree on the invariants, as of the census they do"),
    checks=[every(sizes, _DIVIDED, budgets=_TINY)],
    refuted_by=["invariant_multiverse.nonvacuous_refuted"],
)


@cases(
    "two and three data sets, all invariants up to relabelling, all premetrics with values in {1, oo}, D_Mult", "c d"
)
def comparable() -> Iterator[tuple[Labels, Table]]:
    for domain in (domain_of(2), domain_of(3)):
        yield from product(invariant_shapes(domain), premetric_tables(domain, (1, None)))


def vacuous_iff(c: Labels, d: Table, *, some_pair: bool = False) -> Witness | None:
    """D_c and {X} have the same bounds at every eps iff d(x, x') = oo for all (or some) x, x' that disagree."""
    domain = domain_of(len(c))
    far = [distance is None for (x, y), distance in d.items() if c[x] != c[y]]
    claimed = any(far) or not far if some_pair else all(far)
    if all(_same(domain, c, eps, d, d) for eps in _TINY) == claimed:
        return None
    disagreeing = "[get(d, (x, y), oo) == oo for x in c for y in c if c[x] != c[y]]"
    stated = f"(any({disagreeing}) or all({disagreeing}))" if some_pair else f"all({disagreeing})"
    return failure(
        f"keeps('D_Mult', laws, d, everywhere({{x: 0 for x in c}}, (1, 1))) == {stated}", laws=releases(c), c=c, d=d
    )


state(
    "invariants.nonvacuous.comparable",
    "article, section 2.2",
    claim="For invariants c and the same PLB eps everywhere, the invariant-induced multiverse and {X} are satisfied by "
    "the same mechanisms at every eps iff d_X(x, x') = oo whenever c(x) and c(x') differ, provided that D_Pr is not 0 "
    "between all laws.",
    repairs="invariants.nonvacuous",
    checks=[every(comparable, vacuous_iff), theorem("invariant_multiverse.equivalent_iff")],
    mutants={"d_X(x, x') = oo for some such pair instead of all": every(comparable, vacuous_iff, some_pair=True)},
)


def _records(ordered: InputPremetric, unordered: InputPremetric) -> Iterator[tuple[InputPremetric, FiniteDomain, Loss]]:
    domains = ((ordered, ordered_data_sets("ab", range(4))), (unordered, multisets("ab", range(4))))
    return ((measure, domain, budget) for measure, domain in domains for budget in _TINY)


def _sized(scope: str, ordered: InputPremetric, unordered: InputPremetric) -> Cases:
    shown = f"{scope}; all data sets of at most 3 records of two kinds, as tuples and as multisets; D_Mult"
    return cases(f"{shown}, eps in {{0, ln 2, oo}}", "measure domain budget")(lambda: _records(ordered, unordered))


def size_invariant(measure: InputPremetric, domain: FiniteDomain, budget: Loss) -> Witness | None:
    """{X} and the multiverse of the size have the same bounds, which are oo between different sizes."""
    d = {(x, y): measure(x, y) for x, y in permutations(domain, 2)}
    c = {x: len(x) for x in domain}
    matrix = specification(domain, dict.fromkeys(vacuous(domain), budget), d).matrix()
    if _same(domain, c, budget, d, d) and all(matrix(x, y) == INFINITE for x, y in d if len(x) != len(y)):
        return None
    return failure(_EQUIVALENT.format("d"), laws=releases(c), c=c, d=d, budget=budget)


hamming = _sized("the Hamming distances", unit.hamming_ordered("record"), unit.hamming_unordered("record"))
_DIFFERENCE = _sized(
    "the symmetric difference", unit.symmetric_difference("record"), unit.symmetric_difference("record")
)

state(
    "invariants.bounded",
    "article, section 2.4",
    printed="Because the Hamming distance between two data sets is infinite whenever they have a different number of "
    "records, these formulations only require the DP condition to hold for data sets of the same size. Thus, having "
    "the data set size as an invariant has been a part of DP from its conception.",
    reading="(1) bounds data sets of equal size only, as with the size as invariant; dissertation, section 3.1.2, says "
    "so of d_Ham",
    checks=[every(hamming, size_invariant), theorem("invariant_multiverse.size_invariant")],
    mutants={"the symmetric difference for the Hamming distance": every(_DIFFERENCE, size_invariant)},
)


def _neighboring(kind: Neighbors) -> Cases:
    premetrics = [unit.neighbor_premetric(kind, order, "record") for order in (Order.ORDERED, Order.UNORDERED)]
    return _sized(f"1 between {kind.value} neighbors, else oo", *premetrics)


state(
    "invariants.bounded-size",
    "dissertation, section A.4",
    printed="bounded DP is equivalent to using the number of records as an invariant",
    reading="with the multiverse {X}, for neighbors and for the Hamming distances: the same mechanisms satisfy the "
    "multiverse that the number of records induces",
    checks=[
        every(_neighboring(Neighbors.REPLACE_ONE), size_invariant),
        every(hamming, size_invariant),
        theorem("invariant_multiverse.size_invariant"),
    ],
    mutants={"unbounded DP": every(_neighboring(Neighbors.ADD_REMOVE), size_invariant)},
)

Records = tuple[tuple[int, int, int], ...]
"""Records (m, h, s): matching, holding and swapping category."""


@cases("all pairs of data sets of at most 3 records with two matching, two holding and two swapping categories", "x y")
def small_surveys() -> Iterator[tuple[Records, ...]]:
    return combinations(multisets(tuple(product(range(2), repeat=3)), range(4)), 2)


@cache
def _margin(x: Records, part: int) -> list[tuple[int, int]]:
    return sorted((record[0], record[part]) for record in x)


_DISTANCES: tuple[Callable[[Any, Any], Any], ...] = (
    unit.hamming_unordered("record"),
    unit.symmetric_difference("record"),
)


def no_neighbors(x: Records, y: Records, *, parts: tuple[int, ...], apart: int) -> Witness | None:
    """Data sets at this distance, for d_HamS or the symmetric difference, disagree on the margins n_mh. and n_m.s."""
    if any(_margin(x, i) != _margin(y, i) for i in parts) or all(d(x, y) != apart for d in _DISTANCES):
        return None
    claimed = (
        "any(sorted((r[0], r[i]) for r in x) != sorted((r[0], r[i]) for r in y) for i in parts) or "
        "hamming(x, y) != apart and symmetric_difference(x, y) != apart"
    )
    return failure(claimed, x=x, y=y, parts=parts, apart=apart)


state(
    "invariants.neighbors-left",
    "article, section 2.2",
    printed="after excluding neighboring data sets that have different values for the invariants, there may be no "
    "neighbors left, resulting in a completely vacuous formulation of DP. Indeed, we will see that this is what "
    "happens with data swapping.",
    reading="neighbors are at distance 1, bounded or unbounded; the invariants are the n_mh. and n_m.s of section 3.2",
    checks=[every(small_surveys, no_neighbors, parts=(1, 2), apart=1)],
    mutants={
        "the n_mh. alone": every(small_surveys, no_neighbors, parts=(1,), apart=1),
        "no data sets at distance 2 are left either": every(small_surveys, no_neighbors, parts=(1, 2), apart=2),
    },
)


@cases("data sets of one or two records of two kinds; noise for one size, the data themselves for the other", "laws")
def noisy_for_one_size() -> Iterator[Laws]:
    domain = multisets("ab", range(1, 3))
    for noisy in (1, 2):
        noise = Law(dict.fromkeys(domain, Fraction(1, len(domain))))
        yield {x: noise if len(x) == noisy else point_mass(x) for x in domain}


_ONE_ONLY = (
    "any(keeps_on('D_Mult', laws, d, u, (2, 1)) and not keeps('D_Mult', laws, d, everywhere(c, (2, 1))) "
    "for c in ({x: len(x)*told for x in laws},) for d in (hammings(laws),) for u in sharing(c))"
)

state(
    "invariants.one-universe",
    "dissertation, section 3.1.2",
    printed="requiring the Lipschitz condition (3.1) to hold for any particular universe would be insufficient, since "
    "each universe corresponds to a specific total population count",
    checks=[some(noisy_for_one_size, _ONE_ONLY, told=1)],
    mutants={"the count is not an invariant": some(noisy_for_one_size, _ONE_ONLY, told=0)},
)
