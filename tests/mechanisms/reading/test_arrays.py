"""Arrays of numbers that are drawn are read as NumPy has them: laws by brute force, to the last digit."""

import pytest
from quality import drawing_arrays as written
from quality.drawing_programs import listed_law
from quality.read_laws import read_law


@pytest.mark.parametrize("function", written.LISTED, ids=lambda one: one.__name__)
def test_a_law_is_that_of_all_runs(function):
    assert read_law(function, [0, 2, 1]) == listed_law(function, [0, 2, 1])
