"""The random numbers of NumPy, generators that exist already, and memory that nobody has written to."""

from __future__ import annotations

import _random
import functools
import gc
import sys
from collections.abc import Callable, Iterator
from types import BuiltinMethodType, MethodType
from typing import Any

from stirred.verify.outside.refused import never, refused

__all__ = ["filled_numpy", "generators", "replaced_numpy"]

_BASE_GENERATOR = _random.Random  # before its name is refused


def replaced_numpy(refusing: Callable[[str, Callable[..., Any]], Callable[..., Any]]) -> Iterator[tuple[Any, Any]]:
    """Every function and every generator of numpy.random, where it has been imported, with what refuses it.

    In the place of a class comes one of this kind that cannot be called: libraries annotate with it, and ask whether
    something is one.

    Args:
        refusing: what refuses a function of some name to the user's code.
    """

    def refused_class(name: str, kind: Any) -> Any:
        return type(kind.__name__, (kind,), {"__new__": refusing(name, kind.__new__), "__module__": kind.__module__})

    for module_name in [name for name in sys.modules if f"{name}.".startswith("numpy.random.")]:
        for name, value in list(vars(sys.modules[module_name]).items()):
            if callable(value) and not name.startswith("__"):
                made = refused_class if isinstance(value, type) else refusing
                setattr(sys.modules[module_name], name, made(f"{module_name}.{name}", value))
                yield value, getattr(sys.modules[module_name], name)


def filled_numpy() -> Iterator[tuple[Any, Any]]:
    """What makes arrays without writing to them, with what fills them: otherwise in each process, and seldom read.

    NumPy's `empty` shows whatever its memory held before. Code that writes to all places before it reads them goes on
    as it did; for other code two processes do not agree.
    """
    numpy = sys.modules.get("numpy")
    for name in ("empty", "empty_like"):
        original = getattr(numpy, name, None)
        if callable(original) and getattr(original, "__module__", None) != __name__:
            setattr(numpy, name, _filling(original))
            yield original, getattr(numpy, name)


def _filling(original: Callable[..., Any]) -> Callable[..., Any]:
    byte = 1 + hash("memory") % 255

    @functools.wraps(original)
    def filled(*arguments: Any, **named: Any) -> Any:
        found = original(*arguments, **named)
        if type(found).__name__ == "ndarray" and found.size and not found.dtype.hasobject:
            found.ravel(order="K").view("u1")[:] = byte
        return found

    filled.__module__ = __name__
    return filled


def generators() -> Iterator[tuple[Any, Any]]:
    """Generators of NumPy that exist already, and methods that are bound to them or to those of `random`.

    Of NumPy's no class knows who refers to it: they are looked for among all objects, where its classes are loaded.
    """
    numpy_kinds = tuple(
        one
        for one in object.__subclasses__()
        if str(one.__module__).startswith("numpy.random.")  # a class may have a property of that name
        and one.__name__ in ("BitGenerator", "Generator", "RandomState")
    )
    for one in gc.get_objects() if numpy_kinds else _methods_of_random():
        if type(one) in (BuiltinMethodType, MethodType):
            if (
                isinstance(one.__self__, (_BASE_GENERATOR, *numpy_kinds)) and one.__name__ != "seed"
            ):  # asked at each copy
                yield one, never(f"{type(one.__self__).__name__}.{one.__name__}")
        elif isinstance(one, numpy_kinds):
            yield one, _RefusedGenerator()


def _methods_of_random() -> list[Any]:
    """The methods that are bound to generators of `random`, found by their classes."""
    kinds = [_BASE_GENERATOR]
    for kind in kinds:
        kinds += type.__subclasses__(kind)
    found = [one for one in gc.get_referrers(*kinds) if type(one) in kinds]
    return [one for one in gc.get_referrers(*found) if type(one) in (BuiltinMethodType, MethodType)] if found else []


class _RefusedGenerator:
    """What takes the place of a generator."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name) if name.startswith("__") else refused(f"a generator's {name}")
