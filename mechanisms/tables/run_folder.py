"""The folder of a run that is swapped in parts: what is finished is kept, and the key is destroyed at the end.

    run.json        what the run depends on: the input's files, roles, rate, buckets; another run may not use the folder
    key             32 bytes, for its owner alone to read
    lock            held while a run uses the folder; the system lets go of it where a process ends
    scan/           the records by bucket, as Arrow streams of codes, complete once scan.json stands
    bucket-N.arrow  a bucket that has been swapped, complete where it stands

A bucket depends on the key, the number of buckets and the data alone. So one that is swapped again after an
interruption comes out the same, and what was released cannot be a mixture of two draws.
"""

import errno
import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any

from stirred.mechanisms.fast.random_words import KEY_BYTES
from stirred.spec.arguments import InputError

_fcntl: Any = None
with suppress(ImportError):  # Windows has no such locks
    _fcntl = import_module("fcntl")

_BEFORE_A_RUN = {"key", "lock", "run.new"}
"""What an interruption leaves of a run that had not begun: `run.json` is written last."""


class RunFolder:
    """A folder of one run.

    Args:
        path: of the folder; made where there is none.
        facts: what the run depends on, as JSON can hold it.
        key: of a run that begins here; one that goes on has its own.
    """

    def __init__(self, path: str, facts: Mapping[str, Any], key: bytes) -> None:
        self.path = Path(path)
        stated = json.dumps(facts, sort_keys=True, default=list)
        try:
            self.path.mkdir(mode=0o700, parents=False, exist_ok=True)
            self._lock()
            described = self.path / "run.json"
            if described.exists():
                if described.read_text() != stated:
                    raise InputError(
                        f"{path}: must be the folder of the same run; it is that of another one (other data, options "
                        "or seed): remove it, or name another folder with --work"
                    )
            elif {path.name for path in self.path.iterdir()} - _BEFORE_A_RUN:
                raise InputError(f"{path}: must be empty or the folder of an interrupted run; it holds other files")
            else:
                (self.path / "key").unlink(missing_ok=True)  # of a run that had not begun
                self._write_key(key)
                self.write(described, stated)
            self.key = (self.path / "key").read_bytes()
        except OSError as error:
            raise InputError(f"{path}: cannot be used: {error.strerror}") from None
        if len(self.key) != KEY_BYTES:
            raise InputError(f"{path}: must hold the key of its run; remove the folder and begin again")

    def _lock(self) -> None:
        """Keep other processes out until this one ends; a file system without locks keeps none out."""
        if _fcntl is not None:
            handle = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT, 0o600)  # open as long as the process is
            try:
                _fcntl.lockf(handle, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
            except OSError as error:
                if error.errno in (errno.EACCES, errno.EAGAIN):
                    raise InputError(
                        f"{self.path}: must be used by one run at a time; another one is at work: wait until it ends, "
                        "or name another --output and --work"
                    ) from None

    def _write_key(self, key: bytes) -> None:
        handle = os.open(self.path / "key", os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(key)
            file.flush()
            os.fsync(file.fileno())

    def write(self, target: Path, text: str) -> None:
        """Write a text whole."""
        temporary = target.with_suffix(".new")
        temporary.write_text(text)
        temporary.replace(target)

    def scanned(self) -> dict[str, Any] | None:
        """What was found when the records were sorted into buckets; None where that is not finished."""
        path = self.path / "scan.json"
        found: dict[str, Any] | None = json.loads(path.read_text()) if path.exists() else None
        return found

    def begin_scan(self) -> Path:
        """An empty folder for the records by bucket."""
        folder = self.path / "scan"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        return folder

    def end_scan(self, found: Mapping[str, Any]) -> None:
        """Keep what was found: from now on the folder of records is complete."""
        self.write(self.path / "scan.json", json.dumps(found))

    def bucket(self, number: int) -> Path:
        """Where a swapped bucket is kept."""
        return self.path / f"bucket-{number}.arrow"

    @property
    def has_swapped(self) -> bool:
        """Whether some bucket is swapped."""
        return any(self.path.glob("bucket-*.arrow"))

    @contextmanager
    def gone_if_refused(self) -> Iterator[None]:
        """Destroy the folder where its run is refused: what the refusal advises is another run, which may not use it.

        Whatever else ends the run, a full disk or an interruption, leaves the folder for the same command to go on.
        """
        try:
            yield
        except InputError:
            self.destroy()
            raise

    def destroy(self) -> None:
        """Overwrite and remove the key, then everything else."""
        key = self.path / "key"
        with key.open("r+b") as file:
            file.write(bytes(KEY_BYTES))
            file.flush()
            os.fsync(file.fileno())
        key.unlink()
        shutil.rmtree(self.path)
