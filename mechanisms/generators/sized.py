"""The `size` of NumPy's methods: one draw, or an array of independent ones, broadcast over their parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from stirred.mechanisms.generators.undrawn import Undrawn
from stirred.mechanisms.unbounded_draw import Draw

__all__ = ["array_of", "sized"]


def sized(size: Any, draw: Callable[..., Any], *parameters: Any, kind: Any = np.int64) -> Any:
    """One draw where no size is given and no parameter is an array, else an array of them.

    Args:
        size: None, a number, or a shape.
        draw: of one value of each parameter.
        parameters: numbers or arrays.
        kind: of integers in an array.

    Raises:
        ValueError: the parameters do not fit the size.
    """
    if size is None and not any(np.ndim(one) for one in parameters):
        return draw(*(_scalar(one) for one in parameters))
    arrays = np.broadcast_arrays(*map(np.asarray, parameters)) if parameters else []
    shape = (arrays[0].shape if arrays else ()) if size is None else tuple(int(n) for n in np.atleast_1d(size))
    if size is not None and np.ndim(size) == 1 and not len(size):
        shape = ()
    spread = [np.broadcast_to(one, shape) for one in arrays]
    return array_of(shape, [draw(*(one[place] for one in spread)) for place in np.ndindex(*shape)], kind)


def array_of(shape: tuple[int, ...], values: list[Any], kind: Any) -> Any:
    """An array of drawn numbers, of objects where one is not drawn yet."""
    is_open = any(isinstance(value, (Undrawn, Draw)) for value in values)
    made = np.empty(shape, dtype=object if is_open else kind)
    for place, value in zip(np.ndindex(*shape), values, strict=True):
        made[place] = value
    return made


def _scalar(value: Any) -> Any:
    return value[()] if isinstance(value, np.ndarray) else value
