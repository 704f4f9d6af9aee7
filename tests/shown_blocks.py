"""The console blocks of a Markdown page, run as its reader would run them: what is shown must be what is printed.

    python tests/shown_blocks.py FOLDER PAGE... [--with NAME...]

runs the blocks of each page, in order, in a new folder of its own, with the programs of FOLDER first on the path. The
standard library is enough for it, so that it can check any installation. Of a page it takes
- files: a fenced block behind a line that ends with a file's name and a colon, as "`coins.py`:";
- commands: the lines of a ```console block that begin with "$ ", each followed by what it prints on a terminal of 80
  columns, stdout before stderr. "…" alone on a line stands for any lines, within a line for any text;
- needs: further words behind ```console, as "tables" or "pytest", name what has to be installed besides the program;
  with --with only blocks are run whose needs are all named.
"""

import argparse
import os
import pty
import re
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

__all__ = ["Command", "Difference", "Fence", "agrees", "commands", "differences", "fences", "shown_file"]
_FENCE = re.compile(r"^```(?P<info>[^\n`]*)\n(?P<body>.*?)^```$", re.DOTALL | re.MULTILINE)
_NAMED = re.compile(r"`(?P<name>[\w./-]+)`:$")
_COLOURS = re.compile(r"\x1b\[[0-9;]*m")
_FOREIGN = ("COV_", "COVERAGE_", "PYTEST_", "PYTHON")
_SECONDS = 120
_ANSWERS = (0, 1, 3)
"""The exit status of a command that did what it was asked; any other has to be shown, with its message."""


@dataclass(frozen=True)
class Fence:
    """A fenced block: its words, its text, the number of its first line, and the line of text before it."""

    info: tuple[str, ...]
    body: str
    line: int
    before: str


@dataclass(frozen=True)
class Command:
    """A command, what is shown of what it prints, and where it stands."""

    text: str
    shown: str
    line: int


@dataclass(frozen=True)
class Difference:
    """A command that prints something else than what is shown."""

    command: Command
    printed: str

    def __str__(self) -> str:
        return f"line {self.command.line}: $ {self.command.text}\nshown:\n{self.command.shown}printed:\n{self.printed}"


def fences(text: str) -> Iterator[Fence]:
    """The fenced blocks of a page."""
    for found in _FENCE.finditer(text):
        before = text[: found.start()].rstrip().rpartition("\n")[2]
        yield Fence(tuple(found["info"].split()), found["body"], text[: found.start()].count("\n") + 2, before)


def shown_file(fence: Fence) -> str | None:
    """The name of the file that a block shows, if it shows one."""
    named = _NAMED.search(fence.before)
    return named["name"] if named and fence.info[:1] != ("console",) else None


def commands(fence: Fence) -> Iterator[Command]:
    """The commands of a console block, each with what is shown below it."""
    lines = fence.body.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    if starts[:1] != [0]:
        raise ValueError(f"line {fence.line}: a console block must begin with a command")
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        last = start
        while lines[last].endswith("\\"):
            last += 1
        text = "\n".join([lines[start][2:], *lines[start + 1 : last + 1]])
        yield Command(text, "".join(f"{line}\n" for line in lines[last + 1 : end]), fence.line + start)


def agrees(shown: str, printed: str) -> bool:
    """Whether a text is what is shown, but for what "…" stands for and for space at the end of lines."""
    parts = []
    for line in _stripped(shown).splitlines():
        words = ".*".join(re.escape(part) for part in line.split("…"))
        parts.append("(?:.*\n)*" if line == "…" else f"{words}\n")
    return re.fullmatch("".join(parts), _stripped(printed)) is not None


def _stripped(text: str) -> str:
    """The text without space at the end of lines, and with one end of line at its own end."""
    lines = "\n".join(line.rstrip() for line in text.splitlines()).strip("\n")
    return f"{lines}\n" if lines else ""


def differences(
    text: str, executables: Path, folder: Path, *, installed: Collection[str] | None = None
) -> list[Difference]:
    """Run the blocks of a page in a folder, in order, and compare.

    Args:
        text: the page.
        executables: the folder that holds `stirred` and `python`.
        folder: an empty folder.
        installed: what is installed besides the program; None runs all blocks.
    """
    found: list[Difference] = []
    status = 0
    for fence in fences(text):
        name = shown_file(fence)
        if name is not None:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(fence.body, encoding="utf-8")
        if fence.info[:1] != ("console",) or (installed is not None and not set(fence.info[1:]) <= set(installed)):
            continue
        for command in commands(fence):
            status, printed = _printed(f"(exit {status})\n{command.text}", executables, folder)
            failed = status not in _ANSWERS and "stirred: " not in command.shown
            if failed or not agrees(command.shown, printed):
                found.append(Difference(command, printed))
    return found


def _printed(command: str, executables: Path, folder: Path) -> tuple[int, str]:
    """The exit status of a command, and what it prints on a terminal, followed by its messages."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(_FOREIGN)}
    path = os.pathsep.join([str(executables.absolute()), environment.get("PATH", os.defpath)])
    environment |= {"PATH": path, "COLUMNS": "80", "NO_COLOR": "1", "TERM": "xterm", "LC_ALL": "C.UTF-8"}
    reader, writer = pty.openpty()
    with tempfile.TemporaryFile() as messages:
        process = subprocess.Popen(
            ["sh", "-c", command], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=writer, stderr=messages
        )
        os.close(writer)
        try:
            text = _read(reader, time.monotonic() + _SECONDS)
            status = process.wait(timeout=_SECONDS)
        finally:
            os.close(reader)
            process.kill()
            process.wait()
        messages.seek(0)
        text += messages.read()
    return status, _COLOURS.sub("", text.decode(errors="replace").replace("\r\n", "\n"))


def _read(reader: int, end: float) -> bytes:
    """What is written to a terminal until it is closed."""
    parts: list[bytes] = []
    while select.select([reader], [], [], max(0, end - time.monotonic()))[0]:
        try:
            part = os.read(reader, 65536)
        except OSError:  # how Linux says that the other side is closed
            return b"".join(parts)
        if not part:
            return b"".join(parts)
        parts.append(part)
    raise TimeoutError(f"a command must end within {_SECONDS} s")


def main() -> int:
    """Run the pages of the command line; returns 1 where something differs."""
    parser = argparse.ArgumentParser(description="Run the console blocks of pages, and compare.")
    parser.add_argument("executables", type=Path, metavar="FOLDER", help="the folder that holds stirred and python")
    parser.add_argument("pages", type=Path, nargs="+", metavar="PAGE")
    parser.add_argument("--with", dest="installed", nargs="*", metavar="NAME", help="default: run all blocks")
    arguments = parser.parse_args()
    status = 0
    for page in arguments.pages:
        with tempfile.TemporaryDirectory() as folder:
            text = page.read_text(encoding="utf-8")
            for one in differences(text, arguments.executables, Path(folder), installed=arguments.installed):
                print(f"{page}, {one}")
                status = 1
    return status


if __name__ == "__main__":
    sys.exit(main())
