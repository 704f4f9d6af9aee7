"""Arrays that NumPy makes without writing to them: they hold what was in memory, which two runs seldom share."""

import functools
import sys
from collections.abc import Callable, Iterator
from typing import Any

from stirred.spec.arguments import InputError

_BYTE = 1 + hash("memory") % 255
"""What such memory is filled with: in each process something else."""

_MADE: list[Any] = []
"""The arrays that the user's own code asked for, in this call."""

_MOST, _LATEST = 4_096, 64
_WIDE = 4
"""Bytes of an element that nobody writes by chance."""


def filled_numpy(is_own: Callable[[str], bool]) -> Iterator[tuple[Any, Any]]:
    """The functions of NumPy that make them, with what fills them and remembers those of the user's own code.

    Code that writes to all places before it reads them goes on as it did. Other code is refused where it leaves places
    unwritten, and otherwise two processes do not agree.

    Args:
        is_own: whether a source file is the user's.
    """
    numpy = sys.modules.get("numpy")

    def filling(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def filled(*arguments: Any, **named: Any) -> Any:
            found = original(*arguments, **named)
            if type(found).__name__ == "ndarray" and found.size and not found.dtype.hasobject:
                found.ravel(order="K").view("u1")[:] = _BYTE
                if is_own(sys._getframe(1).f_code.co_filename):
                    _MADE.append(found)
                    if len(_MADE) > _MOST:
                        _check(_MADE[:-_LATEST])
                        del _MADE[:-_LATEST]
            return found

        filled.__module__ = __name__
        return filled

    for name in ("empty", "empty_like"):
        original = getattr(numpy, name, None)
        if callable(original) and getattr(original, "__module__", None) != __name__:
            setattr(numpy, name, filling(original))
            yield original, getattr(numpy, name)


def check_written() -> None:
    """Refuse arrays of the call with places that were not written to.

    Raises:
        InputError: there is one.
    """
    made = _MADE[:]
    _MADE.clear()
    _check(made)


def _check(made: list[Any]) -> None:
    for array in made:
        width = array.dtype.itemsize
        untouched = (array.ravel(order="K").view("u1").reshape(-1, width) == _BYTE).all(axis=1)
        if untouched.any() if width >= _WIDE else untouched.all():
            raise InputError(
                "np.empty holds what the memory held before, where nothing is written to it: fill it, or take np.zeros"
            )
