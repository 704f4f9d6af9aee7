"""Integer least squares on a network of nested sums: flows of least cost by OR-Tools, proved nearest in integers.

The cost of an arc is convex, so its flow is laid in pieces of growing cost around a place near to its own best one. The
pieces are a flow problem with constant costs, which OR-Tools solves in integers (cost scaling, Goldberg and Tarjan).
Shortest paths among the steps that are left then give every node a price; from these come prices of the rows, under
which `mechanisms.fast.nearest_point` proves that no point is nearer.
"""

from dataclasses import dataclass

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
