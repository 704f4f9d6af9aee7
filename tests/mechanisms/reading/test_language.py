"""Programs that use the language are read as Python runs them: laws by brute force, to the last digit."""

import pytest
from quality import drawing_language as written
from quality.drawing_programs import listed_law
from quality.read_laws import read_law


@pytest.mark.parametrize("function", written.LISTED, ids=lambda one: one.__name__)
@pytest.mark.parametrize("data", [[0, 1], [1, 2, 0]], ids=str)
def test_a_law_is_that_of_all_runs(function, data):
    assert read_law(function, data) == listed_law(function, data)
