"""`stirred run survey`: weighted totals of records of real size, imputed, with noise, and calibrated after it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from itertools import product
from typing import TYPE_CHECKING, Any

from stirred.spec.arguments import InputError
from stirred.verify.certificates.printable import printable
from stirred.verify.commands.progress_line import ProgressLine
from stirred.verify.files.real_path import real_path
from stirred.verify.files.table_file import read_table_file
from stirred.verify.products.survey.settings import ReleasedTotal, ReleaseSettings, read_release_settings
from stirred.verify.products.survey.specification import amplified_line, claim_text, specification
from stirred.verify.reports.lines import HOLDS, counted
from stirred.verify.running.signals import ended_by_interrupt

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

EXAMPLE = """\
id = "jobs.2026"
resolution = "person"

[weights]                    # design weights, of which none counts as more than the largest
column = "weight"
largest = 40

[cells]                      # totals are released for each cell: all values that there can be
region = ["north", "south"]
sex = ["f", "m"]

[imputation]                 # sequential hot deck in the order of the records, within a cell
donations = 1

[calibration]                # after the noise, which costs nothing: one column post-stratifies, several rake
epsilon = "1/4"              # for the sums of the weights
totals = { region = [["north", 6000000], ["south", 4000000]], sex = [["f", 5100000], ["m", 4900000]] }

[[total]]
name = "employed"
column = "employed"
low = 0                      # smaller and larger values count as these
high = 1
otherwise = 0                # where no donor is left
epsilon = "1/2"
"""
"""Settings to start from."""

_EPILOG = """\
examples:
  stirred run survey --example > jobs.toml
  stirred run survey --settings jobs.toml --data sample.parquet --output jobs.csv --claim jobs-claim.toml

DATA is CSV with a header line, Parquet, or a directory of Parquet files; it is read once, in parts. --output gets a
line for each total and cell, and one for all cells (the cell's columns empty): the Horvitz-Thompson total with noise,
the same calibrated where the settings have [calibration], and the scale of the noise. Files are Parquet if their names
end in .parquet, and CSV otherwise.

Every record adds its weighted value to the total of its cell as an integer of units (unit = 1 unless given), within
bounds that the settings declare; noise is discrete Laplace with scale sensitivity/epsilon on each. Weights are part of
the records: what one record changes in the weights of others is not covered, so that weights must not be calibrated
before. Calibration follows the noise, and a donor gives its value a limited number of times, so that both have a
bounded price. With [design] (name = "simple-random-sample", size, frame) what may be claimed for the frame is said,
where all weights are frame/size.

Randomness is the operating system's; --seed is for repeatable experiments and must never be used for a release.
Needs the group "tables": pip install pyarrow. Exit status: 0 when all is written, 2 otherwise.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "survey",
        help="weighted totals of a survey, imputed and calibrated, with noise",
        description="Release weighted totals of a survey's records and state the specification that they satisfy.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--example", action="store_true", help="print settings to start from, and run nothing")
    parser.add_argument("--settings", metavar="FILE", help="weights, cells, totals and budgets, TOML")
    parser.add_argument("--data", metavar="DATA", help="the responding sample, a line for each unit")
    parser.add_argument("--output", metavar="FILE", help="where the totals go")
    parser.add_argument("--out", dest="output", help=argparse.SUPPRESS)
    parser.add_argument("--claim", metavar="FILE", help="write the specification as a claim file for stirred audit")
    parser.add_argument("--seed", type=int, help="repeatable pseudo-random noise, for experiments only")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Count, draw, write and print the specification; returns the exit status.

    Raises:
        InputError: the settings or the data are malformed, or a file cannot be written; nothing has been written then.
    """
    if arguments.example:
        for option in ("settings", "data", "output", "claim", "seed"):
            if (given := getattr(arguments, option)) is not None:
                raise InputError(f"--example must come without --{option}; got {given}")
        sys.stdout.write(EXAMPLE)
        return HOLDS
    for option in ("settings", "data", "output"):
        if getattr(arguments, option) is None:
            raise InputError(f"--{option} must be given, or --example alone")
    _check_targets(arguments)
    settings = read_release_settings(arguments.settings)
    with ended_by_interrupt():
        _release(arguments, settings)
    return HOLDS


def _check_targets(arguments: argparse.Namespace) -> None:
    """Refuse to write over what is read, or two files under one name."""
    taken = {real_path(arguments.settings): "--settings", real_path(arguments.data): "--data"}
    for option in ("output", "claim"):
        if (name := getattr(arguments, option)) is not None:
            path = real_path(name)
            if path in taken:
                raise InputError(f"--{option} must be another file than {taken[path]}; got {name}")
            taken[path] = f"--{option}"


def _release(arguments: argparse.Namespace, settings: ReleaseSettings) -> None:
    import pyarrow as pa  # noqa: PLC0415 slow to load, and an optional dependency

    from stirred.mechanisms.tables.weighted_totals import CountedTotal, weighted_totals  # noqa: PLC0415
    from stirred.mechanisms.tables.writing import WholeFiles  # noqa: PLC0415

    file = read_table_file(arguments.data)
    progress = ProgressLine(sys.stderr)
    totals = [CountedTotal(one.column, one.bounds, one.otherwise) for one in settings.totals]
    counted_totals = weighted_totals(
        file,
        settings.weights,
        settings.cells,
        totals,
        donations=settings.donations,
        show=lambda done, total: progress.show("reading", done, total),
    )
    records = counted_totals.records
    line = amplified_line(arguments.settings, settings, records, counted_totals.weights)
    rows = list(_rows(settings, _noisy(settings, counted_totals.units, arguments.seed)))
    schema = pa.schema(
        [
            ("total", pa.string()),
            *((column, pa.string()) for column in settings.cells),
            ("horvitz_thompson", pa.float64()),
            *([("calibrated", pa.float64())] if settings.margins else []),
            ("noise_scale", pa.float64()),
        ]
    )
    with WholeFiles() as files:
        files.table(arguments.output, schema, [pa.Table.from_pylist(rows, schema)])
        if arguments.claim:
            files.text(arguments.claim, claim_text(settings, records))
    sys.stdout.write(f"{printable(arguments.output)}: written, {counted(len(rows), 'line')} of {records} records\n")
    sys.stdout.write(specification(settings, records).text() + "\n" + line + "\n")
    if arguments.seed is not None:
        sys.stderr.write("stirred: drawn with a seed: whoever knows it can take the noise away\n")


def _noisy(settings: ReleaseSettings, counts: NDArray[np.int64], seed: int | None) -> NDArray[np.int64]:
    """The totals with their noise, in units."""
    import numpy as np  # noqa: PLC0415

    from stirred.mechanisms.fast.discrete_laplace import discrete_laplace  # noqa: PLC0415

    noise = [
        discrete_laplace(total.scale, settings.count, None if seed is None else seed + number)
        for number, total in enumerate(settings.totals)
    ]
    found: NDArray[np.int64] = counts + np.stack(noise)
    return found


def _rows(settings: ReleaseSettings, noisy: NDArray[np.int64]) -> Iterator[dict[str, Any]]:
    """The lines of the output: of each total its cells, then all of them."""
    factors = _factors(settings, noisy[0]) if settings.margins else None
    labels = [dict(zip(settings.cells, cell, strict=True)) for cell in product(*settings.cells.values())]
    for total, steps in zip(settings.totals, noisy, strict=True):
        values = steps * _double(total)
        fitted = values if factors is None else values * factors
        scale = total.scale.numerator / total.scale.denominator * _double(total)
        for label, value, one in zip(labels, values, fitted, strict=True):
            yield {"total": total.name, **label, "horvitz_thompson": value, "calibrated": one, "noise_scale": scale}
        if settings.cells:
            whole = {"horvitz_thompson": values.sum(), "calibrated": fitted.sum(), "noise_scale": None}
            yield {"total": total.name, **whole}


def _double(total: ReleasedTotal) -> Any:
    return total.bounds.unit.numerator / total.bounds.unit.denominator


def _factors(settings: ReleaseSettings, weights: NDArray[np.int64]) -> NDArray[np.float64]:
    """By what each cell's totals are multiplied to meet the margins; a noisy sum below one unit counts as one."""
    import numpy as np  # noqa: PLC0415

    from stirred.mechanisms.fast.raking import raked_table  # noqa: PLC0415

    shape = tuple(len(values) for values in settings.cells.values())
    table = np.maximum(weights, 1).reshape(shape) * _double(settings.totals[0])
    places = list(settings.cells)
    margins = {
        places.index(column): np.array([int(totals[value]) for value in settings.cells[column]], dtype=np.float64)
        for column, totals in settings.margins.items()
    }
    found: NDArray[np.float64] = (raked_table(table, margins) / table).reshape(-1)
    return found
