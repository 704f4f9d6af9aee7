"""Mechanisms as tutorials write them are read unchanged: probabilities by hand, all of them 1 together."""

from fractions import Fraction

import pandas as pd
import pytest
from quality import tutorial_functions as written
from quality.read_laws import law_of, powers

from stirred.spec.arguments import InputError

THIRD, QUARTER, HALF = Fraction(1, 3), Fraction(1, 4), Fraction(1, 2)


def frame(jobs, ages=()):
    return pd.DataFrame({"job": list(jobs), "age": list(ages) or [5] * len(jobs)})


def power(exponent, factor=1):
    """factor·e^exponent."""
    return powers({exponent: factor}, {0: 1})


BY_HAND = [
    ("dp_histogram", frame("aab"), "{'a': 0, 'b': 0}", power(-2, QUARTER)),
    ("exponential", ("red", "green"), "np.str_('blue')", powers({0: 1}, {0: 1, HALF: 2})),
    ("report_noisy_max", ("red", "green", "blue"), "'green'", THIRD),
    ("randomized_response", 1, "False", QUARTER),
    ("geometric_count", [1, 0], "1", powers({0: 1, -1: -1}, {0: 1, -1: 1})),
    ("unary", "x", "[1, 0, 0]", Fraction(27, 64)),
    ("olh", 1, "(0, 1)", powers({1: 1}, {1: 8, 0: 24})),
    ("coin", "yes", "'no'", QUARTER),
    ("report_noisy_max_of_frame", frame("abc"), "'c'", THIRD),
    ("exponential_of_frame", frame("aab"), "np.str_('c')", powers({0: 1}, {0: 1, HALF: 1, 1: 1})),
    ("sparse", [1], "[True]", HALF),
    ("dp_mean_sign", [1], "np.True_", powers({0: 6, -QUARTER: -4, -HALF: 1}, {0: 6})),
    ("gradient_step", [1, 2], "(1, 0)", power(-1, QUARTER)),
    ("randomized_response_p", 1, "0", QUARTER),
    ("local_histogram", ["x"], "{'x': 1, 'y': 0, 'z': 0}", powers({1: 1}, {1: 1, 0: 2})),
    ("unary_encoding", 2, "[0, 0, 1]", Fraction(27, 64)),
    ("rappor", 1, "[0, 1]", Fraction(25, 64)),
    ("count_mean_sketch", 1, "(0, [-1.0, 1.0])", powers({2: 1}, {2: 2, 1: 4, 0: 2})),
    ("private_median", [1, 2, 4], "2", powers({Fraction(3, 2): 1}, {Fraction(3, 2): 1, 1: 1, HALF: 2, 0: 1})),
    ("synthetic", frame("aab"), "{'a': 0, 'b': 0}", power(-2, QUARTER)),
    ("synthetic_array", [0, 1, 1], "[0, 0, 0]", powers({-2: 2, -Fraction(5, 2): -1}, {0: 8})),
    ("geometric_noise", [1, 0], "1", powers({0: 1, -1: -1}, {0: 1, -1: 1})),
    ("sample_and_aggregate", [0, 1, 1, 1], "False", power(-HALF, HALF)),
    ("groupby_counts", frame("aab"), "{'a': 0, 'b': 0}", power(-2, QUARTER)),
    ("stability", ["a", "b", "a"], "'a'", power(-1, HALF)),
    ("permute_and_flip", [0, 0], "1", HALF),
    ("in_place", [0, 1, 1], "[0, 0]", power(-1, QUARTER)),
    ("top_name", ["a", "b", "c"], "'b'", THIRD),
    ("sorted_names", ["a", "a"], "['b', 'a']", power(-2)),
    ("diffprivlib_like", [1, 0], "0 + discrete_reflected_geometric(exp(-1))", HALF),
]


@pytest.mark.parametrize(("name", "data", "outcome", "expected"), BY_HAND, ids=[one[0] for one in BY_HAND])
def test_a_probability_is_the_one_by_hand(name, data, outcome, expected):
    found = law_of(written, name, data)
    assert sum(found.values(), Fraction(0)) == 1
    assert found[outcome] == expected


REFUSED = {
    "pca": "np.eigh of a number that is drawn is not read: compute it before the draw, or use --sampled",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_read_is_refused_by_its_line(name):
    with pytest.raises(InputError, match=rf"tutorial_functions\.py, line \d+: {REFUSED[name]}"):
        law_of(written, name, [[1, 2], [3, 4], [0, 1]])
