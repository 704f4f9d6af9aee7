"""Evidence for article, section 2.3: the equivalence relation that invariants give rise to, and its partition."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import product

from spec.domain import FiniteDomain
from spec.multiverse import induced
from verify.certificates.replay import evaluate
from verify.engines.algebra.small_domains import domain_of, invariants
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

Relation = Callable[[int, int], bool]
"""Which values of the invariants put two data sets into one universe, (c(x'), c(x))."""


def _partition(related: Relation) -> Evidence:
    """Whether {𝒟_c(x)} is a partition into non-empty classes of equal c, one for each value of c."""
    scope = "all invariants on at most five data sets, up to the names of their values"
    for size in range(1, 6):
        domain = FiniteDomain(tuple(range(size)))
        for c in invariants(domain):
            image = {frozenset(y for y in domain if related(c[y], c[x])) for x in domain}
            total, covered = sum(map(len, image)), len(frozenset[int]().union(*image))
            note = f"c = {dict(c)}: data sets counted in every universe"
            if total != size or covered != size:
                witness = formula_witness("in_universes == data_sets", in_universes=total, data_sets=size, note=note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
            indexed = {(c[x], universe) for universe in image for x in universe}
            if not len(image) == len(indexed) == len(set(c.values())) or image != set(induced(domain, c.__getitem__)):
                witness = formula_witness("universes == values", universes=len(image), values=len(indexed), note=note)
                return Evidence(Verdict.REFUTED, scope, f"c = {dict(c)}", witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("invariants.partition")
def partition() -> Evidence:
    """(2) as printed: c(x') = c(x)."""
    return _partition(lambda other, own: other == own)


@refutes("invariants.partition", "c(x') <= c(x) for c(x') = c(x)")
def partition_by_order() -> Evidence:
    """The mutant whose universes are nested."""
    return _partition(lambda other, own: other <= own)


def _equivalence(related: Relation) -> Evidence:
    """Whether x ~ x' is reflexive, symmetric and transitive."""
    scope = "all invariants on at most four data sets, up to the names of their values"
    for size in range(1, 5):
        domain = domain_of(size)
        for c in invariants(domain):
            holds = {(x, y): int(related(c[x], c[y])) for x, y in product(domain, repeat=2)}
            for x, y, z in product(domain, repeat=3):
                for claimed, values in (
                    ("same == 1", {"same": holds[x, x]}),
                    ("there == back", {"there": holds[x, y], "back": holds[y, x]}),
                    ("first*second <= both", {"first": holds[x, y], "second": holds[y, z], "both": holds[x, z]}),
                ):
                    if not evaluate(claimed, {name: Fraction(value) for name, value in values.items()})[0]:
                        note = f"c = {dict(c)}, x = {x}, x' = {y}, x'' = {z}; 1 where two are related"
                        return Evidence(Verdict.REFUTED, scope, note, formula_witness(claimed, note=note, **values))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("invariants.equivalence")
def equivalence() -> Evidence:
    """The relation c(x) = c(x')."""
    return _equivalence(lambda own, other: own == other)


@refutes("invariants.equivalence", "c(x) <= c(x') for c(x) = c(x')")
def equivalence_by_order() -> Evidence:
    """The mutant that is an order."""
    return _equivalence(lambda own, other: own <= other)
