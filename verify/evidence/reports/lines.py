"""How findings are printed: one greppable line each, a witness under a refutation, counts last, and the exit status."""

import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction

from stirred.verify.evidence.certificates.printable import one_line, printable
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.process_control.workload import watching
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness

HOLDS, REFUTED, FAILURE, UNDECIDED = 0, 1, 2, 3
"""Exit statuses: everything asked for holds within its scope; something is refuted; usage or engine failure; nothing
is refuted but something is undecided."""

_LONGEST_ERROR = 2_000


def finding_line(name: str, word: str, sentence: str, scope: str) -> str:
    """`<id>: <VERDICT>: <sentence> [scope]` on one line; of a fact NOTE is the word."""
    return one_line(f"{name}: {word}: {sentence} [{scope}]")


def counted(number: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "pair"), counted(2, "pair")
    ('1 pair', '2 pairs')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def shortened(text: str, width: int) -> str:
    """The text, cut at a word with an ellipsis where it is longer than the width.

    >>> shortened("all of it", 20), shortened("not all of it", 8)
    ('all of it', 'not all…')
    """
    if len(text) <= width:
        return text
    return text[: width + 1].rsplit(" ", 1)[0].rstrip(",;:") + "…"


def error_line(message: str) -> str:
    """Why something failed, on one line of at most 2,000 characters.

    >>> error_line("no such file")
    'stirred: no such file'
    """
    line = one_line(message)
    return f"stirred: {line if len(line) <= _LONGEST_ERROR else line[:_LONGEST_ERROR] + '…'}"


def witness_line(witness: Witness) -> str:
    """The witness as it replays, indented under its finding."""
    return f"    witness: {printable(replay(witness))}"


def counts_line(noun: str, verdicts: Sequence[Verdict]) -> str:
    """How many findings have which verdict, strongest first.

    >>> counts_line("claim", [Verdict.REFUTED, Verdict.PROVED, Verdict.PROVED])
    '3 claims: 2 PROVED, 1 REFUTED'
    """
    number = Counter(verdicts)
    parts = [f"{number[verdict]} {verdict.name}" for verdict in reversed(Verdict) if number[verdict]]
    return f"{counted(len(verdicts), noun)}: {', '.join(parts) if parts else 'none'}"


def exit_status(verdicts: Iterable[Verdict]) -> int:
    """1 if anything is refuted, else 3 if anything is undecided, else 0."""
    seen = set(verdicts)
    if Verdict.REFUTED in seen:
        return REFUTED
    return HOLDS if all(verdict.is_settled_for for verdict in seen) else UNDECIDED


_REFRESH = Fraction(1, 10)
"""Seconds between two descriptions of a step."""


class Progress:
    """A progress bar on stderr; silent where stderr is no terminal."""

    def advance(self, doing: str) -> None:
        """One step is done; the next one is named."""

    def within(self, doing: str, done: int, total: int) -> None:
        """How far the present step is."""


class _Bar(Progress):
    def __init__(self, total: int) -> None:
        from rich.console import Console  # noqa: PLC0415 only a terminal needs it
        from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeElapsedColumn  # noqa: PLC0415
        from rich.progress import Progress as RichProgress  # noqa: PLC0415

        self.bar = RichProgress(
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.description}"),
            console=Console(stderr=True),
            transient=True,
        )
        self.task = self.bar.add_task("", total=total)
        self.shown = time.monotonic()

    def advance(self, doing: str) -> None:
        from rich.markup import escape  # noqa: PLC0415

        self.bar.update(self.task, advance=1, description=escape(printable(doing)))

    def within(self, doing: str, done: int, total: int) -> None:
        now = time.monotonic()
        if now > self.shown + _REFRESH:
            self.shown = now
            self.bar.update(self.task, description=f"{doing}: {done} of {total}")


@contextmanager
def progress(total: int) -> Iterator[Progress]:
    """A progress display for so many steps."""
    if not sys.stderr.isatty():
        yield Progress()
        return
    display = _Bar(total)
    with display.bar, watching(display.within):
        yield display
