"""Programs at random on arrays are read as NumPy runs them: laws by brute force, to the last digit."""

import pytest
from quality.array_programs import ArrayWriter
from quality.drawing_programs import listed_law

from mechanisms.reading.test_random_programs import loaded, read_law
from stirred.spec.arguments import InputError

EACH = 40
DATA = [0, 2, 1, 0]


@pytest.mark.parametrize("block", [0, *(pytest.param(block, marks=pytest.mark.nightly) for block in range(1, 20))])
def test_the_law_of_a_random_program_is_that_of_its_runs(tmp_path, block):
    seeds = range(block * EACH, block * EACH + EACH)
    text = "\n\n".join(ArrayWriter(seed).program().replace("def f(", f"def f{seed}(") for seed in seeds)
    module = loaded(tmp_path / f"arrays_{block}.py", f"import numpy as np\n\n\n{text}")
    refused = 0
    for seed in seeds:
        function = getattr(module, f"f{seed}")
        try:
            found = read_law(function, DATA, module.__file__)
        except InputError as error:
            assert "run by Python" not in str(error)
            refused += 1
            continue
        assert found == listed_law(function, DATA), seed
    assert refused * 10 < EACH
