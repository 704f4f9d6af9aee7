"""What builtins and functions of NumPy do with values of unknown data; `run` is the evaluation of a path."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.read_values import (
    SIZE,
    Chosen,
    ExpWeights,
    GeneratorToken,
    Infinite,
    Shown,
    Vector,
)


def _only(run: Any, node: ast.Call) -> Any:
    """The one argument of a call."""
    if len(node.args) != 1 or node.keywords:
        run.refuse(f"{ast.unparse(node.func)} is read of one argument")
    return run.value(node.args[0])


def _length(run: Any, node: ast.Call) -> Any:
    value = _only(run, node)
    if isinstance(value, Vector):
        return Polynomial.name(SIZE)
    return run.opaque() if isinstance(value, Shown) else run.refuse(f"the length of {ast.unparse(node.args[0])}")


def _listed(run: Any, node: ast.Call) -> Any:
    """List, tuple: the same values. A list that is built is copied, so that both are the same in both runs."""
    value = _only(run, node) if node.args or node.keywords else Shown()
    if isinstance(value, Vector):
        return replace(value, is_array=False)
    return value if isinstance(value, Shown) else run.refuse(f"{ast.unparse(node)} is not read")


def _float(run: Any, node: ast.Call) -> Any:
    value = _only(run, node)
    if value in ("inf", "-inf"):
        return Infinite(1 if value == "inf" else -1)
    return run.as_number(value, node)


def _truth(run: Any, node: ast.Call) -> Any:
    return run.truth(node.args[0]) if len(node.args) == 1 and not node.keywords else run.refuse("bool of one argument")


def _integer(run: Any, node: ast.Call) -> Any:
    """Int of what is the same in both runs, of an index, of a truth value."""
    value = _only(run, node)
    if isinstance(value, Chosen):
        return value
    number = run.as_number(value, node)
    if number.names <= run.program.whole.keys() and all(
        one.denominator == 1 and all(power > 0 for _, power in monomial) for monomial, one in number.terms.items()
    ):
        return number
    run.require_same(number)
    return run.opaque()


def _array(run: Any, node: ast.Call) -> Any:
    value = run.value(node.args[0]) if len(node.args) == 1 else None
    if isinstance(value, Shown) and not node.keywords:
        return value
    types = [run.outer_name(one.value) for one in node.keywords if one.arg == "dtype"]
    run.node = node
    if isinstance(value, Vector) and len(types) == len(node.keywords) and set(types) <= {"builtins.float"}:
        return replace(value, is_array=True)
    return run.refuse(f"{ast.unparse(node)} is not read")


def _absolute(run: Any, node: ast.Call) -> Any:
    value = _only(run, node)
    run.no_truth(value)
    number = run.as_number(value, node)
    return number if run.decide(number, ">=") else -number


def _extreme(sign: int) -> Callable[[Any, ast.Call], Any]:
    def meaning(run: Any, node: ast.Call) -> Any:
        if len(node.args) != 2 or node.keywords:
            run.refuse("max and min are read of two numbers, or in noisy.index(max(noisy))")
        values = [run.value(part) for part in node.args]
        run.node = node
        for value in values:
            run.no_truth(value)
        one, other = (run.as_number(value, node) for value in values)
        return one if run.decide((one - other) * sign, ">=") else other

    return meaning


def _argument(sign: int) -> Callable[[Any, ast.Call], Any]:
    def meaning(run: Any, node: ast.Call) -> Any:
        value = _only(run, node)
        return Chosen(value, sign, node.lineno) if isinstance(value, Vector) else run.refuse("argmax of this")

    return meaning


def _exponential(run: Any, node: ast.Call) -> Any:
    """Exp of the parameters, as a symbol of its own; of a vector, weights."""
    value = _only(run, node)
    if isinstance(value, Vector):
        return ExpWeights(value)
    return Polynomial.name(Symbol("exp", str(run.parameter(value, "exp"))))


def _generator(run: Any, node: ast.Call) -> Any:
    return run.refuse("a seed: it is no secret") if node.args or node.keywords else GeneratorToken("numpy")


CALLS: Mapping[str, Callable[[Any, ast.Call], Any]] = {
    "builtins.len": _length,
    "builtins.tuple": _listed,
    "builtins.list": _listed,
    "builtins.float": _float,
    "builtins.bool": _truth,
    "builtins.int": _integer,
    "builtins.abs": _absolute,
    "builtins.max": _extreme(1),
    "builtins.min": _extreme(-1),
    "numpy.array": _array,
    "numpy.asarray": _array,
    "numpy.abs": _absolute,
    "numpy.argmax": _argument(1),
    "numpy.argmin": _argument(-1),
    "numpy.exp": _exponential,
    "math.exp": _exponential,
    "numpy.random.default_rng": _generator,
}
"""What is called by its name."""
