"""An independent check of alignment certificates: a budget for every number of records; no solver.

`stirred check FILE…`, or `python -m stirred.verify.evidence.certificates.alignment FILE…`; the standard library alone.
The source in the certificate is read again (`closed_grammar`, `program_graph`): that gives all paths between the heads
of its loops. On each path both runs are carried out: the first on x with noise z, the second on x' = x + dq with noise
z + shift. The certificate says

format      "stirred alignment 1"
claim       for the reader: not compared with anything here
program     source and its sha256, the function's name, generator, what outer names mean, ranges of its parameters
neighbors   one of `VERTICES`; x and x' have one length
budget      a polynomial of the parameters: a list of [coefficient, {symbol: power}]
rule        "released index": as `released_index` has it, nothing else is needed; or "alignment":
alignments  for each direction of the relation, both where it has two: {"heads": …, "edges": …}
heads       of each loop, by line and column. distances: of every variable that changes a number, by which the second
            run is ahead, or "free". facts: polynomials that are >= 0 there in the first run. potential, what may
            still be spent: {"once": p, "records": p, "distances": {free variable: p}, "facts": [[p, fact], …]} is
            once + records * (sum of |dq| to come) + sum of p * |distance| + sum of p * fact
edges       of each path. shifts: {draw: {"-1": s, "0": s, "1": s, "+v": s, "-v": s}}: for dq = -1, 0 and 1 with equal
            free variables, linear between them, and how much more for each unit by which the free variable v is
            ahead (+) or behind (-).
            facts: multipliers that show each fact of the target: {premise: λ}. bounds: the same for each fact of
            the source's potential where the loop is left: [least value, {premise: λ}]

It is confirmed that the second run takes the same path to the same output, that variables are apart as said, that facts
hold, and that each path's cost, the sum of rate * |shift|, and the potential at its end are at most the potential at
its start, and at most the budget from the start. Then e^budget bounds P_x(o)/P_x'(o) for every o and every number of
records: shifts are functions of path and data alone, so the noise is moved without folding. All of this is linear in
(dq, distances) on the part of each sign, and is compared at its corners and along its rays, in exact fractions.

Trusted: the reading of the source, this file, that draws have the laws of their names, and that data are real numbers
(integers, where noise is).
"""

import hashlib
import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.bounded_read import read_whole
from stirred.verify.evidence.certificates.closed_grammar import MEANINGS, MODULES, ReadProgram
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol, is_nonnegative, rational
from stirred.verify.evidence.certificates.program_graph import Edge, Graph
from stirred.verify.evidence.certificates.read_values import RECORD, SHARED, Chosen, Place, RefusedError, is_fixed
from stirred.verify.evidence.certificates.released_index import WIDTHS, IndexRuleError, released_index

FORMAT = "stirred alignment 1"
VERTICES: Mapping[str, Mapping[str, tuple[int, ...]]] = {
    "each by 1": {"any": (-1, 0, 1)},
    "one by 1": {"any": (-1, 0, 1)},
    "sum of changes 1": {"any": (-1, 0, 1)},
    "all up or all down": {"up": (0, 1), "down": (-1, 0)},
}
"""By how much one answer changes, at the corners, in each direction that has to be shown: D_Mult has both."""
_MOST_BYTES = 10**7
SUMMED = ("one by 1", "sum of changes 1")
"""Those whose changes are at most 1 together."""

_MALFORMED = (ArithmeticError, AttributeError, LookupError, SyntaxError, TypeError, ValueError)

Numbers = dict[Symbol, Fraction]


class AlignmentError(Exception):
    """A certificate does not show what it says; the message says what."""


def _require(condition: object, why: str) -> None:
    if not condition:
        raise AlignmentError(why)


def to_json(value: Polynomial) -> list[Any]:
    """A polynomial as a certificate has it."""
    terms = sorted(value.terms.items())
    return [[str(number), {name.key: power for name, power in monomial}] for monomial, number in terms]


def of_json(terms: Any) -> Polynomial:
    """A polynomial of a certificate.

    Raises:
        ValueError: it is none.
    """
    total = Polynomial({})
    for number, powers in terms:
        if not all(type(power) is int and abs(power) < 100 for power in powers.values()):
            raise ValueError("powers must be small integers of symbols")
        monomial = tuple(sorted((Symbol.of_key(key), power) for key, power in powers.items() if power))
        total += Polynomial({monomial: rational(number)})
    return total


def place_name(place: Place) -> str:
    """How a certificate names the head of a loop."""
    return "{}.{}".format(*place)


def read_program(fields: Mapping[str, Any]) -> ReadProgram:
    """The program of a certificate.

    Raises:
        AlignmentError: the digest is not that of the source, or a range is none.
    """
    _require(set(fields) == {"source", "sha256", "name", "generator", "names", "ranges"}, "program's keys")
    digest = hashlib.sha256(fields["source"].encode()).hexdigest()
    _require(digest == fields["sha256"], "sha256 must be that of the source")
    for text in fields["ranges"].values():
        kind, _, number = text.partition(" >= ")
        fixed = text.startswith("= ") and rational(text[2:]) is not None
        is_range = text in ("real", "positive") or fixed or (kind == "whole" and number.isdecimal())
        _require(is_range, f"a range must be real, positive, whole >= k or = value; got {text!r}")
    for text in fields["names"].values():
        is_number = text.startswith("= ") and rational(text[2:]) is not None
        _require(is_number or text in {*MODULES, *MEANINGS}, f"a name must mean what is read; got {text!r}")
    place, kind = fields["generator"]
    _require((kind in ("numpy", "source")) if place else not kind, "generator must be numpy's or a source")
    program = ReadProgram(fields["source"], fields["name"], (place, kind), fields["names"], fields["ranges"])
    _, *names = program.parameters(program.functions[program.name])
    _require(not place or place in names, "the generator must be a parameter")
    _require(set(fields["ranges"]) == {*names} - {place}, "ranges must be of the parameters, of each one")
    return program


class Signs:
    """Which names are positive, and which at least 1: by their ranges, and what is stated of logarithms.

    Attributes:
        positive, least: the names; the least values of whole ones that are at least 1.
        stated: preconditions in words.
    """

    def __init__(self, program: ReadProgram, values: Sequence[Polynomial]) -> None:
        self.positive = set(program.positive)
        self.least = {name: Fraction(k) for name, k in program.whole.items() if k >= 1}
        self.stated = [f"{name} > 0" for name in sorted(self.positive)]
        self.stated += [f"{name} >= {k}" for name, k in sorted(self.least.items())]
        for name in sorted({name for value in values for name in value.names}):
            if name.kind == "exp":
                self.positive.add(name)
            elif name.kind == "ln":
                number = name.text
                if not number.replace("/", "").isdecimal():
                    self.stated.append(f"{name} > 0")
                elif Fraction(number) <= 1:
                    continue
                self.positive.add(name)

    def show(self, value: Polynomial) -> bool:
        """Whether a polynomial is >= 0."""
        return is_nonnegative(value, self.positive, self.least)


def premises(graph: Graph, edge: Edge, facts: Sequence[Polynomial]) -> list[Polynomial]:
    """What is >= 0 in the first run on a path: facts at its head, what its decisions say, and the parameters' ranges.

    An integer above 0 is at least 1.
    """
    program = graph.program
    found = [*facts, *(Polynomial.name(name) - least for name, least in sorted(program.whole.items()))]
    found += map(Polynomial.name, program.positive)
    for one in edge.path.decisions:
        if one.relation == "==":
            found += [one.value, -one.value] if one.outcome else []
            if not one.outcome and graph.is_whole(one.value, graph.whole, edge.source):
                for side in (one.value, -one.value):  # an integer >= 0 that is not 0
                    if any(((side - fact).number or 0) >= 0 and (side - fact).number is not None for fact in facts):
                        found.append(side - 1)
            continue
        value = one.value if one.outcome else -one.value
        is_strict = (one.relation == ">") == one.outcome
        found.append(value - 1 if is_strict and graph.is_whole(value, graph.whole, edge.source) else value)
    return found


def linear(value: Polynomial, moved: set[Symbol]) -> Numbers:
    """The coefficients of names that differ between the runs.

    Raises:
        AlignmentError: one stands in a product.
    """
    found: Numbers = {}
    for monomial, number in value.terms.items():
        inside = [name for name, _ in monomial if name in moved]
        if inside:
            _require(len(monomial) == 1 and monomial[0][1] == 1, f"{value} is not linear in what differs")
            found[inside[0]] = number
    return found


class _Alignment:
    """The check of the rule of alignment."""

    def __init__(self, graph: Graph, certificate: Mapping[str, Any], direction: str, signs: Signs) -> None:
        self.graph, self.signs = graph, signs
        self.vertices = VERTICES[certificate["neighbors"]][direction]
        self.is_summed = certificate["neighbors"] in SUMMED
        self.budget = of_json(certificate["budget"])
        said = certificate["alignments"][direction]
        _require(set(said) == {"heads", "edges"}, "an alignment's keys")
        self.heads, self.edges = said["heads"], said["edges"]
        self.is_whole = any(draw.is_whole for edge in graph.edges for draw in edge.path.draws)
        _require(set(self.heads) == {place_name(one) for one in graph.states}, "heads must be those of the source")
        _require(set(self.edges) == {edge.key for edge in graph.edges}, "edges must be those of the source")
        _require(len(self.edges) == len(graph.edges), "two paths have one name")
        self.apart: dict[Place, dict[Symbol, Fraction | None]] = {}
        self.facts: dict[Place, list[Polynomial]] = {}
        for place, state in graph.states.items():
            head = self.heads[place_name(place)]
            _require(set(head) == {"distances", "facts", "potential"}, "a head's keys")
            _require(not state.infinite, f"line {place[0]}: {', '.join(map(str, state.infinite))} may be infinite")
            self.apart[place] = {
                Symbol.of_key(k): None if v == "free" else rational(v) for k, v in head["distances"].items()
            }
            _require(set(self.apart[place]) == state.changing, "distances must be of the variables that change")
            self.facts[place] = [of_json(one) for one in head["facts"]]
            _require(
                all(is_fixed(one, *state.changing) for one in self.facts[place]),
                "facts must be of what variables hold there, not of one path's record or noise",
            )
            potential = head["potential"]
            _require(set(potential) == {"once", "records", "distances", "facts"}, "a potential's keys")
            free = {name.key for name, distance in self.apart[place].items() if distance is None}
            _require(set(potential["distances"]) == free, "a potential's distances must be of the free variables")
            for part in (
                potential["once"],
                potential["records"],
                *potential["distances"].values(),
                *(one for one, _ in potential["facts"]),
            ):
                _require(signs.show(of_json(part)), "a potential's coefficients must be >= 0")
            _require(
                all(of_json(fact) in self.facts[place] for _, fact in potential["facts"]),
                "a potential's facts must be facts",
            )
            is_read_once = self.is_summed and graph.counter(place) is not None
            _require(
                is_read_once or not potential["records"],
                "records pay where each is read once, and they change by 1 together",
            )
            if self.is_whole:
                _require(
                    all(one is None or one.denominator == 1 for one in self.apart[place].values()),
                    "distances of integers",
                )

    def check(self) -> None:
        """Check all paths."""
        for edge in self.graph.edges:
            where = f"path {edge.key!r}"
            try:
                self._check_edge(edge, self.edges[edge.key])
            except AlignmentError as error:
                raise AlignmentError(f"{where}: {error}") from None

    def _check_edge(self, edge: Edge, said: Mapping[str, Any]) -> None:
        _require(set(said) == {"shifts", "facts", "bounds"}, "an edge's keys")
        path = edge.path
        _require(not isinstance(path.value, Chosen), "an index is released, which the other rule is for")
        apart = self.apart[edge.source] if edge.source is not None else {}
        free = sorted(name for name, distance in apart.items() if distance is None)
        corners = self.vertices if path.index is not None else (0,)
        rays = {f"{sign}{name.key}": (name, Fraction(f"{sign}1")) for name in free for sign in "+-"}
        moving = {draw.symbol.key: draw for draw in path.draws if draw.kind != SHARED}
        _require(set(said["shifts"]) == set(moving), "shifts must be of the draws that move")
        shifts = {}
        for label, texts in said["shifts"].items():
            _require(set(texts) == {*map(str, corners), *rays}, "a shift at each corner, and along each ray")
            draw = moving[label]
            symbol = draw.symbol
            shifts[symbol] = {key: rational(text) for key, text in texts.items()}
            if draw.kind in ("exponential", "geometric"):
                _require(all(one >= 0 for one in shifts[symbol].values()), "one-sided noise moves upwards")
            if self.is_whole:
                _require(
                    draw.is_whole and all(one.denominator == 1 for one in shifts[symbol].values()),
                    "integers move by integers",
                )
        ways: dict[str, Numbers] = {}
        fixed = {name: distance for name, distance in apart.items() if distance is not None}
        for v in corners:
            ways[str(v)] = {RECORD: Fraction(v), **fixed, **{z: one[str(v)] for z, one in shifts.items()}}
            ways[str(v)].update(dict.fromkeys(free, Fraction(0)))
        for ray, (name, unit) in rays.items():
            ways[ray] = {name: unit, **{z: one[ray] for z, one in shifts.items()}}
        moved = {name for name in ways[str(corners[0])] if name not in fixed or fixed[name]}
        if path.index is None:
            moved.discard(RECORD)
        self._check_runs(edge, ways, moved)
        arrived = self._check_arrival(edge, ways, moved, [str(v) for v in corners])
        self._check_facts(edge, said)
        self._check_cost(edge, said, ways, arrived)

    def _check_runs(self, edge: Edge, ways: Mapping[str, Numbers], moved: set[Symbol]) -> None:
        """The second run takes the same path to the same outputs."""
        for value, line in edge.path.same:
            for way in ways.values():
                _require(_apart(value, way, moved) == 0, f"line {line}: {value} is not the same in both runs")
        for one in edge.path.decisions:
            for way in ways.values():
                distance = _apart(one.value, way, moved)
                if one.relation != "==":
                    distance = min(distance, Fraction(0)) if one.outcome else max(distance, Fraction(0))
                _require(distance == 0, f"line {one.line}: the second run may decide otherwise about {one.value}")

    def _check_arrival(
        self, edge: Edge, ways: Mapping[str, Numbers], moved: set[Symbol], corners: Sequence[str]
    ) -> dict[str, Numbers]:
        """The variables arrive as far apart as said; returns the distances of the free ones, along each way."""
        found: dict[str, Numbers] = {key: {} for key in ways}
        if edge.target is None:
            return found
        into = self.graph.into(edge)
        for name, said in self.apart[edge.target].items():
            for key, way in ways.items():
                distance = _apart(into[name], way, moved)
                if said is None:
                    found[key][name] = distance
                    _require(not self.is_whole or distance.denominator == 1, f"{name} is apart by a fraction")
                else:
                    _require(distance == (said if key in corners else 0), f"{name} does not stay {said} apart")
        return found

    def _check_facts(self, edge: Edge, said: Mapping[str, Any]) -> None:
        known = premises(self.graph, edge, self.facts[edge.source] if edge.source is not None else [])
        targets = (
            [fact.at(self.graph.into(edge)) for fact in self.facts[edge.target]] if edge.target is not None else []
        )
        _require(len(said["facts"]) == len(targets), "multipliers for each fact of the target")
        for goal, multipliers in zip(targets, said["facts"], strict=True):
            _require(_combined(known, multipliers, goal) >= 0, f"{goal} >= 0 is not shown")
        held = self.heads[place_name(edge.source)]["potential"]["facts"] if edge.source is not None else []
        leaves = edge.source is not None and edge.source != edge.target
        _require(len(said["bounds"]) == (len(held) if leaves else 0), "a bound for each fact of the potential")
        for (_, fact), (least, multipliers) in zip(held if leaves else [], said["bounds"], strict=True):
            _require(
                _combined(known, multipliers, of_json(fact)) >= rational(least) >= 0, "a bound of a fact is not shown"
            )

    def _check_cost(
        self, edge: Edge, said: Mapping[str, Any], ways: Mapping[str, Numbers], arrived: Mapping[str, Numbers]
    ) -> None:
        before = self.heads[place_name(edge.source)]["potential"] if edge.source is not None else None
        after = self.heads[place_name(edge.target)]["potential"] if edge.target is not None else None
        into, stays = self.graph.into(edge), edge.source == edge.target
        for key, way in ways.items():
            is_ray = key[1:] in (before or {"distances": {}})["distances"]
            spent = Polynomial.of(0)
            for draw in edge.path.draws:
                spent += draw.rate * abs(way.get(draw.symbol, Fraction(0)))
            for name, distance in arrived[key].items():
                spent += of_json(after["distances"][name.key]) * abs(distance) if after else 0
            if is_ray and before is not None:
                _require(
                    self.signs.show(of_json(before["distances"][key[1:]]) - spent), f"the distance {key} is not paid"
                )
                continue
            if after is not None:
                spent += of_json(after["once"])
                if not stays:
                    spent += of_json(after["records"])
                for coefficient, fact in after["facts"]:
                    value = of_json(fact).at(into) - (of_json(fact) if stays else 0)
                    spent += of_json(coefficient) * value
            paid = self.budget
            if before is not None:
                paid = of_json(before["once"])
                if edge.path.index is not None:
                    paid += of_json(before["records"]) * abs(int(key))
                for (coefficient, _), bound in zip(before["facts"], said["bounds"], strict=False):
                    paid += of_json(coefficient) * rational(bound[0])
            _require(self.signs.show(paid - spent), f"costs {spent}, of which {paid} is paid, for dq = {key}")


def _apart(value: Polynomial, way: Numbers, moved: set[Symbol]) -> Fraction:
    """How far apart a number is in the two runs."""
    return sum((number * way.get(name, 0) for name, number in linear(value, moved).items()), Fraction(0))


def _combined(known: Sequence[Polynomial], multipliers: Mapping[str, str], goal: Polynomial) -> Fraction:
    """What is left of a goal after multiples >= 0 of what is >= 0: a number."""
    for place, text in multipliers.items():
        factor = rational(text)
        _require(factor >= 0 and 0 <= int(place) < len(known), "multipliers must be >= 0, of premises")
        goal -= known[int(place)] * factor
    _require(goal.number is not None, "a fact is not a combination of what is known")
    return goal.number or Fraction(0)


def check(certificate: Any) -> list[str]:
    """What is confirmed of a certificate, in lines.

    Raises:
        AlignmentError: it does not show what it says, or is not as the format describes it.
    """
    try:
        return list(_checked(certificate))
    except (*_MALFORMED, MemoryError, RecursionError) as error:
        raise AlignmentError(f"not as the format describes it: {type(error).__name__} {error}") from None


def _checked(certificate: Any) -> Iterator[str]:
    keys = {"format", "claim", "program", "neighbors", "budget", "rule"}
    _require(isinstance(certificate, dict) and certificate.get("format") == FORMAT, f"format must be {FORMAT!r}")
    rule = certificate.get("rule")
    _require(rule in ("alignment", "released index"), "rule must be alignment or released index")
    _require(
        set(certificate) == (keys | {"alignments"} if rule == "alignment" else keys),
        "keys must be those of the format",
    )
    _require(isinstance(certificate["claim"], str) and certificate["neighbors"] in VERTICES, "claim, neighbors")
    budget = of_json(certificate["budget"])
    kinds = {name.kind for name in budget.names}
    _require(kinds <= {"parameter", "ln", "exp"}, f"a budget must be of the parameters; got {budget}")
    try:
        program = read_program(certificate["program"])
        graph = Graph(program)
        rates = [draw.rate for draw in graph.draws()]
        if rule == "released index":
            cost = released_index(graph, WIDTHS[certificate["neighbors"]])
            signs = Signs(program, [budget, cost])
            _require(signs.show(cost), f"a cost must be >= 0; got {cost}")
            _require(signs.show(budget - cost), f"releasing the index costs {cost}, more than {budget}")
        else:
            signs = Signs(program, [budget, *rates])
            _require(all(map(signs.show, rates)), "rates of noise must be >= 0")
            directions = VERTICES[certificate["neighbors"]]
            _require(set(certificate["alignments"]) == set(directions), "alignments must be of each direction")
            for direction in directions:
                _Alignment(graph, certificate, direction, signs).check()
    except (RefusedError, IndexRuleError) as error:
        raise AlignmentError(str(error)) from None
    names = {key: certificate["program"][key] for key in ("generator", "names", "ranges")}
    yield f"not compared: {json.dumps({'claim': certificate['claim']})}"
    digest = certificate["program"]["sha256"]
    yield f"taken on trust: the source is the mechanism's (sha256 {digest}), read as {json.dumps(names)}"
    are_whole = {draw.is_whole for draw in graph.draws() if draw.kind != SHARED}
    numbers = "integers" if are_whole == {True} else "real numbers"
    stated = f", {', '.join(signs.stated)}" if signs.stated else ""
    scope = f"for every number of records, neighbors {certificate['neighbors']}{stated}"
    yield f"CONFIRMED: {program.name} has epsilon = {budget} {scope}; {numbers}"


def main(paths: Sequence[str]) -> int:
    """Check files; returns 0 where every certificate is confirmed, 1 where one is not, 2 where one cannot be read."""
    status = 0 if paths else 2
    for path in paths:
        try:
            content = json.loads(read_whole(path, _MOST_BYTES).decode())
            lines = [line for one in (content if isinstance(content, list) else [content]) for line in check(one)]
        except (OSError, ValueError, RecursionError) as error:
            sys.stderr.write(f"{path}: cannot be read: {error}\n")
            status, lines = 2, []
        except AlignmentError as error:
            status, lines = max(status, 1), [f"NOT CONFIRMED: {error}"]
        for line in lines:
            sys.stdout.write("".join(c if c.isprintable() else "?" for c in f"{path}: {line}") + "\n")
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
