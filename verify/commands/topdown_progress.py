"""The nodes of a TopDown run that are finished: kept line by line, and counted by level on a terminal."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import Any, TextIO

from mechanisms.topdown.design import Counts, Design
from spec.arguments import InputError
from verify.commands.progress_line import ProgressLine

__all__ = ["KeptNodes"]


class KeptNodes:
    """A file to which the counts of the children of a node are added as they are found.

    Args:
        path: of the file; what an interrupted run wrote there is read, but for a last line that it did not finish.
        design: of the run.
        stream: where progress is shown.

    Attributes:
        done: the counts of children that were found before, by parent.

    Raises:
        InputError: a line is not what a run with this design writes; with file and line. The file stays as it is.
    """

    def __init__(self, path: Path, design: Design, stream: TextIO) -> None:
        self._path, self._cells, self._geography = path, len(design.cells), design.geography
        self._found = [0] * len(design.geography.levels)
        self._progress = ProgressLine(stream, "nodes")
        self.done: dict[str | None, dict[str, Counts]] = {}
        self._counts: dict[str, Counts] = {}
        try:
            content = path.read_bytes() if path.exists() else b""
        except OSError as error:
            raise InputError(f"{path}: cannot be read: {error.strerror}") from None
        self._whole = content.rfind(b"\n") + 1
        for number, line in enumerate(content[: self._whole].splitlines(), start=1):
            if (problem := self._read(line)) is not None:
                raise InputError(
                    f"{path}: line {number}: must be the counts of the children of a node, as this run wrote them: "
                    f"{problem}; remove the file, and its nodes are estimated again from the same measurements"
                )

    def __enter__(self) -> KeptNodes:
        self._file = self._path.open("a")
        self._file.truncate(self._whole)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._file.close()

    def keep(self, level: int, parent: str | None, children: dict[str, Counts]) -> None:
        """Keep what was found."""
        sparse = {node: [[cell, n] for cell, n in enumerate(of) if n] for node, of in children.items()}
        self._file.write(json.dumps([level, parent, sparse]) + "\n")
        self._file.flush()
        self._found[level] += len(children)
        self._progress.show(f"level {level}", self._found[level], len(self._geography.levels[level]))

    def _read(self, line: bytes) -> str | None:
        """Take over a line; or what is wrong with it."""
        try:
            level, parent, children = json.loads(line)
            counts = {node: self._dense(pairs) for node, pairs in children.items()}
        except (ValueError, TypeError, AttributeError, RecursionError):
            return "it is no such list"
        if not (parent is None or (isinstance(parent, str) and parent in self._counts)):
            return f"the counts of {parent!r} must stand before those of its children"
        expected = (self._geography.root,) if parent is None else self._geography.children(parent)
        if not expected or set(counts) != set(expected) or parent in self.done:
            return f"it must have each child of {parent!r} once"
        if level != (of := self._geography.level(expected[0])):
            return f"the children of {parent!r} are of level {of}"
        if parent is not None and tuple(map(sum, zip(*counts.values(), strict=True))) != self._counts[parent]:
            return f"the children of {parent!r} must sum to its counts"
        self.done[parent] = counts
        self._counts |= counts
        self._found[of] += len(counts)
        return None

    def _dense(self, pairs: Any) -> Counts:
        """The counts of all cells.

        Raises:
            ValueError: these are no pairs of different cells and positive counts.
        """
        found = [0] * self._cells
        for cell, count in pairs:
            if type(cell) is not int or type(count) is not int or not 0 <= cell < self._cells or count <= 0:
                raise ValueError
            if found[cell]:
                raise ValueError
            found[cell] = count
        return tuple(found)
