"""The weights stage of a survey file: design weights, adjusted for non-response, calibrated to known totals."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from mechanisms.source import Source
from mechanisms.surveys.calibration import post_stratified
from mechanisms.surveys.groups import grouped
from mechanisms.surveys.weights import Weights
from spec.arguments import InputError, parse_exact, shown
from spec.surveys.stages import Stage
from spec.surveys.unit_data import UnitData
from verify.audit.claim_table import Block
from verify.audit.surveys.keys import numbers_by_value, reader
from verify.audit.surveys.pipeline import PipelineStep
from verify.audit.surveys.survey_file import Layout

__all__ = ["ReadWeights", "read_weights"]

_NAMES = ("design", "non-response", "post-stratification")


@dataclass(frozen=True)
class ReadWeights:
    """A weights stage.

    Attributes:
        step: of the pipeline.
        response_class: of a record, where the weights are adjusted for non-response.
    """

    step: PipelineStep
    response_class: Callable[[Any], Any] | None = None


def read_weights(block: Block, layout: Layout, drawn_by: Sequence[str], *, has_response: bool) -> ReadWeights:
    """The weights of a stage.

    Args:
        block: the stage.
        layout: of the records.
        drawn_by: the variables by which the design draws, on which design weights depend.
        has_response: whether units may fail to respond.

    Raises:
        InputError: a key is unknown, missing or ill-typed, or the weights depend on a variable that is not declared.
    """
    name = block.only(("kind", "name", "by", "totals", "depends_on")).one_of("name", _NAMES)
    for key in ("by", "totals"):
        if key in block and (name == "design" or (key == "totals" and name != "post-stratification")):
            raise block.refuse(key, f"does not belong to {name!r} weights")
    if name == "design":
        _check_declared(block, layout, drawn_by, "the design draws by it")
        return ReadWeights(PipelineStep(Stage.PROCESSED, "design weights", block.place, _as_they_are))
    place = layout.complete(block, "by")
    by = layout.names[place]
    _check_declared(block, layout, drawn_by, "the design draws by it")
    _check_declared(block, layout, (by,), "the weights are adjusted by it")
    if name == "non-response":
        if not has_response:
            raise block.refuse("name", "must not be 'non-response' without a non-response stage")
        step = PipelineStep(
            Stage.PROCESSED, f"weights adjusted for non-response by {by}", block.place, _adjusted(place)
        )
        return ReadWeights(step, reader(place))
    totals = numbers_by_value(block, "totals", layout, place, _total)
    words = f"weights post-stratified by {by}"
    return ReadWeights(
        PipelineStep(Stage.PROCESSED, words, block.place, _post_stratified(place, totals, len(layout.names)))
    )


def _total(place: str, value: Any) -> Fraction:
    number = parse_exact(place, value)
    if number <= 0:
        raise InputError(f"{place} must be positive; got {shown(number)}")
    return number


def _check_declared(block: Block, layout: Layout, needed: Sequence[str], why: str) -> None:
    """Refuse weights that depend on a variable that the file does not say."""
    declared = block.names("depends_on")
    for name in declared:
        layout.place(block, "depends_on", name)
    for name in needed:
        if name not in declared:
            raise block.refuse("depends_on", f"must name {name!r}: {why}, so the weights depend on it")


def _as_they_are(data: UnitData, source: Source) -> UnitData:  # noqa: ARG001
    return data


def _adjusted(place: int) -> Callable[[UnitData, Source], UnitData]:
    """w·n_c/r_c for the units that respond, n_c being the last value of each record; it is used up."""

    def program(data: UnitData, source: Source) -> UnitData:  # noqa: ARG001
        answered = Counter(record[place] for _, record in data)
        return tuple(
            (unit, (*record[:-2], record[-2] * Fraction(record[-1], answered[record[place]]))) for unit, record in data
        )

    return program


def _post_stratified(place: int, totals: dict[Any, Fraction], width: int) -> Callable[[UnitData, Source], UnitData]:
    """Weights that add up to the totals, of the post-strata that have units in the data."""

    def program(data: UnitData, source: Source) -> UnitData:  # noqa: ARG001
        weights: Weights = tuple((unit, record[width]) for unit, record in data)
        found = grouped("by", data, reader(place))
        known = {h: totals[h] for h in found}
        given = dict(post_stratified(weights, data, stratum=reader(place), totals=known)) if data else {}
        return tuple((unit, (*record[:width], given[unit], *record[width + 1 :])) for unit, record in data)

    return program
