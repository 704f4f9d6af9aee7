"""Programs at random are read as Python runs them: laws by brute force, to the last digit; planted faults are found."""

import ast
import operator

import numpy as np
import pytest
from quality.drawing_programs import HEAD, Writer, listed_law
from quality.read_laws import loaded, read_law
from tiers import few

from stirred.mechanisms.reading import evaluator, expressions, meanings
from stirred.mechanisms.reading.asked import AskedDraw
from stirred.mechanisms.reading.exact import Exact

EACH = 50
NIGHTLY = 100
DATA = ([0, 1], [1, 2, 0])


def programs(folder, first, count):
    """A module of random functions."""
    names = [f"f{seed}" for seed in range(first, first + count)]
    text = "\n\n\n".join([HEAD, *(Writer(seed).function(name) for seed, name in enumerate(names, start=first))])
    module = loaded(folder / f"programs_{first}.py", text)
    return [getattr(module, name) for name in names]


@pytest.mark.filterwarnings("ignore::RuntimeWarning", "ignore::DeprecationWarning", "ignore::SyntaxWarning")
@pytest.mark.parametrize("block", few(range(6 + NIGHTLY), 6))
def test_the_law_of_a_random_program_is_that_of_its_runs(tmp_path, block, changing_seed):
    first = block * EACH if block < 6 else 1_000 * (changing_seed % 10**6) + block * EACH
    functions = programs(tmp_path, first, EACH)
    compared = refused = 0
    for function in functions:
        for data in DATA:
            expected = listed_law(function, data, most=2_000)
            if expected is None:
                continue
            found = read_law(function, data)
            assert found in (expected, None), function.__name__
            refused += found is None
            compared += found is not None
    assert compared > 4 * refused


def _copied_view(self, holder, key):
    found = operator.getitem(holder, self.index(key))
    return found.copy() if isinstance(found, np.ndarray) else found


def _half_up(self, function, arguments, named, *, called=meanings.Meanings.called):
    found = called(self, function, arguments, named)
    is_half = function is round and isinstance(arguments[0], float) and arguments[0] % 2 == 0.5
    return found + 1 if is_half else found


FAULTS = {
    "a view is a copy": lambda patch: patch.setattr(meanings.Meanings, "item", _copied_view),
    "round halves up": lambda patch: patch.setattr(meanings.Meanings, "called", _half_up),
    "// is /": lambda patch: patch.setitem(expressions.BINARY, ast.FloorDiv, (operator.truediv, operator.itruediv)),
    "< is <=": lambda patch: patch.setitem(expressions._COMPARED, ast.Lt, operator.le),
    "-= makes a new value": lambda patch: patch.setitem(expressions.BINARY, ast.Sub, (operator.sub, operator.sub)),
    "finally comes not": lambda patch: patch.setitem(
        expressions.methods_by_kind(evaluator.Evaluator, "_run_"), ast.Try, evaluator.Evaluator._tried
    ),
    "and is or": lambda patch: patch.setattr(ast, "Or", ast.And),
    "two equal outcomes": lambda patch: patch.setattr(
        AskedDraw,
        "any_of",
        lambda self, count: min(count - 1, self.pick([1 / Exact(count + 1)] * (count + 1))),
    ),
    "a shuffle leaves the first": lambda patch: patch.setattr(
        AskedDraw, "order", lambda self, count, taken=None: list(range(count))[:taken]
    ),
    "sorted turns round": lambda patch: patch.setattr(
        meanings.Meanings, "_ranked", lambda *_: None if _[1] is not sorted else (sorted(_[2][0])[::-1],)
    ),
}


@pytest.fixture(scope="module")
def listed(tmp_path_factory):
    """Programs with few runs, and their laws."""
    functions = programs(tmp_path_factory.mktemp("faults"), 0, 3 * EACH)
    laws = [(function, listed_law(function, DATA[1], most=150)) for function in functions]
    return [(function, law) for function, law in laws if law is not None]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_found(listed, monkeypatch, fault):
    FAULTS[fault](monkeypatch)
    for function, expected in listed:
        try:
            found = read_law(function, DATA[1])
        except Exception:  # a fault may break the reader itself
            return
        if found not in (expected, None):
            return
    pytest.fail("not found")
