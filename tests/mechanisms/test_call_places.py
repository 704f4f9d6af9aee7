"""What is known of the value stack at a call: nothing but the call is on it, and what is called is named."""

import pytest

from stirred.mechanisms.program_state import Callee, bare_calls

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
        (of_an_attribute, set()),
        (with_numbers, {CHOOSE}),
        (of_a_negative, set()),
        (of_a_sum, set()),
        (resumed, set()),  # it goes on wherever it was left
    ],
    ids=["for", "or", "argument", "thirty arguments", "attribute", "numbers", "negative", "sum", "generator"],
)
def test_calls_with_nothing_else_on_the_stack_are_found_with_their_names(function, callees):
    assert called(function) == callees
