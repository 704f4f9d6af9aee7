"""The functions of the language of cases."""

import ast
import itertools
import math
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from stirred.verify.evidence.certificates.case_arithmetic import CaseArithmetic, as_exact, as_plain
from stirred.verify.evidence.certificates.case_values import shown_value
from stirred.verify.evidence.certificates.decimal_interval import Interval, UndecidedError
from stirred.verify.evidence.certificates.exact_number import MAX_EXPONENT, WitnessError
from stirred.verify.evidence.certificates.formula import derangements

_MAX_ITEMS = 200_000


def _listed(values: Any) -> tuple[Any, ...]:
    if not isinstance(values, (tuple, frozenset, dict)) or isinstance(values, Interval):
        raise WitnessError(f"must be a tuple, set or map: {shown_value(values)}")
    return tuple(sorted(values, key=shown_value)) if isinstance(values, frozenset) else tuple(values)


def _whole(number: Any) -> int:
    whole = isinstance(number, int) or (isinstance(number, Fraction) and number.denominator == 1)
    if not whole or abs(number) > MAX_EXPONENT:
        raise WitnessError(f"must be an integer of at most {MAX_EXPONENT}: {shown_value(number)}")
    return int(number)


def _bounded(this: CaseArithmetic, size: int) -> None:
    if size > _MAX_ITEMS:
        raise UndecidedError("it takes too long to compute")
    this.work.spend(500 * size)


def _sum(this: CaseArithmetic, values: Any, start: Any = 0) -> Any:
    for value in _listed(values):
        start = this.combine(ast.Add(), start, value)
    return start


def _extreme(op: ast.cmpop) -> Callable[..., Any]:
    def of(this: CaseArithmetic, *values: Any) -> Any:
        items = _listed(values[0]) if len(values) == 1 else values
        if not items:
            return None if isinstance(op, ast.Lt) else 0  # of no distances
        found = items[0]
        for item in items[1:]:
            found = this.extreme(op, found, item)
        return found

    return of


def _quantified(*, decided: bool) -> Callable[..., bool]:
    def of(_: CaseArithmetic, values: Any) -> bool:
        if not all(isinstance(value, bool) for value in _listed(values)):
            raise WitnessError("any and all take truth values")
        return (decided in _listed(values)) is decided

    return of


def _ordered(_: CaseArithmetic, values: Any) -> tuple[Any, ...]:
    items = _listed(values)
    try:
        return tuple(sorted(items))
    except TypeError:
        return tuple(sorted(items, key=shown_value))


def _range(this: CaseArithmetic, *ends: Any) -> tuple[int, ...]:
    found = range(*map(_whole, ends))
    _bounded(this, len(found))
    return tuple(found)


def _product(this: CaseArithmetic, *factors: Any) -> tuple[Any, ...]:
    lists = list(map(_listed, factors))
    _bounded(this, math.prod(map(len, lists)))
    return tuple(itertools.product(*lists))


def _permutations(this: CaseArithmetic, values: Any) -> tuple[Any, ...]:
    items = _listed(values)
    _bounded(this, math.factorial(min(len(items), 10)))
    return tuple(itertools.permutations(items))


def _subsets(this: CaseArithmetic, values: Any) -> tuple[Any, ...]:
    items = _listed(values)
    _bounded(this, 2 ** min(len(items), 30))
    chosen = (itertools.combinations(items, size) for size in range(len(items) + 1))
    return tuple(frozenset(one) for one in itertools.chain.from_iterable(chosen))


def _count(function: Callable[..., int]) -> Callable[..., int]:
    def of(this: CaseArithmetic, *numbers: Any) -> int:
        integers = list(map(_whole, numbers))
        if min(integers) < 0:
            raise WitnessError("a count must be of non-negative integers")
        this.work.spend(max(integers) ** 2 + 1_000)
        return function(*integers)

    return of


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "len": lambda _, values: len(_listed(values)),
    "sum": _sum,
    "min": _extreme(ast.Lt()),
    "max": _extreme(ast.Gt()),
    "any": _quantified(decided=True),
    "all": _quantified(decided=False),
    "abs": lambda this, number: number if this.related(ast.GtE(), number, 0) else this.combine(ast.Sub(), 0, number),
    "sorted": _ordered,
    "set": lambda _, values: frozenset(_listed(values)),
    "tuple": lambda _, values: _listed(values),
    "enumerate": lambda _, values: tuple(enumerate(_listed(values))),
    "zip": lambda _, *values: tuple(zip(*map(_listed, values), strict=False)),
    "items": lambda _, pairs: tuple(pairs.items()),
    "get": lambda _, pairs, key, default: pairs.get(key, default),
    "range": _range,
    "product": _product,
    "permutations": _permutations,
    "subsets": _subsets,
    "factorial": _count(math.factorial),
    "comb": _count(math.comb),
    "derangements": _count(derangements),
    "floor": lambda this, number: int(this.outward.floor(as_exact(number))),
    "ln": lambda this, number: as_plain(this.outward.ln(as_exact(number))),
    "exp": lambda this, number: as_plain(this.outward.exp(as_exact(number))),
    "sqrt": lambda this, number: as_plain(this.outward.sqrt(as_exact(number))),
}
"""The functions; `min` of nothing is oo, `max` of nothing is 0; a set is listed in the order of its texts."""
