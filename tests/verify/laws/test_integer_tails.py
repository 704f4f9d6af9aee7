"""Geometric tails are split up to a common end: probabilities by hand, divergences by those of all integers."""

import math
from fractions import Fraction

import numpy as np
import pytest

import stirred
from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Law
from stirred.verify.laws.integer_tails import aligned, has_tails, is_mixed

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)


def laws(**given):
    return {name: Law(masses) for name, masses in given.items()}


def parts(**given):
    found, unlike = aligned(laws(**given), "here")
    assert unlike is None
    return {name: dict(law) for name, law in found.items()}


def test_tails_that_begin_at_two_places():
    found = parts(x={"0 + discrete_geometric(1/2)": 1}, y={"3 + discrete_geometric(1/2)": 1})
    assert found["x"] == {"0": HALF, "1": Fraction(1, 4), "2": Fraction(1, 8), "3 or more": Fraction(1, 8)}
    assert found["y"] == {"3 or more": 1}


def test_falling_tails():
    found = parts(x={"0 + discrete_reflected_geometric(1/3)": 1}, y={"-1 + discrete_reflected_geometric(1/3)": 1})
    assert found == {"x": {"0": 1 - THIRD, "-1 or less": THIRD}, "y": {"-1 or less": 1}}


def test_an_integer_within_a_tail():
    found = parts(x={"0 + discrete_geometric(1/2)": HALF, "2": HALF}, y={"1": 1})
    assert found["x"] == {"0": HALF**2, "1": HALF**3, "2": HALF + HALF**4, "3 or more": HALF**4}


@pytest.mark.parametrize("shift", [1, 2, 5])
def test_tails_in_steps_are_the_geometric_law_that_they_are_parts_of(shift):
    """2·G + U, where G has ratio 1/4 and U is 1 with probability 1/3, has ratio 1/2."""
    steps = {f"{k} + 2*discrete_geometric(1/4)": Fraction(2 - k, 3) for k in (0, 1)}
    moved = {f"{k + shift} + 2*discrete_geometric(1/4)": Fraction(2 - k, 3) for k in (0, 1)}
    found = parts(x=steps, y=moved)
    assert all(found["x"][str(k)] == HALF ** (k + 1) for k in range(shift))
    assert found["y"].get(str(shift - 1), 0) == 0
    assert {found["y"][t] / found["x"][t] for t in found["y"]} == {2**shift}
    assert sum(found["x"].values()) == sum(found["y"].values()) == 1
    assert is_mixed(laws(x={"0 + 2*discrete_geometric(1/4)": 1}))


def test_falling_tails_in_steps():
    found = parts(x={"0 + 3*discrete_reflected_geometric(1/3)": 1}, y={"-1": HALF, "-3": HALF})
    assert found["x"] == {"0": 1 - THIRD, "-3": THIRD * (1 - THIRD), "-6 or less in steps of 3": THIRD**2}


def test_tails_in_several_steps_are_refused():
    given = laws(x={"0 + 2*discrete_geometric(1/4)": 1}, y={"0 + discrete_geometric(1/2)": 1})
    with pytest.raises(InputError, match="here: integers without bound are released in several steps: clamp them"):
        aligned(given, "here")


@pytest.mark.parametrize("ratio", [HALF, THIRD, Fraction(9, 10)])
@pytest.mark.parametrize("shift", [1, 4])
def test_two_sided_noise(ratio, shift):
    found = parts(x={f"0 + discrete_laplace({ratio})": 1}, y={f"{shift} + discrete_laplace({ratio})": 1})
    for start, masses in ((0, found["x"]), (shift, found["y"])):
        listed = {int(text): mass for text, mass in masses.items() if " or " not in text}
        assert all(mass == (1 - ratio) / (1 + ratio) * ratio ** abs(k - start) for k, mass in listed.items())
        low, high = min(listed) - 1, max(listed) + 1  # P(X ≤ k) = α^(start − k)/(1 + α) below the centre
        assert masses[f"{low} or less"] == ratio ** (start - low) / (1 + ratio)
        assert masses[f"{high} or more"] == ratio ** (high - start) / (1 + ratio)
        assert sum(masses.values()) == 1
    assert max(found["x"][t] / found["y"][t] for t in found["x"]) == ratio**-shift


@pytest.mark.parametrize("gamma", [Fraction(1), Fraction(3, 2), Fraction(2)])
def test_a_divergence_is_that_of_all_integers(gamma):
    found = parts(x={"0 + discrete_laplace(1/2)": 1}, y={"2 + discrete_laplace(1/2)": HALF, "-3": HALF})
    joint = sum(max(found["x"].get(t, 0) - gamma * found["y"].get(t, 0), 0) for t in found["x"])
    first = {k: HALF ** abs(k) / 3 for k in range(-60, 63)}
    second = {k: HALF ** (abs(k - 2) + 1) / 3 + (HALF if k == -3 else 0) for k in first}
    listed = sum(max(first[k] - gamma * second[k], 0) for k in first)
    assert 0 <= joint - listed <= HALF**58


def test_two_integers_are_refined_one_by_one():
    text = "(0 + discrete_geometric(1/2), 'a', {} + discrete_geometric(1/3))"
    found = parts(x={text.format(0): 1}, y={text.format(1): 1})
    assert found["x"] == {"(0 or more, 'a', 0)": 1 - THIRD, "(0 or more, 'a', 1 or more)": THIRD}


def test_skeletons_that_differ_stay_apart():
    found = parts(x={"(0 + discrete_geometric(1/2), 'a')": 1}, y={"(5 + discrete_geometric(1/2), 'b')": 1})
    assert found == {"x": {"(0 or more, 'a')": 1}, "y": {"(5 or more, 'b')": 1}}


def test_ratios_that_differ_are_told():
    given = laws(x={"0 + discrete_geometric(1/2)": 1}, y={"0 + discrete_geometric(1/3)": 1})
    found, unlike = aligned(given, "here")
    assert unlike.ratios == {"0 or more of ratio 1 / 2": HALF, "0 or more of ratio 1 / 3": THIRD}
    assert set(unlike.places.values()) == {"0 or more"}
    assert "beyond 0 or more it has several ratios" in unlike.sentence
    assert {*found["x"]} == {"0 or more of ratio 1 / 2"}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (
            {"x": {"0 + discrete_geometric(1/2)": 1}, "y": {"300000": 1}},
            "integers with tails must be at most 200000",
        ),
        ({"x": {"0 + discrete_gaussian(4)": HALF, "7": HALF}}, "here: unbounded: noise discrete_gaussian"),
    ],
)
def test_what_has_no_finite_law_is_refused(given, said):
    with pytest.raises(InputError, match=said):
        aligned(laws(**given), "here")


def test_which_laws_have_tails():
    tail, plain = {"0 + discrete_laplace(1/2)": 1}, {"0": 1}
    assert has_tails(laws(x=tail, y=plain))
    assert not has_tails(laws(x=plain))
    assert not is_mixed(laws(x=tail, y=plain))
    assert is_mixed(laws(x={"0 + discrete_laplace(1/2)": HALF, "0": HALF}))


def tenths(x):
    return round(x + np.random.laplace(), 1)


def law_of_tenths(x):
    """P(k/10) from the distribution function; what is less than 0 and rounded to it is −0.0."""

    def below(t):
        return math.exp(t - x) / 2 if t < x else 1 - math.exp(x - t) / 2

    ends = [(repr(k / 10), (k - 0.5) / 10, (k + 0.5) / 10) for k in range(-300, 301) if k]
    return {text: below(high) - below(low) for text, low, high in [*ends, ("-0.0", -0.05, 0), ("0.0", 0, 0.05)]}


@pytest.mark.parametrize("pair", [(0, 0.5), (0.25, 0.75), (-0.3, 0.4), (1.2, 2.2)])
def test_tenths_have_the_divergences_of_their_law(pair):
    p, q = map(law_of_tenths, pair)
    losses = [math.log(p[text] / q[text]) for text in p if min(p[text], q[text]) > 1e-9]
    asked = {"data_sets": pair, "distance": lambda x, y: int(x != y)}
    assert float(str(stirred.smallest_budget(tenths, **asked))) == pytest.approx(max(map(abs, losses)), abs=1e-5)
    variation = sum(max(0, p[text] - q[text]) for text in p)
    found = stirred.smallest_budget(tenths, **asked, output="total_variation")
    assert float(str(found)) == pytest.approx(variation, abs=1e-9)
