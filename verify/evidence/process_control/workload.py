"""How far a long computation is: told to whoever watches, and refused early where its pace would exceed its time.

Whoever knows how long something may take says so once, by `working`; what is computed inside says how far it is, by
`part`, and hands nothing on.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field

from stirred.spec.arguments import InputError
from stirred.verify.evidence.process_control.processor_time import processor_time
from stirred.verify.evidence.process_control.time_limit import time_limit

_LOOK = 0.05
"""Seconds by the clock between two looks at the processor time."""

_WINDOW = 0.02
"""The share of the time after which the pace is looked at again, and never before a second has passed."""

_TOLERANCE = 1.25
"""Pace varies: only an estimate above the limit by this factor is refused; the time limit itself stands elsewhere."""


Watch = Callable[[str, int, int], None]
"""Is told what is being done, how many steps of it are done, and of how many."""


def _unwatched(doing: str, done: int, total: int) -> None:
    """Nobody watches."""


_watch: ContextVar[Watch] = ContextVar("watch", default=_unwatched)


@contextmanager
def watching(watch: Watch) -> Iterator[None]:
    """Whatever is worked on meanwhile is watched."""
    token = _watch.set(watch)
    try:
        yield
    finally:
        _watch.reset(token)


@dataclass
class Part:
    """One part of the work: so many steps of about one length."""

    workload: Workload
    doing: str
    total: int
    done: int = 0
    _due: float = 0.0
    _looked: tuple[float, int] = field(default_factory=lambda: (processor_time(), 0))
    _estimate: float = 0.0  # at the last look: the first one, where processes may be starting, refuses nothing

    def advance(self, steps: int = 1) -> None:
        """So many steps are done."""
        self.done += steps
        _watch.get()(self.doing, self.done, self.total)
        seconds = self.workload.seconds
        if seconds is None or time.monotonic() < self._due:
            return
        self._due = time.monotonic() + _LOOK
        now, (since, before) = processor_time(), self._looked
        if now - since < max(1.0, _WINDOW * seconds):
            return
        left = max(0, self.total - self.done)
        estimate = now - self.workload.begun + (now - since) * left / (self.done - before)
        least, self._estimate = min(estimate, self._estimate), estimate
        self._looked = now, self.done
        if least > _TOLERANCE * seconds:
            raise InputError(
                f"{self.workload.what} would take about {_rounded(least)} s, more than {seconds} s: {self.doing}, "
                f"{self.done} of {self.total} done; use a smaller domain or raise --seconds"
            )


@dataclass
class Workload:
    """The work of one claim, which has so many seconds of processor time."""

    what: str = "this"
    seconds: int | None = None
    begun: float = field(default_factory=processor_time)

    def left(self) -> float | None:
        """The seconds that are left; None for as long as it takes."""
        return None if self.seconds is None else self.seconds - (processor_time() - self.begun)

    @contextmanager
    def part(self, doing: str, total: int) -> Iterator[Part]:
        """A part of the work, to be advanced step by step."""
        _watch.get()(doing, 0, total)
        yield Part(self, doing, total)


UNLIMITED = Workload()
"""Work that takes as long as it takes."""

_work: ContextVar[Workload] = ContextVar("work", default=UNLIMITED)


@contextmanager
def working(what: str, seconds: int) -> Iterator[None]:
    """The body is one work and has so many seconds, after which it is ended: see `time_limit`."""
    token = _work.set(Workload(what, seconds))
    try:
        with time_limit(seconds, what):
            yield
    finally:
        _work.reset(token)


def part(doing: str, total: int) -> AbstractContextManager[Part]:
    """A part of the work that is done here, to be advanced step by step."""
    return _work.get().part(doing, total)


def seconds_left() -> float | None:
    """What is left of the time of the work that is done here; None for as long as it takes."""
    return _work.get().left()


def _rounded(seconds: float) -> int:
    """Two digits: an estimate has no more."""
    return int(round(seconds, 2 - len(str(int(seconds)))))
