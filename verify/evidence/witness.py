"""Witnesses: what a counterexample is, as a JSON object that `evidence.certificates.replay` re-checks on its own."""

from collections.abc import Collection, Hashable, Mapping
from fractions import Fraction
from typing import Any

from stirred.spec.budgets.loss import Loss
from stirred.spec.laws.law import Law

_LONG_BITS = 10_000

Witness = Mapping[str, Any]
"""A JSON object that `verify.evidence.certificates.replay` re-checks on its own."""


def formula_witness(claimed: str, *, note: str = "", **values: object) -> Witness:
    """A witness that a printed (in)equality is false at given values.

    `claimed` is in the language of `verify.evidence.certificates.replay`, such as
    "p*comb(n-1,1)*p == p**2/(1-2*p*(1-p))"; the values are exact. Replaying it must find it false.
    """
    return {
        "kind": "formula",
        "claimed": claimed,
        "values": {name: _text(value) for name, value in values.items()},
        "note": note,
    }


def event_witness(
    laws: tuple[Law[Any], Law[Any]],
    event: Collection[Hashable],
    *,
    distance: int | Fraction,
    claimed: Loss,
    delta: Fraction = Fraction(0),
    **more: Any,
) -> Witness:
    """A witness that P(E) > e^(ε·d)·P'(E) + δ for the claimed budget ε.

    All of both laws is kept, so that replay can add the event up; `more` is kept too, such as the data sets `x` and
    `x_prime`.
    """
    law, law_prime = map(_listed, laws)
    probability, probability_prime = (sum(map(one.numeric, event), Fraction(0)) for one in laws)
    return {
        "kind": "loss",
        **{name: jsonable(value) for name, value in more.items()},
        "law": law,
        "law_prime": law_prime,
        "event": [jsonable(t) for t in event],
        "probability": str(probability),
        "probability_prime": str(probability_prime),
        "distance": str(distance),
        "gamma": _text(claimed.gamma),
        "gamma_root": claimed.distance,
        "delta": str(delta),
    }


def renyi_law_witness(
    laws: tuple[Law[Any], Law[Any]], *, order: Fraction | None, bound: Fraction, **more: Any
) -> Witness:
    """A witness that D_α(P‖P')/α exceeds a bound on D_NoR².

    P and P' have one support; the order α > 1 is None for its limit at 1, the Kullback-Leibler divergence.
    """
    law, law_prime = map(_listed, laws)
    return {
        "kind": "renyi",
        **{name: jsonable(value) for name, value in more.items()},
        "law": law,
        "law_prime": law_prime,
        "order": None if order is None else str(order),
        "bound": str(bound),
    }


def _text(value: object) -> str:
    """A number as a text; of an integer that Python does not write out, the zeros at its end as a power of ten."""
    if not isinstance(value, Fraction) or value.denominator != 1 or value.numerator.bit_length() <= _LONG_BITS:
        return str(value)
    zeros, rest = 0, value.numerator
    while rest and rest % 10 == 0:
        zeros, rest = zeros + 1, rest // 10
    return f"{rest}e{zeros}"


def _listed(law: Law[Any]) -> list[list[Any]]:
    return [[jsonable(t), str(law.numeric(t))] for t in law]


def jsonable(value: Any) -> Any:
    """A data set or outcome as JSON: tuples become lists, fractions text, other objects their text."""
    if isinstance(value, (tuple, list)):
        return [jsonable(part) for part in value]
    if isinstance(value, (str, int, bool)) or value is None:
        return value
    return str(value)
