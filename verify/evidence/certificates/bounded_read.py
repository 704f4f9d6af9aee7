"""Reading a file or a pipe whole, within limits of kind, size and time; with nothing but the standard library."""

import os
import select
import stat
import time
from collections.abc import Iterator

MAX_SECONDS = 60
"""How long the writers of a pipe may take."""

_CHUNK = 1 << 20


class UnreadableError(ValueError):
    """A file that cannot be read within its limits; the message says why, without its name."""


def read_whole(path: str, most: int, *, seconds: int = MAX_SECONDS) -> bytes:
    """The content of a regular file or of a pipe; "-" is standard input.

    A pipe, such as /dev/fd/63, has `seconds` until its writers have closed it, its first writer included.
    """
    try:
        descriptor = os.dup(0) if path == "-" else _opened(path)
        try:
            is_stream = _is_stream(os.fstat(descriptor).st_mode)
            parts, size = [], 0
            for part in _from_stream(descriptor, seconds) if is_stream else _from_file(descriptor):
                size += len(part)
                if size > most:
                    raise UnreadableError(f"must have at most {most} bytes; it has more")
                parts.append(part)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError(f"cannot be read: {error}") from None  # a name with a null character
    return b"".join(parts)


def names_stream(path: str) -> bool:
    """Whether a name is that of a pipe, which can be read once; otherwise it is that of a regular file."""
    try:
        return _is_stream(os.stat(path).st_mode)  # noqa: PTH116 "" must not become "."
    except OSError as error:
        raise UnreadableError(f"cannot be read: {error.strerror}") from None
    except ValueError as error:
        if isinstance(error, UnreadableError):
            raise
        raise UnreadableError(f"cannot be read: {error}") from None  # a name with a null character


def _opened(path: str) -> int:
    """A descriptor; the kind is looked at first, since opening a device may do something."""
    _is_stream(os.stat(path).st_mode)  # noqa: PTH116 "" must not become "."
    # without O_NONBLOCK, opening a pipe waits for a writer
    return os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0))


def _is_stream(mode: int) -> bool:
    """Whether it ends when its writers close it; a regular file does not, and all else is refused."""
    if stat.S_ISDIR(mode):
        raise UnreadableError("is a directory; name a file in it")
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode)):
        raise UnreadableError("must be a regular file or a pipe; it is a device")
    return not stat.S_ISREG(mode)


def _from_file(descriptor: int) -> Iterator[bytes]:
    while part := os.read(descriptor, _CHUNK):
        yield part


def _from_stream(descriptor: int, seconds: int) -> Iterator[bytes]:
    deadline = time.monotonic() + seconds
    while True:
        left = deadline - time.monotonic()
        if left <= 0 or not select.select([descriptor], [], [], left)[0]:
            raise UnreadableError(f"must end within {seconds} s; its writers have not closed it")
        try:
            part = os.read(descriptor, _CHUNK)
        except BlockingIOError:  # another reader was faster
            continue
        if not part:
            return
        yield part
