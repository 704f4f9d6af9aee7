"""Programs at random on arrays are read as NumPy runs them: laws by brute force, to the last digit."""

import pytest
from quality.array_programs import ArrayWriter
from quality.drawing_programs import listed_law
from quality.read_laws import loaded, read_law
from tiers import few

EACH = 40
DATA = [0, 2, 1, 0]


@pytest.mark.parametrize("block", few(range(50), 1))
def test_the_law_of_a_random_program_is_that_of_its_runs(tmp_path, block):
    seeds = range(block * EACH, block * EACH + EACH)
    text = "\n\n".join(ArrayWriter(seed).program().replace("def f(", f"def f{seed}(") for seed in seeds)
    module = loaded(tmp_path / f"arrays_{block}.py", f"import numpy as np\n\n\n{text}")
    refused = 0
    for seed in seeds:
        function = getattr(module, f"f{seed}")
        found = read_law(function, DATA)
        assert found in (listed_law(function, DATA), None), seed
        refused += found is None
    assert refused * 10 < EACH
