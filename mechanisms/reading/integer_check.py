"""The probability of tied integers once more, by adding up products of probabilities: to notice a fault of the algebra.

Integers that all conditions hold alike are added up first. Then one after another is fixed at each of its values, the
one first that leaves the smallest parts. What is left out are values of draws beyond a bound, and how probable these
are is known.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, exp, floor
from typing import Any

import numpy as np

from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.elimination import form_of
from stirred.mechanisms.reading.integer_component import grouped, interval
from stirred.mechanisms.reading.rows import Row, WholeRow
from stirred.mechanisms.reading.second_integral import DisagreementError
from stirred.mechanisms.reading.symbols import DrawRounding, Step
from stirred.spec.numbers.reals.real import Number

_MOST = 1_000_000
_ROUNDING = 1e-11
_FAR = (30, 18, 10, 6)
"""How far draws are looked at: as far as that is not too long."""

_Bounds = Sequence[tuple[Mapping[int, int], Any]]


class _TooManyError(ArithmeticError):
    """The sum would take long."""


def check_integers(laws: Sequence[BaseLaw], rows: Sequence[Row], probability: Number) -> bool:
    """Whether the probability that conditions hold, which tie draws, was looked at.

    Raises:
        DisagreementError: it is another one.
    """
    exact = _double(probability)
    tied = [row for row in rows if isinstance(row, WholeRow)]
    roundings = sorted({draw: one for row in tied for draw, one in row.rounded_draws}.items())
    numbers = {draw: place for place, (draw, _) in enumerate(roundings)}
    forms = [{numbers[draw]: c for draw, c in row.form} for row in tied]
    groups = grouped(len(numbers), [form_of(form) for form in forms])  # type: ignore[arg-type]
    for far in _FAR:
        values = [
            _values(laws[draw], rounding, [_double(one) for one in interval(draw, rows)], far)
            for draw, rounding in roundings
        ]
        sums = {min(group): _summed([(values[one], sign) for one, sign in group.items()]) for group in groups}
        signs = {min(group): group[min(group)] for group in groups}
        in_sums = [
            ({one: c * signs[one] for one, c in form.items() if one in sums}, np.array([row.bound]))
            for form, row in zip(forms, tied, strict=True)
        ]
        try:
            found = _mass(sums, in_sums, 1)[0]
        except _TooManyError:
            continue
        if not found - _ROUNDING <= exact <= found + len(values) * exp(-far) + _ROUNDING:
            raise DisagreementError(
                f"the probability of a path is {exact:.12g}, and {found:.12g} by adding up: please report it"
            )
        return True
    return False


def _double(number: Number | None) -> Any:
    if number is None:
        return None
    return float(number if not hasattr(number, "enclosure") else number.enclosure(20).lower)


def _values(law: BaseLaw, rounding: DrawRounding, ends: Sequence[float | None], far: int) -> tuple[Any, Any]:
    """The integers that a draw is rounded to, and their probabilities together with its own ends."""
    scale, shift, width = (_double(one) for one in (rounding.scale, rounding.shift, rounding.width))
    places = [(scale * end + shift) / width for end in (-far, far)]
    steps = np.arange(floor(min(places)) - 1, ceil(max(places)) + 2)
    if rounding.step is Step.TOWARDS_ZERO:
        tops = np.where(steps >= 0, steps + 1, steps)
    else:
        tops = steps + {Step.FLOOR: 1, Step.CEILING: 0, Step.NEAREST: 0.5}[rounding.step]
    low, high = (-np.inf if ends[0] is None else ends[0]), (np.inf if ends[1] is None else ends[1])
    below = _below(law, np.clip((width * tops - shift) / scale, low, high))
    return steps[1:], np.abs(np.diff(below))


def _below(law: BaseLaw, z: Any) -> Any:
    if law is BaseLaw.UNIFORM:
        return np.clip(z, 0, 1)
    if law is BaseLaw.EXPONENTIAL:
        return -np.expm1(-np.maximum(z, 0))
    return np.where(z < 0, np.exp(np.minimum(z, 0)) / 2, 1 - np.exp(-np.maximum(z, 0)) / 2)


def _summed(members: Sequence[tuple[tuple[Any, Any], int]]) -> tuple[Any, Any]:
    """The values of a sum of integers with signs, and their probabilities."""
    start, shares = 0, np.ones(1)
    for (steps, own), sign in members:
        start += int(steps[0] if sign > 0 else -steps[-1])
        total = np.zeros(len(shares) + len(own) - 1)
        for place, share in enumerate(own[::sign]):
            total[place : place + len(shares)] += share * shares
        shares = total
    return np.arange(start, start + len(shares)), shares


def _mass(values: Mapping[int, tuple[Any, Any]], rows: _Bounds, size: int) -> Any:
    """The probability, for each of the bounds."""
    found = np.ones(size)
    for _, bound in (row for row in rows if not row[0]):
        found = found * (bound >= 0)
    for group, tied in _parts(values, [row for row in rows if row[0]]):
        inner = {draw: values[draw] for draw in group}
        found = found * (_fixed(inner, tied, size) if len(group) > 1 else _alone(*inner[group[0]], tied, size))
    return found


def _alone(steps: Any, shares: Any, rows: _Bounds, size: int) -> Any:
    low, high = np.full(size, steps[0]), np.full(size, steps[-1])
    for terms, bound in rows:
        (c,) = terms.values()
        low, high = (low, np.minimum(high, bound // c)) if c > 0 else (np.maximum(low, -(bound // -c)), high)
    whole = np.concatenate([[0], np.cumsum(shares)])
    ends = (np.clip(end - steps[0], 0, len(steps)) for end in (low, high + 1))
    start, stop = (whole[end] for end in ends)
    return np.maximum(stop - start, 0)


def _fixed(values: Mapping[int, tuple[Any, Any]], rows: _Bounds, size: int) -> Any:
    pivot = min(values, key=lambda one: (_largest({*values} - {one}, rows), len(values[one][0])))
    steps, shares = values[pivot]
    if size * len(steps) > _MOST:
        raise _TooManyError
    left = []
    for terms, bound in rows:
        shifted = np.broadcast_to(bound, (size,))[:, None] - terms.get(pivot, 0) * steps
        left.append(({one: c for one, c in terms.items() if one != pivot}, shifted.reshape(-1)))
    inner = _mass({one: found for one, found in values.items() if one != pivot}, left, size * len(steps))
    return (inner.reshape(size, len(steps)) * shares).sum(axis=1)  # no product of matrices, which starts threads


def _largest(draws: set[int], rows: _Bounds) -> int:
    inner = [({one: c for one, c in terms.items() if one in draws}, bound) for terms, bound in rows]
    return max(len(group) for group, _ in _parts(draws, [one for one in inner if one[0]]))


def _parts(draws: Any, rows: _Bounds) -> list[tuple[list[int], _Bounds]]:
    """Draws that conditions tie, and the conditions."""
    found: list[tuple[set[int], list[tuple[Mapping[int, int], Any]]]] = [({draw}, []) for draw in draws]
    for row in rows:
        met = [one for one in found if one[0] & row[0].keys()]
        found = [one for one in found if not one[0] & row[0].keys()]
        found.append((set().union(*(one[0] for one in met)), [*(one for part in met for one in part[1]), row]))
    return [(sorted(group), tied) for group, tied in found]
