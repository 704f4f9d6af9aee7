"""Randomized responses whose ε = ln 4 stands in one place or another of a program: it keeps the truth with 4/5."""

import dataclasses
import json
import math
import random

import numpy as np

EPSILON = math.log(4)
HALF = EPSILON / 2
SAME = EPSILON if True else 0.0
BUDGETS = {"all": math.log(4), "parts": [math.log(2), math.log(2)]}
FIRST, SECOND = math.log(4), 0.5
LOGARITHMS = np.log(np.array([2.0, 4.0]))
DECIMAL = 1.3862943611198906
READ = json.loads("1.3862943611198906")
TWICE = math.log(2)
TWICE = 2 * TWICE


class Settings:
    epsilon = math.log(4)


@dataclasses.dataclass
class Budget:
    epsilon: float = math.log(4)


class Response:
    def __init__(self, epsilon):
        self.epsilon = epsilon


BUDGET = Budget()
RESPONSE = Response(math.log(4))


def keeps(epsilon):
    return random.random() < math.exp(epsilon) / (1 + math.exp(epsilon))


def of_module(data):
    return keeps(EPSILON)


def of_another(data):
    return keeps(2 * HALF)


def of_same(data):
    return keeps(SAME)


def of_dict(data):
    return keeps(BUDGETS["all"])


def of_list(data):
    return keeps(sum(BUDGETS["parts"]))


def of_tuple(data):
    return keeps(FIRST)


def of_array(data):
    return keeps(LOGARITHMS[1])


def of_class(data):
    return keeps(Settings.epsilon)


def of_dataclass(data):
    return keeps(BUDGET.epsilon)


def of_object(data):
    return keeps(RESPONSE.epsilon)


def of_default(data, epsilon=math.log(4)):
    return keeps(epsilon)


def of_named_default(data, *, epsilon=EPSILON):
    return keeps(epsilon)


def of_decimal(data):
    return keeps(DECIMAL)


def of_decimal_default(data, epsilon=1.3862943611198906):
    return keeps(epsilon)


def of_file(data):
    return keeps(READ)


def of_two_assignments(data):
    return keeps(TWICE)


def answer(bit):
    return bit if keeps(READ) else 1 - bit


def exact_answer(bit, epsilon=EPSILON):
    return bit if keeps(epsilon) else 1 - bit
