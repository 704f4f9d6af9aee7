"""What a refutation means, in one plain sentence: how much likelier some data make an output than is promised.

Such a sentence can be said of pure and of approximate differential privacy, and of premetrics that count records or
measure a number. Every number in it is rounded so that the sentence is true: what is found downward, what is promised
upward; where a few digits do not tell the two apart, nothing is said.
"""

from __future__ import annotations

import json
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from fractions import Fraction
from typing import Any

from stirred.spec.enclosure import exponential
from stirred.spec.loss import Loss
from stirred.verify.certificates.claim_bound import ClaimBound, read_bound, states_bound
from stirred.verify.certificates.decimal_interval import UndecidedError
from stirred.verify.certificates.exact_number import WitnessError
from stirred.verify.certificates.printable import one_line
from stirred.verify.certificates.work import Work
from stirred.verify.evidence.witness import Witness

__all__ = ["plain_sentence"]

_MEASURES = ("multiplicative", "approximate_multiplicative")
_DIGITS = (3, 4, 6, 9, 12)
_EXACT_DIGITS = 40
_LARGEST = 10**9
_MOST_OUTPUTS = 3
_LONGEST = 40

_CHANGES = {
    "hamming_unordered": "Changing",
    "hamming_ordered": "Changing",
    "neighbors_replace_one_unordered": "Changing",
    "neighbors_replace_one_ordered": "Changing",
    "symmetric_difference": "Adding or removing",
    "deletion_distance": "Adding or removing",
    "neighbors_add_remove_unordered": "Adding or removing",
    "neighbors_add_remove_ordered": "Adding or removing",
}
"""What a step of a premetric does to records."""


def plain_sentence(witness: Witness | None) -> str:
    r"""The sentence of the witness of a claim's budget; empty where there is none.

    Args:
        witness: what refutes the claim, as `stirred replay` re-checks it.

    >>> budget = {"input_premetric": {"name": "hamming_ordered", "resolution": "person", "data": "records"},
    ...           "output_premetric": {"name": "multiplicative"}, "budget": {"gamma": "2"}}
    >>> witness = {"kind": "loss", "x": [["yes"]], "x_prime": [["no"]], "event": ["yes"], "claim": budget}
    >>> said = plain_sentence({**witness, "probability": "3/4", "probability_prime": "1/4"})
    >>> print(said.replace("; ", ";\n"))
    Changing the record of one person can make the output "yes" at least 3 times as likely;
    the claim promises at most 2 times.
    """
    if witness is None or witness.get("kind") != "loss" or not states_bound(witness):
        return ""
    try:
        bound = read_bound(witness, Work())
    except (WitnessError, UndecidedError):  # too long to be read again: the refutation stands, without plain words
        return ""
    change = _change(witness["claim"]["input_premetric"], bound.d)
    if bound.measure not in _MEASURES or not change:
        return ""
    p, q = (Fraction(witness[key]) for key in ("probability", "probability_prime"))
    outputs = _outputs(witness["event"])
    if bound.measure == "approximate_multiplicative":
        said = _probabilities(outputs, p, q, bound)
    else:
        said = _possible(outputs, p) if q == 0 else _likelier(outputs, p / q, bound)
    return f"{change} {said}" if said else ""


def _change(premetric: dict[str, Any], d: Fraction) -> str:
    """What makes x of x', at distance d, as the subject of a sentence; empty where the premetric does not say."""
    name, unit = premetric["name"], one_line(premetric.get("resolution") or "record")
    if d <= 0 or len(unit) > _LONGEST:
        return ""
    if name == "absolute_difference":
        return f"A difference of {d} in the data can"
    if name not in _CHANGES:  # beliefs, and distances that a claim lists itself
        return ""
    if d == 1:
        return f"{_CHANGES[name]} {'one record' if unit == 'record' else f'the record of one {unit}'} can"
    return f"{_CHANGES[name]} {d} records{'' if unit == 'record' else f', each of one {unit},'} can"


def _outputs(event: list[Any]) -> str:
    """The outputs of an event, or how many they are."""
    names = [one if _is_number(one) else json.dumps(one, ensure_ascii=False) for one in event]
    if len(names) > _MOST_OUTPUTS or any(len(name) > _LONGEST for name in names):
        return "the output of the counterexample" if len(names) == 1 else f"an output in a set of {len(names)}"
    return f"the output {names[0]}" if len(names) == 1 else f"an output among {', '.join(names)}"


def _is_number(value: Any) -> bool:
    """Whether a text is a number, as fractions are written in JSON."""
    try:
        return isinstance(value, str) and bool(Fraction(value).denominator)
    except (ValueError, ZeroDivisionError):
        return False


def _likelier(outputs: str, ratio: Fraction, bound: ClaimBound) -> str:
    """By which factor an event becomes likelier, and by which it may."""
    most = _factor(bound)
    both = None if most is None else _apart(ratio, most)
    if both is None:
        return ""
    return f"make {outputs} at least {both[0]} times as likely; the claim promises at most {both[1]} times."


def _possible(outputs: str, p: Fraction) -> str:
    """An event that is impossible under x' alone, which a finite factor does not allow."""
    least = _shown(_rounded(p, _DIGITS[0], ROUND_FLOOR))
    return (
        f"make {outputs} possible, with probability at least {least}, where it was impossible; no epsilon allows that."
    )


def _probabilities(outputs: str, p: Fraction, q: Fraction, bound: ClaimBound) -> str:
    """To which probability an event rises, and to which it may: e^(ε·d)·P'(E) + δ."""
    factor = _factor(bound) if q else Fraction(0)
    both = None if factor is None else _apart(p, factor * q + bound.delta)
    if both is None:
        return ""
    before = "0" if q == 0 else f"at most {_shown(_rounded(q, _DIGITS[0], ROUND_CEILING))}"
    return (
        f"raise the probability of {outputs} from {before} to at least {both[0]}; the claim promises at most {both[1]}."
    )


def _factor(bound: ClaimBound) -> Fraction | None:
    """A number no smaller than e^(ε·d); None where it is too large to mean something."""
    number = bound.scalar()
    if bound.kind == "gamma":
        ratio = Loss(number).times(bound.d).ratio(_EXACT_DIGITS)
        return None if ratio is None or ratio.upper > _LARGEST else ratio.upper
    exponent = number * bound.d
    if exponent > _LARGEST.bit_length():
        return None
    return exponential(exponent, digits=_EXACT_DIGITS).upper


def _apart(found: Fraction, promised: Fraction) -> tuple[str, str] | None:
    """What is found rounded down and what is promised rounded up, with the fewest digits that tell them apart."""
    if found > _LARGEST:
        return None
    for digits in _DIGITS:
        low, high = _rounded(found, digits, ROUND_FLOOR), _rounded(promised, digits, ROUND_CEILING)
        if low > high:
            return _shown(low), _shown(high)
    return None


def _rounded(number: Fraction, digits: int, mode: str) -> Decimal:
    return Context(prec=digits, rounding=mode).divide(Decimal(number.numerator), Decimal(number.denominator))


def _shown(number: Decimal) -> str:
    """The number without zeros at its end; a small one with an exponent.

    >>> _shown(Decimal("2.20")), _shown(Decimal("1E+2")), _shown(Decimal("2.5E-9"))
    ('2.2', '100', '2.5e-9')
    """
    short = number.normalize()
    is_plain = short.is_zero() or short.adjusted() > -_DIGITS[2]
    return f"{short:f}" if is_plain else str(short).lower()
