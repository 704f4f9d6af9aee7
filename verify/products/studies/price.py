"""What the PSA changes and what fibre noise of the same flavor and budget changes: lines, a real table, households.

Three sets of draws. Lines: exact mean changes from the middle of balanced universes, each at the PSA's exact loss. The
dwellings of Massachusetts in 1940: every cell, at the PSA's certified budget. A synthetic state: the counts and the
racial entropy of blocks, at the certified budget too, where tables have many categories and few records in a cell.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import cache, partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.fibre_noise import dealt, noisy_counts
from stirred.mechanisms.fast.permutation_swapping import draw_moves
from stirred.mechanisms.fast.random_words import random_words
from stirred.mechanisms.noise.fibre_noise import fibre_law
from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.spec.arguments import integer, positive_integer
from stirred.spec.blocks.tables import Table
from stirred.spec.laws.law import Law
from stirred.verify.engines.swapping.bounds import certified_budget
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.pictures.rendering import GREYS, logarithmic, means_of_runs
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.massachusetts_1940 import dwellings
from stirred.verify.products.studies.study import Row, Study, StudyPlan, mean_of, rounded_text, seed_of
from stirred.verify.products.studies.swapping.race_counts import race_counts, racial_entropy
from stirred.verify.products.studies.swapping.releases import psa_loss
from stirred.verify.products.studies.swapping.synthetic_state import SyntheticState, synthetic_state

Numbers = NDArray[np.int64]

_RATES = (Fraction(1, 2), Fraction(1, 10))
_SIZES = (8, 12, 16, 24, 32, 48, 64, 96)
_PLACES = 6
_PSA, _NOISE = "PSA", "fibre noise"
_FLAVOR = "d_HamS, D_Mult, the swap's margins invariant"
_GRAIN = 10**6
"""Budgets of sampled draws are rounded up to this part of 1; the PSA meets what is rounded up too."""


def _row(data: str, method: str, rate: Fraction, epsilon: str, **more: object) -> Row:
    columns = ("run", "n", "of", "count", "statistic", "value")
    start = {"data": data, "method": method, "swap_rate": str(rate), "epsilon": epsilon}
    return {**start, **{name: str(more.get(name, "")) for name in columns}}


def _line(rate: Fraction, size: int) -> list[Row]:
    """The exact mean changes from the middle of one line."""
    half, c = size // 2, size // 4
    loss = universe_loss((half, half), (half, half), rate)
    x = ((c, half - c), (half - c, c))
    if loss.gamma is None:
        return []
    laws = {_PSA: psa_law(x, rate), _NOISE: fibre_law(x, 1 / loss.gamma)}
    epsilon = loss.epsilon().text(_PLACES)
    return [
        _row("line", name, rate, epsilon, n=size, statistic="mean change", value=rounded_text(_mean(law, x), _PLACES))
        for name, law in laws.items()
    ]


def _mean(law: Law[Table], x: Table) -> Fraction:
    return sum((law.numeric(z) * abs(z[0][0] - x[0][0]) for z in law.support), Fraction(0))


class _Dwellings:
    """Massachusetts 1940: tenures by counties, one stratum."""

    def __init__(self) -> None:
        cells = {(str(held), str(county)): count for (_, held, county), count in dwellings().items()}
        tenures, self.counties = (sorted({key[side] for key in cells}) for side in (0, 1))
        self.table = np.array([[cells.get((t, c), 0) for c in self.counties] for t in tenures], dtype=np.int64)

    def epsilon(self, rate: Fraction) -> Fraction:
        """The certified budget of the PSA, rounded up."""
        rows, columns = (tuple(self.table.sum(axis).tolist()) for axis in (1, 0))
        return _rounded_up(certified_budget(rows, columns, rate).epsilon().upper)

    def rows(self, method: str, rate: Fraction, epsilon: Fraction, run: int, seed: int) -> Iterator[Row]:
        """The change of each cell of one run."""
        found = self._swapped(rate, seed) if method == _PSA else self._noisy(epsilon, seed)
        changes = np.abs(found - self.table)[0].tolist()  # the two tenures of a county change by as much
        for county, change, count in zip(self.counties, changes, self.table.sum(0).tolist(), strict=True):
            more = {"run": run, "of": county, "count": count, "statistic": "change", "value": change}
            yield _row("massachusetts", method, rate, _shown(epsilon), **more)

    def _swapped(self, rate: Fraction, seed: int) -> Numbers:
        height, width = self.table.shape
        held, given = (np.repeat(side.reshape(-1), self.table.reshape(-1)) for side in np.indices((height, width)))
        moved = draw_moves(np.zeros(len(held), dtype=np.int64), swap_rate=rate, seed=seed).apply(given)
        found: Numbers = np.bincount(held * width + moved, minlength=height * width).reshape(height, width)
        return found

    def _noisy(self, epsilon: Fraction, seed: int) -> Numbers:
        held, given = (side.astype(np.int64) for side in np.nonzero(self.table))
        cells = np.zeros_like(held), held, given, self.table[held, given]
        _, rows, columns, counts = noisy_counts(cells, epsilon, random_words(seed))
        found = np.zeros_like(self.table)
        found[rows, columns] = counts
        return found


def _rounded_up(epsilon: Fraction) -> Fraction:
    return Fraction(-(-epsilon * _GRAIN // 1), _GRAIN)


def _shown(epsilon: Fraction) -> str:
    return rounded_text(epsilon, _PLACES)


class _State:
    """A synthetic state: the composition of households by block, in strata of persons and adults."""

    def __init__(self, households: int, seed: int) -> None:
        self.state: SyntheticState = synthetic_state(households, seed)
        self.held = self.state.held
        self.key = np.unique(self.state.key, return_inverse=True)[1].reshape(-1).astype(np.int64)

    def epsilon(self, rate: Fraction) -> Fraction:
        """The certified budget of the PSA, rounded up."""
        return _rounded_up(psa_loss(self.state, rate).epsilon().upper)

    def released(self, method: str, rate: Fraction, epsilon: Fraction, seed: int) -> Any:
        """The blocks of the households after one run."""
        block = self.state.block.astype(np.int64)
        if method == _PSA:
            return draw_moves(self.key, swap_rate=rate, seed=seed).apply(block)
        order = np.lexsort((block, self.held, self.key))
        rows = np.stack((self.key, self.held, block))[:, order]
        firsts = np.flatnonzero(np.append(True, (rows[:, 1:] != rows[:, :-1]).any(axis=0)))
        counts = np.diff(firsts, append=rows.shape[1])
        words = random_words(seed)
        noisy = noisy_counts((rows[0, firsts], rows[1, firsts], rows[2, firsts], counts), epsilon, words)
        return dealt(noisy, self.key, self.held, words)

    def rows(self, method: str, rate: Fraction, epsilon: Fraction, run: int, seed: int) -> Iterator[Row]:
        """What one run does to the persons by block and race, and to the racial entropy of tracts."""
        state = self.state
        block = self.released(method, rate, epsilon, seed)
        before, after = (race_counts(one, state.persons, len(state.tract)) for one in (state.block, block))
        tracts = len(state.county)
        entropies = [
            racial_entropy(race_counts(state.tract[b], state.persons, tracts)).mean() for b in (state.block, block)
        ]
        measured = {
            "persons of a race in a block, mean change": np.abs(before - after).mean(),
            "racial entropy of tracts, change of its mean": entropies[1] - entropies[0],
            "households that moved, share": (block != state.block).mean(),
        }
        for statistic, value in measured.items():
            shown = rounded_text(Fraction(float(value)).limit_denominator(10**12), _PLACES)
            yield _row(
                *("state", method, rate, _shown(epsilon)),
                run=run,
                statistic=statistic,
                value=shown,
            )


def _plan(*, runs: int = 5, households: int = 10_000, largest: int = _SIZES[-1], seed: int = 35) -> StudyPlan:
    positive_integer("--runs", runs)
    integer("--seed", seed, minimum=0)
    integer("--households", households, minimum=2_000)
    integer("--largest", largest, minimum=_SIZES[0])
    lines = {f"line, p = {p}, n = {n}": (p, n) for p in _RATES for n in _SIZES if n <= largest}
    sampled = {
        f"{data}, {method}, p = {p}, run {run}": (data, method, p, run)
        for data in ("massachusetts", "state")
        for method in (_PSA, _NOISE)
        for p in _RATES
        for run in range(1, runs + 1)
    }
    sources: Mapping[str, Callable[[], _Dwellings | _State]] = {
        "massachusetts": cache(_Dwellings),
        "state": cache(partial(_State, households, seed)),
    }

    @cache
    def budget(data: str, rate: Fraction) -> Fraction:
        return sources[data]().epsilon(rate)

    def draw(name: str) -> list[Row]:
        if name in lines:
            return _line(*lines[name])
        data, method, rate, run = sampled[name]
        return list(sources[data]().rows(method, rate, budget(data, rate), run, seed_of(seed, name)))

    scope = f"{runs} runs of each, seed {seed}, {households} households"
    return StudyPlan(
        {"runs": runs, "seed": seed, "households": households, "largest": largest},
        (*lines, *sampled),
        draw,
        lambda rows: _findings(rows, scope),
        {"lines": _lines_picture, "massachusetts": _counties_picture, "state": _state_picture},
    )


def _values(rows: Sequence[Row], **where: str) -> list[Fraction]:
    return [Fraction(row["value"]) for row in rows if all(row[key] == text for key, text in where.items())]


def _findings(rows: Sequence[Row], scope: str) -> Mapping[str, Evidence]:
    found: dict[str, Evidence] = {}
    largest = max(int(row["n"]) for row in rows if row["data"] == "line")
    for rate in map(str, _RATES):
        psa, noise = (_values(rows, data="line", method=m, swap_rate=rate, n=str(largest))[0] for m in (_PSA, _NOISE))
        words = f"n = {largest}: the PSA changes a cell by {rounded_text(psa, 3)}, noise by {rounded_text(noise, 4)}"
        found[f"price.line.p={rate}"] = Evidence(Verdict.EXHAUSTED, f"exact laws; {_FLAVOR}", words)
        statistics = [("massachusetts", "change"), *(("state", one) for one in _statistics(rows))]
        for data, statistic in statistics:
            means = []
            for method in (_PSA, _NOISE):
                values = _values(rows, data=data, method=method, swap_rate=rate, statistic=statistic)
                means.append(mean_of(values))
            words = f"{statistic}: PSA {rounded_text(means[0], 4)}, fibre noise {rounded_text(means[1], 4)} (means)"
            name = f"price.{data}.{statistic.partition(',')[0].replace(' ', '-')}.p={rate}"
            found[name] = Evidence(Verdict.SAMPLED, f"{scope}; {_FLAVOR}", words)
    none = "pairs of 2010 keep these invariants, but have no finite budget to compare at (stirred verify pairwise)"
    found["price.pairs-2010"] = Evidence(Verdict.ARGUED, _FLAVOR, none)
    return found


def _statistics(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row["statistic"] for row in rows if row["data"] == "state"))


_STYLES = {_PSA: ("o-", GREYS[0]), _NOISE: ("s--", GREYS[2])}


def _lines_picture(figure: Any, rows: Sequence[Row]) -> None:
    figure.set_size_inches(10, 4.5)
    for axes, rate in zip(figure.subplots(1, 2, sharey=True), map(str, _RATES), strict=True):
        for method, (form, tone) in _STYLES.items():
            mine = [r for r in rows if r["data"] == "line" and (r["method"], r["swap_rate"]) == (method, rate)]
            axes.plot([int(r["n"]) for r in mine], [float(r["value"]) for r in mine], form, color=tone, label=method)
        logarithmic(axes, "xy")
        axes.set(xlabel="records n, margins (n/2, n/2) on both sides", ylabel="mean change of a cell from the middle")
        axes.set_title(f"p = {rate}: both at the PSA's exact loss", fontsize="medium")
        axes.legend()
    figure.suptitle(f"One flavor: {_FLAVOR}", fontsize="medium")


def _counties_picture(figure: Any, rows: Sequence[Row]) -> None:
    figure.set_size_inches(10, 4.5)
    for axes, rate in zip(figure.subplots(1, 2, sharey=True), map(str, _RATES), strict=True):
        for method, (form, tone) in _STYLES.items():
            where = {"data": "massachusetts", "method": method, "swap_rate": rate}
            mine = [row for row in rows if all(row[key] == text for key, text in where.items())]
            counts = sorted({int(row["count"]) for row in mine})
            runs = [_values(mine, count=str(count)) for count in counts]
            means_of_runs(axes, counts, runs, form[0], color=tone, label=method)
            epsilon = mine[0]["epsilon"]
        axes.set(xscale="log", xlabel="dwellings of the county", ylabel="change of its two cells")
        axes.set_yscale("symlog", linthresh=1)
        axes.set_title(f"p = {rate}: both at epsilon = {float(epsilon):.3f}, certified for the PSA", fontsize="medium")
        axes.legend(loc="center right", bbox_to_anchor=(1, 0.42))
    figure.suptitle(f"Massachusetts 1940, tenure by county. One flavor: {_FLAVOR}", fontsize="medium")


def _state_picture(figure: Any, rows: Sequence[Row]) -> None:
    statistics = _statistics(rows)
    figure.set_size_inches(11, 4.5)
    for axes, statistic in zip(figure.subplots(1, len(statistics)), statistics, strict=True):
        for method, (form, tone) in _STYLES.items():
            runs = [_values(rows, data="state", method=method, swap_rate=str(p), statistic=statistic) for p in _RATES]
            means_of_runs(axes, range(len(_RATES)), runs, form[0], color=tone, label=method)
        budgets = [
            next(r["epsilon"] for r in rows if r["data"] == "state" and r["swap_rate"] == str(p)) for p in _RATES
        ]
        labels = [f"p = {p}\nepsilon = {float(e):.2f}" for p, e in zip(_RATES, budgets, strict=True)]
        axes.set_xticks(range(len(_RATES)), labels)
        axes.set(xlim=(-0.5, len(_RATES) - 0.5), ylabel=statistic)
        axes.axhline(0, color=GREYS[3], linewidth=1, zorder=0)
        axes.legend()
    figure.suptitle(f"Households of a synthetic state. One flavor: {_FLAVOR}", fontsize="medium")


PRICE = Study(
    "price",
    "what the PSA changes beside fibre noise with the same invariants and the same budget",
    "Set the PSA beside fibre noise under one flavor (unit, invariants, measure) and one budget. Lines: exact mean "
    "changes from the middle of universes with margins (n/2, n/2), at the PSA's exact loss. Massachusetts in 1940 "
    "(article, Table 1): the change of each county's cells, at the PSA's certified budget. A synthetic state of "
    "households: counts by block and race, racial entropy, and the share of households that moved, at the certified "
    "budget too, which may be above the PSA's exact loss and then favours the noise. The share that moved is what a "
    "household can deny by, and no budget speaks of it. One line of the table for each number.",
    _plan,
    (
        "stirred study price --output price",
        "stirred study price --runs 2 --households 2000 --largest 16 --output small",
    ),
)
