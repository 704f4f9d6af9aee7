"""A program with unknown data as a graph: heads of loops, and the paths between them; the standard library alone."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from stirred.verify.evidence.certificates.closed_grammar import ReadProgram, refuse
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.read_values import (
    DATA,
    Back,
    Chosen,
    GeneratorToken,
    Head,
    Infinite,
    NoiseDraw,
    Path,
    Place,
    RefusedError,
    Resumed,
    is_fixed,
    may_cross,
)
from stirred.verify.evidence.certificates.straight_code import Execution

MOST_PATHS = 300


@dataclass
class State:
    """What is known at the head of a loop: the invariant that each arrival keeps.

    Attributes:
        head: the loop.
        env: the variables that are kept: a value that means the same on every path, and equal on every arrival; or a
            number that changes, which is a symbol of the loop's own. All else is forgotten.
        changing: the variables that are symbols.
        infinite: those that are infinite on one arrival and a number on another.
        truths: those that may be truth values.
    """

    head: Head
    env: dict[Symbol, Any]
    changing: set[Symbol] = field(default_factory=set)
    infinite: set[Symbol] = field(default_factory=set)
    truths: set[Symbol] = field(default_factory=set)


@dataclass(frozen=True)
class Edge:
    """A path from a head, or from the start (None), to a head or an end."""

    source: Place | None
    path: Path

    @property
    def target(self) -> Place | None:
        """The head where it arrives; None at an end."""
        return self.path.end.place if isinstance(self.path.end, Head) else None

    @property
    def key(self) -> str:
        """Its name in a certificate: the source's line, and the script of its decisions."""
        source = "start" if self.source is None else "{}.{}".format(*self.source)
        return f"{source} {''.join('FT'[one] for one in self.path.script)}"


class Graph:
    """All paths of a program.

    Raises:
        RefusedError: something is not read, or noise drawn for all records at once is read twice.
    """

    def __init__(self, program: ReadProgram) -> None:
        self.program = program
        self.function = program.functions[program.name]
        self.states: dict[Place, State] = {}
        found: dict[Place | None, list[Path]] = {None: list(self._paths(self._first()))}
        waiting = list(found[None])
        while waiting:
            path = waiting.pop()
            if isinstance(path.end, Head) and self._arrive(path.end, path):
                state = self.states[path.end.place]
                found[path.end.place] = list(self._paths(state.env, state))
                waiting += found[path.end.place]
            if sum(map(len, found.values())) > MOST_PATHS:
                refuse(self.function, f"more than {MOST_PATHS} paths")
        self.edges = [Edge(source, path) for source, paths in found.items() for path in paths]
        for edge in self.edges:
            if isinstance(edge.path.end, Head) and self._arrive(edge.path.end, edge.path):
                refuse(self.function, "what is kept at the head of a loop is not kept")
        self._check_cells()
        self.whole = self._whole()

    def _first(self) -> dict[Symbol, Any]:
        names = self.program.parameters(self.function)
        if not names:
            refuse(self.function, "a function of the data and of named parameters is read")
        env: dict[Symbol, Any] = {Symbol("held", names[0]): DATA}
        for name in names[1:]:
            number = self.program.fixed(name)
            if name == self.program.generator[0]:
                env[Symbol("held", name)] = GeneratorToken(self.program.generator[1])
            elif name not in self.program.ranges:
                refuse(self.function, f"the range of the parameter {name} is not known")
            else:
                env[Symbol("held", name)] = Polynomial.parameter(name) if number is None else Polynomial.of(number)
        return env

    def _paths(self, env: Mapping[Symbol, Any], state: State | None = None) -> Iterator[Path]:
        """Every path from a head, or from the start, by running it with another script until none is left."""
        scripts: list[tuple[bool, ...]] = [()]
        count = 0
        while scripts:
            script = scripts.pop()
            head, truths = (state.head, frozenset(state.truths)) if state is not None else (None, frozenset[Symbol]())
            run = Execution(self.program, env, script, head, truths)
            path = run.run(tuple(self.function.body)) if head is None else run.enter(head)
            scripts += [(*path.script[:k], False) for k in range(len(script), len(path.script))]
            yield path
            count += 1
            if count > MOST_PATHS:
                run.refuse(f"more than {MOST_PATHS} paths")

    def _arrive(self, head: Head, path: Path) -> bool:
        """Take an arrival into the invariant of a head; returns whether that weakens it."""
        env, truths = path.env, {name for name, value in path.env.items() if path.is_truth(value)}
        old = self.states.get(head.place)
        if old is None:
            self.states[head.place] = state = State(head, {})
            for name in _live(head, env):
                if isinstance(env[name], (Polynomial, Infinite)) and not _is_kept(env[name], name, head):
                    state.env[name] = Polynomial.name(name)
                    state.changing.add(name)
                    state.truths |= {name} & truths
                    state.infinite |= {name} if isinstance(env[name], Infinite) else set()
                elif may_cross(env[name]):
                    state.env[name] = env[name]
            return True
        if _shape(old.head.rest) != _shape(head.rest):
            raise RefusedError(f"line {head.place[0]}: what follows this loop is not the same in each pass")
        changed = False
        for name, value in list(old.env.items()):
            new = env.get(name)
            is_number = isinstance(new, (Polynomial, bool))
            if name in old.changing and (is_number or isinstance(new, Infinite)):
                marked = len(old.infinite), len(old.truths)
                old.infinite |= set() if is_number else {name}
                old.truths |= {name} & truths
                changed = changed or marked != (len(old.infinite), len(old.truths))
                continue
            if name not in old.changing and new is not None and type(value) is type(new) and value == new:
                continue
            if name not in old.changing and value is None and name in env and new is None:
                continue
            changed = True
            if isinstance(value, (Polynomial, bool)) and is_number:
                old.changing.add(name)
                old.truths |= {name} if isinstance(value, bool) or name in truths else set()
                old.env[name] = Polynomial.name(name)
            else:
                del old.env[name]
                old.changing.discard(name)
                old.infinite.discard(name)
                old.truths.discard(name)
        return changed

    def draws(self) -> list[NoiseDraw]:
        """The draws of all paths, those of a vector whose largest element's index is released included."""
        paths = [edge.path for edge in self.edges]
        chosen = [path.value.vector for path in paths if isinstance(path.value, Chosen)]
        return [draw for path in paths for draw in path.draws] + [cell for one in chosen for cell in one.cells]

    def _check_cells(self) -> None:
        """Noise that is drawn for all records at once is read by one loop, which is run once."""
        readers: dict[Symbol, set[Place]] = {}
        for edge in self.edges:
            for cell in edge.path.cells:
                if edge.source is not None:
                    readers.setdefault(cell, set()).add(edge.source)
        after: dict[Place, set[Place]] = {one: set() for one in self.states}
        for edge in self.edges:
            if edge.source is not None and edge.target is not None and edge.source != edge.target:
                after[edge.source].add(edge.target)
        for places in readers.values():
            (first, *others) = sorted(places)
            reached: set[Place] = set()
            waiting = [first]
            while waiting:
                for one in after[waiting.pop()] - reached:
                    reached.add(one)
                    waiting.append(one)
            if others or first in reached:
                raise RefusedError(
                    f"line {(others or [first])[0][0]}: noise that was drawn for all records is read twice"
                )

    def _whole(self) -> dict[Place, set[Symbol]]:
        """The variables at each head that are integers, the largest sets that all arrivals keep."""
        whole = {place: set(state.changing - state.infinite) for place, state in self.states.items()}
        changed = True
        while changed:
            changed = False
            for edge in self.edges:
                if edge.target is None:
                    continue
                for name in list(whole[edge.target]):
                    value = edge.path.env.get(name)
                    if not isinstance(value, bool) and not self.is_whole(value, whole, edge.source):
                        whole[edge.target].discard(name)
                        changed = True
        return whole

    def is_whole(self, value: Any, whole: Mapping[Place, Iterable[Symbol]], source: Place | None) -> bool:
        """Whether a number is an integer for integers at a head."""
        names = {*self.program.whole, *(whole[source] if source is not None else ())}
        return isinstance(value, Polynomial) and all(
            number.denominator == 1 and all(name in names and power > 0 for name, power in monomial)
            for monomial, number in value.terms.items()
        )

    def into(self, edge: Edge) -> dict[Symbol, Polynomial]:
        """What the symbols of the target are along an edge, where they are numbers."""
        if edge.target is None:
            return {}
        values = {name: edge.path.env[name] for name in sorted(self.states[edge.target].changing)}
        return {
            name: Polynomial.of(int(value)) if isinstance(value, bool) else value
            for name, value in values.items()
            if not isinstance(value, Infinite)
        }

    def counter(self, place: Place) -> Symbol | None:
        """The variable at a head that says which record is read there, each at most once until the loop is left.

        It is the hidden counter of a `for`, or a variable that starts at an integer >= 0, goes up by 1 in each pass
        that reads a record, and is else left or goes up by 1.
        """
        found = {edge.path.index for edge in self.edges if edge.source == place and edge.path.index is not None}
        names = [name for name in self.states[place].changing if found == {Polynomial.name(name)}]
        if len(names) != 1:
            return None
        own = Polynomial.name(names[0])
        for edge in self.edges:
            if edge.target != place:
                continue
            value = edge.path.env.get(names[0])
            if edge.source == place:
                if value != own + 1 and (edge.path.index is not None or value != own):
                    return None
            elif (
                not isinstance(value, Polynomial)
                or value.number is None
                or value.number < 0
                or value.number.denominator != 1
            ):
                return None
        return names[0]


def _is_kept(value: Any, name: Symbol, head: Head) -> bool:
    """Whether a number is taken to be the same in each pass, until an arrival says otherwise."""
    stored = {one.id for one in ast.walk(head.node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    is_stored = name.text in stored if name.kind == "held" else not name.text.startswith("over")
    return isinstance(value, Polynomial) and is_fixed(value) and not is_stored


def _shape(rest: Iterable[Any]) -> list[Any]:
    """What follows a loop, to compare."""
    return [one.head.place if isinstance(one, Back) else one for one in rest]


def _live(head: Head, env: Mapping[Symbol, Any]) -> list[Symbol]:
    """The variables that may still be read after arriving at a head: those that are not are best forgotten."""
    used: set[str] = set()
    items: list[Any] = [head.node, *head.rest]
    for item in items:
        if isinstance(item, Back):
            items.append(item.head.node)
            continue
        for one in ast.walk(item.node if isinstance(item, Resumed) else item):
            if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load):
                used.add(one.id)
            elif isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
                used.add(one.target.id)
    return [name for name in env if name.kind == "hidden" or name.text in used]
