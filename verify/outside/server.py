"""Interpreters that are started once, and copied for each request: a program that audits much starts few.

A server is a new interpreter with a hash seed of its own that has loaded our part of the worker, and nothing of the
user's. For each request it makes a copy of itself, which does what a worker does and ends (`verify.laws.worker`).
The first request of a process gets an interpreter of its own, so that a single audit waits for no server.
"""

from __future__ import annotations

import atexit
import gc
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from types import ModuleType

__all__ = ["Server", "serve"]

_BEGIN, _END = b"b", b"e"
_PID = 8


class Server:
    """An interpreter that is copied.

    Args:
        command: runs `serve` with the descriptor that is put in the place of "{}".
        environment: of the interpreter, with its hash seed.
    """

    def __init__(self, command: Sequence[str], environment: dict[str, str]) -> None:
        self._owner = os.getpid()
        self._lock = threading.Lock()
        self._socket, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 our own program
                [part.format(theirs.fileno()) for part in command],
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                env=environment,
            )
        atexit.register(self.close)

    def begin(self, ends: Sequence[int]) -> int:
        """The process id of a copy that has the descriptors: standard input, output, the answer's and the count's.

        Raises:
            OSError: the server has ended.
        """
        with self._lock:
            socket.send_fds(self._socket, [_BEGIN], list(ends))
            return self._number()

    def end(self, pid: int) -> None:
        """Wait for a copy, which has been killed.

        Raises:
            OSError: the server has ended.
        """
        with self._lock:
            self._socket.sendall(_END + pid.to_bytes(_PID, "big"))
            self._number()

    def close(self) -> None:
        """End the server, and with it every copy; done at the end of the process that started it."""
        self._socket.close()
        if os.getpid() == self._owner:
            self._process.wait()

    def _number(self) -> int:
        found = b""
        while len(found) < _PID:
            piece = self._socket.recv(_PID - len(found))
            if not piece:
                raise ConnectionResetError("the server of interpreters has ended")
            found += piece
        return int.from_bytes(found, "big")


def serve(descriptor: int, worker: ModuleType) -> None:
    """Copy this process for each request that comes over a socket, until its other end is closed; never returns.

    Args:
        descriptor: of the socket.
        worker: what a copy runs; being loaded here, it is there in every copy.
    """
    gc.collect()
    asked = socket.socket(fileno=descriptor)
    running: set[int] = set()
    server = os.getpid()
    while True:
        message, ends, *_ = socket.recv_fds(asked, 1, 4)
        if message == _BEGIN:
            pid = os.fork()
            if pid == 0:
                asked.close()
                _work(worker, server, ends)
            running.add(pid)
            for end in ends:
                os.close(end)
        elif message == _END:
            pid = int.from_bytes(asked.recv(_PID, socket.MSG_WAITALL), "big")
            if pid in running:
                _killed(pid)
            running.discard(pid)
        else:
            for pid in running:
                _killed(pid)
            os._exit(0)
        asked.sendall(pid.to_bytes(_PID, "big"))


def _work(worker: ModuleType, server: int, ends: Sequence[int]) -> None:
    try:
        os.setsid()
        take, show, answer, count = ends
        os.dup2(take, 0)
        os.dup2(show, 1)
        os.dup2(show, 2)
        for end in (take, show):
            os.close(end)
        worker.main(answer, count, server)
    finally:
        sys.stdout.flush()
        os._exit(1)


def _killed(pid: int) -> None:
    for kill in (os.killpg, os.kill):
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
