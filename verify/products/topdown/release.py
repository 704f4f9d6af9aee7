"""What a TopDown run is asked, reads and writes: its records, what they follow from, and how they were made."""

from __future__ import annotations

import secrets
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from stirred.mechanisms.das.topdown.algorithm import check_edits
from stirred.mechanisms.das.topdown.design import Counts, Design, Tie, Weights
from stirred.mechanisms.das.topdown.integers import nonzero
from stirred.spec.arguments import InputError, integer, positive_integer
from stirred.verify.evidence.files.atomic import real_path
from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.products.fields import check_fields
from stirred.verify.products.release_checks.records import UNITS
from stirred.verify.products.topdown.earlier import EarlierRelease, read_earlier
from stirred.verify.products.topdown.files import SchemaFile, Tables, read_schema, read_tables
from stirred.verify.products.topdown.settings import TopDownSettings, design_of, read_settings
from stirred.verify.products.topdown.specification import specification

if TYPE_CHECKING:
    from stirred.mechanisms.das.topdown.siblings import Published, Totals
    from stirred.mechanisms.tables.counted import Counted
    from stirred.mechanisms.tables.noisy_measurements import KeptMeasurements
    from stirred.mechanisms.tables.writing import WholeFiles
    from stirred.verify.products.topdown.measurements import ReleasedMeasurements

ESTIMATES = {
    "nearest": "the nearest non-negative integers in weighted least squares (article, Algorithm 2)",
    "rounded": "a solution in least squares among real numbers, rounded; not the nearest integers",
}
"""By --estimate, what is sought."""

_NOT_AS_PUBLISHED = (
    "one least-squares problem for each parent, not the passes of query_ordering with their tolerances",
    "cells are rounded one by one; the published program rounds down or up by queries, in passes",
    "the noise of a level is the same at every node; no node takes the share of a parent whose only child it is",
    "the tree is that of the data: no spine is optimised for places off it, and none parts states by tribal areas",
    "what is kept is kept at each node; no sum over several nodes is",
)
"""What a run does otherwise than the program of the Census Bureau, whatever the settings say."""


@dataclass(frozen=True)
class TopDownRequest:
    """What a run is asked: the options of `stirred run topdown`, which its help explains, by the same names."""

    settings: Sequence[str]
    schema: str
    data: str
    output: str
    earlier: str | None = None
    reproduce: Sequence[str] = ()
    no_measurements: bool = False
    format: Literal["parquet", "csv"] = "parquet"
    estimate: Literal["nearest", "rounded"] = "nearest"
    weights: Literal["precision", "equal"] = "precision"
    ties: Literal["smallest", "largest"] = "smallest"
    engine: Literal["processes", "spark"] = "processes"
    workers: int | None = None
    master: str | None = None
    work: str | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.settings:
            raise InputError("--settings must name at least one file; got none")
        if (self.earlier is None) != (not self.reproduce):
            raise InputError("--earlier and --reproduce require each other")
        if self.engine == "spark" and self.workers is not None:
            raise InputError("--workers cannot be combined with --engine spark")
        if self.engine != "spark" and self.master is not None:
            raise InputError("--master requires --engine spark")
        if self.workers is not None:
            positive_integer("--workers", self.workers)
        if self.seed is not None:
            integer("--seed", self.seed, minimum=0)

    def check_output(self) -> None:
        """Refuse an output that is not a new folder in one that exists."""
        target = real_path(self.output)
        if target.is_symlink() or (target.exists() and (not target.is_dir() or any(target.iterdir()))):
            raise InputError(f"--output must be a new folder; {self.output} exists")
        if not target.parent.is_dir():
            raise InputError(f"--output must be a new folder in one that exists; got {self.output}")


@dataclass(frozen=True)
class CheckedRun:
    """What a run reads, all of it checked."""

    request: TopDownRequest
    settings: TopDownSettings
    design: Design
    schema: SchemaFile
    tables: Tables
    earlier: EarlierRelease | None

    @classmethod
    def of(cls, request: TopDownRequest) -> CheckedRun:
        """What this run reads; files that are malformed, or do not go together, are refused."""
        request.check_output()
        settings, schema = read_settings(request.settings), read_schema(request.schema)
        if not request.no_measurements:
            from stirred.verify.products.topdown.measurements import check_columns  # noqa: PLC0415 slow to load

            check_columns(request.schema, schema.schema)
        tables = read_tables(request.data, schema)
        design = design_of(
            settings,
            schema.schema,
            tables.geography,
            place=tables.place,
            weights=Weights[request.weights.upper()],
            tie=Tie[request.ties.upper()],
            reproduced=request.reproduce,
        )
        try:
            check_edits(design, tables.histograms)
        except InputError as error:
            raise InputError(f"{request.data}: level {settings.levels[-1]}: {error}") from None
        earlier = None
        if request.earlier is not None:
            earlier = read_earlier(request.earlier, request.reproduce, schema, settings.levels, tables.geography)
        return cls(request, settings, design, schema, tables, earlier)

    @property
    def published(self) -> Sequence[Published]:
        """P."""
        return self.earlier.published if self.earlier else ()

    def released_measurements(self) -> ReleasedMeasurements:
        """What is released beside the records."""
        from stirred.verify.products.topdown.measurements import ReleasedMeasurements  # noqa: PLC0415 slow to load

        kept = [(query, level) for _, query, level, _ in self.settings.kept_queries(self.schema.schema)]
        reproduced = self.earlier.reproduced if self.earlier else ()
        return ReleasedMeasurements(self.design, self.schema.schema, self.settings.levels, kept, reproduced)

    def measured(self, folder: Path, histograms: Mapping[str, Counts], key: bytes, workers: int) -> KeptMeasurements:
        """T(x), in files that are written as it is drawn."""
        from stirred.mechanisms.fast.topdown_noise import drawn_measurements  # noqa: PLC0415 slow to load
        from stirred.verify.products.topdown.measurements import kept_measurements  # noqa: PLC0415

        drawn = drawn_measurements(self.design, histograms, key, workers=workers)
        try:
            if self.request.no_measurements:
                return kept_measurements(folder, self.design, (), drawn)
            return self.released_measurements().keep(folder, drawn)
        except OSError as error:
            raise InputError(f"{folder}: cannot be written: {error.strerror or error}") from None


def write_release(one: CheckedRun, counts: Mapping[str, Counts], measured: KeptMeasurements, totals: Totals) -> int:
    """Write the folder under another name, and rename it; returns the number of records."""
    from stirred.mechanisms.tables.writing import WholeFiles  # noqa: PLC0415

    request = one.request
    target = real_path(request.output)
    staged = target.with_name(f".{target.name}.{secrets.token_hex(4)}")
    try:
        staged.mkdir()
        with WholeFiles() as files:
            stated = _tables(one, files, staged, counts) | _manifest(one)
            files.text(
                str(staged / "specification.toml"), specification(one.design, one.schema, one.earlier).claim_text()
            )
            if not request.no_measurements:
                files.text(str(staged / "schema.toml"), read_text(request.schema))
                beside = one.released_measurements()
                stated["measurements"] = beside.write(files, staged, measured, totals, one.published)
            files.text(str(staged / "manifest.json"), dumps(stated, indent=2, ensure_ascii=False) + "\n")
        staged.replace(target)
    except OSError as error:
        raise InputError(f"{request.output}: cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(staged, ignore_errors=True)
    return int(stated["file"]["rows"])


def _tables(one: CheckedRun, files: WholeFiles, folder: Path, counts: Mapping[str, Counts]) -> dict[str, Any]:
    """Write the records, and the units that were measured; returns what a manifest says of them."""
    from stirred.mechanisms.tables.counted import records  # noqa: PLC0415

    schema, size = one.schema.schema, one.schema.schema.records
    tables = {"file": (one.schema.table, schema.attributes, 0, size)}
    if (units := schema.measured_units) is not None:
        tables[UNITS] = UNITS, {units.attribute: units.values}, size, len(one.design.cells)
    stated = {}
    for key, (name, columns, start, end) in tables.items():
        leaves = {leaf: _part(nonzero(counts[leaf]), start, end) for leaf in one.design.geography.leaves}
        made = records(one.schema.geography, columns, leaves)
        written = files.table(str(folder / f"{name}.{one.request.format}"), *made)
        stated[key] = {"name": written.name, "bytes": written.bytes, "crc32": written.crc32, "rows": written.rows}
    return stated


def _part(counts: Counted, start: int, end: int) -> Counted:
    """The counts of some cells, numbered from the first of these."""
    cells, numbers = counts
    is_here = (start <= cells) & (cells < end)
    return cells[is_here] - start, numbers[is_here]


def _manifest(one: CheckedRun) -> dict[str, object]:
    """How the records were made."""
    from stirred.mechanisms.tables.manifest import randomness  # noqa: PLC0415

    request, design, earlier = one.request, one.design, one.earlier
    stated: dict[str, object] = {
        "program": f"stirred {version('stirred')}",
        "mechanism": "TopDown Algorithm",
        "rho_squared": {part: str(budget) for part, budget in design.rho_squared.items()},
        "estimate": ESTIMATES[request.estimate],
        "weights": design.weights.value,
        "ties": design.tie.value,
        "levels": list(one.settings.levels),
        "nodes": [len(level) for level in design.geography.levels],
        "settings_not_used": list(one.settings.unused),
        "not_as_published": list(_NOT_AS_PUBLISHED),
        "randomness": randomness(request.seed),
    }
    if earlier is not None:
        stated["earlier"] = {"rho_squared": str(earlier.rho_squared), "reproduced": request.reproduce}
    return stated
