"""The numbers of a registry record that others determine: equations in its prose, and conversions."""

from __future__ import annotations

import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice

from spec.arguments import InputError
from spec.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from verify.engines.printed_number import Printed, compare, formula_value
from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.records.prose import Equation, Item, is_denied
from verify.records.published import TOTALS, total_for_title
from verify.records.registry import RegistryRecord

__all__ = ["conversion_evidence", "registry_numbers", "stated_delta", "stated_deltas", "unread_numbers"]

_FORMULA = "rho2 + 2*sqrt(rho2*ln(1/delta))"
_CORRESPONDS = re.compile(r"(?i)\bcorrespond|\bequivalent\b|\bconvert")
_STRONGER = re.compile(r"(?i)\bstronger\b|\bimpl(?:y|ies)\b|\bsatisf(?:y|ies)\b")
_MAX_STATEMENTS = 200
_MAX_LISTED = 10


def stated_deltas(record: RegistryRecord) -> tuple[tuple[str, Printed], ...]:
    """Every δ that the record states as a number, with its place: the parameters, then the texts in order."""
    delta = record.parameters.get("delta")
    found = [("privacy_parameters", delta)] if delta is not None else []
    for key, item in _prose(record):
        found += [(key, assignment.number) for assignment in item.assignments() if assignment.letter == "δ"]
    return tuple(found)


def stated_delta(record: RegistryRecord) -> Printed | None:
    """The δ in (0, 1) that the parameters state, or the only one that the texts state; None where there is no one."""
    found = [(key, number) for key, number in stated_deltas(record) if 0 < number.value < 1]
    if found and found[0][0] == "privacy_parameters":
        return found[0][1]
    is_read = "delta" not in record.formulas and all(item.is_read("δ") for _, item in _prose(record))
    return found[0][1] if is_read and len({number.value for _, number in found}) == 1 else None


def unread_numbers(record: RegistryRecord) -> Iterator[str]:
    """What the prose states in the form of an equation and the audit does not read, each with its place."""
    found = [f"{text!r} ({key})" for key, item in _prose(record) for text in item.unread()]
    yield from found[:_MAX_LISTED]
    if len(found) > _MAX_LISTED:
        yield f"{len(found) - _MAX_LISTED} more of this kind"
    statements = sum(1 for _ in _statements(record))
    if statements > _MAX_STATEMENTS:
        yield f"{statements - _MAX_STATEMENTS} more equations and conversions; at most {_MAX_STATEMENTS} are recomputed"


def registry_numbers(record: RegistryRecord) -> Iterator[Evidence]:
    """The equations and conversions of the record, at most 200 of its prose."""
    for key, item, equation in islice(_statements(record), _MAX_STATEMENTS):
        yield from _converted(record, key, item) if equation is None else (_worked_out(key, equation),)
    parameters = record.parameters
    delta = parameters.get("delta")
    if "rho" in parameters and "epsilon" in parameters and delta is not None and delta.value > 0:
        yield _side_by_side(conversion_evidence("privacy_parameters", parameters["rho"], parameters["epsilon"], delta))


def _side_by_side(conversion: Evidence) -> Evidence:
    """The conversion of fields that stand side by side: that they differ from it refutes nothing that they say."""
    if conversion.verdict is not Verdict.REFUTED:
        return conversion
    doubt = "nothing says that this epsilon is converted from this rho"
    return Evidence(Verdict.OPEN, conversion.scope, f"{conversion.detail}; {doubt}")


def _prose(record: RegistryRecord) -> Iterator[tuple[str, Item]]:
    """Every item, with the key of its text."""
    for key, found in record.prose.items():
        yield from ((key, item) for item in found)


def _statements(record: RegistryRecord) -> Iterator[tuple[str, Item, Equation | None]]:
    """Every equation, and every item with one ρ, ε and δ, which has None for the equation."""
    for key, item in _prose(record):
        for equation in item.equations():
            yield key, item, equation
        if _three(item) is not None:
            yield key, item, None


def _three(item: Item) -> tuple[Printed, Printed, Printed] | None:
    """The one ρ, ε and δ of an item; None where one of them is missing or stands more than once."""
    rho, epsilon, delta = (item.single(letter) for letter in "ρεδ")
    if rho is None or epsilon is None or delta is None:
        return None
    return rho.number, epsilon.number, delta.number


def _worked_out(key: str, equation: Equation) -> Evidence:
    evidence = _recomputed(key, equation)
    other = equation.other_reading() if evidence.verdict is Verdict.REFUTED else None
    if other is None or not _recomputed(key, other).verdict.is_settled_for:
        return evidence
    return Evidence(
        Verdict.OPEN, evidence.scope, f"{evidence.detail}; it holds if ',' and '.' are not used as in English"
    )


def _recomputed(key: str, equation: Equation) -> Evidence:
    try:
        value = formula_value(key, equation.expression, {})
    except InputError as error:
        detail = f"{equation.expression} = {equation.printed.text}: not computed: {error}"
        return Evidence(Verdict.OPEN, key, detail)
    return compare(equation.printed, value, equation.expression, f"{key}: {equation.expression}")


def _converted(record: RegistryRecord, key: str, item: Item) -> Iterator[Evidence]:
    """ρ, ε and δ that one item states together: whether they belong together as its words say."""
    three = _three(item)
    if three is None:
        return
    rho, epsilon, delta = three
    if not 0 < delta.value < 1:
        yield Evidence(Verdict.OPEN, key, f"delta = {delta.text} is not between 0 and 1, so nothing is converted")
    elif _says(item, _CORRESPONDS):
        evidence = conversion_evidence(f"{key}{': ' + item.label if item.label else ''}", rho, epsilon, delta)
        detail = f"{evidence.detail}{_elsewhere(record, rho, epsilon)}"
        yield Evidence(evidence.verdict, evidence.scope, detail, evidence.witness)
    elif _says(item, _STRONGER):
        yield _implied(key, rho, epsilon, delta)


def _says(item: Item, words: re.Pattern[str]) -> bool:
    """Whether an item uses words of a kind, and denies none of them."""
    found = list(words.finditer(item.text))
    return bool(found) and not any(is_denied(item.text, match.start()) for match in found)


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
