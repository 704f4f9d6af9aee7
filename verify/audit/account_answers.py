"""What an auditor says of an account: its flavor, its steps, its numbers, and whether anything shows its parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from fractions import Fraction

from stirred.spec.accounts import Measure, Reach, Release
from stirred.spec.conversions import Rule
from stirred.spec.enclosure import Enclosure, decimal_text
from stirred.spec.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from stirred.verify.audit.vacuity import Vacuity
from stirred.verify.claim.account import Account
from stirred.verify.claim.budget import CONVERSION, ClaimedConversion
from stirred.verify.claim.budget_cover import cover_evidence
from stirred.verify.claim.five_blocks import FiveBlocks, StatedBlock, not_stated
from stirred.verify.engines.exact_text import exact_text, printed_exactly
from stirred.verify.engines.printed_number import Printed, compare
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness

__all__ = ["account_blocks", "account_budgets", "account_evidence", "account_steps"]

_OUTPUT_PREMETRICS = {
    Measure.PURE: "D_Mult (pure differential privacy)",
    Measure.ZERO_CONCENTRATED: "D_NoR (zero-concentrated differential privacy)",
    Measure.APPROXIMATE: "D_Mult^delta (approximate differential privacy)",
}
_RUN = "each part is run once, on the same data, with randomness of its own"


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
    """The total with every conversion and sum that led to it: OPEN unless every part is a claim that is shown.

    Args:
        account: the account.
        audited: what decides each claim that a part refers to, by its id.
    """
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
        yield f"nothing here shows its parts: stated alone, without a mechanism, are {', '.join(account.stated)}"
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
        if number is not None and not (is_bound and _is_conservative(number, whole.budget)):
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
    """A number that is printed for the sum."""
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
    """A printed number beside an enclosure that no formula gives; a refutation's witness has the enclosure's end."""
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
