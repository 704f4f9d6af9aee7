"""What a mechanism raises on some data or draws is an outcome; what it always raises, and a mistake, is an error."""

import math
from fractions import Fraction

import numpy as np
import pytest

import stirred
from stirred.spec import InputError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.local import LocalFunction

THIRD = Fraction(1, 3)


class OwnError(Exception):
    pass


def laws(function, generator=None):
    found = LocalFunction("mechanism", function, generator).laws((0, 1), {}, is_ordered=True)
    return {point: dict(law) for point, law in found.laws.items()}, found.assumed


def on_some_data(data, source):
    if data == 1:
        raise ValueError("probabilities contain NaN")
    return source.bernoulli(THIRD)


def on_some_draws(data, source):
    if source.bernoulli(Fraction(1, 2 + data)):
        raise KeyError("x")
    return 0


def in_an_attempt(data, source):
    def body(inner):
        k = inner.uniform(4)
        if k == 3:
            inner.restart()
        if k == 2:
            raise OwnError
        return k

    return source.attempt(body)


def caught(data, source):
    try:
        return in_an_attempt(data, source)
    except OwnError:
        return -1


def in_a_loop(data, source):
    while source.bernoulli(Fraction(1, 2)):
        if source.bernoulli(Fraction(1, 2)):
            raise LookupError("gave up")
    return 0


def of_numpy(data, rng: np.random.Generator):
    return int(rng.choice(2, p=[0.5, math.nan if data else 0.5]))


def at_a_quarter(data, rng: np.random.Generator):
    return math.sqrt(-1.0) if data and rng.random() < 0.25 else 0


OUTCOMES = {
    on_some_data: [
        {"False": 1 - THIRD, "True": THIRD},
        {"'raises ValueError: probabilities contain NaN'": Fraction(1)},
    ],
    on_some_draws: [
        {"0": Fraction(1, 2), "\"raises KeyError: 'x'\"": Fraction(1, 2)},
        {"0": 1 - THIRD, "\"raises KeyError: 'x'\"": THIRD},
    ],
    in_an_attempt: [{"0": THIRD, "1": THIRD, f"'raises {__name__}.OwnError'": THIRD}] * 2,
    caught: [{"0": THIRD, "1": THIRD, "-1": THIRD}] * 2,
    in_a_loop: [{"0": 1 - THIRD, "'raises LookupError: gave up'": THIRD}] * 2,
    at_a_quarter: [{"0": Fraction(1)}, {"0": Fraction(3, 4), "'raises ValueError: math domain error'": Fraction(1, 4)}],
}


@pytest.mark.parametrize("function", OUTCOMES)
def test_what_is_raised_is_an_outcome(function):
    found, assumed = laws(function)
    assert found == dict(enumerate(OUTCOMES[function]))
    assert ("exceptions are outcomes" in assumed) == (function is not caught)


def test_the_scope_says_which_data_raise():
    assert "released: ValueError: probabilities contain NaN on 1" in laws(on_some_data)[1]
    assert "released: KeyError: 'x' on 0 and 1 other data set" in laws(on_some_draws)[1]


def test_nan_on_one_neighbour_has_no_finite_budget():
    for function in (on_some_data, of_numpy):
        answer = stirred.audit(function, data_sets=[0, 1], distance="absolute_difference", epsilon="3")
        assert answer.verdict is Verdict.REFUTED
        assert "infinite" in str(answer)


def undefined(data, source):
    return source.uniform(2) if source.bernoulli(THIRD) else missing  # noqa: F821 the mistake


def of_another_type(data, source):
    return None + 1 if data else 0


def behind_a_type_error(data, source):
    try:
        return of_another_type(data, source)
    except TypeError:
        raise ValueError("hidden")  # noqa: B904 the code of users


def no_import(data, source):
    if data:
        import not_there  # noqa: F401, PLC0415 the mistake
    return 0


def no_attribute(data, source):
    return source.bernouli(THIRD) if data else 0


def inexact(data, source):
    try:
        return source.bernoulli(0.1) if data else 0
    except ValueError:
        raise RuntimeError("hidden")  # noqa: B904 the code of users


def always(data, source):
    raise ValueError(f"on {data}")


def on_every_path(data, source):
    if source.bernoulli(THIRD):
        raise ValueError("one")
    raise KeyError("other")


def of_numpy_always(data, rng: np.random.Generator):
    raise ValueError("whatever")


def with_an_address(data, source):
    if data:
        raise ValueError("<Thing at 0x7f0011223344>")
    return 0


def as_if(data, source):
    return "raises ValueError: x" if data else 0


ERRORS = {
    undefined: "it raised NameError",
    of_another_type: "it raised TypeError",
    behind_a_type_error: "it raised ValueError: hidden",
    no_import: "it raised ModuleNotFoundError",
    no_attribute: "it raised AttributeError",
    inexact: "it raised RuntimeError: hidden",
    always: "on the data set 0: it raised ValueError: on 0 (test_exceptions.py, line ",
    on_every_path: "it raised ",
    of_numpy_always: "it raised ValueError: whatever",
    with_an_address: "must not show an address",
    as_if: "must not begin with 'raises '",
}


@pytest.mark.parametrize("function", ERRORS)
def test_a_mistake_is_an_error(function):
    with pytest.raises(InputError) as found:
        laws(function)
    assert ERRORS[function] in str(found.value)
    assert "\n" not in str(found.value)


def rarely(data, rng):
    if rng.random() < 0.01:
        raise ValueError("probabilities contain NaN")
    return round(sum(data) + rng.laplace())


def when_empty(data, rng):
    if sum(data) == 0:
        raise ValueError("empty")
    return 0


def estimated(function):
    given = {"data_sets": [(0,), (1,)], "distance": "hamming_unordered", "epsilon": "1", "draws": 2000, "seed": 1}
    return stirred.estimate(function, **given)


def test_an_exception_in_one_draw_is_an_outcome_of_draws():
    assert estimated(rarely).verdict is Verdict.OPEN
    answer = estimated(when_empty)
    assert answer.verdict is Verdict.REFUTED
    assert "the output is 'raises ValueError: empty'" in str(answer)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (lambda data, rng: {}["always"], "the mechanism raises KeyError: 'always', on every data set"),
        (lambda data, rng: missing, "NameError"),  # noqa: F821 the mistake
    ],
)
def test_a_mechanism_that_cannot_be_drawn_from_is_an_error(function, message):
    with pytest.raises(InputError, match=message):
        estimated(function)


def told_by_a_cause(data, source):
    if source.bernoulli(THIRD):
        return 0
    try:
        {}[data]
    except KeyError as error:
        raise ValueError("unknown answer") from error


def told_by_a_context(data, source):
    if source.bernoulli(THIRD):
        return 0
    try:
        {}[data]
    except KeyError:
        raise ValueError("unknown answer")  # noqa: B904 the context is shown


def told_by_arguments(data, source):
    if source.bernoulli(THIRD):
        return 0
    raise OwnError(data if data else str(data), 1)


def told_by_a_group(data, source):
    if source.bernoulli(THIRD):
        return 0
    raise ExceptionGroup("invalid", [ValueError(data)])


def told_by_a_note(data, source):
    if source.bernoulli(THIRD):
        return 0
    error = ValueError("invalid")
    error.add_note(f"answer {data}")
    raise error


def told_by_an_attribute(data, source):
    if source.bernoulli(THIRD):
        return 0
    error = ValueError("invalid")
    error.answer = data
    raise error


class Coins:
    def __init__(self, rng):
        self.rng = rng

    def bernoulli(self, p):
        return self.rng.random() < float(p)


TOLD = (
    *(told_by_a_cause, told_by_a_context, told_by_arguments, told_by_a_group, told_by_a_note, told_by_an_attribute),
)


@pytest.mark.parametrize("mechanism", TOLD)
@pytest.mark.parametrize("generator", [None, "numpy", "random"])
def test_what_an_exception_holds_is_released(mechanism, generator):
    adapted = mechanism if generator is None else (lambda data, rng: mechanism(data, Coins(rng)))
    found, _ = laws(adapted, generator)
    assert set(found[0]) != set(found[1])
    assert [sum(law.values()) for law in found.values()] == [1, 1]


def hidden(data, source):
    if source.bernoulli(THIRD):
        return 0
    try:
        {}[data]
    except KeyError:
        raise ValueError("unknown answer") from None


def test_what_no_traceback_shows_is_not():
    found, _ = laws(hidden)
    assert found[0] == found[1]
    assert "'raises ValueError: unknown answer'" in found[0]
