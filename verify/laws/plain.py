"""Plain values: outputs whose equality is that of their texts, so that no two that can be told apart are merged.

In Python True == 1 == 1.0, and an object decides for itself what it equals. An output is therefore of one of a few
exact types, and two outputs are one iff their canonical texts, Python literals, are the same.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from stirred.mechanisms.draws.released_leaf import ReleasedLeaf
from stirred.mechanisms.draws.unbounded_draw import Draw, Gaussian
from stirred.spec.arguments import InputError
from stirred.spec.numbers.rational_function import RationalFunction
from stirred.verify.laws.sandbox.refused import with_article
from stirred.verify.laws.sandbox.set_orders import has_stable_hash

_LONGEST = 100_000
"""Characters of the longest text."""

_DEEPEST = 50

_ADVICE: tuple[tuple[tuple[str, ...], str], ...] = (
    (("float", "complex", "Decimal"), "round it to an int, or write it as a Fraction or a text"),
    (("list", "array", "ndarray", "deque", "range"), "write tuple(…) of plain values"),
    (("dict", "Counter", "OrderedDict", "defaultdict"), "write tuple(sorted(….items()))"),
    (("generator", "map", "filter", "zip"), "write tuple(…)"),
    (("OpenValue",), "a parameter that is left open cannot be a part of it; give the parameter a number"),
    (("Law",), "return one output drawn through the source"),
)


def plain_text(value: Any) -> str:
    """The canonical text of a plain value: a Python literal, sets in the order of their members' texts.

    Plain are None, bool, int, str, bytes, Fraction, and tuples, sets and frozensets of them, of exactly these types. So
    is an unbounded draw that is released as it is, plus a whole number: it is written as "3 + discrete_gaussian(4)". A
    scalar of NumPy, or an array of no dimension, is its value.

    >>> plain_text((True, 1, "1")), plain_text({2, 1})
    ("(True, 1, '1')", '{1, 2}')
    """
    try:
        text = _text(value, _DEEPEST)
    except ValueError as error:  # an integer with more digits than Python converts
        raise error if isinstance(error, InputError) else _too_long() from None
    if len(text) > _LONGEST:
        raise _too_long()
    released = _released(value) if " + discrete_" in text else []
    noises = [noise for draw in released for noise in draw.noises]
    if len(set(noises)) < len(noises):
        raise InputError("an output must hold an unbounded draw once; it holds one twice: clamp it first")
    return text


class PlainTexts:
    """`plain_text` of the outputs of one mechanism, which come again and again: two texts differ where a user could.

    That a value was a scalar of NumPy, and the order in which a set was made, are no part of its text: an output of a
    user's code that shows either is refused.

    Attributes:
        has_sets: whether an output was a set, or held one.
        kinds: which scalars of NumPy an output held, by its text.

    >>> PlainTexts()((0, "a"))
    "(0, 'a')"
    """

    def __init__(self, *, is_foreign: bool = False) -> None:
        self.has_sets = False
        self._is_foreign = is_foreign
        self._kept: dict[tuple[int | str, ...], str] = {}
        self._kinds: dict[str, str] = {}

    @property
    def kinds(self) -> dict[str, str]:
        return {text: kinds for text, kinds in self._kinds.items() if kinds}

    def __call__(self, value: Any) -> str:
        """The text."""
        if not _is_flat(value):
            return self._new_text(value)
        text = self._kept.get(value)
        if text is None:
            text = self._kept[value] = self._new_text(value)
        return text

    def _new_text(self, value: Any) -> str:
        text = plain_text(value)
        if not self._is_foreign:
            return text
        parts = list(_parts(value)) if "{" in text or "numpy" in sys.modules else [value]
        kinds = [None if scalar_value(part) is part else _scalar_kind(part) for part in parts]
        shown = ", ".join(f"{kind} of NumPy" if kind else "another" for kind in kinds) if any(kinds) else ""
        if self._kinds.setdefault(text, shown) != shown:
            raise several_kinds(text, (self._kinds[text], shown))
        for part in parts:
            if type(part) in (set, frozenset):
                self.has_sets = True
                _check_made(part)
        return text


def several_kinds(text: str, kinds: Iterable[str]) -> InputError:
    """The refusal of an output that is given in several kinds."""
    both = " and as ".join(dict.fromkeys(kind or "Python's own" for kind in kinds))
    return InputError(
        f"an output must be of one type where it has one value; {text} is given as {both}: write int(…), bool(…), "
        "str(…) or tuple(…)"
    )


def _scalar_kind(part: Any) -> str:
    return type(part).__name__ if not isinstance(part, sys.modules["numpy"].ndarray) else f"array of {part.dtype}"


def scalar_value(value: Any) -> Any:
    """The Python value of a NumPy scalar, or of an array of no dimension; anything else as it is.

    >>> scalar_value(3), scalar_value([3])
    (3, [3])
    """
    numpy = sys.modules.get("numpy")
    if numpy is None or type(value).__module__ != "numpy":
        return value
    if type(value) is numpy.ndarray and value.ndim == 0:
        value = value[()]
    is_scalar = any(type(value) is kind for kind in numpy.sctypeDict.values()) and not isinstance(value, numpy.void)
    return value.item() if is_scalar else value


def _parts(value: Any) -> Iterator[Any]:
    """A plain value, and all that it holds; members of sets in the order of their texts."""
    yield value
    if type(value) in (tuple, set, frozenset):
        for part in value if type(value) is tuple else sorted(value, key=plain_text):
            yield from _parts(part)


def _check_made(members: set[Any] | frozenset[Any]) -> None:
    """Refuse a set whose order shows more than its members: in which order they were put in, or what else it held.

    The order of a set of texts is another one in each process, and shows the same of all that are equal but by chance.
    """
    if len(members) < 2 or not all(map(has_stable_hash, members)):
        return
    made = list(members)
    if made != list(type(members)(_sorted(made))):
        raise InputError(
            "an output that is a set must not show the order in which it was made, as one of "
            f"{', '.join(map(plain_text, made))} does: return tuple(sorted(…))"
        )


def _sorted(members: list[Any]) -> list[Any]:
    is_ordered = all(type(one) in (bool, int, Fraction) for one in members)
    return sorted(members) if is_ordered else sorted(members, key=plain_text)


def _is_flat(value: Any) -> bool:
    """Whether a value is a tuple of integers and texts: of these, equal values have one text."""
    if type(value) is not tuple:
        return False
    for part in value:  # noqa: SIM110 all() takes twice as long
        if type(part) is not int and type(part) is not str:
            return False
    return True


def _released(value: Any) -> list[Draw]:
    """The draws that a value holds; sets hold none."""
    if type(value) is Draw:
        return [value]
    return [draw for part in value for draw in _released(part)] if type(value) is tuple else []


def _draw(draw: Draw) -> str:
    shift, law = draw.released()
    if isinstance(law, Gaussian):
        return f"{shift} + discrete_gaussian({law.sigma_squared})"
    side = "laplace" if law.is_two_sided else "reflected_geometric" if law.is_reflected else "geometric"
    ratio = law.ratio.integer_parts() if isinstance(law.ratio, RationalFunction) else law.ratio
    return f"{shift} + discrete_{side}({ratio})"


def _too_long() -> InputError:
    return InputError(f"an output must have at most {_LONGEST} characters when written out; it has more")


def _text(value: Any, depth: int) -> str:
    kind = type(value)
    if depth and _is_flat(value):  # the most frequent ones, several times faster
        return repr(value)
    for atom, written in _ATOMS:  # by identity: a class may say of itself that it equals another one
        if kind is atom:
            return written(value)
    if kind is not tuple and kind is not set and kind is not frozenset:
        if depth and (scalar := scalar_value(value)) is not value:
            return _text(scalar, depth - 1)
        raise InputError(
            f"an output must be None, a bool, an int, a str, bytes, a Fraction, or a tuple or set of them; got "
            f"{with_article(kind)}: {_advice(kind)}"
        )
    if not depth:
        raise InputError(f"an output must be nested at most {_DEEPEST} deep; it is deeper")
    parts = [_text(part, depth - 1) for part in value]
    if kind is tuple:
        return f"({parts[0]},)" if len(parts) == 1 else f"({', '.join(parts)})"
    members = ", ".join(sorted(parts))
    if kind is frozenset:
        return f"frozenset({{{members}}})" if members else "frozenset()"
    return f"{{{members}}}" if members else "set()"


def _fraction(value: Fraction) -> str:
    numerator, denominator = value.numerator, value.denominator
    if type(numerator) is not int or type(denominator) is not int:
        raise InputError("an output that is a Fraction must have an int above and below")
    return f"Fraction({numerator}, {denominator})"


_ATOMS: tuple[tuple[type, Callable[[Any], str]], ...] = (
    (int, repr),
    (str, repr),
    (bool, repr),
    (type(None), repr),
    (bytes, repr),
    (Fraction, _fraction),
    (Draw, _draw),
    (ReleasedLeaf, lambda leaf: leaf.text),
)


def _advice(kind: type) -> str:
    for names, advice in _ADVICE:
        if kind.__name__ in names:
            return advice
    for plain in (bool, int, str, bytes, Fraction, tuple, set, frozenset):
        if issubclass(kind, plain):
            return f"its type must be exactly {plain.__name__}: write {plain.__name__}(…)"
    return "return the plain values that it is made of"
