"""Noisy measurements in files while a run lasts: each node's is written as it is drawn, and read where it is needed.

A level is a Parquet file in the form in which measurements are released. A row group has the queries of whole nodes, so
that those of a node are read without the others.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

from stirred.mechanisms.tables.noisy_measurements import ReleasedQuery, query_schema, query_table

_MOST_ANSWERS = 2**20
"""Of the nodes of a row group, unless one alone has more."""

Answers = tuple[Sequence[int], ...]
"""The noisy answers of a node, by query group; none where a group is not asked."""


class KeptMeasurements(Mapping[str, Answers]):
    """The noisy answers of every node, by query group.

    Args:
        folder: where the files are; what is of the same name there is written anew.
        attributes: the columns of a query.
        levels: the nodes of each level, in order.
        asked: by level, whether each query group is asked there.
    """

    def __init__(
        self,
        folder: Path,
        attributes: Sequence[str],
        levels: Sequence[Sequence[str]],
        asked: Sequence[Sequence[bool]],
    ) -> None:
        self._folder, self._attributes, self._levels, self._asked = folder.absolute(), attributes, levels, asked
        self._places: dict[str, tuple[int, int, int]] = {}
        """By node, the level, the row group and the first row in it."""
        self._open: tuple[int, Any] | None = None
        self._read: tuple[int, int, Any] | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_open": None, "_read": None}

    def path(self, level: int) -> Path:
        """The file of a level."""
        return self._folder / f"level-{level}.parquet"

    def rows(self, level: int) -> int:
        """How many queries it has."""
        return sum(self._asked[level]) * len(self._levels[level])

    def write(
        self, drawn: Iterable[tuple[str, Answers]], queries: Callable[[int, str, Answers], list[ReleasedQuery]]
    ) -> None:
        """Keep what is drawn.

        Args:
            drawn: nodes, level by level in order, with their answers.
            queries: the rows of a node, one for each group that is asked at its level.
        """
        nodes = iter(drawn)
        schema = query_schema(self._attributes, signs=False)
        for level, names in enumerate(self._levels):
            with pq.ParquetWriter(str(self.path(level)), schema) as writer:
                for number, part in enumerate(_parts(nodes, len(names))):
                    rows: list[ReleasedQuery] = []
                    for node, answers in part:
                        self._places[node] = level, number, len(rows)
                        rows += queries(level, node, answers)
                    writer.write_table(query_table(schema, rows))

    def __getitem__(self, node: str) -> Answers:
        level, group, first = self._places[node]
        values = self._group(level, group)
        found: list[Sequence[int]] = []
        for is_asked in self._asked[level]:
            found.append(_plain(values, first) if is_asked else array("q"))
            first += is_asked
        return tuple(found)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def _group(self, level: int, group: int) -> Any:
        """The answers of a row group, the last one that was read being kept."""
        if self._read is None or self._read[:2] != (level, group):
            if self._open is None or self._open[0] != level:
                self._open = level, pq.ParquetFile(str(self.path(level)))
            values = self._open[1].read_row_group(group, columns=["value"]).column("value").combine_chunks()
            self._read = level, group, values
        return self._read[2]


def _parts(nodes: Iterator[tuple[str, Answers]], count: int) -> Iterator[list[tuple[str, Answers]]]:
    """So many nodes, in parts that have about as many answers."""
    part: list[tuple[str, Answers]] = []
    size = 0
    for _ in range(count):
        node, answers = next(nodes)
        own = sum(map(len, answers))
        if part and size + own > _MOST_ANSWERS:
            yield part
            part, size = [], 0
        part.append((node, answers))
        size += own
    if part:
        yield part


def _plain(values: Any, row: int) -> Sequence[int]:
    return array("q", values[row].values.to_numpy().tobytes())
