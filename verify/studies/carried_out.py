"""Carrying out a study: every draw that is not kept yet, then its table, its pictures and what they show."""

import argparse
import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from stirred.verify.evidence.finding import Evidence
from stirred.verify.files.atomic import write_whole
from stirred.verify.pictures.rendering import FORMATS, rendered_picture, require_matplotlib
from stirred.verify.reports.lines import progress
from stirred.verify.running.worker_pool import in_processes
from stirred.verify.studies.kept_draws import KeptDraws
from stirred.verify.studies.study import Row, Study, StudyPlan


def carry_out(
    study: Study, arguments: argparse.Namespace, folder: Path, *, jobs: int = 1
) -> tuple[Mapping[str, Evidence], list[Path]]:
    """What the study shows, and the files that it wrote.

    Args:
        study: which study it is.
        arguments: those of its command line.
        folder: where it writes; made where it doesn't exist.
        jobs: processes that draw; the files don't depend on their number.

    Raises:
        InputError: matplotlib is missing, the arguments are wrong, the folder can't be written, or it holds draws
            with other settings.
    """
    require_matplotlib("a study")
    drawn = _Drawn(study, arguments)
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

    def __init__(self, study: Study, arguments: argparse.Namespace) -> None:
        self._study, self._arguments = study, arguments

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in vars(self).items() if name != "plan"}

    @cached_property
    def plan(self) -> StudyPlan:
        return self._study.plan(self._arguments)

    def __call__(self, name: str) -> Sequence[Row]:
        return self.plan.draw(name)


def _several(drawn: _Drawn, names: Sequence[str], jobs: int) -> Iterator[Sequence[Row]]:
    """Draws, in their order."""
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
