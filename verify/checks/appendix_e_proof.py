"""Evidence for article, Appendix E: the steps of the proof of Theorem 1."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from fractions import Fraction
from itertools import permutations, product
from math import factorial
from typing import Any

from mechanisms.exact_law import exact_law
from mechanisms.permutation_counts import derangements, move_weights
from mechanisms.permutation_swapping import permutation_swapping
from spec.rational_function import SYMBOL
from verify.engines.solver import decide
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes


def _applied(order: Sequence[int], values: Sequence[int]) -> tuple[int, ...]:
    """The swapping values of g(x): S_g(i) at i."""
    return tuple(values[i] for i in order)


def _bijection(*, first_rho: bool) -> Evidence:
    """Whether the map of G_x→z lands in G_x'→z, for records that are all different."""
    scope = "up to 4 records with different values, all g and rho"
    for n in range(1, 5):
        x_prime = tuple(range(1, n + 1))
        for rho, g in product(permutations(range(n)), repeat=2):
            z = _applied(g, _applied(rho, x_prime))
            composed = tuple(g[i] for i in rho) if first_rho else tuple(rho[i] for i in g)
            image = _applied(composed, x_prime)
            if image != z:
                note = f"swapping values x' = {x_prime}, rho = {rho}, g = {g}: the digits of the image and of z"
                sides = ("+".join(f"10**{n - 1 - i}*s{value}" for i, value in enumerate(data)) for data in (image, z))
                values = {f"s{value}": value for value in x_prime}
                witness = formula_witness(" == ".join(sides), note=note, **values)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, "g |-> the composition is injective, and the sets are equally large")


@checks("psa.proof.bijection.printed")
def bijection_printed() -> Evidence:
    """G ↦ g∘ρ as printed."""
    return _bijection(first_rho=True)


@checks("psa.proof.bijection")
def bijection() -> Evidence:
    """G ↦ ρ∘g."""
    return _bijection(first_rho=False)


@refutes("psa.proof.bijection", "g o rho as printed")
def bijection_mutant() -> Evidence:
    """The mutant is the printed map."""
    return _bijection(first_rho=True)


def _permutation_law(n: int) -> dict[tuple[Hashable, ...], Any]:
    """The program's law of σ on n records with different values, as functions of p."""
    law = exact_law(permutation_swapping, tuple((0, i, i) for i in range(n)), swap_rate=SYMBOL)
    return {tuple(s for (_, _, s), _ in sorted(output)): q for output, q in law.items()}


def _law_of_permutation(*, conditioned: bool) -> Evidence:
    scope = "2 to 4 records, all permutations, all p in (0, 1) at once; at most 12 records by counting at p = 1/3"
    p = SYMBOL
    for n in range(2, 5):
        law = _permutation_law(n)
        for g in permutations(range(n)):
            k = sum(i != j for i, j in enumerate(g))
            kept = 1 - n * p * (1 - p) ** (n - 1) if conditioned else 1 + 0 * p
            printed = 0 * p if k == 1 else p**k * (1 - p) ** (n - k) / (kept * derangements(k))
            if printed != law.get(g, 0):
                rate = Fraction(1, 3)
                actual, value = law[g](rate), printed(rate)
                note = f"sigma = {g}, p = 1/3"
                witness = formula_witness("printed == actual", note=note, printed=value, actual=actual)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    for n in range(2, 13):
        weights = move_weights(n, Fraction(1, 3))
        permutations_moving = [factorial(n) // factorial(k) // factorial(n - k) * derangements(k) for k in range(n + 1)]
        if sum(w * c for w, c in zip(weights, permutations_moving, strict=True)) != 1:
            return Evidence(Verdict.OPEN, scope, f"the weights for {n} records do not sum to 1")
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.permutation-law")
def law_of_permutation() -> Evidence:
    """The display before (14)."""
    return _law_of_permutation(conditioned=True)


@refutes("psa.permutation-law", "without conditioning on re-selection")
def law_of_permutation_unconditioned() -> Evidence:
    """The mutant that forgets line 13 of Algorithm 1."""
    return _law_of_permutation(conditioned=False)


def _permutation_ratio(shift: int) -> Evidence:
    scope = "2 to 4 records, all pairs of possible permutations, all p in (0, 1) at once"
    o = SYMBOL / (1 - SYMBOL)
    for n in range(2, 5):
        law = _permutation_law(n)
        moves = {g: sum(i != j for i, j in enumerate(g)) for g in law}
        for g, h in product(law, repeat=2):
            k, delta = moves[g], moves[g] - moves[h]
            ratio = law[g] / law[h]
            printed = o ** (delta + shift) * Fraction(derangements(k - delta), derangements(k))
            if ratio != printed:
                note = f"g = {g}, g' = {h}, p = 1/3"
                values = {"ratio": ratio(Fraction(1, 3)), "printed": printed(Fraction(1, 3))}
                return Evidence(Verdict.REFUTED, scope, note, formula_witness("ratio == printed", note=note, **values))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.permutation-ratio")
def permutation_ratio() -> Evidence:
    """(14)."""
    return _permutation_ratio(0)


@refutes("psa.permutation-ratio", "o^(delta + 1)")
def permutation_ratio_shifted() -> Evidence:
    """The mutant with another power."""
    return _permutation_ratio(1)


def _maximum(*, all_distances: bool, slack: int = 0) -> Evidence:
    """Whether d(k')/d(k) ≤ d(n − slack)/d(n − Δ) for realizable k, k' with |k − k'| ≤ Δ; o^δ is largest at δ = −Δ."""
    scope = f"n <= 30, 0 <= Delta <= n{'' if all_distances else ', Delta != n - 1'}, all realizable k_g and k_g'"
    for n in range(2, 31):
        realizable = [k for k in range(n + 1) if k != 1]
        for distance in (d for d in range(n + 1) if d != 1 and (all_distances or d != n - 1)):
            if derangements(n - distance) == 0:
                note = f"n = {n}, Delta = {distance}: k_g = {n - distance} is not realizable, d(n - Delta) = 0"
                witness = formula_witness("derangements(n - Delta) > 0", note=note, n=n, Delta=distance)
                return Evidence(Verdict.REFUTED, scope, note, witness)
            for k, other in product(realizable, repeat=2):
                if abs(k - other) > distance:
                    continue
                if derangements(other) * derangements(n - distance) > derangements(n - slack) * derangements(k):
                    note = f"k_g = {k}, k_g' = {other}"
                    claimed = f"derangements(b)*derangements(n - Delta) <= derangements(n - {slack})*derangements(a)"
                    witness = formula_witness(claimed, note=note, a=k, b=other, n=n, Delta=distance)
                    return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.proof.maximum.printed")
def maximum_printed() -> Evidence:
    """The step as printed: at Δ = n − 1 the maximizer would move one record."""
    return _maximum(all_distances=True)


@checks("psa.proof.maximum")
def maximum() -> Evidence:
    """The repaired step."""
    return _maximum(all_distances=False)


@refutes("psa.proof.maximum", "d(n - 1) for d(n)")
def maximum_smaller() -> Evidence:
    """The mutant with a smaller bound."""
    return _maximum(all_distances=False, slack=1)


def _budget_forms(*changes: tuple[str, str]) -> Evidence:
    scope = "all real b >= 2 and all p in (0, 1); b = 1 cannot occur"
    note = "e^epsilon is (b+1)/o or o, and the two forms choose differently"
    return decide("psa.proof.budget-forms", scope, claimed="(b + 1)/o == o", note=note, changes=changes)


@checks("psa.proof.budget-forms")
def budget_forms() -> Evidence:
    """(17) simplifies to (7)."""
    return _budget_forms()


@refutes("psa.proof.budget-forms", "o <= 2 for o^2 <= b + 1")
def budget_forms_other_threshold() -> Evidence:
    """The mutant with another threshold."""
    return _budget_forms(("(<= (* o o) (+ b 1))", "(<= o 2)"))
