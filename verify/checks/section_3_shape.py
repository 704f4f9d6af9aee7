"""Evidence for article, section 3.6 and the swap key of 3.5: the shape of the PSA's budget (7) in b and p."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

from mechanisms.exact_law import exact_law
from mechanisms.permutation_counts import derangements, likelihood, moved_counts
from mechanisms.permutation_swapping import permutation_swapping
from mechanisms.randomized_response import randomized_response
from spec.domain import tables_with_margins
from spec.input_premetric import stratified_hamming
from spec.permutation_swapping import Margins, largest_stratum, odds, psa_budget
from spec.rational_function import SYMBOL
from spec.tables import contingency_tables, row_margins, table_distance
from verify.engines.solver import decide
from verify.engines.swapping.budget_sweep import check_budget, one_stratum, stratum_loss
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness, formula_witness
from verify.ledger import checks, refutes


def _coarser(*, finer_first: bool) -> Evidence:
    """Merging two strata, whose matching values stay holding values: b and the budgets before and after."""
    scope = (
        "two strata of up to 3 records each with three categories a side, merged, the matching variable dropped from "
        "the key kept in V_Hold; p in {1/20, 1/2, 19/20}"
    )
    for sizes in product((1, 2, 3), repeat=2):
        tables = [
            [
                tuple(tuple(row[j] if j < len(row) else 0 for j in range(3)) for row in (*t, *((),) * (3 - len(t))))
                for margins in one_stratum(n, 3)
                for t in contingency_tables(*margins)
            ]
            for n in sizes
        ]
        for x, y in product(*tables):
            merged = (*x, *y)
            fine, coarse = (
                largest_stratum([(row_margins(t), tuple(map(sum, zip(*t, strict=True)))) for t in strata])
                for strata in ((x, y), (merged,))
            )
            small, large = (fine, coarse) if finer_first else (coarse, fine)
            rates = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))
            if small > large or any(psa_budget(small, p) > psa_budget(large, p) for p in rates):
                note = f"strata {x} and {y}: b = {fine}, merged {coarse}"
                witness = formula_witness("small <= large", note=note, small=small, large=large)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.coarser-matching")
def coarser() -> Evidence:
    """Merging strata does not decrease b."""
    return _coarser(finer_first=True)


@refutes("psa.coarser-matching", "a lower bound for an upper bound")
def coarser_lower() -> Evidence:
    """The mutant in the other direction."""
    return _coarser(finer_first=False)


def _minimum(more: int) -> Evidence:
    changes = () if more == 1 else (("(>= (* gamma gamma) (+ b 1)) (=", f"(>= (* gamma gamma) (+ b {more})) (="),)
    scope = "all real b >= 2, all p in (0, 1); at p in {0, 1} the budget is infinite"
    return decide(
        "psa.budget.minimum", scope, claimed=f"gamma**2 >= b + {more}", note="gamma = e^epsilon", changes=changes
    )


@checks("psa.budget.minimum")
def minimum() -> Evidence:
    """The minimum ln(b+1)/2 and the one rate that attains it."""
    return _minimum(1)


@refutes("psa.budget.minimum", "ln(b+2)/2")
def minimum_larger() -> Evidence:
    """The mutant with a larger minimum."""
    return _minimum(2)


def _distance_ratio(base: Callable[[int], int], universes: Sequence[Sequence[Margins]], scope: str) -> Evidence:
    """d(d(x, z)) ≤ base(b)^d(x, x')·d(d(x', z)) for all x, x', z of the universes, each a list of strata."""
    for universe in universes:
        points, b = tables_with_margins(universe).points, largest_stratum(universe)
        metric = stratified_hamming("record")
        distances = {(x, y): int(metric(x, y) or 0) for x, y in product(points, repeat=2)}
        for x, y, z in product(points, repeat=3):
            top, bottom = derangements(distances[x, z]), derangements(distances[y, z])
            if top > base(b) ** distances[x, y] * bottom:
                note = f"x = {x}, x' = {y}, z = {z}"
                claimed = "derangements(a) <= base**d*derangements(c)"
                witness = formula_witness(
                    claimed, note=note, a=distances[x, z], c=distances[y, z], d=distances[x, y], base=base(b)
                )
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


_ONE_STRATUM = "every universe of one stratum with up to 5 records and four categories a side"


def _single_strata() -> list[list[Margins]]:
    return [[margins] for n in range(1, 6) for margins in one_stratum(n, 4)]


@checks("derangements.distance-ratio.printed")
def distance_ratio_printed() -> Evidence:
    """R ≤ (b+1)^d, where distances add over strata and b does not."""
    pairs: list[list[Margins]] = [[((1, 1), (1, 1))] * strata for strata in (2, 3)]
    scope = f"{_ONE_STRATUM}; two and three strata of two records"
    return _distance_ratio(lambda b: b + 1, [*_single_strata(), *pairs], scope)


@checks("derangements.distance-ratio")
def distance_ratio() -> Evidence:
    """R ≤ (b+1)^d in one stratum."""
    return _distance_ratio(lambda b: b + 1, _single_strata(), _ONE_STRATUM)


@refutes("derangements.distance-ratio", "1 for b + 1")
def distance_ratio_one() -> Evidence:
    """The mutant without a factor."""
    return _distance_ratio(lambda _: 1, _single_strata(), _ONE_STRATUM)


def _selected(*, exactly: bool) -> Evidence:
    """How many records the permutations from x to z move, against d_HamS(x, z)."""
    scope = "every universe of one stratum with 2 to 5 records and four categories a side"
    for margins in (u for n in range(2, 6) for u in one_stratum(n, 4)):
        for x, z in product(contingency_tables(*margins), repeat=2):
            distance = table_distance(x, z) or 0
            for moved, ways in enumerate(moved_counts(x, z)):
                if ways and (moved < distance or (exactly and moved != distance)):
                    note = (
                        f"x = {x}, z = {z} at distance {distance}: {ways} permutation(s) move {moved} records; the "
                        "probability that one of them is drawn"
                    )
                    values = {"n": sum(margins[0]), "k": moved, "ways": ways, "p": Fraction(1, 2)}
                    factor = _FACTOR.format(k="k", rest="(n - k)", n="n", less="(n - 1)")
                    witness = formula_witness(f"ways*{factor} == 0", note=note, **values)
                    return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.selected-records.printed")
def selected_printed() -> Evidence:
    """The sentence as printed: two equal records that trade places are deranged, at distance 0."""
    return _selected(exactly=True)


_STRATA = ((2,), (3,), (4,), (1, 3), (2, 2), (2, 3), (2, 4))
_FACTOR = "p**{k}*(1 - p)**{rest}/((1 - {n}*p*(1 - p)**{less})*derangements({k}))"


def _by_moves(key: Callable[[tuple[int, ...]], object]) -> Evidence:
    """Whether the program's probability of a permutation is the product over strata, and a function of the key."""
    scope = f"the law of the permutation for strata of {_STRATA} records, all p in (0, 1) at once"
    for sizes in _STRATA:
        records = tuple((m, i, i) for m, n in enumerate(sizes) for i in range(n))
        known: dict[object, tuple[tuple[int, ...], object]] = {}
        for output, probability in exact_law(permutation_swapping, records, swap_rate=SYMBOL).items():
            moves = tuple(sum(h != s for (m, h, s), _ in output if m == stratum) for stratum in range(len(sizes)))
            if probability != _product_of_strata(sizes, moves):
                return Evidence(Verdict.OPEN, scope, f"{moves} of {sizes} records moved: the product is another number")
            other, first = known.setdefault(key(moves), (moves, probability))
            if first != probability:
                note = f"{sizes} records, of which {other} or {moves} move"
                one, two = (
                    "*".join(
                        _FACTOR.format(k=k, rest=n - k, n=n, less=n - 1) for n, k in zip(sizes, moved, strict=True)
                    )
                    for moved in (other, moves)
                )
                return Evidence(
                    Verdict.REFUTED, scope, note, formula_witness(f"{one} == {two}", note=note, p=Fraction(1, 3))
                )
    return Evidence(Verdict.EXHAUSTED, scope)


def _product_of_strata(sizes: Sequence[int], moves: Sequence[int]) -> Any:
    p, found = SYMBOL, SYMBOL / SYMBOL
    for n, k in zip(sizes, moves, strict=True):
        if n >= 2:
            found *= p**k * (1 - p) ** (n - k) / ((1 - n * p * (1 - p) ** (n - 1)) * derangements(k))
    return found


@checks("psa.selected-records.at-least")
def selected_at_least() -> Evidence:
    """The repaired sentence, its first half on counts and its second on the program's law of the permutation."""
    evidence, law = _selected(exactly=False), _by_moves(lambda moves: moves)
    if law.verdict is not Verdict.EXHAUSTED:
        return law
    return Evidence(evidence.verdict, f"{evidence.scope}; {law.scope}", evidence.detail, evidence.witness)


@refutes("psa.selected-records.at-least", "a probability that depends on the total number of moved records alone")
def selected_by_total() -> Evidence:
    """The mutant that adds the moved records of the strata up."""
    return _by_moves(sum)


@refutes("psa.selected-records.at-least", "exactly for at least")
def selected_exactly() -> Evidence:
    """The mutant is the printed sentence."""
    return _selected(exactly=True)


def _below(margins: Margins, rate: Fraction, b: int, note: str) -> Witness:
    """A witness from the likelihoods that the ratios of two data sets, even added up, are below the claimed bound."""
    tables = contingency_tables(*margins)
    x, y = tables[:2]
    values: dict[str, Fraction | int] = {"b": b, "p": rate, "d": table_distance(x, y) or 0}
    ratios = []
    for i, z in enumerate(tables):
        values |= {f"x{i}": likelihood(x, z, rate), f"y{i}": likelihood(y, z, rate)}
        ratios += [f"x{i}/y{i}", f"y{i}/x{i}"]
    note = f"{note}; the likelihoods of each output given x = {x} and x' = {y}"
    return formula_witness(f"{' + '.join(ratios)} >= ((b + 1)*(1 - p)/p)**d", note=note, **values)


@checks("psa.budget.necessary.printed")
def necessary_printed() -> Evidence:
    """The exact loss of every universe against the bound that it must reach, at p = 1/2."""
    rate = Fraction(1, 2)
    scope = (
        "every universe of one stratum with up to 4 records, four categories a side and at least two tables, p = 1/2"
    )
    for margins in (u for n in range(2, 5) for u in one_stratum(n, 4) if len(contingency_tables(*u)) > 1):
        b, loss = largest_stratum([margins]), stratum_loss(*margins, rate)
        if loss.gamma is not None and loss.gamma < ((b + 1) / odds(rate)) ** loss.distance:
            note = f"margins {margins}: the smallest budget is ln(gamma)/d"
            witness = _below(margins, rate, b, note)
            return Evidence(Verdict.REFUTED, scope, f"{note} = {loss}, below ln({b + 1})", witness)
    return Evidence(Verdict.EXHAUSTED, scope)


def _sufficient(size: Callable[[int], int]) -> Evidence:
    rates = (Fraction(1, 20), Fraction(1, 2), Fraction(3, 5))
    scope = (
        "every universe of one stratum with b > 0, up to 5 records and four categories a side, p in {1/20, 1/2, 3/5}"
    )

    def budget(strata: Sequence[Margins], rate: Fraction) -> Fraction | None:
        b = largest_stratum(strata)
        return size(b) / odds(rate) if b else None

    return check_budget(budget, lambda n: ((u,) for u in one_stratum(n, 4)), range(2, 6), rates, scope)


@checks("psa.budget.sufficient")
def sufficient() -> Evidence:
    """The repaired sentence; each rate is below the threshold of b = 2, which is about 0.634."""
    return _sufficient(lambda b: b + 1)


@refutes("psa.budget.sufficient", "2 for b + 1")
def sufficient_two() -> Evidence:
    """The mutant with a constant."""
    return _sufficient(lambda _: 2)


def _two_rates(*changes: tuple[str, str]) -> Evidence:
    scope = "all real b >= 2, all gamma = e^eps above sqrt(b+1), all p in (0, 1)"
    note = "odds of the two rates: low = (b+1)/gamma, high = gamma"
    return decide("psa.budget.two-rates", scope, claimed="low < high", note=note, changes=changes)


@checks("psa.budget.two-rates")
def two_rates() -> Evidence:
    """Exactly two rates."""
    return _two_rates()


@refutes("psa.budget.two-rates", "eps >= eps^(b)")
def two_rates_at_minimum() -> Evidence:
    """The mutant at the minimum, where the two are one."""
    return _two_rates(("(assert (> (* gamma gamma) (+ b 1)))", "(assert (>= (* gamma gamma) (+ b 1)))"))


def _flip_odds(power: int) -> Evidence:
    """Whether every likelihood ratio over d records is a power of o between −d and d, both attained, for all p."""
    scope = "1 to 3 binary answers, all pairs and outputs, all flip probabilities in (0, 1) at once"
    o = SYMBOL / (1 - SYMBOL)
    for n in (1, 2, 3):
        laws = {x: exact_law(randomized_response, x, flip_probability=SYMBOL) for x in product((0, 1), repeat=n)}
        for x, y in product(laws, repeat=2):
            d = sum(a != b for a, b in zip(x, y, strict=True))
            ratios = {laws[x][z] / laws[y][z] for z in laws[x]}
            allowed = {o**k for k in range(-power * d, power * d + 1)}
            if not ratios <= allowed or o ** (power * d) not in ratios or o ** (-power * d) not in ratios:
                p = Fraction(3, 4)
                largest = max(ratio(p) if callable(ratio) else ratio for ratio in ratios)
                claimed = f"largest == (p/(1 - p))**({power}*d)"
                witness = formula_witness(claimed, note=f"x = {x}, x' = {y}", largest=largest, p=p, d=d)
                return Evidence(Verdict.REFUTED, scope, f"x = {x}, x' = {y}", witness)
    return Evidence(Verdict.EXHAUSTED, scope, "so eps = |ln o|, which p and 1 - p share")


@checks("randomized-response.loss")
def flip_odds() -> Evidence:
    """Eps = |ln o| per answer, the same at p and 1 − p."""
    return _flip_odds(1)


@refutes("randomized-response.loss", "2 |ln o|")
def flip_odds_doubled() -> Evidence:
    """The mutant with twice the budget."""
    return _flip_odds(2)


def _larger_stratum(*changes: tuple[str, str]) -> Evidence:
    scope = "all real 2 <= b < c, every eps = ln(gamma) that c attains, all p in (0, 1); the smallest rate for each"
    note = "smallest odds with the budget at b, and any odds with a budget of at most it at c"
    return decide("psa.budget.larger-stratum", scope, claimed="o < q", note=note, changes=changes)


def _rates(b: int, gamma: int) -> tuple[Fraction, Fraction]:
    """The two swap rates at which (7) is ln(gamma), the lower one first."""
    low, high = Fraction(b + 1, b + 1 + gamma), Fraction(gamma, 1 + gamma)
    if any(psa_budget(b, rate).gamma != gamma for rate in (low, high)):
        raise EngineError(f"(7) at b = {b} is not ln({gamma}) at the rates {low} and {high}")
    return low, high


@checks("psa.budget.larger-stratum.printed")
def larger_stratum_printed() -> Evidence:
    """The sentence as printed: the higher of the two rates is the same for every b."""
    scope = "b < c <= 10, eps = ln(gamma) with an integer gamma <= 10 that both attain, every rate in (0, 1)"
    for c, b, gamma in product(range(3, 11), range(2, 10), range(2, 11)):
        if b >= c or gamma**2 < c + 1:
            continue
        (lowest, _), (_, highest) = _rates(c, gamma), _rates(b, gamma)
        if lowest <= highest:
            note = f"eps = ln({gamma}): p = {lowest} achieves it at b = {c}, p = {highest} at b = {b}"
            witness = formula_witness("(c + 1)/(c + 1 + gamma) > gamma/(1 + gamma)", note=note, c=c, gamma=gamma)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.budget.larger-stratum")
def larger_stratum() -> Evidence:
    """Every rate that achieves eps at c is above the smallest one that does at b."""
    return _larger_stratum()


@refutes("psa.budget.larger-stratum", "b = c allowed")
def larger_stratum_or_equal() -> Evidence:
    """The mutant without a difference."""
    return _larger_stratum(("(assert (< b c))", "(assert (<= b c))"))
