"""Sets as foreign code may use them: for their members, and never for the order in which these come.

The order of a set of texts is another one in each interpreter; that of a set of integers shows how the set was made,
and that may in turn have to do with texts that it held. No number of interpreters shows what a rare order does, so
every way to be given an order is refused: whoever iterates over a set of two or more members, in Python or in C.
Allowed is what does not depend on the order: `sorted`, `len`, `in`, the algebra of sets, `min`, `max`, `any`, `all`,
and `sum` of exact numbers. Libraries may iterate over sets of their own, not over one that the user's code hands them.

Further interpreters with other hashes are a second line, for what libraries do.
"""

import builtins
import functools
import operator
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import combinations
from types import FrameType
from typing import Any

from stirred.mechanisms.draws.unbounded_draw import extreme
from stirred.spec.arguments import InputError
from stirred.verify.laws.sandbox.builtin_slots import replace_method
from stirred.verify.laws.sandbox.refused import REFUSED, refused

MORE_SEEDS = (3, 4, 5, 6)
"""Hash seeds of the further interpreters."""

_ASKING = ("stirred.verify.laws.", "stirred.verify.laws.sandbox.", "copy")
"""Modules that iterate over sets that they are handed, and let no order out."""

_ORDERS: dict[bool, Callable[[Any], Iterator[Any]]] = {True: set.__iter__, False: frozenset.__iter__}
_LENGTHS: dict[bool, Callable[[Any], int]] = {True: set.__len__, False: frozenset.__len__}
"""By whether it is a set, or a frozenset."""

_EXACT = (int, bool, Fraction)
_ATOMS = (*_EXACT, str, bytes)

_WAYS = (
    *("for _ in given: break", "list(given)", "tuple(given)", "[*given]", "iter(given)", "repr(given)"),
    *("', '.join(given)", "[].extend(given)", "given.pop()", "dict.fromkeys(given)"),
)
"""Ways to be given the order of a set of two texts."""


def has_stable_hash(value: Any) -> bool:
    """Whether a value has the same hash in every process.

    >>> has_stable_hash((1, Fraction(1, 2))), has_stable_hash((1, "a"))
    (True, False)
    """
    if type(value) in (tuple, frozenset):
        return all(map(has_stable_hash, value))
    return type(value) in _EXACT or (value is None and sys.version_info >= (3, 12))  # before, it is its address


class SetOrders:
    """Refuses the order of sets, from `begin` on.

    Args:
        is_own: whether a source file is the user's own.

    Attributes:
        is_whole: whether every known way to be given an order is refused in this interpreter.
    """

    def __init__(self, is_own: Callable[[str], bool]) -> None:
        self._is_own = functools.cache(is_own)
        self.is_whole = False

    def begin(self) -> list[tuple[Any, Any]]:
        """Refuse from now on; returns built-in functions with those that have taken their places."""
        replaced = [(getattr(builtins, new.__name__), new) for new in _allowed(self._check)]
        for original, new in replaced:
            setattr(builtins, original.__name__, new)
        for kind in (set, frozenset):
            replace_method(kind, "__iter__", self._watched(kind, kind.__iter__))
        replace_method(set, "pop", self._watched(set, set.pop))
        replace_method(dict, "fromkeys", classmethod(self._from_keys(vars(dict)["fromkeys"])))
        self.is_whole = all(map(_is_refused, _WAYS))
        return replaced

    def _watched(self, kind: type[Any], original: Callable[[Any], Any]) -> Callable[[Any], Any]:
        """The method, which gives an order."""
        length = _LENGTHS[kind is set]

        def watched(members: Any) -> Any:
            if length(members) > 1:
                self._check(members, sys._getframe(1))
            return original(members)

        watched.__name__ = original.__name__
        return watched

    def _from_keys(self, original: Any) -> Callable[..., Any]:
        def fromkeys(kind: Any, keys: Any, value: Any = None, /) -> Any:
            if isinstance(keys, (set, frozenset)) and len(keys) > 1:
                self._check(keys, sys._getframe(1))
            return original.__get__(None, kind)(keys, value)

        return fromkeys

    def _check(self, members: Any, frame: FrameType | None) -> None:
        """Refuse the order of a set to the user's code, and to a library's function that this code hands the set.

        Raises:
            InputError: it is.
        """
        if _LENGTHS[isinstance(members, set)](members) < 2:
            return
        called: FrameType | None = None  # by the frame that is looked at
        while frame is not None:
            if self._is_of_own(frame):
                if called is None or _is_given(members, called):
                    raise refused("the order of a set")
                return
            module = str(frame.f_globals.get("__name__"))
            if module.startswith(_ASKING) or frame.f_code.co_filename == "<frozen importlib._bootstrap>":
                return
            called, frame = frame, frame.f_back

    def _is_of_own(self, frame: FrameType) -> bool:
        file = frame.f_code.co_filename
        if file == "<string>":  # libraries make functions of texts, too: these know the file of their module
            made_for = frame.f_globals.get("__file__")
            return made_for is None or self._is_own(str(made_for))
        return self._is_own(file)


def _is_given(value: Any, frame: FrameType) -> bool:
    """Whether a value is one of the arguments of a function that runs."""
    code, known = frame.f_code, frame.f_locals
    named = code.co_argcount + code.co_kwonlyargcount
    starred = [bool(code.co_flags & flag) for flag in (0x04, 0x08)]  # *arguments, **named
    for place, name in enumerate(code.co_varnames[: named + sum(starred)]):
        one = known.get(name)
        parts: Iterable[Any] = (one,) if place < named else one.values() if isinstance(one, dict) else one or ()
        if any(part is value for part in parts):
            return True
    return False


def _is_refused(way: str) -> bool:
    """Whether one of the ways is refused to the user's code."""
    before = len(REFUSED)
    with suppress(InputError):
        exec(compile(way, "<set>", "exec"), {"given": {"a", "b"}})  # noqa: S102 our own lines
    found = len(REFUSED) > before
    del REFUSED[before:]
    return found


def _allowed(check: Callable[[Any, FrameType | None], None]) -> Iterator[Callable[..., Any]]:
    """The built-in functions that do not depend on the order of a set, and what they do with one that has two members.

    Args:
        check: refuses the order of a set to a frame, where the result could depend on it.
    """
    sets = (set, frozenset)
    originals = builtins.sorted, builtins.min, builtins.max, builtins.sum, builtins.any, builtins.all
    plain_sorted, plain_min, plain_max, plain_sum, plain_any, plain_all = originals

    def listed(given: Any) -> list[Any]:
        return [*_ORDERS[isinstance(given, set)](given)]

    def sorted(given: Iterable[Any], /, *, key: Any = None, reverse: Any = False) -> list[Any]:  # noqa: A001
        if not isinstance(given, sets):
            return plain_sorted(given, key=key, reverse=reverse)
        if key is not None and not (key is sorted or key in _KEYS or isinstance(key, _GETTERS)):
            check(given, sys._getframe(1))
        found = plain_sorted(listed(given), key=key, reverse=reverse)
        ranks = found if key is None else [key(one) for one in found]
        if not _is_strict(ranks[::-1] if reverse else ranks):
            check(given, sys._getframe(1))
        return found

    def least(plain: Callable[..., Any], is_before: Callable[[Any, Any], bool]) -> Callable[..., Any]:
        sign = 1 if plain is plain_max else -1

        def found(*given: Any, **named: Any) -> Any:
            if len(given) != 1 or not isinstance(given[0], sets):
                members = given[0] if len(given) == 1 else given
                place = extreme(members, sign) if type(members) in (list, tuple) and not named else None
                return plain(*given, **named) if place is None else members[place]
            parts = listed(given[0])
            one = plain(parts, **named)
            if named.get("key") is not None or not all(one is other or is_before(one, other) for other in parts):
                check(given[0], sys._getframe(1))
            return one

        found.__name__ = plain.__name__
        return found

    def sum(given: Iterable[Any], /, start: Any = 0) -> Any:  # noqa: A001
        if not isinstance(given, sets):
            return plain_sum(given, start)
        parts = listed(given)
        if not all(type(part) in _EXACT for part in (start, *parts)):
            check(given, sys._getframe(1))
        return plain_sum(parts, start)

    def any(given: Iterable[Any], /) -> bool:  # noqa: A001
        return plain_any(listed(given) if isinstance(given, sets) else given)

    def all(given: Iterable[Any], /) -> bool:  # noqa: A001
        return plain_all(listed(given) if isinstance(given, sets) else given)

    yield from (sorted, least(plain_min, operator.lt), least(plain_max, operator.gt), sum, any, all)


_KEYS = (len, str, repr, abs, str.lower, str.casefold)
_GETTERS = (operator.itemgetter, operator.attrgetter)
"""Keys that have no effect: in which order they are called does not matter."""


def _is_strict(ranks: list[Any]) -> bool:
    """Whether a list would be sorted like this from every order that it could have been in."""
    if all(map(_is_plain, ranks)):
        return all(map(operator.lt, ranks, ranks[1:]))
    return all(one < other and not other < one for one, other in combinations(ranks, 2))


def _is_plain(value: Any) -> bool:
    """Whether a value is of a kind of which any two can be compared, or are refused by Python."""
    return type(value) in _ATOMS or (type(value) is tuple and all(map(_is_plain, value)))
