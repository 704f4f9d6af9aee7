"""Public names of a package, and libraries, that are loaded on first use: no command loads what it does not need."""

import sys
from collections.abc import Callable
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

_AS_TREE = 0x400
"""What makes `compile` give the tree of a text, as `ast.parse` does; that module is not loaded for it."""


def on_first_use(package: dict[str, Any]) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """The `__getattr__`, `__dir__` and `__all__` of a package, from its own `if TYPE_CHECKING:` block.

    That block imports each public name once, `from home import name as name`, for type checkers and editors; here the
    same lines say where a name is loaded from when it is first asked for.

    Args:
        package: its globals, which keep what was loaded.

    >>> import stirred
    >>> load, _, names = on_first_use({**vars(stirred)})
    >>> load("Fraction"), "audit" in names
    (<class 'fractions.Fraction'>, True)
    """
    name = package["__name__"]
    homes = _homes(package["__loader__"].get_data(package["__file__"]).decode())

    def load(public: str) -> Any:
        if public not in homes:
            raise AttributeError(f"module {name!r} has no attribute {public!r}")
        home = import_module(homes[public])
        value = package[public] = (
            getattr(home, public) if hasattr(home, public) else import_module(f"{homes[public]}.{public}")
        )
        return value

    public_names = sorted(homes)
    return load, lambda: public_names, public_names


def _homes(text: str) -> dict[str, str]:
    """From each name that is imported in a block at the top of a text to the module that it is taken from."""
    tree: Any = compile(text, "<names>", "exec", _AS_TREE)
    blocks = (node.body for node in tree.body if type(node).__name__ == "If")
    return {one.name: line.module for block in blocks for line in block for one in getattr(line, "names", ())}


class Library(ModuleType):
    """A library that stands for itself where it is imported, and is loaded when it is first asked for something.

    >>> json = Library("json")
    >>> "dumps" in vars(json), json.dumps([1]), "dumps" in vars(json)
    (False, '[1]', True)
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__ = ModuleSpec(name, None)  # who asks whether it is there is told so

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        vars(self).update(vars(import_module(self.__name__)))
        return vars(self)[name] if name in vars(self) else super().__getattribute__(name)
