"""The functions of sentences, each after paying what it costs."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial, reduce
from itertools import combinations, permutations, product
from typing import Any

from .enclosures import OO, Real, UndecidedError, enclosed
from .operations import OPERATORS, whole
from .price import Account, require

__all__ = ["FUNCTIONS", "gathered", "in_order", "text"]


def text(account: Account, value: Any) -> str:
    """A value as text, by which the members of a set are ordered, and cases are told apart."""
    account.weighed(value)
    return _text(value)


def _text(value: Any) -> str:
    require(not isinstance(value, Real), "an enclosed number has no text to be ordered by")
    if isinstance(value, tuple):
        return f"({', '.join(map(_text, value))})"
    if isinstance(value, (frozenset, dict)):
        inner = ", ".join(sorted(map(_text, value.items() if isinstance(value, dict) else value)))
        return f"map {{{inner}}}" if isinstance(value, dict) else f"{{{inner}}}"
    return repr(value) if isinstance(value, str) else "oo" if value is OO else str(value)


def in_order(account: Account, values: Any) -> tuple[Any, ...]:
    """The parts of a tuple, a set, a map, or of a comprehension: of a set in the order of their texts."""
    require(isinstance(values, (tuple, frozenset, dict, Iterator)), "a list must be a tuple, a set or a map")
    if isinstance(values, Iterator):
        return tuple(_held(account, values))
    if isinstance(values, frozenset):
        _compared(account, values)
        return tuple(sorted(values, key=_text))
    account.hold(1 + len(values))
    return tuple(values)


def _until(account: Account, values: Any) -> Any:
    """What any and all look at: a comprehension only up to the first that decides."""
    return values if isinstance(values, Iterator) else in_order(account, values)


def _held(account: Account, values: Iterator[Any]) -> Iterator[Any]:
    for value in values:
        account.hold(2)
        yield value


def _compared(account: Account, values: Any) -> None:
    """Pay for sorting: each is compared with few others, but the longest number perhaps with all."""
    steps, _, longest = account.size(values)
    times = 1 + len(values).bit_length()
    account.pay(times * (steps + len(values) * (longest >> 6)))


def gathered(account: Account, values: Any) -> frozenset[Any]:
    """The set of values."""
    listed = values if isinstance(values, frozenset) else in_order(account, values)
    return frozenset(account.hashed(tuple(listed)))


def _extreme(relation: Callable[[Any, Any], bool], account: Account, *values: Any) -> Any:
    """The least or the largest; of reals that meet, the interval that it lies in."""
    items = values if len(values) > 1 else in_order(account, values[0])
    _compared(account, items)
    found: Any = items[0] if items else (OO if relation is operator.lt else 0)
    for item in items[1:]:
        try:
            found = item if relation(item, found) else found
        except UndecidedError:
            one, other = (item, found) if isinstance(item, Real) else (found, item)
            choose = min if relation is operator.lt else max
            low, high = map(choose, one.ends, one.of(other).ends)
            found = Real(low, high, one.account)
    return found


def _sum(account: Account, values: Any, start: Any = 0) -> Any:
    return reduce(partial(OPERATORS["+"], account), in_order(account, values), start)


def _has_sets(value: Any) -> bool:
    return isinstance(value, frozenset) or (isinstance(value, tuple) and any(map(_has_sets, value)))


def _sorted(account: Account, values: Any) -> tuple[Any, ...]:
    items = in_order(account, values)
    _compared(account, items)
    with suppress(TypeError):  # sets are only partly ordered: after their texts instead, with the empty one first
        return tuple(sorted(items, key=(lambda one: _text(one).replace("}", " }")) if _has_sets(items) else None))
    return tuple(sorted(items, key=_text))


def _enumerated(account: Account, values: Any) -> tuple[Any, ...]:
    items = in_order(account, values)
    account.hold(8 * len(items))
    return tuple(enumerate(items))


def _zipped(account: Account, *lists: Any) -> tuple[Any, ...]:
    listed = [in_order(account, one) for one in lists]
    account.hold(sum(map(len, listed)))
    return tuple(zip(*listed, strict=False))


def _of_key(account: Account, pairs: Any, key: Any, other: Any) -> Any:
    return pairs.get(account.weighed(key), other)


def _range(account: Account, *ends: Any) -> tuple[int, ...]:
    found = range(*map(whole, ends))
    account.hold(1 + max(0, (found.stop - found.start) // found.step + 1))
    return tuple(found)


def _product(account: Account, *lists: Any) -> tuple[Any, ...]:
    listed = [in_order(account, one) for one in lists]
    account.hold((len(listed) + 6) * math.prod(map(len, listed)))
    return tuple(product(*listed))


def _permutations(account: Account, values: Any) -> tuple[Any, ...]:
    items = in_order(account, values)
    account.hold((len(items) + 6) * math.factorial(min(len(items), 20)))
    return tuple(permutations(items))


def _subsets(account: Account, one: Any) -> tuple[Any, ...]:
    items = in_order(account, one)
    account.hold((4 * len(items) + 16) << min(len(items), 60))
    account.weighed((items,) * (1 << len(items)))
    return tuple(frozenset(c) for n in range(len(items) + 1) for c in combinations(items, n))


def _count(count: Callable[..., int], account: Account, *numbers: Any) -> int:
    """A number of arrangements, of at most so many bits as its largest number to its own power."""
    integers = [*map(whole, numbers)]
    times = integers[0] if len(integers) == 1 else min(integers[1], integers[0] - integers[1])
    account.long(max(integers).bit_length() * max(0, times))
    return count(*integers)


def _derangements(n: int) -> int:
    return reduce(lambda found, k: k * found + (-1) ** k, range(1, n + 1), 1)


def _enclosed(name: str, account: Account, number: Any) -> Any:
    account.long(account.bits(number))
    return enclosed(name, account, number)


def _floor(account: Account, number: Any) -> Any:
    account.long(account.bits(number))
    return math.floor(number)


def _absolute(account: Account, number: Any) -> Any:
    return number if account.weighed(number) >= 0 else -number


FUNCTIONS: Mapping[str, Callable[..., Any]] = {
    "len": lambda _, values: len(values),
    "sum": _sum,
    "any": lambda account, values: any(_until(account, values)),
    "all": lambda account, values: all(_until(account, values)),
    "factorial": partial(_count, math.factorial),
    "comb": partial(_count, math.comb),
    "derangements": partial(_count, _derangements),
    "floor": _floor,
    "min": partial(_extreme, operator.lt),
    "max": partial(_extreme, operator.gt),
    "abs": _absolute,
    "sorted": _sorted,
    "set": gathered,
    "tuple": in_order,
    "enumerate": _enumerated,
    "zip": _zipped,
    "items": lambda account, pairs: in_order(account, tuple(pairs.items())),
    "get": _of_key,
    "range": _range,
    "product": _product,
    "permutations": _permutations,
    "subsets": _subsets,
    **{name: partial(_enclosed, name) for name in ("exp", "ln", "sqrt")},
}
"""The functions of expressions, by name; each is given the account that it pays from."""
