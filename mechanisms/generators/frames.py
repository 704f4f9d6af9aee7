"""What libraries ask of a number in compiled code takes none that is not drawn: they would see an object.

Frames of pandas tell it by their dtype, `pandas.api.types` by its class, and an encoder of JSON hands it to a hook.
"""

import json
import sys
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

import numpy as np

from stirred.mechanisms.draws.unbounded_draw import Draw, refuse_value
from stirred.mechanisms.generators.sized import UndrawnArray, refuse
from stirred.mechanisms.generators.undrawn import Undrawn

_WATCHED = (
    *(("Series", name) for name in ("__init__", "__setitem__")),
    *(("DataFrame", name) for name in ("__init__", "__setitem__", "insert")),
    ("Index", "__new__"),
    *((name, "__setitem__") for name in ("_LocationIndexer", "_ScalarAccessIndexer")),
)
"""Where values enter."""


def watch_json() -> None:
    """Refuse numbers that are not drawn in what is encoded as JSON in this process, from now on and for good."""
    for name in ("encode", "iterencode"):
        original = vars(json.JSONEncoder)[name]
        if not hasattr(original, "watched"):
            setattr(json.JSONEncoder, name, _asking(original))


def watch_frames() -> list[tuple[Any, Any]]:
    """Refuse, from now on and for good, numbers that are not drawn in what pandas makes or changes in this process.

    Returns:
        Functions that ask for the class of a number, with what takes their place.
    """
    pandas = sys.modules.get("pandas")
    if pandas is None:
        return []
    pairs = []
    for name, original in vars(pandas.api.types).copy().items():
        if name.startswith("is_") and callable(original) and not hasattr(original, "watched"):
            setattr(pandas.api.types, name, _asking(original))
            pairs.append((original, getattr(pandas.api.types, name)))
    for kind, name in _WATCHED:
        holder = getattr(pandas, kind, None) or getattr(sys.modules["pandas.core.indexing"], kind)
        original = vars(holder)[name]
        function = getattr(original, "__func__", original)
        if not hasattr(function, "watched"):
            watching = _watching(function)
            setattr(holder, name, staticmethod(watching) if name == "__new__" else watching)
    return pairs


def _asking(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def asked(*arguments: Any, **named: Any) -> Any:
        for one in arguments:
            _refuse_open(one)
        return original(*arguments, **named)

    vars(asked)["watched"] = True
    return asked


def _refuse_open(value: Any) -> None:
    """Refuse numbers that are not drawn, in lists and dictionaries of them too."""
    if type(value) is Undrawn:
        refuse(value.undrawn[0].run, "the class")
    if type(value) is UndrawnArray:
        refuse(value.undrawn_run, "the class")
    if type(value) is Draw:
        refuse_value()
    members = (
        [*value, *value.values()] if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    )
    for one in members:
        _refuse_open(one)


def _watching(original: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(original)
    def watched(first: Any, *arguments: Any, **named: Any) -> Any:
        found = original(first, *arguments, **named)
        _check(first if found is None else found)
        return found

    vars(watched)["watched"] = True
    return watched


def _check(held: Any) -> None:
    for array in _arrays(getattr(held, "obj", held)):
        if isinstance(array, UndrawnArray):
            refuse(array.undrawn_run, "a column of pandas")
        for one in array.flat if isinstance(array, np.ndarray) and array.dtype == object else ():
            if type(one) is Undrawn:
                refuse(one.undrawn[0].run, "a column of pandas")
            if type(one) is Draw:
                refuse_value()


def _arrays(held: Any) -> Iterator[Any]:
    manager = getattr(held, "_mgr", None)
    yield from manager.arrays if manager is not None else [getattr(held, "_values", None)]
