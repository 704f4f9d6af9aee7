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

_CLAIM = """\
id = "coins.majority"
statement = "The noisy majority of three answers satisfies epsilon = 0.8 for each person."

# domain: who is eligible for protection? people in data sets of three answers
domain = { schema = { answer = [0, 1] }, records = 3, order = "ordered" }
# multiverse: where does it extend to? to all data sets: nothing is invariant
multiverse = { invariants = [] }
# input premetric: what is the granularity? the answer of one person
input_premetric = { name = "hamming_ordered", resolution = "person" }
# output premetric: how is change of output measured? by likelihood ratios
output_premetric = { name = "multiplicative" }
# budget: how much? epsilon, or gamma = e^epsilon
budget = { epsilon = "0.8" }

mechanism = { function = "coins:noisy_majority", parameters = { flip = "1/4" } }
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
        flip="1/4"
    )
'''

_QUESTION = """\
\"\"\"The same claim from Python: the smallest budget, and an assertion.\"\"\"

import stirred
from coins import noisy_majority

ANSWERS = stirred.ordered_data_sets(stirred.Schema({"answer": (0, 1)}).records, [3])

print(stirred.smallest_budget(noisy_majority, data_sets=ANSWERS, distance="hamming_ordered", flip="1/4"))
stirred.assert_satisfies(noisy_majority, data_sets=ANSWERS, distance="hamming_ordered", epsilon="0.8", flip="1/4")
"""

FILES = {"majority.toml": _CLAIM, "coins.py": _MECHANISM, "test_coins.py": _TEST, "ask.py": _QUESTION}
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
    _write_all(folder, FILES)
    there = "" if folder == Path() else f"cd {printable(str(folder))} && "
    sys.stdout.write(f"next: {there}{_program()} audit majority.toml\n")
    sys.stdout.write("then: python ask.py; the test needs pytest: pip install pytest && python -m pytest\n")
    return HOLDS


def write_example(name: str, files: Mapping[str, str], *commands: str) -> int:
    """Write files into a new folder, all of them or nothing, and say what to do next; returns the exit status.

    Commands are the arguments of what to do next, in order, with {} for the folder.
    """
    folder = Path(name)
    if folder.exists() or folder.is_symlink():
        raise InputError(f"{name}: exists, and is not overwritten; nothing was written")
    try:
        _write_all(folder, files)
    except InputError:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    for word, command in zip(("next", *["then"] * len(commands)), commands, strict=False):
        sys.stdout.write(f"{word}: {_program()} {command.replace('{}', shlex.quote(printable(name)))}\n")
    return HOLDS


def _write_all(folder: Path, files: Mapping[str, str]) -> None:
    """Write new files and name each, or write nothing."""
    written: list[Path] = []
    try:
        for name, text in files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            with path.open("x", encoding="utf-8") as file:
                written.append(path)
                file.write(text)
    except OSError as error:
        for path in written:
            with suppress(OSError):
                path.unlink()
        raise InputError(f"{folder}: cannot be written: {error.strerror}; nothing was written") from None
    sys.stdout.write("".join(f"{printable(str(path))}\n" for path in written))


def _program() -> str:
    """How this program is started from another folder."""
    program = Path(sys.argv[0])
    found = shutil.which("stirred")
    is_found = found is not None and Path(found).resolve() == program.resolve()
    return "stirred" if is_found or program.name != "stirred" else printable(str(program.absolute()))
