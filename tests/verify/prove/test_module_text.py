"""A claim's file is read as text: what is not closed is refused by line, and what is read is what Python has there."""

import contextlib
import random
import runpy
from types import FunctionType, ModuleType

import pytest
from tiers import AT_NIGHT

from stirred.spec.arguments import InputError
from stirred.verify.cli.main import main
from stirred.verify.prove.found_function import in_file
from stirred.verify.prove.module_text import closed_file
from stirred.verify.prove.proving import proof_of
from stirred.verify.prove.stated import stated

F = "def f(q, rng, eps):\n    return sum(q) + rng.laplace(scale=1 / eps)\n"
NP, FRACTION = "import numpy as np\n", "from fractions import Fraction\n"


def written(folder, text):
    file = folder / "claimed.py"
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("sum = max\n", "line 1: sum is Python's own name"),
        ("ſum = max\n", "line 1: sum is Python's own name"),
        ("def sum(q):\n    return 0\n", "line 1: sum is Python's own name"),
        ("from math import exp as len\n", "line 1: len is Python's own name"),
        ("__builtins__ = ()\n", "line 1: __builtins__ is Python's own name"),
        ("__name__ = '__main__'\n", "line 1: __name__ is"),
        ("K = 1\n\nK = 1\n", "line 3: K is bound again"),
        ("K = 1\nＫ = 2\n", "line 2: K is bound again"),
        (f"K = 1\n{F}K = 2\n", "line 4: K is bound again"),
        (f"{F}f = 1\n", "line 3: f is bound again"),
        (F + F, "line 3: f is bound again"),
        (f"{NP}import math as np\n", "line 2: np is bound again"),
        ("A, A = 1, 2\n", "line 1: A is bound again"),
        ("A = A = 1\n", "line 1: A is bound again"),
        ("K = 1\nK += 1\n", "line 2: AugAssign"),
        ("K = 1\ndel K\n", "line 2: Delete"),
        ("for K in (1, 2):\n    pass\n", "line 1: For"),
        ("while 0:\n    K = 1\n", "line 1: While"),
        ("with open('x') as K:\n    pass\n", "line 1: With"),
        ("try:\n    import numpy as np\nexcept ImportError:\n    np = None\n", "line 1: Try"),
        ("try:\n    K = 1\nfinally:\n    K = 2\n", "line 1: Try"),
        ("if 1:\n    K = 2\n", "line 1: If"),
        ("if __name__ == '__main__':\n    pass\nelse:\n    K = 2\n", "line 1: If"),
        ("match 1:\n    case K:\n        pass\n", "line 1: Match"),
        ("class K:\n    f = 1\n", "line 1: ClassDef"),
        ("async def f(q):\n    pass\n", "line 1: AsyncFunctionDef"),
        ("assert print()\n", "line 1: Assert"),
        ("raise ValueError\n", "line 1: Raise"),
        ("exec('K = 2')\n", "line 1: Expr"),
        ("globals()['K'] = 2\n", "line 1: an assignment to globals"),
        ("[exec(x) for x in ['K = 2']]\n", "line 1: Expr"),
        ("__builtins__['sum'] = max\n", "assignment to __builtins__"),
        (f"{NP}np.sum = max\n", "line 2: an assignment to np.sum"),
        (f"{NP}np.random.seed(0)\n", "line 2: Expr"),
        (f"{F}f.__defaults__ = (1,)\n", "line 3: an assignment to f.__defaults__"),
        (f"def g():\n    pass\n{F}f.__code__ = g.__code__\n", "line 5: "),
        (f"{F}f: int\nf.__kwdefaults__: int = 1\n", "line 4: an assignment"),
        ("K = (J := 2)\n", "line 1: .J := 2. is not read"),
        ("K = [K for K in (1,)]\n", "line 1: .K for K in"),
        ("K = [exec('J = 1')]\n", "line 1: exec"),
        ("K = f'{exec(1)}'\n", "line 1: f'"),
        ("K = 1 if 0 else 2\n", "line 1: 1 if 0"),
        ("K = lambda: 0\n", "line 1: lambda"),
        ("K = (1)[exec(1)]\n", r"line 1: 1\[exec"),
        ("K = len('abc')\n", "line 1: len"),
        ("K, *J = 1, 2\n", "line 1: an assignment to .J"),
        ("K, J = 1, 2, 3\n", "line 1: an assignment to .K, J"),
        ("[K, J] = 1, 2\n", "line 1: an assignment to .K, J"),
        ("K = J\nJ = 1\n", "line 1: J has no value here"),
        ("K = 1 / 0\n", "line 1: 1 / 0 has no value: division by zero"),
        (f"{FRACTION}K = Fraction('one')\n", "line 2: Fraction.'one'. has no value"),
        (f"{FRACTION}K = Fraction(1, 0)\n", "line 2: Fraction.1, 0. has no value"),
        (f"{FRACTION}from math import inf as Fraction\n", "line 2: Fraction is bound again"),
        ("def Fraction(a, b):\n    return 5\nK = Fraction(1, 2)\n", "line 3: Fraction.1, 2. is not read"),
        ("K = Fraction(1, 2)\n", "line 1: Fraction.1, 2. is not read"),
        ("K = 10 ** 10 ** 10\n", "line 1: 10 .. 10 .. 10 is too large"),
        ("K = 10 ** 1000 * 10 ** 1000\n", "is too large"),
        ("K = 10.0 ** 400\n", "has no value"),
        ("import helper\n", "line 1: import helper: must be one of collections"),
        ("import sys\n", "line 1: import sys: must be one of"),
        ("import builtins\n", "line 1: import builtins"),
        ("import numpy, ast\n", "line 1: import numpy, ast"),
        ("import numpy.testing\n", "line 1: import numpy.testing"),
        ("from stirred.verify.prove import stated\n", "line 1: from stirred.verify"),
        ("from . import numpy\n", "line 1: from . import numpy"),
        ("from .numpy import sum\n", "line 1: from .numpy"),
        ("from numpy import *\n", "line 1: import . may bind any name"),
        ("from __future__ import barry_as_FLUFL\n", "line 1: from __future__"),
        ("@exec\ndef g():\n    pass\n", "line 2: g has a decorator"),
        ("def g(x=exec('K = 1')):\n    pass\n", "line 1: exec"),
        ("def g(*, x=(K := 1)):\n    pass\n", "line 1: .K := 1"),
        ("def g(x: exec('K = 1')):\n    pass\n", "line 1: the annotation exec"),
        ("def g(*x: exec('K = 1')):\n    pass\n", "line 1: the annotation exec"),
        ("def g() -> exec('K = 1'):\n    pass\n", "line 1: the annotation exec"),
        ("K: exec('J = 1') = 1\n", "line 1: the annotation exec"),
        ("K: exec('J = 1')\n", "line 1: the annotation exec"),
        ("K = 1\ndef g():\n    global K\n    K = 2\n", "line 3: global K"),
        ("K = 1\ndef g():\n    class H:\n        global K\n        K = 2\n", "line 4: global K"),
        ("def g(q, q):\n    pass\n", "line 1: must be Python in UTF-8; got SyntaxError"),
        ("K = (yield)\n", "must be Python in UTF-8; got SyntaxError"),
        ("if 1:\n\tK = 1\n        J = 1\n", "must be Python in UTF-8; got TabError"),
        (b"K = 1\0\n", "must be Python in UTF-8; got"),
        (b"K = '\xe9'\n", "must be Python in UTF-8; got"),
        (b"# coding: latin-1\nK = '\xc3\xa9'\n", "means something else in the encoding that it declares"),
        (b"# coding: utf-7\n#+AAo-K = 2\nK = 1\n", "means something else|got SyntaxError"),
        (b"\r# coding: utf-7\n#+AAo-K = 2\nK = 1\n", "means something else|got SyntaxError"),
        (b"# coding: rot13\nK = 1\n", "must be Python in UTF-8; got SyntaxError"),
        (b"\xef\xbb\xbf# coding: latin-1\nK = 1\n", "must be Python in UTF-8; got SyntaxError"),
        ("1\n" * 600_000, "must have at most 1000000 bytes"),
        ("K = " + "-" * 50_000 + "1\n", "must be Python in UTF-8; got"),
        ("K = " + "1+" * 50_000 + "1\n", "must be Python in UTF-8; got|is not read"),
    ],
)  # fmt: skip
def test_a_file_that_is_not_closed_is_refused_by_line(tmp_path, text, said):
    with pytest.raises(InputError, match=said):
        closed_file(written(tmp_path, text))


OWN = [
    "K = 2\n",
    "K: float = 1e-3\n",
    "A, (B, C) = 1, (2.5, -3)\n",
    "A = B = 7\n",
    f"{FRACTION}K = Fraction(1, 3)\nJ = Fraction('1/7') * K - 2 ** -1\n",
    "import fractions as fr\nK = fr.Fraction(1, 3) ** 2\n",
    "K = 0.1 + 0.2\n",
    "K = -0.0\n",
    "K = 1e400\nJ = K - K\nL = -K\n",
    "K = True + 1\nJ = False\n",
    "K = 7 // 2 % 2\nJ = -7 // 2\nL = (-8) ** 0.5\n",
    "K = 10 ** 300\nJ = 2.0 ** -1000\n",
    "K = J = 1; L = 2; pass\n",
    '"""A file."""\n__all__ = ["f"]\nNAMES = ("a", b"b", None, ..., 1j)\n',
    "from __future__ import annotations\n\ndef g(x: Any, *, y: list[int] | None = None):\n    exec(x)\n",
    "import numpy\nimport numpy.random\nfrom numpy import random as nr\nimport numpy.random as r\nX = numpy.inf\n",
    "if __name__ == '__main__':\n    K = 5\n\nK = 3\n",
    "\ufeffK = 2\n",
    "\ufeff# -*- coding: utf-8 -*-\r\nK = 2\r\nJ = 3\r\n",
    "K = 1\rJ = 2\r\r\nL = 3\n",
    "# coding: utf-8\nß = 2\nK = ß\n",
    "# coding: latin-1\nK = 2\n",
    "# a \u2028K = 2\x0b\x1c\u0085J = 3\nK = 1 # \x0cK = 4\n\x0cJ = 5\n \x0cL = 6\n",
    "K = 1 \\\n  + 1\nJ = (\n2)\n# \\\nL = 3\n",
    "S = '''\nK = 1\n'''\nK = 2\n",
]  # fmt: skip


@pytest.mark.parametrize("text", OWN)
def test_what_is_read_is_what_python_has(tmp_path, text):
    agrees_with_python(written(tmp_path, f"{text}\n{F}"))


def agrees_with_python(file):
    """Each name that has a meaning has it in Python, which runs the file."""
    module, own = closed_file(file), runpy.run_path(str(file))
    assert set(module.names) == {name for name in own if not name.startswith("__") or name == "__all__"}
    for name, meaning in module.names.items():
        if isinstance(meaning, str):
            assert not isinstance(own[name], (int, float, FunctionType)) or meaning.endswith(".inf")
            assert not isinstance(own[name], ModuleType) or own[name].__name__ == meaning
        elif meaning is not None and not hasattr(meaning, "body"):
            assert (type(own[name]), repr(own[name])) == (type(meaning), repr(meaning))
        elif meaning is not None:
            assert own[name].__code__.co_firstlineno == meaning.lineno


def test_random_files_are_read_as_python_has_them(tmp_path):
    """Lines that bind two names in every way: what is accepted means what it means once Python has run it."""
    lines = [
        "A = 1", "A = B = 2", "A, B = 3, 0.5", "B = A + 1", "B = A", "A += 1", "del A", "import math as A",
        "from math import inf as B", "def A():\n    pass", "def A(B=3):\n    A = 4\n    return A",
        "if __name__ == '__main__':\n    A = 9", "if 1:\n    A = 9", "for A in (5,):\n    pass", "class A:\n    B = 6",
        "B = [A for A in (1,)]", "B = (A := 7)", "try:\n    A = 8\nexcept Exception:\n    A = 9", "B: int = 10",
        "B: int",
        "def C():\n    global A\n    A = 11", "def C(A=1, *, B=(2,)):\n    del A", "A = -A if 'A' in globals() else 3",
        "A = 0.1 * 3", "B = A ** 2 // 3", "B = -A % 4", "'A = 1'", "# A = 12", "B = '''\nA = 13\n'''", "pass",
    ]  # fmt: skip
    draw, read = random.Random(0), 0  # noqa: S311 no secret
    for _ in range(3000 if AT_NIGHT else 600):
        text = "\n".join(draw.choice(lines) for _ in range(draw.randint(1, 4)))
        file = written(tmp_path, text + "\n")
        try:
            closed_file(file)
        except InputError:
            continue
        with contextlib.suppress(TypeError):  # a function is added to a number, say: Python has no such module
            agrees_with_python(file)
            read += 1
    assert read >= 100


@pytest.mark.parametrize(
    "other",
    [
        *("numpy.py", "random.py", "re.py", "stirred.py", "fractions.pyc", "numpy/__init__.py", "secrets/__init__.pyc"),
        "math.cpython-311-x86_64-linux-gnu.so",
    ],
)
def test_modules_beside_the_file_that_python_would_import_instead_are_refused(tmp_path, other):
    (tmp_path / other).parent.mkdir(exist_ok=True)
    (tmp_path / other).touch()
    with pytest.raises(InputError, match=r"stands beside claimed\.py and would be imported as"):
        closed_file(written(tmp_path, F))


def test_other_files_may_stand_beside(tmp_path):
    for name in ("numpy.txt", "helper.py", "mynumpy.py", "numpy.toml"):
        (tmp_path / name).touch()
    (tmp_path / "calendar").mkdir()
    assert closed_file(written(tmp_path, F)).names["f"]


def claimed(folder, reference):
    file = folder / "claim.toml"
    file.write_text(
        'id = "a.b"\nrecords = "any"\ndiffer = "one by 1"\nbudget = { epsilon = "eps" }\n'
        f'mechanism = {{ function = "{reference}" }}\n'
    )
    return str(file)


PATCHES = {
    "stirred": "import stirred.verify.prove.stated as s\ns.of_function = None\n",
    "the check": "from stirred.verify.evidence.certificates import alignment\nalignment.check = print\n",
    "builtins": "import builtins\nbuiltins.sum = max\n",
    "ast": "import ast\nast.parse = None\n",
    "linecache": "import linecache\nlinecache.getlines = lambda *_: []\n",
    "fractions": "import fractions\nfractions.Fraction.__add__ = max\n",
    "inspect": "import inspect\ninspect.getsource = None\n",
}


@pytest.mark.parametrize("name", PATCHES)
def test_a_module_that_changes_others_is_refused_and_never_run(tmp_path, capsys, name):
    mark = tmp_path / "mark"
    written(tmp_path, f"{PATCHES[name]}open({str(mark)!r}, 'w').close()\n{F}")
    assert main(["prove", claimed(tmp_path, "claimed:f")]) == 2
    assert "claimed.py, line " in capsys.readouterr().err
    assert not mark.exists()


@pytest.mark.parametrize(
    ("reference", "others"),
    [
        ("claimed.part:f", ()),
        ("claimed:f", ("claimed/x.py",)),
        ("compiled:f", ("compiled.pyc",)),
        ("__main__:f", ("__main__.py",)),
        ("missing:f", ()),
        ("../claimed:f", ()),
    ],
)
def test_the_file_is_the_one_that_python_imports(tmp_path, capsys, reference, others):
    written(tmp_path, F)
    for other in others:
        (tmp_path / other).parent.mkdir(exist_ok=True)
        (tmp_path / other).write_text(F)
    assert main(["prove", claimed(tmp_path, reference)]) == 2
    assert "must be file:function, a file beside the claim file" in capsys.readouterr().err


def test_a_decision_runs_nothing_of_the_file(tmp_path, capsys, monkeypatch):
    """No process is started; a symlink is read where it points, a stale cache of bytecode is not read at all."""
    monkeypatch.setattr("subprocess.Popen", None)
    (tmp_path / "there").mkdir()
    real = written(tmp_path / "there", F)
    (tmp_path / "linked.py").symlink_to(real)
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "__pycache__" / "linked.cpython-311.pyc").write_bytes(b"no bytecode")
    assert main(["prove", claimed(tmp_path, "linked:f")]) == 0
    assert capsys.readouterr().out.startswith("DECIDED")


BODIES = [
    "    K = sum(q)\n    return K",
    "    sum = max\n    return sum(q)",
    "    eps = 100 * eps\n    return sum(q) + rng.laplace(scale=1 / eps)",
    "    q = [2 * x for x in q]\n    return sum(q) + rng.laplace(scale=1 / eps)",
    "    rng = np.random.default_rng(0)\n    return sum(q) + rng.laplace(scale=1 / eps)",
    "    noise = rng.laplace\n    return sum(q) + noise(scale=1 / (2 * eps))",
    "    return sum(q) + rng.laplace(scale=TINY / eps)",
    "    return sum(q) + rng.laplace(scale=ZERO / eps)",
    "    return sum(q) + rng.laplace(scale=HUGE / eps)",
    "    return sum(q) * BIG + rng.laplace(scale=1 / eps)",
    "    return sum(q) + rng.laplace(scale=NEGATIVE / eps)",
    "    return sum(q) + rng.laplace(scale=1 / eps) * float('nan')",
    "    return sum(q) + float('inf') * rng.laplace(scale=1 / eps)",
    "    def g():\n        nonlocal eps\n        eps = 9\n    g()\n    return sum(q) + rng.laplace(scale=1 / eps)",
    "    global K\n    K = sum(q)\n    return K",
    "    import math\n    return sum(q) + math.inf * 0",
    "    del q[0]\n    return sum(q) + rng.laplace(scale=1 / eps)",
    "    with open('x', 'w') as out:\n        out.write(str(q))\n    return 0",
    "    if (first := sum(q)) > 1:\n        return 1\n    return rng.laplace(scale=1 / eps)",
    "    for x in q:\n        if rng.random() > 1:\n            break\n    else:\n        return sum(q)\n    return 0",
    "    for i, x in enumerate(q):\n        pass\n    return x",
    "    out = STATE\n    out.append(sum(q))\n    return 0",
    "    *first, last = q\n    return last",
    "    return helper(q) + rng.laplace(scale=1 / eps)",
    "    return [x for x in q if x > 0]",
    "    return {x: 1 for x in q}",
    "    return f'{sum(q)}'",
    "    return (lambda: sum(q))()",
    "    return np.sum(q, axis=0, initial=sum(q)) + rng.laplace(scale=1 / eps)",
    "    return max(q) + rng.laplace(scale=1 / eps, loc=sum(q))",
    "    match sum(q):\n        case 0:\n            return 1\n    return 2",
    "    yield sum(q)",
    "    a = b = sum(q)\n    return a",
    "    a, a = 0, sum(q)\n    return a",
    "    total: int = sum(q)\n    return total > 1",
    "    return sum(q) + 0 * rng.laplace(scale=1 / eps)",
    "    while sum(q) > 1:\n        pass\n    return 0",
    "    return np.asarray(q, dtype=int) + rng.laplace(scale=1 / eps, size=len(q)) * 0",
    "    return int(sum(q) + 0 * rng.laplace(scale=1 / eps))",
]  # fmt: skip
CONSTANTS = f"""\
{NP}TINY, ZERO, HUGE, BIG, NEGATIVE = 5e-324, -0.0, 1e308 * 10, 10 ** 300, -1
K, STATE = 1, []


def helper(q, extra=[]):
    return 2 * sum(q)


def f(q, rng, *, eps):
"""


@pytest.mark.parametrize("body", BODIES)
@pytest.mark.parametrize("neighbors", ["one by 1", "all up or all down"])
def test_programs_beyond_their_budget_are_not_decided(tmp_path, body, neighbors):
    """Names, constants and statements that would hide what a function does: refused, or of another budget."""
    try:
        found = stated("f", in_file(written(tmp_path, f"{CONSTANTS}{body}\n"), "f"), neighbors, "eps", {})
    except InputError:
        return
    try:
        assert not proof_of(found, explains=False).is_met
    except InputError:
        return
