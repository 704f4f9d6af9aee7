"""What a function keeps between its calls is found wherever it keeps it."""

import functools
import io
import itertools
import threading
from array import array
from contextvars import ContextVar
from fractions import Fraction
from queue import SimpleQueue
from types import SimpleNamespace

import numpy as np
import pytest
from foreign_modules import function_of

from stirred.spec import InputError
from stirred.verify.laws.local import LocalFunction

POINTS = ((0,), (1,), (0, 1))
CALLS = []


def laws(function, *, points=POINTS):
    return LocalFunction("mechanism", function).laws(points, {}, is_ordered=True)


def refusal(function, **more):
    with pytest.raises(InputError) as caught:
        laws(function, **more)
    return str(caught.value)


@pytest.mark.parametrize("every", [2, 3, 4, 5, 7])
def test_state_kept_between_calls_is_told_apart(every):
    calls = [0]

    def counts(data, source):
        calls[0] += 1
        return calls[0] % every

    assert "the mechanism must" in refusal(counts, points=tuple((n,) for n in range(8)))
    assert calls == [0]


def test_state_that_changes_what_is_drawn_is_too():
    seen = set()

    def remembers(data, source):
        known = data in seen
        seen.add(data)
        return source.bernoulli(Fraction(1, 2) if known else Fraction(1, 3))

    assert "the mechanism must" in refusal(remembers)
    assert not seen


def counts(data, source):
    CALLS.append(data)
    return len(CALLS) > 1_000


def counts_by_itself(data, source):
    counts_by_itself.calls = getattr(counts_by_itself, "calls", 0) + 1
    return counts_by_itself.calls > 1_000


def counts_in_a_default(data, source, seen={"calls": [0]}):  # noqa: B006 this is how it remembers
    seen["calls"][0] += 1
    return seen["calls"][0] > 1_000


class CountsItsCalls:
    __slots__ = ("calls",)

    def __init__(self) -> None:
        self.calls = 0

    def __call__(self, data, source):
        self.calls += 1
        return self.calls > 1_000

    def method(self, data, source):
        return self(data, source)


LAST = None
SPACE = SimpleNamespace(calls=0)
NUMBERS = np.zeros(1, dtype=int)
LETTERS = array("i", [0])
TEXT = io.StringIO()
CONTEXT = ContextVar("CONTEXT", default=0)
LOCAL = threading.local()
QUEUE = SimpleQueue()
COUNTED = itertools.count()

BODIES = {
    "global LAST; LAST = data; return 0": "LAST",
    "return counts(data, source)": "CALLS",
    "SPACE.calls += 1; return SPACE.calls > 1_000": "calls",
    "NUMBERS[0] += 1; return bool(NUMBERS[0] > 1_000)": "NUMBERS",
    "LETTERS[0] += 1; return LETTERS[0] > 1_000": "LETTERS",
    "return TEXT.write('a') > 1": "TEXT",
    "CONTEXT.set(CONTEXT.get() + 1); return CONTEXT.get() > 1_000": "CONTEXT",
    "LOCAL.calls = getattr(LOCAL, 'calls', 0) + 1; return LOCAL.calls > 1_000": "calls",
    "QUEUE.put(data); return QUEUE.qsize() > 1_000": "QUEUE",
}


@pytest.mark.parametrize(
    ("function", "name"),
    [
        (counts, "CALLS"),
        (counts_by_itself, "calls"),
        (counts_in_a_default, "seen"),
        (functools.partial(counts), "CALLS"),
        (CountsItsCalls(), "calls"),
        (CountsItsCalls().method, "calls"),
        *((function_of(body, globals()), name) for body, name in BODIES.items()),
    ],
    ids=["list", "attribute", "default", "partial", "object", "method", *BODIES],
)
def test_state_is_refused_though_no_audited_call_shows_it(function, name):
    message = refusal(function)
    assert "the mechanism must not keep state between calls" in message
    assert f"it modifies {name!r}" in message
    assert CALLS == []


@pytest.mark.parametrize("begun", [COUNTED, iter([1, 2]), (n for n in range(9)), itertools.cycle((0, 1))])
def test_an_iterator_from_before_is_refused_and_one_of_its_own_is_none(begun):
    assert "mechanism: an iterator that was begun before the call" in refusal(lambda data, source: next(begun) > 1_000)
    assert laws(lambda data, source: sum(n for n in iter(data))).laws[(1,)].support == ("1",)


def test_what_an_invariant_keeps_is_refused_too():
    with pytest.raises(InputError, match=r"an invariant must not keep state between calls.*'CALLS'"):
        LocalFunction("invariant", lambda data: CALLS.append(data) or 0).values(POINTS, is_ordered=True)


def test_a_cache_is_no_state():
    @functools.cache
    def slow(data):
        return sum(data)

    class Table:
        sizes = (2, 3)

        @functools.cached_property
        def most(self):
            return max(self.sizes)

    table = Table()
    found = laws(lambda data, source: slow(data) + source.uniform(2) * (table.most - 2))
    assert found.laws[(1,)].support == ("1", "2")
    assert "most" not in vars(table)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (0, False),
        (1, 1.0),
        ((0,), (False,)),
        (0.0, -0.0),
        (((0.0,),), ((-0.0,),)),
        (0j, -0j),
        (frozenset({0}), frozenset({False})),
        (frozenset({(1,)}), frozenset({(True,)})),
        ((1, 2), (1,)),
        ("1", b"1"),
    ],
    ids=str,
)
def test_values_that_compare_equal_are_told_apart(before, after):
    kept = SimpleNamespace(value=before)

    def remembers(data, source):
        seen, kept.value = kept.value, after
        return str(seen)

    assert "it modifies 'value'" in refusal(remembers)


@pytest.mark.parametrize("value", [1, 2.5, -1j, "text", (1, (2.0, "a")), frozenset({1}), Fraction(1, 3)], ids=str)
def test_a_value_put_back_is_no_state(value):
    kept = SimpleNamespace(value=value)

    def puts_back(data, source):
        kept.value = copied(value)
        return source.bernoulli(Fraction(1, 2))

    assert laws(puts_back)


def copied(value):
    """An equal value that is another object, where the interpreter makes one."""
    if isinstance(value, tuple):
        return tuple(map(copied, value))
    return frozenset(list(value)) if isinstance(value, frozenset) else type(value)(str(value))


@functools.cache
def the_store():
    return []


@functools.lru_cache(maxsize=8)
def a_table(size):
    return [size] * size


NEXT = itertools.count().__next__
APPEND = CALLS.append


def test_what_a_cache_holds_may_be_read_and_not_changed():
    def counts(data, source):
        the_store().append(1)
        return data if len(the_store()) > 5000 else 0

    assert refusal(counts).endswith("(functools.cache is fine); it modifies 'the_store'")
    assert len(laws(lambda data, source: a_table(3)[source.uniform(3)]).laws) == len(POINTS)


def test_a_method_of_something_that_keeps_is_looked_into():
    assert "an iterator that was begun before" in refusal(lambda data, source: data if NEXT() > 5000 else 0)
    assert "it modifies 'APPEND'" in refusal(lambda data, source: APPEND(1))
