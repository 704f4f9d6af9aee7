"""Functions that release real numbers as they are drawn."""

import math

import numpy as np


def laplace(data):
    return data + np.random.laplace(scale=1.0)


def laplace_of_half(data):
    return data + np.random.laplace(scale=0.5)


def normal(data):
    return data + np.random.normal(0, 2)


def gaussian_mechanism(data):
    return data + np.random.normal(0, math.sqrt(2 * math.log(1.25 / 1e-5)))


def vector_of_normals(data):
    return np.array([data, 2 * data]) + np.random.normal(0, [1, 2], size=2)


def vector(data):
    return np.array([data, 1 - data]) + np.random.laplace(scale=2.0, size=2)


def scale_of_three(data):
    scale = [0.25, 1.0, 4.0][np.random.randint(3)]
    return data + np.random.laplace(scale=scale)


def scale_of_data(data):
    return np.random.laplace(scale=1.0 + data)


def clamped(data):
    return max(0.0, data + np.random.laplace(scale=1.0))


def absolute(data):
    return abs(data + np.random.laplace(scale=1.0))


def constant(data):
    return np.random.laplace()


def with_its_difference(data):
    noisy = data + np.random.laplace()
    return noisy, noisy - data


def uniform(data):
    return np.random.uniform(data, data + 1)


def gumbel(data):
    return data + np.random.gumbel()


def logistic(data):
    return data + np.random.logistic()


def exponential(data):
    return data + np.random.exponential()


def of_two_types(data):
    return [np.random.laplace()] if data else (np.random.laplace(),)


def rounded(data):
    return round(data + np.random.normal())


def beside_rounded(data):
    return data + np.random.laplace(), round(data + np.random.laplace())


def one_of_two_forms(data):
    if np.random.random() < 0.5:
        return "none"
    return data + np.random.normal(0, 1)


def far_from_zero(data):
    return 1e9 + data * 1e-6 + np.random.laplace(scale=1e-6)


def compared(data):
    return bool(data + np.random.laplace() > 0.5)


def of_array_or_list(data):
    return np.array([np.random.laplace()]) if data else [np.random.laplace()]


def zero_of_either_sign(data):
    return data * np.random.laplace()


def overflowing(data):
    return np.round(data + np.random.laplace()) * 1e307 < math.inf


def tiny(data):
    return (data + np.random.laplace()) * 1e-99 * 1e-99 > 0


def of_tiny_scale(data):
    return data + np.random.laplace(scale=1e-300)


def without_dimension(data):
    return np.where(data, np.random.laplace(), np.random.laplace())


def ranked_by_items(data):
    noisy = [data + np.random.laplace(), np.random.laplace()]
    return sorted([0, 1], key=noisy.__getitem__)


def sum_of_two(data):
    return data + np.random.laplace() + np.random.exponential()
