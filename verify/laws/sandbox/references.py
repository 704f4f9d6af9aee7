"""What has taken the places of other objects in this process: in the names of modules, and where a function reaches it.

`from time import time` copies a reference into the module that says so, where a later replacement of `time.time` does
not reach it. So the names of all loaded modules are changed too; and what a mechanism reaches besides, in containers,
closures, defaults and slots, where it is looked into (`verify.laws.reachable_state`).
"""

import functools
import random
import sys
from collections.abc import Callable, Sequence
from types import BuiltinFunctionType, MethodType
from typing import Any

from stirred.verify.laws.sandbox.refused import never

_REPLACED: dict[int, tuple[Any, Any]] = {}
"""Originals, which are kept so that no other object gets one of their ids, with what has taken their places."""


def replace_names(pairs: Sequence[tuple[Any, Any]], is_spared: Callable[[str], bool] = lambda _: False) -> None:
    """Put the second object of each pair in the place of the first: now in modules, and in whatever is `renewed`.

    Args:
        pairs: originals with what takes their places.
        is_spared: whether the module of a name keeps what it has.
    """
    made = {id(original): new for original, new in pairs}
    _REPLACED.update((id(original), (original, new)) for original, new in pairs)
    for module in [module for name, module in sys.modules.items() if made and not is_spared(name)]:
        names = getattr(module, "__dict__", {})
        for name, value in list(names.items()):
            if id(value) in made:
                names[name] = made[id(value)]


def renewed(value: Any) -> Any:
    """What stands for a value now, with what tuples and partial applications hold; else the value itself."""
    while id(value) in _REPLACED:
        value = _REPLACED[id(value)][1]
    if isinstance(value, (BuiltinFunctionType, MethodType)):  # a method that was taken before its class refused
        if _draws(value.__self__):
            return never(f"a generator's {value.__name__}")
        if (kind := type(value.__self__)).__module__ == "sqlite3":
            return never(f"{kind.__module__}.{kind.__name__}")
    if type(value) is tuple:
        parts = tuple(map(renewed, value))
        return value if all(map(_is, parts, value)) else parts
    if type(value) is functools.partial:
        function, arguments = renewed(value.func), renewed(value.args)
        if function is not value.func or arguments is not value.args:
            return functools.partial(function, *arguments, **value.keywords)
    return value


def _is(one: Any, other: Any) -> bool:
    return one is other


def _draws(holder: Any) -> bool:
    return isinstance(holder, random.Random) or str(type(holder).__module__).startswith("numpy.random.")
