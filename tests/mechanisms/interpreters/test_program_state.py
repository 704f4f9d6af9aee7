"""States of programs are equal only where the values are, and which of them are one object; in doubt there is none.

What is known of the value stack at a call: nothing but the call is on it, and what is called is named.
"""

import functools
import types
from fractions import Fraction

import pytest

from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, follow
from stirred.mechanisms.interpreters.choice_tree import tree_law
from stirred.mechanisms.interpreters.loop_masses import has_loops
from stirred.mechanisms.interpreters.program_state import Callee, ProgramStates, bare_calls, code_of
from stirred.mechanisms.source import PublicSource, Source

HALF = Fraction(1, 2)


def test_which_of_two_equal_lists_a_name_stands_for_is_part_of_the_state():
    def program(source):
        one, other = [0], [0]
        which = one
        while source.bernoulli(HALF):
            which = other if which is one else one
        one[0] = 1
        return which[0]

    tree = follow(program, ChoiceBudget(100), states=ProgramStates([HALF]))
    assert has_loops(tree.nodes)
    # E(−1)^n of the rounds n is Σ ½ (−½)^k = 1/3
    assert dict(tree_law(tree)) == {1: Fraction(2, 3), 0: Fraction(1, 3)}


class Asking(Source):
    """At every choice, keeps the state of the program and says 0."""

    def __init__(self, entry, caller):
        self.codes = entry, caller
        self.found = []

    def choose(self, weights):
        self.found.append(ProgramStates([HALF]).state(*self.codes))
        return 0

    def bernoulli(self, p):
        return bool(self.choose((1 - p, p)))

    def attempt(self, body):
        return body(self)


def call(program, source):
    return program(PublicSource(source))


def states(program, entry, caller=call.__code__):
    asking = Asking(entry, caller)
    call(program, asking)
    return asking.found


def flip(source):
    return source.bernoulli(HALF)


def many(source, parts):
    kept = [0] * parts
    source.bernoulli(HALF)
    return kept


def with_a_fraction(source):
    share = HALF + 1
    source.bernoulli(HALF)
    return share


own = types.ModuleType("own")
own.flip = flip
box = types.SimpleNamespace(flip=flip)


def by_a_module(source):
    return own.flip(source)


def by_an_object(source):
    return box.flip(source)


@pytest.mark.parametrize(
    ("program", "is_known"),
    [
        (flip, True),
        (by_a_module, True),
        (with_a_fraction, True),
        (by_an_object, False),  # whose attributes may be changed
        (functools.partial(many, parts=100), True),
        (functools.partial(many, parts=20_000), False),  # more than is looked at
    ],
    ids=["itself", "a module", "a fraction", "an object", "a list", "a long list"],
)
def test_a_state_is_given_where_all_that_is_kept_is_seen(program, is_known):
    (found,) = states(program, code_of(program))
    assert (found is not None) is is_known


def test_there_is_no_state_without_the_program_its_caller_or_a_choice():
    assert states(flip, flip.__code__)[0] is not None
    assert states(flip, None) == [None]
    assert states(flip, many.__code__) == [None]
    assert states(flip, flip.__code__, many.__code__) == [None]
    assert ProgramStates().state(flip.__code__, call.__code__) is None


def test_the_code_of_a_program_is_that_of_a_function_behind_partial_calls():
    assert code_of(functools.partial(functools.partial(flip), None)) is flip.__code__
    assert code_of(max) is None
    assert code_of(box) is None


CHOOSE = Callee("source", "choose")


def called(function):
    """What is called with nothing else on the value stack."""
    return {callee for _, callee in bare_calls(function.__code__).values()}


def left_at_once(source):
    for _ in "abc":
        source.choose(0)
        break


def after_an_or(source, n):
    return n or source.choose(0)


def with_an_attribute_as_argument(source, other):
    return source.choose(0, other.first)


def with_a_call_as_argument(source, size):
    return source.choose(size())


def of_an_attribute(source):
    return source.inner.choose(0)


def with_numbers(source, n):
    return source.choose(-n, n + 1)


def of_a_negative(n):
    return (-n)(0)


def of_a_sum(n, other):
    return (n + other)(0)


def resumed(source):
    source.choose(0)
    yield 0


@pytest.mark.parametrize(
    ("function", "callees"),
    [
        (left_at_once, set()),  # the iterator is below the call, though the loop never comes back
        (after_an_or, {CHOOSE}),  # n is gone where it decides nothing
        (with_an_attribute_as_argument, {CHOOSE}),
        (eval("lambda source, x: source.choose(" + "x, " * 30 + ")"), {CHOOSE}),  # noqa: S307 no method is loaded here
        (with_a_call_as_argument, {CHOOSE}),
        (of_an_attribute, set()),
        (with_numbers, {CHOOSE}),
        (of_a_negative, set()),
        (of_a_sum, set()),
        (resumed, set()),  # it goes on wherever it was left
    ],
    ids=["for", "or", "argument", "thirty arguments", "call", "attribute", "numbers", "negative", "sum", "generator"],
)
def test_calls_with_nothing_else_on_the_stack_are_found_with_their_names(function, callees):
    assert called(function) == callees
