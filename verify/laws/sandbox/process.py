"""Processes of foreign code, from outside: asked, watched and always killed; what they answer is plain data."""

from __future__ import annotations

import base64
import json
import os
import re
import secrets
import selectors
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.printable import one_line, printable
from stirred.verify.evidence.process_control.time_limit import Allowance
from stirred.verify.evidence.process_control.workload import Part
from stirred.verify.laws.sandbox.answers import AnswerError, read_answer
from stirred.verify.laws.sandbox.server import NOTHING, POLYNOMIALS, READING, server_of

_DRAWING = ("numpy", "random", "secrets")
"""Modules that draw: code that imports one is read with NumPy, which takes longer to load than most audits."""

_IMPORTED = re.compile(rf"^[ \t]*(?:from|import)\b.*\b(?:{'|'.join(_DRAWING)})\b", re.MULTILINE)

_UNBOUNDED = re.compile("gaussian|geometric|laplace")
"""Draws of a source whose probabilities are sums of powers."""

_LOOK = 0.2
"""Seconds between two looks at the processor time."""

_MOST_ANSWERED = 128_000_000
_MOST_PRINTED = 100_000
_MOST_LINES = 100
_PIECE = 1 << 20


def collected(
    begun: Iterable[Callable[[], Child]], *, seconds: int, what: str, part: Part | None = None
) -> list[Mapping[str, Any]]:
    """What child processes answer, all of them begun before any is waited for; they are always ended.

    What they print goes to stderr.

    Args:
        begun: begins each of them.
        seconds: of processor time, for all of them.
        what: what is running, for the messages.
        part: of the work, which the first process advances with each data set that it has done.

    Raises:
        InputError: one was refused or took too long, printed or answered too much, or ended without an answer; or it
            would take too long; or no process can be confined here.
    """
    if not hasattr(os, "fork"):
        raise InputError(f"{what}: code of one's own runs on POSIX systems only, where a process can be confined")
    allowance = Allowance(seconds, what)
    with ExitStack() as stack:
        children = [stack.enter_context(begin()) for begin in begun]
        try:
            _watch(children, allowance, what, part)
        finally:
            children[0].relay(what)  # the others print the same
    found = []
    for child in children:  # of which only the first may have been refused before the others are done
        try:
            answer = child.answer()
        except AnswerError as error:
            raise InputError(f"{what}: {error}") from None
        if "refused" in answer:
            raise InputError(str(answer["refused"]))
        found.append(answer)
    if not all(answer.get("confined") is True for answer in found):
        sys.stderr.write("stirred: this system does not confine processes: code of one's own has its user's rights\n")
    return found


class Child(ABC):
    """A process of foreign code, killed with its whole group on leaving.

    Attributes:
        nonce: what its answer begins with.
        ends: where is read what it prints, and its answer behind a dot for each data set that it has done.
        done: how many those are.
    """

    def __init__(self) -> None:
        self.nonce = secrets.token_hex(16)
        self._answered = bytearray()
        self._printed = bytearray()
        self.done = 0
        self.ends, theirs = zip(*(os.pipe() for _ in range(2)), strict=True)
        try:
            self._begin(theirs)
        finally:
            for end in theirs:
                os.close(end)

    @abstractmethod
    def _begin(self, ends: Sequence[int]) -> None:
        """Start the process, which writes to the other sides of the ends."""

    @abstractmethod
    def _end(self) -> None:
        """Have the process killed with its whole group."""

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self._end()
        for end in self.ends:
            os.close(end)

    def read(self, end: int) -> bool:
        """Read a piece from one of the ends; whether it is still open.

        Raises:
            InputError: more was written than may be.
        """
        piece = os.read(end, _PIECE)
        is_open = bool(piece)
        kept, most, did = self._printed, _MOST_PRINTED, "printed"
        if end == self.ends[1]:
            kept, most, did = self._answered, _MOST_ANSWERED, "answered with"
            if not kept:
                self.done += len(piece)
                piece = piece.lstrip(b".")
                self.done -= len(piece)
        kept += piece
        if len(kept) > most:
            raise InputError(f"its process {did} more than {most} bytes")
        return is_open

    def relay(self, what: str) -> None:
        """Write what the process printed to stderr, each line marked as its own, with control characters made visible.

        In a log it could be taken for a finding of the auditor, or for an order to the system that shows the log.

        Args:
            what: is running.
        """
        lines = self._printed.decode(errors="backslashreplace").splitlines()
        mark = one_line(f"{what} printed")
        for line in lines[:_MOST_LINES]:
            sys.stderr.write(f"{mark}: {printable(line)}\n")
        if len(lines) > _MOST_LINES:
            sys.stderr.write(f"{mark}: … and {len(lines) - _MOST_LINES} more lines\n")

    @property
    def is_refused(self) -> bool:
        """Whether the process has ended with a refusal, or without an answer."""
        try:
            return "refused" in self.answer()
        except AnswerError:
            return True

    def answer(self) -> Mapping[str, Any]:
        """What the process answered.

        Raises:
            AnswerError: nothing, or something else than an answer.
        """
        if not self._answered:
            raise AnswerError("its process ended without a result")
        return read_answer(self.nonce, bytes(self._answered))


class Interpreter(Child):
    """A fresh interpreter, which reads its request from a pipe.

    Args:
        request: see `verify.laws.worker`; nonce and seconds are added here.
        seed: of its hashes.
        seconds: the time limit.
    """

    def __init__(self, request: Mapping[str, Any], seed: int, seconds: int) -> None:
        here = Path.cwd()
        path = [entry for entry in sys.path if entry and Path(entry).resolve() != here]
        self._request, self._server = {**request, "seconds": seconds}, server_of(seed, path)
        super().__init__()

    def _begin(self, ends: Sequence[int]) -> None:
        read, write = os.pipe()
        try:
            self._life = self._server.copy((read, *ends), _preloaded(self._request))
        except InputError:
            os.close(write)
            raise
        finally:
            os.close(read)
        text = json.dumps({**self._request, "nonce": self.nonce}).encode()
        with suppress(BrokenPipeError), open(write, "wb") as pipe:  # noqa: PTH123 a descriptor
            pipe.write(text)

    def _end(self) -> None:
        with suppress(BrokenPipeError):  # the server has ended, and its copies with it
            os.write(self._life, b".")
        os.close(self._life)


def _preloaded(request: Mapping[str, Any]) -> int:
    """What the code of a request will need: it may import what draws, and mean the installed modules."""
    if "carried" in request:
        code = base64.b85decode(request["carried"])
        return READING if any(name.encode() in code for name in _DRAWING) else POLYNOMIALS
    folder = Path(request["directory"])
    asked = [*request["load"], *request["invariants"], *request["pairs"], request["mechanism"] or ("", "")]
    files = {folder / f"{one[1].partition(':')[0].replace('.', os.sep)}.py" for one in asked}
    texts = [file.read_text(errors="replace") for file in files if file.is_file()]
    is_hidden = any((folder / f"{name}{end}").exists() for name in _DRAWING for end in ("", ".py"))
    if not is_hidden and any(map(_IMPORTED.search, texts)):
        return READING
    is_open = request["mechanism"] is not None and '"open"' in json.dumps(request["mechanism"][2])
    return POLYNOMIALS if is_open or any(map(_UNBOUNDED.search, texts)) else NOTHING


def _watch(children: Sequence[Child], allowance: Allowance, what: str, part: Part | None) -> None:
    """Read what the children write until all of them have answered, or the first has answered that it was refused.

    Raises:
        InputError: the time is up first, or would be at this pace, or a child writes too much.
    """
    looked = time.monotonic()
    with selectors.DefaultSelector() as selector:
        for child in children:
            for end in child.ends:
                selector.register(end, selectors.EVENT_READ, child)
        while selector.get_map():
            ready = selector.select(_LOOK)
            if (now := time.monotonic()) > looked + _LOOK:
                looked = now
                if late := allowance.used_up():
                    raise InputError(late)
            for key, _ in ready:
                child, end = key.data, key.fd
                try:
                    is_open = child.read(end)
                except InputError as error:
                    raise InputError(f"{what}: {error}") from None
                if is_open:
                    continue
                selector.unregister(end)
                open_children = {key.data for key in selector.get_map().values()}
                if child is children[0] and child not in open_children and child.is_refused:
                    return
            if part is not None and (more := min(children[0].done, part.total) - part.done) > 0:
                part.advance(more)
