"""Refutations of a claim for every size: few pairs of data sets at growing sizes, by the exact laws of the program."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol, parsed
from stirred.verify.evidence.certificates.read_values import SIZE
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.prove.stated import EverySize

STAGES = ((1, 2), (3,), (4,), (5,))
"""The sizes at which the exact engine is asked, together or after each other."""
_FAMILY = 2
"""Sizes after the first refutation at which the needed budget is asked for."""

DataSet = tuple[int, ...]


@dataclass(frozen=True)
class PairAnswer:
    """What the exact engine says of some pairs.

    Attributes:
        verdict: of the claim at these parameters.
        needed: the smallest budget, in words.
        sentence: the reason, with pair, event and inequality where it is refuted.
        witness: the counterexample that `stirred replay` checks.
    """

    verdict: Verdict
    needed: str
    sentence: str
    witness: Mapping[str, Any] | None


Pair = tuple[DataSet, DataSet]

Ask = Callable[[Sequence[Pair], Mapping[str, Any], str], PairAnswer]
"""The exact engine on pairs, with the values of the parameters and epsilon."""


@dataclass(frozen=True)
class Refutation:
    """A claim refuted at one size, with what larger sizes need.

    Attributes:
        parameters: their values.
        claimed: epsilon there.
        exact: what refutes it.
        family: the needed budget of the pairs that are tried, by size.
    """

    parameters: Mapping[str, Any]
    claimed: str
    exact: PairAnswer
    family: tuple[tuple[int, str], ...]


def refutation(stated: EverySize, provable: Polynomial | None, ask: Ask, seconds: int) -> tuple[Refutation | None, str]:
    """The first refutation, sizes growing; or None and what was tried.

    Real noise is asked as real numbers, integer noise exactly, of the program as it is written.

    Args:
        stated: the claim.
        provable: what is shown; no more is needed anywhere, so that values are not tried where the claim covers it.
        ask: the exact engine.
        seconds: after which no further question is asked.
    """
    if stated.epsilon is None:
        return None, ""
    begun, tried, refused = time.monotonic(), 0, ""
    for sizes in STAGES:
        asked = [pair for size in sizes for pair in pairs(stated.neighbors, size)]
        for parameters in settings(stated, provable):
            epsilon = value_at(stated.epsilon, parameters)
            if epsilon is None:
                return None, "the claimed budget has no value that the exact engine takes"
            if time.monotonic() - begun > seconds:
                return None, f"no refutation on few pairs of up to {tried} records in {seconds} seconds"
            try:
                exact = ask(asked, parameters, epsilon)
            except InputError as error:
                refused = str(error)
                continue
            tried = max(sizes)
            if exact.verdict is Verdict.REFUTED:
                family = tuple(_family(stated, ask, _size(exact, sizes), parameters, epsilon))
                return Refutation(parameters, epsilon, exact, family), ""
    return None, f"no refutation on few pairs of up to {tried} records" if tried else f"no exact laws: {refused}"


def _size(exact: PairAnswer, sizes: Sequence[int]) -> int:
    """The number of records of a witness."""
    found = (exact.witness or {}).get("x")
    return len(found) if isinstance(found, (list, tuple)) else max(sizes)


def _family(
    stated: EverySize, ask: Ask, first: int, parameters: Mapping[str, Any], epsilon: str
) -> Iterator[tuple[int, str]]:
    for size in range(first, first + 1 + _FAMILY):
        try:
            yield size, ask(pairs(stated.neighbors, size), parameters, epsilon).needed
        except InputError:
            return


def pairs(neighbors: str, size: int) -> Sequence[tuple[DataSet, DataSet]]:
    """Pairs of data sets at this size that differ as said: those that refute most come first.

    >>> pairs("each by 1", 3)[0]
    ((0, 0, 1), (1, 1, 0))
    """
    low, high = (0,) * (size - 1), (1,) * (size - 1)
    if neighbors == "each by 1":
        return (((*low, 1), (*high, 0)), ((*low, 0), (*high, 1)))
    if neighbors == "all up or all down":
        return (((*low, 0), (*high, 1)), ((*low, 0), (*low, 1)), ((*low, 0), (*high, 0)))
    return (((*low, 0), (*low, 1)), ((0, *low), (1, *low)), ((*high, 0), (*high, 1)))


def settings(stated: EverySize, provable: Polynomial | None) -> Iterator[dict[str, Any]]:
    """Values of the parameters: the least of integers, or the next; 1/2 of ratios; of what is positive 1, 2 and 1/2.

    Values at which the claim covers what is provable are left out: nothing is refuted there.
    """
    ranges, claim = stated.program.ranges, stated.epsilon
    inside = [one.text for value in (claim, provable) if value is not None for one in value.names if one.kind == "ln"]
    has_whole = any(text.startswith("whole") for text in ranges.values())
    for value, more in itertools.product((Fraction(1), Fraction(2), Fraction(1, 2)), (0, 1) if has_whole else (0,)):
        found: dict[str, Any] = {}
        for name, text in ranges.items():
            if text.startswith("= "):
                number = Fraction(text[2:])
                found[name] = int(number) if number.denominator == 1 else number
            elif text.startswith("whole"):
                found[name] = int(text.split(">=")[1]) + more
            elif text == "positive":
                is_ratio = any(name in word for word in inside)
                number = Fraction(1, 2) if is_ratio else value
                found[name] = int(number) if number.denominator == 1 else number
            else:
                found[name] = 0
        if claim is not None and _is_below(claim, provable, found) and (value == 1 or provable is not None):
            yield found


def _is_below(claim: Polynomial, provable: Polynomial | None, parameters: Mapping[str, Any]) -> bool:
    """Whether the claim may be below what is needed, as far as that is known."""
    if provable is None:
        return True
    rest = (provable - claim).at(_values(parameters)).number
    return rest is None or rest > 0


def _values(parameters: Mapping[str, Any]) -> dict[Symbol, Polynomial]:
    return {Symbol("parameter", name): Polynomial.of(Fraction(value)) for name, value in parameters.items()}


def _inside(text: str, parameters: Mapping[str, Any]) -> Fraction | None:
    """What a logarithm is of, as `noise_laws` writes it: a product, or 1/(a sum)."""
    is_below = text.startswith("1/(")
    value = parsed(text[3:-1] if is_below else text).at(_values(parameters)).number
    return 1 / value if is_below and value else value


def value_at(epsilon: Polynomial, parameters: Mapping[str, Any]) -> str | None:
    """A budget where its parameters have values, as the exact engine takes it: a rational, or a logarithm of one.

    >>> value_at(parsed("eps/2 + N*eps"), {"eps": 1, "N": 2}), value_at(parsed("3*ln(1/r)"), {"r": Fraction(1, 2)})
    ('5/2', 'ln 8')
    >>> value_at(parsed("ln(1/(1 - p))"), {"p": Fraction(1, 3)})
    'ln 3/2'
    """
    total = epsilon.at(_values(parameters))
    if total.number is not None:
        return str(total.number)
    gamma = Fraction(1)
    for monomial, number in total.terms.items():
        ((name, power),) = monomial if len(monomial) == 1 else ((SIZE, 0),)
        inner = _inside(name.text, parameters) if name.kind == "ln" else None
        if power != 1 or number.denominator != 1 or inner is None or inner <= 0:
            return None
        gamma *= inner ** int(number)
    return f"ln {gamma}"
