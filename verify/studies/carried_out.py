"""Carrying out a study: every draw that is not kept yet, then its table, its pictures and what they show."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any

from verify.evidence.finding import Evidence
from verify.outside.atomic import write_whole
from verify.reports.lines import progress
from verify.studies.kept_draws import KeptDraws
from verify.studies.picture import FORMATS, rendered_picture, require_matplotlib
from verify.studies.study import Row, Study, StudyPlan

__all__ = ["carry_out"]


def carry_out(study: Study, plan: StudyPlan, folder: Path) -> tuple[Mapping[str, Evidence], list[Path]]:
    """What the study shows, and the files that it wrote.

    Args:
        study: which study it is.
        plan: what it draws.
        folder: where it writes; made where it doesn't exist.

    Raises:
        InputError: matplotlib is missing, the folder can't be written, or it holds draws with other settings.
    """
    require_matplotlib("a study")
    with KeptDraws(folder, {"study": study.name, "version": version("stirred"), **plan.settings}) as kept:
        with progress(len(plan.draws)) as display:
            for name in plan.draws:
                if name not in kept.draws:
                    kept.keep(name, plan.draw(name))
                display.advance(name)
        rows = [row for name in plan.draws for row in kept.draws[name]]
        written = [folder / f"{study.name}.csv"]
        write_whole(str(written[0]), _table(rows))
        for name, draw in plan.pictures.items():
            for form in FORMATS:
                written.append(folder / f"{name}.{form}")
                write_whole(str(written[-1]), rendered_picture(partial(_on, draw, rows), form))
    return plan.findings(rows), written


def _on(draw: Callable[[Any, Sequence[Row]], None], rows: Sequence[Row], figure: Any) -> None:
    draw(figure, rows)


def _table(rows: Sequence[Row]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()
