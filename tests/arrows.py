"""Which modules of the program import which, read from their text."""

import ast
from collections.abc import Iterator, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("spec", "mechanisms", "verify")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def path_of(module: str) -> str:
    """Where a module of `stirred` lies; what users import from `stirred` itself lies in `stirred`."""
    parts = module.split(".")[1:]
    return "/".join(parts) if parts and parts[0] in PACKAGES else "stirred"


def imported_names(tree: ast.Module) -> Iterator[tuple[str, Sequence[str]]]:
    """Each module that is imported, with the names that are taken from it: at the top, inside functions, for types."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, ()) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or ""), [alias.name for alias in node.names]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith("import_module"):
            yield from ((one.value, ()) for one in node.args if isinstance(getattr(one, "value", None), str))
