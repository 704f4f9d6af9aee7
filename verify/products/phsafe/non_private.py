"""`stirred run phsafe --non-private`: the exact tables of the published program's command of that name, for tests."""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from stirred.mechanisms.das.phsafe.noisy_tables import CubeRow
from stirred.mechanisms.das.phsafe.non_private import NON_PRIVATE_TABLES, NonPrivateCounts, exact_text
from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.evidence.reports.lines import HOLDS
from stirred.verify.products.phsafe.settings import read_states
from stirred.verify.products.phsafe.tables import appear

_WITHOUT = ("claim", "total", "seed", "work", "each_place", "states_of_geo")


def run_non_private(
    arguments: argparse.Namespace, counted: Callable[[NonPrivateCounts, Path], Callable[[str], list[CubeRow]]]
) -> int:
    """Count and write every table, whole or not at all; returns the exit status.

    Args:
        arguments: of the command line; the output has been checked.
        counted: opens the files, with a folder for what does not fit into memory, and counts the rows of a table.

    Raises:
        InputError: an option has no meaning without noise, or the settings or files are refused.
    """
    for option in _WITHOUT:
        if getattr(arguments, option) not in (None, False):
            named = option.replace("_", "-")
            raise InputError(f"--{named} must stand without --non-private: exact counts have no budget and no noise")
    counting = NonPrivateCounts(read_states(arguments.settings))
    output = Path(arguments.output)
    with TemporaryDirectory(prefix=f".{output.name}.", dir=output.absolute().parent) as name:
        folder = Path(name)
        tables = folder / "tables"
        count = counted(counting, folder)
        for table in NON_PRIVATE_TABLES:
            (tables / table).mkdir(parents=True)
            write_whole(str(tables / table / f"{table}.csv"), exact_text(table, count(table)))
        appear(tables, output)
    sys.stdout.write("".join(f"{printable(arguments.output)}/{table}: written\n" for table in NON_PRIVATE_TABLES))
    sys.stderr.write("stirred: --non-private: these tables hold exact confidential counts, no release\n")
    return HOLDS
