"""The printed numbers of a claim that others determine, each recomputed and compared at its printed precision."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from stirred.mechanisms.catalogue import COMPOSITION, SWAPPING
from stirred.spec.enclosure import Enclosure
from stirred.spec.permutation_swapping import odds, psa_budget
from stirred.spec.zcdp import zcdp_to_approximate
from stirred.verify.audit.account_answers import account_evidence
from stirred.verify.claim.budget import CONVERSION, ClaimedConversion
from stirred.verify.claim.budget_cover import cover_evidence
from stirred.verify.claim.claim import PrivacyClaim
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.engines.printed_number import Printed
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness

__all__ = ["conversion_budgets", "number_evidence", "recomputed_numbers"]


def number_evidence(built: PrivacyClaim) -> Iterator[Evidence]:
    """What recomputation says of every printed number that others determine, and of the total of its account."""
    yield from _refuted_settings(built)
    for row, value in recomputed_numbers(built):
        yield row.compared(value)
    if built.account is not None:
        yield from account_evidence(built.account)


def recomputed_numbers(built: PrivacyClaim) -> Iterator[tuple[PrintedRow, Enclosure]]:
    """Every printed number that others determine, with its formula and a value, computed apart where there is a way.

    These are the budget of permutation swapping by (7), ρ² as a sum and as converted to ε, and the numbers that the
    file lists with their formulas.
    """
    yield from _swapping_numbers(built)
    yield from _zcdp_numbers(built)
    yield from ((row, row.value()) for row in built.numbers)


def _swapping_budgets(built: PrivacyClaim) -> Iterator[tuple[int, Fraction, Printed]]:
    """The size b, the swap rate and the printed budget of permutation swapping, for each of its settings."""
    mechanism, b = built.mechanism, built.largest_stratum
    if mechanism is not None and mechanism.name == SWAPPING and b is not None:
        for case in built.cases:
            if case.budget is not None and case.budget.printed is not None:
                yield b, case.setting["swap_rate"], case.budget.printed


def _refuted_settings(built: PrivacyClaim) -> Iterator[Evidence]:
    """Printed budgets of permutation swapping where (7) is infinite."""
    for b, rate, printed in _swapping_budgets(built):
        if psa_budget(b, rate).is_infinite:
            witness = formula_witness("p*(1-p) > 0", note="(7) is infinite at p = 0 and p = 1", p=rate)
            detail = f"{_epsilon_at(b, rate)}: printed {printed.text}, (7) gives infinite"
            yield Evidence(Verdict.REFUTED, "article, (7)", detail, witness)


def _epsilon_at(b: int, rate: Fraction) -> str:
    return f"epsilon at b = {b}, p = {rate}"


def _swapping_numbers(built: PrivacyClaim) -> Iterator[tuple[PrintedRow, Enclosure]]:
    """The size b beside the margins that determine it, and the printed budgets of permutation swapping beside (7)."""
    mechanism, b = built.mechanism, built.largest_stratum
    claimed = None if mechanism is None or mechanism.name != SWAPPING else mechanism.largest_stratum
    if claimed is not None and b is not None and claimed != b:
        stated = Printed(str(claimed), Fraction(claimed))
        what = "largest stratum with two distinct records"
        row = PrintedRow(what, stated, str(b))
        yield row, row.value()
    for size, rate, printed in _swapping_budgets(built):
        budget = psa_budget(size, rate)
        if budget.is_infinite:
            continue
        branch = "0"
        values: dict[str, Printed] = {}
        if size > 0:
            values = {"b": Printed(str(size), Fraction(size)), "p": Printed(str(rate), rate)}
            branch = "ln((b+1)*(1-p)/p)" if odds(rate) ** 2 <= size + 1 else "ln(p/(1-p))"
        yield PrintedRow(_epsilon_at(size, rate), printed, branch, values), budget.epsilon()


def _zcdp_numbers(built: PrivacyClaim) -> Iterator[tuple[PrintedRow, Enclosure]]:
    """ρ² beside the sum of its parts, and a printed ε beside ρ² + 2ρ√(−ln δ)."""
    mechanism = built.mechanism
    for case in built.cases:
        if case.budget is None or case.budget.rho_squared is None:
            continue
        total = case.budget.rho_squared
        if mechanism is not None and mechanism.name == COMPOSITION:
            formula = " + ".join(str(part.value) for _, part in mechanism.parts)
            shown = " + ".join(part.text for _, part in mechanism.parts)
            row = PrintedRow(f"rho^2 as the sum {shown}", total, formula)
            yield row, row.value()
        if case.budget.converted is not None:
            yield _conversion(total, case.budget.converted)


def _conversion(total: Printed, converted: ClaimedConversion) -> tuple[PrintedRow, Enclosure]:
    delta = converted.delta
    what = f"epsilon at delta = {delta.text} converted from rho^2 = {total.text}"
    row = PrintedRow(what, converted.printed, CONVERSION, {"rho2": total, "delta": delta})
    return row, zcdp_to_approximate(total.value, delta.value)


def conversion_budgets(built: PrivacyClaim) -> Iterator[Evidence]:
    """Whether each claimed ε covers what its ρ² converts to."""
    for case in built.cases:
        budget = case.budget
        if budget is None or budget.rho_squared is None or budget.converted is None or budget.converted.epsilon is None:
            continue
        delta = budget.converted.delta
        value = zcdp_to_approximate(budget.rho_squared.value, delta.value)
        what = f"rho^2 + 2 rho sqrt(-ln delta) at rho^2 = {budget.rho_squared.text}, delta = {delta.text}"
        scope = "epsilon, as a number, given that rho^2 is a budget"
        yield cover_evidence(budget.converted.epsilon, value, what, scope)
