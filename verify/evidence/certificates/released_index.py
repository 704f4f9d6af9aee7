"""The rule of the released index: the place of the largest of independent noisy values is released, and nothing else.

Let w_i = a q_i + b z_i + c with independent draws z_i. Where r is released, s (w_r - w_j) >= 0, or > 0, for every other
j that was read, with s = 1 for the largest and -1 for the smallest. Move z_r alone, by the least amount for which
s (w'_r - w'_j) >= s (w_r - w_j) for every j. Each comparison with r then has the same outcome on the neighbour, ties
included, so that r is released there too. The move depends on r and on the data alone. If each answer changes by at
most 1 it is at most 2 |a/b|, if all change in one direction or all changes together are at most 1, at most |a/b|;
s b z_r is moved upwards, as one-sided noise needs. So e^(cost) bounds the ratio, for every number of records.

The exponential mechanism draws r by weights exp(a q_r + b). That is the place of the largest a q_i + b + g_i with g of
Gumbel's law, whose density f(g) = exp(-g - exp(-g)) has f(g) <= e^m f(g + m) for every m >= 0: one-sided noise.

Source: Dwork and Roth (2014), claim 3.9 (report noisy max) and theorem 3.10 (exponential mechanism); Ding et al. (2021)
for exponential noise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.program_graph import Edge, Graph
from stirred.verify.evidence.certificates.read_values import RECORD, SHARED, Chosen, Infinite, NoiseDraw, Path, is_fixed

WIDTHS = {"each by 1": 2, "all up or all down": 1, "one by 1": 1, "sum of changes 1": 1}
"""By how much s a q_j may grow beyond s a q_r, in units of |a|: in either direction."""


class IndexRuleError(Exception):
    """The rule does not apply; the message says why."""


def released_index(graph: Graph, width: int) -> Polynomial:
    """The cost of releasing the index of the largest or smallest noisy value, for one of `WIDTHS`.

    Raises:
        IndexRuleError: the program does something else.
    """
    ends = [edge for edge in graph.edges if edge.target is None and edge.path.end == "return"]
    chosen = [edge for edge in ends if isinstance(edge.path.value, Chosen)]
    if chosen:
        return _of_vectors(graph, chosen, width)
    return _of_loop(graph, width)


def _cost(value: Polynomial, draw: NoiseDraw, sign: int, width: int) -> Polynomial:
    """The cost where `value` is compared, and the largest (sign 1) or smallest is released."""
    moved = {
        name: {monomial: n for monomial, n in value.terms.items() if name in dict(monomial)}
        for name in (RECORD, draw.symbol)
    }
    if any(set(terms) - {((name, 1),)} for name, terms in moved.items()) or not moved[draw.symbol]:
        raise IndexRuleError("the compared value is not a number times the answer plus a number times the noise")
    a = sum(moved[RECORD].values(), Fraction(0))
    b = sum(moved[draw.symbol].values(), Fraction(0))
    if draw.kind in ("exponential", "geometric", "gumbel") and sign * b < 0:
        raise IndexRuleError("one-sided noise would be moved below its least value")
    if draw.is_whole and (a / b).denominator != 1:
        raise IndexRuleError("noise that is an integer would be moved by a fraction")
    return draw.rate * abs(a / b) * width


def _only_draw(draws: Sequence[NoiseDraw]) -> NoiseDraw:
    if len(draws) != 1 or draws[0].kind == SHARED:
        raise IndexRuleError("each answer gets one draw")
    return draws[0]


def _are_public(values: Iterable[Polynomial], *known: Symbol) -> bool:
    return all(is_fixed(value, *known) for value in values)


def _is_quiet(path: Path) -> bool:
    """Whether a path draws nothing, reads no record, and decides by the parameters alone."""
    return not path.draws and path.index is None and _are_public(one.value for one in path.decisions)


def _of_vectors(graph: Graph, chosen: list[Edge], width: int) -> Polynomial:
    if graph.states:
        raise IndexRuleError("a loop beside the release of an index")
    for edge in graph.edges:
        if not _is_quiet(edge.path) or edge.path.same:
            raise IndexRuleError("something else is drawn, read or released")
    costs = []
    for edge in chosen:
        vector = edge.path.value.vector
        costs.append(_cost(vector.element, _only_draw(vector.cells), edge.path.value.sign, width))
    if any(one != costs[0] for one in costs):
        raise IndexRuleError("different costs on different branches")
    return costs[0]


def _of_loop(graph: Graph, width: int) -> Polynomial:
    if len(graph.states) != 1:
        raise IndexRuleError("not one loop")
    ((place, state),) = graph.states.items()
    counter = graph.counter(place)
    inner = [edge for edge in graph.edges if edge.source == place and edge.target == place]
    outer = [edge for edge in graph.edges if edge.source == place and edge.target is None]
    first = [edge for edge in graph.edges if edge.source is None]
    if counter is None or len(first) != 1 or len(inner) + len(outer) + 1 != len(graph.edges):
        raise IndexRuleError("the records are not read in order by one loop")
    released = {edge.path.value for edge in outer if edge.path.end == "return" and edge.path.value is not None}
    others = state.changing - {counter}
    best = [name for name in others if released == {Polynomial.name(name)}]
    if len(best) != 1 or len(others) != 2 or first[0].path.env[counter] != Polynomial.of(0):
        raise IndexRuleError("what is released is not one index")
    (top,) = others - {best[0]}
    return _of_passes((counter, best[0], top), (first[0], inner, outer), width)


def _check_exits(outer: list[Edge], best: Symbol, counter: Symbol) -> None:
    for edge in outer:
        rest = [value for value, _ in edge.path.same if value != Polynomial.name(best)]
        rest += [one.value for one in edge.path.decisions]
        if edge.path.draws or edge.path.index is not None or not _are_public(rest, counter):
            raise IndexRuleError("the loop ends by what is not public")


def _of_passes(
    names: tuple[Symbol, Symbol, Symbol], edges: tuple[Edge, list[Edge], list[Edge]], width: int
) -> Polynomial:
    counter, best, top = names
    first, inner, outer = edges
    own, leader, held = map(Polynomial.name, names)
    if not _is_quiet(first.path) or first.path.same:
        raise IndexRuleError("something else is drawn, read or released before the loop")
    _check_exits(outer, best, counter)
    taken = [edge for edge in inner if edge.path.env[best] == own]
    if not taken:
        raise IndexRuleError("no index is taken")
    value, draw = taken[0].path.env[top], _only_draw(taken[0].path.draws)
    if not isinstance(value, Polynomial) or not _are_public([value], RECORD, draw.symbol):
        raise IndexRuleError("what is compared is not the noisy answer")
    start, signs = first.path.env[top], set()
    for edge in inner:
        path, takes = edge.path, edge in taken
        after = (own, value) if takes else (leader, held)
        if (path.env[best], path.env[top]) != after or path.index != own or _only_draw(path.draws) != draw:
            raise IndexRuleError("a pass neither takes nor keeps")
        if not _are_public((one for one, _ in path.same), counter):
            raise IndexRuleError("a pass releases something")
        compared = [one for one in path.decisions if one.value in (value - held, held - value)]
        public = [one for one in path.decisions if one not in compared]
        if not _are_public((one.value for one in public), counter) or len(compared) > 1:
            raise IndexRuleError("a pass decides by something else")
        zero = [one.outcome for one in public if one.relation == "==" and one.value in (own, -own)]
        if compared:
            says_above = compared[0].outcome == (compared[0].value == value - held)
            signs.add(1 if says_above == takes else -1)
        if not (isinstance(start, Infinite) and compared) and zero != (
            [False] if compared else [True] if takes else [None]
        ):
            raise IndexRuleError("the first answer may not be taken")
        if any(one.relation == "==" for one in compared):
            raise IndexRuleError("noisy answers are compared for equality")
    if len(signs) != 1 or (isinstance(start, Infinite) and signs != {-start.sign}):
        raise IndexRuleError("neither the largest nor the smallest is kept")
    return _cost(value, draw, signs.pop(), width)
