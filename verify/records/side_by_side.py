"""Two printed numbers of one quantity: equal, equal within their rounding, or contradictory.

A printed number is a range where it is rounded. Whole numbers among whole numbers are exact.
"""

from collections.abc import Sequence
from fractions import Fraction

from stirred.verify.engines.printed_number import Printed
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import formula_witness
from stirred.verify.prose.tokens import other_reading

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
