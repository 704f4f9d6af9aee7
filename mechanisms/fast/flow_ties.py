"""The first one of the flows of least cost: variable by variable, the smallest or the largest that costs nothing.

Flows of least cost differ by circles of steps that cost nothing at the prices of the nodes. So a variable can be one
less if and only if such steps lead from its tail to its head another way. The way is looked for from both ends; where
one end is exhausted first, no circle leaves what was reached from it, so it is a part of its own from then on. What is
reached in vain is the smaller of two parts, so that all searches in vain together take n·log n.
"""

from collections import deque
from dataclasses import dataclass, field

import numpy as np

from stirred.mechanisms.fast.flow_point import Flow
from stirred.mechanisms.fast.nested_sums import Network
from stirred.mechanisms.fast.unit_pieces import OPEN, Integers


def first_flow(network: Network, flow: Flow, decided: int, *, largest: bool) -> Integers:
    """The values of the arcs of the lexicographically first flow that costs as little.

    Args:
        network: its first arcs are the variables.
        decided: the first so many variables are compared.
    """
    ways = _Ways(*_steps_without_price(network, flow), network.tail.tolist(), network.head.tolist())
    for arc in np.flatnonzero(ways.is_open[:decided]).tolist():
        ways.settle(arc, largest=largest)
    found: Integers = flow.values + np.array(ways.moved, dtype=np.int64)
    return found


def _steps_without_price(network: Network, flow: Flow) -> tuple[Integers, Integers]:
    """How far each arc can go up and down at no cost."""
    paid = flow.nodes[network.head] - flow.nodes[network.tail]
    slope = 2 * network.weight * flow.values - 2 * network.pull
    most = np.where(network.weight > 0, 1, OPEN)
    room_up = np.where(network.high == OPEN, OPEN, network.high - flow.values)
    room_down = np.where(network.low == -OPEN, OPEN, flow.values - network.low)
    up = np.where(slope + network.weight == paid, np.minimum(room_up, most), 0)
    down = np.where(slope - network.weight == paid, np.minimum(room_down, most), 0)
    return up, down


@dataclass
class _Ways:
    """Steps that cost nothing: how many each arc has left up and down, and what was moved."""

    left_up: Integers
    left_down: Integers
    tail: list[int]
    head: list[int]
    moved: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.is_open = (self.left_up > 0) | (self.left_down > 0)
        self.moved = [0] * len(self.tail)
        self.up, self.down = self.left_up.tolist(), self.left_down.tolist()
        self.arcs: dict[int, list[int]] = {}
        self.part: dict[int, int] = {}
        self.parts = 1
        for arc in np.flatnonzero(self.is_open).tolist():
            for node in {self.tail[arc], self.head[arc]}:
                self.arcs.setdefault(node, []).append(arc)
                self.part[node] = 0

    def settle(self, arc: int, *, largest: bool) -> None:
        """Move a variable as far as it goes, and keep it there."""
        sign, left = (1, self.up) if largest else (-1, self.down)
        tail, head = self.tail[arc], self.head[arc]
        start, end = (head, tail) if largest else (tail, head)
        far, left[arc] = left[arc], 0
        self.up[arc] = self.down[arc] = 0  # its own steps are no way around it
        if start == end:
            self.moved[arc] += sign * far
            return
        while far and (way := self._way(start, end)) is not None:
            steps = min([far, *((self.up if goes_up else self.down)[one] for one, goes_up in way)])
            for one, goes_up in way:
                self._move(one, steps if goes_up else -steps)
            self.moved[arc] += sign * steps
            far -= steps

    def _move(self, arc: int, steps: int) -> None:
        self.moved[arc] += steps
        self.up[arc] -= steps
        self.down[arc] += steps

    def _way(self, start: int, end: int) -> list[tuple[int, bool]] | None:
        """Arcs from start to end, each with whether it goes up; None where there is no way."""
        if self.part[start] != self.part[end]:
            return None
        came: tuple[dict[int, tuple[int, bool]], ...] = ({}, {})
        seen, waiting, scanned = ({start}, {end}), (deque([start]), deque([end])), [0, 0]
        while waiting[0] and waiting[1]:
            side = 0 if scanned[0] <= scanned[1] else 1
            node = waiting[side].popleft()
            for arc in self.arcs[node]:
                # backwards, what comes in is followed against its direction
                goes_up = (self.tail[arc] == node) == (side == 0)
                scanned[side] += 1
                if not (self.up if goes_up else self.down)[arc]:
                    continue
                other = self.head[arc] if self.tail[arc] == node else self.tail[arc]
                if other in seen[side] or self.part[other] != self.part[node]:
                    continue
                came[side][other] = (arc, goes_up)
                if other in seen[1 - side]:
                    return self._joined(came, other)
                seen[side].add(other)
                waiting[side].append(other)
        for node in seen[0] if not waiting[0] else seen[1]:
            self.part[node] = self.parts
        self.parts += 1
        return None

    def _joined(self, came: tuple[dict[int, tuple[int, bool]], ...], middle: int) -> list[tuple[int, bool]]:
        """The way through a node that both ends reached."""
        first, last = [], []
        node = middle
        while node in came[0]:
            arc, goes_up = came[0][node]
            first.append((arc, goes_up))
            node = self.tail[arc] if goes_up else self.head[arc]
        node = middle
        while node in came[1]:
            arc, goes_up = came[1][node]
            last.append((arc, goes_up))
            node = self.head[arc] if goes_up else self.tail[arc]
        return [*reversed(first), *last]
