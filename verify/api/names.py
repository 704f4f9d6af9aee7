"""The names that blocks go by in Python, so that a type checker refuses a misspelt one before anything runs."""

from typing import Literal

LossName = Literal["pure", "approximate", "multiplicative", "approximate_multiplicative"]
"""Output premetrics whose budget is a loss, ε."""

RhoName = Literal["zcdp", "normalized_renyi"]
"""Those whose budget is ρ."""

FractionName = Literal["total-variation", "total_variation"]
"""Those whose budget is an exact number."""

CurveName = Literal["tradeoff", "f-dp", "f_dp"]
"""Those whose budget is a curve."""

RealName = Literal[
    "gdp",
    "gaussian",
    "kl",
    "kullback_leibler",
    "chi-squared",
    "chi_squared",
    "hellinger",
    "squared_hellinger",
]
"""Those whose budget is a real number that is compared exactly."""

OutputName = LossName | RhoName | FractionName | CurveName | RealName

DistanceName = Literal[
    "add-remove",
    "add_remove",
    "add/remove",
    "bounded",
    "change-one",
    "change_one",
    "replace-one",
    "replace_one",
    "unbounded",
    "absolute_difference",
    "deletion_distance",
    "hamming_ordered",
    "hamming_unordered",
    "neighbors_add_remove_ordered",
    "neighbors_add_remove_unordered",
    "neighbors_replace_one_ordered",
    "neighbors_replace_one_unordered",
    "symmetric_difference",
]
"""Input premetrics; any function of two data sets is one, too."""

InvariantName = Literal["size", "swapping"]
"""Invariants; any function of a data set is one, too."""
