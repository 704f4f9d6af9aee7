"""Attacks on offsets, evaluation order, Python's types, lists and exceptions: none is decided at any budget."""

import math
from collections import Counter

import numpy as np
import pytest
from everyday_programs import budget

from stirred.verify.evidence.certificates.moves import VERTICES
from stirred.verify.evidence.certificates.one_record import OneRecord, OneRecordError
from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.program_graph import Graph
from stirred.verify.prove.found_function import of_function
from stirred.verify.prove.stated import stated


def helper_that_appends(out):
    out.append(1)
    return 0


def helper_that_makes():
    return [0]


def helper_that_copies(q):
    return list(q)


def into_one_that_a_helper_makes(q, rng):
    out = helper_that_makes()
    for x in q:
        other = helper_that_makes()
        if x == 1:
            other.append(1)
        else:
            out.append(1)
    return out


def into_what_a_helper_copies(q, rng):
    out = []
    for x in q:
        other = helper_that_copies(out)
        if x == 1:
            other.append(1)
        else:
            out.append(1)
    return out


def into_a_copy_by_the_name_of_the_data(q, rng):
    records = q
    q = []
    for x in records:
        other = list(q)
        if x == 1:
            other.append(1)
        else:
            q.append(1)
    return q


def number_of_a_pass(q, rng):
    out = []
    for i, x in enumerate(np.array(q)):
        y = i
        if x == 0:
            y = i + x
        out.append(y)
    return out


def real_parameter(q, rng, *, T):
    return [T if x == 1 and rng.random() < 2 else T * 1.0 for x in q]


def array_of_floats(q, rng):
    out = []
    for x, y in zip(np.array(q), np.array(q, dtype=float)):  # noqa: B905
        out.append(x if x == 1 else y + 1)
    return out


def array_as_a_list(q, rng):
    out = []
    for x, y in zip(np.array(q), np.array(q).tolist()):  # noqa: B905
        out.append(x if x == 1 else y + 1)
    return out


def minus_of_a_truth(q, rng):
    out = []
    for x in np.array(q):
        y = 0
        if x == 1:
            y = -(x > 0)  # noqa: F841
        out.append(1)
    return out


def minus_in_a_total(q, rng, *, k, eps):
    total = 0
    for x in np.array(q):
        total += -(x > 0) if x > 5 else 0
    return total + rng.laplace(scale=1 / eps)


def counts_of_what_is_kept(q, rng, *, k, eps):
    kept = np.bincount([x for x in q if x > 3], minlength=k)
    return 3 * np.bincount(q, minlength=k) - kept + rng.laplace(scale=1 / eps, size=k)


def counts_of_what_is_rounded(q, rng, *, k, eps):
    return np.bincount(np.round(np.array(q), -1), minlength=k) + rng.laplace(scale=1 / eps, size=k)


def what_cancels(q, rng, *, k, eps):
    out = [rng.laplace(scale=1 / eps)]
    for x in q:
        out.append(max(x, 0.0) - max(x, 0.0))
    return out


def zero_times_two_types(q, rng, *, k, eps):
    out = [rng.laplace(scale=1 / eps)]
    for x in q:
        y = 1
        if x > 3:
            y = 0.5
        out.append(0 * y)
    return out


def total_that_cancels(q, rng, *, k, eps):
    total = sum(min(max(x, 0), 1.0) for x in q)
    return total - total, total + rng.laplace(scale=1 / eps)


def sign_of_zero(q, rng, *, k, eps):
    return [0.0 * x for x in q], rng.laplace(scale=1 / eps)


def sign_of_zero_in_a_loop(q, rng, *, k, eps):
    out = []
    for x in q:
        out.append(0.0 * x)
    return out


def count_of_the_next(q, rng, *, k, eps):
    return [q.count(c) - q.count(c + 1) for c in range(k)]


def count_of_the_next_in_a_loop(q, rng, *, k, eps):
    out = []
    for c in range(k):
        out.append(q.count(c) - q.count(c + 1) + rng.laplace(scale=2 / eps))
    return out


def count_beside_a_counter(q, rng, *, k, eps):
    counts = Counter(q)
    out = []
    for c in range(k):
        out.append(counts[c] - q.count(c + 1))
    return out


def largest_with_normal_noise(q, rng, *, k, eps):
    return int(np.argmax(np.array(q) + rng.normal(scale=1 / eps, size=len(q))))


def most_with_normal_noise(q, rng, *, k, eps):
    return int(np.argmax(np.bincount(q, minlength=k) + rng.normal(scale=1 / eps, size=k)))


def chain_that_appends(q, rng, *, k, eps):
    out = []
    for x in q:
        y = x > 3 >= x - 7 > helper_that_appends(out)  # noqa: F841 for its effect
    return out


def chain_that_divides(q, rng, *, k, eps, shift):
    n = 0
    for x in q:
        y = x > 3 > 1 / shift  # noqa: F841 may raise
    return n


def division_for_what_is_kept(q, rng, *, k, eps, shift):
    kept = [1 / shift for x in q if x > 3]
    return len(kept) + rng.laplace(scale=1 / eps)


def zeros_that_are_divided(q, rng, *, k, eps, shift):
    return sum(0 * (1 / shift) for x in q if x > 3)


def integer_or_float_of_a_total(q, source, *, eps):
    return sum(min(max(x, 0), 1.0) for x in q) + source.discrete_laplace(np.exp(-eps))


def integer_or_float_of_nothing(q, source, *, eps):
    return sum(1.0 for x in q if x > 3) + source.discrete_laplace(np.exp(-eps))


def array_of_integers_or_floats(q, source, *, eps):
    return np.array([min(max(x, 0), 1.0) for x in q]).sum() + source.discrete_laplace(np.exp(-eps))


def integer_or_float(q, rng):
    out = []
    for x in q:
        if x == 1:
            out.append(1)
        else:
            out.append(1.0)
    return out


def answers_of_two_types(q, rng):
    return [x if rng.random() < 0.75 else float(1 - x) for x in q]


def quotient_or_integer(q, rng):
    return [1 / 1 if x == 1 else 1 for x in q]


def tuples_of_two_types(q, rng):
    return [(1, 2) if x == 1 and rng.random() < 2 else (1.0, 2) for x in q]


def type_of_a_parameter(q, rng, *, shift):
    return [x if rng.random() < 0.75 else 1 - x + shift - shift for x in q]


def larger_of_two_types(q, rng):
    out = []
    for x in q:
        out.append(max(x, 2.0))
        out.append(min(x, 0.0) if rng.random() < 0.5 else x)
    return out


def truth_of_numpy(q, rng):
    out = []
    for x, z in zip(q, rng.random(len(q))):  # noqa: B905 as users write
        out.append(z < 2 if x == 1 else True)
    return out


def integer_of_numpy(q, rng):
    out = []
    for x in q:
        if x == 1:
            out.append(np.clip(x, 0, 1))
        else:
            out.append(1)
    return out


def exponential_of_numpy(q, rng):
    out = []
    for x in q:
        if x == 1:
            out.append(np.exp(0))
        else:
            out.append(math.exp(0))
    return out


def truth_or_its_integer(q, rng):
    out = []
    for x in q:
        y = x >= 0
        if x == 0:
            out.append(y)
        else:
            out.append(int(y))
    return out


def truth_or_its_multiple(q, rng):
    out = []
    for x in q:
        y = x >= 0
        if x == 0:
            out.append(y)
        else:
            out.append(1 * y)
    return out


def typed_by_a_helper(x):
    if x == 1:
        return 1
    return 1.0


def types_of_a_helper(q, rng):
    return [typed_by_a_helper(x) if rng.random() < 0.75 else typed_by_a_helper(1 - x) for x in q]


def one_of_two_lists(q, rng):
    out = []
    for x in q:
        one = [0]
        other = [1]
        out.append(one if x == 1 else other)
    return out


def into_another_list(q, rng):
    out = []
    other = []
    for x in q:
        if x == 1:
            out.append(1)
        else:
            other.append(1)
    return out


def empty_list():
    return []


def into_the_list_of_a_helper(q, rng):
    out = []
    other = empty_list()
    for x in q:
        if x == 1:
            out.append(1)
        else:
            other.append(1)
    return out


def into_a_copy(q, rng):
    out = []
    for x in q:
        other = list(out)
        if x == 1:
            other.append(1)
        else:
            out.append(1)
    return out


def into_an_array(q, rng):
    out = []
    for x in q:
        other = np.array(out)
        if x == 1:
            other.append(1)
        else:
            out.append(1)
    return out


def chance_below_zero(q, source):
    out = []
    for x in q:
        out.append(source.bernoulli(-x))
    return out


def divided_by_a_record(q, rng):
    out = []
    for x in q:
        y = 1 // x  # noqa: F841 raises for 0
        out.append(1)
    return out


def divided_for_a_record(q, rng, *, shift):
    out = []
    for x in q:
        y = 0
        if x == 1:
            y = 1 / shift  # noqa: F841 may raise
        out.append(1)
    return out


def root_for_a_record(q, rng, *, shift):
    out = []
    for x in q:
        y = 0
        if x == 1:
            y = math.sqrt(shift)  # noqa: F841 may raise
        out.append(1)
    return out


COUNTED = [
    minus_in_a_total,
    counts_of_what_is_kept,
    counts_of_what_is_rounded,
    what_cancels,
    zero_times_two_types,
    total_that_cancels,
    sign_of_zero,
    sign_of_zero_in_a_loop,
    count_of_the_next,
    count_of_the_next_in_a_loop,
    count_beside_a_counter,
    largest_with_normal_noise,
    most_with_normal_noise,
    chain_that_appends,
    chain_that_divides,
    division_for_what_is_kept,
    zeros_that_are_divided,
]
OF_COINS = [
    truth_of_numpy,
    integer_of_numpy,
    exponential_of_numpy,
    integer_or_float,
    answers_of_two_types,
    quotient_or_integer,
    tuples_of_two_types,
    type_of_a_parameter,
    larger_of_two_types,
    truth_or_its_integer,
    truth_or_its_multiple,
    types_of_a_helper,
    one_of_two_lists,
    into_another_list,
    into_the_list_of_a_helper,
    into_a_copy,
    into_one_that_a_helper_makes,
    into_what_a_helper_copies,
    into_a_copy_by_the_name_of_the_data,
    number_of_a_pass,
    real_parameter,
    array_of_floats,
    array_as_a_list,
    minus_of_a_truth,
    into_an_array,
    chance_below_zero,
    divided_by_a_record,
    divided_for_a_record,
    root_for_a_record,
]
OF_TYPES = [
    integer_or_float_of_a_total,
    integer_or_float_of_nothing,
    array_of_integers_or_floats,
]


@pytest.mark.parametrize("function", COUNTED, ids=lambda one: one.__name__)
def test_what_is_counted(function):
    for neighbors in VERTICES:
        assert budget(function, neighbors, "") is None
    assert budget(function, "one record", "range(k)") is None


@pytest.mark.parametrize("function", OF_COINS, ids=lambda one: one.__name__)
def test_coins(function):
    for values in ("[0, 1]", "range(3)"):
        for neighbors in ("one record", "one by 1", "each by 1"):
            assert budget(function, neighbors, values) is None


@pytest.mark.parametrize("function", OF_TYPES, ids=lambda one: one.__name__)
def test_types_of_totals(function):
    assert budget(function, "one record", "") is None


def larger_quotient(q, rng, *, k):
    p = 1 / ((1 / 100) / (1 / 4 + 1 / k / 4)) + 1 / 4
    return [x if rng.random() < p else 1 - x for x in q]


def test_no_budget_is_paid_by_the_inverse_of_a_quotient():
    """The chance is above 25, and the record is always released."""
    program = stated(
        "f", of_function(larger_quotient), "one record", None, {"k": "whole >= 1"}, values="[0, 1]"
    ).program
    with pytest.raises(OneRecordError):
        OneRecord(Graph(program), "one record").pays(Polynomial.name(Symbol("ln", "100")))


def test_maxima_with_normal_noise():
    for neighbors in VERTICES:
        assert budget(most_with_normal_noise, neighbors, "range(k)") is None
