"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from spec.arguments import InputError

__all__ = ["write_whole"]


def write_whole(path: str, content: str | bytes) -> None:
    """Write a UTF-8 text, or bytes, under a temporary name beside the target, then rename it into place.

    A link is followed, the permissions of a file that is replaced are kept, and what is no regular file (a pipe, a
    terminal) is written to as it stands.

    Raises:
        InputError: the file cannot be written; what was there before is untouched.
    """
    data = content.encode() if isinstance(content, str) else content
    target = Path(path)
    try:
        target = target.resolve()
        mode = target.stat().st_mode if target.exists() else None
        if mode is not None and stat.S_ISDIR(mode):
            raise IsADirectoryError(0, "Is a directory")
        if mode is not None and not stat.S_ISREG(mode):
            target.write_bytes(data)
            return
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            Path(name).chmod(_new_mode() if mode is None else stat.S_IMODE(mode))
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except (OSError, RuntimeError) as error:
        raise InputError(f"{path}: cannot be written: {getattr(error, 'strerror', None) or error}") from None


def _new_mode() -> int:
    """The permissions that a new file gets here."""
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask
