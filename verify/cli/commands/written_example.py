"""An example of files that a command can run on, in a new folder, and the commands that run on them."""

import shlex
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.reports.lines import HOLDS


def write_example(name: str, files: Mapping[str, str], *commands: str) -> int:
    """Write files into a new folder, all of them or nothing, and say what to do next; returns the exit status.

    Args:
        name: the folder.
        files: texts by their paths in it.
        *commands: the arguments of what to do next, one run after the other, with {} for the folder.

    Raises:
        InputError: the folder exists, or cannot be written.
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
