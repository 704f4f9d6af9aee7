"""A study: what is drawn, under which settings, and what is made of the draws: a table, pictures and findings.

The draws are kept, so that a run that was interrupted goes on where it stopped. One JSON value a line: first the
settings, then each draw with its lines of the table and their hash. A draw is written when it is finished; what an
interruption left of a line is cut off, and a line that was altered is refused.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, partial
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from stirred.spec.arguments import InputError, positive_integer, shown
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.pictures.rendering import FORMATS, rendered_picture, require_matplotlib
from stirred.verify.evidence.process_control.worker_pool import in_processes
from stirred.verify.evidence.reports.lines import progress

Row = Mapping[str, str]
"""A line of a study's table: the text of each column."""


@dataclass(frozen=True)
class StudyPlan:
    """One call of a study, before anything is drawn.

    Attributes:
        settings: all that the draws depend on, in plain JSON values; draws of other settings are never mixed in.
        draw: the lines of the table that one draw gives, all with the same columns; it depends on the name and the
            settings alone, so that it doesn't matter which draws were kept from an earlier call.
        findings: what the table shows, each with a name; `SAMPLED` with n and seed where it is a statistic.
    """

    settings: Mapping[str, Any]
    draws: Sequence[str]
    draw: Callable[[str], Sequence[Row]]
    findings: Callable[[Sequence[Row]], Mapping[str, Evidence]]
    pictures: Mapping[str, Callable[[Any, Sequence[Row]], None]]


@dataclass(frozen=True)
class Study:
    """A study by name."""

    name: str
    summary: str
    description: str
    plan: Callable[..., StudyPlan]
    examples: Sequence[str]


def seed_of(seed: int, draw: str) -> int:
    """The seed of one draw: the first 64 bits of a hash of the study's seed and the draw's name.

    >>> seed_of(1, "p = 1/2, run 1") == seed_of(1, "p = 1/2, run 2")
    False
    """
    return int.from_bytes(hashlib.sha256(f"{seed}/{draw}".encode()).digest()[:8])


def digest_of(data: object) -> str:
    """A hash that stands for data in the settings; the data are built of texts, integers, tuples and lists."""
    return hashlib.sha256(repr(data).encode()).hexdigest()


def rounded_text(value: Fraction, places: int) -> str:
    """The number, rounded half to even to so many decimal places.

    >>> rounded_text(Fraction(-2, 3), 4), rounded_text(Fraction(5), 2)
    ('-0.6667', '5.00')
    """
    units = round(abs(value) * 10**places)
    whole, part = divmod(units, 10**places)
    sign = "-" if value < 0 and units else ""
    return f"{sign}{whole}.{part:0{places}d}" if places else f"{sign}{whole}"


def mean_of(numbers: Sequence[Fraction]) -> Fraction:
    """The mean of at least one number."""
    return sum(numbers, Fraction()) / len(numbers)


def percent_text(rate: Fraction) -> str:
    """A rate in per cent where that is an integer, else as a fraction.

    >>> percent_text(Fraction(1, 50)), percent_text(Fraction(1, 3))
    ('2%', '1/3')
    """
    percent = 100 * rate
    return f"{percent}%" if percent.denominator == 1 else str(rate)


def runs_by(rows: Sequence[Row], value: str, where: Mapping[str, str]) -> dict[Fraction, list[Fraction]]:
    """What was measured in every run, by the number in a column, in the rows with these texts."""
    found: dict[Fraction, list[Fraction]] = {}
    for row in rows:
        if all(row[name] == text for name, text in where.items()):
            found.setdefault(Fraction(row[value]), []).append(Fraction(row["measured"]))
    return dict(sorted(found.items()))


_fcntl: Any = None
with suppress(ImportError):  # Windows has another module
    _fcntl = import_module("fcntl")


def hold(file: IO[bytes]) -> bool:
    """Take a file until it is closed or this process ends; False where another process holds it.

    >>> import tempfile
    >>> with tempfile.TemporaryFile() as file:
    ...     hold(file)
    True
    """
    try:
        if _fcntl is None:
            windows: Any = import_module("msvcrt")
            windows.locking(file.fileno(), windows.LK_NBLCK, 1)
        else:
            _fcntl.flock(file, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
    except OSError:
        return False
    return True


_NAME = "draws.jsonl"


class KeptDraws:
    """The finished draws of one folder; a context that keeps other runs out of it."""

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


def carry_out(
    study: Study, options: Mapping[str, Any], folder: Path, *, jobs: int = 1
) -> tuple[Mapping[str, Evidence], list[Path]]:
    """What the study shows, and the files that it wrote.

    The files don't depend on the number of processes that draw, `jobs`.
    """
    require_matplotlib("a study")
    positive_integer("--jobs", jobs)
    drawn = _Drawn(study, options)
    plan = drawn.plan
    with KeptDraws(folder, {"study": study.name, "version": version("stirred"), **plan.settings}) as kept:
        with progress(len(plan.draws)) as display:
            for name in kept.draws:
                display.advance(name)
            missing = [name for name in plan.draws if name not in kept.draws]
            for name, rows in zip(missing, _several(drawn, missing, jobs), strict=True):
                kept.keep(name, rows)
                display.advance(name)
        rows = [row for name in plan.draws for row in kept.draws[name]]
        written = [folder / f"{study.name}.csv"]
        write_whole(str(written[0]), _table(rows))
        for name, draw in plan.pictures.items():
            for form in FORMATS:
                written.append(folder / f"{name}.{form}")
                write_whole(str(written[-1]), rendered_picture(partial(_on, draw, rows), form))
    return plan.findings(rows), written


class _Drawn:
    """The lines of a draw by its name; a process that it is sent to makes the plan anew, once."""

    def __init__(self, study: Study, options: Mapping[str, Any]) -> None:
        self._study, self._options = study, options

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "plan"}

    @cached_property
    def plan(self) -> StudyPlan:
        return self._study.plan(**self._options)

    def __call__(self, name: str) -> Sequence[Row]:
        return self.plan.draw(name)


def _several(drawn: _Drawn, names: Sequence[str], jobs: int) -> Iterator[Sequence[Row]]:
    jobs = min(jobs, len(names))
    return map(drawn, names) if jobs < 2 else in_processes(drawn, names, jobs=jobs)


def _on(draw: Callable[[Any, Sequence[Row]], None], rows: Sequence[Row], figure: Any) -> None:
    draw(figure, rows)


def _table(rows: Sequence[Row]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
