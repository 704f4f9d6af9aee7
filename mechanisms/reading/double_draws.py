"""The table of draws where doubles decide: those that are computed from one uniform number, as NumPy and Python do.

What NumPy draws by a ziggurat or by rejection, as `normal` and `exponential`, is no function of one number: it is
refused. `binomial`, `geometric` and `hypergeometric` have their documented laws, with the exact values of parameters.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np

from stirred.mechanisms.generators.discrete_draws import numpy_gumbel, numpy_laplace, numpy_logistic, weights_of_cuts
from stirred.mechanisms.generators.float_function import FloatFunction, first_change, whole_numbers
from stirred.mechanisms.reading.asked import GENERATOR, PYTHON, STATE, AskedDraw
from stirred.mechanisms.reading.draw_laws import TABLES
from stirred.mechanisms.reading.drawn_doubles import DrawnDoubles
from stirred.mechanisms.reading.shadows import array_of
from stirred.mechanisms.reading.symbols import DrawnArray

Handler = Callable[[AskedDraw], Any]

_GRID = 2**53


def _drawn(asked: AskedDraw, function: Callable[..., Any], *parameters: Any, least: int = 0) -> Any:
    """A function of a uniform number and of parameters for each number that is drawn."""
    example, drawn = asked.example(), _doubles(asked)

    def one(kind: type, *given: Any) -> Any:
        uniform, name = drawn.uniform(float, least), getattr(function, "__name__", "")
        made = FloatFunction.of(name, function, uniform, *map(float, given)) if given else uniform
        return drawn.drawn_as(made if kind is float else FloatFunction.of(kind.__name__, kind, made))

    if not isinstance(example, np.ndarray):
        return one(type(example), *parameters)
    given = zip(*(np.broadcast_to(part, example.shape).ravel().tolist() for part in parameters), strict=True)
    each = given if parameters else [()] * example.size
    cells = [one(example.dtype.type, *part) for part in each]
    return DrawnArray(array_of(cells, example.shape), example.dtype)


def _doubles(asked: AskedDraw) -> DrawnDoubles:
    drawn = asked.meanings.drawn
    if not isinstance(drawn, DrawnDoubles):
        raise TypeError("doubles do not decide here")
    return drawn


def _random(asked: AskedDraw) -> Any:
    _, dtype, out = asked.given("size", "dtype", "out", size=None, dtype=float, out=None)
    if out is not None or np.dtype(dtype) != float:
        raise asked.reader.refuse(f"{asked.method.shown} with out, or with another dtype than float64, is not read")
    return _drawn(asked, float)


def _between(u: float, low: float, high: float) -> float:
    return low + (high - low) * u


def _uniform(asked: AskedDraw) -> Any:
    low, high = asked.given("low", "high", low=0.0, high=1.0) if asked.method.kind != PYTHON else asked.given("a", "b")
    return _drawn(asked, _between, low, high)


def _noise(function: Callable[..., float]) -> Handler:
    def drawn(asked: AskedDraw) -> Any:
        return _drawn(asked, function, *asked.given("loc", "scale", loc=0.0, scale=1.0), least=1)

    return drawn


def _exponential(u: float, rate: float) -> float:
    return -math.log(1.0 - u) / rate


def _of_rate(asked: AskedDraw) -> Any:
    return _drawn(asked, _exponential, *asked.given("lambd", lambd=1.0))


def _choice(asked: AskedDraw) -> Any:
    names = dict(zip(("a", "size", "replace", "p"), asked.arguments, strict=False)) | dict(asked.named)
    size, replace, p = names.get("size"), names.get("replace", True), names.get("p")
    if p is not None and not replace and size is not None:
        raise asked.reader.refuse(
            "choice with p, without replacement, draws again what it had: doubles are not followed"
        )
    return TABLES[GENERATOR]["choice"](asked)


def _choices(asked: AskedDraw) -> Any:
    """Members by random()·total, where the total is their number if there are no weights."""
    members, weights = asked.given("population", "weights", weights=None)
    if asked.named.get("cum_weights") is not None:
        raise asked.reader.refuse("random.choices with cum_weights is not read where doubles decide: give weights")
    asked.example()
    asked.named = {**asked.named, "weights": [1] * len(members) if weights is None else weights}
    return TABLES[PYTHON]["choices"](asked)


def _of_cuts(asked: AskedDraw, p: Any) -> Sequence[Fraction]:
    """The probabilities of `choice`: how many cumulated floats are at most the uniform one."""
    cuts = np.array(p, dtype=np.float64).cumsum()
    cuts /= cuts[-1]
    _doubles(asked).has_doubles = True
    return weights_of_cuts(tuple(cuts.tolist()))[: len(cuts)]


def _of_sums(asked: AskedDraw, weights: Any) -> Sequence[Fraction]:
    """The probabilities of `random.choices`: how many sums of weights are at most random()·total."""
    sums: list[Any] = [weights[0]]
    for one in weights[1:]:
        sums.append(sums[-1] + one)
    total = sums[-1] + 0.0
    _doubles(asked).has_doubles = True
    place = FloatFunction.of("mul", operator.mul, whole_numbers(float, 2.0**-53), total)
    firsts = [0, *(_first(place, one) for one in sums[:-1]), _GRID]
    return [Fraction(after - first, _GRID) for first, after in pairwise(firsts)]


def _first(place: FloatFunction, bound: Any) -> int:
    """The first k of which the function is at least this."""
    cut, is_reached = first_change(FloatFunction.of("ge", operator.ge, place, bound), 0, _GRID - 1)
    return cut if cut is not None else 0 if is_reached else _GRID


def _weighed(handler: Handler, weigh: Callable[[AskedDraw, Any], Any]) -> Handler:
    """A draw of members, with weights as doubles make them."""

    def drawn(asked: AskedDraw) -> Any:
        asked.weigh = partial(weigh, asked)
        return handler(asked)

    return drawn


def _documented(name: str, handler: Handler) -> Handler:
    """A draw whose law is documented, and approximated by its algorithm."""

    def drawn(asked: AskedDraw) -> Any:
        _doubles(asked).documented.add(name)
        return handler(asked)

    return drawn


_RATES = ("binomial", "geometric", "hypergeometric")
_EXACT = ("integers", "randint", "randrange", "shuffle", "permutation", "sample", "getrandbits", "seed", "choice")


def _table(kind: str, own: Mapping[str, Handler]) -> Mapping[str, Handler]:
    known = TABLES[kind]
    exact = {name: known[name] for name in _EXACT if name in known}
    return exact | {name: _documented(name, known[name]) for name in _RATES if name in known} | dict(own)


_NUMPY: Mapping[str, Handler] = {
    "uniform": _uniform,
    "laplace": _noise(numpy_laplace),
    "gumbel": _noise(numpy_gumbel),
    "logistic": _noise(numpy_logistic),
    "choice": _weighed(_choice, _of_cuts),
}
DOUBLE_TABLES = {
    **TABLES,
    GENERATOR: _table(GENERATOR, {**_NUMPY, "random": _random}),
    STATE: _table(
        STATE,
        {**_NUMPY, **dict.fromkeys(("random", "rand", "random_sample"), lambda asked: _drawn(asked, float))},
    ),
    PYTHON: _table(
        PYTHON,
        {
            "random": lambda asked: _drawn(asked, float),
            "uniform": _uniform,
            "expovariate": _of_rate,
            "choices": _weighed(_choices, _of_sums),
        },
    ),
}
