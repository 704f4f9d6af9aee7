"""Loops without a last pass: those that draw until what they drew is accepted, and those that count their passes.

A pass of a loop that ends where a pass began, in a state from which everything goes on as from the earlier one, may be
forgotten together with all before it, where nothing was decided before: the run begins again, and its law is
conditioned on not doing so. States are the same where names have the same values, or numbers that are drawn with equal
laws and meet no conditions yet.

Where passes are alike but for counters, which nothing looks at before the last one, their number N is geometric: every
way through one pass is followed apart, the counters are put forward by N, and the last pass is one of those that leave.

Only loops are looked at whose statements change nothing but names (`loop_code`).
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from stirred.mechanisms.reading.asked import Repeated
from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.drawn_doubles import DrawnDoubles
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.functions import Frame
from stirred.mechanisms.reading.loop_code import changes_names_alone, dead, is_simple, names_in, stored
from stirred.mechanisms.reading.refusal import Forking, Refusal, Reopened
from stirred.mechanisms.reading.region import Region
from stirred.mechanisms.reading.symbols import SEEN, Linear, Step, Stepped, is_symbolic
from stirred.mechanisms.reading.yielding import Signal

_MOST_WAYS = 64
"""Through one pass."""


@dataclass(frozen=True)
class Arrival:
    """Where a pass of a loop begins before anything was decided.

    Attributes:
        names: the values of the call's names.
        draws: how many draws there were.
        is_alone: whether nothing but names can hold these.
    """

    names: Mapping[str, Any]
    draws: int
    is_alone: bool


def begun(
    node: ast.While, frame: Frame, region: Region, *, path: Forking, before: Sequence[ast.stmt], known: Arrival | None
) -> Arrival | None:
    """What is to be known of a pass of a loop that begins; the run begins afresh where that is the same.

    Args:
        path: decides.
        before: what was run before the loop, where the call is the run's own; nothing else may hold what it drew.
        known: of an earlier pass of the same loop.
    """
    if path.taken:
        if known is not None and _is_same(known, frame.values, region, dead(node)):
            path.reject()
        return known
    if not changes_names_alone(node, frame):
        return None
    is_alone = bool(before) and all(is_simple(one, frame) for one in before)
    return Arrival(dict(frame.values), len(region.laws), is_alone)


class Deferred(Signal):
    """A loop is left by a return, whose value is yet to be computed.

    Args:
        node: the statement.
    """

    def __init__(self, node: ast.Return) -> None:
        self.node = node


@dataclass
class Way:
    """Decides along one way through a pass of a loop, as a script says, and then takes the first outcome.

    Attributes:
        depth: of the call whose loop it is: what that returns is not computed meanwhile.
    """

    depth: int
    script: list[int]
    opened: set[str]
    weight: Exact = field(default_factory=lambda: Exact(1))
    taken: list[int] = field(default_factory=list)
    others: list[list[int]] = field(default_factory=list)
    decisions: dict[tuple[int, ...], Any] = field(default_factory=dict)

    def fork(self, weights: Sequence[Any], *_: str) -> int:
        """The outcome."""
        if len(self.taken) == len(self.script):
            self.others += [[*self.taken, other] for other in range(1, len(weights))]
            self.script = [*self.taken, 0]
        chosen = self.script[len(self.taken)]
        self.weight = self.weight * weights[chosen]
        self.taken.append(chosen)
        return chosen

    def reject(self) -> None:
        """Beginning the run afresh would change more than this loop."""
        raise Refusal("a loop in a loop begins the run afresh")


@dataclass
class _Ways:
    """The ways through one pass of a loop.

    Attributes:
        again: those after which the loop goes on, and by how much they put each counter forward.
        leaving: the others.
        passed: what one of the first draws.
    """

    again: list[tuple[Way, dict[str, int]]] = field(default_factory=list)
    leaving: list[Way] = field(default_factory=list)
    passed: Repeated | None = None

    def follow(
        self, counters: set[str], dead: frozenset[str], frame: Frame, reader: Any, one_pass: Callable[[], Signal | None]
    ) -> bool:
        """Whether passes are independent, of each other and of all before, and alike but for counters.

        Counters are numbers that are drawn meanwhile, so that whatever looks at one shows.
        """
        names, drawn, record, path = dict(frame.values), reader.meanings.drawn, reader.draws.record, reader.path
        before, draws, known = drawn.state, len(record), {*drawn.region.rows}
        trial = Stepped(drawn.new(BaseLaw.EXPONENTIAL), Step.FLOOR, Exact(1))
        fresh, waiting = drawn.state, list[list[int]]([[]])
        try:
            while waiting:
                frame.values.update({one: replace(trial, shift=names[one]) for one in counters})
                drawn.state = fresh
                way = reader.path = Way(reader.depth, waiting.pop(), path.opened)
                is_left = one_pass() is not None
                waiting += way.others
                is_tied = any(min(row.draws) < len(fresh.region.laws) for row in {*drawn.region.rows} - known)
                steps = {} if is_left else _steps(names, frame.values, trial, counters, dead)
                if is_tied or steps is None or len(self.leaving) + len(self.again) > _MOST_WAYS:
                    return False
                if is_left:
                    self.leaving.append(way)
                else:
                    self.again.append((way, steps))
                    self.passed = Repeated(tuple(record[draws:]), drawn.point(Fraction(1, 2)))
                put_back(frame, names, record, draws)
        except Reopened:
            raise
        except (Refusal, Exception):  # where the passes are followed one by one it is told
            SEEN.clear()
            return False
        finally:
            put_back(frame, names, record, draws)
            drawn.state, reader.path = before, path
        return bool(self.leaving and self.again) and all(steps == self.again[0][1] for _, steps in self.again)


def counted(
    node: ast.While, frame: Frame, reader: Any, one_pass: Callable[[], Signal | None]
) -> Callable[[], Signal | None] | None:
    """The last pass of a loop, its counters put forward; None where passes are not alike.

    Args:
        reader: whose path, draws and numbers these are.
        one_pass: carries out a pass; gives nothing where the loop goes on.
    """
    counters, unseen, drawn, path = _counters(node), dead(node), reader.meanings.drawn, reader.path
    if isinstance(drawn, DrawnDoubles) or not (counters or path.taken or isinstance(path, Way)):
        return None
    are_known = all(type(frame.values.get(one)) is int for one in counters) and stored(node) <= counters | unseen
    if node.orelse or not are_known or not changes_names_alone(node, frame):
        return None
    ways = _Ways()
    if not ways.follow(counters, unseen, frame, reader, one_pass) or ways.passed is None:
        return None
    again = sum((way.weight for way, _ in ways.again), Exact(0))
    number = Stepped(drawn.new(BaseLaw.EXPONENTIAL), Step.FLOOR, -again.log())
    reader.draws.record.append(replace(ways.passed, times=number))
    steps = ways.again[0][1].items()
    frame.values.update({one: replace(number, scale=step, shift=frame.values[one]) for one, step in steps if step})
    weights = [way.weight / (1 - again) for way in ways.leaving]
    chosen = ways.leaving[path.fork(weights, "the last pass of a loop", reader.line) if len(weights) > 1 else 0]

    def last() -> Signal | None:
        way = reader.path = Way(reader.depth, chosen.taken, path.opened, decisions=chosen.decisions)
        try:
            signal = one_pass()
        finally:
            reader.path = path
        if way.others:
            raise reader.refuse("the last pass of a loop decides more than it did alone: please report it")
        return signal

    return last


def put_back(frame: Frame, names: Mapping[str, Any], record: list[Any], draws: int) -> None:
    """Give a call's names the values of before, and forget the draws since."""
    frame.values.clear()
    frame.values.update(names)
    del record[draws:]


def _steps(
    before: Mapping[str, Any], after: Mapping[str, Any], trial: Stepped, counters: set[str], dead: frozenset[str]
) -> dict[str, int] | None:
    """How far each counter is put forward by a pass that changes nothing else; None where one does."""
    if any(before.get(name, Arrival) is not after.get(name, Arrival) for name in {*before, *after} - counters - dead):
        return None
    found = {name: after[name] for name in counters}
    if not all(isinstance(one, Stepped) and one.number is trial.number and one.scale == 1 for one in found.values()):
        return None
    return {name: one.shift - before[name] for name, one in found.items()}


def _counters(node: ast.While) -> set[str]:
    """Names that only k += 1, k = k + 1 and the like change, and nothing looks at before the loop is left."""
    steps = {id(one): _stepped(one) for one in ast.walk(node) if isinstance(one, (ast.Assign, ast.AugAssign))}
    own = {id(name) for one in ast.walk(node) if steps.get(id(one)) for name in names_in(one)}
    left = {name for one in ast.walk(node) if isinstance(one, ast.Return) for name in names_in(one)}
    looked_at = {
        one.id for one in names_in(node) if one not in left and id(one) not in own and isinstance(one.ctx, ast.Load)
    }
    given = {name.id for one in ast.walk(node) if id(one) in steps and not steps[id(one)] for name in names_in(one)}
    return {name for name in steps.values() if name} - looked_at - given


def _stepped(one: ast.Assign | ast.AugAssign) -> str:
    """The name that a statement adds a constant to, or subtracts one from; none where it does something else."""
    target: ast.expr
    if isinstance(one, ast.AugAssign):
        target, op, value = one.target, one.op, one.value
    elif len(one.targets) == 1 and isinstance(one.value, ast.BinOp):
        target, op, value = one.targets[0], one.value.op, one.value.right
        if ast.dump(one.value.left) != ast.dump(target).replace("Store()", "Load()"):
            return ""
    else:
        return ""
    is_step = isinstance(op, (ast.Add, ast.Sub)) and isinstance(value, ast.Constant)
    return target.id if is_step and isinstance(target, ast.Name) else ""


def _is_same(first: Arrival, names: Mapping[str, Any], region: Region, dead: frozenset[str]) -> bool:
    tied = {draw for row in region.rows for draw in row.draws}
    renamed: dict[int, int] = {}
    for name in (first.names.keys() | names.keys()) - dead:
        then, now = (values.get(name, Arrival) for values in (first.names, names))
        if isinstance(then, Linear) and isinstance(now, Linear):
            if not _is_like(then, now, renamed, region):
                return False
        elif then is not now or is_symbolic(now):
            return False
    is_one_to_one = len(set(renamed.values())) == len(renamed)
    are_forgotten = first.is_alone or all(draw >= first.draws for draw in tied)
    return is_one_to_one and are_forgotten and tied.isdisjoint(renamed.values())


def _is_like(then: Linear, now: Linear, renamed: dict[int, int], region: Region) -> bool:
    """Whether two numbers have equal laws, by a renaming of draws, to which it is added."""
    if len(then.terms) != len(now.terms) or then.kind is not now.kind or then.shift != now.shift:
        return False
    for (draw, c), (other, d) in zip(then.terms.items(), now.terms.items(), strict=True):
        if c != d or region.laws[draw] is not region.laws[other] or renamed.setdefault(draw, other) != other:
            return False
    return True
