"""Programs at random are read as Python runs them: laws by brute force, to the last digit."""

import importlib.util
import sys

import pytest
from quality.drawing_programs import HEAD, Writer, listed_law, shown

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.reading.read_mechanism import ReadMechanism
from stirred.spec.arguments import InputError

BLOCKS = 6
EACH = 50
DATA = ([0, 1], [1, 2, 0])


def programs(folder, first, count):
    """A module of random functions."""
    names = [f"f{seed}" for seed in range(first, first + count)]
    text = "\n\n\n".join([HEAD, *(Writer(seed).function(name) for seed, name in enumerate(names, start=first))])
    file = folder / f"programs_{first}.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return [getattr(module, name) for name in names], str(file)


def read_law(function, data, file):
    """The law of a function as it is read, by its outcomes' texts."""
    read = ReadMechanism(function, {}, lambda one: one == file)
    return dict(exact_law(lambda point, source: shown(read.outcome(point, source).value), data))


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning")
@pytest.mark.parametrize("block", range(BLOCKS))
def test_the_law_of_a_random_program_is_that_of_its_runs(tmp_path, block):
    functions, file = programs(tmp_path, block * EACH, EACH)
    compared = refused = 0
    for function in functions:
        for data in DATA:
            expected = listed_law(function, data)
            if expected is None:
                continue
            try:
                found = read_law(function, data, file)
            except InputError:
                refused += 1
                continue
            assert found == expected, function.__name__
            compared += 1
    assert compared > 4 * refused
