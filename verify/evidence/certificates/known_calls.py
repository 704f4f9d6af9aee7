"""The table of meanings: what functions do with values of unknown data, and by which laws generators draw."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from stirred.verify.evidence.certificates.polynomial import Polynomial, parsed
from stirred.verify.evidence.certificates.read_values import (
    SIZE,
    Chosen,
    Infinite,
    Shown,
    Token,
    Vector,
)

_ZERO, _ONE = Polynomial.of(0), Polynomial.of(1)


def _only(run: Any, node: ast.Call) -> Any:
    """The one argument of a call."""
    if len(node.args) != 1 or node.keywords:
        run.refuse(f"{ast.unparse(node.func)} of one argument alone")
    return run.value(node.args[0])


def _length(run: Any, node: ast.Call) -> Any:
    value = _only(run, node)
    if isinstance(value, Vector):
        return Polynomial.name(SIZE)
    return run.fresh() if isinstance(value, Shown) else run.refuse(f"the length of {ast.unparse(node.args[0])}")


def _kept(run: Any, node: ast.Call) -> Any:
    """tuple, list, float, bool: the same value."""
    if not node.args:
        return Shown()
    value = _only(run, node)
    if isinstance(value, Vector):
        return replace(value, is_array=False)
    return value if isinstance(value, (Shown, Polynomial, bool, Chosen, tuple)) else run.refuse("this conversion")


def _float(run: Any, node: ast.Call) -> Any:
    if len(node.args) == 1 and isinstance(node.args[0], ast.Constant) and isinstance(node.args[0].value, str):
        text = node.args[0].value.lower()
        if text in ("inf", "-inf"):
            return Infinite(-1 if text[0] == "-" else 1)
    value = _only(run, node)
    return value if isinstance(value, (Infinite, Polynomial)) else run.as_number(value, node)


def _truth(run: Any, node: ast.Call) -> Any:
    return run.truth(node.args[0]) if len(node.args) == 1 and not node.keywords else run.refuse("bool")


def _integer(run: Any, node: ast.Call) -> Any:
    """Int of what is the same in both runs, of an index, of a truth value."""
    value = _only(run, node)
    if isinstance(value, (bool, Chosen)):
        return value
    number = run.as_number(value, node)
    if number.names <= run.program.whole.keys() and all(one.denominator == 1 for one in number.terms.values()):
        return number
    run.require_same(number)
    return run.fresh()


def _array(run: Any, node: ast.Call) -> Any:
    value = run.value(node.args[0]) if node.args else None
    if isinstance(value, Vector) and len(node.args) == 1 and all(one.arg == "dtype" for one in node.keywords):
        if node.keywords and ast.unparse(node.keywords[0].value) not in ("float", "np.float64", "numpy.float64"):
            run.refuse("an array of another type than float")
        return replace(value, is_array=True)
    return value if isinstance(value, Shown) and not node.keywords else run.refuse("an array of this")


def _absolute(run: Any, node: ast.Call) -> Any:
    value = run.as_number(_only(run, node), node)
    return value if run.decide(value, ">=") else -value


def _extreme(sign: int) -> Callable[[Any, ast.Call], Any]:
    def meaning(run: Any, node: ast.Call) -> Any:
        if len(node.args) == 1 and len(node.keywords) == 1 and node.keywords[0].arg == "key":
            return _by_key(run, node, sign)
        if len(node.args) != 2 or node.keywords:
            run.refuse("max and min of two numbers, or of the indices by their noisy values")
        one, other = (run.number(part) for part in node.args)
        run.node = node
        return one if run.decide((one - other) * sign, ">=") else other

    return meaning


def _by_key(run: Any, node: ast.Call, sign: int) -> Any:
    """max(range(len(noisy)), key=lambda i: noisy[i]), or key=noisy.__getitem__."""
    key = node.keywords[0].value
    indices = run.iterated(node.args[0], _ZERO)
    holder = None
    if isinstance(key, ast.Lambda) and isinstance(key.body, ast.Subscript) and len(key.args.args) == 1:
        if isinstance(key.body.slice, ast.Name) and key.body.slice.id == key.args.args[0].arg:
            holder = run.value(key.body.value)
    elif isinstance(key, ast.Attribute) and key.attr == "__getitem__":
        holder = run.value(key.value)
    if not isinstance(holder, Vector) or indices[0] != Polynomial.name(SIZE) or indices[1]() != _ZERO:
        return run.refuse("max by this key")
    return Chosen(holder, sign, node.lineno)


def _argument(sign: int) -> Callable[[Any, ast.Call], Any]:
    def meaning(run: Any, node: ast.Call) -> Any:
        value = _only(run, node)
        return Chosen(value, sign, node.lineno) if isinstance(value, Vector) else run.refuse("argmax of this")

    return meaning


def _exponential_of(run: Any, node: ast.Call) -> Any:
    """Exp of the parameters, as a name of its own."""
    value = run.parameter(_only(run, node), "exp")
    return Polynomial.name(f"exp({value})")


def _generator(run: Any, node: ast.Call) -> Any:
    if node.args or node.keywords:
        run.refuse("a generator with a seed is no source of randomness")
    return Token("generator")


def _by_module(name: str) -> Callable[[Any, ast.Call], Any]:
    return lambda run, node: drawn(run, node, name)


# draws


def rate_of_ratio(run: Any, ratio: Polynomial) -> Polynomial:
    """ln(1/ratio), as a polynomial of the parameters: of exp(x) it is -x, else a name."""
    if len(ratio.terms) != 1:
        return Polynomial.name(f"ln(1/({ratio}))")
    (name, *others) = ratio.names or ("",)
    if not others and name.startswith("exp(") and ratio == Polynomial.name(name):
        return -parsed(name[len("exp(") : -1])
    if ratio.number is not None and not 0 < ratio.number < 1:
        run.refuse("a ratio must be between 0 and 1")
    return Polynomial.name(f"ln({ratio.inverse()})")


def _scaled(kind: str) -> Callable[[Any, Mapping[str, Any]], Any]:
    def meaning(run: Any, given: Mapping[str, Any]) -> Any:
        scale = run.parameter(given.get("scale", _ONE), "the scale of noise")
        if len(scale.terms) != 1 or next(iter(scale.terms.values())) <= 0:
            run.refuse(f"a scale is a positive number times powers of parameters; got {scale}")
        return run.as_number(given.get("loc", _ZERO), run.node) + run.add_draw(kind, scale.inverse())

    return meaning


def _geometric(run: Any, given: Mapping[str, Any]) -> Any:
    """NumPy's: 1 and more, with probability p."""
    ratio = 1 - run.parameter(given.get("p"), "the probability of noise")
    return run.add_draw("geometric", rate_of_ratio(run, ratio)) + 1


def _by_ratio(kind: str) -> Callable[[Any, Mapping[str, Any]], Any]:
    def meaning(run: Any, given: Mapping[str, Any]) -> Any:
        return run.add_draw(kind, rate_of_ratio(run, run.parameter(given.get("ratio"), "the ratio of noise")))

    return meaning


def _shared(located: str = "") -> Callable[[Any, Mapping[str, Any]], Any]:
    """A draw that is taken over: by parameters that are the same in both runs."""

    def meaning(run: Any, given: Mapping[str, Any]) -> Any:
        for name, value in given.items():
            if name != located:
                run.require_same(run.as_number(value, run.node))
        moved = run.as_number(given.get(located, _ZERO), run.node)
        return moved + run.add_draw("shared", _ZERO)

    return meaning


def _coin(run: Any, given: Mapping[str, Any]) -> Any:
    run.require_same(run.as_number(given.get("p"), run.node))
    return run.decide(run.add_draw("shared", _ZERO), "==")


Law = tuple[Sequence[str], Callable[[Any, Mapping[str, Any]], Any]]

LAWS: Mapping[str, Mapping[str, Law]] = {
    "numpy": {
        "laplace": (("loc", "scale", "size"), _scaled("laplace")),
        "exponential": (("scale", "size"), _scaled("exponential")),
        "geometric": (("p", "size"), _geometric),
        "normal": (("loc", "scale", "size"), _shared("loc")),
        "standard_normal": (("size",), _shared()),
        "random": (("size",), _shared()),
        "uniform": (("low", "high", "size"), _shared()),
        "integers": (("low", "high", "size"), _shared()),
        "binomial": (("n", "p", "size"), _shared()),
    },
    "source": {
        "discrete_laplace": (("ratio",), _by_ratio("discrete laplace")),
        "geometric": (("ratio",), _by_ratio("geometric")),
        "bernoulli": (("p",), _coin),
        "uniform": (("n",), _shared()),
    },
}
"""The methods of generators: the names of their arguments, and what they draw."""

_BUILTINS: Mapping[str, Callable[[Any, ast.Call], Any]] = {
    "len": _length,
    "tuple": _kept,
    "list": _kept,
    "float": _float,
    "bool": _truth,
    "int": _integer,
    "abs": _absolute,
    "max": _extreme(1),
    "min": _extreme(-1),
}

NAMES = frozenset({*_BUILTINS, "range", "enumerate", "zip", "sum"})
"""The builtins that have a meaning."""

CALLS: Mapping[str, Callable[[Any, ast.Call], Any]] = {
    **_BUILTINS,
    "numpy.array": _array,
    "numpy.asarray": _array,
    "numpy.abs": _absolute,
    "numpy.argmax": _argument(1),
    "numpy.argmin": _argument(-1),
    "numpy.exp": _exponential_of,
    "math.exp": _exponential_of,
    "numpy.random.default_rng": _generator,
    **{f"numpy.random.{name}": _by_module(name) for name in LAWS["numpy"] if name != "integers"},
}
"""What is called by its name."""


def may_draw(run: Any, call: ast.Call) -> bool:
    """Whether a call may draw: unless it is one of the functions that do not."""
    name = run.full_name(call.func)
    return name not in {*CALLS, *NAMES} or name.startswith("numpy.random.")


def drawn(run: Any, node: ast.Call, name: str) -> Any:
    """A draw by the generator's method."""
    kind = run.program.generator[1] or "numpy"
    law = LAWS[kind].get(name)
    if law is None:
        return run.refuse(f"a draw of {name}")
    names, meaning = law
    given = dict(zip(names, node.args, strict=False)) | {str(one.arg): one.value for one in node.keywords}
    if len(node.args) > len(names) or not set(given) <= set(names):
        run.refuse(f"the arguments of {name}")
    size = given.pop("size", None)
    if size is None or (isinstance(size, ast.Constant) and size.value is None):
        return meaning(run, {key: run.value(one) for key, one in given.items()})
    if run.number(size) != Polynomial.name(SIZE):
        run.refuse("size must be the number of records")
    values = {key: run.value(one) for key, one in given.items()}
    run.node = node
    place = (*run.place(), name)
    kept = run.keep(place, values)

    def make(here: Any) -> Any:
        here.node = node
        index = here.path.index
        parts = {k: here.env[h] for k, h in kept.items() if k}
        return meaning(here, {k: here.element(v, index) if isinstance(v, Vector) else v for k, v in parts.items()})

    inner = [one for one in values.values() if isinstance(one, Vector)]
    return Vector(place, make, frozenset(kept.values()).union(*(one.kept for one in inner)), True, True)
