"""A program with unknown data as a graph: heads of loops, and the paths between them; the standard library alone."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.polynomial import Polynomial
from stirred.verify.evidence.certificates.read_values import (
    DATA,
    Back,
    Chosen,
    Head,
    Infinite,
    NoiseDraw,
    Path,
    ReadProgram,
    RefusedError,
    Token,
    Vector,
)
from stirred.verify.evidence.certificates.straight_code import Execution, release_loop

MOST_PATHS = 300
Place = tuple[int, int]


@dataclass
class State:
    """What is known at the head of a loop.

    Attributes:
        head: the loop.
        env: the variables that are still read; a number that changes is a name of its own, `count@`.
        changing: the variables whose values have names of their own.
        infinite: those that are infinite on one arrival and a number on another.
    """

    head: Head
    env: dict[str, Any]
    changing: set[str] = field(default_factory=set)
    infinite: set[str] = field(default_factory=set)


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
        functions = program.functions()
        if program.name not in functions:
            raise RefusedError(f"line 1: {program.name} is not in the source")
        self.function = functions[program.name]
        self.states: dict[Place, State] = {}
        env = self._first(self.function.args)
        found: dict[Place | None, list[Path]] = {None: list(self._paths(env, None, tuple(self.function.body)))}
        waiting = [path for path in found[None] if isinstance(path.end, Head)]
        while waiting:
            path = waiting.pop()
            if isinstance(path.end, Head) and self._arrive(path.end, path.env):
                place = path.end.place
                state = self.states[place]
                found[place] = list(self._paths(state.env, state.head, None))
                waiting += [one for one in found[place] if isinstance(one.end, Head)]
            if sum(map(len, found.values())) > MOST_PATHS:
                raise RefusedError(f"line {self.function.lineno}: more than {MOST_PATHS} paths")
        self.edges = [Edge(source, path) for source, paths in found.items() for path in paths]
        self._check_vectors()
        self.whole = self._whole()

    def _first(self, arguments: ast.arguments) -> dict[str, Any]:
        line = self.function.lineno
        names = [one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        if not names or arguments.vararg or arguments.kwarg:
            raise RefusedError(f"line {line}: a function of the data and of named parameters is read")
        env: dict[str, Any] = {names[0]: DATA}
        for name in names[1:]:
            if name == self.program.generator[0]:
                env[name] = Token("generator")
            elif self.program.ranges.get(name, "").startswith("= "):
                env[name] = Polynomial.of(Fraction(self.program.ranges[name][2:]))
            elif name in self.program.ranges:
                env[name] = Polynomial.name(name)
            else:
                raise RefusedError(f"line {line}: the range of the parameter {name} is not known")
        return env

    def _paths(self, env: Mapping[str, Any], head: Head | None, work: tuple[Any, ...] | None) -> Iterator[Path]:
        """Every path of straight code, by running it with another script until none is left."""
        scripts: list[tuple[bool, ...]] = [()]
        count = 0
        while scripts:
            script = scripts.pop()
            run = Execution(self.program, env, script, head)
            path = run.run(run.enter(head) if head is not None and work is None else work or ())
            scripts += [(*path.script[:k], False) for k in range(len(script), len(path.script))]
            yield path
            count += 1
            if count > MOST_PATHS:
                run.refuse(f"more than {MOST_PATHS} paths")

    def _arrive(self, head: Head, env: Mapping[str, Any]) -> bool:
        """Take an arrival into the state of a head; returns whether that changes it."""
        live = _live(head, env)
        old = self.states.get(head.place)
        if old is None:
            self.states[head.place] = state = State(head, {})
            assigned = {head.counter, *_assigned(head.loop)}
            for name in live & env.keys():
                value = env[name]
                is_public = isinstance(value, Polynomial) and all(
                    one in self.program.ranges or one.startswith("exp(") for one in value.names
                )
                is_kept = not isinstance(value, Polynomial) or (is_public and name not in assigned)
                state.env[name] = value if is_kept else Polynomial.name(f"{name}@")
                state.changing |= set() if is_kept else {name}
            return True
        if _shape(old.head.rest) != _shape(head.rest):
            raise RefusedError(f"line {head.place[0]}: a loop over records in one that is carried out pass by pass")
        changed = False
        for name, value in list(old.env.items()):
            new = env.get(name)
            numbers = [isinstance(one, (Polynomial, bool)) for one in (value, new)]
            ends = [isinstance(one, Infinite) for one in (value, new)]
            if name in old.changing and (numbers[1] or ends[1]):
                if ends[1] and name not in old.infinite:
                    old.infinite.add(name)
                    changed = True
                continue
            if (new is not None and value == new and type(value) is type(new)) or value is new:
                continue
            changed = True
            if all(one or other for one, other in zip(numbers, ends, strict=True)) and any(numbers):
                old.infinite |= {name} if any(ends) else set()
                old.changing.add(name)
                old.env[name] = Polynomial.name(f"{name}@")
            else:
                del old.env[name]
                old.changing.discard(name)
        return changed

    def elements(self, edge: Edge, vector: Vector) -> list[Path]:
        """The paths of one pass over a vector's elements; each ends by releasing the element."""
        loop = release_loop(self.function)
        head = Head(loop, ())
        env = {**edge.path.env, "#released": vector, head.counter: Polynomial.name(f"{head.counter}@")}
        return [path for path in self._paths(env, head, None) if path.script[0]]

    def draws(self) -> list[NoiseDraw]:
        """The draws of all paths, those of a vector whose largest element's index is released included."""
        paths = [edge.path for edge in self.edges]
        for edge in self.edges:
            if isinstance(edge.path.value, Chosen):
                paths += self.elements(edge, edge.path.value.vector)
        return [draw for path in paths for draw in path.draws]

    def _check_vectors(self) -> None:
        """Noise that is drawn for all records at once is read by one loop, which is run once."""
        readers: dict[Any, set[Place]] = {}
        for edge in self.edges:
            for place in edge.path.read:
                if edge.source is not None:
                    readers.setdefault(place, set()).add(edge.source)
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

    def _whole(self) -> dict[Place, set[str]]:
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

    def is_whole(self, value: Any, whole: Mapping[Place, Iterable[str]], source: Place | None) -> bool:
        """Whether a number is an integer for integers at a head."""
        names = {*self.program.whole, *(f"{one}@" for one in (whole[source] if source is not None else ()))}
        return isinstance(value, Polynomial) and all(
            number.denominator == 1 and all(name in names and power > 0 for name, power in monomial)
            for monomial, number in value.terms.items()
        )

    def into(self, edge: Edge) -> dict[str, Polynomial]:
        """What the names at the target are along an edge, where they are numbers."""
        if edge.target is None:
            return {}
        values = {name: edge.path.env[name] for name in sorted(self.states[edge.target].changing)}
        return {
            f"{name}@": Polynomial.of(int(value)) if isinstance(value, bool) else value
            for name, value in values.items()
            if not isinstance(value, Infinite)
        }

    def counter(self, place: Place) -> str | None:
        """The variable at a head that says which record is read there, each at most once until the loop is left.

        It is the hidden counter of a `for`, or a variable that starts at an integer >= 0, goes up by 1 in each pass
        that reads a record, and is else left or goes up by 1.
        """
        reading = [edge for edge in self.edges if edge.source == place and edge.path.index is not None]
        found = {edge.path.index for edge in reading}
        names = [name for name in self.states[place].changing if found == {Polynomial.name(f"{name}@")}]
        if len(names) != 1:
            return None
        own = Polynomial.name(f"{names[0]}@")
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


def _shape(rest: Iterable[Any]) -> list[Any]:
    """What follows a loop, to compare."""
    return [one.head.place if isinstance(one, Back) else ast.dump(one, include_attributes=True) for one in rest]


def _assigned(loop: ast.For | ast.While) -> set[str]:
    """The names that a loop assigns."""
    return {one.id for one in ast.walk(loop) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def _live(head: Head, env: Mapping[str, Any]) -> set[str]:
    """The names that are still read after arriving at a head."""
    names, items = {head.counter}, [head.loop, *head.rest]
    for item in items:
        if isinstance(item, Back):
            names.add(item.head.counter)
            items.append(item.head.loop)
            continue
        names |= {one.id for one in ast.walk(item) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)}
        names |= {
            one.target.id
            for one in ast.walk(item)
            if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)
        }
    kept = [value.kept for name, value in env.items() if name in names and isinstance(value, Vector)]
    waiting = names.union(*kept)
    more = True
    while more:
        inner = [env[name].kept for name in waiting if isinstance(env.get(name), Vector)]
        more = not waiting.issuperset(set().union(*inner))
        waiting = waiting.union(*inner)
    return waiting
