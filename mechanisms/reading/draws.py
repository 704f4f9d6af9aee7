"""The table of draws: which calls draw, and what the draws of a path were."""

from __future__ import annotations

import copy
import random
import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from stirred.mechanisms.reading.asked import (
    GENERATOR,
    KINDS,
    MADE,
    MAKERS,
    OTHER,
    PYTHON,
    SCIPY,
    SECRETS,
    STATE,
    TOKENS,
    AskedDraw,
    Drawing,
    Recorded,
    kept,
    original,
    scipy_laws,
)
from stirred.mechanisms.reading.draw_laws import TABLES
from stirred.mechanisms.reading.meanings import Meanings
from stirred.mechanisms.reading.pass_numbers import PASS_NUMBERS, WHOLE_DRAWS
from stirred.mechanisms.reading.refusal import PLAIN, Reader
from stirred.mechanisms.reading.symbols import is_symbolic

_ALIASES = tuple(map(original, (np.random.ranf, np.random.sample)))
"""Functions, and no methods, that draw what `random_sample` does."""

_SHARED = (np.random.mtrand._rand, random._inst)
"""The generators of the functions of modules."""


_STATES = (np.random.mtrand._rand.get_state, random._inst.getstate)
_noted: list[str] = []


def note_states() -> None:
    """Note the states of the shared generators, before a program's modules are imported."""
    _noted[:] = [repr(state()) for state in _STATES]


def are_changed() -> bool:
    """Whether a shared generator was seeded, or drew, since its state was noted."""
    return bool(_noted) and _noted != [repr(state()) for state in _STATES]


class DrawTable:
    """Knows what draws, and notes what the draws of a path were.

    Attributes:
        record: the draws of the path.
        has_system: whether a generator of the system's was asked, which the program made itself.
    """

    def __init__(self, tables: Mapping[str, Mapping[str, Callable[[AskedDraw], Any]]] = TABLES) -> None:
        self.record: list[Recorded] = []
        self.has_system = False
        self._tables = tables

    def method(self, function: Any) -> Drawing | None:
        """What a function draws; None where it draws nothing."""
        if type(function) is type and function in PLAIN:
            return None
        inner = original(function)
        owner = getattr(function, "__self__", None)
        owner = getattr(inner, "__self__", None) if owner is None else owner
        name = getattr(inner, "__name__", "")
        if any(inner is one for one in _ALIASES):
            return Drawing(STATE, "random_sample")
        if name in secrets.__all__ and original(getattr(secrets, name, None)) is inner:
            return Drawing(MADE if name == "SystemRandom" else SECRETS, name)
        law = getattr(owner, "name", "") if name == "rvs" else ""
        if law and scipy_laws().get(law) is owner:
            return Drawing(SCIPY, law)
        for kind, known in zip((GENERATOR, STATE, PYTHON), KINDS, strict=True):
            if isinstance(owner, known):
                is_systems = type(owner) is random.SystemRandom
                self.has_system |= is_systems
                is_fresh = is_systems or any(owner is one for one in (*TOKENS.values(), *_SHARED))
                return Drawing(kind if is_fresh else OTHER, name)
        return Drawing(MADE, name) if any(inner is one for one in MAKERS) else None

    def drawn(
        self, reader: Reader, meanings: Meanings, method: Drawing, given: tuple[Sequence[Any], Mapping[str, Any]]
    ) -> Any:
        """The result of a draw on this path, with these arguments."""
        handler = self._tables.get(method.kind, {}).get(method.name)
        if handler is None:
            raise reader.refuse(f"{method.shown} is not read: use another draw, or --sampled")
        is_plain_given = PLAIN.issuperset(map(type, given[0])) and PLAIN.issuperset(map(type, given[1].values()))
        if any(isinstance(one, PASS_NUMBERS) for one in given[0]) and method.name in WHOLE_DRAWS and not given[1]:
            return meanings.passes.tossed(
                method.shown, given[0], is_closed=method.name == "randint" and method.kind == PYTHON
            )
        if not is_plain_given and method.kind != MADE and is_symbolic(given):
            raise reader.refuse(f"{method.shown} is given a number that is drawn")
        before: Any = (tuple(given[0]), dict(given[1]))
        before = before if is_plain_given or method.kind == MADE else copy.deepcopy(before)
        asked = AskedDraw(reader, meanings, method, *given, has_others=not is_plain_given)
        try:
            asked.example()
        except Exception as error:  # of its arguments
            self.record.append(Recorded(method.shown, before, error))
            raise
        try:
            found = handler(asked)
        except Exception as error:
            raise reader.refuse(f"{method.shown} with these arguments is not read ({error})") from None
        if method.kind != MADE:
            self.record.append(Recorded(method.shown, before, asked.shuffled or kept(found)))
        return found
