"""Files that come from elsewhere: read whole, up to a stated size, with one clear line where that fails."""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

from spec.arguments import InputError

__all__ = ["MAX_BYTES", "read_bounded", "read_text"]

MAX_BYTES = 1_000_000
"""The largest file that is read."""


def read_bounded(path: Path) -> bytes:
    """The content of a file of at most `MAX_BYTES` bytes; "-" is standard input.

    Raises:
        InputError: the file is a directory, cannot be read, or is larger.
    """
    is_stream = str(path) == "-" or (path.exists() and not path.is_file() and not path.is_dir())
    return _stream(str(path)) if is_stream else _content(path)


@cache
def _stream(name: str) -> bytes:
    """What a pipe holds: it can be read once, and its kind and its content are both asked for."""
    return _content(Path(name))


def _content(path: Path) -> bytes:
    try:
        if str(path) == "-":
            content = sys.stdin.buffer.read(MAX_BYTES + 1)
        else:
            with path.open("rb") as file:
                content = file.read(MAX_BYTES + 1)
    except IsADirectoryError:
        raise InputError(f"{path}: is a directory; name a claim file or a record in it") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(content) > MAX_BYTES:
        raise InputError(f"{path}: must have at most {MAX_BYTES} bytes; it has more")
    return content


def read_text(path: Path) -> str:
    """The content of a file of at most `MAX_BYTES` bytes as text.

    Raises:
        InputError: the file cannot be read, is larger, or is not UTF-8.
    """
    try:
        return read_bounded(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: must be UTF-8; byte {error.start} is not") from None
