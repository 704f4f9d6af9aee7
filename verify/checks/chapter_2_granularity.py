"""Evidence for dissertation, section 2.4.4: households and persons, donors and recipients, group privacy."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from mechanisms.randomized_response import randomized_response
from spec.domain import FiniteDomain, ordered_data_sets
from spec.input_premetric import Neighbors, Order, hamming_ordered, neighbor_premetric
from spec.loss import ZERO, Loss
from spec.multiverse import vacuous
from spec.output_premetrics import Multiplicative
from spec.recording import RecordingMap, lipschitz_factor, pulled_back
from spec.specification import Flavor, Specification
from verify.engines.algebra.small_domains import LAWS, refused_witness
from verify.engines.exhaustive import mechanism_laws
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_PURE = Multiplicative()

Household = tuple[str, ...]


def _households(sizes: Callable[[tuple[Household, ...]], Any], *, factor: int) -> Evidence:
    """Whether d^h ≤ d^p ≤ factor·d^h between lists of two households of at most two persons with equal `sizes`."""
    scope = "all lists of one or two households of at most two persons of two kinds; Hamming distances of section A.4"
    household: list[Household] = [h for n in (1, 2) for h in product("ab", repeat=n)]
    by_household, by_person = hamming_ordered("household"), hamming_ordered("person")
    for length in (1, 2):
        for x, y in product(product(household, repeat=length), repeat=2):
            if sizes(x) != sizes(y):
                continue
            coarse = by_household(x, y)
            fine = by_person(tuple(p for h in x for p in h), tuple(p for h in y for p in h))
            if coarse is None or (fine is not None and coarse <= fine <= factor * coarse):
                continue
            near = Fraction(0) if fine is None else 1 / Fraction(max(1, fine))
            note = f"x = {x}, x' = {y}: d^h, and 1/d^p with 0 for oo"
            witness = formula_witness("near*factor*coarse >= 1", near=near, factor=factor, coarse=coarse, note=note)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("premetric.household-person")
def household_person() -> Evidence:
    """The inequality as printed."""
    return _households(lambda _: 0, factor=2)


@checks("premetric.household-person.fixed-sizes")
def household_person_fixed() -> Evidence:
    """With every household's size the same in both."""
    return _households(lambda x: tuple(map(len, x)), factor=2)


@refutes("premetric.household-person.fixed-sizes", "d^p <= d^h")
def household_person_equal() -> Evidence:
    """The mutant with b = 1."""
    return _households(lambda x: tuple(map(len, x)), factor=1)


def _donor(factor: Callable[[int], int]) -> Evidence:
    """Whether r copies of a record multiply its distance, and the loss of randomized response, by a factor."""
    scope = (
        "a donor and a bystander with binary answers, r = 1, 2, 3 recipients; randomized response at 1/4 of all records"
    )
    d = hamming_ordered("person")
    persons = ordered_data_sets((0, 1), (2,))
    for recipients in (1, 2, 3):
        recorded = ordered_data_sets((0, 1), (2 + recipients,))
        copied = RecordingMap(persons, recorded, lambda x, r=recipients: (*x, *([x[0]] * r)))  # type: ignore[misc]
        flavor = Flavor(recorded, vacuous(recorded), d, _PURE)
        seen = pulled_back(Specification.constant(flavor, Loss(Fraction(3))), copied).flavor
        donor = [(x, y) for x, y in permutations(persons, 2) if x[1] == y[1]]
        laws = mechanism_laws(
            lambda x, source: randomized_response(x, source, flip_probability=Fraction(1, 4)), recorded
        )
        losses = {_PURE.distance(laws[copied(x)], laws[copied(y)]) for x, y in donor}
        reached, claimed = lipschitz_factor(d, seen.input_premetric, donor), factor(recipients)
        if reached != claimed or losses != {Loss(Fraction(3) ** claimed)}:
            note = f"r = {recipients}: the records that a donor changes, and the factor"
            witness = formula_witness("records == factor", records=reached, factor=claimed, note=note)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("recording.donor-factor")
def donor() -> Evidence:
    """As printed: the number of recipients."""
    return _donor(lambda recipients: recipients)


@checks("recording.donor-factor.with-own-record")
def donor_with_own() -> Evidence:
    """One more, for the donor's own record."""
    return _donor(lambda recipients: 1 + recipients)


@refutes("recording.donor-factor.with-own-record", "2 r")
def donor_twice() -> Evidence:
    """The mutant that is right for one recipient only."""
    return _donor(lambda recipients: 2 * recipients)


def _indistinguishable(scale: int) -> Evidence:
    """Whether (2.2) is the specification with scale·d_r on {R^2}, for all mechanisms of a few laws."""
    scope = "R = {0, 1}, n = 2, all mechanisms of 6 laws, eps = 0, ln 3/2, ln 2"
    domain = ordered_data_sets((0, 1), (2,))
    d = neighbor_premetric(Neighbors.REPLACE_ONE, Order.ORDERED, "record")
    pairs = list(permutations(range(len(domain)), 2))
    points = domain.points
    differ = [(i, j) for i, j in pairs if sum(a != b for a, b in zip(points[i], points[j], strict=True)) == 1]
    asked = [(i, j, scale) for i, j in pairs if d(points[i], points[j]) is not None]
    value = {(i, j): _PURE.distance(p, q) for i, p in enumerate(LAWS) for j, q in enumerate(LAWS)}
    for gamma in (Fraction(1), Fraction(3, 2), Fraction(2)):
        budget = Loss(gamma)
        close = {
            (i, j): all(p.numeric(t) <= gamma * q.numeric(t) for t in (*p, *q))
            for i, p in enumerate(LAWS)
            for j, q in enumerate(LAWS)
        }
        for kernel in product(range(len(LAWS)), repeat=len(points)):
            indistinguishable = all(close[kernel[i], kernel[j]] and close[kernel[j], kernel[i]] for i, j in differ)
            broken = next(((i, j) for i, j, n in asked if not value[kernel[i], kernel[j]] <= budget.times(n)), None)
            if indistinguishable != (broken is None):
                i, j = broken or next(pair for pair in differ if not value[kernel[pair[0]], kernel[pair[1]]] <= budget)
                note = f"eps = {budget}: x = {points[i]}, x' = {points[j]}, where one of the two asks for eps"
                witness = refused_witness(LAWS[kernel[i]], LAWS[kernel[j]], budget, note)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("pure.indistinguishability")
def indistinguishable() -> Evidence:
    """Definition 2.3.1 with bounded, ordered neighbors."""
    return _indistinguishable(1)


@refutes("pure.indistinguishability", "2 d_r for d_r")
def indistinguishable_twice() -> Evidence:
    """The mutant with neighbors at distance 2."""
    return _indistinguishable(2)


def _chain(universe: FiniteDomain, scope: str) -> Evidence:
    """Whether the largest loss between neighbors bounds the loss between all data sets, times their distance."""
    d = hamming_ordered("person")
    value = {(i, j): _PURE.distance(p, q) for i, p in enumerate(LAWS) for j, q in enumerate(LAWS)}
    points = universe.points
    pairs = [(i, j, d(points[i], points[j])) for i, j in permutations(range(len(points)), 2)]
    for kernel in product(range(len(LAWS)), repeat=len(points)):
        bound = max((value[kernel[i], kernel[j]] for i, j, n in pairs if n == 1), default=ZERO)
        broken = next(((i, j, n) for i, j, n in pairs if not value[kernel[i], kernel[j]] <= bound.times(n)), None)
        if broken is not None:
            i, j, n = broken
            note = f"x = {points[i]}, x' = {points[j]} at distance {n}; neighbors within {bound}"
            witness = refused_witness(LAWS[kernel[i]], LAWS[kernel[j]], bound.times(n), note)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("group-privacy.chain")
def chain() -> Evidence:
    """All data sets of two binary records."""
    return _chain(ordered_data_sets((0, 1), (2,)), "all mechanisms of 6 laws on the data sets of two binary records")


@refutes("group-privacy.chain", "the data sets between need not be in the universe")
def chain_broken() -> Evidence:
    """The mutant universe {00, 11}."""
    return _chain(FiniteDomain(((0, 0), (1, 1))), "the universe {00, 11}")
