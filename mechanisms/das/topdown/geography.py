"""A geography: a tree of nodes of any depth, whose leaves (blocks) stand at one level."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from stirred.spec.arguments import InputError, shown


@dataclass(frozen=True)
class Geography:
    """A tree of named nodes, the root at level 0 and every leaf at the last level.

    Attributes:
        parents: the parent of every node, None for the root; nodes of a level keep the order in which they stand here.

    >>> Geography({"nation": None, "A": "nation", "B": "nation"}).levels
    (('nation',), ('A', 'B'))
    """

    parents: Mapping[str, str | None]

    def __post_init__(self) -> None:
        roots = [node for node, parent in self.parents.items() if parent is None]
        if len(roots) != 1:
            raise InputError(f"a geography must have exactly one root; got {shown(roots)}")
        for node, parent in self.parents.items():
            if parent is not None and parent not in self.parents:
                raise InputError(f"the parent of every node must be a node; node {node!r} has {parent!r}")
        reached = {node for level in self.levels for node in level}
        for node in self.parents:
            if node not in reached:
                raise InputError(f"every node must descend from the root {roots[0]!r}; {node!r} is in or under a cycle")
        for level in self.levels[:-1]:
            for node in level:
                if not self.children(node):
                    last = len(self.levels) - 1
                    raise InputError(f"every leaf must be at level {last}; {node!r} is at level {self.level(node)}")

    @cached_property
    def _children(self) -> Mapping[str, Sequence[str]]:
        found: dict[str, list[str]] = {node: [] for node in self.parents}
        for node, parent in self.parents.items():
            if parent is not None:
                found[parent].append(node)
        return found

    @cached_property
    def levels(self) -> tuple[tuple[str, ...], ...]:
        """The nodes of every level, from the root down."""
        level = tuple(node for node, parent in self.parents.items() if parent is None)
        found = []
        while level:
            found.append(level)
            level = tuple(child for node in level for child in self._children[node])
        return tuple(found)

    @cached_property
    def _places(self) -> Mapping[str, tuple[int, int]]:
        return {node: (number, place) for number, level in enumerate(self.levels) for place, node in enumerate(level)}

    @property
    def root(self) -> str:
        """The node without a parent."""
        return self.levels[0][0]

    @property
    def leaves(self) -> tuple[str, ...]:
        """The nodes of the last level."""
        return self.levels[-1]

    @property
    def nodes(self) -> tuple[str, ...]:
        """All nodes, level by level from the root."""
        return tuple(self._places)

    def level(self, node: str) -> int:
        """The number of edges between a node and the root."""
        return self._places[node][0]

    def place(self, node: str) -> int:
        """How many nodes of its level stand before a node."""
        return self._places[node][1]

    def children(self, node: str) -> Sequence[str]:
        """The nodes right under a node, in order."""
        return self._children[node]

    def below(self, nodes: Sequence[str]) -> tuple[str, ...]:
        """These nodes, then everything under them, level by level."""
        found: list[str] = []
        level = list(nodes)
        while level:
            found += level
            level = [child for node in level for child in self._children[node]]
        return tuple(found)
