"""Signals that end a program: held back while something must not be left half-done, and passed on afterwards."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

_DEADLY = tuple(
    getattr(signal, name) for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGXCPU") if hasattr(signal, name)
)


@contextmanager
def deferred_signals() -> Iterator[list[int]]:
    """Hold back the signals that end a program until the body has ended; then the first of them has its effect.

    The body gets the list of those that have arrived, so that it can break off. A signal that is ignored, as SIGHUP
    is under nohup, stays ignored. Elsewhere than in the main thread nothing is held back.
    """
    arrived: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield arrived
        return

    def arrive(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 the signature of a handler
        arrived.append(number)

    handlers = {}
    try:
        for number in _DEADLY:
            handler = signal.getsignal(number)
            if handler not in (signal.SIG_IGN, None):
                handlers[number] = handler
                signal.signal(number, arrive)
        yield arrived
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if arrived:
            signal.raise_signal(arrived[0])


@contextmanager
def ended_by_interrupt() -> Iterator[None]:
    """Let the signals that end a program raise `KeyboardInterrupt` in the body, so that it can tidy up.

    Afterwards the signal has its own effect. For bodies that run long and write whole files on the way.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    arrived: list[int] = []

    def arrive(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 the signature of a handler
        arrived.append(number)
        raise KeyboardInterrupt

    handlers = {number: signal.getsignal(number) for number in _DEADLY if number != signal.SIGINT}
    handlers = {number: old for number, old in handlers.items() if old not in (signal.SIG_IGN, None)}
    try:
        for number in handlers:
            signal.signal(number, arrive)
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
        if arrived:
            signal.raise_signal(arrived[0])


def end_by(number: int) -> None:
    """End this process as the signal does by default, so that a shell sees what happened."""
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)
