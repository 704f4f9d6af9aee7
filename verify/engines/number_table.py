"""Tables of printed numbers: each row recomputed by its formula, up to the first that fails."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from stirred.spec.enclosure import Enclosure
from stirred.verify.engines.printed_number import Printed, compare, formula_value, parse_printed
from stirred.verify.engines.rounded_inputs import compare_rounded, rounded_inputs
from stirred.verify.evidence.finding import Evidence

__all__ = ["PrintedRow", "agree", "in_fractions"]

_DECIMAL = re.compile(r"(?<![\w.])(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?")
"""A decimal in a formula: with a point or an exponent."""


@dataclass(frozen=True)
class PrintedRow:
    """A printed number with the formula that it is claimed to be the value of.

    Attributes:
        what: what the number is, in words.
        printed: the number as printed.
        formula: in the language of `verify.engines.printed_number.formula_value`.
        inputs: the numbers for the names in the formula, as printed.
        rounded: the inputs that were rounded after the number was computed; the others are taken exactly.
    """

    what: str
    printed: Printed
    formula: str
    inputs: Mapping[str, Printed] = field(default_factory=dict)
    rounded: tuple[str, ...] = ()

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
        """The printed number beside the formula's value, or one that was computed apart; see `rounded` too."""
        if self.rounded:
            return compare_rounded(self.printed, self.formula, self.what, self.rounded, self.inputs)
        recomputed = self.value() if value is None else value
        return compare(self.printed, recomputed, self.formula, self.what, **self.inputs)

    def agreeing_inputs(self) -> Mapping[str, Fraction]:
        """The inputs that `compared` took: as printed, or such as round to the printed ones and give the number.

        Raises:
            EngineError: none are found.
        """
        if self.rounded:
            return rounded_inputs(self.printed, self.formula, self.what, self.rounded, self.inputs)
        return {name: number.value for name, number in self.inputs.items()}


def in_fractions(formula: str) -> str:
    """The formula on one line, its decimals written as fractions.

    >>> in_fractions("1.645*sqrt(x)/2e3")
    '(329/200)*sqrt(x)/(2000)'
    """
    return _DECIMAL.sub(lambda found: f"({Fraction(found[0])})", " ".join(formula.split()))


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
