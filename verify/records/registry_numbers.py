"""The numbers of a registry record: equations in its prose, conversions, and a whole beside its parts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction

from spec.arguments import InputError
from spec.enclosure import Enclosure
from spec.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from verify.evidence import Evidence, formula_witness
from verify.printed_number import Printed, compare, formula_value
from verify.records.prose import Item, items
from verify.records.published import TOTALS, total_for_title
from verify.records.registry import RegistryRecord
from verify.verdict import Verdict

__all__ = ["conversion_evidence", "registry_numbers", "stated_delta"]

_LETTERS = {"rho": "ρ", "epsilon": "ε", "delta": "δ"}
_DETAILS = "privacy_loss.privacy_parameters_details"
_FORMULA = "rho2 + 2*sqrt(rho2*ln(1/delta))"
_WHOLE = re.compile(r"(?i)\b(?:global|overall|total)\b")
_EACH = re.compile(r"(?i)\b(?:each|per|every|hourly|daily|weekly|monthly|quarterly|yearly|annual(?:ly)?)\b")
_SPLIT = re.compile(r"(?i)\bsplit\b|\bdivided (?:between|among|into)\b|\bsum of\b")
_CORRESPONDS = re.compile(r"(?i)\bcorrespond|\bequivalent\b|\bconvert")
_STRONGER = re.compile(r"(?i)\bstronger\b|\bimpl(?:y|ies)\b|\bsatisf(?:y|ies)\b")


def _main(record: RegistryRecord) -> tuple[str, Printed] | None:
    """The letter and the number of the stated budget."""
    for name in ("rho", "epsilon"):
        if name in record.parameters:
            return _LETTERS[name], record.parameters[name]
    return None


def stated_delta(record: RegistryRecord) -> Printed | None:
    """The δ in (0, 1) that the parameters state, or the only one that their details state."""
    stated = record.parameters.get("delta")
    found = [stated] if stated is not None else []
    for item in items(record.text(_DETAILS) or ""):
        found += [assignment.number for assignment in item.assignments() if assignment.letter == "δ"]
    values = {number.value for number in found if 0 < number.value < 1}
    return found[0] if len(values) == 1 and 0 < found[0].value < 1 else None


def registry_numbers(record: RegistryRecord) -> Iterator[Evidence]:
    """Every number of the record that others determine."""
    for key, text in record.texts.items():
        if key == "administrative.sources":
            continue
        for item in items(text):
            yield from _equations(key, item)
            yield from _converted(record, key, item)
    parameters = record.parameters
    delta = parameters.get("delta")
    if "rho" in parameters and "epsilon" in parameters and delta is not None and delta.value > 0:
        yield conversion_evidence("privacy_parameters", parameters["rho"], parameters["epsilon"], delta)
    yield from _whole(record)
    yield from _parts(record)
    yield from _published(record)


def _equations(key: str, item: Item) -> Iterator[Evidence]:
    for equation in item.equations():
        try:
            value = formula_value(key, equation.expression, {})
        except InputError as error:
            yield Evidence(Verdict.OPEN, key, f"{equation.expression} = {equation.printed.text}: not computed: {error}")
            continue
        yield compare(equation.printed, value, equation.expression, f"{key}: {equation.expression}")


def _converted(record: RegistryRecord, key: str, item: Item) -> Iterator[Evidence]:
    """ρ, ε and δ that one item states together: whether they belong together as its words say."""
    by_letter: dict[str, list[Printed]] = {}
    for assignment in item.assignments():
        by_letter.setdefault(assignment.letter, []).append(assignment.number)
    if set(by_letter) != {"ρ", "ε", "δ"} or any(len(numbers) > 1 for numbers in by_letter.values()):
        return
    rho, epsilon, delta = (by_letter[letter][0] for letter in "ρεδ")
    if not 0 < delta.value < 1:
        yield Evidence(Verdict.OPEN, key, f"delta = {delta.text} is not between 0 and 1, so nothing is converted")
    elif _CORRESPONDS.search(item.text):
        evidence = conversion_evidence(f"{key}{': ' + item.label if item.label else ''}", rho, epsilon, delta)
        detail = f"{evidence.detail}{_elsewhere(record, rho, epsilon)}"
        yield Evidence(evidence.verdict, evidence.scope, detail, evidence.witness)
    elif _STRONGER.search(item.text):
        yield _implied(key, rho, epsilon, delta)


def _elsewhere(record: RegistryRecord, rho: Printed, epsilon: Printed) -> str:
    """Another ε that the sources print for the same ρ² of this product."""
    if total_for_title(record.title) is None:
        return ""
    for total in TOTALS:
        if total.rho_squared.value == rho.value and total.epsilon is not None and total.epsilon.value != epsilon.value:
            return f"; {total.source} prints epsilon = {total.epsilon.text} for {total.product}, {rho.text}"
    return ""


def conversion_evidence(where: str, rho: Printed, epsilon: Printed, delta: Printed) -> Evidence:
    """Whether ε belongs to ρ² at δ by the printed formula or by the smallest conversion.

    OPEN where neither gives it at the printed ρ² but one does at a ρ² that rounds to it; REFUTED where none does.
    """
    what = f"{where}: epsilon at delta = {delta.text} from rho^2 = {rho.text}"
    rules = (
        ("the printed formula", zcdp_to_approximate),
        ("the smallest over all Renyi orders", smallest_zcdp_to_approximate),
    )
    by_formula = zcdp_to_approximate(rho.value, delta.value)
    if epsilon.agrees_with(by_formula):
        return compare(epsilon, by_formula, _FORMULA, what, rho2=rho, delta=delta)
    shown = "; ".join(f"{epsilon.like(rule(rho.value, delta.value))} by {name}" for name, rule in rules)
    detail = f"{what}: printed {epsilon.text}, recomputed {shown}"
    scope = f"both conversions at rho^2 = {rho.text} and for every rho^2 that rounds to it"
    if epsilon.agrees_with(smallest_zcdp_to_approximate(rho.value, delta.value)):
        return Evidence(Verdict.ENCLOSED, scope, detail)
    low, high = max(rho.value - rho.half_unit, Fraction(0)), rho.value + rho.half_unit
    explained = [
        name
        for name, rule in rules
        if rule(low, delta.value).lower <= epsilon.value + epsilon.half_unit
        and rule(high, delta.value).upper >= epsilon.value - epsilon.half_unit
    ]
    if explained:
        reason = f"a rho^2 that rounds to {rho.text} gives it by {' or '.join(explained)}"
        return Evidence(Verdict.OPEN, scope, f"{detail}; {reason}, which the record does not print")
    ends = [rule(end, delta.value) for _, rule in rules for end in (low, high)]
    if not all(
        end.upper < epsilon.value - epsilon.half_unit or end.lower > epsilon.value + epsilon.half_unit for end in ends
    ):
        return Evidence(Verdict.OPEN, scope, f"{detail}; the enclosures do not decide it")
    is_below = by_formula.lower > epsilon.value
    claimed = f"{_FORMULA} <= printed + half_unit" if is_below else f"{_FORMULA} >= printed - half_unit"
    values = {"rho2": rho.value, "delta": delta.value, "printed": epsilon.value, "half_unit": epsilon.half_unit}
    return Evidence(Verdict.REFUTED, scope, detail, formula_witness(claimed, note=what, **values))


def _implied(key: str, rho: Printed, epsilon: Printed, delta: Printed) -> Evidence:
    """Whether ρ²-zCDP implies (ε, δ)-DP, which a text calls weaker."""
    what = f"{key}: rho^2 = {rho.text} implies ({epsilon.text}, {delta.text})-DP"
    scope = "the two conversions at the printed numbers"
    value = zcdp_to_approximate(rho.value, delta.value)
    smallest = smallest_zcdp_to_approximate(rho.value, delta.value)
    detail = f"{what}: it gives epsilon = {value.text()} by the printed formula, {smallest.text()} by the smallest"
    if min(value.upper, smallest.upper) <= epsilon.value:
        return Evidence(Verdict.ENCLOSED, scope, detail)
    return Evidence(Verdict.OPEN, scope, f"{detail}, neither at most {epsilon.text}")


def _whole(record: RegistryRecord) -> Iterator[Evidence]:
    """A global, overall or total budget in the details beside the stated one."""
    main = _main(record)
    if main is None:
        return
    letter, stated = main
    for item in items(record.text(_DETAILS) or ""):
        if item.label or not _WHOLE.search(item.text):
            continue
        for assignment in item.assignments()[:1]:
            if assignment.letter == letter:
                value = assignment.number.value
                what = f"{_DETAILS}: the whole budget {letter} = {assignment.number.text} beside privacy_parameters"
                evidence = compare(stated, Enclosure(value, value), str(value), what)
                if evidence.verdict is Verdict.REFUTED and _EACH.search(item.text):
                    detail = f"{evidence.detail}; the text speaks of a period or share, so they need not be one budget"
                    evidence = Evidence(Verdict.OPEN, evidence.scope, detail)
                yield evidence


def _parts(record: RegistryRecord) -> Iterator[Evidence]:
    """The labelled parts of the budget, added up beside the whole.

    Where an item says that a budget is split, its parts are the labelled items nested under it, and they must add up to
    it. Elsewhere all labelled items are added beside the stated budget, and a difference contradicts nothing.
    """
    main = _main(record)
    if main is None:
        return
    letter, whole = main
    found = list(items(record.text(_DETAILS) or ""))
    split = next((i for i, item in enumerate(found) if _SPLIT.search(item.text) and _single(item, letter)), None)
    if split is not None:
        whole = _single(found[split], letter) or whole
        after = found[split + 1 :]
        found = after[: next((i for i, item in enumerate(after) if item.depth <= found[split].depth), len(after))]
    parts = [
        (item.label, number)
        for item in found
        if item.label and not _WHOLE.search(item.label) and (number := _single(item, letter)) is not None
    ]
    if len(parts) < 2:
        return
    total = sum((number.value for _, number in parts), Fraction(0))
    formula = " + ".join(number.text.replace(",", "") for _, number in parts)
    names = ", ".join(f"{label} {number.text}" for label, number in parts)
    evidence = compare(whole, Enclosure(total, total), formula, f"{letter} as the sum of its parts ({names})")
    if evidence.verdict is not Verdict.REFUTED:
        yield evidence
        return
    note = _difference(whole.value - total)
    if split is not None and not any(_EACH.search(item.text) for item in found):
        detail = f"{evidence.detail}, though the record says that it is split between them{note}"
        yield Evidence(Verdict.REFUTED, evidence.scope, detail, evidence.witness)
    else:
        detail = f"{evidence.detail}; the record does not say of one budget that they add up to it{note}"
        yield Evidence(Verdict.OPEN, evidence.scope, detail)


def _single(item: Item, letter: str) -> Printed | None:
    """The one number that an item gives a letter, None where there is none or several."""
    numbers = [assignment.number for assignment in item.assignments() if assignment.letter == letter]
    return numbers[0] if len(numbers) == 1 else None


def _difference(difference: Fraction) -> str:
    """A published total that equals what is missing from a sum."""
    for total in TOTALS:
        if total.rho_squared.value == difference:
            return (
                f"; the difference is the published rho^2 of {total.product}, {total.rho_squared.text} ({total.source})"
            )
    return ""


def _published(record: RegistryRecord) -> Iterator[Evidence]:
    published, rho = total_for_title(record.title), record.parameters.get("rho")
    if published is not None and rho is not None:
        value = Enclosure(rho.value, rho.value)
        what = f"rho^2 of {published.product} as printed in {published.source}, beside the record's {rho.text}"
        yield compare(published.rho_squared, value, str(rho.value), what)
