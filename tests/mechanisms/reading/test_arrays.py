"""Arrays of numbers that are drawn are read as NumPy has them: laws by brute force, to the last digit."""

import pytest
from quality import drawing_arrays as written
from quality.drawing_programs import listed_law, shown

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.reading.read_mechanism import ReadMechanism


@pytest.mark.parametrize("function", written.LISTED, ids=lambda one: one.__name__)
def test_a_law_is_that_of_all_runs(function):
    read = ReadMechanism(function, {}, lambda file: file == written.__file__)
    found = exact_law(lambda point, source: shown(read.outcome(point, source).value), [0, 2, 1])
    assert dict(found) == listed_law(function, [0, 2, 1])
