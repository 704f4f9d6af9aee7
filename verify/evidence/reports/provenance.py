"""Where a report comes from: when it was made, and its files as a reader elsewhere may name them."""

import os
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path

from stirred.spec.arguments import InputError

_EPOCH = "SOURCE_DATE_EPOCH"


def made_at() -> datetime:
    """The time in UTC, to the second; that of SOURCE_DATE_EPOCH where it is set, so that a page can be made again."""
    given = os.environ.get(_EPOCH)
    if not given:
        return datetime.now(UTC).replace(microsecond=0)
    refused = InputError(f"{_EPOCH} must be a whole number of seconds since 1970, before the year 10000; got {given!r}")
    if not (given.isascii() and given.isdigit()):
        raise refused
    try:
        return datetime.fromtimestamp(int(given), UTC)
    except (OSError, OverflowError, ValueError):
        raise refused from None


def shown_path(path: str | Path) -> str:
    """The path from the current folder where the file lies in it, else the file's name alone.

    >>> shown_path("/a folder of nobody/claim.toml"), shown_path("claim.toml")
    ('claim.toml', 'claim.toml')
    """
    whole, here = Path(path).resolve(), Path.cwd()
    return whole.relative_to(here).as_posix() if whole.is_relative_to(here) else whole.name


def without_folders(text: str, paths: Iterable[str | Path]) -> str:
    """A text in which the absolute ones of some paths are shown as `shown_path` has them.

    >>> without_folders("/a folder of nobody/c.toml: must be one", ["/a folder of nobody/c.toml"])
    'c.toml: must be one'
    """
    for path in sorted({str(one) for one in paths if Path(one).is_absolute()}, key=len, reverse=True):
        text = text.replace(path, shown_path(path))
    return text
