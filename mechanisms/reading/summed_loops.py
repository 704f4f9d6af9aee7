"""Loops whose pass k goes on with probability c/(k + s): whether the number of their passes is even is one choice.

At least n passes go on with probability c^n·(m − 1)!/(m − 1 + n)!, where m = k + s at the first pass. So n is even with
probability Σ (−c)^n·(m − 1)!/(m − 1 + n)!, which is e^−c for m = 1. Nothing else of n, nor of what passes leave behind,
can be looked at afterwards.

Source: Canonne, Kamath and Steinke (2020), The discrete Gaussian for differential privacy, Algorithm 1, for m = 1.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from stirred.mechanisms.reading.drawn_doubles import DrawnDoubles
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.functions import Frame
from stirred.mechanisms.reading.loop_code import changes_names_alone, dead, stored
from stirred.mechanisms.reading.pass_numbers import OfPass, PassParity, Spent
from stirred.mechanisms.reading.refusal import Refusal, Reopened
from stirred.mechanisms.reading.rejection import Way, put_back
from stirred.mechanisms.reading.symbols import SEEN
from stirred.mechanisms.reading.yielding import Signal

_MOST_NAMES = 4
"""That a pass may change."""


@dataclass
class _Tossed(Way):
    """A pass that is followed for all k: one coin is tossed, and falls as is told.

    Attributes:
        draws: how many draws there were before.
        share: the probability that it falls so.
    """

    falls: bool = True
    draws: int = 0
    share: OfPass | None = None

    def toss(self, share: OfPass) -> bool:
        """How the coin falls."""
        if self.share is not None:
            raise Refusal("two coins in one pass of a loop")
        self.share = share
        return self.falls

    def fork(self, *_: Any) -> int:
        """Nothing else is decided."""
        raise Refusal("a pass of a loop decides more than one coin")


def summed(
    node: ast.While, frame: Frame, reader: Any, one_pass: Callable[[], Signal | None]
) -> Callable[[], Signal | None] | None:
    """The last pass of a loop, of whose counter is then known whether it is even; None where passes are others.

    Args:
        reader: whose path, draws and numbers these are.
        one_pass: carries out a pass; gives nothing where the loop goes on.
    """
    unseen = dead(node)
    changed = stored(node) - unseen
    counters = [name for name in sorted(changed) if type(frame.values.get(name)) is int]
    is_other = isinstance(reader.meanings.drawn, DrawnDoubles) or node.orelse or len(changed) > _MOST_NAMES
    if is_other or not counters or not changes_names_alone(node, frame):
        return None
    found = ((name, _share(name, unseen, frame, reader, one_pass)) for name in counters)
    counter, again = next((one for one in found if one[1] is not None), ("", None))
    if again is None:
        return None
    is_odd = reader.path.fork([*_parities(again)], "whether the number of a loop's passes is even", reader.line)
    passes = 1 if is_odd else 2 * (again.factor == again.shift)

    def last() -> Signal | None:
        for place in range(passes + 1):
            signal = _one(one_pass, frame, reader, {counter, *unseen}, is_last=place == passes)
        reader.meanings.drawn.is_used = True
        for name in stored(node):
            frame.values[name] = PassParity(int(frame.values[name])) if name == counter else Spent()
        return signal

    return last


def _share(
    counter: str, unseen: frozenset[str], frame: Frame, reader: Any, one_pass: Callable[[], Signal | None]
) -> OfPass | None:
    """The probability that pass k of a loop goes on, as a coin says alone; None where it is another loop."""
    names, drawn, record, path = dict(frame.values), reader.meanings.drawn, reader.draws.record, reader.path
    first = names[counter]
    before, draws = drawn.state, len(record)
    again: OfPass | None = None
    after: Any = None
    try:
        for falls in (False, True):
            frame.values[counter], drawn.is_used = OfPass(Exact(1), first, int), True
            way = reader.path = _Tossed(reader.depth, [], path.opened, falls=falls, draws=len(before.region.laws))
            is_left = one_pass() is not None
            after = frame.values.get(counter)
            if way.share is None or not isinstance(after, OfPass) or after.is_share:
                return None
            again = way.share
            is_next = after.factor == 1 and after.shift == first + 1
            if falls and (is_left or not is_next or _differing(names, frame) - {counter, *unseen}):
                return None
            if not falls and not is_left and one_pass() is None:  # whose head looks at what the coin said
                return None
            put_back(frame, names, record, draws)
            drawn.state = before
    except Reopened:
        raise
    except (Refusal, Exception):  # where the passes are followed one by one it is told
        SEEN.clear()
        return None
    finally:
        put_back(frame, names, record, draws)
        drawn.state, reader.path = before, path
    return again


def _differing(names: Mapping[str, Any], frame: Frame) -> set[str]:
    return {name for name, value in frame.values.items() if value is not names.get(name)}


def _one(
    one_pass: Callable[[], Signal | None], frame: Frame, reader: Any, free: set[str], *, is_last: bool
) -> Signal | None:
    """A pass that goes on, which changes no other names than are free to, or the last: any one that does."""
    names, drawn, record, path = dict(frame.values), reader.meanings.drawn, reader.draws.record, reader.path
    before, draws, waiting = drawn.state, len(record), list[list[int]]([[]])
    try:
        while waiting:
            way = reader.path = Way(reader.depth, waiting.pop(), path.opened)
            signal = one_pass()
            goes_on = signal is None and not _differing(names, frame) - free
            if goes_on and not is_last:
                return None
            if is_last and not goes_on and (signal := signal or one_pass()) is not None:
                return signal
            waiting += way.others
            put_back(frame, names, record, draws)
            drawn.state = before
    finally:
        reader.path = path
    raise reader.refuse("a loop does not end as its passes do one by one: please report it")


def _parities(again: OfPass) -> tuple[Exact, Exact]:
    """The probabilities that the number of passes that go on is even, and odd."""
    c, m = again.factor, again.shift - 1
    first = sum(((-c) ** i / math.factorial(i) for i in range(m)), Exact(0))
    even = math.factorial(m) * ((-c).exp() - first) / (-c) ** m
    return even, 1 - even
