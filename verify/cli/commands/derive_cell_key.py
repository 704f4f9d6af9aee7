"""`stirred derive cell-key`: a p-table by maximum entropy, and what it promises."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

from stirred.spec.arguments import InputError
from stirred.spec.budgets.privacy_curve import PrivacyCurve
from stirred.spec.laws.p_table import PTable
from stirred.spec.numbers.enclosure import decimal_text
from stirred.verify.cli.commands.options import parse_number
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.evidence.reports.lines import HOLDS

if TYPE_CHECKING:
    from stirred.verify.engines.p_table_design import TableDesign

OPTIONS = ("deviation", "variance", "forbidden", "populated", "keys", "shuffle", "output")
NEEDED = ("deviation", "variance")
_SHUFFLED_KEYS = 256


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the options that only this derivation takes."""
    parser.add_argument("--deviation", type=int, metavar="D", help="cell-key: the largest change")
    parser.add_argument("--variance", metavar="V", help="cell-key: the largest variance of a row")
    parser.add_argument("--forbidden", type=int, metavar="JS", help="cell-key: never release 1 to JS (default 0)")
    parser.add_argument("--populated", choices=("invariant",), help="cell-key: which cells are empty is not protected")
    parser.add_argument("--keys", type=int, metavar="K", help="cell-key: keys (default 10^8, with --shuffle 256)")
    parser.add_argument("--shuffle", action="store_true", help="cell-key: a better order of the keys")
    parser.add_argument("--output", metavar="FILE.csv", help="cell-key: write the p-table, as R's ptable does")


def derive_cell_key(arguments: argparse.Namespace) -> int:
    """Print the table, its curve and what its order costs; write what is asked for."""
    from stirred.verify.engines.cell_key import count_curve, curve_text  # noqa: PLC0415 slow to load
    from stirred.verify.engines.p_table_design import TableDesign, better_order  # noqa: PLC0415

    if arguments.output is not None and not arguments.output.endswith(".csv"):
        raise InputError(f"--output must end in .csv, as R's ptable writes it; got {arguments.output}")
    keys = arguments.keys if arguments.keys is not None else _SHUFFLED_KEYS if arguments.shuffle else 10**8
    variance = parse_number("--variance", arguments.variance)
    design = TableDesign(arguments.deviation, variance, arguments.forbidden or 0, keys)
    table = design.table()
    ordered = better_order(table) if arguments.shuffle else table
    counts = count_curve(table, least=0 if arguments.populated is None else 1)
    large = count_curve(table, least=design.large)
    spread = _decimal(design.multipliers(design.large)[0])
    given = "" if arguments.populated is None else ", which cells are populated being invariant,"
    lines = [
        f"large counts: p(v) in proportion to e^(-lambda*v^2), lambda ≈ {spread}, |v| <= {design.deviation}",
        *_rows(table),
        *_rounded(design, table),
        f"one count{given} needs {curve_text(counts)}",
        f"one large count needs {curve_text(large)}",
        _moved("two large counts", table, with_total=False),
        _moved("two large counts with their total", table, with_total=True),
    ]
    if arguments.shuffle:
        lines.append(_moved("the same with the keys shuffled", ordered, with_total=True))
    if arguments.output is not None:
        write_whole(arguments.output, p_table_text(ordered))
        lines.append(f"{printable(arguments.output)}: written")
    if arguments.plot is not None:
        _plot(arguments.plot, {"one count": counts.curve, "one large count": large.curve})
        lines.append(f"{printable(arguments.plot)}: written")
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return HOLDS


def _moved(what: str, table: PTable, *, with_total: bool) -> str:
    """What is needed where one record moves from one count to the other."""
    from stirred.verify.engines.cell_key import ends_text, moved_record_curve  # noqa: PLC0415

    count = len(table.rows)
    return f"{what} need delta {ends_text(moved_record_curve(table, (count, count), with_total=with_total))}"


def _decimal(number: object) -> str:
    from mpmath import nstr  # noqa: PLC0415

    return str(nstr(number, 6))


def _rows(table: PTable) -> Iterator[str]:
    for count, row in enumerate(table.rows):
        shares = ", ".join(f"{change:+d}: {decimal_text(row.law.numeric(change), 4)}" for change in row.law)
        more = " and above" if count == len(table.rows) - 1 else ""
        yield f"count {count}{more}: {shares}; variance {decimal_text(row.variance, 6)}"


def _rounded(design: TableDesign, table: PTable) -> Iterator[str]:
    """Which rows have more than the stated variance, or lack changes, since they have whole numbers of keys."""
    given, remedy = f"with {table.keys} keys", "more --keys come nearer"
    if over := {count: row.variance for count, row in enumerate(table.rows) if row.variance > design.variance}:
        most = max(over, key=lambda count: over[count])
        yield (
            f"{given} the variance is above --variance {design.variance} in {len(over)} of {len(table.rows)} rows, "
            f"most in that of count {most}, {over[most]}: {remedy}"
        )
    lacking = {count: {*design.allowed(count)} - {*row.changes} for count, row in enumerate(table.rows) if count}
    if any(lacking.values()):
        worst = max(lacking, key=lambda count: design.share(count, lacking[count]))
        changes = ", ".join(f"{change:+d}" for change in sorted(lacking[worst]))
        share = _decimal(design.share(worst, lacking[worst]))
        yield f"{given} count {worst} never changes by {changes}, of probability {share} in its law: {remedy}"


def _plot(path: str, curves: Mapping[str, PrivacyCurve]) -> None:
    from functools import partial  # noqa: PLC0415

    from stirred.verify.engines.smallest_delta import draw_deltas  # noqa: PLC0415 an optional dependency
    from stirred.verify.evidence.pictures.rendering import write_picture  # noqa: PLC0415

    write_picture("--plot", path, partial(draw_deltas, [(name, {Fraction(1): one}) for name, one in curves.items()]))


def p_table_text(table: PTable) -> str:
    """A table whose last row is for all larger counts, as R's ptable writes it: i; j; p; v; p_int_lb; p_int_ub.

    >>> from stirred.spec.laws.p_table import PTableRow
    >>> print(p_table_text(PTable((PTableRow((4,), (0,)),), 4)), end="")
    i;j;p;v;p_int_lb;p_int_ub
    0;0;1;0;0;1
    """
    lines = ["i;j;p;v;p_int_lb;p_int_ub"]
    for count, row in enumerate(table.rows):
        low = Fraction(0)
        for end, change in zip(row.ends, row.changes, strict=True):
            high = Fraction(end, table.keys)
            lines.append(f"{count};{count + change};{_exact(high - low)};{change};{_exact(low)};{_exact(high)}")
            low = high
    return "".join(f"{line}\n" for line in lines)


def _exact(share: Fraction) -> str:
    """The share as a decimal without rounding."""
    digits = 0
    while (share * 10**digits).denominator != 1:
        digits += 1
        if digits > share.denominator.bit_length():
            raise InputError(f"--keys must have no other factors than 2 and 5 to be written; {share} is no decimal")
    return decimal_text(share, max(digits + 1, 1)) if share else "0"
