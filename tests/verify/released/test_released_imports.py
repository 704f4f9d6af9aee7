"""What checks a release shares no code with what made it."""

import ast
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
MODULES = sorted((ROOT / "verify" / "released").glob("*.py"))
MAKERS = (
    "stirred.mechanisms.das.topdown",
    "stirred.mechanisms.fast",
    "stirred.verify.products",
    "stirred.verify.commands",
)
CODE = (
    "import sys; from stirred.verify.released.checked import checked_release; print(checked_release(sys.argv[1])[0]);"
    "print(*sorted(name for name in sys.modules if name.startswith('stirred.')))"
)


def made_by(names):
    return [name for name in names if name.startswith(MAKERS)]


def test_no_module_of_the_program_is_loaded_while_a_release_is_checked(folder):
    done = subprocess.run([sys.executable, "-c", CODE, str(folder)], capture_output=True, text=True, check=True)
    status, loaded = done.stdout.splitlines()
    assert status == "0"
    assert "stirred.verify.released.nearness" in loaded.split()
    assert made_by(loaded.split()) == []


def test_none_is_imported_in_a_function_either():
    imported = [
        node.module
        for path in MODULES
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
    ]
    assert "stirred.verify.released.question" in imported
    assert made_by(imported) == []
    assert made_by(["stirred.mechanisms.das.topdown.nearest"])
