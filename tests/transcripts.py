"""Sessions of the command line as golden files: what a person types, what is printed, and with which status it ends.

    python tests/transcripts.py [FILE...]

writes anew what the commands of each transcript print (default: all of tests/verify/cli/transcripts); the diff is what
there is to review. `tests/verify/cli/test_transcripts.py` compares. A transcript is a text of

- commands, in lines that begin with "$ ", each run in one new folder; `stirred` runs in this process, and its output
  may go through a pipe or into a file while its status is its own; anything else is for the shell. `<<'E'` takes lines
  as input, up to one of E;
- what a command prints: stdout as it stands, then stderr, each line of it behind "! ", then "(status N)" unless it is
  0. "…" alone on a line stands for any lines; it stays when the rest is as it was;
- lines that begin with "# ", which say what is shown.
"""

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import pairwise
from pathlib import Path
from unittest import mock

from shown_blocks import agrees
from started import stirred

FOLDER = Path(__file__).parent / "verify" / "cli" / "transcripts"
_ENVIRONMENT = {"COLUMNS": "80", "LC_ALL": "C.UTF-8"}
_CHANGING = re.compile(r"\x1b\[[0-9;]*m|; coqc is not present to re-check it")
"""What is left out: colours, and what depends on the machine."""
_QUOTED = re.compile(r"""'[^']*'|"(?:\\.|[^"\\])*"|\\.""", re.DOTALL)
_END = "E"


@dataclass(frozen=True)
class Step:
    """A command, its input, what it prints, and the remarks above it."""

    remarks: tuple[str, ...]
    command: str
    given: tuple[str, ...]
    printed: str

    @property
    def text(self) -> str:
        """The step as it stands in a transcript."""
        given = [*self.given, _END] if self.given else []
        head = "".join(f"{line}\n" for line in (*self.remarks, f"$ {self.command}", *given))
        return head + self.printed


def steps(text: str) -> Iterator[Step]:
    """The steps of a transcript; blank lines around them do not count."""
    lines = text.splitlines()
    at, remarks = 0, []
    while at < len(lines):
        line = lines[at]
        at += 1
        if not line.startswith("$ "):
            if line and not line.startswith("# "):
                raise ValueError(f"line {at}: must be a command or a remark; got {line!r}")
            remarks += [line] if line else []
            continue
        command = line[2:]
        while command.endswith("\\"):
            command += f"\n{lines[at]}"
            at += 1
        given = []
        if f"<<'{_END}'" in command:
            while lines[at] != _END:
                given.append(lines[at])
                at += 1
            at += 1
        printed = []
        while at < len(lines) and not _begins(lines, at):
            printed.append(f"{lines[at]}\n")
            at += 1
        yield Step(tuple(remarks), command, tuple(given), f"{''.join(printed).rstrip()}\n".lstrip("\n"))
        remarks = []


def _begins(lines: list[str], at: int) -> bool:
    """Whether a step begins here: a command, or remarks and then a command."""
    while at < len(lines) and lines[at].startswith("# "):
        at += 1
    return at < len(lines) and lines[at].startswith("$ ")


def replayed(text: str, folder: Path) -> str:
    """The transcript with what its commands print today, run in a folder."""
    found = []
    before = Path.cwd()
    os.chdir(folder)
    try:
        with mock.patch.dict(os.environ, _ENVIRONMENT):
            for step in steps(text):
                printed = _printed(step, folder)
                found.append(step if agrees(step.printed, printed) else replace(step, printed=printed))
    finally:
        os.chdir(before)
    gaps = ["", *("\n" if one.printed or other.remarks else "" for one, other in pairwise(found))]
    return "".join(gap + step.text for gap, step in zip(gaps, found, strict=True))


def _printed(step: Step, folder: Path) -> str:
    words, operator, rest = _split(step.command)
    given = "".join(f"{line}\n" for line in step.given)
    if words == "stirred" or words.startswith("stirred "):
        done = stirred(*shlex.split(words.replace("\\\n", " "))[1:])
        status, out, err = done.returncode, done.stdout, done.stderr
        if operator:
            _, out, more = _shell(f"cat {operator} {rest}", out)
            err += more
    else:
        status, out, err = _shell(step.command.replace(f"<<'{_END}'", ""), given)
    lines = [*out.splitlines(), *(f"! {line}" for line in err.splitlines())]
    if status:
        lines.append(f"(status {status})")
    text = "".join(f"{line.rstrip()}\n" for line in lines)
    return _CHANGING.sub("", text).replace(f"{folder}/", "").replace(str(folder), ".")


def _split(command: str) -> tuple[str, str, str]:
    """A command, the first pipe or redirection outside quotes, and what follows it."""
    bare = _QUOTED.sub(lambda found: "_" * len(found[0]), command)
    found = re.search(r" (\||>) ", bare)
    if found is None:
        return command, "", ""
    return command[: found.start()], found[1], command[found.end() :]


def _shell(command: str, given: str) -> tuple[int, str, str]:
    environment: Mapping[str, str] = {**os.environ, "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        ["sh", "-c", command], input=given, capture_output=True, text=True, check=False, env=environment, timeout=60
    )
    return done.returncode, done.stdout, done.stderr


def main() -> None:
    """Write the transcripts anew."""
    for path in [Path(name) for name in sys.argv[1:]] or sorted(FOLDER.glob("*.txt")):
        text = path.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            again = replayed(text, Path(folder).resolve())
        if again != text:
            path.write_text(again, encoding="utf-8")
            print(f"{path}: changed")


if __name__ == "__main__":
    main()
