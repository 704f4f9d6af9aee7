"""The draws that a study keeps, so that a run that was interrupted goes on where it stopped.

One JSON value a line: first the settings, then each draw with its lines of the table and their hash. A draw is written
when it is finished; what an interruption left of a line is cut off, and a line that was altered is refused.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from stirred.spec.arguments import InputError, shown
from stirred.verify.files.atomic import write_whole
from stirred.verify.files.lock import hold
from stirred.verify.studies.study import Row, digest_of

_NAME = "draws.jsonl"


class KeptDraws:
    """The finished draws of one folder; a context that keeps other runs out of it.

    Raises:
        InputError: the folder can't be made or written, another run is writing there, or its draws have other settings.
    """

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        self.path = folder / _NAME
        self._settings = json.loads(json.dumps(dict(settings)))
        self.draws: dict[str, list[Row]] = {}
        try:
            folder.mkdir(exist_ok=True)
        except OSError as error:
            raise InputError(f"{folder}: cannot be made: {error.strerror}") from None
        if not self.path.exists():
            write_whole(str(self.path), json.dumps(self._settings) + "\n")
        self._file = self.path.open("rb+")
        try:
            self._lock()
            self._read()
        except BaseException:
            self._file.close()
            raise

    def __enter__(self) -> KeptDraws:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self._file.close()

    def keep(self, draw: str, rows: Sequence[Row]) -> None:
        """Write down a finished draw."""
        self.draws[draw] = [dict(row) for row in rows]
        kept = [draw, self.draws[draw], digest_of([draw, self.draws[draw]])]
        self._file.write(json.dumps(kept).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _lock(self) -> None:
        if not hold(self._file):
            raise InputError(f"{self.path}: another run is writing here; wait for it or name another folder")

    def _read(self) -> None:
        content = self._file.read()
        whole = content[: content.rfind(b"\n") + 1]
        for number, line in enumerate(whole.splitlines(), start=1):
            value = _value(line)
            if number == 1:
                self._compare(value)
                continue
            if not isinstance(value, list) or len(value) != 3 or value[2] != digest_of(value[:2]):
                raise InputError(f"{self.path}: line {number} must be what a study kept; remove the file")
            self.draws[value[0]] = value[1]
        if not whole:
            raise InputError(f"{self.path}: line 1 must be the settings of a study; remove the file")
        self._file.truncate(len(whole))
        self._file.seek(len(whole))

    def _compare(self, kept: object) -> None:
        there = kept if isinstance(kept, dict) else {}
        for name in sorted(there.keys() | self._settings.keys()):
            if there.get(name) != self._settings.get(name):
                raise InputError(
                    f"{self.path}: holds draws with {name} = {shown(there.get(name))}, not "
                    f"{shown(self._settings.get(name))}: name another folder, or remove it to draw anew"
                )


def _value(line: bytes) -> object:
    """The JSON value of a line; None where it is none."""
    try:
        return json.loads(line)
    except ValueError:
        return None
