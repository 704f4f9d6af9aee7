"""What a mechanism raises on some data or draws is an outcome; what it always raises, and a mistake, is an error."""

import importlib
import math
import sys
from fractions import Fraction
from textwrap import indent

import numpy as np
import pytest
from foreign_modules import function_of

import stirred
from stirred.spec import InputError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.local import LocalFunction

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


class OwnError(Exception):
    pass


def mechanism(body, parameters="data, source"):
    return function_of(body, globals(), parameters)


def laws(function, generator=None):
    found = LocalFunction("mechanism", function, generator).laws((0, 1), {}, is_ordered=True)
    return {point: dict(law) for point, law in found.laws.items()}, found.assumed


ON_SOME_DATA = mechanism("""
    if data == 1:
        raise ValueError("probabilities contain NaN")
    return source.bernoulli(THIRD)
    """)
ON_SOME_DRAWS = mechanism("""
    if source.bernoulli(Fraction(1, 2 + data)):
        raise KeyError("x")
    return 0
    """)
IN_AN_ATTEMPT = mechanism("""
    def body(inner):
        k = inner.uniform(4)
        if k == 3:
            inner.restart()
        if k == 2:
            raise OwnError
        return k
    return source.attempt(body)
    """)
CAUGHT = mechanism("""
    try:
        return IN_AN_ATTEMPT(data, source)
    except OwnError:
        return -1
    """)
IN_A_LOOP = mechanism("""
    while source.bernoulli(HALF):
        if source.bernoulli(HALF):
            raise LookupError("gave up")
    return 0
    """)


def OF_NUMPY(data, rng: np.random.Generator):  # noqa: N802 as its siblings
    return int(rng.choice(2, p=[0.5, math.nan if data else 0.5]))


def AT_A_QUARTER(data, rng: np.random.Generator):  # noqa: N802
    return math.sqrt(-1.0) if data and rng.random() < 0.25 else 0


OUTCOMES = {
    ON_SOME_DATA: [
        {"False": 1 - THIRD, "True": THIRD},
        {"'raises ValueError: probabilities contain NaN'": Fraction(1)},
    ],
    ON_SOME_DRAWS: [{"0": HALF, "\"raises KeyError: 'x'\"": HALF}, {"0": 1 - THIRD, "\"raises KeyError: 'x'\"": THIRD}],
    IN_AN_ATTEMPT: [{"0": THIRD, "1": THIRD, f"'raises {__name__}.OwnError'": THIRD}] * 2,
    CAUGHT: [{"0": THIRD, "1": THIRD, "-1": THIRD}] * 2,
    IN_A_LOOP: [{"0": 1 - THIRD, "'raises LookupError: gave up'": THIRD}] * 2,
    AT_A_QUARTER: [{"0": Fraction(1)}, {"0": Fraction(3, 4), "'raises ValueError: math domain error'": Fraction(1, 4)}],
}


@pytest.mark.parametrize("function", OUTCOMES)
def test_what_is_raised_is_an_outcome(function):
    found, assumed = laws(function)
    assert found == dict(enumerate(OUTCOMES[function]))
    assert ("exceptions are outcomes" in assumed) == (function is not CAUGHT)


def test_the_scope_says_which_data_raise():
    assert "released: ValueError: probabilities contain NaN on 1" in laws(ON_SOME_DATA)[1]
    assert "released: KeyError: 'x' on 0 and 1 other data set" in laws(ON_SOME_DRAWS)[1]


@pytest.mark.parametrize("function", [ON_SOME_DATA, OF_NUMPY])
def test_nan_on_one_neighbour_has_no_finite_budget(function):
    answer = stirred.audit(function, data_sets=[0, 1], distance="absolute_difference", epsilon="3")
    assert answer.verdict is Verdict.REFUTED
    assert "infinite" in str(answer)


ERRORS = {
    "return source.uniform(2) if source.bernoulli(THIRD) else missing": "it raised NameError",
    "return None + 1 if data else 0": "it raised TypeError",
    """
    try:
        return None + 1 if data else 0
    except TypeError:
        raise ValueError("hidden")
    """: "it raised ValueError: hidden",
    "if data: import not_there\nreturn 0": "it raised ModuleNotFoundError",
    "return source.bernouli(THIRD) if data else 0": "it raised AttributeError",
    """
    try:
        return source.bernoulli(0.1) if data else 0
    except ValueError:
        raise RuntimeError("hidden")
    """: "it raised RuntimeError: hidden",
    "raise ValueError(f'on {data}')": "on the data set 0: it raised ValueError: on 0 (test_exceptions.py, line ",
    "raise ValueError('one') if source.bernoulli(THIRD) else KeyError('other')": "it raised ",
    "if data: raise ValueError('<Thing at 0x7f0011223344>')\nreturn 0": "must not show an address",
    "return 'raises ValueError: x' if data else 0": "must not begin with 'raises '",
}


@pytest.mark.parametrize("body", ERRORS)
def test_a_mistake_is_an_error(body):
    with pytest.raises(InputError) as found:
        laws(mechanism(body))
    assert ERRORS[body] in str(found.value)
    assert "\n" not in str(found.value)


def always(data, rng: np.random.Generator):
    raise ValueError("whatever")


def test_what_a_generator_always_raises_is_an_error():
    with pytest.raises(InputError, match="it raised ValueError: whatever"):
        laws(always)


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


TOLD = {
    "a cause": "try: {}[data]\nexcept KeyError as error: raise ValueError('unknown answer') from error",
    "a context": "try: {}[data]\nexcept KeyError: raise ValueError('unknown answer')",
    "arguments": "raise OwnError(data if data else str(data), 1)",
    "a group": "raise ExceptionGroup('invalid', [ValueError(data)])",
    "a note": "error = ValueError('invalid'); error.add_note(f'answer {data}'); raise error",
    "an attribute": "error = ValueError('invalid'); error.answer = data; raise error",
}
HIDDEN = "try: {}[data]\nexcept KeyError: raise ValueError('unknown answer') from None"


def telling(body):
    return mechanism(f"if source.bernoulli(THIRD): return 0\n{body}")


@pytest.mark.parametrize("told_by", TOLD)
@pytest.mark.parametrize("drawn", ["source.bernoulli(THIRD)", "rng.random() < 1 / 3"])
def test_what_an_exception_holds_is_released(told_by, drawn, tmp_path, monkeypatch):
    name = drawn.partition(".")[0]
    body = indent(f"if {drawn}: return 0\n{TOLD[told_by]}", "    ")
    before = "from fractions import Fraction\nTHIRD = Fraction(1, 3)\nclass OwnError(Exception): pass\n"
    (tmp_path / "telling.py").write_text(f"{before}def f(data, {name}):\n{body}\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "telling", raising=False)
    found, _ = laws(importlib.import_module("telling").f, None if name == "source" else "numpy")
    assert set(found[0]) != set(found[1])
    assert [sum(law.values()) for law in found.values()] == [1, 1]


def test_what_no_traceback_shows_is_not():
    found, _ = laws(telling(HIDDEN))
    assert found[0] == found[1]
    assert "'raises ValueError: unknown answer'" in found[0]
