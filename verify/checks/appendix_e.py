"""Evidence for article, Appendix E: the lemmas behind Theorem 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import factorial
from typing import Any

from mechanisms.exact_law import exact_law
from mechanisms.permutation_counts import derangements, moved_counts
from mechanisms.permutation_swapping import permutation_swapping
from spec.input_premetric import hamming_unordered
from spec.law import Law
from spec.output_premetrics import Multiplicative
from spec.tables import contingency_tables, table_distance
from verify.engines.swapping.budget_sweep import one_stratum
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_BOUND = 200


def _half_l1(factor: int, *, equal_sizes: bool) -> Evidence:
    scope = f"all data sets of up to 3 records of 8 kinds{', of equal size' if equal_sizes else ''}"
    hamming = hamming_unordered("record")
    kinds = tuple(product((0, 1), repeat=3))
    points = [x for n in range(4) for x in combinations_with_replacement(kinds, n)]
    counts = [Counter(x) for x in points]
    for (x, a), (y, b) in product(zip(points, counts, strict=True), repeat=2):
        if equal_sizes and len(x) != len(y):
            continue
        distance = hamming(x, y)
        sizes = sum(abs(a[kind] - b[kind]) for kind in kinds)
        if distance is None or sizes != factor * distance:
            shown = -1 if distance is None else distance
            note = f"x = {x}, x' = {y}{'; d_HamS is infinite, written -1' if distance is None else ''}"
            witness = formula_witness(f"sizes == {factor}*distance", note=note, sizes=sizes, distance=shown)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("hamming.half-l1")
def half_l1() -> Evidence:
    """Lemma 2."""
    return _half_l1(2, equal_sizes=True)


@refutes("hamming.half-l1", "1 for 2")
def whole_l1() -> Evidence:
    """The mutant with another factor."""
    return _half_l1(1, equal_sizes=True)


@refutes("hamming.half-l1", "without |x| = |x'|")
def half_l1_of_any_size() -> Evidence:
    """The mutant without its hypothesis."""
    return _half_l1(2, equal_sizes=False)


@checks("multiplicative.metric.random-variables")
def metric_of_variables() -> Evidence:
    """Lemma 3 as printed: all pairs of {0,1}-valued random variables on uniform spaces of up to 3 points."""
    scope = "random variables with values 0 and 1 on uniform spaces of up to 3 points"
    for size in (1, 2, 3):
        for x, y in product(product((0, 1), repeat=size), repeat=2):
            laws = [Law({v: Fraction(n, size) for v, n in Counter(z).items()}) for z in (x, y)]
            differ = Fraction(sum(a != b for a, b in zip(x, y, strict=True)), size)
            if Multiplicative().distance(*laws).is_zero and differ:
                note = f"X = {x}, Y = {y}: one law, so D_Mult(X, Y) = 0, and P(X != Y) = {differ}"
                terms = "+".join(f"(x{i} - y{i})**2" for i in range(size))
                values = {f"{name}{i}": v for name, z in (("x", x), ("y", y)) for i, v in enumerate(z)}
                witness = formula_witness(f"({terms})/{size} == 0", note=note, **values)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _laws(size: int, denominator: int) -> list[Law[int]]:
    weights = [w for w in product(range(denominator + 1), repeat=size) if sum(w) == denominator]
    return [Law({i: Fraction(n, denominator) for i, n in enumerate(w)}) for w in weights]


def _metric(power: int) -> Evidence:
    """The axioms, with D(P, R)·power ≤ D(P, Q) + D(Q, R) for the triangle inequality."""
    scope = "all laws on three outcomes with denominator 4"
    measure = Multiplicative()
    laws = _laws(3, 4)
    distances = {(i, j): measure.distance(p, q) for i, p in enumerate(laws) for j, q in enumerate(laws)}
    for i, j in product(range(len(laws)), repeat=2):
        if distances[i, j].is_zero != (i == j) or distances[i, j] != distances[j, i]:
            note = f"P = {laws[i]}, Q = {laws[j]}"
            return Evidence(Verdict.REFUTED, scope, note, formula_witness("broken == 0", note=note, broken=1))
    for i, j, k in product(range(len(laws)), repeat=3):
        direct, first, second = distances[i, k], distances[i, j], distances[j, k]
        if first.gamma is None or second.gamma is None:
            continue
        if direct.gamma is None or direct.gamma**power > first.gamma * second.gamma:
            note = f"e^D between P = {laws[i]}, Q = {laws[j]} and R = {laws[k]}"
            values = {"direct": direct.gamma or 0, "first": first.gamma, "second": second.gamma}
            witness = formula_witness(f"direct**{power} <= first*second", note=note, **values)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{len(laws) ** 3} triples")


@checks("multiplicative.metric.laws")
def metric_of_laws() -> Evidence:
    """The repaired Lemma 3."""
    return _metric(1)


@refutes("multiplicative.metric.laws", "2 D(P, R) for D(P, R)")
def metric_of_laws_doubled() -> Evidence:
    """The mutant with a stronger triangle inequality."""
    return _metric(2)


def _reordering(*, same_records: bool) -> Evidence:
    """Whether all data sets with the same records, or with the same margins, have one law."""
    rate = Fraction(1, 3)
    scope = "all data sets of up to 3 records with two values of m, h and s, every order, p = 1/3"
    laws: dict[Any, tuple[Any, Law[Any]]] = {}
    for n in (1, 2, 3):
        for x in product(product((0, 1), repeat=3), repeat=n):
            law = exact_law(permutation_swapping, x, swap_rate=rate)
            margins = tuple(sorted((m, h) for m, h, _ in x)), tuple(sorted((m, s) for m, _, s in x))
            key = tuple(sorted(x)) if same_records else margins
            first, known = laws.setdefault(key, (x, law))
            if known != law:
                loss = Multiplicative().distance(law, known)
                note = f"x = {first}, x' = {x}: D_Mult = {loss}"
                largest = max(abs(law.numeric(z) - known.numeric(z)) for z in {*law, *known})
                witness = formula_witness("difference == 0", note=note, difference=largest)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"{len(laws)} classes")


@checks("psa.reordering")
def reordering() -> Evidence:
    """Lemma 4."""
    return _reordering(same_records=True)


@refutes("psa.reordering", "in one universe, for reordered")
def reordering_of_universe() -> Evidence:
    """The mutant for data sets that agree on the invariants only."""
    return _reordering(same_records=False)


def _permutation_exists(less: int) -> Evidence:
    scope = "every universe of one stratum with up to 5 records and four categories a side; strata add up"
    for margins in (u for n in range(1, 6) for u in one_stratum(n, 4)):
        for x, y in product(contingency_tables(*margins), repeat=2):
            distance = table_distance(x, y) or 0
            ways = moved_counts(x, y)[max(0, distance - less)]
            if not ways:
                note = f"x = {x}, x' = {y}: no permutation that moves {distance - less} records gives x' from x"
                return Evidence(Verdict.REFUTED, scope, note, formula_witness("ways >= 1", note=note, ways=ways))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("swapping.permutation-exists")
def permutation_exists() -> Evidence:
    """Lemma 5, by counting the permutations that move exactly Δ records."""
    return _permutation_exists(0)


@refutes("swapping.permutation-exists", "n - Delta + 1 fixed records")
def permutation_with_fewer_moves() -> Evidence:
    """The mutant that moves one record less."""
    return _permutation_exists(1)


def _sum_formula(k: int) -> int:
    return sum((-1) ** j * (factorial(k) // factorial(j)) for j in range(k + 1))


def _definition(terms: int) -> Evidence:
    """The sum with so many terms more or fewer, against permutations listed and against the count by recurrence."""
    scope = f"permutations listed for k <= 7; the sum for k <= {_BOUND}"
    for k in range(_BOUND + 1):
        printed = sum((-1) ** j * Fraction(factorial(k), factorial(j)) for j in range(k + 1 + terms))
        counted = derangements(k)
        if k <= 7:
            listed = sum(all(i != j for i, j in enumerate(order)) for order in permutations(range(k)))
            counted = listed if listed != derangements(k) else counted
        if printed != counted:
            witness = formula_witness("printed == counted", note=f"k = {k}", printed=printed, counted=counted)
            return Evidence(Verdict.REFUTED, scope, f"k = {k}: {printed} against {counted}", witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("derangements.definition")
def derangement_number() -> Evidence:
    """The sum of (13)."""
    return _definition(0)


@refutes("derangements.definition", "the sum up to k - 1")
def derangement_number_short() -> Evidence:
    """The mutant with a term less."""
    return _definition(-1)


@checks("derangements.recurrence.printed")
def recurrence_printed() -> Evidence:
    """At k = 0 the printed recurrence names d(−1), which the sum does not define."""
    return Evidence(Verdict.OPEN, "k = 0 has no meaning: its right-hand side names d(-1); k >= 1 is a claim of its own")


def _recurrence(sign: int) -> Evidence:
    scope = f"1 <= k <= {_BOUND}, with d(k) from the sum of (13)"
    for k in range(1, _BOUND + 1):
        if _sum_formula(k) != k * _sum_formula(k - 1) + sign * (-1) ** k:
            claimed = f"derangements(k) == k*derangements(k-1) + {sign}*(-1)**k"
            return Evidence(Verdict.REFUTED, scope, f"k = {k}", formula_witness(claimed, k=k))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("derangements.recurrence")
def recurrence() -> Evidence:
    """(13) for k ≥ 1."""
    return _recurrence(1)


@refutes("derangements.recurrence", "- (-1)^k")
def recurrence_other_sign() -> Evidence:
    """The mutant with the other sign."""
    return _recurrence(-1)


def _ratio_bound(claimed: str, holds: Callable[[int, int], bool]) -> Evidence:
    """Check d(k)/d(k−a) against a bound for all 0 ≤ a ≤ k ≤ 200, a ≠ k−1."""
    scope = f"k <= {_BOUND}, 0 <= a <= k, a != k - 1"
    for k in range(_BOUND + 1):
        for a in range(k + 1):
            if a != k - 1 and not holds(k, a):
                return Evidence(Verdict.REFUTED, scope, f"k = {k}, a = {a}", formula_witness(claimed, k=k, a=a))
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("derangements.ratio-bound")
def ratio_bound() -> Evidence:
    """Lemma 6 as printed."""
    return _ratio_bound(
        "derangements(k) <= (k+1)**a * derangements(k-a)",
        lambda k, a: derangements(k) <= (k + 1) ** a * derangements(k - a),
    )


@refutes("derangements.ratio-bound", "k^a for (k+1)^a")
def ratio_bound_with_k() -> Evidence:
    """The mutant with k for k + 1."""
    return _ratio_bound(
        "derangements(k) <= k**a * derangements(k-a)", lambda k, a: derangements(k) <= k**a * derangements(k - a)
    )
