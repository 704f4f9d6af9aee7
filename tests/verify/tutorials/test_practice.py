"""Mechanisms and usual mistakes as they stand: the smallest budget is the one by hand, and so is each that no ε covers.

By hand: choices and steps of noise added up, maxima and thresholds by quadrature, with floats and none of this program.
"""

import math

import pandas as pd
import pytest
from quality import lecture_functions, practice_functions
from tiers import few

import stirred

INFINITE = math.inf
NEEDED = [
    ("bounded_mean", [[0.0, 3.0], [10.0, 3.0]], 1),
    ("favourite", [["tea", "tea"], ["tea", "coffee"]], 0.640940231),
    ("exp_median", [[1, 2, 4], [1, 3, 4]], 0),
    ("rr_column", [pd.DataFrame({"smokes": [0, 1]}), pd.DataFrame({"smokes": [0, 0]})], math.log(3)),
    ("rr_vector", [[0, 1], [1, 1]], math.log(3)),
    ("oue", ["a", "b"], 1),
    ("olh", ["u", "v", "w"], 1),
    ("hist", [[0, 1], [0]], 1),
    ("stable_hist", [["a", "a"], ["a"]], 1),
    ("stable_hist_geometric", [["a", "a"], ["a"]], 1),
    ("poisson_count", [[1, 1], [1, 0]], 0.357374316),
    ("quantile", [[2, 5], [2, 6]], 0.436815585),
    ("ptr_mode", [["a", "a", "a", "b"], ["a", "a", "b", "b"]], 1),
    ("top_two", [[1, 0, 0], [0, 1, 0]], 0.382792239),
    ("bloom_flip", [["a"], ["b"]], math.log(9)),
    ("shuffled_rr", [[0, 0, 1], [0, 1, 1]], math.log(3)),
    ("metropolis", [[1, 0, 0], [0, 1, 0]], 0.494567569),
    ("permute_flip", [[1, 0, 2], [1, 1, 1]], 0.82040326),
    ("stochastic_round", [0.25, 0.75], math.log(3)),
    ("bits_bernoulli", [0, 1], math.log(5 / 3)),
    ("two_counts", [[0, 1], [1, 1]], 1),
    ("prefix_sums", [[0, 1, 0], [1, 1, 0]], 1.5),
    ("queries", [[0, 1], [0, 2]], 2 / 3),
    ("krr", [0, 1, 2], 1.5),
    ("positive_only", [0, 1], 1),
    ("typed", [{"kind": "count", "value": 1}, {"kind": "count", "value": 2}], math.log(2)),
    ("with_finally", [0, 1], math.log(3)),
    ("vectorised", [[0, 1], [1, 1]], math.log(4)),
    ("along_axis", [[[0, 1], [1, 0]], [[0, 1], [0, 0]]], 0.620114507),
    ("selected", [0, 1], math.log(9)),
    ("random_state", [0, 1], math.log(7)),
    ("secret_rr", [0, 1], math.log(9)),
    ("weighted", ["x", "y"], 1),
    ("svt_numeric", [[1, 0], [0, 1]], 1.39581534),
    ("two_stage", [[0, 1], [1, 1]], 1.54844563),
    ("label_rr", ["no", "yes"], 2),
    ("hadamard", [0, 1, 2], 1),
    ("subset_selection", [0, 1], 1),
    ("sign_step", [[[1.0, -1.0], [0.5, 0.0]], [[-1.0, 1.0], [0.5, 0.0]]], 0.949833341),
    ("noisy_search", [[1, 5], [1, 3]], 0.663593132),
    ("round_to_base", [1, 2], math.log(2)),
    ("clipped_count", [[0, 1], [1, 1]], 1),
    ("group_mean", [pd.DataFrame({"g": ["x", "y"], "v": [1, 9]}), pd.DataFrame({"g": ["x", "y"], "v": [1, 1]})], 0.75),
    ("by_class", [[0, 1], [1, 1]], 0.5),
    ("noisy_ranking", [[1, 0, 0], [0, 1, 0]], 0.5),
    ("inverse_cdf", [[1, 0, 0], [0, 1, 0]], 0.5),
    ("own_count", [[0, 1], [1, 1]], 1),
    ("dithered", [0.25, 0.5], math.log(2)),
    ("rejection_rr", [0, 1], math.log(2)),
    ("matrix_rr", [0, 1, 2], math.log(7)),
    ("stream", [[0, 1, 1], [1, 1, 1]], math.log(3)),
    ("branch_budget", [[0], [1]], 2),
    ("wrong_range", [[6], []], 3),
    ("one_noise", [[0, 1], [1, 1]], INFINITE),
    ("empty_group", [[], [1]], INFINITE),
    ("clip_after", [[3], [9]], 1.5),
    ("wrong_split", [[0], [0, 1]], 1.5),
    ("data_bounds", [[0, 1], [0, 5]], INFINITE),
    ("without_replacement", [[0, 0, 0], [0, 0, 1]], math.log(7 / 3)),
    ("upside_down", [[0], [1]], 2),
    ("binary_formula", [0, 1], 1 + math.log(3)),
    ("broadcast", [[0, 0], [1, 0]], INFINITE),
    ("only_positive", [[0], [1]], INFINITE),
    ("svt_one_more", [[0, 1, 1], [1, 0, 0]], 0.589147298),
    ("retry", [[0, 1], [1, 1]], 0.888651589),
    ("more_votes", [[0, 1, 1], [0, 0, 1]], 1.854586542),
    ("ratio_above", [[0, 1], [0, 5]], 0.169162466),
    ("ratio_in_tenths", [[0, 1], [1, 1]], 0.499999523),
    ("ratio_in_quarters", [[0, 1], [1, 1]], 0.332478513),
    ("inverse_count", [[1], [0, 1]], 0.720328031),
    ("located_gumbel", [[0, 1, 2], [1, 0, 2]], 0.5),
    ("running_total", [[0, 1, 2], [1, 0, 2]], 0.5),
    ("truncated_noise", [[0, 1], [1, 1]], 1 + math.log(2)),
    ("coins_both_ways", [[0, 1], [1, 1]], math.log(2)),
    ("zero_twice", [[0, 1], [1, 1]], 1 + math.log(2)),
    ("teachers", [[0, 1, 1], [0, 0, 1]], 0.582479769),
    ("median_of_gaps", [[1.0, 3.0], [1.0, 1.5]], 0.0779699384),
    ("piecewise", [-1, 0.5, 1], 0.831796566),
    ("truncated_in_place", [[0, 1], [1, 1]], 2 + 2 * math.log(2)),
    ("clipped_at_median", [[0, 1, 2], [0, 2, 2]], 2),
    ("total_and_spread", [[0, 1], [0, 2]], 1.08179657),
    ("by_city", [[{"city": "A"}], [{"city": "A"}, {"city": "B"}]], 1),
]


@pytest.mark.parametrize(("name", "data_sets", "needed"), few(NEEDED, 12), ids=[one[0] for one in NEEDED])
def test_the_smallest_budget_is_the_one_by_hand(name, data_sets, needed):
    function = getattr(practice_functions, name, None) or getattr(lecture_functions, name)
    found = str(stirred.smallest_budget(function, data_sets=data_sets, distance=lambda x, y: 1))
    number = INFINITE if found == "infinite" else float(found.rpartition("≈")[2].partition(" with")[0])
    assert number == pytest.approx(needed, rel=1e-5)
