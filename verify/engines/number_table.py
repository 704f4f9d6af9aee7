"""Tables of printed numbers: each row recomputed by its formula, up to the first that fails."""

from __future__ import annotations

import itertools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from stirred.spec.arguments import InputError
from stirred.spec.numbers.enclosure import Enclosure, decimal_text
from stirred.verify.engines.printed_number import Printed, compare, formula_range, formula_value, parse_printed
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict

# Printed numbers that were computed before their inputs were rounded: whether some exact inputs give both.

_HALVINGS = 60

Inputs = Mapping[str, Fraction]


def compare_rounded(
    printed: Printed, formula: str, what: str, rounded: Sequence[str], values: Mapping[str, Printed]
) -> Evidence:
    """Whether a formula gives a printed number at some exact inputs that round to the printed ones.

    ENCLOSED with such inputs, or EXHAUSTED where the value there is rational; REFUTED where all values at such inputs
    lie on one side of the printed number, witnessed by the nearest value at their ends; else OPEN.
    """
    shown = ", ".join(f"{name} = {number.text}" for name, number in values.items())
    may_be = f"where {' and '.join(rounded)} may be any number that rounds to the printed one"
    scope = f"{formula} at {shown}, {may_be}, compared at the printed precision"
    try:
        return _Rounding(printed, formula, what, rounded, values, scope).evidence()
    except InputError as error:
        return Evidence(Verdict.OPEN, scope, str(error))


def rounded_inputs(
    printed: Printed, formula: str, what: str, rounded: Sequence[str], values: Mapping[str, Printed]
) -> Inputs:
    """Exact inputs that round to the printed ones and give the printed number."""
    rounding = _Rounding(printed, formula, what, rounded, values, "")
    corners = rounding.corners()
    found = rounding.between(corners[0], corners[-1])
    if found is None:
        raise EngineError(f"{what}: no inputs were found that give it")
    return found


@dataclass(frozen=True)
class _Rounding:
    printed: Printed
    formula: str
    what: str
    rounded: Sequence[str]
    values: Mapping[str, Printed]
    scope: str

    def corners(self) -> list[dict[str, Fraction]]:
        """The inputs at their ends, by the formula's value."""
        ends = {name: self.ends(name) for name in self.values}
        found = [dict(zip(ends, chosen, strict=True)) for chosen in itertools.product(*map(set, ends.values()))]
        return sorted(found, key=lambda inputs: self.value(inputs).lower)

    def evidence(self) -> Evidence:
        corners = self.corners()
        reached = formula_range(self.what, self.formula, {name: self.ends(name) for name in self.values})
        if reached is not None and self.printed.agrees_with(reached) is False:
            found = self.at(corners[0] if reached.lower > self.printed.value else corners[-1])
            return Evidence(found.verdict, self.scope, found.detail, found.witness)
        inputs = self.between(corners[0], corners[-1])
        if inputs is None:
            detail = f"{self.what}: printed {self.printed.text}; no inputs were found that give it"
            return Evidence(Verdict.OPEN, self.scope, detail)
        found = self.at(inputs)
        shown = ", ".join(f"{decimal_text(inputs[name], 60)} for {self.values[name].text}" for name in self.rounded)
        return Evidence(found.verdict, self.scope, f"{found.detail}, at {shown}")

    def ends(self, name: str) -> tuple[Fraction, Fraction]:
        number = self.values[name]
        half_unit = number.half_unit if name in self.rounded else 0
        return number.value - half_unit, number.value + half_unit

    def value(self, inputs: Inputs) -> Enclosure:
        return formula_value(self.what, self.formula, inputs)

    def at(self, inputs: Inputs) -> Evidence:
        exact = {name: Printed(str(x), x) if name in self.rounded else self.values[name] for name, x in inputs.items()}
        return compare(self.printed, self.value(inputs), self.formula, self.what, **exact)

    def between(self, below: Inputs, above: Inputs) -> Inputs | None:
        """Inputs that give the printed number, on the line from some that give less to some that give more."""
        for _ in range(_HALVINGS):
            middle = {name: (below[name] + above[name]) / 2 for name in below}
            value = self.value(middle)
            if self.printed.agrees_with(value):
                return next(filter(self.is_found, (self.shortened(middle, places) for places in range(60))), middle)
            below, above = (middle, above) if value.upper < self.printed.value else (below, middle)
        return None

    def shortened(self, inputs: Inputs, places: int) -> Inputs:
        return {name: round(x, places) if name in self.rounded else x for name, x in inputs.items()}

    def is_found(self, inputs: Inputs) -> bool:
        """Whether these inputs lie strictly within the rounding and give the printed number."""
        within = all(low < inputs[name] < high for name in self.rounded for low, high in [self.ends(name)])
        return within and self.printed.agrees_with(self.value(inputs)) is True


_DECIMAL = re.compile(r"(?<![\w.])(?:[0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))(?:[eE][+-]?[0-9]+)?")
"""A decimal in a formula: with a point or an exponent."""


@dataclass(frozen=True)
class PrintedRow:
    """A printed number with the formula that it is claimed to be the value of.

    Attributes:
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
        """The inputs that `compared` took: as printed, or such as round to the printed ones and give the number."""
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
