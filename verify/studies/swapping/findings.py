"""What the study's table shows, in sentences: each sampled, with the number of runs and the seed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from verify.evidence.finding import Evidence
from verify.evidence.verdict import Verdict
from verify.studies.study import Row, rounded_text
from verify.studies.swapping.racial_entropy import REMOVALS_FIRST
from verify.studies.swapping.releases import PAIRS, PAIRS_HIGH_VARIANCE, PSA, TOYDOWN, Method
from verify.studies.swapping.side_by_side import crossing, curve_of, means_by_value

__all__ = ["ERROR", "budgets_by_value", "findings"]

ERROR = ("mean absolute error", "block")
"""The error that methods are compared by: of persons by block and race (swapping study, Table 4)."""

_ENTROPY = "mean racial entropy of tracts"
_SLOPE = "slope of ecological regression"
_TENTH = Fraction(1, 10)
_QUARTER = Fraction(1, 4)


def findings(rows: Sequence[Row], scope: str) -> dict[str, Evidence]:
    """All that is shown, each with its name."""
    sentences = {
        **{f"error.{method.name.partition(',')[0]}": _errors(rows, method) for method in (PAIRS, PSA, TOYDOWN)},
        "variance": _variances(rows),
        "entropy": _entropy(rows),
        "entropy.steps": _steps(rows),
        "regression": _regression(rows),
        **{f"equal-error.{rate}": sentence for rate, sentence in _equal_error(rows)},
        **{f"equal-privacy.{rate}": sentence for rate, sentence in _equal_privacy(rows)},
    }
    return {f"swapping.{name}": Evidence(Verdict.SAMPLED, scope, text) for name, text in sentences.items()}


def budgets_by_value(rows: Sequence[Row], method: Method) -> dict[Fraction, Fraction]:
    """The finite budgets of a method's values."""
    return {
        Fraction(row["value of parameter"]): Fraction(row["epsilon"])
        for row in rows
        if row["method"] == method.name and row["epsilon"] not in ("", "infinite")
    }


def _text(number: Fraction, places: int = 3) -> str:
    return rounded_text(number, places)


def _percent(rate: Fraction) -> str:
    return f"{rounded_text(100 * rate, 0)}%"


def _listed(means: Mapping[Fraction, Fraction], method: Method) -> str:
    shown = _percent if method.parameter == "swap rate" else (lambda value: f"{method.parameter} {_text(value, 2)}")
    return ", ".join(f"{_text(mean)} at {shown(value)}" for value, mean in means.items())


def _errors(rows: Sequence[Row], method: Method) -> str:
    means = means_by_value(rows, method.name, *ERROR)
    return f"mean absolute error of persons by block and race: {_listed(means, method)}"


def _variances(rows: Sequence[Row]) -> str:
    parts = []
    for method in (PAIRS, PAIRS_HIGH_VARIANCE):
        means = means_by_value(rows, method.name, "variance estimate", "block")
        parts.append(f"{method.name}: {_listed(means, method)}")
    return "variance of persons by block and race, " + "; ".join(parts)


def _of_state(rows: Sequence[Row], statistic: str, of: str = "") -> Fraction:
    return next(
        Fraction(row["measured"])
        for row in rows
        if row["method"] == "none" and (row["statistic"], row["of"]) == (statistic, of)
    )


def _entropy(rows: Sequence[Row]) -> str:
    after = means_by_value(rows, PAIRS.name, _ENTROPY, "")
    return f"mean racial entropy of tracts: {_text(_of_state(rows, _ENTROPY))} before swapping, {_listed(after, PAIRS)}"


def _steps(rows: Sequence[Row]) -> str:
    last, parts = _of_state(rows, _ENTROPY), []
    for step in REMOVALS_FIRST:
        mean = means_by_value(rows, PAIRS.name, f"{_ENTROPY}, in turn", step.value)[_TENTH]
        parts.append(f"{step.value} {'+' if mean > last else ''}{_text(mean - last, 4)}")
        last = mean
    return f"mean racial entropy of tracts at a swap rate of 10%: {', '.join(parts)}"


def _regression(rows: Sequence[Row]) -> str:
    parts = []
    for weighting in ("unweighted", "weighted"):
        of = f"B, {weighting}"
        swapped = means_by_value(rows, PAIRS.name, _SLOPE, of)[_TENTH]
        noisy = means_by_value(rows, TOYDOWN.name, _SLOPE, of)[_QUARTER]
        before = _of_state(rows, _SLOPE, of)
        parts.append(
            f"{weighting} slope {_text(before)} before, {_text(swapped)} swapped at 10%, "
            f"{_text(noisy)} under ToyDown at epsilon 0.25"
        )
    return "ecological regression on the share of race B: " + "; ".join(parts)


def _equal_error(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """The budgets at which the PSA and ToyDown have the error of 2010-style swapping."""
    by_rate = means_by_value(rows, PSA.name, *ERROR)
    psa = curve_of(by_rate, budgets_by_value(rows, PSA))
    toydown = curve_of(means_by_value(rows, TOYDOWN.name, *ERROR), budgets_by_value(rows, TOYDOWN))
    for rate, error in means_by_value(rows, PAIRS.name, *ERROR).items():
        at_rate, at_psa, at_toydown = (crossing(curve, error) for curve in (list(by_rate.items()), psa, toydown))
        parts = [f"2010-style swapping at {_percent(rate)} has the error {_text(error)} and no finite budget"]
        if at_rate is not None and at_psa is not None:
            parts.append(f"the PSA has this error near p = {_text(at_rate)}, with epsilon near {_text(at_psa, 2)}")
        else:
            parts.append("the PSA has it at none of the rates tried")
        if at_toydown is not None:
            parts.append(f"ToyDown has it near epsilon {_text(at_toydown, 2)}")
        else:
            parts.append("ToyDown has it at no epsilon tried")
        yield _percent(rate), f"{'; '.join(parts)} (units and invariants differ)"


def _equal_privacy(rows: Sequence[Row]) -> Iterator[tuple[str, str]]:
    """The error of ToyDown at the budgets of the PSA."""
    toydown = curve_of(means_by_value(rows, TOYDOWN.name, *ERROR), budgets_by_value(rows, TOYDOWN))
    errors, budgets = means_by_value(rows, PSA.name, *ERROR), budgets_by_value(rows, PSA)
    for rate, error in errors.items():
        at = crossing([(mean, epsilon) for epsilon, mean in toydown], budgets[rate])
        noisy = "has more at any epsilon tried" if at is None else f"near {_text(at)}"
        sentence = (
            f"at epsilon {_text(budgets[rate], 2)} the PSA (p = {_percent(rate)}, households, its invariants) has the "
            f"error {_text(error)}, ToyDown (persons, no invariants) {noisy}, and 2010-style swapping none at any rate "
            "but 0: it has no finite budget"
        )
        yield _percent(rate), sentence
