"""Writing a file whole or not at all; and where names lead, to tell whether two of them are of one file."""

import os
import stat
import tempfile
from errno import ELOOP
from pathlib import Path

from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.process_control.time_limit import deferred_signals

_CHUNK = 1 << 20
"""Bytes that are written before it is asked again whether the program is to end."""


def write_whole(path: str, content: str | bytes) -> None:
    """Write a UTF-8 text, or bytes, under a temporary name beside the target, then rename it into place.

    A link is followed, the permissions of a file that is replaced are kept, and what is no regular file (a pipe, a
    terminal) is written to as it stands. A signal that ends the program ends it after the temporary file is gone.
    """
    data = content.encode() if isinstance(content, str) else content
    target = Path(path)
    try:
        mode = target.stat().st_mode if target.exists() else None
        if mode is not None and stat.S_ISDIR(mode):
            raise IsADirectoryError(0, "Is a directory")
        if mode is not None and not stat.S_ISREG(mode):
            target.write_bytes(data)  # not resolved: behind /dev/stdout stands what has no name
            return
        target = _followed(path)
        with deferred_signals() as arrived:
            _replace(target, data, _new_mode() if mode is None else stat.S_IMODE(mode), arrived)
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None


def _followed(path: str) -> Path:
    target = real_path(path)
    if target.is_symlink():  # it leads to itself: a file in its place would replace the link
        raise OSError(ELOOP, os.strerror(ELOOP))
    return target


def take_away(path: str) -> None:
    """Remove what an earlier run wrote where this one shows nothing: nobody is to take it for this one's."""
    try:
        Path(path).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{printable(path)}: cannot be removed: {error.strerror}") from None


def _replace(target: Path, data: bytes, mode: int, arrived: list[int]) -> None:
    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            for start in range(0, len(data), _CHUNK):
                _go_on(arrived)
                file.write(data[start : start + _CHUNK])
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(mode)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _go_on(arrived: list[int]) -> None:
    if arrived:
        raise InterruptedError(0, "interrupted by a signal")


def _new_mode() -> int:
    """The permissions that a new file gets here."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def real_path(name: str | Path) -> Path:
    """The whole path that a name leads to, links followed; nothing need be there, and no name is refused.

    A link that leads to itself is its own path: whoever reads or writes there says that it cannot.

    >>> real_path("/a/../b").as_posix()
    '/b'
    """
    return Path(os.path.realpath(name))
