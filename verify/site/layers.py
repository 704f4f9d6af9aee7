"""A drawing of what rests on what: layers from left to right, arrows from what is used to what uses it, as SVG."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from markupsafe import Markup

__all__ = ["Node", "drawing", "reduced"]

_LETTER, _HEIGHT, _GAP, _BETWEEN, _EDGE = 7, 24, 10, 70, 8


@dataclass(frozen=True)
class Node:
    """A box of a drawing: its text, its class for a style sheet, and the address that it leads to."""

    name: str
    look: str
    address: str


def reduced(edges: Mapping[str, Collection[str]]) -> dict[str, set[str]]:
    """The edges without those that others imply; by each node those that it uses, without circles.

    >>> reduced({"a": [], "b": ["a"], "c": ["a", "b"]})["c"]
    {'b'}
    """
    below: dict[str, set[str]] = {}

    def reach(name: str) -> set[str]:
        if name not in below:
            below[name] = set()  # a circle ends here
            found = {other for other in edges.get(name, ()) if other != name}
            below[name] = found.union(*map(reach, found))
        return below[name]

    return {
        name: {one for one in used if one != name and not any(one in reach(other) for other in used if other != one)}
        for name, used in edges.items()
    }


def drawing(nodes: Sequence[Node], edges: Mapping[str, Collection[str]], caption: str) -> Markup:
    """The nodes in layers: each stands to the right of all that it uses.

    Args:
        nodes: in their order.
        edges: by each node those that it uses; no circles.
        caption: what a reader is told who does not see it.
    """
    known = {node.name: node for node in nodes}
    used = reduced({name: [one for one in edges.get(name, ()) if one in known] for name in known})
    layers = _layers(used)
    places: dict[str, tuple[int, int, int]] = {}
    left = height = _EDGE
    for layer in layers:
        width = max(_LETTER * len(name) for name in layer) + 2 * _GAP
        for row, name in enumerate(layer):
            top = _EDGE + row * (_HEIGHT + _GAP)
            places[name] = (left, top, _LETTER * len(name) + 2 * _GAP)
            height = max(height, top + _HEIGHT + _EDGE)
        left += width + _BETWEEN
    lines = [_arrow(places[one], places[name]) for name, below in used.items() for one in sorted(below)]
    boxes = [_box(known[name], place) for name, place in places.items()]
    width = max(left - _BETWEEN + _EDGE, 2 * _EDGE)
    return Markup(
        '<svg class="layers" role="img" aria-label="{}" width="{}" height="{}" viewBox="0 0 {} {}">{}</svg>'
    ).format(caption, width, height, width, height, Markup("").join([*lines, *boxes]))


def _layers(used: Mapping[str, Collection[str]]) -> list[list[str]]:
    """The names by the longest chain below them, each layer ordered by where what it uses stands."""
    depth: dict[str, int] = {}

    def deep(name: str) -> int:
        if name not in depth:
            depth[name] = 0
            depth[name] = 1 + max(map(deep, used[name]), default=-1)
        return depth[name]

    layers: list[list[str]] = [[] for _ in range(1 + max(map(deep, used), default=-1))]
    for name in used:
        layers[depth[name]].append(name)
    row: dict[str, int] = {}
    for layer in layers:
        layer.sort(key=lambda name: (_middle([row[one] for one in used[name]]), name))
        row.update({name: place for place, name in enumerate(layer)})
    return layers


def _middle(rows: Sequence[int]) -> int:
    """The median of rows; 0 of none."""
    return sorted(rows)[len(rows) // 2] if rows else 0


def _arrow(start: tuple[int, int, int], end: tuple[int, int, int]) -> Markup:
    x, y = start[0] + start[2], start[1] + _HEIGHT // 2
    to_x, to_y = end[0], end[1] + _HEIGHT // 2
    bend = (to_x - x) // 2
    return Markup('<path d="M{} {}C{} {} {} {} {} {}"/>').format(x, y, x + bend, y, to_x - bend, to_y, to_x, to_y)


def _box(node: Node, place: tuple[int, int, int]) -> Markup:
    return Markup(
        '<a href="{}"><rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="5"/><text x="{}" y="{}">{}</text></a>'
    ).format(node.address, node.look, place[0], place[1], place[2], _HEIGHT, place[0] + _GAP, place[1] + 16, node.name)
