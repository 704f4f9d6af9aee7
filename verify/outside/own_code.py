"""Which source files are a user's own: those of no library, and of no package of this program."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

__all__ = ["PACKAGES", "own_code"]

_ROOTS = dict.fromkeys(file.parents[2] for file in (Path(__file__), Path(__file__).resolve()))

PACKAGES = tuple(root / package for root in _ROOTS for package in ("spec", "mechanisms", "verify"))

_LIBRARY = tuple(
    f"{folder}{os.sep}"
    for folder in dict.fromkeys(
        (
            *(Path(path).resolve() for path in sysconfig.get_paths().values()),
            *(Path(path).resolve() for path in (sys.prefix, sys.base_prefix, sys.exec_prefix)),
        )
    )
)

_OURS = tuple(f"{package}{os.sep}" for package in PACKAGES)


def own_code(folder: Path) -> Callable[[str], bool]:
    """Whether a source file is the user's: in the folder of the function, or in none of the libraries'.

    A function of this program's packages has no own code: beside it lies what runs it.

    >>> is_own = own_code(Path("/srv/me"))
    >>> is_own("/srv/me/coins.py"), is_own(os.__file__)
    (True, False)
    """
    own = f"{folder.resolve()}{os.sep}"
    is_library = own.startswith(_LIBRARY) and not own.startswith(_OURS)

    def is_own(file: str) -> bool:
        if file.startswith("<"):
            return not file.startswith(("<frozen", "<string>", "<__array_function__"))
        return not file.startswith(_LIBRARY + _OURS) or (is_library and file.startswith(own))

    return is_own
