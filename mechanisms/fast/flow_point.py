"""Integer least squares on a network of nested sums: flows of least cost by OR-Tools, proved nearest in integers.

The cost of an arc is convex, so its flow is laid in pieces of growing cost around a place near to its own best one. The
pieces are a flow problem with constant costs, which OR-Tools solves in integers (cost scaling, Goldberg and Tarjan).
Shortest paths among the steps that are left then give every node a price; from these come prices of the rows, under
which `mechanisms.fast.nearest_point` proves that no point is nearer.

`first_flow` takes the first one of the flows of least cost, which differ by circles of steps that cost nothing at the
prices of the nodes. So a variable can be one less if and only if such steps lead from its tail to its head another way.
The way is looked for from both ends; where one end is exhausted first, no circle leaves what was reached from it, so it
is a part of its own from then on. What is reached in vain is the smaller of two parts, so that all searches in vain
together take n·log n.
"""

from collections import deque
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.nested_sums import Network, SumRow
from stirred.mechanisms.fast.unit_pieces import OPEN, Integers, Squares

_REACH = 2
_MAX_ROUNDS = 60
_WIDER = _NARROWER = 4
_MAX_STEPS = 20_000
_ENDLESS = 2**36
"""The capacity of an arc without a limit; a flow that would need more is not proved nearest, and not used."""


@dataclass(frozen=True)
class Flow:
    """Flows of least cost.

    Attributes:
        values: of each arc.
        nodes: the price of each node: going from tail to head by one more step costs at least the difference.
    """

    values: Integers
    nodes: Integers


def _slope(network: Network, arcs: Integers, places: Integers, widths: Integers) -> Integers:
    """The cost of each of so many steps from each place, down where the width is negative, on average."""
    found: Integers = network.weight[arcs] * (2 * places + widths) - 2 * network.pull[arcs]
    return found


def flow_of_least_cost(network: Network) -> Flow | None:
    """The flow with the smallest cost, with prices; None where OR-Tools finds none or the numbers are too large."""
    weight = np.maximum(network.weight, 1)
    guess = np.where(network.weight > 0, (2 * network.pull + weight) // (2 * weight), 0)
    origin = np.clip(guess, network.low, network.high)
    reach, width = np.full(len(origin), _REACH), 1
    for tried in range(_MAX_ROUNDS):
        found = _solved(network, origin, reach, width)
        if found is None:
            return None
        values, beyond = found
        if width > 1:
            width //= _NARROWER
        elif not len(beyond):
            nodes = _node_prices(network, values)
            return None if nodes is None else Flow(values, nodes)
        else:
            reach[beyond] *= _WIDER
            while tried and width < np.abs(values - origin).max():
                width *= _NARROWER
        origin = values
    return None


@dataclass(frozen=True)
class _Pieces:
    """Arcs of constant cost.

    Attributes:
        arc: of the network, for each piece.
        sign: 1 for steps up, −1 for steps down.
        steps: how many there are.
        cost: of each step.
        is_last: whether the arc goes on behind the piece at the cost of this one.
    """

    arc: Integers
    sign: Integers
    steps: Integers
    cost: Integers
    is_last: NDArray[np.bool_]


def _pieces(network: Network, origin: Integers, reach: Integers, width: int, sign: int) -> _Pieces:
    """The pieces of one direction; the last one ends at the bound or nowhere."""
    arcs = np.flatnonzero((network.tail != network.head) & (network.low < network.high))
    side = network.high if sign > 0 else network.low
    room = np.where(np.abs(side) == OPEN, _ENDLESS, np.minimum(np.abs(side - origin), _ENDLESS))[arcs]
    is_free = network.weight[arcs] == 0
    counts = np.where(is_free, np.minimum(room, 1), np.minimum(reach[arcs] + 1, -(-room // width)))
    arc, left = np.repeat(arcs, counts), np.repeat(room, counts)
    place = np.arange(len(arc)) - np.repeat(np.cumsum(counts) - counts, counts)
    is_last = (place == reach[arc]) & (network.weight[arc] > 0)
    left -= place * width
    steps = np.minimum(left, width)
    cost = sign * _slope(network, arc, origin[arc] + sign * place * width, sign * steps)
    is_whole = is_last | (network.weight[arc] == 0)
    return _Pieces(arc, np.full(len(arc), sign), np.where(is_whole, left, steps), cost, is_last)


def _solved(network: Network, origin: Integers, reach: Integers, width: int) -> tuple[Integers, Integers] | None:
    """Flows of least cost in pieces around an origin, and the arcs that go beyond what their pieces price rightly."""
    from ortools.graph.python.min_cost_flow import SimpleMinCostFlow  # noqa: PLC0415 an optional dependency

    up, down = (_pieces(network, origin, reach, width, sign) for sign in (1, -1))
    arc = np.concatenate((up.arc, down.arc))
    supply = np.zeros(network.nodes, dtype=np.int64)
    np.add.at(supply, network.tail, -origin)
    np.add.at(supply, network.head, origin)
    if not len(arc):
        return None if supply.any() else (origin, arc)
    solver = SimpleMinCostFlow()
    numbers = solver.add_arcs_with_capacity_and_unit_cost(
        np.concatenate((network.tail[up.arc], network.head[down.arc])),
        np.concatenate((network.head[up.arc], network.tail[down.arc])),
        np.concatenate((up.steps, down.steps)),
        np.concatenate((up.cost, down.cost)),
    )
    solver.set_nodes_supplies(np.arange(network.nodes), supply)
    if solver.solve() != solver.OPTIMAL:
        return None
    flows = np.asarray(solver.flows(numbers), dtype=np.int64)
    values = origin.copy()
    np.add.at(values, arc, np.concatenate((up.sign, down.sign)) * flows)
    return values, np.unique(arc[np.concatenate((up.is_last, down.is_last)) & (flows > width)])


def _node_prices(network: Network, values: Integers) -> Integers | None:
    """Shortest distances over the steps that are left (Bellman and Ford); None where they cannot be found."""
    arcs = np.flatnonzero(network.tail != network.head)
    up = arcs[values[arcs] < network.high[arcs]]
    down = arcs[values[arcs] > network.low[arcs]]
    costs = np.concatenate(
        (_slope(network, up, values[up], np.ones_like(up)), -_slope(network, down, values[down], -np.ones_like(down)))
    )
    if np.abs(costs).max(initial=0) * network.nodes >= OPEN:
        return None
    starts = np.concatenate((network.tail[up], network.head[down]))
    ends = np.concatenate((network.head[up], network.tail[down]))
    order = np.argsort(ends, kind="stable")
    starts, ends, costs = starts[order], ends[order], costs[order]
    firsts = np.flatnonzero(np.concatenate(([True], ends[1:] != ends[:-1]))) if len(ends) else ends
    reached = ends[firsts]
    prices = np.zeros(network.nodes, dtype=np.int64)
    for _ in range(_MAX_STEPS if len(ends) else 0):
        nearer = np.minimum(prices[reached], np.minimum.reduceat(prices[starts] + costs, firsts))
        if np.array_equal(nearer, prices[reached]):
            return prices
        prices[reached] = nearer
    return None if len(ends) else prices


def values_of(squares: Squares, network: Network, flow: Integers) -> Integers:
    """The values of all columns of a problem."""
    values = np.zeros(len(squares.weight), dtype=np.int64)
    values[: network.size] = flow[: network.size]
    return squares.of(values)


def row_prices(squares: Squares, network: Network, flow: Flow) -> Integers:
    """Prices of the rows that give each variable what the nodes at its ends do; for `nearest_point.is_nearest`."""
    prices = np.zeros(len(squares.lower), dtype=np.int64)
    for one in network.constant:
        if one.form is not None:
            prices[one.row] = -_steps_of_form(squares, one, 0)[0]
    arcs = np.arange(network.size, len(flow.values))
    priced = (flow.nodes[network.tail[arcs]] - flow.nodes[network.head[arcs]]).tolist()
    sums = flow.values[arcs].tolist()
    for rows, price, total in zip(network.rows, priced, sums, strict=True):
        _share(squares, rows, price, total, prices)
    return prices


def _steps_of_form(squares: Squares, one: SumRow, total: int) -> tuple[int, int]:
    """The cost of the last step of a form's column and of its next one."""
    value, weight, pull = one.sign * total + one.constant, int(squares.weight[one.form]), int(squares.pull[one.form])
    return weight * (2 * value - 1) - 2 * pull, weight * (2 * value + 1) - 2 * pull


def _share(squares: Squares, rows: tuple[SumRow, ...], price: int, total: int, prices: Integers) -> None:
    """The price of a set as prices of its rows: forms take what lies between two steps, a constraint the rest."""
    rest, takers = price, []
    for one in rows:
        if one.form is not None:
            before, after = _steps_of_form(squares, one, total)
            least, most = sorted((-one.sign * before, -one.sign * after))
            rest -= least
            takers.append((one, least, most - least))
    for one, least, room in takers:
        more = min(max(rest, 0), room)
        rest -= more
        prices[one.row] = one.sign * (least + more)
    for one in rows:
        if one.form is None and rest:
            value = one.sign * total + one.constant
            side = squares.lower[one.row] if one.sign * rest > 0 else squares.upper[one.row]
            if value == side:
                prices[one.row], rest = one.sign * rest, 0


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
