"""The reading of a function with unknown data agrees with Python, run on recorded noise."""

import random
from fractions import Fraction

import numpy as np
import pytest
from aligned_programs import PROGRAMS, ranges

from stirred.verify.evidence.certificates.polynomial import Polynomial
from stirred.verify.evidence.certificates.program_graph import Graph
from stirred.verify.evidence.certificates.read_values import SIZE, Chosen
from stirred.verify.prove.stated import of_function, stated

PARAMETERS = {"eps": 1, "T": 1, "N": 2, "M": 2, "r": Fraction(1, 2), "s": Fraction(1, 2)}
RUNS = 30
NOT_COMPARED = ("geometric_sum", "noisy_max_from_infinity", "smart_sum", "bad_smart_sum", "svt_with_drawn_arrays")


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


def held(decision, values):
    value = decision.value.at(values).number
    return {">": value > 0, ">=": value >= 0, "==": value == 0}[decision.relation] == decision.outcome


def followed(graph, data, noise, parameters):
    """What the paths of the reading release, how many draws they take, and what they return."""
    fixed = {name: Polynomial.of(Fraction(value)) for name, value in parameters.items()}
    fixed[SIZE] = Polynomial.of(len(data))
    place, state, taken, released = None, {}, 0, []
    while True:
        found = []
        for edge in graph.edges:
            if edge.source != place:
                continue
            path = edge.path
            values = fixed | state
            values |= {f"z{k}": Polynomial.of(noise[taken + k]) for k in range(len(path.draws))}
            if path.index is not None:
                index = path.index.at(values).number
                if not 0 <= index < len(data):
                    continue
                values["q"] = Polynomial.of(data[int(index)])
            if all(held(one, values) for one in path.decisions):
                found.append((edge, values))
        assert len(found) == 1
        ((edge, values),) = found
        path = edge.path
        taken += len(path.draws)
        released += [
            value.at(values).number
            for value, _ in path.same
            if not value.names <= {name for name in values if name[0] == "#"}
        ]
        if edge.target is None:
            value = path.value.at(values).number if isinstance(path.value, Polynomial) else path.value
            return released, taken, value
        state = {name: value.at(values) for name, value in graph.into(edge).items()}
        place = edge.target


def flat(value):
    return [one for part in value for one in flat(part)] if isinstance(value, (list, tuple, np.ndarray)) else [value]


@pytest.mark.parametrize("name", PROGRAMS)
def test_paths_are_those_of_python(name):
    function, neighbors, _, _, _ = PROGRAMS[name]
    if name in NOT_COMPARED:
        pytest.skip("NumPy's exp and infinities are no exact numbers, remainders are not known, arrays draw first")
    graph = Graph(stated(name, of_function(function), neighbors, None, ranges(function)).program)
    draw = random.Random(name)  # noqa: S311 no secret
    names = [one for one in graph.program.ranges if one in PARAMETERS]
    for run in range(RUNS):
        data = [draw.randint(-2, 3) for _ in range(draw.randint(1, 5))]
        noise = [Fraction(draw.randint(-9, 9), 4) for _ in range(40)]
        parameters = {one: PARAMETERS[one] for one in names}
        recorded = Recorded(noise)
        native = function(data, recorded, **parameters)
        if any(isinstance(edge.path.value, Chosen) for edge in graph.edges):
            continue
        released, taken, value = followed(graph, data, noise, parameters)
        assert taken == recorded.taken, run
        if isinstance(value, (int, Fraction)) and not isinstance(value, bool):
            assert value == native, run
        else:
            numbers = [one for one in flat(native) if isinstance(one, Fraction)]
            rest = iter(released)
            assert all(one in rest for one in numbers), run
