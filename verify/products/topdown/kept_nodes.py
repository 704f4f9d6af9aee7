"""The nodes of a TopDown run that are finished, kept line by line and counted by level."""

from __future__ import annotations

import json
from collections.abc import Callable
from hashlib import blake2b
from hmac import compare_digest
from pathlib import Path
from types import TracebackType

import numpy as np

from stirred.mechanisms.das.topdown.design import Counts, Design
from stirred.mechanisms.das.topdown.integers import SparseCounts, nonzero
from stirred.spec.arguments import InputError

Show = Callable[[str, int, int], None]
"""Told what is counted, with how many are done of how many."""

_TAG_BYTES = 16


class KeptNodes:
    """A file to which the counts of the children of a node are added as they are found.

    Every line has a tag that only the holder of the run's key can compute, so that what another run wrote, or what was
    changed since, is not taken for what this run found.

    Args:
        path: of the file; what an interrupted run wrote there is read, but for a last line that it did not finish.
        design: of the run.
        key: secret bytes of the run.
        show: is told the level, how many of its nodes are finished, and of how many.

    Attributes:
        done: the counts of children that were found before, by parent.

    Raises:
        InputError: a line is not one that this run wrote; with file and line. The file stays as it is.
    """

    def __init__(self, path: Path, design: Design, key: bytes, show: Show) -> None:
        self._path, self._key, self._cells, self._show = path, key, len(design.cells), show
        self._levels = [len(level) for level in design.geography.levels]
        self._found = [0] * len(self._levels)
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
        self._show(f"level {level}", self._found[level], self._levels[level])

    def _counts(self, pairs: list[tuple[int, int]]) -> Counts:
        return SparseCounts.from_pairs(self._cells, dict(pairs))
