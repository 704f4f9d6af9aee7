"""Four budgets of the Permutation Swapping Algorithm beside each other as a universe grows.

Of one stratum with n records: the printed budget (article, (7)), the sharp one in b and p alone, the certified one that
may use the margins, and the exact loss where it can be computed.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import cycle
from math import isqrt
from typing import Any

from stirred.spec.arguments import Exact, InputError, parse_exact, positive_integer, probability
from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.permutation_swapping import Margins, psa_budget
from stirred.verify.engines.swapping.bounds import certified_budget, sharpened_budget, single_record_loss
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.pictures.rendering import GREYS, monotone_points
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.products.studies.study import Row, Study, StudyPlan

_MANTISSAS = (10, 14, 20, 30, 50, 70)
_SIZES = (4, 6, 8, *(m * 10**k for k in range(5) for m in _MANTISSAS), 1_000_000)
LEAST = 20
"""Records of the largest universe, at least."""

_DIGITS = 8
_FINEST = 1_200
"""Parts of a picture's height that nobody tells apart."""


@dataclass(frozen=True)
class Family:
    """Universes of one stratum, one for each n."""

    title: str
    least: int
    side: Callable[[int], tuple[int, ...]]
    exact_up_to: int
    loss: Callable[[Margins, Fraction], Loss] = lambda margins, rate: universe_loss(*margins, rate)

    def margins(self, size: int) -> Margins:
        """The margins n_h· and n_·s at this n."""
        return self.side(size), self.side(size)


FAMILIES = {
    "balanced": Family("two categories of n/2 and n/2", 4, lambda n: (n // 2, n - n // 2), 100),
    "one tenth": Family("two categories of n/10 and 9n/10", 20, lambda n: (n // 10, n - n // 10), 200),
    "one record": Family(
        *("two categories of 1 and n − 1", 4, lambda n: (1, n - 1), 100_000),
        lambda margins, rate: single_record_loss(margins[1], rate),
    ),
    "two records": Family("three categories of n − 2, 1 and 1", 4, lambda n: (n - 2, 1, 1), 200),
}
"""From the universe that needs least to the one that needs most."""

_CURVES: Mapping[str, tuple[Callable[[int, Fraction], Loss], str]] = {
    "printed": (psa_budget, "-"),
    "sharp": (sharpened_budget, "--"),
}
_MARKS = ("v", "x", "^", "+", "s", "D")
"""Of the reasons for a certified budget."""

_LABELS = {
    "printed": "printed: article, (7)",
    "sharp": "sharp in b = n and p",
    "certified": "certified",
    "exact": "exact loss",
}


def _plan(*, swap_rate: str | Exact = "1/2", largest: int = _SIZES[-1]) -> StudyPlan:
    rate = probability("--swap-rate", parse_exact("--swap-rate", swap_rate))
    if rate in (0, 1):
        raise InputError(f"--swap-rate must be between 0 and 1, exclusive, for a finite budget; got {rate}")
    if positive_integer("--largest", largest) < LEAST:
        raise InputError(f"--largest must be at least {LEAST}; got {largest}")
    sizes = [size for size in _SIZES if size <= largest]
    draws = {
        f"{name}, n = {size}": (name, size) for name, one in FAMILIES.items() for size in sizes if size >= one.least
    }
    return StudyPlan(
        {"swap_rate": str(rate), "largest": sizes[-1]},
        tuple(draws),
        lambda name: [_row(*draws[name], rate)],
        lambda rows: _findings(rows, rate),
        {"budgets": lambda figure, rows: _curves(figure, rows, rate)},
    )


def _row(name: str, size: int, rate: Fraction) -> Row:
    """The four budgets of one universe, as numbers with so many digits."""
    family = FAMILIES[name]
    margins = family.margins(size)
    certified = certified_budget(*margins, rate)
    found = {"printed": psa_budget(size, rate), "sharp": sharpened_budget(size, rate), "certified": certified}
    if size <= family.exact_up_to:
        found["exact"] = family.loss(margins, rate)
    shown = {kind: found[kind].epsilon().text(_DIGITS) if kind in found else "" for kind in _LABELS}
    return {"universe": name, "n": str(size), **shown, "certified_by": certified.reason}


def _findings(rows: Sequence[Row], rate: Fraction) -> dict[str, Evidence]:
    """What is known exactly of the largest universe of each family, and what is certified of the largest of all."""
    found = {}
    for name, family in FAMILIES.items():
        exact = [row for row in rows if row["universe"] == name and row["exact"]][-1]
        found[f"budgets.{name.replace(' ', '-')}"] = Evidence(
            Verdict.EXHAUSTED,
            f"every pair of tables with margins {family.title} on both sides, n = {exact['n']}, p = {rate}",
            f"the exact loss is {exact['exact']}; printed {exact['printed']}, sharp {exact['sharp']}, certified "
            f"{exact['certified']} ({exact['certified_by']})",
        )
    return found


def _curves(figure: Any, rows: Sequence[Row], rate: Fraction) -> None:
    """A panel for each family, with the same axes; what is certified has a mark for the bound that gives it."""
    figure.set_size_inches(10, 8.5)
    marks = dict(zip(dict.fromkeys(row["certified_by"] for row in rows), cycle(_MARKS), strict=False))
    for axes, (name, family) in zip(
        figure.subplots(2, 2, sharex=True, sharey=True).flat, FAMILIES.items(), strict=True
    ):
        mine = [row for row in rows if row["universe"] == name]
        for kind, (_, dashes) in _CURVES.items():
            line = budget_line(kind, int(mine[0]["n"]), int(mine[-1]["n"]), rate)
            axes.semilogx(*zip(*line, strict=True), dashes, color=GREYS[0], label=_LABELS[kind], linewidth=1.6)
        for reason, mark in marks.items():
            points = _points([row for row in mine if row["certified_by"] == reason], "certified")
            axes.semilogx(*points, mark, ms=6, mfc="none", mec=GREYS[1], label=f"{_LABELS['certified']}: {reason}")
        axes.semilogx(*_points(mine, "exact"), "o", ms=3, mfc=GREYS[0], mec=GREYS[0], label=_LABELS["exact"])
        axes.set_title(f"{family.title} on both sides", fontsize="medium")
        axes.set(ylim=(0, None))
    for axes in figure.axes[2:]:
        axes.set_xlabel("records n")
    for axes in figure.axes[::2]:
        axes.set_ylabel(f"ε at p = {rate}")
    figure.suptitle(
        "certified: the smallest of several upper bounds, which hold from different n on; where the mark changes, "
        "another one takes over",
        fontsize="medium",
    )
    figure.legend(*figure.axes[0].get_legend_handles_labels(), loc="outside lower center", ncols=2, fontsize="small")


def budget_line(kind: str, start: int, end: int, rate: Fraction) -> list[tuple[int, float]]:
    """Points (n, ε) of the printed or the sharp budget, which rise with n: lines between them are it to the eye."""
    budget = _CURVES[kind][0]

    def value(n: int) -> float:
        return float(budget(n, rate))

    def middle(a: int, b: int) -> int | None:
        return max(a + 1, isqrt(a * b)) if b - a > 1 else None

    return monotone_points(value, start, end, middle, value(end) / _FINEST)


def _points(rows: Sequence[Row], kind: str) -> tuple[list[int], list[float]]:
    known = [row for row in rows if row[kind]]
    return [int(row["n"]) for row in known], [float(row[kind]) for row in known]


BUDGETS = Study(
    "budgets",
    "printed, sharp, certified and exact budgets of the Permutation Swapping Algorithm as a universe grows",
    "Compute the printed budget (article, (7)), the sharp one in b and p, the certified one that may use the margins "
    "and the exact loss of universes of one stratum with n records, balanced and unbalanced. One line of the table for "
    "each universe; the exact loss stands where it can be computed, the certified budget bounds it beyond.",
    _plan,
    (
        "stirred study budgets --output budgets",
        "stirred study budgets --swap-rate 1/20 --largest 1000 --output budgets-at-5-percent",
    ),
)
