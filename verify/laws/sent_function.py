"""A function of this process in a new interpreter: its own code by value, what it names of libraries by name.

A copy of a process has its hashes of texts and its addresses; a new interpreter has others, so that what depends on
them differs. What cannot be taken there (a class of a notebook, a module that must not be imported) stays, and the
scope of the audit says so.
"""

import base64
import functools
import importlib
import io
import marshal
import pickle
from collections.abc import Callable, Mapping
from types import CellType, FunctionType, ModuleType
from typing import Any

from stirred.mechanisms.reading.assignments import mentioned
from stirred.verify.laws.reachable_state import closed_over, named_globals, names_of


def carried(value: Any, is_own: Callable[[str], bool]) -> str | None:
    """A text from which `unpacked` makes the value again in another interpreter; None where there is none.

    Args:
        value: functions, and what else can be pickled.
        is_own: whether a source file is the user's own; functions of libraries go by their names.

    >>> unpacked(carried((len, {"a", "b"}), lambda file: False)) == (len, {"a", "b"})
    True
    """
    file = io.BytesIO()
    try:
        _Carrier(file, is_own).dump(value)
    except Exception:  # whatever the user's own objects raise when they are asked
        return None
    return base64.b85encode(file.getvalue()).decode()


def unpacked(text: str) -> Any:
    """The value again."""
    return pickle.loads(base64.b85decode(text))  # noqa: S301 the user's own objects, where the user's own code may run


class _Carrier(pickle.Pickler):
    def __init__(self, file: io.BytesIO, is_own: Callable[[str], bool]) -> None:
        super().__init__(file)
        self._is_own = is_own

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, ModuleType):
            return importlib.import_module, (value.__name__,)
        if isinstance(value, functools._lru_cache_wrapper):
            parameters = value.cache_parameters()
            return _cached, (value.__wrapped__, parameters["maxsize"], parameters["typed"])
        if isinstance(value, FunctionType) and self._is_own(value.__code__.co_filename):
            return _function, (marshal.dumps(value.__code__), value.__qualname__), _state(value), None, None, _set_state
        return NotImplemented


def _state(function: FunctionType) -> tuple[dict[str, Any], ...]:
    """What a function has besides its code: of globals and attributes, those that its code names."""
    names = (*names_of(function.__code__), "__wrapped__")
    attributes = {name: value for name, value in vars(function).items() if name in names}
    attributes |= {name: getattr(function, name) for name in ("__module__", "__defaults__", "__kwdefaults__")}
    file = function.__globals__.get("__file__")
    place = {"__name__": function.__module__, "__file__": file}
    return place | _with_mentioned(function, str(file)), attributes, closed_over(function)


def _with_mentioned(function: FunctionType, file: str) -> dict[str, Any]:
    """The globals that a function names, with those by which they and its defaults are computed."""
    names, found = function.__globals__, named_globals(function)
    left: list[str | int] = [function.__code__.co_firstlineno, *found]
    while left:
        place = left.pop()
        if not isinstance(found.get(str(place)), (FunctionType, type, ModuleType)):
            new = [one for one in mentioned(file, place) if one in names and one not in found]
            found |= {one: names[one] for one in new}
            left += new
    return found


def _function(code: bytes, name: str) -> FunctionType:
    loaded = marshal.loads(code)  # noqa: S302 as above
    cells = tuple(CellType() for _ in loaded.co_freevars)
    function = FunctionType(loaded, {"__builtins__": __builtins__}, loaded.co_name, None, cells)
    function.__qualname__ = name
    return function


def _set_state(function: FunctionType, state: tuple[Mapping[str, Any], ...]) -> None:
    variables, attributes, closed = state
    function.__globals__.update(variables)
    for name, value in attributes.items():
        setattr(function, name, value)
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if name in closed:
            cell.cell_contents = closed[name]


def _cached(function: Callable[..., Any], size: int | None, is_typed: bool) -> Any:
    return functools.lru_cache(maxsize=size, typed=is_typed)(function)
