"""Attacks on what is read of counts, clipped values, coins and kept totals: none is decided at any budget."""

from collections import Counter

import numpy as np
import pytest
from everyday_programs import budget
from numpy import mean as total
from numpy import sum as mean


def bincount_tells_its_length(q, rng, *, k, eps):
    return np.bincount(q, minlength=k) + rng.laplace(scale=2 / eps, size=k)


def kept_zeros_tell_their_number(q, rng, *, k, eps):
    return [0 for x in q if x > 3]


def weights_of_what_is_kept(q, rng, *, k, eps):
    kept = [min(max(x, 0), 1) for x in q if x > 3]
    w = np.exp(eps * np.array(kept) / 2)
    return rng.choice(len(q), p=w / w.sum())


def mean_of_what_is_kept(q, rng, *, k, eps):
    kept = [min(max(x, 0), 1) for x in q if x > 3]
    return sum(kept) / len(kept) + rng.laplace(scale=1 / eps)


def counts_with_two_names(q, rng, *, k, eps):
    counts = [0] * k
    other = counts
    for x in q:
        counts[x] += 1
    return other


def counted_by_two(q, rng, *, k, eps):
    counts = [0] * k
    for x in q:
        counts[x] += 2
    return [c + rng.laplace(scale=2 / eps) for c in counts]


def keys_of_a_counter(q, rng, *, k, eps):
    return [c for c in Counter(q)]  # noqa: C416 as users write


def values_of_a_counter(q, rng, *, k, eps):
    return [c + rng.laplace(scale=2 / eps) for c in Counter(q).values()]


def truth_or_one(q, rng, *, k, eps):
    out = []
    for x in q:
        y = 1
        if x > 3:
            y = True
        out.append(y)
    return out


def assigned_alike(q, rng, *, k, eps):
    out = []
    for x in q:
        if x > 3:  # noqa: SIM108 both branches assign
            y = 1.0
        else:
            y = 1
        out.append(y)
    return out


def clip_at_the_largest(q, rng, *, k, eps):
    return sum(np.clip(q, 0, max(q))) + rng.laplace(scale=1 / eps)


def limit_of_data(q, rng, *, k, eps):
    total = sum(q)
    return sum(min(max(x, 0), total) for x in q) + rng.laplace(scale=1 / eps)


def clamped_noise_is_released_twice(q, rng, *, k, eps):
    total = 0
    for x in q:
        total += min(max(x, 0), 1) + rng.laplace(scale=1 / eps)
    return [max(total, 0), sum(x > 3 for x in q)]


def branch_that_draws(q, rng, *, k, eps):
    out = []
    for x in q:
        z = 0
        if x > 3:
            z = rng.laplace(scale=1 / eps)
        out.append(z)
    return out


def helper_that_appends(out):
    out.append(1)
    return 0


def branch_that_appends_by_a_helper(q, rng, *, k, eps):
    out = []
    for x in q:
        y = 0
        if x > 3:
            y = helper_that_appends(out)  # noqa: F841 for its effect
    return out


def both_with_a_draw(q, rng, *, k, eps):
    out = []
    for x in q:
        out.append(x > 3 and rng.laplace(scale=1 / eps) > 0)
    return out


def none_at_first(q, rng, *, k, eps):
    best = None
    for x in q:
        if best is None:
            best = x
    return 0 if best is None else best


def index_of_the_rounded(q, rng, *, k, eps):
    return int(np.argmax(np.round(np.array(q) + rng.laplace(scale=2 / eps, size=len(q)))))


def one_offset_counter(q, rng, *, k, eps):
    best, top, i = 0, -np.inf, 1
    for x in q:
        noisy = x + rng.laplace(scale=2 / eps)
        if noisy > top:
            best, top = x, noisy
        i += 1
    return best


def counter_that_skips(q, rng, *, k, eps):
    best, top, i = 0, -np.inf, 0
    for x in q:
        noisy = x + rng.laplace(scale=2 / eps)
        if noisy > top:
            best, top = i, noisy
        if x > 0:
            i += 1
    return best


def count_of_a_record(q, rng, *, k, eps):
    return [q.count(x) + rng.laplace(scale=2 / eps) for x in q]


def squared(q, rng, *, k, eps):
    return sum(min(max(x, 0), 1) * min(max(x, 0), 1) * 3 for x in q) + rng.laplace(scale=1 / eps)


def limits_crossed(q, rng, *, k, eps):
    return sum(np.clip(q, 5, -5)) + 0 * rng.laplace(scale=1 / eps) + sum(x > 3 for x in q)


def scale_of_a_count(q, rng, *, k, eps):
    n = len([x for x in q if x > 3])
    return sum(min(max(x, 0), 1) for x in q) + rng.laplace(scale=1 / (n * eps))


def loop_of_a_count(q, rng, *, k, eps):
    out = []
    for _ in range(len([x for x in q if x > 3])):
        out.append(rng.laplace(scale=1 / eps))
    return out


def rounding_of_data(q, rng, *, k, eps):
    return sum(round(x) for x in q) + rng.laplace(scale=1 / eps)


def rounded_array_with_data(q, rng, *, k, eps):
    noisy = np.round(np.array(q) + rng.laplace(scale=1 / eps, size=len(q)))
    return noisy + np.array(q)


def tally_in_a_pass(q, rng, *, k, eps):
    out = []
    counts = [0] * k
    for x in q:
        counts[x] += 1
        out.append(counts[0])
    return out


def released_condition(q, rng, *, k, eps):
    return [x > 3 for x in q]


def subsample(q, rng, *, k, eps):
    return sum(x for x in q if rng.random() < 0.5) + rng.laplace(scale=1 / eps)


def conditions_of_two_records(q, rng, *, k, eps):
    before, changes = 0, 0
    for x in q:
        if x > before:
            changes += 1
        before = x
    return changes + rng.laplace(scale=1 / eps)


def shuffled_index(q, rng, *, k, eps):
    return [q[len(q) - 1 - i] > 3 for i in range(len(q))]


def shared_coin(q, rng):
    flip = rng.random() < 0.25
    return [1 - x if flip else x for x in q]


def shared_number(q, rng):
    u = rng.random()
    out = []
    for x in q:
        out.append(x if u < 0.75 else 1 - x)
    return out


def stops_at_a_coin(q, rng):
    out = []
    for x in q:
        if rng.random() < 0.5:
            break
        out.append(x if rng.random() < 0.75 else 1 - x)
    return out


def of_the_record_before(q, rng):
    out, before = [], 0
    for x in q:
        out.append(before if rng.random() < 0.75 else 1 - before)
        before = x
    return out


def truth_or_number(q, rng):
    out = []
    for x in q:
        if rng.random() < 0.5:
            out.append(x)
        else:
            out.append(x == 1)
    return out


def list_in_a_list(q, rng):
    out = []
    for x in q:
        if x == 1:
            out.append([1, 2])
        else:
            out.append(1)
            out.append([2])
    return out


def tuple_or_two(q, rng):
    out = []
    for x in q:
        if x == 1:
            out.append((2, 2))
        else:
            out.append(2)
            out.append(2)
            out.append(2)
    return out


def length_tells(q, rng):
    out = []
    for x in q:
        if rng.random() < 0.75:
            out.append(1)
            if x == 1:
                out.append(1)
    return out


def raised_by_a_record(q, rng):
    out = []
    for x in q:
        if x == 1 and rng.random() < 0.01:
            raise ValueError("x")
        out.append(rng.random() < 0.5)
    return out


def coin_released(q, rng):
    out = []
    for x in q:
        u = rng.random()
        out.append(u)
        out.append(x if u < 0.75 else 1 - x)
    return out


def coin_of_the_index(q, rng):
    out = []
    for i, x in enumerate(q):
        out.append(x if rng.random() < 0.75 + 0.01 * i else 1 - x)
    return out


def first_is_told(q, rng):
    out = []
    for i, x in enumerate(q):
        if i == 0:
            out.append(x)
        else:
            out.append(x if rng.random() < 0.75 else 1 - x)
    return out


def answered_twice(q, rng):
    out = []
    for x in q:
        out.append(x if rng.random() < 0.75 else 1 - x)
    for x in q:
        out.append(x if rng.random() < 0.75 else 1 - x)
    return out


def counted_and_told(q, rng):
    out, n = [], 0
    for x in q:
        n += x
        out.append(x if rng.random() < 0.75 else 1 - x)
    return n


def two_in_a_pass(q, rng):
    out = []
    for i in range(len(q)):
        out.append(q[i] if rng.random() < 0.75 else 1 - q[0])
    return out


def beyond_one(q, rng, *, eps):
    out = []
    for x in q:
        out.append(x if rng.random() < eps else 1 - x)
    return out


def quotient_below(q, rng, *, eps):
    p = np.exp(eps) / (1 - np.exp(eps))
    return [x if rng.random() < p else 1 - x for x in q]


def coin_of_a_record(q, source):
    out = []
    for x in q:
        out.append(source.bernoulli(x / 2))
    return out


def equal_to_a_number(q, rng):
    out = []
    for x in q:
        out.append(rng.random() == 0.5 and x == 1)
    return out


def rounded_record(q, rng):
    out = []
    for x in q:
        y = int(x)
        out.append(1 if rng.random() < 0.5 else 0)
        if y > 0:
            out.append(2)
    return out


def total_early(q, rng, *, eps):
    total = 0
    for x in q:
        total += x
        if rng.random() < 0.5:
            break
    return total


def total_prefix(q, rng, *, eps):
    total = 0
    out = []
    for x in q:
        total += x
        out.append(total)
    return out


def total_skips(q, rng, *, eps):
    total = 0
    i = 0
    while i < len(q):
        if rng.random() < 0.5:
            total += q[i]
        i += 1
    return total


def total_from_one(q, rng, *, eps):
    total = 0
    for i in range(1, len(q)):
        total += q[i]
    return total


def total_clipped_total(q, rng, *, eps):
    total = 0
    for x in q:
        total += min(x, 3)
    return total


def total_weighted(q, rng, *, eps):
    total = 0
    for i, x in enumerate(q):
        total += i * x
    return total


def total_fewer(q, rng, *, eps):
    total = 0
    for i in range(len(q) - 1):
        total += q[i]
    return total


def total_starts_apart(q, rng, *, eps):
    total = q[0]
    for x in q:
        total += x
    return total


def coins_that_are_thrown_later(q, rng):
    chance = 0.5
    late = (x if rng.random() < chance else 1 - x for x in q)
    chance = 1
    return list(late)


def mean_by_another_name(q, rng, *, k, eps):
    return total(np.clip(q, 0, 1)) + rng.laplace(scale=1 / (len(q) * eps)), mean(np.clip(q, 0, 1))


COUNTED = [
    mean_by_another_name,
    bincount_tells_its_length,
    kept_zeros_tell_their_number,
    weights_of_what_is_kept,
    mean_of_what_is_kept,
    counts_with_two_names,
    counted_by_two,
    keys_of_a_counter,
    values_of_a_counter,
    truth_or_one,
    assigned_alike,
    clip_at_the_largest,
    limit_of_data,
    clamped_noise_is_released_twice,
    branch_that_draws,
    branch_that_appends_by_a_helper,
    both_with_a_draw,
    none_at_first,
    index_of_the_rounded,
    one_offset_counter,
    counter_that_skips,
    count_of_a_record,
    squared,
    limits_crossed,
    scale_of_a_count,
    loop_of_a_count,
    rounding_of_data,
    rounded_array_with_data,
    tally_in_a_pass,
    released_condition,
    subsample,
    conditions_of_two_records,
    shuffled_index,
]
OF_COINS = [
    coins_that_are_thrown_later,
    shared_coin,
    shared_number,
    stops_at_a_coin,
    of_the_record_before,
    truth_or_number,
    list_in_a_list,
    tuple_or_two,
    length_tells,
    raised_by_a_record,
    coin_released,
    coin_of_the_index,
    first_is_told,
    answered_twice,
    counted_and_told,
    two_in_a_pass,
    beyond_one,
    quotient_below,
    coin_of_a_record,
    equal_to_a_number,
    rounded_record,
]
OF_TOTALS = [
    total_early,
    total_prefix,
    total_skips,
    total_from_one,
    total_clipped_total,
    total_weighted,
    total_fewer,
    total_starts_apart,
]


@pytest.mark.parametrize("function", COUNTED, ids=lambda one: one.__name__)
def test_what_is_counted(function):
    for neighbors in ("one record", "one by 1", "each by 1", "sum of changes 1", "one moved"):
        assert budget(function, neighbors, "") is None
    if function is not bincount_tells_its_length:
        assert budget(function, "one record", "range(k)") is None


@pytest.mark.parametrize("function", OF_COINS, ids=lambda one: one.__name__)
def test_coins(function):
    for values in ("[0, 1]", "range(3)"):
        for neighbors in ("one record", "one by 1", "each by 1"):
            assert budget(function, neighbors, values) is None


@pytest.mark.parametrize("function", OF_TOTALS, ids=lambda one: one.__name__)
def test_totals(function):
    assert budget(function, "one moved", "") is None
