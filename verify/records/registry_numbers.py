"""The numbers of a registry record that others determine: equations in its prose, and conversions that it states."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from typing import NamedTuple

from stirred.spec.arguments import InputError
from stirred.verify.engines.printed_number import Printed, compare, formula_value
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.prose.equations import Equation
from stirred.verify.prose.items import Item
from stirred.verify.prose.phrases import has, sentence_bounds, starts
from stirred.verify.prose.quantities import Quantity
from stirred.verify.records.conversions import conversion_evidence, implication_evidence
from stirred.verify.records.published import TOTALS, total_for_title
from stirred.verify.records.registry import RegistryRecord

__all__ = [
    "MAX_STATEMENTS",
    "connected_numbers",
    "fields_converted",
    "registry_numbers",
    "stated_delta",
    "stated_deltas",
    "statement_count",
]

MAX_STATEMENTS = 200
_CONVERTED = (
    *("corresponds to", "correspond to", "corresponding to", "equivalent to", "converts to", "converted to"),
    *("convert to", "translates to", "translated to"),
)
"""What says of the ρ before it that the ε behind it is its conversion."""

_BETWEEN = (
    *(",", "(", ")", "which", "that", "and", "it", "is", "was", "used", "can", "be", "then", "approximately", "about"),
    *("an", "a", "the", "privacy", "-", "zcdp", "dp", "budget"),
)
"""What may stand between the ρ, those words and the ε."""

_STRONGER = ("stronger", "imply", "implies", "satisfy", "satisfies")


class _Stated(NamedTuple):
    """ρ, ε and δ that words connect."""

    item: Item
    rho: Printed
    epsilon: Printed
    delta: Printed
    is_converted: bool
    places: tuple[int, ...]


def stated_deltas(record: RegistryRecord) -> tuple[tuple[str, Printed], ...]:
    """Every δ that the record states as a number, with its place: the parameters, then the texts in order."""
    delta = record.parameters.get("delta")
    found = [("privacy_parameters", delta)] if delta is not None else []
    for key, item in record.items():
        found += [(key, one.number) for one in item.quantities if one.letter == "δ" and one.number is not None]
    return tuple(found)


def stated_delta(record: RegistryRecord) -> Printed | None:
    """The δ in (0, 1) that the parameters state, or the only one that the texts state; None where there is no one."""
    found = [(key, number) for key, number in stated_deltas(record) if 0 < number.value < 1]
    if found and found[0][0] == "privacy_parameters":
        return found[0][1]
    is_read = "delta" not in record.formulas and all(item.is_read("δ") for _, item in record.items())
    return found[0][1] if is_read and len({number.value for _, number in found}) == 1 else None


def registry_numbers(record: RegistryRecord) -> Iterator[Evidence]:
    """The equations and conversions of the record, at most 200 of its prose."""
    for key, statement in islice(_statements(record), MAX_STATEMENTS):
        yield _worked_out(key, statement) if isinstance(statement, Equation) else _connected(record, key, statement)


def fields_converted(record: RegistryRecord) -> Iterator[Evidence]:
    """The conversion of parameters that stand side by side: nothing says that one comes from another."""
    rho, epsilon, delta = (record.parameters.get(name) for name in ("rho", "epsilon", "delta"))
    if rho is not None and epsilon is not None and delta is not None and delta.value > 0:
        yield conversion_evidence("privacy_parameters", rho, epsilon, delta, is_stated=False)


def statement_count(record: RegistryRecord) -> int:
    """How many equations and conversions the prose has."""
    return sum(1 for _ in _statements(record))


def _statements(record: RegistryRecord) -> Iterator[tuple[str, Equation | _Stated]]:
    """Every equation, and every ρ with the ε and δ that words connect with it."""
    for key, item in record.items():
        for equation in item.equations():
            yield key, equation
        for stated in _connections(item):
            yield key, stated


def _connections(item: Item) -> Iterator[_Stated]:
    read = [one for one in item.quantities if one.number is not None]
    for place, rho in enumerate(read):
        if rho.letter != "ρ" or rho.number is None:
            continue
        behind = read[place + 1 : place + 3]
        numbers = {one.letter: one.number for one in behind}
        epsilon, delta = numbers.get("ε"), numbers.get("δ")
        if epsilon is None or delta is None:
            continue
        first = min(one.first for one in behind)
        if first >= sentence_bounds(item.tokens, rho.last)[1]:
            continue
        is_converted = _is_converted(item, rho.last + 1, first)
        if is_converted or (_has_one_of_each(read) and has(item.tokens[:first], _STRONGER)):
            places = (rho.last, *(one.last for one in behind))
            yield _Stated(item, rho.number, epsilon, delta, is_converted, places)


def connected_numbers(item: Item) -> frozenset[int]:
    """The indices of the numbers that a conversion or implication of an item compares."""
    return frozenset(place for stated in _connections(item) for place in stated.places)


def _has_one_of_each(read: list[Quantity]) -> bool:
    return sorted(one.letter for one in read if one.letter in "ρεδ") == ["δ", "ε", "ρ"]


def _is_converted(item: Item, start: int, first: int) -> bool:
    """Whether nothing but the words of a conversion stands between two places."""
    place, is_said = start, False
    while place < first:
        if (end := starts(item.tokens, place, _CONVERTED)) > place:
            place, is_said = end, not item.is_denied(place)
        elif (end := starts(item.tokens, place, _BETWEEN)) > place:
            place = end
        else:
            return False
    return is_said


def _connected(record: RegistryRecord, key: str, stated: _Stated) -> Evidence:
    """ρ, ε and δ that words connect: whether they belong together as the words say."""
    item, rho, epsilon, delta, is_converted, _ = stated
    if not 0 < delta.value < 1:
        return Evidence(Verdict.OPEN, key, f"delta = {delta.text} is not between 0 and 1, so nothing is converted")
    if not is_converted:
        return implication_evidence(key, rho, epsilon, delta)
    evidence = conversion_evidence(f"{key}{': ' + item.label if item.label else ''}", rho, epsilon, delta)
    detail = f"{evidence.detail}{_elsewhere(record, rho, epsilon)}"
    return replace(evidence, detail=detail)


def _elsewhere(record: RegistryRecord, rho: Printed, epsilon: Printed) -> str:
    """Another ε that the sources print for the same ρ² of this product."""
    if total_for_title(record.title) is None:
        return ""
    for total in TOTALS:
        if total.rho_squared.value == rho.value and total.epsilon is not None and total.epsilon.value != epsilon.value:
            return f"; {total.source} prints epsilon = {total.epsilon.text} for {total.product}, {rho.text}"
    return ""


def _worked_out(key: str, equation: Equation) -> Evidence:
    """An equation of the prose; no numbers that round to the printed ones satisfy one that is refuted."""
    evidence = _recomputed(key, equation)
    if evidence.verdict is Verdict.REFUTED and equation.may_hold():
        detail = f"{evidence.detail}; it holds within the rounding of its numbers"
        return Evidence(Verdict.OPEN, evidence.scope, detail, agrees="within their rounding")
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
