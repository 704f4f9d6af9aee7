"""Methods of types, built-in ones too, replaced in this process, also where the interpreter calls them by no name.

A type of the interpreter's own cannot be changed by Python code: its flag that says so is lifted for a moment. This is
for processes that run foreign code and end soon. Where the interpreter is built otherwise than CPython is, nothing
happens, and the functions say so.
"""

import ctypes
import functools
import gc
import sys
from typing import Any

_IS_IMMUTABLE = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE
_WORD = ctypes.sizeof(ctypes.c_void_p)
_KINDS = (set, frozenset, dict, list, int, str)


def replace_method(kind: type, name: str, function: Any) -> bool:
    """Put a function in the place of a method of a type, and of what the interpreter calls for it.

    Returns:
        Whether that could be done.
    """
    if not kind.__flags__ & _IS_IMMUTABLE:
        setattr(kind, name, function)
        return True
    if (place := _place_of_flags()) is None:
        return False
    (names,) = gc.get_referents(vars(kind))
    names[name] = function  # since Python 3.12 the attribute of a built-in type is not stored here
    flags = _flags(kind, place)
    flags.value &= ~_IS_IMMUTABLE
    try:
        setattr(kind, name, function)
    finally:
        flags.value |= _IS_IMMUTABLE
    return True


@functools.cache
def _place_of_flags() -> int | None:
    """Where a type has its flags; None where the interpreter is another one."""
    size: Any = type.__basicsize__
    fitting = (p for p in range(0, size, _WORD) if all(_flags(one, p).value == one.__flags__ for one in _KINDS))
    return next(fitting, None) if sys.implementation.name == "cpython" else None


def _flags(kind: type, place: int) -> ctypes.c_ulong:
    return ctypes.c_ulong.from_address(id(kind) + place)
