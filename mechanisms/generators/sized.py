"""The `size` of NumPy's methods: one draw, or an array of independent ones, broadcast over their parameters."""

from collections.abc import Callable
from typing import Any

import numpy as np

from stirred.mechanisms.generators.undrawn import Undrawn
from stirred.mechanisms.noise.unbounded_draw import Draw


class UndrawnArray(np.ndarray):
    """An array of objects, some of which are not drawn yet; NumPy's functions are taken element by element."""

    def astype(self, dtype: Any, *more: Any, **named: Any) -> Any:
        """The array with members of another type; floats that are not drawn stay so."""
        kind = np.dtype(dtype)
        if self.dtype != object or kind.kind != "f":
            return super().astype(dtype, *more, **named)
        values = [one.astype(kind) if isinstance(one, Undrawn) else kind.type(one) for one in self.ravel().tolist()]
        return array_of(self.shape, values, kind)

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        made = super().__array_function__(func, types, args, kwargs)
        is_open = type(made) is np.ndarray and made.dtype == object
        return made.view(UndrawnArray) if is_open else made

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **named: Any) -> Any:
        plain = [one.view(np.ndarray) if isinstance(one, UndrawnArray) else one for one in inputs]
        places = () if out is None else tuple(one.view(np.ndarray) for one in out)
        is_plain = not any(np.asarray(one).dtype == object for one in plain)
        if is_plain or method != "__call__" or named or ufunc.nout != 1:
            return getattr(ufunc, method)(*plain, **({"out": places} if places else {}), **named)
        arrays = np.broadcast_arrays(*(np.asarray(one) for one in plain))
        values = [ufunc(*(one[place] for one in arrays)) for place in np.ndindex(arrays[0].shape)]
        if out is None:
            return array_of(arrays[0].shape, values, None)
        places[0][...] = array_of(arrays[0].shape, values, None)
        return out[0]


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
    """An array of drawn numbers, of objects where one is not drawn yet.

    Args:
        shape: its shape.
        values: its members, in order.
        kind: the type of drawn ones; None for that which NumPy finds.
    """
    if not any(isinstance(value, (Undrawn, Draw)) for value in values):
        return np.array(values, dtype=kind).reshape(shape)
    made = np.empty(shape, dtype=object)
    for place, value in zip(np.ndindex(*shape), values, strict=True):
        made[place] = value
    return made.view(UndrawnArray)


def _scalar(value: Any) -> Any:
    return value[()] if isinstance(value, np.ndarray) else value
