"""The functions of this program that a process of foreign code relies on, compared with what they were."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import FunctionType

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
    for name, module in list(sys.modules.items()):
        if f"{name}.".startswith(_RELIED_ON) and module is not None:
            for place, value in list(vars(module).items()):
                if isinstance(value, FunctionType):
                    yield f"{name}.{place}", value.__code__
                elif isinstance(value, type) and value.__module__ == name:
                    for method, function in list(vars(value).items()):
                        if isinstance(function, FunctionType):
                            yield f"{name}.{place}.{method}", function.__code__
