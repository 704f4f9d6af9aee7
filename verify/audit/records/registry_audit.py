"""The audit of a registry record: its blocks, and its fields beside each other and beside what the sources print.

The record's text is not checked. Only the numbers in digits that it gives ε, δ or ρ stand beside the parameters: such
a number may be of a part, another unit or another time, so that a difference is left open.
"""

from collections.abc import Iterator, Sequence

from stirred.spec.arguments import nearest
from stirred.spec.budgets.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.records.derivations import derivation_answers, equation_answers
from stirred.verify.audit.records.published import total_for_title
from stirred.verify.audit.records.registry import (
    DETAILS,
    EXPECTED,
    FIELDS,
    LETTERS,
    LONGEST,
    PUBLISHED,
    RegistryRecord,
    TextNumber,
    numbers_in_text,
)
from stirred.verify.audit.records.setting_audit import DELTA, both_conversions
from stirred.verify.engines.printed_number import Printed, compare
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness
from stirred.verify.laws.claim.budget import CONVERSION
from stirred.verify.laws.claim.five_blocks import Stated

_MAX_QUOTED = 20
_YEAR = 4
_KEYS = (*FIELDS, *(f"{section}.{key}" for section, keys in FIELDS.items() for key in keys))
_COMPOSITION = "accounting.composition"
_RULES = (
    ("the printed formula", zcdp_to_approximate),
    ("the smallest over all Renyi orders", smallest_zcdp_to_approximate),
)


def _read(record: RegistryRecord) -> Iterator[Answer]:
    texts, parameters = counted(len(record.texts), "text"), counted(len(record.parameters), "privacy parameter")
    parts = [f"read as a registry record: {texts}, {parameters}"]
    parts += [f"not read: {name} = {text!r} is not a number" for name, text in record.formulas.items()]
    for key in record.unknown:
        near = nearest(key, _KEYS)
        meant = f" (did you mean {near}?)" if near is not None else ""
        parts.append(f"not read: {key}, which the registry's schema does not have{meant}")
    parts += [
        f"not compared: {key}, more than {LONGEST} characters"
        for key, text in record.texts.items()
        if len(text) > LONGEST
    ]
    parts += [
        f"the text has no number beside {LETTERS[name]} for {name} = {number.text}"
        for name, number in record.parameters.items()
        if not numbers_in_text(record, LETTERS[name])
    ]
    parts.append("the text was not checked, apart from numbers in digits beside ε, δ or ρ")
    yield Answer("read", Evidence(Verdict.OPEN, f"the record {record.path.name}", "; ".join(parts)), decides=False)


def _complete(record: RegistryRecord) -> Iterator[Answer]:
    """Which blocks are stated exactly, in prose only, or not at all."""
    blocks = record.blocks
    named = {"not stated": Stated.NOT, "in prose only": Stated.IN_WORDS, "stated exactly": Stated.EXACTLY}
    parts = [f"{words}: {', '.join(found)}" for words, stated in named.items() if (found := blocks.named(stated))]
    yield Answer("complete", Evidence(Verdict.OPEN, "the five blocks of the record", "; ".join(parts)))


def _prose(record: RegistryRecord) -> Iterator[Answer]:
    """Every parameter beside the numbers that the text gives its letter, and the year of the name beside the date."""
    for name, stated in record.parameters.items():
        found = numbers_in_text(record, LETTERS[name])
        if found:
            yield from _beside(f"{name} = {stated.text} in privacy_parameters", stated, found)
    name, published = record.slug.rsplit("-", 1)[-1], record.text(PUBLISHED) or ""
    if len(name) == _YEAR and name.isdigit() and published[:_YEAR].isdigit():
        is_same = published.startswith(name)
        evidence = Evidence(
            Verdict.EXHAUSTED if is_same else Verdict.OPEN,
            "two dates side by side",
            f"the year {name} in url_slug; {published} in {PUBLISHED}",
        )
        yield Answer("prose", evidence, decides=not is_same)


def _beside(field: str, stated: Printed, found: Sequence[TextNumber]) -> Iterator[Answer]:
    scope = "the parameter beside every number in digits that the text gives its letter"
    equal = [one for one in found if one.number.value == stated.value]
    near = [one for one in found if one not in equal and may_meet(stated, one.number)]
    others = [one for one in found if one not in equal and one not in near]
    if equal:
        evidence = Evidence(Verdict.EXHAUSTED, scope, f"{field}; {_quoted(equal[:1])}")
        yield Answer("prose", evidence, decides=False)
    if near:
        detail = f"{field}; {_quoted(near)}: equal within rounding"
        yield Answer("prose", Evidence(Verdict.OPEN, scope, detail), decides=False, is_remark=True)
    if others:
        is_elsewhere = bool(equal or near)
        reason = "other quantities, or misprints" if is_elsewhere else "none of these equals the parameter"
        evidence = Evidence(Verdict.OPEN, scope, f"{field}; {_quoted(others)}: {reason}")
        yield Answer("prose", evidence, decides=not is_elsewhere, is_remark=is_elsewhere)


def _quoted(found: Sequence[TextNumber]) -> str:
    """The numbers of each text, with its key."""
    texts: dict[str, dict[str, None]] = {}
    for one in found[:_MAX_QUOTED]:
        texts.setdefault(one.key, {})[one.number.text] = None
    more = f", and {len(found) - _MAX_QUOTED} more" if len(found) > _MAX_QUOTED else ""
    return ", ".join(f"{', '.join(numbers)} in {key}" for key, numbers in texts.items()) + more


def may_meet(one: Printed, other: Printed) -> bool:
    """Whether one number may round to both printed ones; whole numbers alone are exact."""
    is_rounded = one.may_be_rounded or other.may_be_rounded
    return abs(one.value - other.value) <= (one.half_unit + other.half_unit if is_rounded else 0)


def _derivation(record: RegistryRecord) -> Iterator[Answer]:
    """The equations that the texts print, and how the parameters come of other numbers."""
    yield from equation_answers(record)
    yield from derivation_answers(record)


def _numbers(record: RegistryRecord) -> Iterator[Answer]:
    rho, epsilon, delta = (record.parameters.get(name) for name in ("rho", "epsilon", "delta"))
    if rho is not None and epsilon is not None and delta is not None and delta.value > 0:
        evidence = converted(rho, epsilon, delta)
        yield Answer("numbers", evidence, decides=evidence.verdict.is_settled_for)
    published = total_for_title(record.title)
    if published is not None and rho is not None:
        what = f"rho^2 of {published.product}"
        yield Answer("numbers", _side_by_side(what, (published.source, published.rho_squared), ("the record", rho)))


def converted(rho: Printed, epsilon: Printed, delta: Printed) -> Evidence:
    """Whether ε is a conversion of ρ² at δ: ENCLOSED, or OPEN, since nothing says that it is meant as one."""
    what = f"privacy_parameters: epsilon at delta = {delta.text} from rho^2 = {rho.text}"
    by_formula = zcdp_to_approximate(rho.value, delta.value)
    if epsilon.agrees_with(by_formula):
        return compare(epsilon, by_formula, CONVERSION, what, rho2=rho, delta=delta)
    values = {name: rule(rho.value, delta.value) for name, rule in _RULES}
    shown = "; ".join(f"{epsilon.like(value)} by {name}" for name, value in values.items())
    detail = f"{what}: printed {epsilon.text}, recomputed {shown}"
    scope = f"both conversions at rho^2 = {rho.text}"
    if any(epsilon.agrees_with(value) for value in values.values()):
        return Evidence(Verdict.ENCLOSED, scope, detail)
    return Evidence(Verdict.OPEN, scope, f"{detail}; the record does not say that epsilon is converted from rho")


def _side_by_side(what: str, one: tuple[str, Printed], other: tuple[str, Printed]) -> Evidence:
    """Whether two printed numbers of one quantity contradict each other."""
    (who, first), (whose, second) = one, other
    scope, detail = "two printed numbers side by side", f"{what}: {first.text} in {who}; {second.text} in {whose}"
    if first.value == second.value:
        return Evidence(Verdict.EXHAUSTED, scope, detail)
    if may_meet(first, second):
        within = "within their rounding"
        return Evidence(Verdict.OPEN, scope, f"{detail}: equal {within}", agrees=within)
    low, high = sorted((first, second), key=lambda number: number.value)
    is_rounded = first.may_be_rounded or second.may_be_rounded
    witness = formula_witness(
        "larger - smaller <= half_units",
        note=what,
        larger=high.value,
        smaller=low.value,
        half_units=low.half_unit + high.half_unit if is_rounded else 0,
    )
    return Evidence(Verdict.REFUTED, scope, f"{detail}: a contradiction", witness)


def _consistent(record: RegistryRecord) -> Iterator[Answer]:
    """The variant beside the parameters that are stated, and a positive δ beside pure DP."""
    variant, delta = record.text("dp_variant.variant_name"), record.parameters.get("delta")
    if variant is None or variant not in EXPECTED:
        return
    scope = "dp_variant.variant_name beside privacy_loss.privacy_parameters"
    if variant == "Pure DP":
        found = [(f"delta = {delta.text}", delta)] if delta is not None else []
        in_details = (one for one in numbers_in_text(record, "δ") if one.key == DETAILS)
        found += [(f"delta = {_quoted([one])}", one.number) for one in in_details]
        positive = next((words for words, number in found if number.value > 0), None)
        if positive is not None:
            yield Answer(
                "consistent", Evidence(Verdict.OPEN, scope, f"Pure DP has delta = 0; the record has {positive}")
            )
    missing = [name for name in EXPECTED[variant] if name not in record.parameters]
    if missing and (record.parameters or record.formulas):
        stated = {name: number.text for name, number in record.parameters.items()} | dict(record.formulas)
        said = ", ".join(f"{name} = {text!r}" for name, text in stated.items())
        detail = f"{variant} has {', '.join(EXPECTED[variant])}; missing as a number: {', '.join(missing)}"
        yield Answer("consistent", Evidence(Verdict.OPEN, scope, f"{detail} (stated: {said})"))


def _conversion(record: RegistryRecord) -> Iterator[Answer]:
    rho, delta = record.parameters.get("rho"), record.parameters.get("delta")
    if rho is not None:
        stated = delta if delta is not None and delta.value > 0 else None
        evidence = both_conversions(rho.value, "", stated or DELTA, is_chosen=stated is None)
        yield Answer("conversion", evidence, decides=False)


def _outside(record: RegistryRecord) -> Iterator[Answer]:
    parts = ["whether a mechanism satisfies the budget", "the record's text"]
    if record.says_something("dp_variant.unprotected_quantities"):
        parts.append("unprotected quantities, which may be released exactly")
    if record.text("deployment_model.release_type") == "Many releases" and not record.says_something(_COMPOSITION):
        parts.append("how the budgets of its many releases add up, which is not stated")
    if record.formulas:
        parts.append("parameters that are not numbers")
    parts.append("other releases of the same data")
    detail = f"Not covered: {'; '.join(parts)}"
    yield Answer("outside", Evidence(Verdict.OPEN, "not part of the record", detail), decides=False)


QUESTIONS = (
    AuditQuestion("read", _read),
    AuditQuestion("complete", _complete),
    AuditQuestion("prose", _prose),
    AuditQuestion("derivation", _derivation),
    AuditQuestion("numbers", _numbers),
    AuditQuestion("consistent", _consistent),
    AuditQuestion("conversion", _conversion),
    AuditQuestion("outside", _outside),
)
"""What is asked of a registry record, in this order."""
