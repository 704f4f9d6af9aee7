"""A refusal of what is not the source's: raised, and remembered, since code can catch it and go another way."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from stirred.spec.arguments import InputError

__all__ = ["REFUSED", "never", "refused"]

REFUSED: list[InputError] = []
"""What was refused in this process so far."""


def refused(what: str, remedy: str = "") -> InputError:
    """The refusal to be raised, with what to write instead."""
    more = f"; {remedy}" if remedy else ""
    REFUSED.append(InputError(f"{what} is refused: a mechanism must depend on its data and its source only{more}"))
    return REFUSED[-1]


def never(what: str) -> Callable[..., Any]:
    """What takes the place of a function that nobody may call."""

    def called(*_: Any, **__: Any) -> Any:
        raise refused(what)

    return called
