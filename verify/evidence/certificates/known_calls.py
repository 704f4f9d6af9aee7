"""What builtins and functions of NumPy do with values of unknown data; `run` is the evaluation of a path."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.read_values import (
    BINS,
    DATA,
    BinCounts,
    Chosen,
    ExpWeights,
    GeneratorToken,
    Infinite,
    Shown,
    Vector,
    is_fixed,
    is_own,
)
from stirred.verify.evidence.certificates.record_functions import is_test


def _only(run: Any, node: ast.Call) -> Any:
    """The one argument of a call."""
    if len(node.args) != 1 or node.keywords:
        run.refuse(f"{ast.unparse(node.func)} is read of one argument")
    return run.value(node.args[0])


def _length(run: Any, node: ast.Call) -> Any:
    value = _only(run, node)
    if isinstance(value, Vector) and value.kept is None:
        return value.size
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
    if isinstance(value, Chosen) or is_test(value):
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
        return _limited(run, sign, *values)

    return meaning


def _limited(run: Any, sign: int, one: Any, other: Any) -> Any:
    """The larger (sign 1) or smaller (-1) of two numbers, or of each element and a number.

    Of what is computed from one record it is such a number. Of a total without noise it changes by at most what the
    total does; else the second run decides as the first one does.
    """
    if isinstance(one, Vector) or isinstance(other, Vector):
        if any(isinstance(value, Vector) and value.cells for value in (one, other)):
            return run.by_element(lambda value, _: value, run.shown(one), other)
        return run.by_element(lambda *pair: _limited(run, sign, *pair), one, other)
    for value in (one, other):
        run.no_truth(value)
    one, other = (run.as_number(value, run.node) for value in (one, other))
    free, limit = (other, one) if is_fixed(one) else (one, other)
    if is_fixed(limit) and is_own(free):
        return run.program.records.extreme("max" if sign > 0 else "min", free, limit)
    is_total = any(name.kind in ("held", "hidden", "bin") for name in free.names)
    if is_fixed(limit) and is_total and not run.path.is_noisy(free):
        symbol = Symbol("between", f"{len(run.path.between)} {'max' if sign > 0 else 'min'} {limit}")
        run.path.between[symbol] = free
        return Polynomial.name(symbol)
    return one if run.decide((one - other) * sign, ">=") else other


def _clip(run: Any, node: ast.Call) -> Any:
    """np.clip of a number, or of each element; a limit of None is none."""
    if len(node.args) != 3 or node.keywords:
        run.refuse("clip is read of three arguments")
    value, lower, upper = (run.value(one) for one in node.args)
    run.node = node
    value = replace(value, is_array=True) if isinstance(value, Vector) else value
    for sign, limit in ((1, lower), (-1, upper)):
        value = value if limit is None else _limited(run, sign, value, limit)
    return value


def _rounded(run: Any, node: ast.Call) -> Any:
    """What is the same in both runs, rounded."""
    if len(node.args) not in (1, 2) or node.keywords:
        run.refuse(f"{ast.unparse(node.func)} is read of a number, and of digits")
    value, *digits = (run.value(one) for one in node.args)
    run.node = node
    for one in digits:
        run.parameter(one, "digits")
    return run.shown(value)


def _bincount(run: Any, node: ast.Call) -> Any:
    """How many records are each number; the length tells nothing where records are below minlength."""
    value = run.value(node.args[0]) if len(node.args) == 1 else None
    least = [run.number(one.value) for one in node.keywords if one.arg == "minlength"]
    run.node = node
    records = run.program.records
    is_data = isinstance(value, Vector) and replace(value, is_array=False) == DATA
    if len(node.keywords) != 1 or len(least) != 1 or not is_data:
        run.refuse("bincount is read as np.bincount(data, minlength=k)")
    if not records.is_above(least[0], run.program.domain.bins):
        run.refuse('the length of bincount depends on the data: say values = "range(k)", with k = minlength')
    return replace(BINS, is_array=True, size=least[0])


def _zeros(run: Any, node: ast.Call) -> Any:
    return BinCounts(run.parameter(_only(run, node), "a length"))


def _counter(run: Any, node: ast.Call) -> Any:
    if node.args and _only(run, node) != DATA:
        run.refuse("Counter is read of the data")
    return BinCounts(None, is_full=bool(node.args))


def _argument(sign: int) -> Callable[[Any, ast.Call], Any]:
    def meaning(run: Any, node: ast.Call) -> Any:
        value = _only(run, node)
        return run.chosen(value, sign) if isinstance(value, Vector) else run.refuse("argmax of this")

    return meaning


def _exponential(run: Any, node: ast.Call) -> Any:
    """Exp of the parameters, as a symbol of its own; of a vector, weights."""
    value = _only(run, node)
    if isinstance(value, Vector):
        return ExpWeights(run.chosen(value, 1).vector)
    return Polynomial.name(Symbol("exp", str(run.parameter(value, "exp"))))


def _root(run: Any, node: ast.Call) -> Any:
    """The square root of the parameters, as a symbol of its own."""
    value = run.parameter(_only(run, node), "a square root")
    run.program.divisors.append(value)
    return Polynomial.name(Symbol("root", str(value)))


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
    "builtins.round": _rounded,
    "math.ceil": _rounded,
    "math.floor": _rounded,
    "collections.Counter": _counter,
    "numpy.zeros": _zeros,
    "numpy.bincount": _bincount,
    "numpy.clip": _clip,
    "numpy.maximum": _extreme(1),
    "numpy.minimum": _extreme(-1),
    **{f"numpy.{name}": _rounded for name in ("ceil", "floor", "rint", "round")},
    "numpy.array": _array,
    "numpy.asarray": _array,
    "numpy.abs": _absolute,
    "numpy.argmax": _argument(1),
    "numpy.argmin": _argument(-1),
    "numpy.exp": _exponential,
    "math.exp": _exponential,
    "math.sqrt": _root,
    "numpy.sqrt": _root,
    "numpy.random.default_rng": _generator,
}
"""What is called by its name."""
