"""The repository checks its own source: imports, exact numbers, docstrings, length, loose ends; each gate is tried."""

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from arrows import MODULES, PACKAGES, ROOT, imported_names, name_of, path_of

ALLOWED_IMPORTS = {
    "spec": {"spec"},
    "mechanisms": {"spec", "mechanisms"},
    "verify": {"spec", "mechanisms", "verify", "stirred"},
}
HEAVY = {"sympy", "z3"}
LONGEST = 600
FLOATS_ALLOWED: dict[str, str] = {
    "spec/budgets/loss.py": "__float__ gives the nearest double, for display",
    "verify/laws/catalogue.py": "seconds of work that is left",
    "verify/cli/commands/plot.py": "where a picture puts its points",
    "verify/engines/smallest_delta.py": "where a picture puts its points",
    "verify/api/comparison.py": "where a picture puts its points",
    "verify/engines/formulas/closed_forms.py": "where a picture puts its points",
    "verify/engines/loss_cases.py": "where a picture puts its points",
    "verify/engines/printed_number.py": "recognises a decimal that Python's parser rounded to infinity, and refuses it",
    "verify/engines/swapping/floor.py": "what a solver computes in; nothing is shown by it",
    "verify/evidence/process_control/workload.py": "seconds of work that is left",
    "verify/products/studies/budgets.py": "where a picture puts its points",
    "verify/evidence/pictures/rendering.py": "where a picture puts its points",
    "verify/products/studies/price.py": "where a picture puts its points, and means as other studies print them",
    "verify/products/studies/psa.py": "where a picture puts its points",
    "verify/products/studies/swapping/pictures.py": "where a picture puts its points",
    "verify/audit/libraries/mechanism_study.py": "what libraries are asked for, which take floats",
    "verify/products/studies/topdown/study.py": "where a picture puts its points",
    "verify/evidence/process_control/time_limit.py": "seconds of a timer",
    "verify/evidence/process_control/processor_time.py": "seconds of work",
    "verify/laws/integer_tails.py": "how a released float is written",
    "verify/laws/sandbox/process.py": "seconds between two looks",
    "verify/laws/sandbox/within_limits.py": "seconds between two looks",
}
"""Modules of spec and verify that may hold or make a float, each with its reason."""


def wrong_imports(package: str, tree: ast.Module) -> list[str]:
    """Modules of ours, or heavy ones at import time, that a module of this package may not import."""
    found = []
    for name, _ in imported_names(tree):
        head = name.split(".")[0]
        folder = path_of(name).split("/")[0] if head == "stirred" else head
        if head in {*PACKAGES, "tests", ""} or folder in {*PACKAGES, "stirred"} - ALLOWED_IMPORTS[package]:
            found.append(name)
    at_the_top = [node for node in tree.body if isinstance(node, (ast.Import, ast.ImportFrom))]
    loaded = [name for name, _ in imported_names(ast.Module(at_the_top, [])) if name.split(".")[0] in HEAVY]
    return found + [f"{name} at import time" for name in loaded]


def floats(tree: ast.Module) -> list[str]:
    """Float literals, and calls of float."""
    found = [
        f"{node.value!r}" for node in ast.walk(tree) if isinstance(node, ast.Constant) and isinstance(node.value, float)
    ]
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return found + ["float()" for function in calls if isinstance(function, ast.Name) and function.id == "float"]


def undocumented(tree: ast.Module) -> list[str]:
    """The module itself, and its public functions and classes, where they have no docstring."""
    found = [] if ast.get_docstring(tree) else ["module"]
    for node in tree.body:
        public = isinstance(node, (ast.FunctionDef, ast.ClassDef)) and not node.name.startswith("_")
        if public and not ast.get_docstring(node) and not is_overload(node):
            found.append(node.name)
    return found


def is_overload(node: ast.stmt) -> bool:
    """Whether it is a type of the function that follows, which has the docstring."""
    return any(isinstance(one, ast.Name) and one.id == "overload" for one in getattr(node, "decorator_list", ()))


@cache
def listed_names(path: Path) -> frozenset[object] | None:
    """What the `__all__` of a module lists, if it has one."""
    for node in ast.parse(path.read_text()).body:
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == "__all__" for t in node.targets):
            return frozenset(constant.value for constant in ast.walk(node.value) if isinstance(constant, ast.Constant))
    return None


def unlisted(module: str, names: list[str]) -> list[str]:
    """Private names that another module takes from one of ours, and names that its `__all__`, if any, does not list."""
    path = ROOT / f"{path_of(module)}.py"
    if not path.is_file():
        return []
    listed = listed_names(path)
    return [name for name in names if (name.startswith("_") if listed is None else name not in listed)]


def loose_ends(text: str) -> list[str]:
    """Open work in comments, unexplained exemptions, paths of a machine."""
    pattern = r"\bTODO\b|\bFIXME\b|\bXXX\b|# type: ignore(?!\[)|# noqa(?!: [A-Z])|/home/|/root/|\bassert\b(?!.*\")"
    return [match.group() for line in text.splitlines() for match in [re.search(pattern, line)] if match]


ADAPTERS = {"spec/symbolic.py": "sympy at import time"}
"""Modules that import an engine at their own import time, and are themselves imported on first use only."""

STATEMENTS = ("verify/ledger/claims/", "verify/ledger/words.py")
"""Where a set of cases says its scope in words, and a property may be its own formula."""


@pytest.fixture(scope="module")
def trees():
    """Every module as a tree, for the time of this module: they are half a million objects."""
    return {name_of(path): ast.parse(path.read_text()) for path in MODULES}


def test_arrows_point_towards_spec(trees):
    found = {name: wrong_imports(name.split("/")[0], tree) for name, tree in trees.items()}
    assert {name: [one for one in wrong if one != ADAPTERS.get(name)] for name, wrong in found.items() if wrong} == {
        name: [] for name in ADAPTERS
    }


def test_exact_code_has_no_floats(trees):
    found = {name for name, tree in trees.items() if name.startswith(("spec", "verify")) and floats(tree)}
    assert found == set(FLOATS_ALLOWED)


def test_what_is_public_is_documented(trees):
    missing = {name: undocumented(tree) for name, tree in trees.items()}
    assert {n: m for n, m in missing.items() if m and ("module" in m or not n.startswith(STATEMENTS))} == {}


def test_no_module_takes_a_private_name_of_another(trees):
    taken = [
        (name, node.module, unlisted(node.module, [alias.name for alias in node.names]))
        for name, tree in trees.items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "stirred"
    ]
    assert [one for one in taken if one[2]] == []


def words(trees: dict[str, ast.Module]) -> dict[str, list[str]]:
    """Where the words of the ledger stand: lambdas of claims, and functions without annotations, that others call."""
    stated = {name: tree for name, tree in trees.items() if name.startswith(STATEMENTS)}
    found: dict[str, list[str]] = {}
    for name, tree in stated.items():
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and not (
                node.returns or any(one.annotation for one in node.args.args)
            ):
                found.setdefault(node.name, []).append(name)
            elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Lambda):
                found.setdefault(ast.unparse(node.targets[0]), []).append(name)
    called = {
        node.func.id
        for tree in stated.values()
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    return {word: places for word, places in found.items() if word in called and not word.startswith("_")}


def test_a_word_of_the_ledger_has_one_meaning(trees):
    """What reads sentences refuses a second one, but only when a claim runs."""
    found = words(trees)
    assert len(found) > 500
    taken = {word: places for word, places in found.items() if len(places) > 1}
    assert taken == {}


def test_a_module_holds_one_concept():
    tests = sorted((ROOT / "tests").rglob("*.py"))
    assert [name_of(path) for path in (*MODULES, *tests) if len(path.read_text().splitlines()) > LONGEST] == []


def public_classes(trees: dict[str, ast.Module]) -> dict[str, list[str]]:
    """The modules of each public class by its name."""
    found: dict[str, list[str]] = {}
    for name, tree in trees.items():
        for node in tree.body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(name)
    return found


TWO_HOMES: dict[str, str] = {}
"""Names that several public classes share, each with its reason."""


def test_the_name_of_a_public_class_means_one_thing(trees):
    shared = {name: homes for name, homes in public_classes(trees).items() if len(homes) > 1}
    assert {name: homes for name, homes in shared.items() if name not in TWO_HOMES} == {}
    assert set(TWO_HOMES) <= set(shared)


def test_no_loose_ends():
    assert [(name_of(path), found) for path in MODULES if (found := loose_ends(path.read_text()))] == []


def test_exemptions_are_still_needed(trees):
    assert [name for name in ADAPTERS if not wrong_imports(name.split("/")[0], trees[name])] == []


@pytest.mark.parametrize("package", PACKAGES)
def test_importing_a_package_starts_no_solver(package):
    code = f"import sys, stirred.{package}; assert not {HEAVY!r} & set(sys.modules), {HEAVY!r} & set(sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr


class TestTheGatesThemselves:
    @pytest.mark.parametrize(
        ("package", "line"),
        [
            ("spec", "import stirred.mechanisms.source"),
            ("spec", "def f():\n    from stirred.verify import exhaustive"),
            ("mechanisms", "import stirred"),
            ("mechanisms", "from stirred.verify.api.audits import audit"),
            ("verify", "from spec import Law"),
            ("mechanisms", "from stirred.verify.engines.likelihood import check_against"),
            ("spec", "from . import loss"),
            ("verify", "from ..ledger import book"),
            ("verify", "from tests import strategies"),
            ("spec", "import sympy as sp"),
            ("verify", "from z3 import Int"),
        ],
    )
    def test_a_wrong_arrow_is_found(self, package, line):
        assert wrong_imports(package, ast.parse(line))

    @pytest.mark.parametrize(
        ("package", "line"),
        [
            ("verify", "from stirred.mechanisms import sample"),
            ("spec", "def f():\n    import sympy"),
            ("mechanisms", "import stirred.spec"),
        ],
    )
    def test_a_right_arrow_is_not(self, package, line):
        assert not wrong_imports(package, ast.parse(line))

    def test_a_float_is_found(self):
        assert floats(ast.parse("x = 0.5")) == ["0.5"]
        assert floats(ast.parse("x = float(1)")) == ["float()"]
        assert not floats(ast.parse('"""0.5"""\nx = isinstance(y, float)'))

    def test_a_name_that_is_not_listed_is_found(self):
        assert unlisted("stirred.spec.laws.law", ["Law", "_hidden"]) == ["_hidden"]

    def test_a_name_of_two_classes_is_found(self):
        trees = {"a.py": ast.parse("class A: pass\nclass _B: pass"), "b.py": ast.parse("class A: pass\nclass _B: pass")}
        assert public_classes(trees) == {"A": ["a.py", "b.py"]}

    def test_a_missing_docstring_is_found(self):
        assert undocumented(ast.parse("def f(): pass\nclass A: pass\ndef _g(): pass")) == ["module", "f", "A"]
        assert not undocumented(ast.parse('"""M."""\ndef f():\n    """F."""'))
        assert undocumented(ast.parse('"""M."""\n@overload\ndef f(): ...\ndef f(): pass')) == ["f"]

    @pytest.mark.parametrize(
        "line", ["# TODO later", "x = 1  # type: ignore", "x = 1  # noqa", "open('/home/me')", "    assert x"]
    )
    def test_a_loose_end_is_found(self, line):
        assert loose_ends(line)

    @pytest.mark.parametrize("line", ["x = 1  # type: ignore[arg-type]", "x = 1  # noqa: S311 seeded", "x = 1"])
    def test_an_explained_exemption_is_not(self, line):
        assert not loose_ends(line)
