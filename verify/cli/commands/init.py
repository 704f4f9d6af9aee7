"""`stirred init`: a claim file, a mechanism and a test to start from."""

import argparse
import os
import shlex
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.reports.lines import HOLDS


def write_example(name: str, files: Mapping[str, str], *commands: str) -> int:
    """Write files into a new folder, all of them or nothing, and say what to do next; returns the exit status.

    Args:
        name: the folder.
        files: texts by their paths in it.
        *commands: the arguments of what to do next, one run after the other, with {} for the folder.
    """
    folder = Path(name)
    if folder.exists() or folder.is_symlink():
        raise InputError(f"{name}: exists, and is not overwritten; nothing was written")
    try:
        for file, text in files.items():
            path = folder / file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    except OSError as error:
        with suppress(OSError):
            shutil.rmtree(folder)
        raise InputError(f"{name}: cannot be written: {error.strerror}; nothing was written") from None
    shown = printable(name)
    sys.stdout.write("".join(f"{shown}/{file}\n" for file in files))
    for word, command in zip(("next", *["then"] * len(commands)), commands, strict=False):
        sys.stdout.write(f"{word}: {started_as()} {command.replace('{}', shlex.quote(shown))}\n")
    return HOLDS


def started_as() -> str:
    """How this program is started from another folder."""
    program = Path(sys.argv[0])
    found = shutil.which("stirred")
    is_found = found is not None and Path(found).resolve() == program.resolve()
    return "stirred" if is_found or program.name != "stirred" else printable(str(program.absolute()))


_CLAIM = """\
id = "coins.majority"
statement = "The noisy majority of three answers satisfies epsilon = 0.8 for each person."

[domain]                        # who is eligible? here: all ordered data sets of three records
schema = { answer = [0, 1] }
records = 3
order = "ordered"

[multiverse]                    # where does protection extend to? no invariants: one universe
invariants = []

[input_premetric]               # granularity: one unit of distance is one person's answer
name = "hamming_ordered"
resolution = "person"

[output_premetric]              # how is change of output measured? pure DP; stirred guide lists more
name = "multiplicative"

[budget]                        # how much? epsilon, the number itself; or gamma = 2
epsilon = "0.8"

[mechanism]
function = "coins:noisy_majority"
parameters = { flip = "1/4" }
"""

_MECHANISM = '''\
"""A mechanism: an ordinary function of the data set, a source of randomness and its parameters."""

from fractions import Fraction

from stirred import Source

Answers = tuple[tuple[int], ...]
"""A data set: a tuple of records, each of one answer."""


def noisy_majority(answers: Answers, source: Source, *, flip: Fraction) -> bool:
    """Whether most answers are yes, after flipping each one with probability `flip`."""
    votes = sum(1 - answer if source.bernoulli(flip) else answer for (answer,) in answers)
    return 2 * votes > len(answers)
'''

_TEST = '''\
"""The same claim as a test, for pytest."""

import stirred
from coins import noisy_majority

ANSWERS = stirred.Schema({"answer": (0, 1)}).records


def test_noisy_majority() -> None:
    stirred.assert_satisfies(
        noisy_majority,
        data_sets=stirred.ordered_data_sets(ANSWERS, [3]),
        distance="hamming_ordered",
        epsilon="0.8",
        flip="1/4",
    )
'''

FILES = {"majority.toml": _CLAIM, "coins.py": _MECHANISM, "test_coins.py": _TEST}
"""What is written, by name."""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "init",
        run,
        description=f"Write {', '.join(FILES)} into a folder. Nothing is overwritten.",
        epilog="examples:\n  stirred init\n  stirred init my-mechanism",
    )
    parser.add_argument("folder", nargs="?", default=".", metavar="DIR", help="default: the current folder")


def run(arguments: argparse.Namespace) -> int:
    """Write all of the files, or none; returns the exit status."""
    folder = Path(arguments.folder)
    for name in FILES:
        if os.path.lexists(folder / name):
            raise InputError(f"{folder / name}: exists, and is not overwritten; nothing was written")
    written: list[Path] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in FILES.items():
            with (folder / name).open("x", encoding="utf-8") as file:
                written.append(folder / name)
                file.write(text)
    except OSError as error:
        for path in written:
            with suppress(OSError):
                path.unlink()
        raise InputError(f"{folder}: cannot be written: {error.strerror}; nothing was written") from None
    for path in written:
        sys.stdout.write(f"{printable(str(path))}\n")
    there = "" if folder == Path() else f"cd {printable(str(folder))} && "
    sys.stdout.write(f"next: {there}{started_as()} audit majority.toml\n")
    sys.stdout.write("the test runs with pytest, where that is installed: python -m pytest\n")
    return HOLDS
