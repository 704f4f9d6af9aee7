"""The audit of a budget setting: its exact totals beside the published ones, and a change of unit that explains one."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction

from stirred.spec.budgets.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from stirred.spec.numbers.enclosure import Enclosure, decimal_text
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.records.published import PublishedTotal
from stirred.verify.audit.records.setting import BudgetSetting, Run, listed
from stirred.verify.engines.printed_number import Printed, compare, exact_text, printed_exactly
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness, formula_witness
from stirred.verify.laws.claim.budget import CONVERSION
from stirred.verify.laws.claim.five_blocks import Stated

DELTA = Printed("10^-10", Fraction(1, 10**10))
"""The δ that the Census Bureau chose; used where no single δ was read."""

_OUTSIDE = (
    "Not covered: whether the program run with this setting satisfies the budget; neighbours and unit, which the file "
    "does not state; other releases of the same data"
)


def _scope(setting: BudgetSetting) -> str:
    return f"the {setting.system} setting {setting.path.name}"


def _read(setting: BudgetSetting) -> Iterator[Answer]:
    read = ", ".join(f"{run.name}: {run.counted}" for run in setting.runs) or "no budget"
    if setting.shares:
        read += f"; {len(setting.shares)} share{'' if len(setting.shares) == 1 else 's'}"
    zero = [key for run in setting.runs for key, budget in run.budgets.items() if budget == 0]
    parts = [f"not set: {listed(setting.missing)}"] if setting.missing else []
    if zero:
        parts.append(f"budget 0, where no finite noise can be meant: {listed(zero, 3)}")
    detail = "; ".join((f"read as {setting.system}: {read}", *parts, *setting.unread))
    yield Answer("read", Evidence(Verdict.OPEN, _scope(setting), detail), decides=False)


def _complete(setting: BudgetSetting) -> Iterator[Answer]:
    blocks = setting.blocks
    missing = blocks.named(Stated.NOT)
    absent = f"not stated: {', '.join(missing)}" if missing else "every block is named"
    stated = {name: block for name, block in blocks.by_name.items() if block.stated is not Stated.NOT}
    detail = "; ".join((absent, *(f"{name}: {block.note or block.text}" for name, block in stated.items())))
    yield Answer("complete", Evidence(Verdict.OPEN, _scope(setting), detail))


def _consistent(setting: BudgetSetting) -> Iterator[Answer]:
    for words in setting.contradictions:
        yield Answer("consistent", Evidence(Verdict.OPEN, _scope(setting), words))


def _numbers(setting: BudgetSetting) -> Iterator[Answer]:
    yield from _shares(setting)
    for run in setting.runs:
        yield from _run(setting, run)


def _shares(setting: BudgetSetting) -> Iterator[Answer]:
    """The sum of the shares, and the budgets that they would be of the total in an included file."""
    if not setting.shares:
        return
    parts = ", ".join(f"{level} {share}" for level, share in setting.shares.items())
    scope = "the shares of the file, added as exact fractions"
    contradictions = list(_left(setting) if setting.rest else _contradictory(setting))
    for words, witness in contradictions:
        yield Answer("numbers", Evidence(Verdict.REFUTED, scope, f"{words}: {parts}", witness))
    if contradictions:
        return
    detail = f"the {len(setting.shares)} shares sum to exactly 1: {parts}"
    if setting.rest:
        detail = f"of each budget {parts}, which leaves {1 - sum(setting.shares.values())} for {setting.rest}"
    yield Answer("numbers", Evidence(Verdict.EXHAUSTED, scope, detail))
    if setting.runs or setting.included is None:
        return
    name, other = setting.included
    total = other.runs[0].total
    budgets = ", ".join(f"{level} {decimal_text(share * total, 6)}" for level, share in setting.shares.items())
    detail = f"with rho^2 = {exact_text(total)} of {other.path.name}, if that is the included {name}: {budgets}"
    scope = f"the shares times a total that another file gives{other.under}"
    yield Answer("numbers", Evidence(Verdict.OPEN, scope, detail), decides=False)


def _contradictory(setting: BudgetSetting) -> Iterator[tuple[str, Witness]]:
    """What no shares of one total can be: more or fewer than its parts, negative, or with another sum than 1."""
    shares = list(setting.shares.values())
    if len(shares) != setting.parts:
        words = f"{len(shares)} shares for {setting.parts} levels"
        yield words, formula_witness("shares == levels", note=words, shares=len(shares), levels=setting.parts)
    yield from _negative(setting)
    if sum(shares) != 1:
        words = f"the {len(shares)} shares of one total sum to {sum(shares)} instead of 1"
        yield words, formula_witness(f"{' + '.join(map(str, shares))} == 1", note="the shares of one total")


def _left(setting: BudgetSetting) -> Iterator[tuple[str, Witness]]:
    """What no shares that leave a rest can be: negative, or more than the whole."""
    yield from _negative(setting)
    shares = list(setting.shares.values())
    if sum(shares) > 1:
        words = f"of one total {sum(shares)} is spent before {setting.rest}, which has the rest"
        yield words, formula_witness(f"{' + '.join(map(str, shares))} <= 1", note=f"what is left for {setting.rest}")


def _negative(setting: BudgetSetting) -> Iterator[tuple[str, Witness]]:
    for level, share in setting.shares.items():
        if share < 0:
            yield f"the share of {level} is negative", formula_witness("share >= 0", note=level, share=share)


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
            found.append(compare(run.published.epsilon, value, CONVERSION, label, rho2=rho2, delta=DELTA))
    for evidence in found:
        yield Answer("numbers", replace(evidence, scope=f"{evidence.scope}{setting.under}"))
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
    shown = Enclosure(rho_squared, rho_squared).relation(8)
    scope = "two conversions that hold for every rho^2-zCDP mechanism, as enclosures"
    whose = " (chosen here: the parameters do not state one)" if is_chosen else ""
    detail = (
        f"{label}rho^2 {shown} at delta = {delta.text}{whose}: epsilon ≈ {printed} by "
        f"rho^2 + 2 rho sqrt(-ln delta), ≈ {smallest} by the smallest over all Renyi orders"
    )
    return Evidence(Verdict.ENCLOSED, scope, detail)


def _outside(_: BudgetSetting) -> Iterator[Answer]:
    yield Answer("outside", Evidence(Verdict.OPEN, "not part of the setting", _OUTSIDE), decides=False)


QUESTIONS = (
    AuditQuestion("read", _read),
    AuditQuestion("complete", _complete),
    AuditQuestion("consistent", _consistent),
    AuditQuestion("numbers", _numbers, beside="conversion"),
    AuditQuestion("outside", _outside),
)
"""What is asked of a budget setting, in this order; a total and its conversion stand together."""
