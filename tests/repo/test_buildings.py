"""What may import what: the buildings of `verify` and the arrows between modules; each gate is tried."""

import ast
from graphlib import CycleError, TopologicalSorter

import pytest
from arrows import MODULES, ROOT, imported_names, name_of, path_of


@pytest.fixture(scope="module")
def trees():
    return {name_of(path): ast.parse(path.read_text()) for path in MODULES}


STOREYS = (
    ("stirred", "verify"),
    ("api", "cli"),
    ("audit", "prove", "products", "ledger"),
    ("laws",),
    ("engines",),
    ("evidence",),
)
"""The buildings of `verify`: each may import itself and those of later lines; `verify/__init__.py` lists them."""

INTERFACES = {
    ("verify/api/examples", "stirred"): "they are written as users write",
    ("verify/cli/site", "verify/api"): "its pages show the examples, with their losses as `stirred.check` has them",
    ("verify/cli/site/losses.py", "stirred"): "as users ask",
    ("verify/ledger/claims/numbers/swapping.py", "verify/products/studies/psa"): "the figure is what that study draws",
    ("verify/ledger/claims/pairwise_swapping/sampled_states.py", "verify/products/studies/swapping"): "its states",
}
"""Who meets which part of another building beside the order, and why."""


def building(path: str) -> str:
    parts = path.split("/")
    return parts[1] if parts[0] == "verify" and len(parts) > 1 else parts[0]


def storey(path: str) -> int:
    """The line of `STOREYS` on which the building of a module stands; below all of them those of other packages."""
    return next((number for number, line in enumerate(STOREYS) if building(path) in line), len(STOREYS))


def wrong_buildings(name: str, tree: ast.Module, interfaces=tuple(INTERFACES)) -> list[str]:
    """Modules of other buildings that a module of `verify` may not import."""
    named = ((module, names or ("",)) for module, names in imported_names(tree) if module.split(".")[0] == "stirred")
    paths = [path_of(f"{module}.{one}".rstrip(".")) for module, names in named for one in names]
    beside = [path for path in paths if building(path) != building(name) and storey(path) <= storey(name)]
    met = [part for where, part in interfaces if f"{name}/".startswith(f"{where}/")]
    return [path for path in beside if not any(f"{path}/".startswith(f"{part}/") for part in met)]


@pytest.fixture(scope="module")
def built(trees):
    return {name: tree for name, tree in trees.items() if name.count("/") > 1 and name.startswith("verify/")}


def test_buildings_import_what_lies_below_them(built):
    assert {name: wrong for name, tree in built.items() if (wrong := wrong_buildings(name, tree))} == {}
    listed = (ROOT / "verify" / "__init__.py").read_text()
    places = [listed.index(f"\n    {one} ") for line in STOREYS[1:] for one in line]
    assert places == sorted(places)
    folders = {path.name for path in (ROOT / "verify").iterdir() if path.is_dir() and not path.is_symlink()}
    assert folders - {"__pycache__"} == {one for line in STOREYS[1:] for one in line}
    assert {path.name for path in (ROOT / "verify").glob("*.py")} == {"__init__.py"}


@pytest.mark.parametrize("left_out", INTERFACES, ids=lambda one: one[0])
def test_interfaces_are_still_needed(built, left_out):
    others = [one for one in INTERFACES if one != left_out]
    assert [name for name, tree in built.items() if wrong_buildings(name, tree, others)]


def imported(trees: dict[str, ast.Module]) -> dict[str, set[str]]:
    """The modules that each module imports, wherever in it."""
    files = {name.removesuffix(".py").removesuffix("/__init__"): name for name in trees}
    found: dict[str, set[str]] = {}
    for name, tree in trees.items():
        taken = set()
        for module, names in imported_names(tree):
            if module.startswith("stirred."):
                base = path_of(module)
                taken |= {files.get(f"{base}/{one}", files.get(base, "")) for one in names or ("",)}
        found[name] = taken - {name, ""}
    return found


def circle(graph: dict[str, set[str]]) -> list[str]:
    """A circle of modules that import each other, if there is one."""
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def test_no_modules_import_each_other_in_a_circle(trees):
    assert circle(imported(trees)) == []


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("verify/engines/a.py", "from stirred.verify.ledger.book import claim"),
        ("verify/engines/a.py", "import stirred.verify.ledger.book"),
        ("verify/engines/a.py", "from stirred.verify import ledger"),
        ("verify/engines/a.py", "from stirred import verify"),
        ("verify/engines/a.py", "def f():\n    import stirred.verify.ledger.book"),
        ("verify/laws/sandbox/a.py", "if TYPE_CHECKING:\n    from stirred.verify.audit.audit import AuditRecord"),
        ("verify/laws/sandbox/a.py", "import stirred"),
        ("verify/products/survey/a.py", "from stirred.verify.audit import audit"),
        ("verify/api/a.py", "from stirred.verify.cli.commands import compare"),
        ("verify/ledger/claims/numbers/swapping.py", "from stirred.verify.products.studies.psa_too import x"),
        ("verify/ledger/claims/numbers/swapping.py", "from stirred.verify.audit.audit import AuditRecord"),
    ],
)
def test_a_wrong_building_is_found(name, line):
    assert wrong_buildings(name, ast.parse(line))


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("verify/audit/a.py", "from stirred.verify.audit.exhaust import claim"),
        ("verify/audit/a.py", "import stirred.verify.engines.solver, stirred.spec.blocks.domain"),
        ("verify/cli/site/losses.py", "from stirred.verify.api.audits import audit"),
        ("verify/api/examples/a.py", "import stirred"),
    ],
)
def test_a_right_building_is_not(name, line):
    assert wrong_buildings(name, ast.parse(line)) == []


def test_a_circle_is_found():
    lines = {"a": "from stirred.spec.b import x", "b": "def f():\n    from stirred.spec import a", "c": "import ast"}
    trees = {f"spec/{name}.py": ast.parse(text) for name, text in lines.items()}
    assert set(circle(imported(trees))) == {"spec/a.py", "spec/b.py"}
    assert circle(imported({name: tree for name, tree in trees.items() if name != "spec/b.py"})) == []
