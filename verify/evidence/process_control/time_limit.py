"""A time limit on our own work: an alarm that code which swallows exceptions cannot hold off for long.

Signals that end a program are held back while something must not be left half-done, and passed on afterwards.
"""

import os
import signal
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.printable import one_line

_INSISTENCE = 5
"""Interruptions, half a second apart, that code may swallow before the process ends."""


_AT_ONCE = 0.001
"""Seconds after which a limit is reached that was reached inside; 0 would be no limit."""


class TimeIsUpError(InputError):
    """The time limit is reached."""


class _OutOfTime(BaseException):  # a signal that `except Exception` must not catch
    pass


_running: list[tuple[Callable[[int, FrameType | None], None], str]] = []
"""The limits that are running, each inside the one before: what interrupts its body, and its message."""


@contextmanager
def time_limit(seconds: float, what: str) -> Iterator[None]:
    """Run the body for at most so many seconds of wall-clock time, or raise `TimeIsUpError`; nested limits all hold.

    Works in the main thread of systems with interval timers, and has no effect elsewhere. Code that swallows the
    interruption five times is ended with the whole process, at exit status 2; one that never returns from a single
    built-in operation cannot be interrupted.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    own = f"{what} took more than {seconds} s: it may loop for ever; use a smaller domain or raise --seconds"
    foreign = f"{what} was interrupted by a timer that was set outside of it, before its {seconds} s were up"
    interruptions = 0
    is_over = False
    begun = time.monotonic()
    outer = signal.getitimer(signal.ITIMER_REAL)[0]

    def is_outer() -> bool:
        """Whether it is the timer outside that has ended the body."""
        return 0 < outer < seconds and time.monotonic() - begun < seconds - _AT_ONCE

    def interrupt(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 the signature of a handler
        nonlocal interruptions
        if is_over:  # what is left takes no time, and must be done
            return
        interruptions += 1
        if interruptions > _INSISTENCE:
            said = own if not is_outer() else around[-1][1] if around else foreign
            os.write(2, f"stirred: {one_line(said)}\n".encode())
            os._exit(2)
        raise _OutOfTime

    handler = signal.signal(signal.SIGALRM, interrupt)
    around = [one for one in _running if one[0] is handler]
    _running.append((interrupt, own))
    before = signal.setitimer(signal.ITIMER_REAL, min(seconds, outer or seconds), 0.5)
    try:
        try:
            yield
            if time.monotonic() - begun >= seconds:  # a limit inside was reached at the same time, and swallowed
                raise _OutOfTime
        finally:
            is_over = True
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _OutOfTime:
        is_over = True
        if not is_outer():
            raise TimeIsUpError(own) from None
        if around:
            raise  # the limit outside says whose time is up
        raise TimeIsUpError(foreign) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        _running.pop()
        if before[0]:
            left = before[0] - (time.monotonic() - begun)
            signal.setitimer(signal.ITIMER_REAL, max(left, _AT_ONCE), before[1])


_DEADLY = tuple(
    getattr(signal, name) for name in ("SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGXCPU") if hasattr(signal, name)
)


@contextmanager
def deferred_signals() -> Iterator[list[int]]:
    """Hold back the signals that end a program until the body has ended; then the first of them has its effect.

    The body gets the list of those that have arrived, so that it can break off. A signal that is ignored, as SIGHUP
    is under nohup, stays ignored. Elsewhere than in the main thread nothing is held back.
    """
    with _arriving(_DEADLY, is_raised=False) as arrived:
        yield arrived


@contextmanager
def ended_by_interrupt() -> Iterator[None]:
    """Let the signals that end a program raise `KeyboardInterrupt` in the body, so that it can tidy up.

    Afterwards the signal has its own effect. For bodies that run long and write whole files on the way.
    """
    with _arriving([number for number in _DEADLY if number != signal.SIGINT], is_raised=True):
        yield


@contextmanager
def _arriving(numbers: Sequence[int], *, is_raised: bool) -> Iterator[list[int]]:
    arrived: list[int] = []
    if threading.current_thread() is not threading.main_thread():
        yield arrived
        return

    def arrive(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 the signature of a handler
        arrived.append(number)
        if is_raised:
            raise KeyboardInterrupt

    handlers = {}
    try:
        for number in numbers:
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


def end_by(number: int) -> None:
    """End this process as the signal does by default, so that a shell sees what happened."""
    signal.signal(number, signal.SIG_DFL)
    signal.raise_signal(number)
