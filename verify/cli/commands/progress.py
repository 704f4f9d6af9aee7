"""How far a long run is, on a line of a terminal: how fast, and how long it still takes.

The nodes of a TopDown run that are finished are kept line by line, and counted by level.
"""

from __future__ import annotations

import json
import time
from hashlib import blake2b
from hmac import compare_digest
from pathlib import Path
from types import TracebackType
from typing import TextIO

import numpy as np

from stirred.mechanisms.das.topdown.design import Counts, Design
from stirred.mechanisms.das.topdown.integers import SparseCounts, nonzero
from stirred.spec.arguments import InputError

_PAUSE_NS = 200_000_000


class ProgressLine:
    """Progress on a stream, shown only if that is a terminal.

    Args:
        stream: where the line goes; it is written over, and wiped at the end of each phase.
        what: is counted, in the plural.
    """

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


_TAG_BYTES = 16


class KeptNodes:
    """A file to which the counts of the children of a node are added as they are found.

    Every line has a tag that only the holder of the run's key can compute, so that what another run wrote, or what was
    changed since, is not taken for what this run found.

    Args:
        path: of the file; what an interrupted run wrote there is read, but for a last line that it did not finish.
        design: of the run.
        key: secret bytes of the run.
        stream: where progress is shown.

    Attributes:
        done: the counts of children that were found before, by parent.

    Raises:
        InputError: a line is not one that this run wrote; with file and line. The file stays as it is.
    """

    def __init__(self, path: Path, design: Design, key: bytes, stream: TextIO) -> None:
        self._path, self._key, self._cells = path, key, len(design.cells)
        self._levels = [len(level) for level in design.geography.levels]
        self._found = [0] * len(self._levels)
        self._progress = ProgressLine(stream, "nodes")
        self.done: dict[str | None, dict[str, Counts]] = {}
        try:
            content = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        self._whole = content.rfind(b"\n") + 1
        for number, line in enumerate(content[: self._whole].split(b"\n")[:-1], start=1):
            tag, _, kept = line.partition(b" ")
            if not compare_digest(tag, self._tag(kept)):
                raise InputError(
                    f"{path}: line {number}: must be as this run wrote it; remove the file, and its nodes are "
                    "estimated again from the same measurements"
                )
            level, parent, children = json.loads(kept)
            self.done[parent] = {node: self._counts(of) for node, of in children.items()}
            self._found[level] += len(children)

    def _tag(self, kept: bytes) -> bytes:
        return blake2b(kept, key=self._key, digest_size=_TAG_BYTES).hexdigest().encode()

    def __enter__(self) -> KeptNodes:
        self._file = self._path.open("ab")
        self._file.truncate(self._whole)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def keep(self, level: int, parent: str | None, children: dict[str, Counts]) -> None:
        """Keep what was found."""
        sparse = {node: np.stack(nonzero(of), axis=1).tolist() for node, of in children.items()}
        kept = json.dumps([level, parent, sparse]).encode()
        self._file.write(self._tag(kept) + b" " + kept + b"\n")
        self._file.flush()
        self._found[level] += len(children)
        self._progress.show(f"level {level}", self._found[level], self._levels[level])

    def _counts(self, pairs: list[tuple[int, int]]) -> Counts:
        return SparseCounts.from_pairs(self._cells, dict(pairs))
