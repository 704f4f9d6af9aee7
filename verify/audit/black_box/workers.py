"""Processes that draw: copies of this one, so that closures and objects of libraries need not be made again.

Every chunk of draws has a seed of its own, made of the run's seed, the data set, the look and the chunk's number. The
draws are the same whatever the number of processes, where the mechanism's randomness comes from the seed.
"""

from __future__ import annotations

import hashlib
import os
import signal
import sys
import time
import warnings
from collections.abc import Sequence
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from typing import Any

from stirred.spec.arguments import InputError, shown
from stirred.verify.audit.black_box.black_boxes import BlackBox, Draw
from stirred.verify.laws.sandbox.confinement import die_with_parent

CHUNK = 250
"""Draws that have one seed."""


class OutOfTimeError(Exception):
    """The seconds of a run are over: what was begun is not used."""


def chunk_seed(seed: int, place: int, purpose: str, chunk: int) -> int:
    """The seed of a chunk: the first 63 bits of a hash.

    >>> chunk_seed(1, 0, "look 0", 0) != chunk_seed(1, 1, "look 0", 0)
    True
    """
    digest = hashlib.sha256(f"{seed}/{place}/{purpose}/{chunk}".encode()).digest()
    return int.from_bytes(digest[:8]) >> 1


class Drawers:
    """Processes that draw from one black box; used as a context, which ends them.

    Args:
        box: the mechanism.
        points: the data sets, known by their places.
        seed: of the run.
        jobs: processes.
        deadline: by `time.monotonic()`, when the time is up.

    Attributes:
        is_seeded: whether the mechanism's randomness comes from the seed, as far as is known.
    """

    def __init__(self, box: BlackBox, points: Sequence[Any], *, seed: int, jobs: int, deadline: Any) -> None:
        self._box, self._points, self._seed = box, points, seed
        self._jobs, self._deadline = jobs, deadline
        self._processes: dict[Connection, Any] = {}
        self._here: Draw | None = None
        self.is_seeded = False

    def __enter__(self) -> Drawers:
        if not hasattr(os, "fork") or sys.platform == "win32":
            opened = self._box.opened()
            self._here, self.is_seeded = opened.draw, opened.is_seeded
            return self
        try:
            self.is_seeded = self._begin()
            if self.is_seeded:
                for _ in range(self._jobs - 1):
                    self._begin()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _begin(self) -> bool:
        """Start a process; whether the mechanism's randomness is the seed's, so that others may draw beside it."""
        context = get_context("fork")
        ours, theirs = context.Pipe()
        process = context.Process(target=_serve, args=(self._box, self._points, theirs, os.getpid()))
        sys.stdout.flush()
        sys.stderr.flush()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # other threads: none of them is in the copy
            process.start()
        theirs.close()
        self._processes[ours] = process
        if not ours.poll(self._seconds_left()):
            raise OutOfTimeError
        _, error, is_seeded = self._received(ours)
        if error is not None:
            raise InputError(error)
        return bool(is_seeded)

    def _received(self, connection: Any) -> Any:
        try:
            return connection.recv()
        except (EOFError, OSError):
            raise InputError(f"{self._box.name}: the process that draws ended by itself") from None

    def __exit__(self, *_: object) -> None:
        for connection, process in self._processes.items():
            connection.close()
            for end in (os.killpg, os.kill):  # it leads a group of its own, once it has begun
                try:
                    end(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            process.join()
        self._processes.clear()

    def draw(self, place: int, purpose: str, count: int) -> list[Any]:
        """So many outputs under a data set, in an order that does not depend on the processes."""
        sizes = [min(CHUNK, count - begun) for begun in range(0, count, CHUNK)]
        asked = [(place, chunk_seed(self._seed, place, purpose, chunk), size) for chunk, size in enumerate(sizes)]
        found: dict[int, list[Any]] = {}
        if self._here is not None:
            for chunk, one in enumerate(asked):
                self._seconds_left()
                found[chunk] = _attempted(self._here, self._points, one)
        else:
            self._collect(asked, found)
        return [output for chunk in range(len(asked)) for output in found[chunk]]

    def _collect(self, asked: Sequence[tuple[int, int, int]], found: dict[int, list[Any]]) -> None:
        todo = iter(enumerate(asked))
        busy = [connection for connection in self._processes if _hand_out(todo, connection)]
        while busy:
            ready = wait(busy, self._seconds_left())
            for connection in ready:
                chunk, error, outputs = self._received(connection)
                if error is not None:
                    raise InputError(f"{self._box.name}: {error}")
                found[chunk] = outputs
                if not _hand_out(todo, connection):  # type: ignore[arg-type]
                    busy.remove(connection)  # type: ignore[arg-type]

    def _seconds_left(self) -> Any:
        left = self._deadline - time.monotonic()
        if left <= 0:
            raise OutOfTimeError
        return left


def _hand_out(todo: Any, connection: Connection) -> bool:
    following = next(todo, None)
    if following is not None:
        connection.send(following)
    return following is not None


def _attempted(draw: Draw, points: Sequence[Any], asked: tuple[int, int, int]) -> list[Any]:
    """The draws; what the mechanism raises is said with the data set."""
    place, seed, count = asked
    try:
        return draw(points[place], seed, count)
    except InputError:
        raise
    except Exception as error:
        where = f"on the data set {shown(points[place])}"
        raise InputError(f"{where}: {type(error).__name__}: {error}") from None


def _serve(box: BlackBox, points: Sequence[Any], connection: Connection, parent: int) -> None:
    """Draw what is asked for until the other end is closed."""
    os.setsid()
    die_with_parent(parent)
    for number in (signal.SIGALRM, signal.SIGTERM, signal.SIGINT):
        signal.signal(number, signal.SIG_DFL)
    silence = os.open(os.devnull, os.O_RDWR)
    for end in (0, 1, 2):
        os.dup2(silence, end)
    sys.stdout = sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115 for good
    warnings.simplefilter("ignore")
    try:
        opened = box.opened()
    except InputError as error:
        connection.send((0, str(error), False))
        os._exit(0)
    connection.send((0, None, opened.is_seeded))
    while True:
        try:
            chunk, asked = connection.recv()
        except EOFError:
            os._exit(0)
        try:
            answer: tuple[int, str | None, list[Any]] = chunk, None, _attempted(opened.draw, points, asked)
        except InputError as error:
            answer = chunk, str(error), []
        connection.send(answer)
