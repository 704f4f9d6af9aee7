"""The audit of a budget setting: its exact totals beside the published ones, and a change of unit that explains one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from spec.enclosure import Enclosure, decimal_text
from spec.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from verify.auditing.audit import Answer, AuditRecord
from verify.evidence import Evidence
from verify.printed_number import Printed, compare
from verify.records.published import PublishedTotal
from verify.records.setting import BudgetSetting, Run
from verify.verdict import Verdict

__all__ = ["DELTA", "both_conversions", "setting_audit"]

DELTA = Printed("10^-10", Fraction(1, 10**10))
"""The δ that the Census Bureau chose; used where a record states none."""

_FORMULA = "rho2 + 2*sqrt(rho2*ln(1/delta))"
_OUTSIDE = (
    "that the program run with this setting satisfies the budget is not shown; the neighbours and the unit are not in "
    "the file; other releases from the same data add to the loss"
)
_BLOCKS = ("domain", "multiverse", "input_premetric", "output_premetric", "budget")


def setting_audit(setting: BudgetSetting, others: Sequence[BudgetSetting] = ()) -> AuditRecord:
    """The answers about one setting.

    Args:
        setting: the setting.
        others: the settings of the same run, which an INCLUDE may name.
    """
    answers = [_read(setting), _complete(setting)]
    if setting.shares:
        answers.append(_shares(setting, others))
    for run in setting.runs:
        answers += _run(setting, run)
    answers.append(Answer("outside", Evidence(Verdict.OPEN, "not part of the setting", _OUTSIDE), decides=False))
    statement = f"budgets of {setting.system} as run, in {setting.letter}"
    return AuditRecord(setting.id, setting.path.name, statement, tuple(answers))


def _scope(setting: BudgetSetting) -> str:
    return f"the {setting.system} setting {setting.path.name}"


def _read(setting: BudgetSetting) -> Answer:
    read = ", ".join(f"{run.name}: {len(run.budgets)} budgets" for run in setting.runs) or "no budget"
    if setting.shares:
        read += f"; {len(setting.shares)} shares"
    zero = [key for run in setting.runs for key, budget in run.budgets.items() if budget == 0]
    named = f"{', '.join(zero[:3])}{f' and {len(zero) - 3} more' if len(zero) > 3 else ''}"
    parts = [f"budget 0, where no finite noise can be meant: {named}"] if zero else []
    detail = "; ".join((f"read as {setting.system}: {read}", *parts, *setting.unread))
    return Answer("read", Evidence(Verdict.OPEN, _scope(setting), detail), decides=False)


def _complete(setting: BudgetSetting) -> Answer:
    stated = dict(setting.stated)
    if setting.runs:
        stated["budget"] = f"exact numbers in {setting.letter}"
    missing = [block for block in _BLOCKS if block not in stated]
    words = "; ".join(f"{block}: {stated[block]}" for block in _BLOCKS if block in stated)
    absent = f"not stated: {', '.join(missing)}" if missing else "every block is named"
    detail = f"{absent}{'; ' if words else ''}{words}"
    return Answer("complete", Evidence(Verdict.OPEN, _scope(setting), detail))


def _shares(setting: BudgetSetting, others: Sequence[BudgetSetting]) -> Answer:
    parts = ", ".join(f"{level} {share}" for level, share in setting.shares.items())
    detail = f"the {len(setting.shares)} shares sum to exactly 1: {parts}"
    if not setting.runs and (found := _included(setting, others)) is not None:
        other, total = found
        budgets = ", ".join(f"{level} {decimal_text(share * total, 6)}" for level, share in setting.shares.items())
        detail += f"; with rho^2 = {total} of {other.path.name}, whose name ends with the included one: {budgets}"
    scope = "the shares of the file, added as exact fractions"
    return Answer("numbers", Evidence(Verdict.EXHAUSTED, scope, detail))


def _included(setting: BudgetSetting, others: Sequence[BudgetSetting]) -> tuple[BudgetSetting, Fraction] | None:
    """The one setting of this run that an INCLUDE names and that has a total."""
    names = [name.replace("\\", "/").rsplit("/", 1)[-1] for name in setting.includes]
    found = [
        (other, other.runs[0].total)
        for other in others
        if other is not setting
        and len(other.runs) == 1
        and any(name and other.path.name.endswith(name) for name in names)
    ]
    return found[0] if len(found) == 1 else None


def _run(setting: BudgetSetting, run: Run) -> Iterator[Answer]:
    """The exact total, its published counterpart and its conversions."""
    total = run.total
    what = f"{run.name}: {setting.letter} as the sum of {len(run.budgets)} budgets"
    shown = f"{total} = {decimal_text(total, 10)}" if total.denominator != 1 else str(total)
    if run.published is None:
        detail = f"{what} is {shown}; the sources print no total for this run"
        yield Answer("numbers", Evidence(Verdict.EXHAUSTED, "exact sum of the file's budgets", detail))
    else:
        yield Answer("numbers", published_evidence(setting, run.published, total, f"{what}, {shown}"))
        if run.published.epsilon is not None:
            rho2 = Printed(str(total), total)
            label = f"epsilon of {run.published.product} ({run.published.source}) from the exact rho^2"
            value = zcdp_to_approximate(total, DELTA.value)
            yield Answer("numbers", compare(run.published.epsilon, value, _FORMULA, label, rho2=rho2, delta=DELTA))
    if setting.is_zcdp:
        yield Answer("conversion", both_conversions(total, f"{run.name}: ", DELTA, is_chosen=True), decides=False)


def published_evidence(setting: BudgetSetting, published: PublishedTotal, total: Fraction, what: str) -> Evidence:
    """The published total beside the sum and its multiples by the factors that a change of neighbours explains."""
    printed = published.rho_squared
    sum_of_parts = Printed(str(total), total)
    label = f"{published.product} ({published.source}) against {what}"

    def at(factor: Fraction) -> Evidence:
        value = Enclosure(factor * total, factor * total)
        formula = "total" if factor == 1 else f"{factor}*total"
        return compare(printed, value, formula, label, total=sum_of_parts)

    plain = at(Fraction(1))
    if plain.verdict is not Verdict.REFUTED:
        return plain
    for factor, reason, is_proved in setting.factors:
        evidence = at(factor)
        if evidence.verdict is Verdict.REFUTED:
            continue
        if is_proved:
            explained = f"{evidence.detail}; the factor {factor} is explained by a change {reason}"
            return Evidence(evidence.verdict, evidence.scope, explained)
        doubt = f"the sources prove this factor for PHSafe, not for {setting.system}; group privacy alone gives 4"
        detail = f"{evidence.detail}; the factor {factor} would be explained by a change {reason}; {doubt}"
        return Evidence(Verdict.OPEN, evidence.scope, detail)
    tried = ", ".join(f"{factor} times {decimal_text(factor * total, 8)}" for factor, _, _ in setting.factors)
    known = f"; no known change of neighbours explains it ({tried})" if tried else ""
    scope = f"{plain.scope}; the file taken as the setting of the published product"
    return Evidence(Verdict.REFUTED, scope, f"{plain.detail}{known}", plain.witness)


def both_conversions(rho_squared: Fraction, label: str, delta: Printed, *, is_chosen: bool) -> Evidence:
    """ε at δ by the printed formula and by the smallest over all Rényi orders, side by side."""
    printed = zcdp_to_approximate(rho_squared, delta.value).text(6)
    smallest = smallest_zcdp_to_approximate(rho_squared, delta.value).text(6)
    scope = "two conversions that hold for every rho^2-zCDP mechanism, as enclosures"
    whose = " (chosen here: none is stated)" if is_chosen else ""
    detail = (
        f"{label}rho^2 = {decimal_text(rho_squared, 8)} at delta = {delta.text}{whose}: epsilon = {printed} by "
        f"rho^2 + 2 rho sqrt(-ln delta), {smallest} by the smallest over all Renyi orders"
    )
    return Evidence(Verdict.ENCLOSED, scope, detail)
