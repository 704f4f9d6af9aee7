"""The nodes of a TopDown run that are finished: kept line by line, and counted by level on a terminal."""

from __future__ import annotations

import json
from pathlib import Path
from types import TracebackType
from typing import TextIO

from mechanisms.topdown.design import Counts, Design
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
    """

    def __init__(self, path: Path, design: Design, stream: TextIO) -> None:
        self._cells = len(design.cells)
        self._levels = [len(level) for level in design.geography.levels]
        self._found = [0] * len(self._levels)
        self._progress = ProgressLine(stream, "nodes")
        self.done: dict[str | None, dict[str, Counts]] = {}
        text = path.read_text() if path.exists() else ""
        whole = text[: text.rfind("\n") + 1]
        for line in whole.splitlines():
            level, parent, children = json.loads(line)
            self.done[parent] = {node: self._counts(of) for node, of in children.items()}
            self._found[level] += len(children)
        with path.open("w") as file:
            file.write(whole)
        self._path = path

    def __enter__(self) -> KeptNodes:
        self._file = self._path.open("a")
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
        self._progress.show(f"level {level}", self._found[level], self._levels[level])

    def _counts(self, pairs: list[list[int]]) -> Counts:
        found = [0] * self._cells
        for cell, count in pairs:
            found[cell] = count
        return tuple(found)
