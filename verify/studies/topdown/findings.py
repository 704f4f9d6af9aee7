"""What the table of the study of TopDown shows, in sentences: each sampled, with the number of runs and the seed."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.studies.study import Row, rounded_text
from stirred.verify.studies.topdown.measures import COUNT_CLASSES, KINDS, TOTAL
from stirred.verify.studies.topdown.release import DESIGN, LEVELS
from stirred.verify.studies.topdown.table import (
    budget_text,
    budgets_of,
    cells_of,
    mean_over_runs,
    noise_variance,
    populations_of,
)

__all__ = ["findings"]


def findings(rows: Sequence[Row], scope: str) -> dict[str, Evidence]:
    """All that is shown, each with its name."""
    sentences = {}
    for population in populations_of(rows):
        for of in (KINDS, TOTAL):
            sentences[f"{population}.error.{of}"] = _errors(rows, population, of)
        for rho_squared in budgets_of(rows):
            sentences[f"{population}.bias.{budget_text(rho_squared)}"] = _bias(rows, population, rho_squared)
        sentences[f"{population}.variance"] = _variances(rows, population)
    return {f"topdown.{name}": Evidence(Verdict.SAMPLED, scope, text) for name, text in sentences.items()}


def _text(number: Fraction) -> str:
    return rounded_text(number, 3)


def _errors(rows: Sequence[Row], population: str, of: str) -> str:
    parts = []
    for rho_squared in budgets_of(rows):
        levels = []
        for level in LEVELS:
            noise, error = (
                mean_over_runs(rows, population, f"mean absolute {what}", level, of)[rho_squared]
                for what in ("noise", "error")
            )
            levels.append(f"{level} {_text(noise)} and {_text(error)}")
        parts.append(f"rho^2 {budget_text(rho_squared)}: {', '.join(levels)}")
    return f"mean absolute noise that went in and error that came out, of {of}: {'; '.join(parts)}; design: {DESIGN}"


def _bias(rows: Sequence[Row], population: str, rho_squared: Fraction) -> str:
    parts = []
    statistic = "mean error by true count"
    for name in COUNT_CLASSES:
        means = mean_over_runs(rows, population, statistic, LEVELS[-1], name)
        if means:
            cells = cells_of(rows, population, statistic, LEVELS[-1], name)
            mean = means[rho_squared]
            parts.append(f"{'+' if mean > 0 else ''}{_text(mean)} at {name} ({cells} counts)")
    return f"mean error of block counts, released minus true, by true count, rho^2 {budget_text(rho_squared)}: " + (
        ", ".join(parts)
    )


def _variances(rows: Sequence[Row], population: str) -> str:
    parts = []
    for rho_squared in budgets_of(rows):
        levels = [
            f"{level} {_text(mean_over_runs(rows, population, 'variance', level, KINDS)[rho_squared])}"
            for level in LEVELS
        ]
        noise = _text(noise_variance(rows, rho_squared))
        parts.append(f"rho^2 {budget_text(rho_squared)}: noise {noise}, {', '.join(levels)}")
    return f"variance of released {KINDS}, beside sigma^2 of the noise: {'; '.join(parts)}"
