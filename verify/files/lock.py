"""An open file that one process at a time may hold, on any system."""

from contextlib import suppress
from importlib import import_module
from typing import IO, Any

_fcntl: Any = None
with suppress(ImportError):  # Windows has another module
    _fcntl = import_module("fcntl")


def hold(file: IO[bytes]) -> bool:
    """Take a file until it is closed or this process ends; False where another process holds it.

    >>> import tempfile
    >>> with tempfile.TemporaryFile() as file:
    ...     hold(file)
    True
    """
    try:
        if _fcntl is None:
            windows: Any = import_module("msvcrt")
            windows.locking(file.fileno(), windows.LK_NBLCK, 1)
        else:
            _fcntl.flock(file, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
    except OSError:
        return False
    return True
