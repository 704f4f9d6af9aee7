"""Evidence for dissertation, section A.4: unconnected data sets, the classes [x], non-totally-vacuous multiverses."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import combinations, permutations
from typing import Any

from spec.domain import FiniteDomain, multisets, ordered_data_sets
from spec.input_premetric import InputPremetric, Neighbors, Order, neighbor_premetric, sharpen
from spec.multiverse import Multiverse, Universe, vacuous
from spec.order import into_premetric
from spec.output_premetrics import Multiplicative
from spec.specification import Flavor, Specification
from verify.checks.appendix_a_budgets import FLAVORS, small_flavors
from verify.engines.algebra.small_comparisons import (
    CONSTANT_SCOPE,
    Listed,
    constant,
    described,
    same_mechanisms,
    small_specifications,
)
from verify.engines.algebra.small_domains import LOSSES, domain_of, invariants, multiverses, specification
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes


def _apart(flavor: Flavor, x: Any, y: Any) -> bool:
    """Whether x' is not in [x]."""
    return not any(x in part and y in part for part in flavor.components())


def _unconnected(apart: Callable[[Flavor, InputPremetric, Any, Any], bool]) -> Evidence:
    """Whether {D n [x]} leaves some pair without a universe where some pair is apart."""
    scope = f"{FLAVORS}; d* by shortest paths"
    for size in (2, 3):
        for flavor in small_flavors(size):
            star = sharpen(flavor.input_premetric, flavor.domain)
            pairs = list(permutations(flavor.domain.points, 2))
            if not any(apart(flavor, star, x, y) for x, y in pairs):
                continue
            pieces = {universe & part for universe in flavor.multiverse for part in flavor.components()}
            covered = sum(any(set(pair) <= piece for piece in pieces) for pair in pairs)
            if covered == len(pairs):
                distances = {pair: "oo" if star(*pair) is None else str(star(*pair)) for pair in pairs}
                shown = described(Specification.constant(flavor, LOSSES[0]))
                note = f"{shown}, d* = {distances}: pairs that some D n [x] holds, and all pairs"
                witness = formula_witness("covered < pairs", covered=covered, pairs=len(pairs), note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("components.unconnected")
def unconnected() -> Evidence:
    """The sentence as printed: d* = oo one way or the other."""
    return _unconnected(lambda _, star, x, y: star(x, y) is None or star(y, x) is None)


@checks("components.unconnected.both-ways")
def unconnected_classes() -> Evidence:
    """With x' not in [x]."""
    return _unconnected(lambda flavor, _, x, y: _apart(flavor, x, y))


@refutes("components.unconnected.both-ways", "d_X(x, x') = oo for x' not in [x]")
def unconnected_directly() -> Evidence:
    """The mutant that looks at single distances."""
    return _unconnected(lambda flavor, _, x, y: flavor.input_premetric(x, y) is None)


def _equivalent(condition: Callable[[Specification], bool]) -> Evidence:
    """Whether the premetric that encodes a multiverse leaves data sets unconnected iff a condition holds."""
    scope = "all multiverses on one to three data sets, d_X = 1 between all of them; d* by shortest paths"
    for size in (1, 2, 3):
        domain = domain_of(size)
        table = dict.fromkeys(permutations(range(size), 2), 1)
        for multiverse in multiverses(domain):
            claim = specification(domain, dict.fromkeys(multiverse, LOSSES[1]), table)
            star = sharpen(into_premetric(claim).flavor.input_premetric, domain)
            distances = {pair: star(*pair) for pair in permutations(domain.points, 2)}
            separate = any(d is None for d in distances.values())
            if separate != condition(claim):
                shown = {pair: "oo" if d is None else str(d) for pair, d in distances.items()}
                detail = f"{described(claim)}: d* = {shown}"
                note = f"{detail}; 1/(1 + d*) of the pair farthest apart, 0 for oo"
                near = min((Fraction(0) if d is None else 1 / (1 + Fraction(d)) for d in distances.values()), default=1)
                claimed = "near > 0" if separate else "near <= 0"
                return Evidence(Verdict.REFUTED, scope, detail, formula_witness(claimed, near=near, note=note))
    return Evidence(Verdict.EXHAUSTED, scope)


def _totally_vacuous(domain: FiniteDomain, multiverse: Multiverse) -> bool:
    return all(multiverse.compares(x, y) for x, y in permutations(domain.points, 2))


@checks("components.unconnected.equivalent")
def equivalent() -> Evidence:
    """Some pair shares no universe, as printed."""
    return _equivalent(lambda claim: not _totally_vacuous(claim.flavor.domain, claim.flavor.multiverse))


@checks("components.unconnected.equivalent.classes")
def equivalent_classes() -> Evidence:
    """Some pair shares no class."""
    return _equivalent(lambda claim: not _totally_vacuous(claim.flavor.domain, Multiverse(claim.flavor.components())))


@refutes("components.unconnected.equivalent.classes", "the universes are disjoint and not {X}")
def equivalent_partition() -> Evidence:
    """The mutant about partitions alone."""
    return _equivalent(lambda claim: claim.flavor.multiverse.is_partition() and len(claim.flavor.multiverse) > 1)


Cut = Callable[[Universe, frozenset[Any]], Universe]


def _partitioned(cut: Cut) -> Evidence:
    """Whether d_X = oo across a partition has the mechanisms of the universes cut along it."""
    return same_mechanisms(_partitions(cut), f"{CONSTANT_SCOPE}; all partitions of the data sets")


def _partitions(cut: Cut) -> Iterator[tuple[Listed, Specification]]:
    for listed in small_specifications(varying=False):
        flavor, budget = listed.claim.flavor, constant(listed.claim)
        pairs = list(permutations(flavor.domain.points, 2))
        for c in invariants(flavor.domain):
            table = {(x, y): flavor.input_premetric(x, y) if c[x] == c[y] else None for x, y in pairs}
            farther = specification(flavor.domain, listed.claim.budgets, table)
            parts = {frozenset(y for y in c if c[y] == c[x]) for x in c}
            pieces = dict.fromkeys((cut(u, part) for u in flavor.multiverse for part in parts), budget)
            finer = Flavor(flavor.domain, Multiverse(pieces), flavor.input_premetric, flavor.output_premetric)
            yield Listed(farther, farther.matrix()), Specification(finer, pieces)


@checks("components.partitioned")
def partitioned() -> Evidence:
    """The pieces D n C."""
    return _partitioned(lambda universe, part: universe & part)


@refutes("components.partitioned", "the classes C for the pieces D n C")
def partitioned_into_classes() -> Evidence:
    """The mutant that forgets the universes."""
    return _partitioned(lambda _, part: part)


def _bounded_size(neighbors: Neighbors, domains: Iterable[tuple[Order, FiniteDomain]], scope: str) -> Evidence:
    """Whether [x] under {X} is all data sets of the size of x."""
    for order, domain in domains:
        flavor = Flavor(domain, vacuous(domain), neighbor_premetric(neighbors, order, "record"), Multiplicative())
        for part in flavor.components():
            x = min(part)
            same = frozenset(y for y in domain if len(y) == len(x))
            if part != same:
                listed = domain.points if len(domain) < 4 else f"{len(domain)} data sets"
                detail = f"{order.value}, X = {listed}, x = {x}"
                note = f"{detail}: data sets in [x] but not of its size, and data sets of its size but not in [x]"
                other, missing = len(part - same), len(same - part)
                witness = formula_witness("other + missing == 0", other=other, missing=missing, note=note)
                return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


_LISTINGS = ((Order.UNORDERED, multisets), (Order.ORDERED, ordered_data_sets))
_ALL_SIZES = [
    (order, listing(records, range(largest + 1)))
    for records, largest in ((("a", "b"), 3), (("a", "b", "c"), 2))
    for order, listing in _LISTINGS
]
_ALL_SCOPE = "X all ordered or unordered data sets of at most 3 records of two kinds, and of at most 2 records of three"


@checks("neighbors.bounded-size")
def bounded_size() -> Evidence:
    """The end of section A.4, for any X."""
    pairs = (
        (order, FiniteDomain(chosen))
        for order, listing in _LISTINGS
        for chosen in combinations(listing(("a", "b"), range(3)), 2)
    )
    return _bounded_size(Neighbors.REPLACE_ONE, pairs, "X any two data sets of at most 2 records of two kinds")


@checks("neighbors.bounded-size.all-sizes")
def bounded_all_sizes() -> Evidence:
    """For all data sets of at most n records."""
    return _bounded_size(Neighbors.REPLACE_ONE, _ALL_SIZES, _ALL_SCOPE)


@refutes("neighbors.bounded-size.all-sizes", "unbounded for bounded")
def unbounded_size() -> Evidence:
    """The mutant with added and removed records."""
    return _bounded_size(Neighbors.ADD_REMOVE, _ALL_SIZES, _ALL_SCOPE)
