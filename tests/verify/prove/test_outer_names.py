"""What a function takes from outside is what is read: defaults, annotations, the file that its code is of."""

import importlib.util

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.prove.found_function import of_function
from stirred.verify.prove.proving import proof_of
from stirred.verify.prove.stated import stated


def imported(folder, text):
    """A module of a text."""
    file = folder / "claimed.py"
    file.write_text(text)
    spec = importlib.util.spec_from_file_location("claimed", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


LAPLACE = "    return sum(q) + rng.laplace(scale=1 / eps)\n"


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
    ],
)
def test_what_a_call_takes_by_itself_is_what_is_read(tmp_path, text, said):
    """A default that the claim says nothing of, a known generator, and another class of its name."""
    with pytest.raises(InputError, match=said):
        stated("f", of_function(imported(tmp_path, text).f), "one by 1", "eps", {})


def test_a_default_may_be_outside_of_the_ranges_that_are_said(tmp_path):
    text = "def f(q, rng=None, *, eps=1.0, shift=None):\n    return sum(q) + shift + rng.laplace(scale=1 / eps)\n"
    found = of_function(imported(tmp_path, text).f)
    assert proof_of(stated("f", found, "one by 1", "eps", {"shift": "real"}), explains=False).is_met


def test_equal_code_of_two_files_is_read_from_its_own(tmp_path):
    for folder, margin in (("one", ""), ("two", "import numpy as np\n")):
        (tmp_path / folder).mkdir()
        text = f"{margin or chr(10)}def f(q, rng{': np.random.Generator' if margin else ''}, eps):\n" + LAPLACE
        assert of_function(imported(tmp_path / folder, text).f).name == "f"
