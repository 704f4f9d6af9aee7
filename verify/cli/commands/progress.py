"""How far a long run is, on a line of a terminal: how fast, and how long it still takes."""

import time
from typing import TextIO

_PAUSE_NS = 200_000_000


class ProgressLine:
    """Progress on a stream, shown only if that is a terminal."""

    def __init__(self, stream: TextIO, what: str = "records") -> None:
        self._stream = stream
        self._what = what
        self._shows = stream.isatty()
        self._phase = ""
        self._begun = self._last = 0
        self._first = 0

    def show(self, phase: str, done: int, total: int) -> None:
        """Say that so many of so many are done in this phase."""
        if not self._shows:
            return
        now = time.monotonic_ns()
        if phase != self._phase:
            self._phase, self._begun, self._last, self._first = phase, now, 0, done
        if done >= total:
            self._stream.write("\r\x1b[K")
        elif now - self._last >= _PAUSE_NS:
            self._last = now
            self._stream.write(f"\r\x1b[K{self._line(phase, done, total, now - self._begun)}")
        self._stream.flush()

    def _line(self, phase: str, done: int, total: int, spent_ns: int) -> str:
        steps = done - self._first
        rate = steps * 10**9 // max(spent_ns, 1)
        speed = f", {rate} {self._what}/s" if rate else ""
        left = f", {(total - done) * spent_ns // (steps * 10**9)} s left" if steps else ""
        return f"{phase}: {done} of {total} {self._what}{speed}{left}"
