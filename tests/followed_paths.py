"""The paths of a function that was read with unknown data, followed on given data and noise, as Python runs it."""

from fractions import Fraction

import numpy as np

from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol
from stirred.verify.evidence.certificates.read_values import RECORD, SIZE


class Recorded:
    """A generator that draws given numbers, whatever the law."""

    def __init__(self, values):
        self.values, self.taken = values, 0

    def next(self, size=None):
        if size is not None:
            return np.array([self.next() for _ in range(size)], dtype=object)
        self.taken += 1
        return self.values[self.taken - 1]

    def laplace(self, loc=0, scale=1, size=None):
        return self.next(size) + loc

    def exponential(self, scale=1, size=None):
        return self.next(size)

    def discrete_laplace(self, ratio):
        return self.next()

    def geometric(self, ratio):
        return self.next()

    def bernoulli(self, p):
        return self.next() == 0


def held(decision, values):
    value = decision.value.at(values).number
    return {">": value > 0, ">=": value >= 0, "==": value == 0}[decision.relation] == decision.outcome


def followed(graph, data, noise, parameters):
    """What the paths of the reading release, how many draws they take, and what they return."""
    fixed = {Symbol("parameter", name): Polynomial.of(Fraction(value)) for name, value in parameters.items()}
    fixed[SIZE] = Polynomial.of(len(data))
    place, state, taken, released = None, {}, 0, []
    while True:
        found = []
        for edge in graph.edges:
            if edge.source != place:
                continue
            path = edge.path
            values = fixed | state
            values |= {Symbol("draw", str(k)): Polynomial.of(noise[taken + k]) for k in range(len(path.draws))}
            if path.index is not None:
                index = path.index.at(values).number
                if not 0 <= index < len(data):
                    continue
                values[RECORD] = Polynomial.of(data[int(index)])
            if all(held(one, values) for one in path.decisions):
                found.append((edge, values))
        assert len(found) == 1
        ((edge, values),) = found
        path = edge.path
        taken += len(path.draws)
        released += [
            value.at(values).number
            for value, _ in path.same
            if not value.names <= {name for name in values if name == SIZE or name.kind == "hidden"}
        ]
        if edge.target is None:
            return released, taken, number_of(path.value, values)
        state = {name: value.at(values) for name, value in graph.into(edge).items()}
        place = edge.target


def number_of(value, values):
    """A returned value, its numbers computed."""
    if isinstance(value, tuple):
        return tuple(number_of(one, values) for one in value)
    return value.at(values).number if isinstance(value, Polynomial) else value


def flat(value):
    return [one for part in value for one in flat(part)] if isinstance(value, (list, tuple, np.ndarray)) else [value]
