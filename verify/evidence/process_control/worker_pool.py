"""Processes that share work: none imports from the current folder, and none outlives the program that started it."""

import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from typing import Any, TypeVar

from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.process_control.processor_time import STARTED

T = TypeVar("T")
S = TypeVar("S")

_SAFE_PATH = "PYTHONSAFEPATH"


def in_processes(function: Callable[[S], T], items: Sequence[S], *, jobs: int) -> Iterator[T]:
    """The values of a function on items, in their order, computed in so many processes at once.

    When the caller stops, an item fails or the program ends in any way, the processes end in the middle of their work.
    """
    context = get_context("spawn")
    ending, end = context.Pipe(duplex=False)
    processes: dict[Connection, SpawnProcess] = {}
    todo = iter(enumerate(items))
    done: dict[int, T] = {}
    printed = 0
    try:
        for _ in range(jobs):
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(function, theirs, ending), daemon=True)
            with _inherited():
                process.start()
            STARTED.add(process.pid or 0)
            theirs.close()
            processes[ours] = process
            _hand_out(todo, ours)
        while printed < len(items):
            for connection in wait(list(processes)):
                index, value = _answer(connection)  # type: ignore[arg-type]  # only connections are waited for
                done[index] = value
                _hand_out(todo, connection)  # type: ignore[arg-type]
            while printed in done:
                yield done.pop(printed)
                printed += 1
    finally:
        end.close()
        for process in processes.values():
            process.terminate()
            process.join()
            STARTED.discard(process.pid or 0)


def _hand_out(todo: Iterator[tuple[int, Any]], connection: Connection) -> None:
    following = next(todo, None)
    if following is not None:
        connection.send(following)


def _answer(connection: Connection) -> tuple[int, Any]:
    try:
        index, error, value = connection.recv()
    except (EOFError, OSError):
        raise EngineError("a process that shares the work ended by itself") from None
    if error is not None:
        raise error
    return index, value


@contextmanager
def _inherited() -> Iterator[None]:
    """What a process inherits: it looks for no module in the current folder, and Ctrl-C is its parent's to answer."""
    before = os.environ.get(_SAFE_PATH)
    is_main = threading.current_thread() is threading.main_thread()
    handler = signal.signal(signal.SIGINT, signal.SIG_IGN) if is_main else None
    os.environ[_SAFE_PATH] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ[_SAFE_PATH]
        else:
            os.environ[_SAFE_PATH] = before
        if is_main:
            signal.signal(signal.SIGINT, handler)


def _serve(function: Callable[[Any], Any], connection: Connection, ending: Connection) -> None:
    """Answer every item until the other end is closed."""
    threading.Thread(target=_end_with, args=(ending,), daemon=True).start()
    while True:
        try:
            index, item = connection.recv()
        except EOFError:
            return
        answer: tuple[int, Exception | None, Any]
        try:
            answer = index, None, function(item)
        except Exception as error:
            answer = index, error, None
        connection.send(answer)


def _end_with(ending: Connection) -> None:
    ending.poll(None)  # nothing is ever sent: it returns when the parent has closed its end, or is no more
    os._exit(1)
