"""`stirred swap`: run the Permutation Swapping Algorithm on a table of records and state its specification."""

from __future__ import annotations

import argparse
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from mechanisms.permutation_swapping import SaturatedTable, SwapRecord
from spec.arguments import InputError, probability
from spec.loss import Loss
from spec.permutation_swapping import Margins, largest_stratum, psa_budget
from verify.audit.five_blocks import FiveBlocks, StatedBlock
from verify.certificates.printable import one_line, printable
from verify.commands.limits import parse_number
from verify.commands.record_file import SwapVariables, fields_of, read_csv_records, write_table
from verify.engines.swapping.bounds import certified_budget_of_strata
from verify.reports.lines import HOLDS, counted

__all__ = ["add_parser", "run"]

_EPILOG = """\
examples:
  stirred swap homes.csv --match size --swap county --swap-rate 1/20 --output swapped.csv
  stirred swap cells.csv --match size --swap county --count n --swap-rate 0.5    (states the specification only)
  stirred swap cells.csv --match size --swap county --count n --swap-rate 0.5 --certify

FILE has a header line; every column that is neither matched nor swapped is held. The output is the fully saturated
contingency table of the swapped records, with a column "count": the released form of article, Algorithm 1.
Randomness is the operating system's; --seed is for repeatable experiments and must never be used for a release.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "swap",
        help="run the Permutation Swapping Algorithm on a CSV file",
        description="Swap records by the Permutation Swapping Algorithm and state the specification that it satisfies.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("file", metavar="FILE", help="records as CSV")
    parser.add_argument("--match", nargs="*", default=[], metavar="COLUMN", help="matching variables (the swap key)")
    parser.add_argument("--swap", nargs="+", required=True, metavar="COLUMN", help="swapping variables")
    parser.add_argument("--count", metavar="COLUMN", help="a column that says how many records a line stands for")
    parser.add_argument("--swap-rate", required=True, metavar="P", help="p in [0, 1], exact: 1/20 or 0.05")
    parser.add_argument("--resolution", default="record", help="what one record is, such as household")
    parser.add_argument("--output", metavar="FILE", help="where the swapped table goes; without it nothing is swapped")
    parser.add_argument(
        "--certify", action="store_true", help="state the certified budget of this universe beside the printed one"
    )
    parser.add_argument(
        "--allow-determined",
        action="store_true",
        help="write the table although the invariants determine the data, so that it is the input itself",
    )
    parser.add_argument("--seed", type=int, help="repeatable pseudo-random choices, for experiments only")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Swap, write and print the specification; returns the exit status."""
    rate = probability("--swap-rate", parse_number("--swap-rate", arguments.swap_rate))
    records, variables = read_csv_records(arguments.file, arguments.match, arguments.swap, arguments.count)
    margins = stratum_margins(records)
    budget = psa_budget(largest_stratum(margins), rate)
    if arguments.output is not None:
        _refuse_release(arguments, margins, rate, budget)
    parameters = f"b = {largest_stratum(margins)}, p = {rate}"
    blocks = describe(variables, margins, arguments.resolution, budget, parameters)
    if arguments.certify and 0 < rate < 1:  # at 0 and 1 no finite budget is to be had
        certified = certified_budget_of_strata(margins, rate)
        more = f"; with these counts at most {certified} ({certified.reason})"
        blocks = replace(blocks, budget=StatedBlock(blocks.budget.text + more))
    if arguments.output is not None:
        table = swapped_table(records, rate, arguments.seed)
        write_table(arguments.output, variables, table)
        sys.stdout.write(f"{printable(arguments.output)}: {records.total()} records, {len(table)} cells\n")
        if arguments.seed is not None:
            sys.stderr.write("stirred: swapped with a seed: whoever knows it can undo the swap\n")
    sys.stdout.write(blocks.text() + "\n")
    sys.stderr.write("".join(f"stirred: {one_line(warning)}\n" for warning in warnings(records, variables, margins)))
    return HOLDS


def is_determined(margins: Margins) -> bool:
    """Whether a stratum has one table only, its own: it has one holding or one swapping category.

    >>> is_determined(((2, 1), (3,))), is_determined(((2, 1), (1, 2)))
    (True, False)
    """
    return any(sum(map(bool, side)) < 2 for side in margins)


def warnings(records: Counter[SwapRecord], variables: SwapVariables, margins: Sequence[Margins]) -> Iterator[str]:
    """What a person should know before these records are swapped: what stays as it is, and what identifies."""
    total = records.total()
    kept = sum(sum(rows) for rows, columns in margins if is_determined((rows, columns)))
    if kept == total:
        yield "the invariants determine the data: no record can change, whatever the budget"
    elif kept:
        yield f"{kept} of {counted(total, 'record')} stand in strata that the invariants determine: they cannot change"
    columns = zip(*map(fields_of, records), strict=True)
    for name, values in zip(variables.columns, columns, strict=True):
        if len(set(values)) == total > 1:
            yield (
                f"the column {name!r} has another value in each of {total} records: it identifies them, and its values "
                "are released exactly"
            )


def _refuse_release(arguments: argparse.Namespace, margins: Sequence[Margins], rate: Fraction, budget: Loss) -> None:
    """Refuse to write over the records, to write them as they are, and to write what no finite budget covers."""
    if Path(arguments.output).resolve() == Path(arguments.file).resolve():
        raise InputError(f"--output must not be the file of records; got {arguments.output}")
    if budget.is_infinite:
        how = "no record moves" if rate == 0 else "every record moves"
        raise InputError(
            f"--swap-rate must be between 0 and 1, exclusive, for a release; got {rate}, where {how} and the loss is "
            "infinite: the tables ((1, 0), (0, 1)) and ((0, 1), (1, 0)) of one universe have no output in common"
        )
    if all(map(is_determined, margins)) and not arguments.allow_determined:
        raise InputError(
            f"{arguments.file}: must have a stratum of two holding and two swapping categories to be swapped; here the "
            f"invariants determine the data in each of {len(margins)} strata, and the output would be the input: match "
            "fewer columns, or say --allow-determined"
        )


def swapped_table(records: Counter[SwapRecord], rate: Fraction, seed: int | None) -> SaturatedTable:
    """One draw of the PSA by its array implementation, whose law is that of the program."""
    import numpy as np  # noqa: PLC0415 only a release needs it

    from mechanisms.fast import permutation_swapping  # noqa: PLC0415

    copies = list(records.values())
    values = [list(dict.fromkeys(column)) for column in zip(*records, strict=True)]
    codes = [{value: code for code, value in enumerate(column)} for column in values]
    columns = [np.repeat([code[record[role]] for record in records], copies) for role, code in enumerate(codes)]
    counts = permutation_swapping(*columns, swap_rate=rate, seed=seed).as_dict()
    table = (((values[0][m], values[1][h], values[2][s]), n) for (m, h, s), n in counts.items())
    return tuple(sorted(table, key=repr))


def stratum_margins(records: Counter[SwapRecord]) -> tuple[Margins, ...]:
    """The swapping invariants of a data set: for each stratum its counts by holding and by swapping category."""
    held: dict[object, Counter[object]] = defaultdict(Counter)
    swapped: dict[object, Counter[object]] = defaultdict(Counter)
    for (m, h, s), copies in records.items():
        held[m][h] += copies
        swapped[m][s] += copies
    return tuple((tuple(held[m].values()), tuple(swapped[m].values())) for m in held)


def describe(
    variables: SwapVariables, margins: tuple[Margins, ...], resolution: str, budget: Loss, parameters: str
) -> FiveBlocks:
    """The specification that article, Theorem 1 gives the PSA on these variables."""
    key = " x ".join(variables.matching) or "(one stratum)"
    hold, swap = " x ".join(variables.holding), " x ".join(variables.swapping)
    fixed = sum(map(is_determined, margins))
    return FiveBlocks(
        domain=StatedBlock(
            f"all data sets with the variables {', '.join(variables.columns)}; one record for each {resolution}"
        ),
        multiverse=StatedBlock(
            f"invariant, so released exactly: counts of {key} x {hold}, and of {key} x {swap}; "
            f"{len(margins)} strata here, of which {fixed} are wholly determined by them"
        ),
        input_premetric=StatedBlock(f"d_HamS, resolution: {resolution}"),
        output_premetric=StatedBlock("D_Mult (pure differential privacy)"),
        budget=StatedBlock(f"epsilon = {budget} ({parameters}; article, Theorem 1)"),
    )
