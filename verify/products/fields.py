"""Checks of a request's fields, so that a call from Python is refused what the command line refuses."""

from collections.abc import Sequence
from fractions import Fraction
from types import UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from stirred.spec.arguments import InputError, shown

_WORDS: dict[Any, str] = {
    str: "a text",
    int: "an integer",
    bool: "True or False",
    type(None): "None",
    Sequence[str]: "a list of texts",
}


def check_fields(request: Any) -> None:
    """Refuse a field whose value is not of its annotated type.

    A text is not a list of texts, True is not an integer, and a `Literal` has the values that it lists. Exact numbers
    are left to the checks of their ranges.
    """
    for name, annotation in get_type_hints(type(request)).items():
        kinds = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
        value = getattr(request, name)
        if Fraction not in kinds and not any(_is_of(value, kind) for kind in kinds):
            allowed = [word for kind in kinds for word in _words(kind)]
            raise InputError(f"{name} must be {' or '.join(allowed)}; got {shown(value)}")


def check_list(name: str, value: object) -> None:
    """Refuse what is not a list: a text would be read letter by letter."""
    if not isinstance(value, (list, tuple)):
        raise InputError(f"{name} must be a list; got {shown(value)}")


def _is_of(value: object, kind: Any) -> bool:
    if get_origin(kind) is Literal:
        return isinstance(value, str) and value in get_args(kind)
    if kind == Sequence[str]:
        return isinstance(value, (list, tuple)) and all(isinstance(one, str) for one in value)
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _words(kind: Any) -> list[str]:
    return list(map(repr, get_args(kind))) if get_origin(kind) is Literal else [_WORDS[kind]]
