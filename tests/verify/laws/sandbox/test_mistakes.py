"""Mistakes that people make in a mechanism are each caught, in one line with what to write instead."""

import re
from fractions import Fraction
from pathlib import Path

import pytest
from foreign_modules import laws, refusal

import stirred
from stirred.mechanisms import exact_law
from stirred.spec.arguments import InputError
from stirred.verify.cli import guide
from stirred.verify.laws.sandbox.refused import REFUSABLE

RNG = "take the generator as a parameter: def f(data, rng: np.random.Generator)"
TIME = "give the time as a parameter"
VALUES = "compare the values themselves"
HERE = "compute it in the call itself"
READ = "read it while the module is imported"
KEPT = "must not keep state between calls (functools.cache is fine); it modifies"

MISTAKES = {
    "the module's generator": ("import random", "return random.random() < 0.5", RNG),
    "a function by its name": ("from random import choice", "return choice([0, 1])", RNG),
    "a generator of the module": ("import random\nR = random.Random(7)", "return R.randrange(2)", RNG),
    "the system's generator": ("import random\nR = random.SystemRandom()", "return R.randrange(2)", RNG),
    "NumPy's functions": ("import numpy as np", "return int(np.random.randint(2))", RNG),
    "a new generator of NumPy": ("import numpy as np", "return int(np.random.default_rng().integers(2))", RNG),
    "one of the module": ("import numpy as np\nR = np.random.default_rng(1)", "return int(R.integers(2))", RNG),
    "an old one of the module": ("import numpy as np\nR = np.random.RandomState(1)", "return int(R.rand() < 1)", RNG),
    "NumPy of the call": ("", "import numpy as np; return int(np.random.randint(2))", RNG),
    "its functions there": ("", "from numpy.random import normal; return int(normal() > 0)", RNG),
    "one behind SciPy": ("", "import scipy.stats as s; return int(s.norm.rvs())", RNG),
    "a seed": ("import numpy as np", "np.random.seed(0); return 0", RNG),
    "a distribution of SciPy": ("from scipy import stats", "return int(stats.norm.rvs())", RNG),
    "a sample of pandas": ("import pandas as pd", "return int(pd.Series([1, 2]).sample(1).iloc[0])", RNG),
    "secrets": ("import secrets", "return secrets.randbelow(2)", RNG),
    "random bytes": ("import os", "return os.urandom(1)[0]", RNG),
    "an identifier": ("import uuid", "return str(uuid.uuid4())", RNG),
    "a clock": ("import time", "return int(time.time())", TIME),
    "the date": ("from datetime import datetime", "return datetime.now().year", TIME),
    "NumPy's clock": ("import numpy as np", "return str(np.datetime64('now'))", TIME),
    "a pause": ("import time", "time.sleep(1); return 0", TIME),
    "an address": ("", "return id(data)", VALUES),
    "a hash": ("", "return hash('a')", VALUES),
    "a hash by its method": ("", "return 'a'.__hash__() % 64 == 0", VALUES),
    "an object's hash": ("", "return object().__hash__() % 64 == 0", VALUES),
    "an object's text": ("class A: pass", "return f'{A()}'.endswith('00>')", VALUES),
    "the order of a set": ("", "return [name for name in {'a', 'b'}][0]", "iterate over sorted(…)"),
    "a member of a set": ("", "return {'a', 'b'}.pop()", "iterate over sorted(…)"),
    "a counter": ("N = 0", "global N; N += 1; return 0", KEPT),
    "a log": ("LOG = []", "LOG.append(data); return 0", KEPT),
    "a memo": ("MEMO = {}", "return MEMO.setdefault(data, len(data))", KEPT),
    "a counter of a class": ("class A:\n    n = 0", "A.n += 1; return 0", KEPT),
    "an iterator of the module": ("IT = iter(range(9))", "return next(IT)", "an iterator that was begun before"),
    "a cursor of the module": (
        "import sqlite3\nC = sqlite3.connect(':memory:').cursor()",
        "return C.execute('select random()').fetchone()[0] % 64 == 3",
        "an iterator that was begun before",
    ),
    "a file elsewhere": ("", "return open('/etc/hostname').read()", "read it while the module is imported"),
    **{
        f"a connection of the module, {how}": (
            f"import sqlite3\nDB = sqlite3.connect(':memory:')\n{before}",
            body,
            READ,
        )
        for how, before, body in (
            ("which knows the date", "", "return DB.execute(\"select date('now')\").fetchone()[0]"),
            ("which draws", "", "return DB.execute('select abs(random()) % 1000').fetchone()[0]"),
            ("its method", "EX = DB.execute", "return EX('select random()').fetchone()[0] % 64 == 3"),
            ("in a list", "ALL = [DB]", "return ALL[0].cursor().execute('select random()').fetchone()[0] % 64 == 3"),
        )
    },
    "a connection of the call": ("import sqlite3", "return sqlite3.connect(':memory:').total_changes", READ),
    "a written file": ("", "open('out', 'w'); return 0", "return what is to be released"),
    "the environment": ("import os", "return os.environ.get('HOME')", "give it as a parameter"),
    "a process's number": ("import os", "return os.getpid()", "give it as a parameter"),
    "another program": ("import subprocess", "return subprocess.run(['date']).returncode", HERE),
    "a thread": ("import threading", "threading.Thread(target=print).start(); return 0", HERE),
    "threads": ("from concurrent.futures import ThreadPoolExecutor as P", "P(2); return 0", HERE),
    "the keyboard": ("", "return input()", "give it as a parameter"),
    "a float": ("", "return len(data) / 3", "round it to an int, or write it as a Fraction"),
    "an array": ("import numpy as np", "return np.zeros(2)", "write tuple(…) of plain values"),
    "a float's probability": ("", "return source.bernoulli(0.1)", "write Fraction('0.1')"),
    "a generator": ("", "yield 0", "must be a function that returns its output"),
    "a refusal that is caught": ("import random", "\n    try: return random.random()\n    except: return 0", RNG),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_caught_with_its_remedy(tmp_path: Path, name: str) -> None:
    before, body, remedy = MISTAKES[name]
    message = refusal(tmp_path, f"{before}\ndef f(data, source):\n    {body}\n")
    assert remedy in message
    if remedy in (RNG, TIME, VALUES, HERE):
        assert "is refused: a mechanism must depend on its data and its source only" in message


PATCHES = {
    "the texts of outputs": "import stirred.verify.laws.plain as p\np._text = lambda value, depth: '0'\n",
    "a class": "import stirred.verify.laws.plain as p\np.PlainTexts = type('PlainTexts', (p.PlainTexts,), {})\n",
    "a choice": "from stirred.mechanisms.source import PublicSource as P\nP.bernoulli = lambda source, p: True\n",
}


@pytest.mark.parametrize("name", PATCHES)
@pytest.mark.parametrize("when", ["at import", "in the call"])
def test_functions_that_audit_the_code_are_not_changed_by_it(tmp_path: Path, name: str, when: str) -> None:
    lines = PATCHES[name] if when == "at import" else ""
    called = "".join(f"    {line}\n" for line in PATCHES[name].splitlines()) if when == "in the call" else ""
    text = f"{lines}def f(data, source):\n{called}    return data\n"
    assert re.search(r"the code must not change stirred\.\S+, which audits it", refusal(tmp_path, text))


COUNTS = "def f(data, source):\n    return len(data)\n"


@pytest.mark.parametrize(
    "made",
    [
        *("numpy.random.default_rng(1)", "random.Random(1)", "random.random()", "time.time()", "open('/etc/hostname')"),
        *("datetime.datetime.now()", "datetime.date.today()"),
    ],
)
def test_importing_is_free(tmp_path: Path, made: str) -> None:
    found = laws(tmp_path, f"import datetime, numpy, random, time\nMADE = {made}\n{COUNTS}")
    assert {tuple(law) for law in found.laws.values()} == {("2",)}


UNWRITTEN = "np.empty holds what the memory held before"


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("return int(np.empty(9, dtype='u1')[3])", UNWRITTEN),
        ("return np.empty(1000).sum() % 64 == 3", UNWRITTEN),
        ("return np.empty_like(np.zeros(5)).max() > 7", UNWRITTEN),
        ("return empty(5)[0] > 7", UNWRITTEN),
        ("a = np.empty(3)\n    a[0] = 1\n    return int(a[0])", UNWRITTEN),
        ("return max(np.empty(2)[0] > 7 for _ in range(5000))", UNWRITTEN),
        ("return np.ndarray(5).sum() > 7", "np.ndarray(…), which reads memory, is refused"),
        ("return ndarray((2, 2)).sum() > 7", "np.ndarray(…), which reads memory, is refused"),
    ],
)
def test_memory_that_nobody_wrote_to_is_refused(tmp_path: Path, body: str, said: str) -> None:
    before = "import numpy as np\nfrom numpy import empty, ndarray\n"
    assert said in refusal(tmp_path, f"{before}def f(data, source):\n    {body}\n")


@pytest.mark.parametrize(
    "body",
    [
        "a = np.empty(2)\n    a[:] = 1\n    return int(a.sum())",
        "a = np.empty(2, dtype='u1')\n    a.fill(1)\n    return int(a.sum())",
        "return sum(int(np.copyto(a := np.empty(1), 1) is None) for _ in range(5000)) - 4998",
        "return 2 if isinstance(np.zeros(2), np.ndarray) and isinstance(np.zeros(2), ndarray) else 0",
        "return int(np.median([1, 2, 3]))",
    ],
)
def test_memory_that_is_written_to_is_free(tmp_path: Path, body: str) -> None:
    text = f"import numpy as np\nfrom numpy import ndarray\ndef f(data, source):\n    {body}\n"
    assert {tuple(law) for law in laws(tmp_path, text).laws.values()} == {("2",)}


UNBOUNDED = {
    "a value": ("int(draw)", "unbounded"),
    "a quotient": ("draw // 2", "unbounded"),
    "a method": ("draw.bit_length()", "unbounded"),
    "a text": ("str(draw)", "unbounded"),
    "a float": ("draw + 0.5", "must be an exact number"),
    "a root": ("abs(draw) ** 0.5", "unbounded"),
    "a key": ("{draw: 1}", "unbounded"),
}


@pytest.mark.parametrize("name", UNBOUNDED)
@pytest.mark.parametrize("caught", ["ValueError", "Exception"])
def test_what_an_unbounded_draw_refuses_cannot_be_caught(tmp_path: Path, name: str, caught: str) -> None:
    asked, said = UNBOUNDED[name]
    text = (
        "from fractions import Fraction\ndef f(data, source):\n    draw = source.geometric(Fraction(1, 2))\n"
        f"    try:\n        {asked}\n    except {caught}:\n        return 0\n    return len(data)\n"
    )
    assert said in refusal(tmp_path, text)


def test_what_was_refused_in_the_process_that_asks_is_held_against_no_other_code() -> None:
    with pytest.raises(InputError, match="unbounded"):
        exact_law(lambda data, source: str(source.geometric(Fraction(1, 2))), 0)
    asked = {"data_sets": [0, 1], "flip": "1/4", "distance": lambda x, y: abs(x - y)}
    needed = stirred.smallest_budget(lambda data, source, *, flip: data ^ source.bernoulli(flip), **asked)
    assert needed.gamma == 3


@pytest.mark.parametrize("asked", ["type(draw) is int", "builtins.type(draw) is int"])
def test_no_class_of_an_unbounded_draw_of_numpy_is_told(tmp_path: Path, asked: str) -> None:
    text = (
        "import builtins\nimport numpy as np\ndef f(data, rng: np.random.Generator):\n"
        f"    draw = rng.geometric(0.5)\n    return len(data) if {asked} else 0\n"
    )
    assert "foreign.py, line 5: " in refusal(tmp_path, text)


def test_isinstance_of_an_unbounded_draw_says_what_numpy_returns(tmp_path: Path) -> None:
    text = (
        "import numpy as np\ndef f(data, rng: np.random.Generator):\n"
        "    draw = rng.geometric(0.5)\n    return len(data) if isinstance(draw, int) else 0\n"
    )
    assert {tuple(law) for law in laws(tmp_path, text).laws.values()} == {("2",)}


ASKED = {
    "its class": "type(rng) is random.Random",
    "its name": "type(rng).__name__ == 'Random'",
    "another way to its class": "rng.__class__ is random.Random",
    "what it has": "'gauss_next' in vars(rng)",
    "in a helper": "helper(rng)",
    "what it can": "hasattr(rng, 'binomialvariate') != hasattr(random.Random, 'binomialvariate')",
}


@pytest.mark.parametrize("name", ASKED)
def test_no_generator_is_told_from_another(tmp_path: Path, name: str) -> None:
    text = (
        "import random\ndef helper(gen): return type(gen) is random.Random\n"
        f"def f(data, rng: random.Random):\n    return len(data) if {ASKED[name]} else int(rng.random() < 0.5)\n"
    )
    assert re.search(r"foreign.py, line [24]: .* is not read", refusal(tmp_path, text))


def test_classes_of_data_may_be_asked_for(tmp_path: Path) -> None:
    text = (
        "import random\ndef f(data, rng: random.Random):\n"
        "    return int(type(data) is tuple and isinstance(rng, random.Random)) + rng.randrange(2)\n"
    )
    assert {tuple(law) for law in laws(tmp_path, text).laws.values()} == {("1", "2")}


HANDLERS = {
    "a global tuple": ("ERRORS = (KeyError, TypeError)", "try: float.hex(u)\n    except ERRORS: return 0"),
    "by its module": ("import builtins", "try: float.hex(u)\n    except builtins.TypeError: return 0"),
    "of a group": ("", "try: float.hex(u)\n    except* TypeError: pass\n    else: return len(data)\n    return 0"),
    "a base": ("", "try: float.hex(u)\n    except LookupError.__base__: return 0"),
    "a variable": ("", "errors = TypeError\n    try: float.hex(u)\n    except errors: return 0"),
    "suppressed": (
        "from contextlib import suppress",
        "with suppress(TypeError): return float.hex(u) and 1\n    return 0",
    ),
    "a stack": (
        "from contextlib import ExitStack",
        "with ExitStack() as s:\n        s.push(lambda *_: True)\n        float.hex(u)",
    ),
    "an exit of one's own": (
        "class Quiet:\n    def __enter__(self): return self\n    def __exit__(self, *_): return True",
        "with Quiet():\n        float.hex(u)\n        return 1\n    return 0",
    ),
}


@pytest.mark.parametrize("name", HANDLERS)
def test_no_handler_catches_a_refusal(tmp_path: Path, name: str) -> None:
    before, body = HANDLERS[name]
    text = (
        f"import numpy as np\n{before}\ndef f(data, rng: np.random.Generator):\n    u = rng.random()\n"
        f"    {body}\n    return len(data)\n"
    )
    assert re.search(r"foreign.py, line [5-8]: .* is not read", refusal(tmp_path, text))


@pytest.mark.parametrize(
    "body",
    [
        "try: return int(u < 0.5)\n    except (ValueError, KeyError): return 0",
        "try: return int(u < 0.5)\n    except np.linalg.LinAlgError: return 0",
        "with suppress(KeyError): return int(u < 0.5)\n    return 0",
    ],
)
def test_other_errors_may_be_caught(tmp_path: Path, body: str) -> None:
    text = (
        "import numpy as np\nfrom contextlib import suppress\ndef f(data, rng: np.random.Generator):\n"
        f"    u = rng.random()\n    {body}\n"
    )
    assert {tuple(sorted(law)) for law in laws(tmp_path, text).laws.values()} == {("0", "1")}


def test_the_guide_lists_what_is_refused() -> None:
    rows = re.findall(r"^\| (.+?) \| (.+?) \|$", guide.page("threat-model").text, re.MULTILINE)
    assert {(one.kind, one.remedy) for one in REFUSABLE} <= set(rows)
