"""Every reference to some objects, replaced: what was imported by name before a refusal began is refused too.

`from time import time` copies a reference into the module that says so, where a later replacement of `time.time` does
not reach it. The garbage collector knows who refers to an object: module dictionaries, lists, cells of closures,
defaults of functions, slots; and tuples, bound methods and `functools.partial`s, which are built anew. It asks each of
its objects for each one that is looked for; so what nobody but known holders refers to, by its count of references, is
not looked for.
"""

from __future__ import annotations

import functools
import gc
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from sys import getrefcount  # the name itself is one of those that are refused
from types import CellType, FunctionType
from typing import Any

from stirred.verify.outside.function_parts import slots_of

__all__ = ["replace_references"]

_DEEPEST = 5
"""Containers inside containers that are built anew."""


def replace_references(
    pairs: Sequence[tuple[Any, Any]], sparing: Sequence[Any], is_spared: Callable[[Any], bool] = lambda _: False
) -> None:
    """Put the second object of each pair wherever something refers to the first.

    Args:
        pairs: originals with what takes their places.
        sparing: dictionaries and cells that stay as they are.
        is_spared: whether another container does, too.
    """
    sought = _held_elsewhere(pairs, sparing)
    originals = [original for original, _ in sought]
    replacements = {id(original): replacement for original, replacement in sought}
    kept = {id(originals), id(pairs), id(sought), *map(id, pairs), *map(id, sparing)}
    for _ in range(_DEEPEST if originals else 0):
        rebuilt: list[tuple[Any, Any]] = []
        for holder in gc.get_referrers(*originals):
            if id(holder) not in kept and not is_spared(holder):
                _replace_in(holder, replacements, rebuilt)
        if not rebuilt:
            return
        originals = [original for original, _ in rebuilt]
        replacements = {id(original): replacement for original, replacement in rebuilt}
        kept |= {id(originals), id(rebuilt), *map(id, rebuilt)}


def _held_elsewhere(pairs: Sequence[tuple[Any, Any]], sparing: Iterable[Any]) -> list[tuple[Any, Any]]:
    """The pairs whose original has more references than those of the pairs themselves and of the known holders."""
    known = Counter(id(original) for original, _ in pairs)
    for holder in sparing:
        for one in gc.get_referents(holder):
            if id(one) in known:
                known[id(one)] += 1
    # counted besides: `pair[0]` as it is handed over
    return [pair for pair in pairs if getrefcount(pair[0]) > known[id(pair[0])] + 1]


def _replace_in(holder: Any, replacements: dict[int, Any], rebuilt: list[tuple[Any, Any]]) -> None:
    """Change what a container refers to, or list the container with a new one."""
    kind = type(holder)
    if isinstance(holder, dict):
        for key, value in list(dict.items(holder)):
            if id(value) in replacements:
                dict.__setitem__(holder, key, replacements[id(value)])
    elif kind is list:
        for place, value in enumerate(holder):
            if id(value) in replacements:
                holder[place] = replacements[id(value)]
    elif kind is CellType:
        holder.cell_contents = replacements[id(holder.cell_contents)]
    elif kind is FunctionType:
        if id(holder.__defaults__) in replacements:
            holder.__defaults__ = replacements[id(holder.__defaults__)]
    elif kind is tuple:
        rebuilt.append((holder, tuple(replacements.get(id(value), value) for value in holder)))
    elif kind is functools.partial:
        function = replacements.get(id(holder.func), holder.func)
        arguments = tuple(replacements.get(id(value), value) for value in holder.args)
        rebuilt.append((holder, functools.partial(function, *arguments, **holder.keywords)))
    else:
        _replace_in_object(holder, replacements)


def _replace_in_object(holder: Any, replacements: dict[int, Any]) -> None:
    if type(attributes := getattr(holder, "__dict__", None)) is dict:  # the object itself refers to what is in it
        _replace_in(attributes, replacements, [])
    for slot, _, value in slots_of(holder):
        if id(value) in replacements:
            with suppress(AttributeError, TypeError):  # read only
                slot.__set__(holder, replacements[id(value)])
