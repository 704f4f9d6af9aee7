"""Evidence for article, Appendix C.2: variants of the PSA on small universes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import permutations, product
from typing import Any

from mechanisms.exact_law import exact_law
from mechanisms.permutation_counts import psa_law
from mechanisms.permutation_swapping import SwapRecord, table_records
from mechanisms.swapping_variants.nonvacuous_swapping import nonvacuous_swapping
from mechanisms.swapping_variants.varying_rates import swapping_with_rates_by_place, swapping_with_rates_by_value
from spec.law import Law
from spec.loss import Loss
from spec.permutation_swapping import Margins, odds, psa_budget
from spec.tables import contingency_tables, margins_of_size
from verify.engines.swapping.loss import WitnessedLoss, universe_loss
from verify.engines.swapping.variant_loss import small_universes
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness, event_witness
from verify.ledger import checks, refutes

_RATES = (Fraction(1, 20), Fraction(1, 2), Fraction(19, 20))
Program = Callable[[tuple[SwapRecord, ...]], Law[Any]]


_ANY_FINITE = Loss(Fraction(10**6))
"""Where one probability is 0, or the distance is, the witness refutes this budget and every other finite one."""


def _finite(program: Program, universes: Iterable[Margins], scope: str) -> Evidence:
    """Whether all outputs of a universe are possible from each of its tables, which is a finite budget."""
    worst = Fraction(1)
    for rows, columns in universes:
        laws = [program(table_records(table)) for table in contingency_tables(rows, columns)]
        for first, second in product(laws, repeat=2):
            for output in first:
                if first.numeric(output) and not second.numeric(output):
                    witness = event_witness((first, second), [output], distance=1, claimed=_ANY_FINITE)
                    return Evidence(Verdict.REFUTED, scope, f"margins {rows} and {columns}", witness)
                worst = max(worst, first.numeric(output) / second.numeric(output))
    return Evidence(Verdict.EXHAUSTED, scope, f"the largest ratio of two probabilities is {worst}")


def _by_place(rates: tuple[Fraction, ...]) -> Evidence:
    """Whether lists with the same records in another order, at distance 0, have the same law."""
    scope = "n <= 3 records of one stratum, two holding and two swapping categories; rates 1/2, 1/4, 1/4 by place"
    for rows, columns in ((r, c) for n in (2, 3) for r in margins_of_size(n, 2) for c in margins_of_size(n, 2)):
        for table in contingency_tables(rows, columns):
            records = table_records(table)
            first = exact_law(swapping_with_rates_by_place, records, rates=rates[: len(records)])
            for order in permutations(records):
                second = exact_law(swapping_with_rates_by_place, order, rates=rates[: len(records)])
                for output in first:
                    if first.numeric(output) > second.numeric(output):
                        witness = event_witness((first, second), [output], distance=0, claimed=_ANY_FINITE)
                        detail = f"the records {list(records)} and {list(order)} are one multiset"
                        return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope, "all orders")


@checks("psa.variants.rates.printed")
def rates_by_place() -> Evidence:
    """p_i for record i, as printed: d_HamS ignores the order and the law does not."""
    return _by_place((Fraction(1, 2), Fraction(1, 4), Fraction(1, 4)))


_BY_VALUE = "n <= 4 records in one stratum, at most 3 x 3 categories; rates {} by category"


def _value_program(rates: tuple[Fraction, ...]) -> Program:
    def rate(record: SwapRecord) -> Fraction:
        return rates[int(str(record[1]) + str(record[2]), 3) % len(rates)]

    return lambda records: exact_law(swapping_with_rates_by_value, records, rate=rate)


@checks("psa.variants.rates.by-value")
def rates_by_value() -> Evidence:
    """Rates that differ from cell to cell."""
    return _finite(_value_program(_RATES), small_universes(4), _BY_VALUE.format("1/20, 1/2, 19/20"))


@refutes("psa.variants.rates.by-value", "a rate of 0 for some categories")
def rates_with_zero() -> Evidence:
    """The mutant without the bound away from zero."""
    return _finite(_value_program((Fraction(0), Fraction(1, 2))), small_universes(4), _BY_VALUE.format("0, 1/2"))


_NONVACUOUS = "n <= 4 records in one stratum, at most 3 x 3 categories; p = {}"


@checks("psa.variants.nonvacuous")
def nonvacuous() -> Evidence:
    """What is selected is moved so that the table changes; begun again otherwise."""
    return _finite(
        lambda records: exact_law(nonvacuous_swapping, records, swap_rate=Fraction(1, 3)),
        small_universes(4),
        _NONVACUOUS.format("1/3"),
    )


@refutes("psa.variants.nonvacuous", "p = 1 allowed")
def nonvacuous_always() -> Evidence:
    """The mutant where all records are selected, so that no table is left as it is."""
    return _finite(
        lambda records: exact_law(nonvacuous_swapping, records, swap_rate=1),
        [((1, 1, 1), (1, 1, 1))],
        "margins (1, 1, 1) on both sides; p = 1",
    )


_IMPUTED = "n <= 5 records in one stratum, at most 3 x 3 categories, one holding category imputed; p = 1/20, 1/2, 19/20"


def _imputed(budget: Callable[[Margins, int, Fraction], Loss]) -> Evidence:
    """Whether the loss with imputed records left in place is at most a budget of universe, free records and rate."""
    checked = 0
    for size in range(3, 6):
        for rows in margins_of_size(size, 3):
            for imputed, columns in ((i, c) for i in range(len(rows)) for c in margins_of_size(size, 3)):
                free = rows[:imputed] + rows[imputed + 1 :]
                if not free or len(columns) < 2:
                    continue
                for held in {table[imputed] for table in contingency_tables(rows, columns)}:
                    left = tuple(c - h for c, h in zip(columns, held, strict=True))
                    for rate in _RATES:
                        loss = universe_loss(free, left, rate)
                        claimed = budget((rows, columns), _size(free, left), rate)
                        checked += 1
                        if loss > claimed:
                            detail = f"margins {rows} and {columns}, row {imputed + 1} imputed as {held}, p = {rate}"
                            return Evidence(Verdict.REFUTED, _IMPUTED, detail, _free_witness(loss, rate, claimed))
    return Evidence(Verdict.EXHAUSTED, _IMPUTED, f"{checked} universes and rates")


def _size(rows: tuple[int, ...], columns: tuple[int, ...]) -> int:
    """The records that are free to move, 0 if all of them are alike."""
    return sum(rows) if sum(map(bool, rows)) > 1 or sum(map(bool, columns)) > 1 else 0


def _free_witness(loss: WitnessedLoss, rate: Fraction, claimed: Loss) -> Witness:
    if loss.witness is None:
        raise EngineError("a positive loss must have its witness")
    x, x_prime, z = loss.witness
    laws = psa_law(x, rate), psa_law(x_prime, rate)
    return event_witness(laws, [z], distance=loss.distance, claimed=claimed)


@checks("psa.variants.imputed.printed")
def imputed_as_printed() -> Evidence:
    """The smallest budget of the PSA itself, universe by universe."""
    return _imputed(lambda margins, _, rate: universe_loss(*margins, rate))


@checks("psa.variants.imputed.budget")
def imputed_with_the_printed_budget() -> Evidence:
    """Budget (7) at the number of free records."""
    return _imputed(lambda _, free, rate: psa_budget(free, rate))


@refutes("psa.variants.imputed.budget", "ln(b+1) - ln o at all p")
def imputed_without_the_second_branch() -> Evidence:
    """The mutant without the branch ln o."""
    return _imputed(lambda _, free, rate: Loss(max(Fraction(1), (free + 1) / odds(rate))))
