"""Writing a file whole or not at all."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from spec.arguments import InputError

__all__ = ["write_whole"]


def write_whole(path: str, text: str) -> None:
    """Write a UTF-8 text under a temporary name beside the target, then rename it into place.

    Raises:
        InputError: the file cannot be written; what was there before is untouched.
    """
    target = Path(path)
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="") as file:
                file.write(text)
            Path(name).replace(target)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"{path}: cannot be written: {error.strerror}") from None
