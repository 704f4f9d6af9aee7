"""Parameters of a mechanism that are called as an argument of the audit, in every function that takes a mechanism."""

import inspect
from fractions import Fraction

import pytest

import stirred
from stirred.spec import InputError, Loss

CLAIM = {"data_sets": (0, 1), "distance": "absolute_difference"}
OWN = {"epsilon": "1/4", "delta": 0, "rho": "r", "output": "o", "distance": 1, "limits": (2, 3)}
"""The first one is read as a number, as a parameter by keyword is."""


def answer(data, source, *, epsilon, delta, rho, output, distance, limits, flip="1"):
    assert (delta, rho, output, distance, limits) == (0, "r", "o", 1, (2, 3))
    return 1 - data if source.bernoulli(epsilon) else data


def test_they_are_given_by_a_mapping():
    assert stirred.smallest_budget(answer, **CLAIM, parameters=OWN) == Loss(3)
    assert stirred.audit(answer, **CLAIM, epsilon="ln 3", parameters=OWN, flip=Fraction(1)).holds
    assert stirred.assert_satisfies(answer, **CLAIM, epsilon=Loss(3), parameters=OWN).smallest == Loss(3)
    assert stirred.smallest_delta(answer, **CLAIM, epsilon="ln 2", parameters=OWN) == Fraction(1, 4)
    assert stirred.privacy_curve(answer, **CLAIM, parameters=OWN).lines()[0].startswith("delta = (3 - e^epsilon)/4")
    both = {"honest": CLAIM, "claimed": {**CLAIM, "distance": lambda x, y: 2 * int(x != y)}}
    assert stirred.compare(answer, **both, parameters=OWN).corners["HHCH"].budget == Loss(3, 2)


def test_a_claim_on_the_mechanism_keeps_them():
    marked = stirred.satisfies(**CLAIM, epsilon="ln 3", parameters=OWN)(answer)
    try:
        (found,) = stirred.check(marked)
    finally:
        del answer.__stirred_claims__
    assert found.mechanism.startswith(f"{__name__}:answer with ")
    assert "epsilon = 1/4" in found.mechanism
    assert found.smallest == Loss(3)


ASKED = {
    "smallest_budget": {},
    "audit": {},
    "assert_satisfies": {"epsilon": 2},
    "smallest_delta": {"epsilon": 1},
    "privacy_curve": {},
}


@pytest.mark.parametrize("name", ASKED)
def test_one_that_is_missing_has_its_remedy_in_the_message(name):
    getattr(stirred, name)(answer, **CLAIM, **ASKED[name], parameters=OWN)
    with pytest.raises(InputError) as caught:
        getattr(stirred, name)(answer, **CLAIM, **ASKED[name])
    assert str(caught.value) == (
        f"mechanism: {__name__}:answer must be given its parameter epsilon; that keyword is the claim's own: write "
        "parameters={'epsilon': …}"
    )


def test_one_that_has_a_default_may_be_left_out():
    def fair(data, source, *, epsilon=Fraction(1, 2)):
        return data if source.bernoulli(epsilon) else 1 - data

    assert stirred.smallest_budget(fair, **CLAIM) == Loss(1)


def test_the_data_and_the_source_are_no_parameters():
    def named(data_sets, limits):
        return 1 - data_sets if limits.bernoulli(Fraction(1, 4)) else data_sets

    assert stirred.smallest_budget(named, **CLAIM) == Loss(3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"parameters": {"flip": 1}, "flip": 2}, "flip must be given once: in parameters, or as a keyword; got both"),
        ({"parameters": ["epsilon"]}, "parameters must be a mapping of the mechanism's parameters by name, such as"),
        ({"parameters": {1: 2}}, "parameters must be a mapping of the mechanism's parameters by name, such as"),
        ({"parameters": {**OWN, "flip": 0.5}}, "flip must be exact; got the float 0.5"),
    ],
)
def test_a_malformed_one_is_one_line(given, message):
    with pytest.raises(InputError) as caught:
        stirred.audit(answer, **CLAIM, **given)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_every_function_that_takes_a_mechanism_has_the_option():
    for name in (*ASKED, "satisfies", "compare"):
        wanted = inspect.signature(getattr(stirred, name)).parameters
        assert wanted["parameters"].kind is inspect.Parameter.KEYWORD_ONLY, name
