"""What a function takes from outside is what is read: defaults, names, modules, the file that its code is of."""

import builtins
import functools
import importlib.util
import math

import numpy as np
import pytest

from stirred.spec.arguments import InputError
from stirred.verify.prove import stated as stated_module
from stirred.verify.prove.proving import proof_of
from stirred.verify.prove.stated import of_function, stated


def imported(folder, text):
    """A module of a text."""
    file = folder / "claimed.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location("claimed", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def index_of_largest(q, rng, *, eps):
    return int(np.argmax([x + rng.laplace(scale=2 / eps) for x in q]))


LAPLACE = "    return sum(q) + rng.laplace(scale=1 / eps)\n"
OTHER_GLOBALS = f"""\
import types


class Names(dict):
    def __missing__(self, name):
        return max


def f(q, rng, eps):
{LAPLACE}

f = types.FunctionType(f.__code__, Names(), "f")
"""


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "def f(q, rng, *, eps, debug=None):\n    if debug is None:\n        return q[0]\n" + LAPLACE,
            "debug = None by",
        ),
        ("def f(q, rng, *, eps=-1):\n" + LAPLACE, "takes eps = -1 by default, which is not positive"),
        ("import numpy as np\ndef f(q, *, rng=np.random.default_rng(0), eps):\n" + LAPLACE, "generator that is known"),
        ("class Generator:\n    pass\ndef f(q, rng: Generator, eps):\n" + LAPLACE, "rng"),
        (
            "import builtins\n__builtins__ = {**vars(builtins), 'sum': max}\ndef f(q, rng, eps):\n" + LAPLACE,
            "names outside",
        ),
        (OTHER_GLOBALS, "names outside"),
    ],
)
def test_what_a_call_takes_by_itself_is_what_is_read(tmp_path, text, said):
    """A default that the claim says nothing of, a known generator, and names that Python finds elsewhere."""
    with pytest.raises(InputError, match=said):
        stated("f", of_function(imported(tmp_path, text).f), "one by 1", "eps", {})


def test_a_default_may_be_outside_of_the_ranges_that_are_said(tmp_path):
    text = "def f(q, rng=None, *, eps=1.0, shift=None):\n    return sum(q) + shift + rng.laplace(scale=1 / eps)\n"
    found = of_function(imported(tmp_path, text).f)
    assert proof_of(stated("f", found, "one by 1", "eps", {"shift": "real"}), explains=False).is_met


@functools.wraps(np.sum)
def wrapped(q):
    return sorted(q)


@pytest.mark.parametrize(
    ("place", "name", "other"),
    [
        (np, "sum", sorted),
        (np, "sum", wrapped),
        (np, "sum", functools.update_wrapper(functools.partial(np.sum, axis=0), np.sum)),
        (np, "inf", -5.0),
        (np, "abs", np.negative),
        (np.random, "default_rng", functools.partial(np.random.default_rng, 0)),
        (math, "exp", math.cos),
        (builtins, "sum", sorted),
    ],
)
def test_what_has_been_changed_before_it_is_first_read_is_refused(monkeypatch, place, name, other):
    """By where its code is of and its own name: what stands in a module may be another's."""
    stated_module._known.cache_clear()
    with monkeypatch.context() as changed:
        changed.setattr(place, name, other)
        with pytest.raises(InputError, match=rf"{name} is not its module's own"):
            of_function(index_of_largest)
    stated_module._known.cache_clear()


def test_equal_code_of_two_files_is_read_from_its_own(tmp_path):
    for folder, margin in (("one", ""), ("two", "import numpy as np\n")):
        (tmp_path / folder).mkdir()
        text = f"{margin or chr(10)}def f(q, rng{': np.random.Generator' if margin else ''}, eps):\n" + LAPLACE
        assert of_function(imported(tmp_path / folder, text).f).name == "f"
