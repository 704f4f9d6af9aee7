"""The audit of a budget setting: its exact totals beside the published ones, and a change of unit that explains one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from spec.enclosure import Enclosure, decimal_text
from spec.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from verify.audit.audit import Answer, AuditRecord
from verify.engines.exact_text import exact_text, printed_exactly
from verify.engines.printed_number import Printed, compare
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.records.published import PublishedTotal
from verify.records.setting import BudgetSetting, Run, listed

__all__ = ["DELTA", "both_conversions", "setting_audit"]

DELTA = Printed("10^-10", Fraction(1, 10**10))
"""The δ that the Census Bureau chose; used where no single δ was read."""

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
    for words in setting.contradictions:
        answers.append(Answer("consistent", Evidence(Verdict.OPEN, _scope(setting), words)))
    if setting.shares:
        answers += _shares(setting, others)
    for run in setting.runs:
        answers += _run(setting, run)
    answers.append(Answer("outside", Evidence(Verdict.OPEN, "not part of the setting", _OUTSIDE), decides=False))
    statement = f"budgets of {setting.system} as run, in {setting.letter}"
    return AuditRecord(setting.id, setting.path.name, statement, tuple(answers))


def _scope(setting: BudgetSetting) -> str:
    return f"the {setting.system} setting {setting.path.name}"


def _read(setting: BudgetSetting) -> Answer:
    read = ", ".join(f"{run.name}: {run.counted}" for run in setting.runs) or "no budget"
    if setting.shares:
        read += f"; {len(setting.shares)} shares"
    zero = [key for run in setting.runs for key, budget in run.budgets.items() if budget == 0]
    parts = [f"not set: {listed(setting.missing)}"] if setting.missing else []
    if zero:
        parts.append(f"budget 0, where no finite noise can be meant: {listed(zero, 3)}")
    detail = "; ".join((f"read as {setting.system}: {read}", *parts, *setting.unread))
    return Answer("read", Evidence(Verdict.OPEN, _scope(setting), detail), decides=False)


def _complete(setting: BudgetSetting) -> Answer:
    stated = dict(setting.stated)
    if setting.runs:
        stated["budget"] = f"exact numbers in {setting.letter}{_under(setting)}"
    missing = [block for block in _BLOCKS if block not in stated]
    words = "; ".join(f"{block}: {stated[block]}" for block in _BLOCKS if block in stated)
    absent = f"not stated: {', '.join(missing)}" if missing else "every block is named"
    detail = f"{absent}{'; ' if words else ''}{words}"
    return Answer("complete", Evidence(Verdict.OPEN, _scope(setting), detail))


def _under(setting: BudgetSetting) -> str:
    """The condition of the budgets, where there is one."""
    return f" ({setting.condition})" if setting.condition else ""


def _shares(setting: BudgetSetting, others: Sequence[BudgetSetting]) -> Iterator[Answer]:
    """The sum of the shares, and the budgets that they would be of the total in an included file."""
    parts = ", ".join(f"{level} {share}" for level, share in setting.shares.items())
    detail = f"the {len(setting.shares)} shares sum to exactly 1: {parts}"
    yield Answer("numbers", Evidence(Verdict.EXHAUSTED, "the shares of the file, added as exact fractions", detail))
    if setting.runs or (found := _included(setting, others)) is None:
        return
    name, other = found
    total = other.runs[0].total
    budgets = ", ".join(f"{level} {decimal_text(share * total, 6)}" for level, share in setting.shares.items())
    detail = f"with rho^2 = {exact_text(total)} of {other.path.name}, if that is the included {name}: {budgets}"
    scope = f"the shares times a total that another file gives{_under(other)}"
    yield Answer("numbers", Evidence(Verdict.OPEN, scope, detail), decides=False)


def _included(setting: BudgetSetting, others: Sequence[BudgetSetting]) -> tuple[str, BudgetSetting] | None:
    """The one setting of this run that has a total and the name of an included file, else whose name ends with it.

    The published files have a prefix before the name that they are included by.
    """
    names = [name.replace("\\", "/").rsplit("/", 1)[-1] for name in setting.includes]
    totals = [other for other in others if other is not setting and len(other.runs) == 1]
    exact = [(name, other) for name in names for other in totals if other.path.name == name]
    ending = [(name, other) for name in names for other in totals if name and other.path.name.endswith(f"_{name}")]
    found = exact or ending
    return found[0] if len(found) == 1 else None


def _run(setting: BudgetSetting, run: Run) -> Iterator[Answer]:
    """The exact total, its published counterpart and its conversions."""
    total = run.total
    what = f"{run.name}: {setting.letter} as the sum of {run.counted}"
    if run.published is None:
        detail = f"{what} is {run.total_text}; the sources print no total for this run"
        found = [Evidence(Verdict.EXHAUSTED, "exact sum of the file's budgets", detail)]
    else:
        found = [published_evidence(setting, run.published, total, f"{what}, {run.total_text}")]
        if run.published.epsilon is not None:
            label = f"epsilon of {run.published.product} ({run.published.source}) from the exact rho^2"
            value = zcdp_to_approximate(total, DELTA.value)
            rho2 = printed_exactly(total)
            found.append(compare(run.published.epsilon, value, _FORMULA, label, rho2=rho2, delta=DELTA))
    for evidence in found:
        yield Answer("numbers", replace(evidence, scope=f"{evidence.scope}{_under(setting)}"))
    if setting.is_zcdp:
        yield Answer("conversion", both_conversions(total, f"{run.name}: ", DELTA, is_chosen=True), decides=False)


def published_evidence(setting: BudgetSetting, published: PublishedTotal, total: Fraction, what: str) -> Evidence:
    """The published total beside the sum and its multiples by the factors that a change of neighbours explains."""
    printed = published.rho_squared
    sum_of_parts = printed_exactly(total)
    unset = f"; the file does not set {listed(setting.missing)}" if setting.missing else ""
    label = f"{published.product} ({published.source}) against {what}"

    def at(factor: Fraction) -> Evidence:
        value = Enclosure(factor * total, factor * total)
        formula = "total" if factor == 1 else f"{factor}*total"
        evidence = compare(printed, value, formula, label, total=sum_of_parts)
        return replace(evidence, detail=f"{evidence.detail}{unset}")

    plain = at(Fraction(1))
    if plain.verdict is not Verdict.REFUTED:
        return plain
    for factor, reason, is_proved in setting.factors:
        evidence = at(factor)
        if evidence.verdict is Verdict.REFUTED:
            continue
        if is_proved:
            explained = f"{evidence.detail}; the factor {factor} is explained by a change {reason}"
            return replace(evidence, detail=explained)
        doubt = f"the sources prove this factor for PHSafe, not for {setting.system}; group privacy alone gives 4"
        detail = f"{evidence.detail}; the factor {factor} would be explained by a change {reason}; {doubt}"
        return Evidence(Verdict.OPEN, evidence.scope, detail)
    tried = ", ".join(f"{factor} times {decimal_text(factor * total, 8)}" for factor, _, _ in setting.factors)
    known = f"; no known change of neighbours explains it ({tried})" if tried else ""
    scope = f"{plain.scope}; the file taken as the setting of the published product"
    return Evidence(Verdict.REFUTED, scope, f"{plain.detail}{known}", plain.witness)


def both_conversions(rho_squared: Fraction, label: str, delta: Printed, *, is_chosen: bool) -> Evidence:
    """ε at δ by the printed formula and by the smallest over all Rényi orders, side by side.

    Args:
        rho_squared: ρ².
        label: what the budget is of, in front of the sentence.
        delta: δ.
        is_chosen: whether δ is this program's, where no single δ was read.
    """
    printed = zcdp_to_approximate(rho_squared, delta.value).text(6)
    smallest = smallest_zcdp_to_approximate(rho_squared, delta.value).text(6)
    scope = "two conversions that hold for every rho^2-zCDP mechanism, as enclosures"
    whose = " (chosen here: the parameters state no single one)" if is_chosen else ""
    detail = (
        f"{label}rho^2 = {decimal_text(rho_squared, 8)} at delta = {delta.text}{whose}: epsilon = {printed} by "
        f"rho^2 + 2 rho sqrt(-ln delta), {smallest} by the smallest over all Renyi orders"
    )
    return Evidence(Verdict.ENCLOSED, scope, detail)
