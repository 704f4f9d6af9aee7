"""Which source files are a user's own, and whether parts of this program that foreign code relies on were changed."""

import os
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from types import FunctionType
from typing import Any

from stirred.spec.arguments import InputError

_PACKAGE = Path(__file__).absolute().parents[3]

PACKAGES = (_PACKAGE, *((_PACKAGE / folder).resolve() for folder in ("spec", "mechanisms", "verify")))
"""The folder of `stirred`; and those that it links to, in a checkout."""


def _spelled(paths: Iterable[str]) -> tuple[str, ...]:
    """The folders as they are written, and where they are: an installation may be reached through links."""
    folders = (folder for path in paths for folder in (Path(path), Path(path).resolve()))
    return tuple(f"{folder}{os.sep}" for folder in dict.fromkeys(folders))


_BEGINNINGS = _spelled((sys.prefix, sys.base_prefix, sys.exec_prefix))
"""Where installations begin: a user's own code may lie there too."""

_LIBRARIES = (*_BEGINNINGS, *_spelled(sysconfig.get_paths().values()))

_INSTALLED = tuple(f"{os.sep}{name}{os.sep}" for name in ("site-packages", "dist-packages"))
"""Folders of these names hold libraries, whosever installation they are part of."""

_OURS = tuple(f"{package}{os.sep}" for package in PACKAGES)


def own_code(folder: Path) -> Callable[[str], bool]:
    """Whether a source file is the user's: in no library, or in the folder of the function where this is inside of one.

    An installation may lie below that folder: its files are those of libraries. A function of this program's packages
    has no own code: beside it lies what runs it.

    >>> is_own = own_code(Path("/srv/me"))
    >>> is_own("/srv/me/coins.py"), is_own("/srv/me/.venv/lib/site-packages/numpy/ma.py"), is_own(os.__file__)
    (True, False, False)
    """
    folders = tuple(f"{one}{os.sep}" for one in dict.fromkeys((folder, folder.resolve())))
    ours = (*_OURS, *_loaded())

    def is_own(file: str) -> bool:
        if file.startswith("<"):
            return not file.startswith(("<frozen", "<string>", "<__array_function__"))
        if file.startswith(ours):
            return False
        library = _library(file)
        return not library or any(len(own) >= library and _is_of(file, own, library) for own in folders)

    return is_own


def _loaded() -> set[str]:
    """The folders that modules of this program were loaded from, as they were named: links may lead to our files."""
    ours = [module for name, module in sys.modules.items() if name.partition(".")[0] == "stirred"]
    files = [file for module in ours if isinstance(file := getattr(module, "__file__", None), str)]
    return {f"{os.path.dirname(file)}{os.sep}" for file in files}  # noqa: PTH120 as it is spelled


def _library(file: str) -> int:
    """The length of the path of the innermost library that a file is in; 0 where it is in none."""
    known = [len(folder) for folder in _LIBRARIES if file.startswith(folder)]
    named = [file.rfind(name) + len(name) for name in _INSTALLED if name in file]
    return max(known + named, default=0)


def _is_of(file: str, own: str, library: int) -> bool:
    """Whether a file is below a folder; where this is where libraries lie, in it."""
    is_below = len(own) > library or own in _BEGINNINGS
    return file.startswith(own) and (is_below or os.sep not in file[len(own) :])


_RELIED_ON = ("stirred.mechanisms.", "stirred.verify.laws.", "stirred.verify.laws.sandbox.", "json.")
"""What runs a mechanism, and writes down what it did; verdicts are another process's."""


_PARTS: dict[str, list[tuple[str, Mapping[str, Any], str, Any]]] = {}
"""By module the functions and classes as they were when it was first looked at: copies of a server know its own."""


class OwnParts:
    """The functions and classes of the modules that are loaded, as they were when each was first looked at."""

    def __init__(self) -> None:
        relied_on = {name: one for name, one in sys.modules.items() if f"{name}.".startswith(_RELIED_ON) and one}
        for name in relied_on.keys() - _PARTS:
            _PARTS[name] = list(_parts(name, name, vars(relied_on[name])))
        self._before = [one for name in relied_on for one in _PARTS[name]]

    def check_unchanged(self) -> None:
        """Compare with what is there now.

        Raises:
            InputError: a function was replaced.
        """
        for name, holder, last, before in self._before:
            if _code(holder.get(last)) is not before:
                raise InputError(f"the code must not change {name}, which audits it")


def _code(value: Any) -> Any:
    return value.__code__ if isinstance(value, FunctionType) else value


def _parts(name: str, module: str, holder: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], str, Any]]:
    """The functions and classes of a module or class: what each is called, who holds it, by which name, its code."""
    for last, value in [*holder.items()]:
        is_inside = (
            isinstance(value, type)
            and value.__module__ == module
            and f"{module}.{value.__qualname__}" == f"{name}.{last}"
        )
        if is_inside or isinstance(value, FunctionType):
            yield f"{name}.{last}", holder, last, _code(value)
        if is_inside:
            yield from _parts(f"{name}.{last}", module, vars(value))
