"""Draws by a generator's method, on one path of a function whose data are unknown: `run` is its evaluation."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from stirred.verify.evidence.certificates.noise_laws import LAWS, ratio_rate
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.read_values import (
    RECORD,
    SHARED,
    SIZE,
    Chosen,
    ExpWeights,
    NoiseDraw,
    Vector,
    is_fixed,
)


def drawn(run: Any, node: ast.Call, generator: str, name: str) -> Any:
    """A draw by the generator's method."""
    if (generator, name) == ("numpy", "choice"):
        return _drawn_by_weights(run, node)
    law = LAWS[generator].get(name)
    if law is None:
        return run.refuse(f"a draw of {name} is not read")
    nodes = dict(zip(law.arguments, node.args, strict=False))
    nodes |= {str(one.arg): one.value for one in node.keywords}
    if len(nodes) != len(node.args) + len(node.keywords) or not set(nodes) <= set(law.arguments):
        run.refuse(f"the arguments of {name} are not read")
    given = {key: run.value(one) for key, one in nodes.items()}
    run.node = node
    size = given.pop("size", None)
    if size is None:
        return _draw(run, law.kind, law.shape, given)
    if size != Polynomial.name(SIZE) or run.cells is not None:
        run.refuse("size must be the number of records")
    inner = [one for one in given.values() if isinstance(one, Vector)]
    elements = {key: one.element if isinstance(one, Vector) else one for key, one in given.items()}
    cells = {cell.symbol: cell for one in inner for cell in one.cells}
    return run.vector(lambda: _draw(run, law.kind, law.shape, elements), cells, is_array=True)


def _drawn_by_weights(run: Any, node: ast.Call) -> Chosen:
    """The index i by weights exp(a q_i + b): that of the largest q_i + b/a + z_i, with noise z of Gumbel's law."""
    named = [one.value for one in node.keywords if one.arg == "p"]
    if len(node.args) != 1 or len(node.keywords) != 1 or len(named) != 1 or id(node) in run.program.repeated:
        run.refuse("choice is read as rng.choice(len(data), p=weights / weights.sum()), outside of loops")
    size, shares = run.number(node.args[0]), run.value(named[0])
    run.node = node
    if size != Polynomial.name(SIZE) or not isinstance(shares, ExpWeights) or shares.stage != "shares":
        run.refuse("choice is read as rng.choice(len(data), p=weights / weights.sum())")
    element = shares.exponents.element
    slope = element.at({RECORD: Polynomial.of(1)}) - element.at({RECORD: Polynomial.of(0)})
    rest = element - slope * Polynomial.name(RECORD)
    if shares.exponents.cells or not is_fixed(rest) or not is_fixed(slope) or len(slope.terms) != 1:
        run.refuse("weights are exp of a number of the parameters times the answer, plus another one")
    sign = 1 if next(iter(slope.terms.values())) > 0 else -1
    cell = NoiseDraw(Symbol("cell", f"{node.lineno}.{node.col_offset}"), "gumbel", slope * sign, run.line)
    return Chosen(Vector(Polynomial.name(RECORD) + Polynomial.name(cell.symbol) * sign, (cell,)), sign, run.line)


def _draw(run: Any, kind: str, shape: str, given: Mapping[str, Any]) -> Any:
    numbers = {key: run.as_number(one, run.node) for key, one in given.items()}
    located = numbers.pop("loc", Polynomial.of(0))
    if kind == SHARED:
        for one in numbers.values():
            run.require_same(one)
        drawn = run.add_draw(SHARED, Polynomial.of(0))
        return run.decide(drawn, "==") if shape == "coin" else located + drawn
    one = run.parameter(numbers.get(shape, Polynomial.of(1) if shape == "scale" else None), f"the {shape} of noise")
    if shape == "scale":
        if len(one.terms) != 1 or next(iter(one.terms.values())) <= 0:
            run.refuse(f"a scale is a positive number times powers of parameters; got {one}")
        return located + run.add_draw(kind, one.inverse())
    try:
        rate = ratio_rate(1 - one if shape == "p" else one)
    except ValueError as error:
        run.refuse(str(error))
    return run.add_draw(kind, rate) + (1 if shape == "p" else 0)
