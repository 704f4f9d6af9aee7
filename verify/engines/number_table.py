"""Tables of printed numbers: each row recomputed by its formula at the printed inputs, up to the first that fails."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from spec.enclosure import Enclosure
from verify.engines.printed_number import Printed, compare, formula_value, parse_printed
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict

__all__ = ["PrintedRow", "agree", "rounds_to_both"]


@dataclass(frozen=True)
class PrintedRow:
    """A printed number with the formula that it is claimed to be the value of.

    Attributes:
        what: what the number is, in words.
        printed: the number as printed.
        formula: in the language of `verify.engines.printed_number.formula_value`.
        inputs: the numbers for the names in the formula, as printed.
    """

    what: str
    printed: Printed
    formula: str
    inputs: Mapping[str, Printed] = field(default_factory=dict)

    @classmethod
    def of_texts(cls, what: str, printed: str, formula: str, inputs: Mapping[str, str] | None = None) -> PrintedRow:
        """The row whose numbers are read from their texts.

        Raises:
            InputError: a text is no number.

        >>> PrintedRow.of_texts("root", "1.41", "sqrt(x)", {"x": "2.0"}).compared().verdict.name
        'ENCLOSED'
        """
        numbers = {name: parse_printed(name, text) for name, text in (inputs or {}).items()}
        return cls(what, parse_printed(what, printed), formula, numbers)

    def value(self, **changed: Fraction) -> Enclosure:
        """The formula's value at the printed inputs, taken exactly, or at others in their place."""
        exact = {name: number.value for name, number in self.inputs.items()}
        return formula_value(self.what, self.formula, {**exact, **changed})

    def compared(self, value: Enclosure | None = None) -> Evidence:
        """The printed number beside the formula's value, or beside a value that was computed apart."""
        recomputed = self.value() if value is None else value
        return compare(self.printed, recomputed, self.formula, self.what, **self.inputs)


def agree(rows: Sequence[PrintedRow], scope: str) -> Evidence:
    """Whether every printed number agrees with its formula at the printed precision.

    Returns:
        ENCLOSED, or EXHAUSTED where every value is rational; else the verdict on the first row that does not agree.
    """
    details, verdicts = [], []
    for row in rows:
        evidence = row.compared()
        if not evidence.verdict.is_settled_for:
            return Evidence(evidence.verdict, scope, evidence.detail, evidence.witness)
        details.append(evidence.detail)
        verdicts.append(evidence.verdict)
    return Evidence(max(verdicts), scope, "; ".join(details))


def rounds_to_both(row: PrintedRow, name: str, places: int) -> Evidence:
    """Whether some input that rounds to the printed one has a value that rounds to the printed result.

    The decimals with so many places that round to the printed input are tried in order.

    Args:
        row: the printed number; its other inputs are taken exactly.
        name: the input that may have been rounded.
        places: the decimal places of the inputs tried.

    Returns:
        ENCLOSED with the first such input; else REFUTED, which the formula's values at the two ends of the input's
        interval witness where the formula increases in it.

    Raises:
        EngineError: no decimal that was tried agrees, and the values at the ends do not settle it.
    """
    printed, rounded = row.printed, row.inputs[name]
    scope = f"{row.formula} at the decimals with {places} places that round to {name} = {rounded.text}"
    low, high = rounded.value - rounded.half_unit, rounded.value + rounded.half_unit

    step = Fraction(1, 10**places)
    candidate = low
    while candidate < high:
        if printed.agrees_with(value := row.value(**{name: candidate})):
            shown = f"{name} = {_decimal(candidate, places)} rounds to {rounded.text}"
            detail = f"{row.what}: printed {printed.text}; {shown} and gives {value.text(8)}"
            return Evidence(Verdict.ENCLOSED, scope, detail)
        candidate += step
    if row.value(**{name: high}).upper < printed.value - printed.half_unit:
        end = high
    elif row.value(**{name: low}).lower > printed.value + printed.half_unit:
        end = low
    else:
        raise EngineError(f"{row.what}: no decimal with {places} places settles it")
    evidence = replace(row, inputs={**row.inputs, name: Printed(str(end), end)}).compared()
    return Evidence(evidence.verdict, scope, evidence.detail, evidence.witness)


def _decimal(value: Fraction, places: int) -> str:
    """A decimal with so many places, written out exactly."""
    digits = f"{int(value * 10**places):0{places + 1}d}"
    return f"{digits[:-places]}.{digits[-places:]}"
