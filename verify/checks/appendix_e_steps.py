"""Evidence for article, Appendix E: smaller steps of the proof of Theorem 1."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations, product

from mechanisms.permutation_counts import derangements, move_weights
from spec.tables import contingency_tables, table_distance
from verify.engines.swapping.budget_sweep import one_stratum
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_BOUND = 100


def _nondecreasing(exceptions: frozenset[int]) -> Evidence:
    scope = f"0 <= j <= k <= {_BOUND}"
    for j, k in combinations((k for k in range(_BOUND + 1) if k not in exceptions), 2):
        if derangements(j) > derangements(k):
            witness = formula_witness("derangements(j) <= derangements(k)", j=j, k=k)
            return Evidence(Verdict.REFUTED, scope, f"j = {j}, k = {k}", witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("derangements.nondecreasing")
def nondecreasing() -> Evidence:
    """The step: d(j) <= d(k) for j <= k, both other than 1."""
    return _nondecreasing(frozenset({1}))


@refutes("derangements.nondecreasing", "k = 1 included")
def nondecreasing_everywhere() -> Evidence:
    """The mutant without the exception."""
    return _nondecreasing(frozenset())


def _no_distance(excluded: int) -> Evidence:
    """Whether no two data sets of a universe are at this distance."""
    scope = "every universe of one stratum with up to 6 records and four categories a side; strata add up"
    for margins in (u for n in range(1, 7) for u in one_stratum(n, 4)):
        for x, y in combinations(contingency_tables(*margins), 2):
            cells = [abs(a - b) for rows in zip(x, y, strict=True) for a, b in zip(*rows, strict=True)]
            if table_distance(x, y) == excluded:
                values = {f"c{i}": count for i, count in enumerate(cells)}
                note = f"x = {x}, x' = {y}: the cells of |C(x) - C(x')|"
                witness = formula_witness(f"({'+'.join(values)})/2 > {excluded}", note=note, **values)
                return Evidence(Verdict.REFUTED, scope, f"x = {x}, x' = {y}", witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("swapping.no-distance-one")
def no_distance_one() -> Evidence:
    """The case Delta = 1 of Lemma 5 is vacuous."""
    return _no_distance(1)


@refutes("swapping.no-distance-one", "distance 2")
def no_distance_two() -> Evidence:
    """The mutant at the distance of one swap."""
    return _no_distance(2)


def _common_support(rate: Fraction) -> Evidence:
    """Whether all permutations from x, and from x' with rho(x') = x, to z are possible, or none is.

    Data sets are lists of records of one stratum whose holding values are their positions.
    """
    scope = f"up to 4 records of one stratum, three swapping values, all x, rho and z, p = {rate}"
    scope += ", where a permutation is possible iff it is at every p in (0, 1)" if 0 < rate < 1 else ""
    for n in range(2, 5):
        weights = move_weights(n, rate)
        orders = [(g, weights[sum(i != j for i, j in enumerate(g))]) for g in permutations(range(n))]
        for x_prime in product(range(3), repeat=n):
            laws: dict[tuple[int, ...], dict[tuple[int, ...], Fraction]] = {}
            for x in {tuple(x_prime[i] for i in rho) for rho, _ in orders}:
                law = laws.setdefault(x, {})
                for g, weight in orders:
                    z = tuple(x[i] for i in g)
                    law[z] = law.get(z, Fraction(0)) + weight
            for x, z in product(laws, repeat=2):
                first, second = laws[x][z], laws[x_prime][z]
                if (first > 0) != (second > 0):
                    note = f"swapping values x = {x}, x' = {x_prime}, z = {z}, p = {rate}"
                    claimed = "first > 0" if second > 0 else "second > 0"
                    witness = formula_witness(claimed, note=note, first=first, second=second)
                    return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.proof.common-support")
def common_support() -> Evidence:
    """Both zero or both nonzero."""
    return _common_support(Fraction(1, 3))


@refutes("psa.proof.common-support", "p = 0")
def common_support_without_swaps() -> Evidence:
    """The mutant at p = 0."""
    return _common_support(Fraction(0))


_RECORDS = 30


def _realizable(n: int) -> list[int]:
    return [k for k in range(n + 1) if k != 1]


def _ratios(n: int, distance: int) -> dict[int, Fraction]:
    """The factor d(k - Delta)/d(k) of the ratio (14) beside o^Delta, for all realizable k_g and k_g'."""
    ks = _realizable(n)
    return {k: Fraction(derangements(k - distance), derangements(k)) for k in ks if k - distance in ks}


_ABOVE = f"n and Delta from 2 to {_RECORDS}, all realizable k_g and k_g', all p in (1/2, 1) at once"


@checks("psa.proof.maximum-above.printed")
@refutes("psa.proof.maximum-above", "the maximum is o^Delta_m for every Delta_m, as printed")
def maximum_above_printed() -> Evidence:
    """The maximum as printed."""
    for n in range(2, _RECORDS + 1):
        for distance in range(2, n + 1):
            ratios = _ratios(n, distance)
            k = max(ratios, key=ratios.__getitem__)
            if ratios[k] != 1:
                note = f"n = {n}, Delta = {distance}: the maximum is {ratios[k]} o^{distance}, at k_g = {k}"
                claimed = "(p/(1 - p))**D*derangements(k - D)/derangements(k) == (p/(1 - p))**D"
                witness = formula_witness(claimed, note=note, p=Fraction(3, 4), k=k, D=distance)
                return Evidence(Verdict.REFUTED, _ABOVE, note, witness)
    return Evidence(Verdict.EXHAUSTED, _ABOVE)


def _maximum_above(attained: tuple[int, ...]) -> Evidence:
    """Whether the factor is at most 1, and is 1 where k_g = Delta is one of these alone."""
    for n in range(2, _RECORDS + 1):
        for distance in range(2, n + 1):
            for k, ratio in _ratios(n, distance).items():
                if ratio > 1 or (ratio == 1) != (k == distance and k in attained):
                    claimed = f"derangements(k - D) {'==' if ratio < 1 else '<'} derangements(k)"
                    witness = formula_witness(claimed, k=k, D=distance)
                    return Evidence(Verdict.REFUTED, _ABOVE, f"k_g = {k}, Delta = {distance}", witness)
    return Evidence(Verdict.EXHAUSTED, _ABOVE)


@checks("psa.proof.maximum-above")
def maximum_above() -> Evidence:
    """The repaired maximum."""
    return _maximum_above((2,))


@refutes("psa.proof.maximum-above", "k_gm = Delta_m = 3 too")
def maximum_above_at_three() -> Evidence:
    """The mutant that has the bound attained once more."""
    return _maximum_above((2, 3))


def _dominated(*, above: bool) -> Evidence:
    """Whether o^delta d(k - delta)/d(k) <= o^Delta for all o > 1, or for all o > 0.

    For all o > 1 it is that d(k - delta)/d(k) <= 1; at 0 < o < 1, o = 1/3 is tried.
    """
    where = "(1/2, 1) at once" if above else "(1/2, 1) at once and p = 1/4"
    scope = f"n <= {_RECORDS}, 0 <= delta <= Delta <= n, all realizable k_g and k_g', all p in {where}"
    odds = Fraction(1, 3)
    for k in _realizable(_RECORDS):
        for delta in (d for d in range(k + 1) if d != k - 1):
            ratio = Fraction(derangements(k - delta), derangements(k))
            for distance in range(delta, _RECORDS + 1):
                if ratio > 1 or (not above and odds**delta * ratio > odds**distance):
                    claimed = "o**a*derangements(k - a)/derangements(k) <= o**D"
                    witness = formula_witness(claimed, note="o = p/(1-p)", o=odds, a=delta, k=k, D=distance)
                    return Evidence(Verdict.REFUTED, scope, f"k_g = {k}, delta = {delta}, Delta = {distance}", witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.proof.dominated")
def dominated() -> Evidence:
    """The bound for o > 1."""
    return _dominated(above=True)


@refutes("psa.proof.dominated", "0 < p < 1 for 0.5 < p < 1")
def dominated_below() -> Evidence:
    """The mutant with small odds."""
    return _dominated(above=False)
