"""The printed numbers of a claim that others determine, its account's too, each recomputed and compared."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

from stirred.mechanisms.catalogue import COMPOSITION, SWAPPING
from stirred.spec.arguments import InputError
from stirred.spec.budgets.accounts import Measure, Reach, Release
from stirred.spec.budgets.conversions import Rule
from stirred.spec.budgets.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from stirred.spec.flavors.permutation_swapping import odds, psa_budget
from stirred.spec.numbers.enclosure import Enclosure, decimal_text
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.engines.printed_number import Printed, compare, exact_text, printed_exactly
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness
from stirred.verify.laws.claim.account import Account
from stirred.verify.laws.claim.budget import CONVERSION, ClaimedConversion
from stirred.verify.laws.claim.budget_cover import cover_evidence
from stirred.verify.laws.claim.claim import PrivacyClaim, Vacuity
from stirred.verify.laws.claim.five_blocks import FiveBlocks, StatedBlock, not_stated
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.claim.text import ClaimText, claim_of, read_toml

_OUTPUT_PREMETRICS = {
    Measure.PURE: "D_Mult (pure differential privacy)",
    Measure.ZERO_CONCENTRATED: "D_NoR (zero-concentrated differential privacy)",
    Measure.APPROXIMATE: "D_Mult^delta (approximate differential privacy)",
}
_RUN = "each part is run on the same data, as often as it is listed, each time with randomness of its own"


def _reach_words(whole: Release) -> str:
    if whole.reach is Reach.ALL_PAIRS:
        return "a budget for the metric at every distance"
    return "a budget for neighbours only"


def _scope(whole: Release) -> str:
    """The one flavor, and what the steps take for granted."""
    words = f"one flavor: {whole.flavor.premetric.name.lower()} neighbours, unit {whole.flavor.unit}"
    taken = f"; as the file states, not checked: {'; '.join(whole.conditions)}" if whole.conditions else ""
    return f"{words}; {_reach_words(whole)}{taken}"


def account_blocks(account: Account) -> FiveBlocks:
    """The flavor of the whole account and its budget, in words."""
    whole = account.whole
    if whole is None:
        none = not_stated("the parts are not of one flavor")
        return FiveBlocks(none, none, none, none, none)
    flavor, invariants = whole.flavor, ", ".join(sorted(whole.flavor.invariants))
    premetric = account.premetric or flavor.premetric.value
    return FiveBlocks(
        domain=StatedBlock(flavor.domain),
        multiverse=StatedBlock(f"invariant: {invariants}" if invariants else "one universe: nothing is invariant"),
        input_premetric=StatedBlock(f"{premetric}; resolution: {flavor.unit}; {_reach_words(whole)}"),
        output_premetric=StatedBlock(_OUTPUT_PREMETRICS[flavor.measure]),
        budget=StatedBlock(f"{_budget_text(whole)}; {whole.steps[-1]}"),
    )


def _budget_text(whole: Release) -> str:
    exact = whole.exact_budget
    shown = whole.budget.text(10) if exact is None else decimal_text(exact, 10)
    delta = f" with delta = {exact_text(whole.delta)}" if whole.delta else ""
    return f"{whole.flavor.measure.value} = {shown}{delta}"


def account_steps(account: Account, audited: Mapping[str, Evidence]) -> Evidence:
    """The total with all conversions and sums behind it: OPEN unless every part is a claim that is shown to hold."""
    whole = account.whole
    missing = [*_not_shown(account, audited), *account.open]
    if whole is None:
        return Evidence(Verdict.OPEN, "the claims that the parts refer to", f"not added: {'; '.join(missing)}")
    covered = f"; derived from it at no cost: {', '.join(account.covered)}" if account.covered else ""
    detail = f"{_budget_text(whole)}, by these steps: {'; '.join(whole.steps)}{covered}"
    if whole.is_vacuous:
        vacuity = Vacuity(True, "at a fixed number of records no two data sets are unbounded neighbours")
        return Evidence(Verdict.OPEN, _scope(whole), f"{'; '.join([str(vacuity), *missing])}; {detail}")
    if missing:
        numbers = [*account_evidence(account), *account_budgets(account)]
        is_right = bool(numbers) and all(one.verdict.is_settled_for for one in numbers)
        right = "the sum is right; " if is_right else ""
        return Evidence(Verdict.OPEN, _scope(whole), f"{right}{'; '.join(missing)}; {detail}")
    shown = "; ".join(f"{name}: {claim} is {audited[claim].verdict.name}" for name, claim in account.claims)
    own = Verdict.ENCLOSED if whole.exact_budget is None else Verdict.EXHAUSTED
    verdict = min(own, *(audited[claim].verdict for _, claim in account.claims))
    return Evidence(verdict, f"{_scope(whole)}; {_RUN}", f"{detail}; {shown}")


def _not_shown(account: Account, audited: Mapping[str, Evidence]) -> Iterator[str]:
    """The parts that nothing shows: those with a stated budget, and those whose claim does not hold."""
    if account.stated:
        yield f"nothing here shows these parts, stated without a mechanism: {', '.join(account.stated)}"
    for name, claim in account.claims:
        found = audited.get(claim)
        if found is None:
            yield f"nothing here shows its part {name}: {claim} was not audited"
        elif not found.verdict.is_settled_for:
            yield f"nothing here shows its part {name}: {claim} is {found.verdict.name}: {found.detail}"


def account_evidence(account: Account) -> Iterator[Evidence]:
    """The printed numbers beside the account's, at their printed precision."""
    if account.whole is not None:
        yield from _under_conditions(account.whole, _number_evidence(account, account.whole))


def account_budgets(account: Account) -> Iterator[Evidence]:
    """Whether the total and the ε that are claimed as budgets cover what the account comes to."""
    if account.whole is not None:
        yield from _under_conditions(account.whole, _budget_evidence(account, account.whole))


def _under_conditions(whole: Release, found: Iterator[Evidence]) -> Iterator[Evidence]:
    for evidence in found:
        taken = f"{evidence.scope}; {_scope(whole)}" if whole.conditions else evidence.scope
        yield replace(evidence, scope=taken)


def _number_evidence(account: Account, whole: Release) -> Iterator[Evidence]:
    exact = whole.exact_budget
    for number, is_bound in ((account.printed, False), (account.total, True)):
        if number is None or (is_bound and _is_conservative(number, whole.budget)):
            continue
        if not (is_bound and account.is_composed and number.agrees_with(whole.budget) is False):
            yield _total_evidence(number, whole)
    if account.converted is None or exact is None:
        return
    converted, rule = account.converted
    if converted.epsilon is None or not _is_conservative(converted.epsilon, _convert(converted, rule, exact)):
        yield _converted_evidence(converted, rule, exact)


def _is_conservative(number: Printed, value: Enclosure) -> bool:
    """Whether a number that is claimed as a bound is above the value and not what it rounds to, so that it holds."""
    return number.value >= value.upper and number.agrees_with(value) is False


def _total_evidence(number: Printed, whole: Release) -> Evidence:
    exact, what = whole.exact_budget, "total of the account"
    if exact is not None:
        return compare(number, whole.budget, "total", what, total=printed_exactly(exact))
    detail = f"{what}: printed {number.text}, recomputed {whole.budget.text(10)}"
    return _enclosed(number, whole.budget, "the enclosure of the total", detail)


def _convert(converted: ClaimedConversion, rule: Rule, rho_squared: Fraction) -> Enclosure:
    convert = zcdp_to_approximate if rule is Rule.PRINTED else smallest_zcdp_to_approximate
    return convert(rho_squared, converted.delta.value)


def _budget_evidence(account: Account, whole: Release) -> Iterator[Evidence]:
    given = "as a number, given the budgets of the parts"
    if account.total is not None:
        yield cover_evidence(account.total, whole.budget, "the total of the account", f"the total, {given}")
    if account.converted is None or whole.exact_budget is None:
        return
    converted, rule = account.converted
    if converted.epsilon is not None:
        what = f"epsilon at delta = {converted.delta.text} by the {rule.name.lower()} conversion"
        value = _convert(converted, rule, whole.exact_budget)
        yield cover_evidence(converted.epsilon, value, what, f"epsilon, {given}")


def _converted_evidence(converted: ClaimedConversion, rule: Rule, rho_squared: Fraction) -> Evidence:
    """The printed ε beside the rule that is said to give it, with the other rule's value."""
    printed, delta = converted.printed, converted.delta
    by_formula = zcdp_to_approximate(rho_squared, delta.value)
    smallest = smallest_zcdp_to_approximate(rho_squared, delta.value)
    what = f"epsilon at delta = {delta.text}"
    both = f"printed formula {by_formula.text(8)}, smallest over all Renyi orders {smallest.text(8)}"
    if rule is Rule.PRINTED:
        rho2 = printed_exactly(rho_squared)
        evidence = compare(printed, by_formula, CONVERSION, what, rho2=rho2, delta=delta)
        return replace(evidence, detail=f"{evidence.detail}; side by side: {both}")
    scope = "the smallest conversion over all Renyi orders, at the exact rho^2"
    return _enclosed(printed, smallest, scope, f"{what}: printed {printed.text}; {both}")


def _enclosed(printed: Printed, value: Enclosure, scope: str, detail: str) -> Evidence:
    """A printed number against an enclosure without a formula; a refutation's witness has the end of the enclosure."""
    agrees = printed.agrees_with(value)
    if agrees is None:
        return Evidence(Verdict.OPEN, scope, f"{detail}; the enclosure does not decide it")
    if agrees:
        return Evidence(Verdict.ENCLOSED, scope, detail)
    is_above = value.lower > printed.value
    claimed = "end <= printed + half_unit" if is_above else "end >= printed - half_unit"
    end = value.lower if is_above else value.upper
    note = f"a certified {'lower' if is_above else 'upper'} bound of the value"
    witness = formula_witness(claimed, note=note, end=end, printed=printed.value, half_unit=printed.half_unit)
    return Evidence(Verdict.REFUTED, scope, detail, witness)


def number_evidence(built: PrivacyClaim) -> Iterator[Evidence]:
    """Every printed number that others determine, and the total of its account, compared with its recomputation."""
    yield from _refuted_settings(built)
    for row, value in recomputed_numbers(built):
        yield row.compared(value)
    if built.account is not None:
        yield from account_evidence(built.account)


def recomputed_numbers(built: PrivacyClaim) -> Iterator[tuple[PrintedRow, Enclosure]]:
    """Every printed number that others determine, with its formula and a value, computed independently if possible.

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


PUBLISHED = Path(__file__).resolve().parent / "published"
"""Where the published claims are."""


@cache
def _tables() -> Mapping[str, tuple[Path, Mapping[str, Any]]]:
    """The file and the table of each claim, by its id."""
    files = {path: read_toml(path)["claim"] for path in sorted(PUBLISHED.glob("*.toml"))}
    return {table["id"]: (path, table) for path, tables in files.items() for table in tables}


def is_published(claim_id: str) -> bool:
    """Whether a published claim has this id."""
    return claim_id in _tables()


def published_claim(claim_id: str, changed: Mapping[str, str] | None = None) -> ClaimText:
    """The published claim with this id.

    Args:
        claim_id: as in the file.
        changed: texts of its table that are replaced wherever they stand, with what stands there instead: a mutant.
    """
    if claim_id not in _tables():
        raise InputError(f"claim_id must be the id of a published claim; got {claim_id!r}")
    path, table = _tables()[claim_id]
    for old, new in (changed or {}).items():
        other = _replaced(table, old, new)
        if other == table:
            raise InputError(f"changed must name texts of {claim_id}; got {old!r}")
        table = other
    return claim_of(path, Block(f"{path}:", table))


def _replaced(value: Any, old: str, new: str) -> Any:
    if isinstance(value, Mapping):
        return {key: _replaced(part, old, new) for key, part in value.items()}
    if isinstance(value, list):
        return [_replaced(part, old, new) for part in value]
    return new if str(value) == old else value


def rows(claim_id: str, changed: Mapping[str, str] | None = None) -> tuple[PrintedRow, ...]:
    """The printed numbers of a published claim that others determine, as the auditor recomputes them.

    >>> [row.printed.text for row in rows("topdown.pl-person")]
    ['17.90']
    """
    built = build_claim(published_claim(claim_id, changed))
    return tuple(row for row, _ in recomputed_numbers(built))


def parts(claim_id: str) -> Mapping[str, str]:
    """The printed ρ² of the parts of a published composition, by name.

    >>> parts("topdown.pl")
    {'household': '0.07', 'person': '2.56'}
    """
    mechanism = build_claim(published_claim(claim_id)).mechanism
    return {} if mechanism is None else {name: number.text for name, number in mechanism.parts}
