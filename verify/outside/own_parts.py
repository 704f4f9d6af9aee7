"""The functions of this program that a process of foreign code relies on, compared with what they were."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from types import FunctionType
from typing import Any

from stirred.spec.arguments import InputError

__all__ = ["OwnParts"]

_RELIED_ON = ("stirred.mechanisms.", "stirred.verify.laws.", "stirred.verify.outside.", "json.")
"""What runs a mechanism, and writes down what it did; verdicts are another process's."""


class OwnParts:
    """The functions, as they are now."""

    def __init__(self) -> None:
        self._before = dict(_functions())

    def check_unchanged(self) -> None:
        """Compare with what is there now.

        Raises:
            InputError: a function was replaced.
        """
        now = dict(_functions())
        for name, code in self._before.items():
            if now.get(name) is not code:
                raise InputError(f"the code must not change {name}, which audits it")


def _functions() -> Iterator[tuple[str, object]]:
    modules = [(name, module) for name, module in [*sys.modules.items()] if module is not None]
    holders: list[tuple[str, Mapping[str, Any]]]
    holders = [(name, vars(module)) for name, module in modules if f"{name}.".startswith(_RELIED_ON)]
    for holder, contents in holders:  # it grows
        for name, value in [*contents.items()]:
            if isinstance(value, FunctionType):
                yield f"{holder}.{name}", value.__code__
            elif isinstance(value, type) and value.__module__ == holder:
                holders.append((f"{holder}.{name}", vars(value)))
