"""Arrays of numbers that are drawn are read as NumPy has them: laws by brute force, to the last digit."""

import pytest
from quality import drawing_arrays as written
from quality.drawing_programs import listed_law
from quality.read_laws import read_law

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.reading.read_mechanism import ReadMechanism
from stirred.spec.arguments import InputError


@pytest.mark.parametrize("function", written.LISTED, ids=lambda one: one.__name__)
def test_a_law_is_that_of_all_runs(function):
    assert read_law(function, [0, 2, 1]) == listed_law(function, [0, 2, 1])


@pytest.mark.parametrize("function", written.REFUSED, ids=lambda one: one.__name__)
def test_what_is_not_read_is_refused_by_its_line(function):
    read = ReadMechanism(function, {}, lambda file: file == written.__file__)
    with pytest.raises(InputError) as refusal:
        exact_law(lambda point, source: read.outcome(point, source).value, None)
    line, _, said = str(refusal.value).partition(": ")
    assert line.startswith("drawing_arrays.py, line ")
    assert said == written.REFUSED[function]
