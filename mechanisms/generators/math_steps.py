"""The functions of `math` at a number that is not drawn; anything else they are given as they are."""

import math
from collections.abc import Callable
from typing import Any

from stirred.mechanisms.generators.undrawn import Undrawn

_RISING = (
    *("log", "log2", "log10", "log1p", "exp", "exp2", "expm1", "sqrt", "cbrt", "tanh", "sinh", "asinh", "atan"),
    *("erf", "degrees", "radians"),
)


_LEAST = {**dict.fromkeys(("log", "log2", "log10"), (0, False)), "log1p": (-1, False), "sqrt": (0, True)}
"""The least number at which a function is defined, and whether it is itself; below `math` raises."""


class FollowedFunction:
    """A function of `math` that follows what is not drawn; no method of a class that has it, as a built-in one is none.

    Args:
        name: the function's.
        original: the function.

    >>> FollowedFunction("sqrt", math.sqrt)(4)
    2.0
    """

    def __init__(self, name: str, original: Callable[..., Any]) -> None:
        self.__name__ = name
        self._original = original

    def __call__(self, *arguments: Any) -> Any:
        """The function's value, or what stands for it."""
        for place, value in enumerate(arguments):
            if isinstance(value, Undrawn):
                return self._followed(place, value, arguments)
        return self._original(*arguments)

    def _followed(self, place: int, value: Undrawn, arguments: tuple[Any, ...]) -> Any:
        name, original = self.__name__, self._original
        if name == "fabs":
            return value.step("math.fabs", original, rises=not value < 0)
        if name == "copysign" and place == 1:
            return value.undrawn_value(f"copysign {arguments[0]!r}", lambda drawn: original(arguments[0], drawn))
        if place == 0 and name in _LEAST:
            least, is_possible = _LEAST[name]
            if value < least or (not is_possible and value == least):
                value.undrawn[0].run.fail(ValueError("math domain error"))
        if place == 0 and len(arguments) == 1 and name in _RISING:
            return value.step(f"math.{name}", original)
        if name == "log" and place == 0 and arguments[1] > 0:
            return value.step("math.log of a base", original, arguments[1], rises=arguments[1] > 1)
        return original(*arguments)  # which asks for the digits


def followed_math() -> list[tuple[Any, Any]]:
    """Each function of `math` that is followed, as it is now, with what follows it."""
    known = [(name, getattr(math, name)) for name in (*_RISING, "fabs", "copysign") if hasattr(math, name)]
    return [(original, FollowedFunction(name, original)) for name, original in known]
