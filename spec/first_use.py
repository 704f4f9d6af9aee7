"""Names of a package that are loaded on first use, so that no command loads what it does not need."""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any


def on_first_use(package: dict[str, Any], homes: Mapping[str, Sequence[str]]) -> Callable[[str], Any]:
    """What a package needs as its `__getattr__`.

    Args:
        package: its globals, which keep what was loaded.
        homes: from each module to the names that the package takes from it; its own name is the module.

    >>> on_first_use({"__name__": "p"}, {"fractions": ("Fraction",)})("Fraction")
    <class 'fractions.Fraction'>
    """

    def loaded(name: str) -> Any:
        for home, names in homes.items():
            if name in names:
                module = import_module(home)
                value = package[name] = module if home.endswith(f".{name}") else getattr(module, name)
                return value
        raise AttributeError(f"module {package['__name__']!r} has no attribute {name!r}")

    return loaded
