"""Article, Figure 1: how far the Permutation Swapping Algorithm moves a two-way table, at each swap rate."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np

from stirred.mechanisms.fast.permutation_swapping import draw_moves
from stirred.mechanisms.swapping.permutation_swapping import SwapRecord
from stirred.spec.arguments import Exact, InputError, integer, parse_exact, positive_integer, probability
from stirred.verify.evidence.files.bounded_file import read_table_file
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.pictures.rendering import GREYS, box_plots
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.massachusetts_1940 import dwellings, swapped_dwellings
from stirred.verify.products.fields import check_list
from stirred.verify.products.studies.study import (
    Row,
    Study,
    StudyPlan,
    digest_of,
    mean_of,
    percent_text,
    rounded_text,
    seed_of,
)
from stirred.verify.products.swap.request import SwapRequest

Cells = Mapping[tuple[Any, Any], int]
"""The table n_hs of holding by swapping category, over all strata."""

Swap = Callable[[Fraction, int, int], tuple[dict[tuple[Any, Any], int], int]]
"""From a swap rate, the number of a run and the study's seed: the swapped table, and how many records moved."""

RATES = tuple(Fraction(percent, 100) for percent in (1, 5, 10, 20, 30, 40, 50))
"""From 1% to 50%, as in the article's figure, with those of its Table 2."""

_PLACES = 9
_MOST_RECORDS = 10**8


def percentage_error(original: Cells, swapped: Cells) -> Fraction:
    """The mean of |n_hs − n'_hs|/n_hs over the cells with n_hs > 0, as article, section 3.4 defines it.

    >>> percentage_error({("own", "A"): 4, ("rent", "A"): 2}, {("own", "A"): 3, ("rent", "A"): 3})
    Fraction(3, 8)
    """
    errors = [Fraction(abs(n - swapped.get(cell, 0)), n) for cell, n in original.items() if n]
    return mean_of(errors)


def cells_of(records: Counter[SwapRecord]) -> dict[tuple[Any, Any], int]:
    """The two-way table of these records, over all strata."""
    cells: Counter[tuple[Any, Any]] = Counter()
    for (_, held, swapped), copies in records.items():
        cells[held, swapped] += copies
    return dict(cells)


def swapped_cells(records: Counter[SwapRecord]) -> Swap:
    """The runs of the PSA on these records: the same for the same rate, number and seed, independent for others."""
    copies = list(records.values())
    values = [list(dict.fromkeys(column)) for column in zip(*records, strict=True)]
    codes = [{value: code for code, value in enumerate(column)} for column in values]
    matching, holding, swapping = (
        np.repeat(np.array([code[record[role]] for record in records], dtype=np.int32), copies)
        for role, code in enumerate(codes)
    )
    held, width = holding.astype(np.int64) * len(values[2]), len(values[2])

    def swap(rate: Fraction, run: int, seed: int) -> tuple[dict[tuple[Any, Any], int], int]:
        moves = draw_moves(matching, swap_rate=rate, seed=seed_of(seed, f"p = {rate}, run {run}"))
        counts = np.bincount(held + moves.apply(swapping)).tolist()
        cells = {(values[1][place // width], values[2][place % width]): n for place, n in enumerate(counts) if n}
        return cells, len(moves.moved)

    return swap


def _records(asked: SwapRequest) -> Counter[SwapRecord]:
    """The records of a file, with codes for their categories."""
    from stirred.mechanisms.fast.random_words import run_key  # noqa: PLC0415 only files need Arrow, an optional dependency
    from stirred.mechanisms.tables.redistribution import SwapRun  # noqa: PLC0415
    from stirred.mechanisms.tables.swapping import swap_file  # noqa: PLC0415

    file = read_table_file(asked.file)
    roles = asked.roles(file.schema.names)
    cells = swap_file(file, roles, SwapRun(None, run_key(None))).cells  # without a rate nothing is swapped
    total = sum(cells.counts.tolist())
    if total > _MOST_RECORDS:
        raise InputError(f"{asked.file}: must hold at most {_MOST_RECORDS} records for a study; here are {total}")
    codes = zip(cells.strata.tolist(), cells.holding.tolist(), cells.swapping.tolist(), strict=True)
    return Counter(dict(zip(codes, cells.counts.tolist(), strict=True)))


def _plan(
    *,
    file: str | None = None,
    massachusetts: bool = False,
    match: Sequence[str] | None = None,
    swap: Sequence[str] | None = None,
    hold: Sequence[str] | None = None,
    count: str | None = None,
    swap_rates: Sequence[str | Exact] = RATES,
    runs: int = 20,
    seed: int = 1940,
) -> StudyPlan:
    check_list("--swap-rates", swap_rates)
    rates = tuple(sorted(probability("--swap-rates", parse_exact("--swap-rates", p)) for p in swap_rates))
    if len(set(rates)) != len(rates):
        raise InputError("--swap-rates has duplicates")
    positive_integer("--runs", runs)
    integer("--seed", seed, minimum=0)
    if massachusetts == (file is not None):
        raise InputError("study psa requires a file or --1940, and not both")
    for option, given in {"match": match, "swap": swap, "hold": hold, "count": count}.items():
        if file is None and given is not None:
            raise InputError(f"--1940 cannot be combined with --{option}")
    asked = None if file is None else SwapRequest(file, swap or (), match=match or (), hold=hold, count=count)
    records = dwellings() if asked is None else _records(asked)
    original, swapped = cells_of(records), swapped_cells(records)
    draws = {f"{percent_text(rate)}, run {run}": (rate, run) for rate in rates for run in range(1, runs + 1)}

    def draw(name: str) -> list[Row]:
        rate, run = draws[name]
        cells, moved = swapped(rate, run, seed)
        error = rounded_text(100 * percentage_error(original, cells), _PLACES)
        return [{"swap_rate": str(rate), "run": str(run), "records_moved": str(moved), "mape_percent": error}]

    printed = {}
    if massachusetts:
        printed[Fraction(1, 2)] = 100 * percentage_error(original, cells_of(swapped_dwellings()))
    scope = f"{runs} runs at each rate, seed {seed}, {records.total()} records, {len(original)} cells"
    return StudyPlan(
        {
            "runs": runs,
            "seed": seed,
            "rates": [str(rate) for rate in rates],
            "data": digest_of(sorted(records.items())),
        },
        tuple(draws),
        draw,
        lambda rows: _findings(rows, scope),
        {"psa": lambda figure, rows: _box_plots(figure, rows, printed)},
    )


def _errors(rows: Sequence[Row]) -> dict[Fraction, list[Fraction]]:
    """The percentage errors at each rate, in increasing order."""
    found: dict[Fraction, list[Fraction]] = {}
    for row in rows:
        found.setdefault(Fraction(row["swap_rate"]), []).append(Fraction(row["mape_percent"]))
    return {rate: sorted(errors) for rate, errors in found.items()}


def _findings(rows: Sequence[Row], scope: str) -> dict[str, Evidence]:
    return {
        f"psa.p={rate}": Evidence(
            Verdict.SAMPLED,
            scope,
            f"mean absolute percentage error {rounded_text(_median(errors), 3)}% (median), from "
            f"{rounded_text(errors[0], 3)}% to {rounded_text(errors[-1], 3)}%",
        )
        for rate, errors in _errors(rows).items()
    }


def _median(ordered: Sequence[Fraction]) -> Fraction:
    half = len(ordered) // 2
    return (ordered[half] + ordered[~half]) / 2


def _box_plots(figure: Any, rows: Sequence[Row], printed: Mapping[Fraction, Fraction]) -> None:
    """Left the errors, as in the article; right each error over the median at its rate, to show how they vary."""
    found = _errors(rows)
    figure.set_size_inches(10, 4.5)
    errors, spread = figure.subplots(1, 2)
    places = [100 * rate for rate in found]
    box_plots(errors, {percent_text(rate): group for rate, group in found.items()}, places)
    for rate in printed.keys() & found.keys():
        point = (float(100 * rate), float(printed[rate]))
        errors.plot(*point, "x", ms=9, mew=2, color=GREYS[0], label="the run that article, Table 1 prints")
        errors.legend(loc="upper left")
    errors.set(xlabel="swap rate p", ylabel="mean absolute percentage error (%)", ylim=(0, None))
    medians = {rate: median for rate, group in found.items() if (median := _median(group))}
    box_plots(spread, {percent_text(rate): [each / median for each in found[rate]] for rate, median in medians.items()})
    spread.axhline(1, color=GREYS[2], linewidth=1, zorder=0)
    spread.set(xlabel="swap rate p", ylabel="error of a run / median error at its rate")
    runs = max(map(len, found.values()))
    errors.set_title(f"box: the middle half of {runs} runs; whiskers: all of them", fontsize="medium")
    spread.set_title("the same as a share of the median", fontsize="medium")


PSA = Study(
    "psa",
    "error of a two-way table under the Permutation Swapping Algorithm (article, Figure 1)",
    "Swap a data set by the Permutation Swapping Algorithm, several times at each swap rate, and measure the mean "
    "absolute percentage error of its table of held by swapped categories, over the cells that hold a record: article, "
    "Figure 1. One line of the table for each run: the rate, the run, how many records moved, the error in per cent.",
    _plan,
    (
        "stirred study psa --1940 --output figure1",
        "stirred study psa homes.csv --match size --swap county --hold tenure --output homes",
        "stirred study psa --1940 --runs 100 --seed 7 --swap-rates 1/100 1/2 --output hundred",
    ),
)
