"""Random programs that draw, and their laws by brute force: every draw listed, each run by Python itself.

What lists knows nothing of how a program is read: it hands a generator to the function, whose draws are decided one
after another, and runs the function again for each decision. A uniform number is one of the midpoints of a grid, on
whose lines the programs compare and round.
"""

import contextlib
import copy
import itertools
import math
import random
from fractions import Fraction
from unittest import mock

import numpy as np

GRID = 4


class Listed(np.random.Generator):
    """A generator that decides by a script, and notes among how many outcomes it decided, with which probability."""

    def __init__(self, script):
        super().__init__(np.random.PCG64(0))
        self.script, self.met, self.weight = script, [], Fraction(1)

    def decide(self, weights):
        possible = [place for place, weight in enumerate(weights) if weight]
        place = len(self.met)
        taken = self.script[place] if place < len(self.script) else 0
        self.met.append((taken, len(possible)))
        self.weight *= weights[possible[taken]]
        return possible[taken]

    def _of(self, size, one, dtype):
        if size is None:
            return one()
        cells = [one() for _ in range(math.prod(np.atleast_1d(size)))]
        return np.array(cells, dtype=dtype).reshape(size)

    def random(self, size=None):
        return self._of(size, lambda: (2 * self.decide([Fraction(1, GRID)] * GRID) + 1) / (2 * GRID), float)

    def integers(self, low, high=None, size=None):
        low, high = (0, low) if high is None else (low, high)
        return self._of(size, lambda: np.int64(low + self.decide([Fraction(1, high - low)] * (high - low))), np.int64)

    def functions(self):
        """What takes the place of functions of modules, which are decided in the same way."""
        number = lambda low, high: int(self.integers(low, high))
        return {
            "numpy.random.default_rng": lambda: self,
            "numpy.random.rand": lambda *size: self.random(size or None),
            "numpy.random.randint": number,
            "random.random": self.random,
            "random.randint": lambda low, high: number(low, high + 1),
            "random.getrandbits": lambda bits: number(0, 2**bits),
            "random.choice": lambda members: members[number(0, len(members))],
            "secrets.randbelow": lambda most: number(0, most),
        }

    def choice(self, a, size=None, replace=True, p=None):
        pool = np.arange(a) if isinstance(a, int) else np.asarray(a)
        weights = [Fraction(1, len(pool))] * len(pool) if p is None else [Fraction(round(8 * one), 8) for one in p]
        found = []
        for _ in range(1 if size is None else size):
            found.append(self.decide(weights))
            if not replace:
                weights = [Fraction(0) if place in found else weight for place, weight in enumerate(weights)]
                weights = [weight / (sum(weights) or 1) for weight in weights]
        if size is None:
            return found[0] if isinstance(a, int) else pool[found[0]]
        return pool[found]

    def permutation(self, x):
        pool = np.arange(x) if isinstance(x, int) else np.asarray(x)
        orders = list(itertools.permutations(range(len(pool))))
        return pool[list(orders[self.decide([Fraction(1, len(orders))] * len(orders))])]

    def shuffle(self, x):
        orders = list(itertools.permutations(range(len(x))))
        order = orders[self.decide([Fraction(1, len(orders))] * len(orders))]
        x[:] = [x[place] for place in order]

    def binomial(self, n, p):
        share = Fraction(round(8 * p), 8)
        return self.decide([math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)])


def shown(value):
    """A text that tells types, dtypes, shapes and digits."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.shape}{shown(value.tolist())}"
    if isinstance(value, (list, tuple)):
        return f"{type(value).__name__}({', '.join(map(shown, value))})"
    if isinstance(value, dict):
        return f"dict({', '.join(f'{shown(key)}: {shown(one)}' for key, one in value.items())})"
    if isinstance(value, (set, frozenset)):
        return f"{type(value).__name__}({', '.join(sorted(map(shown, value)))})"
    if isinstance(value, BaseException):
        return f"raises {type(value).__name__}{value.args!r}"
    return f"{type(value).__name__} {value!r}"


def listed_law(function, data, most=60_000):
    """The law of a function by its outcomes' texts; None where it has more runs than that."""
    law, script, runs, now = {}, [], 0, [Listed([])]
    with contextlib.ExitStack() as replaced:
        for name in now[0].functions():
            drawing = lambda *given, name=name: now[0].functions()[name](*given)
            replaced.enter_context(mock.patch(name, drawing))
        while script is not None and runs < most:
            now[0] = rng = Listed(script)
            try:
                outcome = function(copy.deepcopy(data))
            except Exception as error:
                outcome = error
            text = shown(outcome)
            law[text] = law.get(text, Fraction(0)) + rng.weight
            runs += 1
            script = following(rng.met)
    return law if script is None else None


def following(met):
    """The script after one that met these decisions; None after the last."""
    for place in range(len(met) - 1, -1, -1):
        taken, outcomes = met[place]
        if taken + 1 < outcomes:
            return [one for one, _ in met[:place]] + [taken + 1]
    return None


TEMPLATES = (
    "{n} = {e}\n{n} {op}= {e}",
    "{n}, *rest = [{e}, {e}, *data]\nout.append(len(rest))\nout.append(rest[0])",
    "data[1:] = [{e}] * {k}\n{n} = len(data)",
    "out.append(data[::-1])\ndel data[{k}:]\n{n} = sum(data)",
    "{n} = [data] * 2\n{n}[0].append({e})\n{n} = {n}[1][-1]",
    "{n} = {e}\ndef add{n}(one, /, *more, by={e}):\n    nonlocal {n}\n    {n} += one * by\nadd{n}({e}, 1)",
    "{n} = 0\nwhile {n} < 2:\n    {n} += 1\n    if {e}:\n        break\nelse:\n    out.append({e})",
    "try:\n    {n} = data[{e}]\nexcept (IndexError, TypeError):\n    {n} = -1\nfinally:\n    out.append({e})",
    "{n} = 3\nwith contextlib.suppress(ZeroDivisionError):\n    {n} = {e} // {e}",
    "{n} = Pair({e}, {e})\n{n}.first += {k}\n{n} = max({n}, Pair(1, 2)).swapped().second",
    "{n} = Pair({e}) == Pair(1)",
    "cells{n} = np.zeros(3, dtype=int)\npart{n} = cells{n}[{k}:]\npart{n} {op}= {e}\n{n} = int(cells{n}.sum())",
    "cells{n} = np.zeros((2, 2), dtype=int)\ncells{n}.{view}[{k}] = {e}\n{n} = str(cells{n})",
    "u{n} = rng.random(2)\nu{n}[::-1][0] = {k}\n{n} = int((u{n} < 0.5).sum())",
    "u{n} = rng.random(2)\nv{n} = u{n}\nv{n} += {k}\n{n} = bool(u{n}[0] < 1.25)",
    "u{n} = np.random.rand(2)\nv{n} = u{n}.copy()\nv{n}[0] = 5\n{n} = bool(u{n}[0] < 0.5) + int(v{n}[0])",
    "{n} = sorted(data, key=lambda one: {e}, reverse={b})\nout.extend({n})\n{n} = {n}[0]",
    "{n} = max(range(2), key=lambda one: one * {e})",
    "{n} = sum(one * {e} for one in data if one)",
    "{n} = any({e} > one for one in data)",
    "{n} = [*map(lambda one: one + {e}, data)]\nout.append(tuple({n}))\n{n} = {n}[-1]",
    "{n} = len({{{e}, {e}}})",
    "{n} = functools.reduce(lambda one, other: one - other, data, {e})",
    "out.append(({e}) / 2)\n{n} = round(({e}) / 2)",
    "out.append(float({e}))\n{n} = np.int8({e})",
    "for {n}, other in zip(data, ({e}, {e})):\n    if other > {n}:\n        continue\n    out.append({n})",
    "match {e}:\n    case 0:\n        {n} = 5\n    case 1 | 2 as {n}:\n        pass\n    case _:\n        {n} = 0",
    "{n} = list(yields({e}))\nout.append({n}[0])\n{n} = len({n})",
)
"""Statements: {n} is a new name, {e} an expression, {k} 0 or 1."""


class Writer:
    """Writes a random function of `data`, a list of small integers, that makes its generator itself."""

    def __init__(self, seed):
        self.random = random.Random(seed)  # noqa: S311 a fixed sample
        self.names = 0
        self.draws = 0

    def pick(self, *options):
        return self.random.choice(options)

    def name(self):
        self.names += 1
        return f"v{self.names}"

    def draw(self):
        """An expression that draws a small integer, or a truth value."""
        self.draws += 1
        quarter = self.random.randint(0, GRID) / GRID
        return self.pick(
            f"(rng.random() < {quarter})",
            f"({quarter} <= rng.random())",
            f"int(rng.integers(0, {self.random.randint(1, 3)}))",
            f"rng.integers({self.random.randint(-2, 0)}, {self.random.randint(1, 2)})",
            f"int(rng.random() * {self.pick(2, 4)})",
            f"round(2 * rng.random() - {self.pick(0, 1)})",
            f"math.floor({self.pick(2, 4)} * rng.random())",
            f"rng.choice([{', '.join(str(self.random.randint(0, 3)) for _ in range(self.random.randint(1, 3)))}])",
            "rng.choice(2, p=[0.25, 0.75])",
            f"rng.binomial({self.random.randint(0, 2)}, {self.pick(0.5, 0.25, 0.0, 1.0)})",
            f"(rng.random() + {self.pick(0, 1)} > {self.pick(0.5, 1.25)})",
            f"(random.random() < {quarter})",
            f"(np.random.rand() >= {quarter})",
            "random.randint(-1, 1)",
            "random.getrandbits(1)",
            "random.choice((0, 2))",
            "np.random.randint(0, 3)",
            "secrets.randbelow(2)",
        )

    def number(self, names):
        if self.draws < 5 and self.random.random() < 0.7:
            return self.draw()
        return self.pick(
            *(names or ["len(data)"]),
            "data[0]",
            "sum(data)",
            str(self.random.randint(-2, 4)),
            f"abs({self.pick(*(names or ['data[-1]']))})",
            "max(data)",
        )

    def expression(self, names):
        one, other = self.number(names), self.number(names)
        return self.pick(
            one,
            f"({one} {self.pick('+', '-', '*')} {other})",
            f"({one} // {self.random.randint(1, 3)})",
            f"({one} % {self.random.randint(1, 3)})",
            f"({one} if {other} else {self.number(names)})",
            f"min({one}, {other})",
            f"({one} {self.pick('<', '<=', '==', '!=', '>')} {other})",
            f"({one} {self.pick('and', 'or')} {other})",
            f"(lambda q: q + {one})({other})",
            f"helper({one}, {other})",
        )

    def statements(self, names, indent, depth):  # noqa: PLR0912 a kind of statement each
        pad, found = "    " * indent, []
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.random()
            new = self.name()
            if kind > 0.6 and depth < 2:
                lines = self.template(new, names).split("\n")
                found += [f"{pad}{line}" for line in [*lines, f"out.append({new})"]]
                names = [*names, new]
            elif kind < 0.2 or depth > 2:
                found.append(f"{pad}{new} = {self.expression(names)}")
                names = [*names, new]
            elif kind < 0.27:
                found.append(f"{pad}if {self.expression(names)}:")
                found += self.statements(names, indent + 1, depth + 1)
                found.append(f"{pad}else:")
                found += self.statements(names, indent + 1, depth + 1)
            elif kind < 0.32:
                found.append(f"{pad}out.append({self.expression(names)})")
            elif kind < 0.36:
                found.append(f"{pad}for {new} in {self.pick('data', 'range(2)', 'reversed(data)', '[0, 1]')}:")
                found.append(f"{pad}    out.append({new} {self.pick('+', '-')} {self.number(names)})")
                found.append(f"{pad}    if {new} > {self.pick(0, 1)}:")
                found.append(f"{pad}        {self.pick('break', 'continue', 'pass')}")
            elif kind < 0.4:
                found.append(f"{pad}try:")
                found.append(f"{pad}    {new} = {self.number(names)} // {self.number(names)}")
                found.append(f"{pad}except {self.pick('ZeroDivisionError', 'Exception', 'ArithmeticError as error')}:")
                found.append(f"{pad}    {new} = {self.random.randint(5, 9)}")
                names = [*names, new]
            elif kind < 0.43:
                found.append(f"{pad}data[{self.pick(0, -1)}] = {self.expression(names)}")
            elif kind < 0.49:
                found += [f"{pad}{line}" for line in self.array(new, names)]
                names = [*names, new]
            elif kind < 0.52:
                found.append(
                    f"{pad}{new} = [x + {self.number(names)} for x in data if x != {self.random.randint(0, 2)}]"
                )
                found.append(f"{pad}out.extend({new})")
            elif kind < 0.55:
                found.append(f"{pad}if {self.expression(names)}:")
                found.append(f"{pad}    return {self.output(names)}")
            elif kind < 0.58:
                found.append(f"{pad}{new} = {{k: v for k, v in enumerate(data)}}")
                found.append(f"{pad}out.append({new}.get(int({self.number(names)}), -1))")
            else:
                found.append(f"{pad}if {self.expression(names)}:")
                found.append(f"{pad}    raise ValueError({self.number(names)})")
        return found

    def template(self, new, names):
        text = self.pick(*TEMPLATES)
        while "{e}" in text:
            text = text.replace("{e}", self.number(names), 1)
        view = self.pick("ravel()", "T[1]", "reshape(4)", "flatten()")
        return text.format(n=new, op=self.pick("+", "-", "*"), k=self.pick(0, 1), b=self.pick(True, False), view=view)

    def array(self, new, names):
        self.draws += 2
        array = f"a{new}"
        made = self.pick(
            f"{array} = np.array(data) + rng.integers(0, 2, size=len(data))",
            f"{array} = np.where(rng.random(2) < 0.5, 1, {self.random.randint(0, 3)})",
            f"{array} = (rng.random(2) < {self.pick(0.25, 0.75)}).astype(int)",
            f"{array} = rng.permutation(np.array(data))",
            f"{array} = rng.choice(np.array(data), size=2)",
            f"{array} = np.array(data); rng.shuffle({array})",
            f"{array} = np.cumsum(rng.integers(0, 2, size=2))",
        )
        used = self.pick(
            f"{new} = int({array}.sum())",
            f"{new} = int(np.argmax({array}))",
            f"{array}[{array} > 0] = 7; {new} = {array}.max()",
            f"{array} += 1; {new} = {array}[0]",
            f"{new} = len(set({array}.tolist()))",
            f"{new} = int(np.clip({array}, 0, 1).sum())",
            f"out.append({array}); {new} = {array}[-1]",
        )
        return [*made.split("; "), *used.split("; ")]

    def output(self, names):
        return self.pick(
            self.expression(names),
            "out",
            "tuple(data)",
            f"({self.number(names)}, out)",
            f"[*data, {self.number(names)}]",
            f"np.array([{self.number(names)}, {self.number(names)}])",
            "sorted(map(int, data), key=lambda k: -k)",
            f"f'{{{self.pick(*(names or ['data']))}}}'",
        )

    def function(self, name):
        lines = [f"def {name}(data):", "    rng, out = np.random.default_rng(), []"]
        lines += self.statements([], 1, 0)
        lines.append(f"    return {self.output([])}, out")
        return "\n".join(lines)


HEAD = """import contextlib
import functools
import math
import random
import secrets
from dataclasses import dataclass

import numpy as np


@dataclass(order=True)
class Pair:
    first: int
    second: int = 0

    def swapped(self):
        return Pair(self.second, self.first)


def yields(most):
    yield most
    for one in range(max(0, most)):
        yield one


def helper(one, other, *more, scale=2):
    if one == other:
        return scale
    return one - other
"""
