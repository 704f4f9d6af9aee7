"""Processes of foreign code, from outside: asked, watched and always killed; what they answer is plain data."""

from __future__ import annotations

import json
import os
import secrets
import selectors
import signal
import subprocess
import sys
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, suppress
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any

import stirred
from stirred.spec.arguments import InputError
from stirred.verify.certificates.printable import one_line, printable
from stirred.verify.engines.workload import Part
from stirred.verify.outside.answers import AnswerError, read_answer
from stirred.verify.outside.server import Server

__all__ = ["ENVIRONMENT", "Child", "answers", "collected", "interpreter"]

_MOST_ANSWERED = 128_000_000
_MOST_PRINTED = 100_000
_MOST_LINES = 100
_PIECE = 1 << 20

ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",  # pandas and pyarrow, which else say that a thread is refused
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
}

_STIRRED = Path(stirred.__file__).absolute().parent
_ROOT = [str(_STIRRED.parent)] if _STIRRED.name == "stirred" else []  # else another program finds the package by name

_PROGRAM = "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from stirred.verify.laws import worker; "
_SERVING = "from stirred.verify.outside.server import serve; serve({}, worker)"

_SERVERS: dict[tuple[int, int, str], Server | None] = {}
"""By the process that asks, the hash seed and the path: its server, None after the first request."""


def answers(
    requests: Sequence[Mapping[str, Any]],
    *,
    seconds: int,
    what: str,
    seeds: Sequence[int] = (0, 1),
    part: Part | None = None,
) -> list[Mapping[str, Any]]:
    """What processes of foreign code answer to their requests, each in a process of its own, at the same time.

    They have different hash seeds. What they print goes to stderr.

    Args:
        requests: see `verify.laws.worker`; nonce, parent, seconds and path are added here.
        seconds: the time limit for all of them.
        what: what is running, for the messages.
        seeds: of the hashes in each process.
        part: of the work, which the first process advances with each data set that it has done.

    Raises:
        InputError: one was refused or took too long, printed or answered too much, or ended without an answer; or it
            would take too long.
    """
    if not hasattr(os, "fork"):
        raise InputError(f"{what}: code of one's own runs on POSIX systems only, where a process can be confined")
    begun = (partial(interpreter, request, seed, seconds) for seed, request in zip(seeds, requests, strict=False))
    return collected(begun, seconds=seconds, what=what, part=part)


def collected(
    begun: Iterable[Callable[[], Child]], *, seconds: int, what: str, part: Part | None = None
) -> list[Mapping[str, Any]]:
    """What child processes answer, all of them begun before any is waited for; they are always ended.

    Raises:
        InputError: as `answers`.
    """
    deadline = time.monotonic() + seconds
    late = f"{what} took more than {seconds} s: it may loop for ever; use a smaller domain or raise --seconds"
    with ExitStack() as stack:
        children = [stack.enter_context(begin()) for begin in begun]
        try:
            _watch(children, deadline, late, what, part)
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
        answer_end: where its answer is read.
        print_end: where what it prints is read.
        count_end: where a byte is read for each data set that it has done.
        done: how many those are.
    """

    def __init__(self) -> None:
        self.nonce = secrets.token_hex(16)
        self._answered = bytearray()
        self._printed = bytearray()
        self.answer_end, write_answer = os.pipe()
        self.print_end, write_print = os.pipe()
        self.count_end, write_count = os.pipe()
        self.done = 0
        try:
            self._pid = self._begin(write_answer, write_print, write_count)
        finally:
            for end in (write_answer, write_print, write_count):
                os.close(end)

    @property
    def ends(self) -> tuple[int, ...]:
        """Where something is read."""
        return self.answer_end, self.print_end, self.count_end

    @abstractmethod
    def _begin(self, write_answer: int, write_print: int, write_count: int) -> int:
        """Start the process; returns its id."""

    @abstractmethod
    def _reap(self) -> None:
        """Wait for the process, which has been killed."""

    def __enter__(self) -> Child:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for kill in (os.killpg, os.kill):  # before it leads its own group there is none
            with suppress(ProcessLookupError, PermissionError):
                kill(self._pid, signal.SIGKILL)
        self._reap()
        for end in self.ends:
            os.close(end)

    def read(self, end: int) -> bool:
        """Read a piece from one of the ends; whether it is still open.

        Raises:
            InputError: more was written than may be.
        """
        piece = os.read(end, _PIECE)
        if end == self.count_end:
            self.done += len(piece)
            return bool(piece)
        kept, most, did = (
            (self._answered, _MOST_ANSWERED, "answered with")
            if end == self.answer_end
            else (self._printed, _MOST_PRINTED, "printed")
        )
        kept += piece
        if len(kept) > most:
            raise InputError(f"its process {did} more than {most} bytes")
        return bool(piece)

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


def interpreter(request: Mapping[str, Any], seed: int, seconds: int) -> Child:
    """A fresh interpreter: the first of a hash seed in this process is started, later ones are copies of a server.

    Args:
        request: see `verify.laws.worker`; nonce, parent, seconds and path are added here.
        seed: of its hashes.
        seconds: the time limit.
    """
    here = Path.cwd()
    path = [*_ROOT, *(entry for entry in sys.path if entry and Path(entry).resolve() != here)]
    asked = {**request, "parent": os.getpid(), "seconds": seconds, "path": path}
    key = (os.getpid(), seed, json.dumps(path))
    if key not in _SERVERS:
        _SERVERS[key] = None
        return Spawned(asked, seed)
    try:
        server = _SERVERS[key] or Server(_command(_SERVING, path), _environment(seed))
        _SERVERS[key] = server
        return Copied(asked, server)
    except OSError:  # it was killed
        _SERVERS[key] = None
        return Spawned(asked, seed)


def _command(call: str, path: Sequence[str]) -> list[str]:
    # -B: it reads bytecode and writes none, not beside the user's modules nor, limited, half of our own
    return [sys.executable, "-s", "-P", "-B", "-c", _PROGRAM + call, json.dumps(path)]


def _environment(seed: int) -> dict[str, str]:
    return {**ENVIRONMENT, "PYTHONHASHSEED": str(seed)}


class _Asked(Child):
    """A process that reads its request from a pipe.

    Args:
        request: see `verify.laws.worker`; the nonce is added here.
    """

    def __init__(self, request: Mapping[str, Any]) -> None:
        self._request = request
        self._read, self._write = os.pipe()
        try:
            super().__init__()
        except BaseException:
            os.close(self._write)
            raise
        finally:
            os.close(self._read)

    def __enter__(self) -> Child:
        text = json.dumps({**self._request, "nonce": self.nonce}).encode()
        with suppress(BrokenPipeError), open(self._write, "wb") as pipe:  # noqa: PTH123 a descriptor
            pipe.write(text)
        return self


class Spawned(_Asked):
    """A fresh interpreter with a hash seed of its own.

    Args:
        request: see `verify.laws.worker`; the nonce is added here.
        seed: of its hashes.
    """

    def __init__(self, request: Mapping[str, Any], seed: int) -> None:
        self._seed = seed
        super().__init__(request)

    def _begin(self, write_answer: int, write_print: int, write_count: int) -> int:
        self._process = subprocess.Popen(  # noqa: S603 our own program, with the user's code as its input
            _command(f"worker.main({write_answer}, {write_count})", self._request["path"]),
            stdin=self._read,
            stdout=write_print,
            stderr=write_print,
            pass_fds=(write_answer, write_count),
            start_new_session=True,
            env=_environment(self._seed),
        )
        return self._process.pid

    def _reap(self) -> None:
        self._process.wait()


class Copied(_Asked):
    """A copy of an interpreter that was started before.

    Args:
        request: see `verify.laws.worker`; the nonce is added here.
        server: is copied.

    Raises:
        OSError: the server has ended.
    """

    def __init__(self, request: Mapping[str, Any], server: Server) -> None:
        self._server = server
        super().__init__(request)

    def _begin(self, write_answer: int, write_print: int, write_count: int) -> int:
        return self._server.begin((self._read, write_print, write_answer, write_count))

    def _reap(self) -> None:
        with suppress(OSError):
            self._server.end(self._pid)


def _watch(children: Sequence[Child], deadline: float, late: str, what: str, part: Part | None) -> None:
    """Read what the children write until all of them have answered, or the first has answered that it was refused.

    Raises:
        InputError: the deadline passes first, or would at this pace, or a child writes too much.
    """
    with selectors.DefaultSelector() as selector:
        for child in children:
            for end in child.ends:
                selector.register(end, selectors.EVENT_READ, child)
        while selector.get_map():
            left = deadline - time.monotonic()
            ready = selector.select(left) if left > 0 else []
            if not ready:
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
