"""The numbers of a registry record that others determine: equations in its prose, and conversions that it states.

Two printed numbers of one quantity are equal, equal within their rounding, or contradictory. A printed number is a
range where it is rounded. Whole numbers among whole numbers are exact.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import islice
from typing import NamedTuple

import flint

from stirred.spec.arguments import InputError
from stirred.spec.budgets.zcdp import smallest_zcdp_to_approximate, zcdp_to_approximate
from stirred.spec.numbers.ball import ball_of
from stirred.spec.numbers.enclosure import Enclosure, enclose
from stirred.verify.audit.records.published import TOTALS, total_for_title
from stirred.verify.audit.records.registry import RegistryRecord
from stirred.verify.engines.printed_number import Printed, compare, formula_value
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness
from stirred.verify.laws.claim.budget import CONVERSION
from stirred.verify.laws.statement_text.equations import Equation
from stirred.verify.laws.statement_text.items import Item
from stirred.verify.laws.statement_text.phrases import has, sentence_bounds, starts
from stirred.verify.laws.statement_text.quantities import Quantity
from stirred.verify.laws.statement_text.tokens import other_reading

_SCOPE = "two printed numbers side by side"


def added(parts: Sequence[Printed]) -> Fraction:
    """The sum of printed numbers."""
    return sum((part.value for part in parts), Fraction(0))


def may_meet(whole: Printed, parts: Sequence[Printed]) -> bool:
    """Whether numbers that round to the printed parts can add up to one that rounds to the printed whole."""
    numbers = (whole, *parts)
    # a whole number is rounded only where its neighbours have decimals
    is_rounded = any(number.may_be_rounded for number in numbers)
    slack = sum((number.half_unit for number in numbers), Fraction(0)) if is_rounded else Fraction(0)
    return abs(added(parts) - whole.value) <= slack


def is_ambiguous(whole: Printed, parts: Sequence[Printed]) -> bool:
    """Whether the whole is the sum once "." may be the sign of thousands and "," that of decimals."""
    wholes = [number for number in (whole, other_reading(whole.text)) if number is not None]
    others = [number for number in (other_reading(part.text) for part in parts) if number is not None]
    sums = [parts, others] if len(others) == len(parts) else [parts]
    return any(may_meet(number, numbers) for number in wholes for numbers in sums)


def side_by_side(what: str, one: tuple[str, Printed], other: tuple[str, Printed]) -> Evidence:
    """Whether two printed numbers contradict each other.

    Args:
        what: the quantity.
        one: who prints the first number, and the number.
        other: the same of the second.
    """
    (who, first), (whose, second) = one, other
    detail = f"{what}: {first.text} in {who}; {second.text} in {whose}"
    if first.value == second.value:
        return Evidence(Verdict.EXHAUSTED, _SCOPE, detail)
    if may_meet(first, (second,)):
        return Evidence(
            Verdict.OPEN, _SCOPE, f"{detail}, which agree within their rounding", agrees="within their rounding"
        )
    if is_ambiguous(first, (second,)):
        return Evidence(Verdict.OPEN, _SCOPE, f"{detail}; they agree if ',' and '.' are not used as in English")
    low, high = sorted((first, second), key=lambda number: number.value)
    is_rounded = first.may_be_rounded or second.may_be_rounded
    witness = formula_witness(
        "larger - smaller <= half_units",
        note=what,
        larger=high.value,
        smaller=low.value,
        half_units=low.half_unit + high.half_unit if is_rounded else 0,
    )
    return Evidence(Verdict.REFUTED, _SCOPE, f"{detail}, which contradict each other", witness)


# Conversions of ρ² to (ε, δ) that a record states: by which rule its ε follows, and when no rule gives it.
#
# Below the exact ε of Gaussian noise with this ρ² no conversion of ρ² can lie, since that noise has it; what is known
# besides, such as ε-DP, may be smaller. Above it every larger ε holds too, so that no number is wrong there.

_RULES = (
    ("the printed formula", zcdp_to_approximate),
    ("the smallest over all Renyi orders", smallest_zcdp_to_approximate),
)


def gaussian_delta(rho_squared: Fraction, epsilon: Fraction) -> Enclosure:
    """The smallest δ for which Gaussian noise with the zCDP budget ρ² > 0 is (ε, δ)-DP, as an enclosure.

    With μ = √(2ρ²) it is Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ).

    Source: Balle and Wang (2018), Theorem 8.

    >>> gaussian_delta(Fraction("0.0728"), Fraction("1.453")).text(3)
    '0.0000128'
    """

    def value() -> flint.arb:
        mu, at = (2 * ball_of(rho_squared)).sqrt(), ball_of(epsilon)
        root = flint.arb(2).sqrt()
        upper, lower = (at / mu - mu / 2) / root, (at / mu + mu / 2) / root
        return (upper.erfc() - at.exp() * lower.erfc()) / 2

    return enclose(value, digits=40)


def _is_pure(epsilon: Printed, least: Fraction, most: Fraction) -> bool:
    """Whether a ρ² from `least` to `most` may be that of ε-DP: ε·tanh(ε/2), as randomized response has, to ε²/2.

    Source: Bun and Steinke (2016), Proposition 1.4.
    """
    low, high = max(epsilon.value - epsilon.half_unit, Fraction(0)), epsilon.value + epsilon.half_unit
    smallest = enclose(lambda: ball_of(low) * (ball_of(low) / 2).tanh())
    return smallest.lower <= most and least <= high**2 / 2


def conversion_evidence(
    where: str, rho: Printed, epsilon: Printed, delta: Printed, *, is_stated: bool = True
) -> Evidence:
    """Whether ε belongs to ρ² at δ.

    ENCLOSED by the printed formula or the smallest conversion; REFUTED where words state that it is converted and it is
    too small for any conversion of any ρ² that rounds to the printed one; OPEN elsewhere.

    Args:
        where: the place, in messages.
        rho: ρ² as printed.
        epsilon: ε as printed.
        delta: δ as printed, in (0, 1).
        is_stated: whether words say that this ε is converted from this ρ², or the two only stand side by side.
    """
    what = f"{where}: epsilon at delta = {delta.text} from rho^2 = {rho.text}"
    by_formula = zcdp_to_approximate(rho.value, delta.value)
    if epsilon.agrees_with(by_formula):
        return compare(epsilon, by_formula, CONVERSION, what, rho2=rho, delta=delta)
    shown = "; ".join(f"{epsilon.like(rule(rho.value, delta.value))} by {name}" for name, rule in _RULES)
    detail = f"{what}: printed {epsilon.text}, recomputed {shown}"
    scope = f"both conversions at rho^2 = {rho.text} and for every rho^2 that rounds to it"
    if epsilon.agrees_with(smallest_zcdp_to_approximate(rho.value, delta.value)):
        return Evidence(Verdict.ENCLOSED, scope, detail)
    low, high = max(rho.value - rho.half_unit, Fraction(0)), rho.value + rho.half_unit
    explained = [
        name
        for name, rule in _RULES
        if rule(low, delta.value).lower <= epsilon.value + epsilon.half_unit
        and rule(high, delta.value).upper >= epsilon.value - epsilon.half_unit
    ]
    if explained:
        reason = f"a rho^2 that rounds to {rho.text} gives it by {' or '.join(explained)}"
        return Evidence(
            Verdict.OPEN,
            scope,
            f"{detail}; {reason}, which the record does not print",
            agrees="by a conversion that the record does not print, of a rho^2 that rounds to the printed one",
        )
    if not is_stated:
        return Evidence(Verdict.OPEN, scope, f"{detail}; nothing says that this epsilon is converted from this rho")
    most = epsilon.value + epsilon.half_unit
    if low == 0 or gaussian_delta(low, max(most, Fraction(0))).lower <= delta.value:
        reason = "another rule, or what is known of the mechanism's noise, may give it; a larger epsilon holds too"
        return Evidence(Verdict.OPEN, scope, f"{detail}; {reason}")
    if _is_pure(epsilon, low, high):
        reason = f"{epsilon.text}-DP has such a rho^2, at most epsilon^2/2, and needs no delta"
        return Evidence(Verdict.OPEN, scope, f"{detail}; {reason}")
    values = {"rho2": rho.value, "delta": delta.value, "printed": epsilon.value, "half_unit": epsilon.half_unit}
    witness = formula_witness(f"{CONVERSION} <= printed + half_unit", note=what, **values)
    return Evidence(Verdict.REFUTED, scope, f"{detail}; not even Gaussian noise has it", witness)


def implication_evidence(key: str, rho: Printed, epsilon: Printed, delta: Printed) -> Evidence:
    """Whether ρ²-zCDP implies (ε, δ)-DP, which a text calls weaker."""
    what = f"{key}: rho^2 = {rho.text} implies ({epsilon.text}, {delta.text})-DP"
    scope = "the two conversions at the printed numbers"
    value = zcdp_to_approximate(rho.value, delta.value)
    smallest = smallest_zcdp_to_approximate(rho.value, delta.value)
    detail = f"{what}: it gives epsilon = {value.text()} by the printed formula, {smallest.text()} by the smallest"
    if min(value.upper, smallest.upper) <= epsilon.value:
        return Evidence(Verdict.ENCLOSED, scope, detail)
    return Evidence(Verdict.OPEN, scope, f"{detail}, neither at most {epsilon.text}")


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
