"""No program can catch a refusal: what is not read ends the reading, whatever the program does about exceptions."""

import importlib.util
import sys

import pytest

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.reading.read_mechanism import ReadMechanism
from stirred.spec.arguments import InputError

HEAD = """
import contextlib, copy, decimal, fractions, functools, gc, json, math, operator, os, pickle, random, secrets, struct
import sys, traceback
import numpy as np

LOADED = sys.modules

class Swallows:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return True

@contextlib.contextmanager
def swallowing():
    try:
        yield
    except BaseException:
        pass

u, rng = 0.5, np.random.default_rng()
"""

NOT_READ = (
    "str(u)",
    "repr(u)",
    "f'{u}'",
    "'%s' % u",
    "'{}'.format(u)",
    "print(u)",
    "type(u) is float",
    "hasattr(u, 'hex')",
    "getattr(u, 'hex', 0)",
    "u.hex()",
    "u.is_integer()",
    "u.as_integer_ratio()",
    "hash(u)",
    "{u}",
    "{u: 1}",
    "u == 0.5",
    "u in (0.5, 0.25)",
    "bool(u)",
    "u % u",
    "u ** u",
    "complex(u)",
    "math.sin(u)",
    "math.modf(u)",
    "np.sin(u)",
    "np.float32(u)",
    "np.array([u]).tobytes()",
    "np.array([u]).view(int)",
    "np.random.rand(2).dtype",
    "np.einsum('i->', np.random.rand(2))",
    "fractions.Fraction(u)",
    "decimal.Decimal(u)",
    "json.dumps(u)",
    "pickle.dumps(u)",
    "struct.pack('d', u)",
    "copy.deepcopy(rng)",
    "rng.bit_generator",
    "rng.poisson(lam=u)",
    "np.random.vonmises(0, 1)",
    "np.random.default_rng(7)",
    "random.seed(7)",
    "random.getstate()",
    "np.random.get_state()",
    "eval('1')",
    "exec('1')",
    "globals()",
    "sys._getframe()",
    "sys.modules",
    "LOADED",
    "os.environ",
    "getattr(sys, 'argv')",
    "gc.get_objects()",
    "traceback.extract_stack()",
    "(_ for _ in [0]).gi_frame",
    "sys.exc_info()",
    "list({'a', 'b'})",
    "id(u)",
    "0.1 + 0.2 == 0.3",
    "int(0.29 * 100)",
)

CATCHING = {
    "except BaseException": "try:\n        {what}\n    except BaseException:\n        pass",
    "bare except": "try:\n        {what}\n    except:\n        pass",
    "finally that returns": "try:\n        {what}\n    finally:\n        return 0",
    "finally in a loop": "for _ in range(1):\n        try:\n            {what}\n        finally:\n            break",
    "suppress": "with contextlib.suppress(BaseException):\n        {what}",
    "__exit__": "with Swallows():\n        {what}",
    "two managers": "with Swallows(), contextlib.nullcontext():\n        {what}",
    "contextmanager": "with swallowing():\n        {what}",
    "ExitStack": "with contextlib.ExitStack() as stack:\n        stack.push(lambda *_: True)\n        {what}",
    "generator": "def inner():\n        try:\n            yield {what}\n        finally:\n            return\n"
    "    [*inner()]",
    "generator that ends": "def inner():\n        try:\n            yield 0\n        finally:\n            {what}\n"
    "    with Swallows():\n        list(inner())",
    "another exception": "try:\n        try:\n            {what}\n        finally:\n            raise KeyError\n"
    "    except KeyError:\n        pass",
    "key of a library": "try:\n        sorted([0], key=lambda _: {what})\n    except BaseException:\n        pass",
    "reduced": "try:\n        functools.reduce(lambda *_: {what}, [0, 1])\n    except BaseException:\n        pass",
    "default of getattr": "class Holder:\n        @property\n        def held(self):\n            {what}\n"
    "            raise AttributeError\n    getattr(Holder(), 'held', 0)",
    "next with a default": "next(({what} for _ in [0]), 0)",
    "every other class": "try:\n        {what}\n    except (Exception, GeneratorExit, KeyboardInterrupt):\n        0",
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("catching", CATCHING)
def test_no_program_catches_a_refusal(tmp_path, catching):
    texts = [
        f"def f{place}(data):\n    u, rng = random.random(), np.random.default_rng()\n"
        f"    {CATCHING[catching].format(what=what)}\n    return 0\n"
        for place, what in enumerate((*NOT_READ, "u + 1"))
    ]
    file = tmp_path / "catching.py"
    file.write_text(HEAD + "\n".join(texts))
    spec = importlib.util.spec_from_file_location(f"catching_{sys.maxsize - hash(catching) % 10**6}", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    caught = []  # and what is read, as a control
    for place, what in enumerate((*NOT_READ, "u + 1")):
        read = ReadMechanism(getattr(module, f"f{place}"), {}, lambda one: one == str(file))
        try:
            exact_law(lambda point, source, read=read: repr(read.outcome(point, source).value), 0)
        except InputError:
            continue
        caught.append(what)
    assert caught == ["u + 1"]


CHANGED_BY_A_PASS = {
    "a list": ("seen = []", "other = seen\n        other += [1]", "len(seen)"),
    "an array": ("seen = np.zeros(1, dtype=int)", "other = seen\n        other += 1", "int(seen[0])"),
    "a list, counted": ("seen = []; k = 0", "other = seen\n        other += [1]\n        k += 1", "len(seen)"),
    "an iterator": ("seen = iter([0, 1, 1]); k = 0", "0 in seen\n        k += 1", "next(seen, 2)"),
}


@pytest.mark.parametrize("name", CHANGED_BY_A_PASS)
def test_a_loop_that_changes_more_than_names_is_not_begun_afresh(tmp_path, name):
    before, changing, after = CHANGED_BY_A_PASS[name]
    body = f"    while True:\n        {changing}\n        if random.random() < 0.5:\n            break\n"
    file = tmp_path / "changing.py"
    file.write_text(f"import random\nimport numpy as np\n\n\ndef f(data):\n    {before}\n{body}    return {after}\n")
    spec = importlib.util.spec_from_file_location("changing", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    read = ReadMechanism(module.f, {}, lambda one: one == str(file))
    with pytest.raises(InputError, match="a loop has made 33 passes"):
        exact_law(read.outcome, 0)


def test_numbers_that_share_a_draw_are_the_same_outcome_on_every_path(tmp_path):
    file = tmp_path / "sharing.py"
    loop = "    k = j = 0\n    while random.random() < 0.5:\n        k += 1\n        j += 2\n"
    file.write_text(f"import random\n\n\ndef f(data):\n{loop}    return min(k, 3), min(j, 6)\n")
    spec = importlib.util.spec_from_file_location("sharing", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    read = ReadMechanism(module.f, {}, lambda one: one == str(file))
    law = exact_law(lambda point, source: repr(read.outcome(point, source).value), 0)
    assert set(law) == {"(0, 0)", "(1, 2)", "(2, 4)", "(3, 6)"}
