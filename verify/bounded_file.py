"""Files that come from elsewhere: read whole, up to a stated size, with one clear line where that fails."""

from __future__ import annotations

from pathlib import Path

from spec.arguments import InputError

__all__ = ["MAX_BYTES", "read_bounded", "read_text"]

MAX_BYTES = 1_000_000
"""The largest file that is read."""


def read_bounded(path: Path) -> bytes:
    """The content of a file of at most `MAX_BYTES` bytes.

    Raises:
        InputError: the file is a directory, cannot be read, or is larger.
    """
    try:
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
