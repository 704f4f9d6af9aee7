"""Interpreters that are copied for each request: a program that audits much starts few.

A server is a new interpreter with a hash seed of its own that has loaded our part of the worker, and nothing of the
user's. For each request it makes a copy of itself, which does what a worker does and ends.
"""

from __future__ import annotations

import atexit
import gc
import importlib
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from types import ModuleType

from stirred.spec.arguments import InputError
from stirred.verify.evidence.process_control.processor_time import STARTED
from stirred.verify.laws.sandbox.own_code import OwnParts

ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "JE_ARROW_MALLOC_CONF": "background_thread:false",  # pandas and pyarrow, which else say that a thread is refused
    **dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"),
}

_ROOT = [str(Path(__file__).absolute().parents[4])]

_PROGRAM = (
    "import json, sys; sys.path[:] = json.loads(sys.argv[1]); from stirred.verify.laws import worker; "
    "from stirred.verify.laws.sandbox.server import serve; serve({}, worker)"
)

NOTHING, POLYNOMIALS, READING = range(3)
_PRELOADED: Sequence[Sequence[str]] = (
    (),
    ("flint.types", "stirred.mechanisms.reading.integer_algebra"),
    ("flint.types", "stirred.mechanisms.reading.read_mechanism"),
)
"""What is to be loaded before a copy is made: what code that draws is read with comes with NumPy."""

_SERVERS: dict[tuple[int, int, str], Server] = {}
"""By the process that asks, the hash seed and the path."""


def server_of(seed: int, path: Sequence[str]) -> Server:
    """The interpreter with this hash seed, started unless one runs already.

    Args:
        seed: of its hashes.
        path: where it looks for modules, behind the one that this package is in.
    """
    key = (os.getpid(), seed, json.dumps([*_ROOT, *path]))
    if key not in _SERVERS or not _SERVERS[key].is_running:
        _SERVERS[key] = Server(seed, key[-1])
    return _SERVERS[key]


class Server:
    """An interpreter that is copied.

    Args:
        seed: of its hashes.
        path: where it looks for modules, as JSON.
    """

    def __init__(self, seed: int, path: str) -> None:
        self._owner = os.getpid()
        self._socket, theirs = socket.socketpair()
        program = _PROGRAM.format(theirs.fileno())
        with theirs:
            self._process = subprocess.Popen(  # noqa: S603 our own program, with the user's code as its input
                [sys.executable, "-s", "-P", *["-B"] * sys.dont_write_bytecode, "-c", program, path],
                stdin=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
                env={**ENVIRONMENT, "PYTHONHASHSEED": str(seed)},
            )
        STARTED.add(self._process.pid)
        atexit.register(self.close)

    @property
    def is_running(self) -> bool:
        """Whether it has not ended."""
        return self._process.poll() is None

    def copy(self, ends: Sequence[int], preloaded: int) -> int:
        """Have a copy do its work; returns a descriptor: what is written there, or closing it, ends the copy.

        Args:
            ends: the descriptors of its request, its output and its answer.
            preloaded: NOTHING, POLYNOMIALS or READING: what is to be loaded already.

        Raises:
            InputError: the server has ended.
        """
        read, write = os.pipe()
        try:
            socket.send_fds(self._socket, [bytes([preloaded])], [read, *ends])
        except OSError:
            os.close(write)
            raise InputError("the process that copies interpreters has ended") from None
        finally:
            os.close(read)
        return write

    def close(self) -> None:
        """End the server, and with it every copy; done at the end of the process that started it."""
        self._socket.close()
        if os.getpid() == self._owner:
            self._process.wait()
            STARTED.discard(self._process.pid)


def serve(descriptor: int, worker: ModuleType) -> None:
    """Copy this process for each request that comes over a socket, until its other end is closed; never returns.

    Args:
        descriptor: of the socket.
        worker: what a copy runs; being loaded here, it is there in every copy.
    """
    asked = socket.socket(fileno=descriptor)
    copies: dict[int, int] = {}  # by what ends them
    server = os.getpid()
    while True:
        for ready in select.select([descriptor, *copies], [], [])[0]:
            if ready != descriptor:
                kill_group(copies.pop(ready))
                os.close(ready)
                continue
            message, (*ends,), *_ = socket.recv_fds(asked, 1, 4)
            if not message:
                for pid in copies.values():
                    kill_group(pid)
                os._exit(0)
            for name in _PRELOADED[message[0]]:
                with suppress(ImportError):  # the copy says so
                    importlib.import_module(name)
            OwnParts()
            gc.freeze()
            pid = os.fork()
            if pid == 0:
                sys.dont_write_bytecode = True  # beside the user's modules, nor, limited, half of our own
                for end in (descriptor, ends[0], *copies):
                    os.close(end)
                try:
                    worker.main(server, *ends[1:])
                finally:
                    os._exit(1)
            copies[ends[0]] = pid
            for end in ends[1:]:
                os.close(end)


def kill_group(pid: int) -> None:
    """Kill a child process with its whole group, and wait for it."""
    for kill in (os.killpg, os.kill):  # before it leads its own group there is none
        with suppress(ProcessLookupError, PermissionError):
            kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
