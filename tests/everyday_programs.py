"""Mechanisms in everyday style, as introductions and blogs write them, each with the budget derived on paper.

`EVERYDAY` says how neighbours differ and the least budget that alignment shows of every size; None: not read yet, or
no budget holds.
"""

import inspect
from collections import Counter

import numpy as np

from stirred.spec.arguments import InputError
from stirred.verify.prove.found_function import of_function
from stirred.verify.prove.proving import proof_of
from stirred.verify.prove.stated import stated

EVERYDAY = {}
RANGES = {"upper": "positive", "n": "whole >= 1", "k": "whole >= 1", "N": "whole >= 1"}


def everyday(neighbors, least, values=""):
    def add(function):
        EVERYDAY[function.__name__] = (function, neighbors, least, values)
        return function

    return add


def ranges(function):
    """The ranges of a program's parameters."""
    return {name: text for name, text in RANGES.items() if name in inspect.signature(function).parameters}


@everyday("one record", "epsilon")
def count_above(ages, rng: np.random.Generator, *, epsilon):
    return sum(1 for age in ages if age > 40) + rng.laplace(0, 1 / epsilon)


@everyday("one record", "epsilon")
def count_by_len(ages, *, epsilon):
    true_count = len([age for age in ages if age >= 18])
    return true_count + np.random.laplace(loc=0, scale=1 / epsilon)


@everyday("one record", "epsilon")
def count_in_loop(ages, rng: np.random.Generator, *, epsilon):
    count = 0
    for age in ages:
        if 18 <= age < 65:
            count += 1
    noisy = count + rng.laplace(0.0, 1.0 / epsilon)
    return max(0, round(noisy))


@everyday("one record", "epsilon")
def count_of_mask(ages, rng: np.random.Generator, *, epsilon):
    ages = np.array(ages)
    mask = ages > 65
    return np.sum(mask) + rng.laplace(scale=1 / epsilon)


@everyday("one record", "epsilon")
def clipped_sum(values, rng: np.random.Generator, *, upper, epsilon):
    clipped = [min(max(value, 0), upper) for value in values]
    return sum(clipped) + rng.laplace(0, upper / epsilon)


@everyday("one record", "epsilon")
def clipped_sum_numpy(values, rng: np.random.Generator, *, upper, epsilon):
    clipped = np.clip(values, 0, upper)
    noisy = clipped.sum() + rng.laplace(scale=upper / epsilon)
    return int(np.clip(round(noisy), 0, upper * len(values)))


@everyday("one record", "epsilon")
def clipped_sum_in_loop(values, rng: np.random.Generator, *, epsilon):
    total = 0.0
    for value in values:
        if value < 0:
            value = 0  # noqa: PLW2901 as users write
        elif value > 10:
            value = 10  # noqa: PLW2901
        total += value
    return total + rng.laplace(0, 10 / epsilon)


@everyday("one by 1", "epsilon")
def clamped_total(values, rng: np.random.Generator, *, epsilon):
    return max(sum(values), 0) + rng.laplace(0, 1 / epsilon)


@everyday("one record", "epsilon")
def mean_of_known_size(values, rng: np.random.Generator, *, upper, epsilon):
    n = len(values)
    mean = sum(min(max(value, 0), upper) for value in values) / n
    return mean + rng.laplace(0, upper / (n * epsilon))


@everyday("one record", "epsilon")
def mean_numpy(values, rng: np.random.Generator, *, epsilon):
    values = np.clip(np.array(values), 0, 100)
    sensitivity = 100 / len(values)
    return np.mean(values) + rng.laplace(0, sensitivity / epsilon)


@everyday("one record", "epsilon")
def mean_of_two_releases(values, rng: np.random.Generator, *, epsilon):
    noisy_sum = np.clip(values, 0, 1).sum() + rng.laplace(0, 2 / epsilon)
    noisy_count = sum(1 for value in values if value > 0) + rng.laplace(0, 2 / epsilon)
    return noisy_sum / max(noisy_count, 1)


@everyday("one record", "epsilon", "range(k)")
def histogram_in_loops(values, rng: np.random.Generator, *, k, epsilon):
    counts = [0] * k
    for value in values:
        counts[value] += 1
    return [count + rng.laplace(0, 2 / epsilon) for count in counts]


@everyday("one record", "epsilon")
def histogram_counter(values, rng: np.random.Generator, *, k, epsilon):
    counts = Counter(values)
    return {category: counts[category] + rng.laplace(0, 2 / epsilon) for category in range(k)}


@everyday("one record", "epsilon")
def histogram_by_count(values, rng: np.random.Generator, *, k, epsilon):
    out = []
    for category in range(k):
        out.append(values.count(category) + rng.laplace(0, 2 / epsilon))
    return out


@everyday("one record", None, "range(k)")
def histogram_dictionary(values, rng: np.random.Generator, *, k, epsilon):
    counts = {category: 0 for category in range(k)}  # noqa: C420 as users write
    for value in values:
        counts[value] += 1
    for category in counts:
        counts[category] += rng.laplace(0, 2 / epsilon)
    return counts


@everyday("one record", "epsilon", "range(k)")
def histogram_bincount(values, rng: np.random.Generator, *, k, epsilon):
    counts = np.bincount(values, minlength=k)
    noisy = counts + rng.laplace(0.0, 2.0 / epsilon, size=k)
    return np.maximum(np.rint(noisy), 0).astype(int)


@everyday("one record", "epsilon", "range(k)")
def noisy_max_of_votes(votes, rng: np.random.Generator, *, k, epsilon):
    counts = np.bincount(votes, minlength=k)
    return int(np.argmax(counts + rng.laplace(scale=2 / epsilon, size=k)))


@everyday("one record", "ln(3)", "[0, 1]")
def two_coins(answers, rng: np.random.Generator):
    out = []
    for truth in answers:
        if rng.random() < 0.5:
            out.append(truth)
        else:
            out.append(int(rng.random() < 0.5))
    return out


@everyday("one record", "ln(3)", "[0, 1]")
def randomized_response(answers, rng: np.random.Generator):
    return [answer if rng.random() < 0.75 else 1 - answer for answer in answers]


@everyday("one record", "epsilon", "[0, 1]")
def warner(answers, rng: np.random.Generator, *, epsilon):
    p = np.exp(epsilon) / (1 + np.exp(epsilon))
    noisy = []
    for answer in answers:
        noisy.append(answer if rng.random() < p else 1 - answer)
    return noisy


@everyday("each by 1", "epsilon")
def noisy_max_enumerate(scores, rng: np.random.Generator, *, epsilon):
    best_index, best_value = None, float("-inf")
    for index, score in enumerate(scores):
        noisy = score + rng.laplace(0, 2 / epsilon)
        if noisy > best_value:
            best_value = noisy
            best_index = index
    return best_index


@everyday("each by 1", "epsilon")
def noisy_max_manual_counter(scores, rng: np.random.Generator, *, epsilon):
    best, top, i = 0, -np.inf, 0
    for score in scores:
        noisy = score + rng.laplace(scale=2 / epsilon)
        if noisy > top:
            top = noisy
            best = i
        i += 1  # noqa: SIM113 as users write
    return best


@everyday("each by 1", "epsilon")
def noisy_max_of_list(scores, rng: np.random.Generator, *, epsilon):
    noisy_scores = [score + rng.laplace(0, 2 / epsilon) for score in scores]
    return noisy_scores.index(max(noisy_scores))


@everyday("each by 1", "epsilon")
def noisy_max_of_array(scores, rng: np.random.Generator, *, epsilon):
    noise = rng.exponential(2 / epsilon, len(scores))
    return np.argmax(np.asarray(scores) + noise)


@everyday("each by 1", "epsilon")
def sparse_vector(queries, rng: np.random.Generator, *, threshold, epsilon):
    noisy_threshold = threshold + rng.laplace(0, 2 / epsilon)
    for i, query in enumerate(queries):
        if query + rng.laplace(0, 4 / epsilon) >= noisy_threshold:
            return i
    return None


@everyday("each by 1", "epsilon")
def sparse_vector_of_array(queries, rng: np.random.Generator, *, threshold, N, epsilon):
    noisy_threshold = threshold + rng.laplace(0, 2 / epsilon)
    answers, count = [], 0
    for query in queries:
        if count < N:
            is_above = query + rng.laplace(0, 4 * N / epsilon) > noisy_threshold
            answers.append(bool(is_above))
            count += int(is_above)
    return np.array(answers)


@everyday("one by 1", "epsilon")
def rounded_and_clamped(values, rng: np.random.Generator, *, epsilon):
    noisy = sum(values) + rng.laplace(0, 1 / epsilon)
    rounded = int(np.round(noisy))
    return min(max(rounded, 0), len(values))


@everyday("one by 1", "epsilon")
def released_array(counts, *, epsilon):
    noisy = np.array(counts) + np.random.laplace(0, 1 / epsilon, len(counts))
    return np.clip(np.round(noisy), 0, None).tolist()


def laplace_mechanism(value, sensitivity, epsilon):
    return value + np.random.laplace(0, sensitivity / epsilon)


@everyday("one record", "epsilon")
def two_statistics(ages, *, epsilon):
    adults = sum(age >= 18 for age in ages)
    total = sum(min(max(age, 0), 100) for age in ages)
    return laplace_mechanism(adults, 1, epsilon / 2), laplace_mechanism(total, 100, epsilon / 2)


@everyday("one by 1", "epsilon")
def running_totals(counts, rng: np.random.Generator, *, epsilon):
    noisy = [count + rng.laplace(0, 1 / epsilon) for count in counts]
    totals, total = [], 0
    for value in noisy:
        total += value
        totals.append(total)
    return totals


def budget(function, neighbors, values, measure="pure"):
    """The least that is shown; None where nothing is, or the function is not read."""
    said = {"k": "whole >= 1"} if "k" in function.__code__.co_varnames else {}
    try:
        claim = stated("f", of_function(function), neighbors, None, said, values=values, measure=measure)
        return proof_of(claim, explains=False).budget
    except InputError:
        return None
