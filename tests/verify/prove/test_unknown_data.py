"""The reading of a function with unknown data agrees with Python, run on recorded noise."""

import random
from fractions import Fraction

import pytest
from aligned_programs import PROGRAMS, ranges
from followed_paths import Recorded, flat, followed

from stirred.verify.evidence.certificates.program_graph import Graph
from stirred.verify.evidence.certificates.read_values import Chosen
from stirred.verify.prove.found_function import of_function
from stirred.verify.prove.stated import stated

PARAMETERS = {"eps": 1, "T": 1, "N": 2, "M": 2, "r": Fraction(1, 2), "s": Fraction(1, 2)}
RUNS = 30
NOT_COMPARED = ("geometric_sum", "noisy_max_from_infinity", "smart_sum", "bad_smart_sum", "svt_with_drawn_arrays")
NOT_COMPARED += ("exponential_mechanism", "bad_exponential_mechanism")


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
