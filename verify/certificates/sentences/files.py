"""Files of certificates of sentences, from the command line."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .checker import check
from .price import SentenceError, TooDearError, require

__all__ = ["main"]

_MOST_BYTES = 200_000_000


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    require(len(dict(pairs)) == len(pairs), "a key must stand once in its object")
    return dict(pairs)


def main(paths: Sequence[str]) -> int:
    """Check files; returns 0 where every certificate is confirmed, 1 where one is not, 2 where one cannot be read."""
    status, encoding = 0 if paths else 2, sys.stdout.encoding or "ascii"
    for path in paths:
        try:
            with Path(path).open("rb") as file:
                content = json.loads(file.read(_MOST_BYTES), object_pairs_hook=_unique)
            certificates = content if isinstance(content, list) and content else [content]
            lines = [line for one in certificates for line in check(one)]
        except (OSError, ValueError, RecursionError, MemoryError) as error:
            sys.stderr.write(f"{path}: cannot be read: {error}\n")
            status, lines = 2, []
        except TooDearError as error:
            sys.stderr.write(f"{path}: not checked: {error}\n")
            status, lines = 2, []
        except SentenceError as error:
            status, lines = max(status, 1), [f"NOT CONFIRMED: {error}"]
        for line in (f"{path}: {line}".encode(encoding, "replace").decode(encoding) for line in lines):
            sys.stdout.write("".join(c if c.isprintable() else "?" for c in line) + "\n")
    return status
