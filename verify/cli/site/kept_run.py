"""A cache by the content of the sources, for what takes minutes: a run of the ledger, losses, figures."""

import os
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import PackageNotFoundError, version
from inspect import getsourcefile
from pathlib import Path
from platform import python_version

from stirred.spec.arguments import InputError
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.evidence.files.bounded_file import read_bounded
from stirred.verify.evidence.theorems import STATEMENTS

_ROOMS = ("spec", "mechanisms", "verify")
_ROOT = Path(__file__).resolve().parents[3]
_READ = frozenset({".py", ".toml", ".json", ".smt2", ".ini"})
_WITHOUT = ("verify/cli/site/", "verify/cli/guide/")
"""What no cached text depends on, except the module that asks for it."""

_LIBRARIES = ("cvc5", "highspy", "matplotlib", "mpmath", "numpy", "python-flint", "scipy", "sympy", "z3-solver")
_MOST_BYTES = 50_000_000


def digest_of_sources(asking: str | None = None) -> str:
    """A digest of all that a cached text depends on: sources, Coq statements, libraries, Python, the asking module."""
    whole = sha256(f"{python_version()} {os.name}".encode())
    for name in _LIBRARIES:
        whole.update(f"{name} {_version(name)}\n".encode())
    if asking is not None:
        whole.update(Path(asking).read_bytes())
    files = [path for room in _ROOMS for path in sorted((_ROOT / room).rglob("*")) if path.suffix in _READ]
    for path in [*files, STATEMENTS]:
        place = path.relative_to(_ROOT).as_posix() if path.is_relative_to(_ROOT) else path.name
        if not place.startswith(_WITHOUT):
            whole.update(f"{place} {sha256(path.read_bytes()).hexdigest()}\n".encode())
    return whole.hexdigest()


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"


def _folder() -> Path:
    """The user's cache folder."""
    named = os.environ.get("XDG_CACHE_HOME", "")
    base = Path(named) if Path(named).is_absolute() else Path.home() / ".cache"
    return base / "stirred"


def kept_text(name: str, make: Callable[[], str]) -> str:
    """The cached text of a file name, made and cached if the sources have changed."""
    stem, _, suffix = name.rpartition(".")
    path = _folder() / f"{stem}-{digest_of_sources(getsourcefile(make))[:32]}.{suffix}"
    if path.is_file():
        return read_bounded(path, _MOST_BYTES).decode()
    text = make()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(str(path), text)
    except (OSError, InputError):
        return text  # a read-only home costs another run and nothing else
    for older in path.parent.glob(f"{stem}-*.{suffix}"):
        if older != path and len(older.name) == len(path.name):
            older.unlink(missing_ok=True)
    return text
