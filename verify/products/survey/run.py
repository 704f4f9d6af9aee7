"""A survey that is run: the mechanism that `stirred survey` audits, drawn from on records, and what is released."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.mechanisms.interpreters.sampling import sample
from stirred.mechanisms.source import Source
from stirred.spec.arguments import InputError
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.laws.surveys.pipeline import followed
from stirred.verify.laws.surveys.release import Ends, SurveyRelease, noisy
from stirred.verify.laws.surveys.survey_audit import STAGES, ReadSurvey, check_survey
from stirred.verify.laws.surveys.survey_file import read_survey
from stirred.verify.products.survey.records import Records

_COLUMNS = ("release", "record", "estimate", "calibrated", "noise_scale")
"""Of what is released, beside the cells."""


@dataclass(frozen=True)
class SurveyRun:
    """A survey with the stage whose data are given."""

    read: ReadSurvey
    stage: Stage

    def mechanism(
        self, data: UnitData, source: Source, *, ends: Sequence[Ends | None] | None = None
    ) -> tuple[Any, ...]:
        """The mechanism: the steps that lead on from the stage, and what each release makes of the processed data.

        An audit clamps the noise of each release to its `ends`; a run clamps nothing.
        """
        processed = followed(self.read.after(self.stage), data, source)
        chosen = ends or [None] * len(self.read.releases)
        return tuple(
            _program(one)(processed, source, ends=end) for one, end in zip(self.read.releases, chosen, strict=True)
        )

    def noisy(
        self, data: Sequence[UnitData], source: Source, *, ends: Sequence[Ends | None] | None = None
    ) -> tuple[Any, ...]:
        """What the mechanism makes of records, from those that `merged` makes of them for each release."""
        chosen = ends or [None] * len(self.read.releases)
        return tuple(
            noisy(release.statistic.of_sums.steps(one), source, ratio=release.ratio, ends=end)
            for release, one, end in zip(self.read.releases, data, chosen, strict=True)
            if release.statistic is not None and release.ratio is not None
        )

    def drawn(self, records: Records, seed: int | None) -> tuple[Any, ...]:
        """One draw of the mechanism, on records that are merged where `is_merged` says so."""
        from stirred.verify.products.survey.merged import is_merged, merged  # noqa: PLC0415 slow to load

        data = merged(self.read, self.stage, records) if is_merged(self.read, self.stage) else None
        if data is not None:
            return sample(self.noisy, data, seed=seed)
        return sample(self.mechanism, records.data, seed=seed)


def read_run(path: str, stage: str | None) -> SurveyRun:
    """The run of a survey file on data of a stage, by default of that where protection starts."""
    read = check_survey(read_survey(path))
    found = tuple(dict.fromkeys([Stage.POPULATION, *(step.stage for step in read.stages.steps)]))
    names = [name for name, one in STAGES.items() if one in found[found.index(read.setting.level) :]]
    if stage is not None and stage not in names:
        raise InputError(f"--stage must be one where protection has started, {' or '.join(names)}; got {stage}")
    for block, release in zip(read.file.mechanisms, read.releases, strict=True):
        if release.program is None:
            raise block.refuse(
                "function", "cannot be run by stirred run survey, which draws from its own programs only"
            )
        if release.epsilon is None:
            raise InputError(
                f"{block.place} must have a bound on how far one record moves it, to be run: give least and most; or "
                "largest, for weights that no stage adjusts, with sequential-hot-deck if values are imputed; or the "
                "distance changed_units for randomized-response, where no stage drops records"
            )
        for name in () if release.statistic is None else release.statistic.cells:
            if name in read.file.layout.numbers:
                raise block.refuse("cells", f"must name variables whose values are listed; {name!r} may be any number")
            if name in _COLUMNS:
                raise block.refuse("cells", f"must not name {name!r}, a column of what is released")
    if read.shares is None:
        raise InputError(
            f"{path}: the noisy table of an imputation must precede every step at which one record changes another"
        )
    chosen = read.setting.level if stage is None else STAGES[stage]
    if chosen is Stage.POPULATION and any("units" in one for one in read.file.stages):
        raise InputError(f"{path}: stage.units names units of the audit: run on data of the frame, --stage frame")
    return SurveyRun(read, chosen)


def _program(release: SurveyRelease) -> Callable[..., Any]:
    if release.program is None:
        raise InputError(f"{release.label} must be a mechanism of stirred to be run")
    return release.program


def rows(run: SurveyRun, drawn: Sequence[Any]) -> Iterator[dict[str, Any]]:
    """The lines of what is released: of each release its cells, then all of them; of randomised answers, each."""
    calibrated = _calibrated(run, drawn)
    for release, outcome in zip(run.read.releases, drawn, strict=True):
        statistic = release.statistic
        if statistic is None:
            yield from ({"release": release.label, "record": n, "estimate": one} for n, one in enumerate(outcome, 1))
            continue
        estimates = [step * _double(statistic.unit) for step in _cells(outcome)]
        fitted = calibrated.get(release.label, [None] * len(estimates))
        scale = _double(statistic.unit * release.scale)
        for label, one, fit in zip(statistic.labels, estimates, fitted, strict=True):
            cell = {name: str(value) for name, value in zip(statistic.cells, label, strict=True)}
            yield {"release": release.label, **cell, "estimate": one, "calibrated": fit, "noise_scale": scale}
        if statistic.cells and statistic.kind != "mean":
            whole = sum(fitted) if release.label in calibrated else None
            yield {"release": release.label, "estimate": sum(estimates), "calibrated": whole}


def columns(run: SurveyRun) -> tuple[str, ...]:
    """The columns of what is released."""
    releases = run.read.releases
    cells = dict.fromkeys(name for one in releases if one.statistic is not None for name in one.statistic.cells)
    answers = ("record",) if any(one.statistic is None for one in releases) else ()
    calibrated = ("calibrated",) if run.read.calibration is not None else ()
    return ("release", *answers, *cells, "estimate", *calibrated, "noise_scale")


def _double(number: Fraction) -> Any:
    return number.numerator / number.denominator


def _cells(outcome: Any) -> Sequence[int]:
    """What was drawn for each cell; of one cell it is the number itself."""
    return outcome if isinstance(outcome, tuple) else (outcome,)


def _calibrated(run: SurveyRun, drawn: Sequence[Any]) -> dict[str, list[Any]]:
    """The estimates of counts and totals with the cells of the calibrated counts, fitted; by their labels.

    A noisy count below one unit counts as one unit.
    """
    calibration = run.read.calibration
    if calibration is None:
        return {}
    import numpy as np  # noqa: PLC0415 slow to load

    from stirred.mechanisms.fast.raking import raked_table  # noqa: PLC0415

    found = {one.label: (one.statistic, _cells(outcome)) for one, outcome in zip(run.read.releases, drawn, strict=True)}
    counts, steps = found[calibration.counts]
    cells = {} if counts is None else counts.cells
    table = np.array([max(step, 1) for step in steps], dtype=np.float64).reshape([len(one) for one in cells.values()])
    names = list(cells)
    margins = {
        names.index(name): np.array([int(totals[value]) for value in cells[name]], dtype=np.float64)
        for name, totals in calibration.margins.items()
    }
    unit = _double(counts.unit) if counts is not None else 1
    factors = (raked_table(table * unit, margins) / (table * unit)).reshape(-1).tolist()
    return {
        label: [step * _double(one.unit) * factor for step, factor in zip(steps, factors, strict=True)]
        for label, (one, steps) in found.items()
        if one is not None and one.cells == cells and one.kind != "mean"
    }
