"""The functions of this program that a process of foreign code relies on, compared with what they were."""

import sys
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

from stirred.spec.arguments import InputError

_RELIED_ON = ("stirred.mechanisms.", "stirred.verify.laws.", "stirred.verify.outside.", "json.")
"""What runs a mechanism, and writes down what it did; verdicts are another process's."""


class OwnParts:
    """The functions and classes, as they are now."""

    def __init__(self) -> None:
        relied_on = {
            name: module for name, module in sys.modules.items() if f"{name}.".startswith(_RELIED_ON) and module
        }
        self._before = [one for name, module in relied_on.items() for one in _parts(name, name, vars(module))]

    def check_unchanged(self) -> None:
        """Compare with what is there now.

        Raises:
            InputError: a function was replaced.
        """
        for name, holder, last, before in self._before:
            if _code(holder.get(last)) is not before:
                raise InputError(f"the code must not change {name}, which audits it")


def _code(value: Any) -> Any:
    return value.__code__ if isinstance(value, FunctionType) else value


def _parts(name: str, module: str, holder: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], str, Any]]:
    """The functions and classes of a module or class: what each is called, who holds it, by which name, its code."""
    for last, value in [*holder.items()]:
        is_inside = (
            isinstance(value, type)
            and value.__module__ == module
            and f"{module}.{value.__qualname__}" == f"{name}.{last}"
        )
        if is_inside or isinstance(value, FunctionType):
            yield f"{name}.{last}", holder, last, _code(value)
        if is_inside:
            yield from _parts(f"{name}.{last}", module, vars(value))
