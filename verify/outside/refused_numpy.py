"""The random numbers of NumPy, and generators that exist already, refused."""

from __future__ import annotations

import _random
import gc
import importlib.abc
import importlib.machinery
import sys
from collections.abc import Iterator, Sequence
from types import BuiltinMethodType, MethodType, ModuleType
from typing import Any

from stirred.verify.outside.refused import never, refused

__all__ = ["NumpyRandomFinder", "generators", "replaced_numpy"]

_BASE_GENERATOR = _random.Random  # before its name is refused


def replaced_numpy() -> Iterator[tuple[Any, Any]]:
    """Every function and every generator of numpy.random, where it has been imported, with what refuses it."""
    for module_name in [name for name in sys.modules if f"{name}.".startswith("numpy.random.")]:
        for name, value in list(vars(sys.modules[module_name]).items()):
            if callable(value) and not name.startswith("__"):
                setattr(sys.modules[module_name], name, never(f"{module_name}.{name}"))
                yield value, getattr(sys.modules[module_name], name)


def generators() -> Iterator[tuple[Any, Any]]:
    """Generators of random numbers that exist already, and methods that are bound to them."""
    numpy_kinds = tuple(
        one
        for one in object.__subclasses__()
        if str(one.__module__).startswith("numpy.random.")  # a class may have a property of that name
        and one.__name__ in ("BitGenerator", "Generator", "RandomState")
    )
    for one in gc.get_objects():
        if type(one) in (BuiltinMethodType, MethodType):
            if isinstance(one.__self__, (_BASE_GENERATOR, *numpy_kinds)):
                yield one, never(f"{type(one.__self__).__name__}.{one.__name__}")
        elif isinstance(one, numpy_kinds):
            yield one, _RefusedGenerator()


class _RefusedGenerator:
    """What takes the place of a generator."""

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(name) if name.startswith("__") else refused(f"a generator's {name}")


class NumpyRandomFinder(importlib.abc.MetaPathFinder):
    """Has numpy.random refuse everything as soon as it is imported."""

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if name != "numpy.random":
            return None
        found = importlib.machinery.PathFinder.find_spec(name, path, target)
        if found is not None and found.loader is not None:
            found.loader = _RandomLoader(found.loader)
        return found


class _RandomLoader(importlib.abc.Loader):
    def __init__(self, loader: Any) -> None:
        self._loader = loader

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType | None:
        module: ModuleType | None = self._loader.create_module(spec)
        return module

    def exec_module(self, module: ModuleType) -> None:
        self._loader.exec_module(module)
        list(replaced_numpy())
