"""The line of a user's own code at which something was raised: the deepest one that is neither ours nor a library's."""

import sysconfig
from pathlib import Path
from traceback import walk_tb

from stirred.verify.outside.own_code import PACKAGES

_LIBRARIES = tuple(Path(sysconfig.get_path(name)) for name in ("stdlib", "platstdlib", "purelib", "platlib"))


def line_of_code(error: BaseException) -> str:
    """`coins.py, line 3`; empty where the error was raised in no line of a user's own.

    Of a module that cannot be parsed it is the line at which the parser stopped.
    """
    if isinstance(error, SyntaxError) and error.filename and error.lineno and _is_own(error.filename):
        return f"{Path(error.filename).name}, line {error.lineno}"
    frames = [(frame.f_code.co_filename, line) for frame, line in walk_tb(error.__traceback__)]
    own = [(Path(file).name, line) for file, line in frames if _is_own(file)]
    return f"{own[-1][0]}, line {own[-1][1]}" if own else ""


def _is_own(file: str) -> bool:
    path = Path(file)
    return path.is_absolute() and not any(path.is_relative_to(one) for one in (*PACKAGES, *_LIBRARIES))
