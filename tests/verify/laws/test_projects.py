"""A mechanism that is spread over the modules of a project: what they keep is found, and nothing else is accused."""

import importlib
import sys
from fractions import Fraction
from textwrap import dedent

import pytest

from stirred.spec import InputError
from stirred.verify.laws.foreign import ForeignFunction, Limits
from stirred.verify.laws.local import LocalFunction

KEEPS = "|".join(  # by the runs, or by the line that is read
    (
        "must not keep state between calls",
        "which keeps what one call leaves for the next",
        r"(globals\(…\)|modules says how the program is run, and) is not read",
    )
)

PROJECT = {
    "others.py": """
        import dataclasses, enum, functools
        import numpy as np
        RNG = np.random.default_rng(3)
        TABLE = {"a": [1, 2], "b": (3,)}
        def release(bit, rng): return flip(bit, rng)
        def flip(bit, rng): return 1 - bit if rng.random() < 0.25 else bit
        @functools.lru_cache
        def kept(n): return _inner(n)
        def _inner(n): return n * len(TABLE["b"])
        class Noise:
            def __init__(self, p): self.p = p
            def draw(self, bit, rng): return self._flip(bit, rng)
            def _flip(self, bit, rng): return 1 - bit if rng.random() < self.q else bit
            def __call__(self, bit, rng): return self.draw(bit, rng)
            @functools.cached_property
            def q(self): return self.p
        @dataclasses.dataclass(frozen=True)
        class Parameters:
            p: float = 0.25
            def draw(self, bit, rng): return Noise(self.p)(bit, rng)
        class Colour(enum.IntFlag):
            RED = 1
            BLUE = 2
        @functools.singledispatch
        def shown(x): return x
        @shown.register
        def _(x: int): return x + 0
        """,
    "one.py": "import two\ndef go(bit, rng): return two.step(bit, rng)\ndef flip(bit, rng): return two.flip(bit, rng)",
    "two.py": "import one, others\ndef step(bit, rng): return one.flip(bit, rng)\nfrom others import flip",
    "lazily.py": "def release(bit, rng): return late(bit, rng)\nfrom pkg.late import flip as late",
    "pkg/__init__.py": "from .core import release",
    "pkg/core.py": "from . import noise\ndef release(bit, rng): return noise.outer(bit, rng)",
    "pkg/noise.py": """
        from pkg.deep.low import draw
        def outer(bit, rng): return flip(bit, rng)
        def flip(bit, rng): return draw(bit, rng)
        """,
    "pkg/deep/__init__.py": "",
    "pkg/deep/low.py": "from ..table import P\ndef draw(bit, rng): return 1 - bit if rng.random() < P else bit",
    "pkg/table.py": "P = 0.25\nQ = 1",
    "pkg/late.py": "def flip(bit, rng): return 1 - bit if rng.random() < 0.25 else bit",
    "counter.py": "n = 0\nCALLS = []\nclass Box: pass\nBOX = Box()\ndef made(): return 0",
}

SHAPES = {
    "a sibling": "def f(bit, rng): return others.release(bit, rng)",
    "a sibling in a package": "def f(bit, rng): return pkg.release(bit, rng)",
    "two modules deep": "def f(bit, rng): return pkg.core.release(bit, rng)",
    "relative imports": "def f(bit, rng): return noise.outer(bit, rng)",
    "modules that import each other": "def f(bit, rng): return one.go(bit, rng)",
    "by name": "from others import release\ndef f(bit, rng): return release(bit, rng)",
    "a lambda": "f = lambda bit, rng: others.release(bit, rng)",
    "an inner function": """
        def f(bit, rng):
            def inner(b): return others.release(b, rng)
            return inner(bit)
        """,
    "a partial application": "def g(k, bit, rng): return others.release(bit, rng)\nf = functools.partial(g, 1)",
    "a bound method": "f = others.Noise(0.25).draw",
    "an object that is called": "f = others.Noise(0.25)",
    "a dataclass": "def f(bit, rng): return others.Parameters().draw(bit, rng)",
    "an object of the module": "NOISE = others.Noise(0.25)\ndef f(bit, rng): return NOISE.draw(bit, rng)",
    "a cached helper": "def f(bit, rng): return others.release(bit, rng) * others.kept(1)",
    "flags": "def f(bit, rng): others.Colour.RED | others.Colour.BLUE; return others.release(bit, rng)",
    "a dispatched function": "def f(bit, rng): return others.shown(others.release(bit, rng))",
    "a module that is imported in the call": "def f(bit, rng):\n    import lazily\n    return lazily.release(bit, rng)",
    "one of a package": "def f(bit, rng):\n    import pkg.late\n    return pkg.late.flip(bit, rng)",
    "one from a package": "def f(bit, rng):\n    from pkg import late\n    return late.flip(bit, rng)",
    "NumPy in the call": "def f(bit, rng):\n    import numpy as np\n    return int(np.sum(others.release(bit, rng)))",
}

BEFORE = "import functools, sys\nimport counter, one, others, pkg, pkg.core\nimport pkg.noise as noise\n"

STATES = {
    "a global that is new": "def f(bit, rng):\n    global met\n    met = bit\n    return 0",
    "one that is made by its name": "def f(bit, rng):\n    globals()['met'] = bit\n    return 0",
    "one that is changed by its name": "MET = 0\ndef f(bit, rng):\n    globals()['MET'] += 1\n    return 0",
    "one of another module": "def f(bit, rng):\n    counter.n += 1\n    return 0",
    "a new one of another module": "def f(bit, rng):\n    counter.met = bit\n    return 0",
    "one that is set by its name": "def f(bit, rng):\n    setattr(counter, 'met', bit)\n    return 0",
    "one of this module": "def f(bit, rng):\n    setattr(sys.modules[__name__], 'met', bit)\n    return 0",
    "one of a module that is imported again": "def f(bit, rng):\n    import counter as c\n    c.n += 1\n    return 0",
    "one that is deleted": "MET = 0\ndef f(bit, rng):\n    globals().pop('MET', None)\n    return 0",
    "a list": "def f(bit, rng):\n    counter.CALLS.append(bit)\n    return 0",
    "a key": "TABLE = {}\ndef f(bit, rng):\n    TABLE[bit] = 1\n    return 0",
    "an attribute of a function": "def f(bit, rng):\n    counter.made.calls = bit\n    return 0",
    "one of a class": "def f(bit, rng):\n    counter.Box.met = bit\n    return 0",
    "one of an object": "def f(bit, rng):\n    counter.BOX.met = bit\n    return 0",
    "a default": "def f(bit, rng, seen=[]):\n    seen.append(bit)\n    return 0",
    "a closure": """
        def made():
            n = 0
            def f(bit, rng):
                nonlocal n
                n += 1
                return 0
            return f
        f = made()
        """,
}


@pytest.fixture
def project(tmp_path, monkeypatch):
    """Writes the modules and one more, which has the mechanism `f`."""
    for name, text in PROJECT.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(dedent(text))

    def write(text):
        (tmp_path / "mine.py").write_text(BEFORE + dedent(text))
        return tmp_path

    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    before = set(sys.modules)
    yield write
    for name in set(sys.modules) - before:
        if str(getattr(sys.modules[name], "__file__", "")).startswith(str(tmp_path)):
            del sys.modules[name]


def local(folder):
    assert folder.is_dir()
    return LocalFunction("mechanism", importlib.import_module("mine").f, "numpy").laws((0, 1), {}, is_ordered=True)


def claimed(folder):
    function = ForeignFunction("mechanism", "mine:f", folder, "numpy", Limits(seconds=60))
    return function.laws((0, 1), {}, is_ordered=True)


@pytest.mark.parametrize("name", SHAPES)
def test_no_shape_of_a_project_is_accused(project, name):
    found = local(project(SHAPES[name]))
    assert {point: dict(law) for point, law in found.laws.items()} == {
        0: {"0": Fraction(3, 4), "1": Fraction(1, 4)},
        1: {"0": Fraction(1, 4), "1": Fraction(3, 4)},
    }


@pytest.mark.parametrize("name", ["a sibling", "a sibling in a package", "modules that import each other"])
def test_none_is_accused_in_a_claim(project, name):
    assert dict(claimed(project(SHAPES[name])).laws[0]) == {"0": Fraction(3, 4), "1": Fraction(1, 4)}


@pytest.mark.parametrize("name", STATES)
def test_what_a_mechanism_keeps_in_its_modules_is_found(project, name):
    with pytest.raises(InputError, match=KEEPS):
        local(project(STATES[name]))
