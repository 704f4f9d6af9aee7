"""Closed forms of amplification: that of accounts, clusters of every size, and what has no form is refused."""

from fractions import Fraction

import pytest

from stirred.spec import InputError
from stirred.spec.enclosure import Enclosure, exponential
from stirred.spec.sampling import amplified
from stirred.spec.surveys.amplification import Compared, amplification


def test_the_form_of_the_theorem_is_that_of_accounts():
    rate, epsilon = Fraction(1, 10), Enclosure(Fraction(1), Fraction(1))
    gamma = exponential(Fraction(1), digits=30)
    ends = [
        amplification("simple random sample", end, Compared.REPLACED, size=1, frame_size=10).gamma
        for end in (gamma.lower, gamma.upper)
    ]
    budget = amplified(epsilon, rate)
    assert exponential(budget.lower, digits=25).lower <= ends[1]
    assert exponential(budget.upper, digits=25).upper >= ends[0]
    assert ends[1] - ends[0] < Fraction(1, 10**20)


def test_no_cluster_design_amplifies_more_than_its_smallest_clusters():
    budgets = [
        amplification("cluster sample", 2, Compared.REPLACED, number=1, clusters=5, cluster_size=size).gamma
        for size in range(1, 8)
    ]
    assert budgets == sorted(set(budgets))
    assert budgets[0] == 1 + Fraction(1, 5)
    assert budgets[-1] < 2


@pytest.mark.parametrize(
    ("arguments", "parameters", "message"),
    [
        (("quota sample", 2, Compared.ADDED), {}, "design must be one with a closed form"),
        (("cluster sample", 2, Compared.ADDED), {}, "compared must be REPLACED or SAME_UNITS for a cluster sample"),
        (("sample with replacement", 2, Compared.SAME_UNITS), {}, "compared must be REPLACED for a sample with"),
        (("simple random sample", 2, "bounded"), {}, "no form is known for 'bounded'"),
        (("simple random sample", 2.0, Compared.REPLACED), {"size": 1, "frame_size": 2}, "gamma"),
        (("simple random sample", Fraction(1, 2), Compared.REPLACED), {"size": 1, "frame_size": 2}, "at least 1"),
        (("simple random sample", 2, Compared.REPLACED), {"size": 1}, "must be .'frame_size', 'size'.; got .'size'."),
        (("simple random sample", 2, Compared.REPLACED), {"size": 3, "frame_size": 2}, "size must be at most"),
        (("simple random sample", 2, Compared.ADDED), {"size": 2, "frame_size": 2}, "size must be below frame_size"),
        (("Poisson sample", 2, Compared.ADDED), {"rate": 0}, "rate must be above 0 and at most 1"),
        (("Poisson sample", 2, Compared.ADDED), {"rate": 0.1}, "rate"),
        (("Poisson sample", 2, Compared.REPLACED), {"rate": 1}, "must be none; got"),
        (("systematic sample in a fixed order", 2, Compared.REPLACED), {"step": 2, "frame_size": 5}, "must divide"),
    ],
)
def test_what_has_no_form_is_refused_in_one_line(arguments, parameters, message):
    with pytest.raises(InputError, match=message) as refused:
        amplification(*arguments, **parameters)
    assert "\n" not in str(refused.value)
