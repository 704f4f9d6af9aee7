"""Loops whose pass k goes on with probability c/(k + s): whether the number of their passes is even is one choice.

At least n passes go on with probability c^n·(m − 1)!/(m − 1 + n)!, where m = k + s at the first pass. So n is even with
probability Σ (−c)^n·(m − 1)!/(m − 1 + n)!, which is e^−c for m = 1. Nothing else of n, nor of what passes leave behind,
can be looked at afterwards.
"""

from __future__ import annotations

import ast
import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from stirred.mechanisms.reading.drawn_doubles import DrawnDoubles
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.functions import Frame
from stirred.mechanisms.reading.pass_numbers import OfPass, PassParity, Spent
from stirred.mechanisms.reading.refusal import Refusal, Reopened
from stirred.mechanisms.reading.rejection import Way, changes_names_alone, dead, put_back, stored
from stirred.mechanisms.reading.symbols import SEEN
from stirred.mechanisms.reading.yielding import Signal


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
    names, drawn, record, path = dict(frame.values), reader.meanings.drawn, reader.draws.record, reader.path
    changed = stored(node) - dead(node)
    (counter,) = changed if len(changed) == 1 else ("",)
    first = names.get(counter)
    if isinstance(drawn, DrawnDoubles) or node.orelse or type(first) is not int or not changes_names_alone(node, frame):
        return None
    before, draws = drawn.state, len(record)
    again: OfPass | None = None
    after: Any = None
    try:
        for falls in (False, True):
            frame.values[counter], drawn.is_used = OfPass(Exact(1), first, int), True
            way = reader.path = _Tossed(reader.depth, [], path.opened, falls=falls, draws=len(before.region.laws))
            is_left, after = one_pass() is not None, frame.values.get(counter)
            if way.share is None or is_left is falls or not isinstance(after, OfPass) or after.is_share:
                return None
            again = way.share
            if falls and not (after.factor == 1 and after.shift == first + 1):
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
    if again is None:
        return None
    is_odd = path.fork([*_parities(again)], "whether the number of a loop's passes is even", reader.line)
    passes = 1 if is_odd else 2 * (again.factor == again.shift)

    def last() -> Signal | None:
        for place in range(passes + 1):
            signal = _one(one_pass, frame, reader, is_last=place == passes)
        drawn.is_used = True
        for name in stored(node):
            frame.values[name] = PassParity(int(frame.values[name])) if name == counter else Spent()
        return signal

    return last


def _one(one_pass: Callable[[], Signal | None], frame: Frame, reader: Any, *, is_last: bool) -> Signal | None:
    """A pass that goes on, or is the last: any one that does."""
    names, drawn, record, path = dict(frame.values), reader.meanings.drawn, reader.draws.record, reader.path
    before, draws, waiting = drawn.state, len(record), list[list[int]]([[]])
    try:
        while waiting:
            way = reader.path = Way(reader.depth, waiting.pop(), path.opened)
            signal = one_pass()
            if (signal is not None) == is_last:
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
