"""`stirred run phsafe --non-private`: the exact tables of the published program's command of that name, for tests."""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

from stirred.mechanisms.das.phsafe.non_private import NON_PRIVATE_TABLES, NonPrivateCounts, exact_text
from stirred.mechanisms.das.phsafe.statements import CubeRow
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.products.phsafe.settings import read_states
from stirred.verify.products.phsafe.tables import appear


def run_non_private(
    settings: str, output: Path, counted: Callable[[NonPrivateCounts, Path], Callable[[str], list[CubeRow]]]
) -> None:
    """Count and write every table, whole or not at all.

    Args:
        settings: the file that names the states.
        output: a folder that is new or empty.
        counted: opens the files, with a folder for what does not fit into memory, and counts the rows of a table.

    Raises:
        InputError: the settings or files are refused.
    """
    counting = NonPrivateCounts(read_states(settings))
    with TemporaryDirectory(prefix=f".{output.name}.", dir=output.absolute().parent) as name:
        folder = Path(name)
        tables = folder / "tables"
        count = counted(counting, folder)
        for table in NON_PRIVATE_TABLES:
            (tables / table).mkdir(parents=True)
            write_whole(str(tables / table / f"{table}.csv"), exact_text(table, count(table)))
        appear(tables, output)
