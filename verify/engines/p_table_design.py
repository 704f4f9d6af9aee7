"""P-tables by maximum entropy under a largest change, a variance and forbidden counts, and better orders of their keys.

A row maximises entropy among the laws on its allowed changes with mean 0 and variance at most V: p(v) ∝ e^(−λv² − μv).
For large counts all changes from −D to D are allowed and μ = 0: the truncated discrete Gaussian. What is made of it has
whole numbers of keys, and mean exactly 0.
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

from stirred.spec.arguments import InputError, integer, positive, positive_integer
from stirred.spec.laws.p_table import PTable, PTableRow
from stirred.verify.engines.cell_key import moved_record_curve

_DIGITS = 40
_STEPS = 500
_MOST_CHANGE = 100
_MOST_SHUFFLED = 4_096
_TRIED = 20


@dataclass(frozen=True)
class TableDesign:
    """What a table is asked to be.

    Attributes:
        deviation: D, the largest change.
        variance: V, the largest variance of a row.
        forbidden: js: the counts 1, …, js are never released.
        keys: K.
    """

    deviation: int
    variance: Fraction
    forbidden: int = 0
    keys: int = 10**8

    def __post_init__(self) -> None:
        if integer("--forbidden", self.forbidden, minimum=0) >= positive_integer("--deviation", self.deviation):
            raise InputError(f"--deviation must be above --forbidden; got {self.deviation} and {self.forbidden}")
        if self.deviation > _MOST_CHANGE:
            raise InputError(f"--deviation must be at most {_MOST_CHANGE}; got {self.deviation}")
        positive("--variance", self.variance)
        positive_integer("--keys", self.keys)
        for count in range(1, self.forbidden + 1):
            least = count * (self.forbidden + 1 - count)  # of −count and the smallest change upwards, with mean 0
            if self.variance <= least:
                raise InputError(f"--variance must be above {least} for the row of count {count}; got {self.variance}")

    @property
    def large(self) -> int:
        """The first count for which every change from −D to D is allowed, as for all larger ones."""
        return self.deviation + (self.forbidden + 1 if self.forbidden else 0)

    def allowed(self, count: int) -> list[int]:
        """The changes of a count: to 0 or above js."""
        changes = range(-self.deviation, self.deviation + 1)
        return [change for change in changes if count + change == 0 or count + change > self.forbidden]

    def multipliers(self, count: int) -> tuple[Any, Any]:
        """λ ≥ 0 and μ of the row of a count of at least 1, to 40 digits, as numbers of mpmath."""
        from mpmath import mp, workdps  # noqa: PLC0415 slow to load

        with workdps(_DIGITS):
            variance = mp.mpf(self.variance.numerator) / self.variance.denominator
            fit = partial(_fitted, self.allowed(count), variance)
            slope = fit(is_bounded=False)
            return slope if _moments(self.allowed(count), *slope)[1] <= variance else fit(is_bounded=True)

    def row(self, count: int) -> PTableRow:
        """The row of a count with whole numbers of keys, nearest to those of maximum entropy, and mean 0."""
        if not count:
            return PTableRow.of([(self.keys, 0)])
        from mpmath import mp, workdps  # noqa: PLC0415 slow to load

        changes = self.allowed(count)
        with workdps(_DIGITS):
            shares = _shares(changes, *self.multipliers(count))
            widths = {change: int(mp.nint(self.keys * share)) for change, share in zip(changes, shares, strict=True)}
        return PTableRow.of((width, change) for change, width in _balanced(widths, self.keys).items())

    def share(self, count: int, changes: Collection[int]) -> Any:
        """The probability of some changes in the law of a count of at least 1, to 40 digits."""
        from mpmath import workdps  # noqa: PLC0415 slow to load

        allowed = self.allowed(count)
        with workdps(_DIGITS):
            shares = dict(zip(allowed, _shares(allowed, *self.multipliers(count)), strict=True))
            return sum(shares[change] for change in changes)

    def table(self) -> PTable:
        """The table: the last row is used for all larger counts."""
        name = f"D = {self.deviation}, V = {self.variance}, js = {self.forbidden}"
        return PTable(tuple(map(self.row, range(self.large + 1))), self.keys, name=name)


def _shares(changes: Sequence[int], spread: Any, tilt: Any) -> list[Any]:
    from mpmath import mp  # noqa: PLC0415

    weights = [mp.exp(-spread * change**2 - tilt * change) for change in changes]
    total = mp.fsum(weights)
    return [weight / total for weight in weights]


def _moments(changes: Sequence[int], spread: Any, tilt: Any) -> list[Any]:
    """E v, E v², E v³ and E v⁴."""
    shares = _shares(changes, spread, tilt)
    return [sum(share * change**power for change, share in zip(changes, shares, strict=True)) for power in (1, 2, 3, 4)]


def _fitted(changes: Sequence[int], variance: Any, *, is_bounded: bool) -> tuple[Any, Any]:
    """(λ, μ) with E v = 0, and E v² = V where the variance is bounded, else λ = 0: Newton's method, damped."""
    from mpmath import mp  # noqa: PLC0415

    spread = tilt = mp.mpf(0)
    for _ in range(_STEPS):
        first, second, third, fourth = _moments(changes, spread, tilt)
        off_mean, off_spread = first, second - variance if is_bounded else mp.mpf(0)
        if max(abs(off_mean), abs(off_spread)) < mp.mpf(10) ** (10 - _DIGITS):
            return spread, tilt
        a, b, c = second - first**2, third - first * second, fourth - second**2
        if is_bounded:
            determinant = a * c - b * b
            step = (a * off_spread - b * off_mean) / determinant, (c * off_mean - b * off_spread) / determinant
        else:
            step = mp.mpf(0), off_mean / a
        damping = min(mp.mpf(1), 1 / (4 * max(map(abs, step))))
        spread, tilt = spread + damping * step[0], tilt + damping * step[1]
    raise InputError(f"no law of maximum entropy was found on the changes {', '.join(map(str, changes))}")


def _balanced(widths: dict[int, int], keys: int) -> dict[int, int]:
    """Numbers of keys that sum to K and have mean 0, by changing the two of neighbouring changes that move least."""
    missing, off = keys - sum(widths.values()), -sum(change * width for change, width in widths.items())
    if 0 in widths and not off and widths[0] + missing >= 0:
        return {**widths, 0: widths[0] + missing}
    found = []
    for low, high in pairwise(sorted(widths)):
        if high == low + 1:
            more = off - low * missing
            changed = {**widths, low: widths[low] + missing - more, high: widths[high] + more}
            if min(changed.values()) >= 0:
                found.append((abs(missing - more) + abs(more), low, changed))
    if not found:
        raise InputError(f"--keys must be larger for a row with mean 0; got {keys}")
    return min(found)[2]


def better_order(table: PTable) -> PTable:
    """The best of some orders of all keys: the least δ of two large counts with their total, at the end and at γ = 2.

    No order has less than the counts have without their total; the orders are the same each time.
    """
    if table.keys > _MOST_SHUFFLED:
        raise InputError(f"--keys must be at most {_MOST_SHUFFLED} to be shuffled; got {table.keys}")
    random, count = Random(1), len(table.rows)  # noqa: S311 an order that is published, not a key
    found = []
    for place in range(_TRIED):
        orders = [random.sample(range(table.keys), table.keys) for _ in table.rows]
        changed = table.reordered(orders)
        curve = moved_record_curve(changed, (count, count))
        found.append((curve.vertices[0][1], curve.delta(2), place, changed))
    return min(found)[3]
