"""Looks that are kept in a file, so that a run goes on where an earlier one stopped, and ends as that would have."""

import hashlib
import json
import secrets
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.files.atomic import write_whole
from stirred.verify.files.bounded_file import read_text
from stirred.verify.sampled.looks import Look
from stirred.verify.sampled.workers import Drawers

_PROBED = 64
"""Draws by which a run is known again."""

_FORMAT = "stirred sampled looks, 1"


def run_key(*parts: object) -> str:
    """A hash of all that the looks of a run depend on.

    >>> len(run_key("claim", 100))
    64
    """
    return hashlib.sha256(repr(parts).encode()).hexdigest()


class KeptLooks:
    """The looks of a run by the number of the claim's setting; written whole after each one.

    Args:
        path: the file; it need not exist.
        key: of the run.

    Raises:
        InputError: the file cannot be read, is none of looks, or one of another run.
    """

    def __init__(self, path: str, key: str) -> None:
        self._path, self._key = path, key
        self._found: dict[str, list[dict[str, Any]]] = {}
        self._probes: list[str] = []
        if Path(path).exists():
            self._found = self._read()

    def _read(self) -> dict[str, list[dict[str, Any]]]:
        try:
            kept = json.loads(read_text(Path(self._path)))
        except ValueError:
            kept = None
        if not isinstance(kept, dict) or kept.get("format") != _FORMAT or not isinstance(kept.get("looks"), dict):
            raise InputError(f"{self._path} must be a file that --resume wrote; it is another one")
        if kept.get("key") != self._key:
            raise InputError(f"{self._path} was written by a run with another claim, seed, confidence or draws")
        self._probes = [str(one) for one in kept.get("probes", ())]
        looks: dict[str, list[dict[str, Any]]] = kept["looks"]
        return looks

    def check_fresh(self, drawers: Drawers) -> None:
        """Refuse to go on with a mechanism whose own generator begins with the same draws in every run.

        Its draws after an interruption would be those before it: none of them would be fresh.

        Raises:
            InputError: its first draws are those of an earlier run, whatever it is seeded with.
        """
        if drawers.is_seeded:
            return
        probe = run_key(drawers.draw(0, f"probe {secrets.token_hex(8)}", _PROBED))
        if probe in self._probes:
            raise InputError(
                f"{self._path}: the mechanism has a generator of its own that begins anew with each run, so that its "
                "draws would not be fresh: let it take the generator as a parameter"
            )
        self._probes.append(probe)

    def known(self, case: int) -> tuple[Look, ...]:
        """The looks of a setting.

        Raises:
            InputError: they are malformed.
        """
        try:
            return tuple(Look.of_record(record) for record in self._found.get(str(case), []))
        except InputError as error:
            raise InputError(f"{self._path}: {error}") from None

    def keep(self, case: int, looks: Sequence[Look]) -> None:
        """Write down the looks of a setting."""
        self._found[str(case)] = [look.record() for look in looks]
        kept = {"format": _FORMAT, "key": self._key, "looks": self._found, "probes": self._probes}
        write_whole(self._path, json.dumps(kept, indent=1) + "\n")
