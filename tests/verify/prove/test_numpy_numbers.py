"""Random programs on NumPy's own numbers: what the reading returns is what Python returns, truth values included."""

import importlib.util
import os
import random
from fractions import Fraction

import numpy as np
import pytest
from followed_paths import followed
from tiers import few

from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.path_evaluation import PathEvaluation
from stirred.verify.evidence.certificates.program_graph import Graph
from stirred.verify.prove.found_function import of_function
from stirred.verify.prove.stated import stated

HEADER = """\
import numpy as np


def helper(u, v):
    if u > v:
        return u - v
    w = v
    return w
"""


def number(draw, depth):
    kind = draw.randrange(16)
    if depth <= 0 or kind < 5:
        return draw.choice(["x", "z", "a", "b", "count", "1", "2", "0.5", "-1"])
    one, other, test = number(draw, depth - 1), number(draw, depth - 1), truth(draw, depth - 1)
    forms = [f"({one} {sign} {other})" for sign in "+-*"] + [f"max({one}, {other})", f"min({one}, {other})"]
    forms += [f"abs({one})", f"({one} if {test} else {other})", f"({one}) ** 2", f"({one} / 2)", f"float({one})"]
    return draw.choice([*forms, f"helper({one}, {other})", test])


def truth(draw, depth):
    kind = draw.randrange(10)
    if kind == 9:
        return draw.choice(["f", "g", "True", "False"])
    one, other = number(draw, depth - 1), number(draw, depth - 1)
    if depth <= 0 or kind < 4:
        return f"({one} {draw.choice(['<', '<=', '>', '>=', '==', '!='])} {other})"
    first, second = truth(draw, depth - 1), truth(draw, depth - 1)
    forms = [f"({one} < {other} <= {number(draw, depth - 1)})", f"(not {first})", "(not a)", f"bool({one})"]
    return draw.choice([*forms, f"({first} and {second})", f"({first} or {second})"])


def statements(draw, depth, count):
    for _ in range(count):
        kind = draw.randrange(6)
        if kind == 5 and depth:
            yield f"if {truth(draw, 1)}:"
            yield from (f"    {line}" for line in statements(draw, 0, 2))
            continue
        yield draw.choice(
            [
                *(f"{name} = {number(draw, 1)}" for name in "aabb"),
                *(f"{name} = {truth(draw, 1)}" for name in "fg"),
                *(f"{name} {sign} {number(draw, 1)}" for name, sign in (("count", "+="), ("a", "-="), ("f", "*="))),
                *(f"a, b = {number(draw, 1)}, {number(draw, 1)}", f"f, g = g, {truth(draw, 1)}", "count += 1"),
                *(f"{name} = (z > 0) {sign} {truth(draw, 0)}" for name, sign in (("a", "+"), ("b", "+"), ("a", "*"))),
                *("break", "continue", "return a", "a = None if count else a", "b = a if a is not None else 0"),
            ]
        )


def program(name, seed):
    draw = random.Random(seed)  # noqa: S311 no secret
    over = draw.choice(["x, z in zip(np.array(q), noise)", "x, z in zip(q, noise)"])
    lines = ["noise = rng.laplace(scale=1 / eps, size=len(q))", "a, b, count = 0, 1, 0", "f, g = False, True"]
    lines += [f"for {over}:", *(f"    {line}" for line in statements(draw, 1, draw.randint(1, 4)))]
    lines += ["else:", "    count = 7"] if draw.random() < 0.2 else []
    lines.append(f"return {draw.choice(['a', 'b', 'count', 'f + 1', '(a, b)', 'a + count', 'f'])}")
    return "\n".join([f"def {name}(q, rng, eps):", *(f"    {line}" for line in lines)])


class Drawn:
    """A generator whose draws are given."""

    def __init__(self, values):
        self.values = values

    def laplace(self, scale, size):
        return np.array([float(value) for value in self.values[:size]])


def exact(value):
    if isinstance(value, tuple):
        return tuple(map(exact, value))
    return value if value is None or isinstance(value, Fraction) else Fraction(float(value))


def differing(folder, programs, first):
    """The programs that are read, and those that Python runs otherwise."""
    texts = [program(f"f{k}", first + k) for k in range(programs)]
    file = folder / "numpy_numbers.py"
    file.write_text("\n\n\n".join([HEADER, *texts]) + "\n")
    spec = importlib.util.spec_from_file_location("numpy_numbers", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    read, found = 0, []
    for k, text in enumerate(texts):
        function = getattr(module, f"f{k}")
        try:
            graph = Graph(stated("f", of_function(function), "one by 1", None, {}).program)
        except InputError:
            continue
        read += 1
        draw = random.Random(k)  # noqa: S311 no secret
        for _ in range(40):
            data = [draw.randint(-1, 2) for _ in range(draw.randint(1, 4))]
            noise = [Fraction(draw.randint(-8, 8), 4) for _ in range(8)]
            try:
                native = function(data, Drawn(noise), 1)
            except TypeError:  # NumPy has no -True: an exception, which the path decides
                continue
            _, _, value = followed(graph, data, noise, {"eps": 1})
            if exact(value) != exact(native):
                found.append((text, data, noise, value, native))
                break
    return read, found


@pytest.mark.parametrize("programs", few([80, 1000]))
def test_programs_on_numpys_numbers_are_read_as_python_runs_them(tmp_path, programs):
    first = 0 if programs == 80 else int(os.environ.get("STIRRED_SEED", "0")) * 10_000
    read, found = differing(tmp_path, programs, first)
    assert not found
    assert read >= max(30, programs // 3)  # the others decide about constants that doubles round


def test_arithmetic_of_truth_values_would_be_noticed(tmp_path, monkeypatch):
    monkeypatch.setattr(PathEvaluation, "no_truth", lambda *_: None)
    _, found = differing(tmp_path, 30, 0)
    assert found
