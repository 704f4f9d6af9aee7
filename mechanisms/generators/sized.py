"""Arrays of numbers that are not drawn, and the `size` of NumPy's methods that makes them.

An array holds objects, with the dtype that NumPy would give it beside them. Its elements are scalars of that dtype, so
that what is computed element by element is what NumPy computes. What else would see objects is refused.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NoReturn

import numpy as np

from stirred.mechanisms.draws.unbounded_draw import Draw, refuse_value
from stirred.mechanisms.generators.grid_draw import GeneratorRun
from stirred.mechanisms.generators.numpy_steps import as_type, clipped, found_place, in_python, number_result, rounded
from stirred.mechanisms.generators.undrawn import Undrawn
from stirred.spec.arguments import InputError

_METHODS = frozenset(
    (
        *("shape", "ndim", "size", "T", "ravel", "reshape", "flatten", "transpose", "squeeze", "swapaxes", "copy"),
        *("take", "repeat", "tolist", "item", "astype", "round", "clip", "max", "min", "sum", "argmax", "argmin"),
        *("argsort", "sort"),
    )
)
_FUNCTIONS = frozenset(
    (
        *("clip", "round", "around", "sort", "argsort", "argmax", "argmin", "max", "min", "amax", "amin", "sum"),
        *("ravel", "reshape", "transpose", "squeeze", "expand_dims", "flip", "take", "repeat", "shape", "ndim", "size"),
    )
)
_JOINING = ("concatenate", "stack", "vstack", "hstack")
_READING = ("__array__", "__array_interface__", "__array_struct__", "__reduce__", "__reduce_ex__", "__dlpack__")
_IS_NEW = np.lib.NumpyVersion(np.__version__) >= "2.0.0"
_POWERS: Mapping[float, Callable[[Any], Any]] = {2: np.square, 0.5: np.sqrt, -1: lambda x: 1 / x}
_OWN: Mapping[str, Callable[..., Any]] = {
    "round": rounded,
    "clip": clipped,
    "astype": as_type,
    "item": in_python,
    "tolist": in_python,
    "conjugate": lambda value: value,
}


class UndrawnArray(np.ndarray):
    """An array of numbers some of which are not drawn.

    Attributes:
        undrawn_kind: the dtype that NumPy would give it.
        undrawn_run: the run that it belongs to.
    """

    undrawn_kind: Any
    undrawn_run: GeneratorRun | None

    def __array_finalize__(self, source: Any) -> None:
        self.undrawn_kind = getattr(source, "undrawn_kind", None)
        self.undrawn_run = getattr(source, "undrawn_run", None)

    def __getattribute__(self, name: str) -> Any:
        if name == "__class__":  # as code sees it
            return np.ndarray
        is_inner = name not in _READING if name.startswith("__") else not hasattr(np.ndarray, name)
        if is_inner or name in _METHODS:
            return super().__getattribute__(name)
        return refuse(self.undrawn_run, f"the {name} of an array")

    def __repr__(self) -> str:
        return refuse(self.undrawn_run, "the digits of an array")

    __str__ = __repr__

    def __format__(self, _: str) -> str:
        return refuse(self.undrawn_run, "the digits of an array")

    def __pow__(self, other: Any) -> Any:  # type: ignore[override]
        is_fast = self.undrawn_kind.kind == "f" and type(other) in (int, float)
        return _POWERS[other](self) if is_fast and other in _POWERS else np.power(self, other)

    def __setitem__(self, place: Any, value: Any) -> None:
        plain = _objects(self)
        members = _cast(value, self.undrawn_kind)
        is_array = isinstance(plain[place], np.ndarray)
        plain[place] = members if is_array else members.reshape(())[()]

    def tolist(self) -> Any:
        """Lists of numbers of Python's."""
        made = np.empty(self.shape, dtype=object)
        for place in np.ndindex(*self.shape):
            made[place] = _in_python(_objects(self)[place])
        return made.tolist()

    def item(self, *place: Any) -> Any:
        """One number, of Python's."""
        return _in_python(_objects(self).item(*place))

    def astype(self, dtype: Any, *_: Any, **__: Any) -> Any:
        """The array with members of another type."""
        kind = np.dtype(dtype)
        return array_of(self.shape, list(_cast(self, kind).flat), kind, self.undrawn_run)

    def round(self, decimals: int = 0, out: Any = None) -> Any:  # type: ignore[override]
        """The array rounded member by member."""
        if out is not None:
            refuse(self.undrawn_run, "out=")
        values = [
            rounded(one, decimals) if type(one) is Undrawn else one.round(decimals) for one in _objects(self).flat
        ]
        return array_of(self.shape, values, None, self.undrawn_run)

    def clip(self, min: Any = None, max: Any = None, out: Any = None) -> Any:  # type: ignore[override]  # noqa: A002
        """The array clipped member by member."""
        if out is not None:
            refuse(self.undrawn_run, "out=")
        return elementwise(self.undrawn_run, np.clip, (self, min, max))

    def __array_function__(self, func: Any, types: Any, args: Any, kwargs: Any) -> Any:
        return function_result(self.undrawn_run, func, args, kwargs)

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, out: Any = None, **named: Any) -> Any:
        run = next((one.undrawn_run for one in (*inputs, *(out or ())) if isinstance(one, UndrawnArray)), None)
        if method == "reduce" and out is None:
            return _reduced(run, ufunc, inputs[0], named)
        named.pop("where", None) if named.get("where") is True else None
        if method != "__call__" or named:
            refuse(run, f"np.{ufunc.__name__} by {method} with {', '.join(named) or 'these arguments'}")
        made = elementwise(run, ufunc, inputs)
        if out is None:
            return made
        kind = out[0].undrawn_kind if isinstance(out[0], UndrawnArray) else out[0].dtype
        if not np.can_cast(_hint(made), kind, "same_kind") or (
            isinstance(made, UndrawnArray) and not isinstance(out[0], UndrawnArray)
        ):
            refuse(run, f"putting numbers that are not drawn into an array of {kind}")
        out[0][...] = made
        return out[0]


def refuse(run: GeneratorRun | None, what: str) -> NoReturn:
    """Refuse what would tell an array of numbers that are not drawn from one of NumPy's.

    Raises:
        InputError: always.
    """
    sentence = f"{what} of numbers that are not drawn is not followed: round them, or compare them with numbers"
    if run is None:
        raise InputError(sentence)
    run.refuse(sentence)


def elementwise(run: GeneratorRun | None, function: Any, inputs: Sequence[Any]) -> Any:
    """What a ufunc gives, one of whose arguments is an array: scalars of Python stay so, since they are weak."""
    if isinstance(function, np.ufunc) and (function.nout != 1 or function.signature is not None):
        refuse(run, f"np.{function.__name__}")
    given = [made_array(one) if isinstance(one, (list, tuple)) else one for one in inputs]
    shape = np.broadcast_shapes(*(np.shape(one) for one in given if isinstance(one, np.ndarray)))
    if 0 in shape:
        return function(*map(_stand_in, given))
    spread = [np.broadcast_to(_objects(one), shape) if isinstance(one, np.ndarray) else one for one in given]
    values = [
        function(*(one[place] if isinstance(one, np.ndarray) else one for one in spread))
        for place in np.ndindex(*shape)
    ]
    return array_of(shape, values, None, run) if shape else values[0]


def ufunc_result(run: GeneratorRun, ufunc: Any, method: str, inputs: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """What a ufunc gives where one of its arguments is a number that is not drawn; element by element for arrays."""
    if method == "__call__" and not named and any(isinstance(one, (np.ndarray, list, tuple)) for one in inputs):
        return elementwise(run, ufunc, inputs)
    return number_result(run, ufunc, method, inputs, named)


_CONSTANT = ("dtype", "shape", "ndim", "size", "itemsize", "nbytes")


def method_of(value: Undrawn, name: str) -> Any:
    """A method or an attribute that a number of NumPy's has.

    Raises:
        InputError: it is not followed.
    """
    draw, function = value.undrawn
    if name in _CONSTANT:
        return getattr(function.value(draw.low), name)
    if name not in _OWN:
        draw.run.refuse(f"the {name} of a number that is not drawn is not followed: round it")
    return partial(_OWN[name], value)


def _reduced(run: GeneratorRun | None, ufunc: Any, array: Any, named: Mapping[str, Any]) -> Any:
    """A maximum or a minimum; or a sum in which one number is not drawn, as NumPy adds it up."""
    plain = _objects(array)
    undrawn = [place for place in np.ndindex(*plain.shape) if isinstance(plain[place], (Undrawn, Draw))]
    is_defined = all(plain[place] == plain[place] for place in np.ndindex(*plain.shape) if place not in undrawn)
    if ufunc in (np.maximum, np.minimum) and is_defined:
        found = ufunc.reduce(plain, **named)
        return array_of(found.shape, list(found.flat), None, run) if isinstance(found, np.ndarray) else found
    is_whole = named.get("axis", 0) in ((0, None) if plain.ndim == 1 else (None,))
    if ufunc is not np.add or not is_whole or named.get("keepdims") or named.get("dtype") is not None:
        refuse(run, f"np.{ufunc.__name__}.reduce")
    if len(undrawn) != 1 or type(plain[undrawn[0]]) is not Undrawn:
        refuse(run, "a sum of several")
    known = np.array([0 if place in undrawn else plain[place] for place in np.ndindex(*plain.shape)])
    known = known.astype(array.undrawn_kind).reshape(plain.shape)

    def total(value: Any) -> Any:
        known[undrawn[0]] = value
        return np.add.reduce(known, axis=None)

    return plain[undrawn[0]].step(f"{undrawn[0]} of {known.tolist()!r}, the .sum", total)


def function_result(run: GeneratorRun | None, func: Any, args: Any, kwargs: Any) -> Any:
    """What a function of NumPy's gives where an argument is not drawn."""
    name: str = func.__name__
    first: Any = args[0] if args else None
    if name == "where" and len(args) == 3 and not kwargs and type(first) is not Undrawn:
        kind = np.result_type(*map(_hint, args[1:]))
        made: Any = np.where(first, _cast(args[1], kind), _cast(args[2], kind))
        return array_of(made.shape, list(made.flat), kind, run)
    if name in _JOINING and isinstance(first, (list, tuple)) and not {"out", "dtype", "casting"} & kwargs.keys():
        parts = [made_array(one) for one in first]
        kind = np.result_type(*map(_hint, parts))
        made = func([_cast(one, kind) for one in parts], *args[1:], **kwargs)
        return array_of(made.shape, list(made.flat), kind, run)
    if name == "searchsorted" and type(args[1]) is Undrawn and not isinstance(first, UndrawnArray):
        return found_place(args[1], np.asarray(first), *args[2:], **kwargs)
    if type(first) is Undrawn and name in ("round", "around", "clip"):
        return clipped(*args, **kwargs) if name == "clip" else rounded(*args, **kwargs)
    if name in ("zeros_like", "ones_like", "shape", "ndim", "size"):
        return func(_stand_in(first), *args[1:], **kwargs)
    if name in _FUNCTIONS and isinstance(first, UndrawnArray):
        return np.ndarray.__array_function__(first, func, (UndrawnArray,), args, kwargs)
    return refuse(run, f"np.{name}")


def sized(size: Any, draw: Callable[..., Any], *parameters: Any, kind: Any = np.int64) -> Any:
    """One draw where no size is given and no parameter is an array, else an array of them.

    Args:
        size: None, a number, or a shape.
        draw: of one value of each parameter.
        parameters: numbers or arrays.
        kind: of numbers in an array.

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


def array_of(shape: tuple[int, ...], values: list[Any], kind: Any, run: GeneratorRun | None = None) -> Any:
    """An array of numbers, of objects where one is not drawn yet.

    Args:
        shape: its shape.
        values: its members, in order.
        kind: their type; None for that which NumPy finds.
        run: the run that it belongs to, where no member is of one.
    """
    if not any(isinstance(value, (Undrawn, Draw)) for value in values):
        return np.array(values, dtype=kind).reshape(shape)
    found = np.dtype(kind) if kind is not None else np.result_type(*dict.fromkeys(map(_hint, values)))
    runs = [value.undrawn[0].run for value in values if type(value) is Undrawn]
    made = np.empty(shape, dtype=object)
    for place, value in zip(np.ndindex(*shape), values, strict=True):
        made[place] = _member(value, found)
    array = made.view(UndrawnArray)
    array.undrawn_kind, array.undrawn_run = found, next(iter(runs), run)
    if not _IS_NEW and found not in (np.float64, np.int64):
        refuse(array.undrawn_run, f"an array of {found}, whose arithmetic is another before NumPy 2,")
    return array


def made_array(values: Any, dtype: Any = None) -> Any:
    """An array of what is given, as NumPy makes it; of lists that hold numbers that are not drawn, too."""
    if not _holds(values):
        return np.asarray(values, dtype)
    if isinstance(values, UndrawnArray):
        return values if dtype is None else values.astype(dtype)
    members = list(_members(values))
    run = next(one.undrawn[0].run for one in members if type(one) is Undrawn)
    shown = np.asarray(_stand_in(values), dtype)
    if shown.dtype.kind not in "iuf":
        refuse(run, f"an array of {shown.dtype}")
    return array_of(shown.shape, members, shown.dtype, run)


def followed_arrays() -> list[tuple[Any, Any]]:
    """`np.array`, `np.asarray` and their like, as they are now, with what follows them."""

    def following(original: Callable[..., Any]) -> Callable[..., Any]:
        def made(*arguments: Any, **named: Any) -> Any:
            if not arguments or not is_open(arguments[0]):
                return original(*arguments, **named)
            if not _holds(arguments[0]):
                refuse_value()
            array = made_array(arguments[0], *arguments[1:2], **{"dtype": named["dtype"]} if "dtype" in named else {})
            return array.copy() if original is copying else array

        return made

    copying = np.array
    names = ("array", "asarray", "asanyarray", "ascontiguousarray", "asfortranarray")
    return [(getattr(np, name), following(getattr(np, name))) for name in names]


def is_open(values: Any) -> bool:
    """Whether a number that is not drawn is among values, or in lists of them."""
    if type(values) is list or type(values) is tuple:
        return any(map(is_open, values))
    return type(values) in (Undrawn, UndrawnArray, Draw)


def _holds(values: Any) -> bool:
    if type(values) is list or type(values) is tuple:
        return any(map(_holds, values))
    return type(values) is Undrawn or type(values) is UndrawnArray


def _members(values: Any) -> Iterator[Any]:
    if isinstance(values, (list, tuple)):
        for one in values:
            yield from _members(one)
    elif isinstance(values, np.ndarray):
        yield from _objects(values).flat
    else:
        yield values


def _stand_in(one: Any) -> Any:
    """What has the type, dtype and shape of a number or an array, or of a list of them."""
    if isinstance(one, (list, tuple)):
        return list(map(_stand_in, one))
    if isinstance(one, UndrawnArray):
        return np.zeros(one.shape, one.undrawn_kind)
    return one.undrawn[1].value(one.undrawn[0].low) if type(one) is Undrawn else one


def _hint(one: Any) -> Any:
    """What `np.result_type` takes for a number or an array: scalars of Python are weak."""
    if type(one) is Draw:
        return np.int64
    if type(one) is Undrawn and issubclass(one.__class__, np.generic):
        return one.__class__
    shown = _stand_in(one)
    return shown if isinstance(shown, (int, float, np.generic)) else np.asarray(shown).dtype


def _objects(one: Any) -> Any:
    return np.ndarray.view(one, np.ndarray) if isinstance(one, UndrawnArray) else one


def _cast(values: Any, kind: Any) -> Any:
    """An array of objects, the members of this type."""
    array = values if isinstance(values, np.ndarray) else made_array(values)
    made = np.empty(array.shape, dtype=object)
    for place in np.ndindex(*array.shape):
        made[place] = _member(_objects(array)[place], kind)
    return made


def _member(one: Any, kind: Any) -> Any:
    if type(one) is Draw:
        return one if kind == np.int64 else int(one)
    if type(one) is Undrawn:
        return one if one.__class__ is kind.type else as_type(one, kind)
    return np.asarray(one).astype(kind)[()]


def _in_python(one: Any) -> Any:
    return one.item() if hasattr(one, "item") else one


def _scalar(value: Any) -> Any:
    return value[()] if isinstance(value, np.ndarray) else value
