"""A time limit on our own work: an alarm that code which swallows exceptions cannot hold off for long.

Signals that end a program are held back while something must not be left half-done, and passed on afterwards.
"""

import os
import signal
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.printable import one_line
from stirred.verify.evidence.process_control.processor_time import processor_time

_AT_ONCE = 0.001
"""Seconds after which a timer is due that was due inside; 0 would be none."""

_INSISTENCE = 5
"""Interruptions, half a second apart, that code may swallow before the process ends."""

_LOOK = 0.5
"""Seconds between two looks at the processor time."""

_IDLE = 50
"""Work waits, or hardly gets a processor, that takes less than one part in so many of its seconds in as long a time."""


class TimeIsUpError(InputError):
    """The time limit is reached."""


class _OutOfTime(BaseException):  # a signal that `except Exception` must not catch
    pass


class Allowance:
    """So many seconds of processor time for some work: another load of the machine changes nothing.

    Work that waits takes none. It is given up, too, when it has hardly taken any for as long by the clock.

    Args:
        seconds: how many.
        what: is done, for the messages.
        alarm: seconds after which a timer that is not ours ends it; 0 where there is none.
    """

    def __init__(self, seconds: float, what: str, alarm: float = 0) -> None:
        self._what, self._seconds, self._alarm, self._said = what, seconds, alarm, ""
        self._begun = self._since = time.monotonic(), processor_time()

    def used_up(self) -> str:
        """The sentence that says why the work is ended, once it is; empty while it may go on."""
        self._said = self._said or self._looked()
        return self._said

    def _looked(self) -> str:
        (begun, before), now, used = self._begun, time.monotonic(), processor_time()
        late = f"{self._what} took more than {self._seconds} s"
        if used - before >= self._seconds:
            return f"{late}: it may loop for ever; use a smaller domain or raise --seconds"
        if used - self._since[1] > self._seconds / _IDLE:
            self._since = now, used
        if now - self._since[0] >= self._seconds:
            return f"{late} by the clock and {used - before:.2f} s of processor time: it waits, or the machine is busy"
        if 0 < self._alarm <= now - begun:
            seconds = self._seconds
            return f"{self._what} was interrupted by a timer that was set outside of it, before its {seconds} s were up"
        return ""


_running: list[Allowance] = []
"""Of the limits that are running, each inside the one before."""


def _over() -> str:
    """What the outermost limit says that is reached; empty where none is."""
    return next((said for one in _running if (said := one.used_up())), "")


@contextmanager
def time_limit(seconds: float, what: str) -> Iterator[None]:
    """Run the body for at most so many seconds of processor time, or raise `TimeIsUpError`; nested limits all hold.

    Works in the main thread of systems with interval timers, and has no effect elsewhere. Code that swallows the
    interruption five times is ended with the whole process, at exit status 2; one that never returns from a single
    built-in operation cannot be interrupted.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return
    interruptions = 0
    is_over = False

    def look(number: int, frame: FrameType | None) -> None:  # noqa: ARG001 the signature of a handler
        nonlocal interruptions
        if is_over or not (said := _over()):  # what is left takes no time, and must be done
            return
        interruptions += 1
        if interruptions > _INSISTENCE:
            os.write(2, f"stirred: {one_line(said)}\n".encode())
            os._exit(2)
        raise _OutOfTime

    begun = time.monotonic()
    handler = signal.signal(signal.SIGALRM, look)
    left, interval = signal.setitimer(signal.ITIMER_REAL, 0)
    is_inside = bool(_running) and getattr(handler, "__code__", None) is look.__code__
    allowance = Allowance(seconds, what, 0 if is_inside else left)
    _running.append(allowance)
    signal.setitimer(signal.ITIMER_REAL, min(seconds, _LOOK, left or _LOOK), _LOOK)
    try:
        try:
            yield
            if _over():  # a limit inside was reached at the same time, and swallowed
                raise _OutOfTime
        finally:
            is_over = True
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _OutOfTime:
        is_over = True
        for outer in _running[: _running.index(allowance)]:
            if outer.used_up():
                raise  # the limit outside says whose time is up
        raise TimeIsUpError(allowance.used_up()) from None
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        _running.remove(allowance)
        if left:
            past = 0 if is_inside else time.monotonic() - begun
            signal.setitimer(signal.ITIMER_REAL, max(left - past, _AT_ONCE), interval)


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
