"""The zCDP loss of an adaptive release: noisy counts that are only compared decide which noisy counts are released.

A program draws discrete Gaussian noise, compares some noisy integers with numbers, and releases others. Between two
data sets its runs are compared fork by fork. With D_α(N_ℤ(m, σ²)‖N_ℤ(0, σ²)) ≤ α·m²/(2σ²), equal where α is an integer
(claims `gaussian.zcdp`, `gaussian.renyi-integer`):

- all that was drawn: a fresh draw that differs by m costs m²/(2σ²), what follows at most its most expensive branch.
  So the sum along the worst run is at least D_NoR², by adaptive composition. For integers α → ∞ the draw, tilted by
  P^α·Q^(1−α), moves to one end where m ≠ 0, and stays where m = 0: so m²/(2σ²) plus the branch at that end, or plus the
  most expensive one, is at most D_NoR². The two ends agree for SafeTab where one record changes.
- what is released alone: where every run has a shape of its own, e^((α−1)·D_α) for an integer α is the sum over runs of
  p^α·q^(1−α)·e^((α−1)·α·c), p and q their probabilities, c what their released counts cost: D_α/α, enclosed in balls,
  is a lower end of D_NoR². Its limit for α → ∞ is the largest c.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.mechanisms.draws.unbounded_draw import Draw, Gaussian
from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, follow
from stirred.mechanisms.interpreters.choice_path import CHOICE, KINDS, RESULT
from stirred.mechanisms.interpreters.choice_tree import ChoiceTree
from stirred.mechanisms.source import Source
from stirred.spec.arguments import InputError
from stirred.spec.laws.discrete_gaussian import diagonal_zcdp_budget, gaussian_zcdp_budget
from stirred.spec.laws.gaussian_share import GaussianShare
from stirred.spec.numbers.ball import Ball, ball_of, dyadic, precision

ORDERS = (2, 3, 4, 8, 32)
"""Rényi orders at which what is released is compared."""

_CHOICES = 1_000_000
_BITS = 256


@dataclass(frozen=True)
class _Released:
    """The end of a run: an output with a name in the place of each noisy integer."""

    shape: Hashable
    integers: tuple[int, ...]
    scales: tuple[Fraction, ...]


@dataclass(frozen=True)
class _Fork:
    """A comparison of a noisy integer: which branch is taken with which share of its noise."""

    shares: tuple[GaussianShare, ...]
    branches: tuple[Runs, ...]


Runs = _Released | _Fork


@dataclass(frozen=True)
class AdaptiveLoss:
    """D_NoR² between two data sets; None where it is infinite.

    Attributes:
        lower: of all that was drawn, at least.
        upper: of all that was drawn, at most; so of what is released.
        released: of what is released alone, at least.
    """

    lower: Fraction | None
    upper: Fraction | None
    released: Fraction | None


def followed(program: Callable[[Any, Source], Any], data: Any) -> Runs:
    """Every run of a program on a data set, up to the noise that it releases."""
    tree = follow(lambda source: program(data, source), ChoiceBudget(_CHOICES), key=_released)
    return _runs(iter(tree.nodes), tree)


def _runs(nodes: Iterator[int], tree: ChoiceTree) -> Runs:
    value, kind = divmod(next(nodes), KINDS)
    if kind == RESULT:
        return tree.outputs[value]  # type: ignore[no-any-return]
    row = tree.weights[value] if kind == CHOICE else ()
    shares = tuple(weight for weight in row if isinstance(weight, GaussianShare))
    if not shares or len(shares) != len(row):
        raise InputError("program must choose by comparing discrete Gaussian draws alone")
    return _Fork(shares, tuple(_runs(nodes, tree) for _ in shares))


def _released(output: Any) -> _Released:
    """An output by its shape, its integers and their noise."""
    integers: list[int] = []
    scales: list[Fraction] = []

    def named(part: Any) -> Hashable:
        if isinstance(part, Draw):
            integer, law = part.released()
            if not isinstance(law, Gaussian):
                raise InputError("program must release discrete Gaussian noise alone")
            integers.append(integer)
            scales.append(law.sigma_squared)
            return "noisy", law.sigma_squared
        return tuple(map(named, part)) if isinstance(part, tuple) else ("plain", part)

    return _Released(named(output), tuple(integers), tuple(scales))


def _ends(runs: Runs) -> Iterator[_Released]:
    if isinstance(runs, _Released):
        yield runs
    else:
        for branch in runs.branches:
            yield from _ends(branch)


def _cost(first: _Released, second: _Released) -> Fraction:
    if first.shape != second.shape:
        raise InputError("program must release the same shape after the same comparisons on both data sets")
    shifts = [a - b for a, b in zip(first.integers, second.integers, strict=True)]
    return diagonal_zcdp_budget(first.scales, shifts)


def _shift(first: _Fork, second: _Fork) -> int:
    """By how much the integer of the first fork is above that of the second, all of its ends alike."""
    shifts: set[int | None] = set()
    for one, other in zip(first.shares, second.shares, strict=False):
        pairs = zip((one.low, one.high, *one.whole[1:]), (other.low, other.high, *other.whole[1:]), strict=True)
        for here, there in pairs:
            if (here is None) != (there is None):
                shifts.add(None)
            elif here is not None and there is not None:
                shifts.add(there - here)
    scales = {share.sigma_squared for share in (*first.shares, *second.shares)}
    if len(shifts) != 1 or None in shifts or len(scales) != 1 or len(first.shares) != len(second.shares):
        raise InputError("program must make the same comparisons, with the same noise, on both data sets")
    (shift,) = shifts
    return shift or 0


def _is_fresh(fork: _Fork) -> bool:
    """Whether nothing was known of the draw before: its shares are of all integers."""
    return fork.shares[0].whole[1:] == (None, None)


def _drawn(first: Runs, second: Runs, before: int | None, *, is_upper: bool) -> Fraction:
    """The upper or lower end of sup D_α(P‖Q)/α for all that was drawn; `before` is the shift of the draw compared."""
    if isinstance(first, _Released) and isinstance(second, _Released):
        return _cost(first, second)
    if isinstance(first, _Released) or isinstance(second, _Released):
        raise InputError("program must make the same comparisons, with the same noise, on both data sets")
    shift = _shift(first, second)
    is_fresh = _is_fresh(first)
    if not is_fresh and shift != before:
        raise InputError("program must compare a draw with the same numbers on both data sets")
    pairs = list(zip(first.branches, second.branches, strict=True))
    if not is_upper and shift:
        pairs = pairs[-1:] if shift > 0 else pairs[:1]
    cost = gaussian_zcdp_budget(first.shares[0].sigma_squared, shift) if is_fresh else Fraction(0)
    return cost + max(_drawn(one, other, shift, is_upper=is_upper) for one, other in pairs)


def _moment(first: Runs, second: Runs, order: int) -> Ball:
    """Σ p^α·q^(1−α)·e^((α−1)·α·c) over the runs, in the present precision."""
    if isinstance(first, _Released) and isinstance(second, _Released):
        return ball_of((order - 1) * order * _cost(first, second)).exp()
    if isinstance(first, _Released) or isinstance(second, _Released):
        raise InputError("program must make the same comparisons, with the same noise, on both data sets")
    total = ball_of(Fraction(0))
    for share, other, one, two in zip(first.shares, second.shares, first.branches, second.branches, strict=True):
        total += share.ball() ** order / other.ball() ** (order - 1) * _moment(one, two, order)
    return total


def _released_alone(first: Runs, second: Runs, orders: Sequence[int]) -> Fraction:
    """The largest lower end of sup D_α(P‖Q)/α that the orders and their limit give, for what is released alone."""
    best = max(_cost(one, other) for one, other in zip(_ends(first), _ends(second), strict=True))
    with precision(_BITS):
        for order in orders:
            enclosed = _moment(first, second, order).log() / (order * (order - 1))
            if enclosed.is_finite():
                best = max(best, dyadic(enclosed.lower()))
    return best


def adaptive_loss(first: Runs, second: Runs, *, orders: Sequence[int] = ORDERS) -> AdaptiveLoss:
    """D_NoR² between two data sets with these runs.

    `orders` are integers α ≥ 2 at which what is released alone is compared, beside their limit, which alone is exact.

    >>> def above(n, source):
    ...     return n + source.discrete_gaussian(4) >= 0, n + source.discrete_gaussian(1)
    >>> found = adaptive_loss(followed(above, 1), followed(above, 0))
    >>> (str(found.upper), found.lower == found.upper, Fraction(1, 2) < found.released < found.upper)
    ('5/8', True, True)
    """
    shapes = [[one.shape for one in _ends(runs)] for runs in (first, second)]
    if set(shapes[0]) != set(shapes[1]):
        return AdaptiveLoss(None, None, None)
    if any(len(set(one)) != len(one) for one in shapes):
        raise InputError("program must release a different shape in each run")
    both = ((first, second), (second, first))
    return AdaptiveLoss(
        max(_drawn(*pair, None, is_upper=False) for pair in both),
        _drawn(first, second, None, is_upper=True),
        max(_released_alone(*pair, orders) for pair in both),
    )


def loss_above(
    program: Callable[[Any, Source], Any], pairs: Iterable[tuple[Sequence[Any], Sequence[Any]]], budget: Fraction
) -> tuple[Sequence[Any], Sequence[Any], AdaptiveLoss] | None:
    """The first pair of data sets whose loss may exceed a budget ρ², with its loss; None where none does.

    It exceeds it for certain where `released` is None or above the budget.
    """
    for first, second in pairs:
        runs = followed(program, first), followed(program, second)
        loss = adaptive_loss(*runs, orders=())
        if loss.upper is None or loss.upper > budget:
            return first, second, adaptive_loss(*runs)
    return None
