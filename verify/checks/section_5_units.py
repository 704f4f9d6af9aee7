"""Evidence for article, sections 5.2 to 6.1: units, invariants against budgets, and the two systems side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product

from spec.enclosure import Enclosure, decimal_text
from spec.input_premetric import hamming_unordered
from spec.permutation_swapping import psa_budget
from spec.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from verify.checks.section_5 import RATES, TABLE_5
from verify.engines.printed_number import parse_printed
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes


def _inflation(claimed: str, factor: Callable[[int], int]) -> Evidence:
    """How many records change with one contributor whose record has m duplicates, against a factor."""
    scope = (
        "one contributor with 1 to 4 duplicates of one record among 2 other records, all of which stay: d_HamS of the "
        "post-imputation records, the contributor's and its duplicates being replaced"
    )
    distance = hamming_unordered("post-imputation person")
    others = ("other", "other")
    for duplicates in range(1, 5):
        changed = distance(("old",) * (1 + duplicates) + others, ("new",) * (1 + duplicates) + others)
        if changed != factor(duplicates):
            note = f"{duplicates} duplicate(s): {changed} records change, and rho is multiplied by as many"
            witness = formula_witness(claimed, note=note, changed=changed, duplicates=duplicates)
            return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("post-imputation.factor.printed")
def inflation_printed() -> Evidence:
    """The number of duplicates."""
    return _inflation("changed == duplicates", lambda m: m)


@checks("post-imputation.factor")
def inflation() -> Evidence:
    """The record and its duplicates."""
    return _inflation("changed == 1 + duplicates", lambda m: 1 + m)


@refutes("post-imputation.factor", "m for 1 + m")
def inflation_less() -> Evidence:
    """The mutant is the printed factor."""
    return _inflation("changed == duplicates", lambda m: m)


Record = tuple[int, str]
"""Where a person is, and what they answer."""


def _imputed(respondents: Sequence[Record], missing: Sequence[int]) -> tuple[tuple[Record, ...], int]:
    """The post-imputation records, missing answers taken from the nearest respondent, and the most that one gives.

    Of respondents at the same distance the first one in the list gives; the contributor is the first of all.
    """
    donors = [min(range(len(respondents)), key=lambda i: (abs(respondents[i][0] - place), i)) for place in missing]
    records = (*respondents, *((place, respondents[i][1]) for place, i in zip(missing, donors, strict=True)))
    return records, max(map(donors.count, donors), default=0)


def _nearest(claimed: str, factor: Callable[[int], int]) -> Evidence:
    """Whether a change of one contributor's answers changes at most factor(m) records, and as many where m > 0.

    m is the number of duplicates of the record that has most of them, before or after the change.
    """
    scope = (
        "places 0, 1, 2 and answers a, b, c; a contributor and 1 other respondent with up to 4 missing records, or 2 "
        "others with up to 2: all changes of the contributor"
    )
    distance = hamming_unordered("post-imputation person")
    kinds = tuple(product(range(3), "abc"))
    largest: dict[int, int] = {}
    for others, slots in ((1, 4), (2, 2)):
        respondents = tuple(combinations_with_replacement(kinds, others))
        places = [m for n in range(slots + 1) for m in combinations_with_replacement(range(3), n)]
        for other, missing in product(respondents, places):
            imputed = [_imputed((contributor, *other), missing) for contributor in kinds]
            for (x, m), (y, n) in combinations(imputed, 2):
                changed = distance(x, y)
                if changed is None:
                    raise EngineError("imputation keeps the number of records")
                if changed > factor(max(m, n)):
                    note = f"{x} and {y}: {changed} records differ, and at most {max(m, n)} are copies of one"
                    witness = formula_witness(claimed, note=note, changed=changed, duplicates=max(m, n))
                    return Evidence(Verdict.REFUTED, scope, note, witness)
                largest[max(m, n)] = max(largest.get(max(m, n), 0), int(changed))
    attained = [m for m, changed in largest.items() if changed == factor(m)]
    if not {1, 2} <= set(attained):
        return Evidence(Verdict.OPEN, scope, f"the bound is attained for m in {attained} alone")
    return Evidence(Verdict.EXHAUSTED, scope, f"attained for m = {', '.join(map(str, sorted(attained)))}")


@checks("post-imputation.factor.nearest-donor")
def nearest_donor() -> Evidence:
    """The record, the duplicates that it loses, and those that it gains."""
    return _nearest("changed <= 1 + 2*duplicates", lambda m: 1 + 2 * m)


@refutes("post-imputation.factor.nearest-donor", "1 + m for 1 + 2m")
@refutes("post-imputation.factor", "other duplicates may change too: the nearest respondent gives the answer")
def nearest_donor_less() -> Evidence:
    """The mutant without the condition that the donors stay."""
    return _nearest("changed <= 1 + duplicates", lambda m: 1 + m)


def _with_two_records(*sizes: int) -> int:
    """b, where all records differ: the size of the largest stratum of at least two records."""
    return max((size for size in sizes if size > 1), default=0)


def _splitting(*, strictly: bool) -> Evidence:
    """The budget (7) before and after one stratum is split in two, another one staying as it is."""
    scope = "a stratum of 2 to 8 different records split in two beside one of 0 to 8, p in {1/20, 1/2, 19/20}"
    for size, other, rate in product(range(2, 9), range(9), (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))):
        for part in range(1, size // 2 + 1):
            coarse = psa_budget(_with_two_records(size, other), rate)
            fine = psa_budget(_with_two_records(part, size - part, other), rate)
            if coarse.gamma is None or fine.gamma is None:
                raise EngineError("(7) is finite for swap rates between 0 and 1")
            if fine > coarse or (strictly and fine == coarse):
                relation = "<" if strictly else "<="
                note = (
                    f"strata of {size} and {other} records, the first split into {part} and {size - part}, p = {rate}"
                )
                claimed = f"fine {relation} coarse"
                witness = formula_witness(claimed, note=f"e^eps: {note}", fine=fine.gamma, coarse=coarse.gamma)
                return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("psa.budget.more-invariants.printed")
def more_invariants_printed() -> Evidence:
    """Decreases."""
    return _splitting(strictly=True)


@checks("psa.budget.more-invariants")
def more_invariants() -> Evidence:
    """Does not increase."""
    return _splitting(strictly=False)


@refutes("psa.budget.more-invariants", "decreases for does not increase")
def more_invariants_strictly() -> Evidence:
    """The mutant is the printed sentence."""
    return _splitting(strictly=True)


def _ratios(low: Fraction, high: Fraction | None) -> Evidence:
    """How many times as large 126.78 is as each printed budget of Table 5, the largest budget first."""
    scope = "126.78 against the twelve printed budgets of Table 5, exactly"
    das = Fraction("126.78")
    budgets = sorted((Fraction(text) for _, _, texts in TABLE_5 for text in texts), reverse=True)
    for budget in budgets:
        ratio = das / budget
        if ratio < low or (high is not None and ratio > high):
            claimed = "das >= low*budget" if ratio < low else "das <= high*budget"
            values = {"das": das, "budget": budget, **({"low": low} if ratio < low else {"high": high})}
            note = f"126.78 is {decimal_text(ratio, 4)} times {budget}"
            return Evidence(Verdict.REFUTED, scope, note, formula_witness(claimed, note=note, **values))
    return Evidence(
        Verdict.EXHAUSTED, scope, f"from {decimal_text(das / budgets[0], 4)} to {decimal_text(das / budgets[-1], 4)}"
    )


@checks("numbers.order-of-magnitude")
def order() -> Evidence:
    """6.5 to 15.1 times."""
    return _ratios(Fraction("6.5"), Fraction("15.1"))


@refutes("numbers.order-of-magnitude", "ten times for 6.5")
def order_ten() -> Evidence:
    """The mutant with an order of magnitude everywhere."""
    return _ratios(Fraction(10), None)


def _two_rules(person: Fraction, household: Fraction) -> Evidence:
    """The article's ε by the printed formula and the record's by the smallest conversion, at one ρ² each."""
    scope = f"rho^2 = {person} and {household} at delta = 10^-10, both conversions at the printed precision"
    delta = Fraction(1, 10**10)
    details = []
    for rho2, rounded, article, record in ((person, "2.56", "17.90", "17.14"), (household, "0.07", "2.70", "2.47")):
        numbers = (
            (rounded, "rho^2", Enclosure(rho2, rho2)),
            (article, "eps by the printed formula", zcdp_to_approximate(rho2, delta)),
            (record, "eps by the smallest conversion", smallest_zcdp_to_approximate(rho2, delta)),
        )
        for text, what, value in numbers:
            printed = parse_printed(what, text)
            agrees = printed.agrees_with(value)
            if agrees is None:
                return Evidence(Verdict.OPEN, scope, f"{what}: the enclosure does not decide it")
            if not agrees:
                end, relation = (value.lower, "<=") if value.lower > printed.value else (value.upper, ">=")
                claimed = f"end {relation} printed {'+' if relation == '<=' else '-'} half_unit"
                note = f"{what} at rho^2 = {rho2}: a certified end of its enclosure"
                witness = formula_witness(
                    claimed, note=note, end=end, printed=printed.value, half_unit=printed.half_unit
                )
                return Evidence(Verdict.REFUTED, scope, f"{what}: printed {text}, recomputed {value.text(8)}", witness)
            details.append(f"{what} {text} ({value.text(8)})")
    return Evidence(Verdict.ENCLOSED, scope, "; ".join(details))


@checks("sources.pl-conversions")
def two_rules() -> Evidence:
    """17.90 and 17.14 from the published noise scale, 2.70 and 2.47 from 0.0748."""
    return _two_rules(Fraction(542, 339) ** 2, Fraction("0.0748"))


@refutes("sources.pl-conversions", "the printed rho^2 = 2.56, exactly")
def two_rules_printed() -> Evidence:
    """The mutant at the rounded ρ²."""
    return _two_rules(Fraction("2.56"), Fraction("0.0748"))


def _strata_against_rate(*, strata_matter_more: bool) -> Evidence:
    """e^(difference of ε) over b at each rate, and over the rates at each b."""
    scope = "Table 5: exact budgets (7) over the six b at each rate, and over the two rates at each b"

    def gamma(b: int, rate: str) -> Fraction:
        value = psa_budget(b, Fraction(rate)).gamma
        if value is None:
            raise EngineError("(7) is finite for swap rates between 0 and 1")
        return value

    sizes = [b for _, b, _ in TABLE_5]
    by_strata = min(gamma(sizes[0], rate) / gamma(sizes[-1], rate) for rate in RATES)
    by_rate = max(gamma(b, RATES[0]) / gamma(b, RATES[1]) for b in sizes)
    if (by_strata > by_rate) != strata_matter_more:
        note = "e to the difference of eps"
        claimed = "strata > rate" if strata_matter_more else "strata <= rate"
        witness = formula_witness(claimed, note=note, strata=by_strata, rate=by_rate)
        return Evidence(Verdict.REFUTED, scope, note, witness)
    return Evidence(Verdict.EXHAUSTED, scope, f"e^difference at least {decimal_text(by_strata, 4)} against {by_rate}")


@checks("numbers.strata-against-rate")
def strata_against_rate() -> Evidence:
    """ln(13,475,624/4,550) against ln 19."""
    return _strata_against_rate(strata_matter_more=True)


@refutes("numbers.strata-against-rate", "less for more")
def rate_against_strata() -> Evidence:
    """The mutant in the other direction."""
    return _strata_against_rate(strata_matter_more=False)
