"""Standard input, output and error: each one open, its failures named, and everything printed before the program ends.

Python leaves `sys.stdout` None where its descriptor is closed, and ends with status 120 where its last flush fails;
a file that is opened later would take the place of a closed descriptor.
"""

import contextlib
import io
import os
import sys
from collections.abc import Callable
from typing import Any, TextIO

STREAMS = ("stdout", "stderr")
"""What the program prints on, by the name that a failure bears."""

_STAND_INS = ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDONLY))
"""How the null device is opened in place of a closed descriptor: so that using it fails, as using a closed one does."""


class _Named(io.FileIO):
    """A standard descriptor whose failures bear its name, as those of a file do."""

    def __init__(self, descriptor: int, label: str) -> None:
        super().__init__(descriptor, "w", closefd=False)
        self.label = label

    def write(self, data: Any) -> int:
        try:
            return super().write(data)
        except OSError as error:
            error.filename = self.label
            raise


def open_streams() -> None:
    """Open what is closed, and let stdout and stderr print every character and name themselves when they fail.

    Streams that someone has put in the place of the standard ones are left alone.
    """
    for descriptor, mode in _STAND_INS:
        try:
            os.fstat(descriptor)
        except OSError:
            # the lowest free number is this one, since those below are open
            os.set_inheritable(os.open(os.devnull, mode), True)
    for descriptor, label in enumerate(STREAMS, start=1):
        present: Any = getattr(sys, label)
        is_own = isinstance(getattr(getattr(present, "buffer", None), "raw", None), _Named)
        if is_own or present is not getattr(sys, f"__{label}__"):
            continue
        if present is not None:
            with contextlib.suppress(OSError):
                present.flush()
        stream = io.TextIOWrapper(
            io.BufferedWriter(_Named(descriptor, label)),
            encoding="utf-8" if present is None else present.encoding,
            errors="backslashreplace",
            line_buffering=descriptor == 2 or os.isatty(descriptor),
        )
        setattr(sys, label, stream)
        setattr(sys, f"__{label}__", stream)


def printing(run: Callable[[], int], *, failure: int) -> int:
    """What `run` returns once all that it printed has reached its reader, and `failure` where something did not.

    That is said on stderr, unless a reader has left: who leaves knows.
    """
    try:
        try:
            return run()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
    except OSError as error:
        if error.filename not in STREAMS:
            raise
        _abandon(error.filename)
        if not isinstance(error, BrokenPipeError):
            say(f"stirred: {error.filename}: {error.strerror}")
        return failure


def say(line: str) -> None:
    """Print a line on stderr after what is on its way to stdout; where stderr fails, nobody can be told."""
    with contextlib.suppress(OSError):
        sys.stdout.flush()
    try:
        sys.stderr.write(f"{line}\n")
        sys.stderr.flush()
    except OSError:
        _abandon("stderr")


def _abandon(label: str) -> None:
    """Let what is left to be printed go nowhere, so that the interpreter does not try again at its end."""
    stream: TextIO = getattr(sys, label)
    with contextlib.suppress(OSError):
        null = os.open(os.devnull, os.O_WRONLY)
        os.dup2(null, stream.fileno())
        os.close(null)
        stream.flush()
