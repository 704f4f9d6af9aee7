"""The weights stage of a survey file: design weights, adjusted for non-response, calibrated to known totals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.calibration import Margin, check_margins, post_stratified
from stirred.mechanisms.surveys.groups import grouped
from stirred.mechanisms.surveys.weights import Weights, class_weights
from stirred.spec.arguments import InputError, parse_exact, positive_integer, shown
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.audit.surveys.keys import numbers_by_value, reader
from stirred.verify.audit.surveys.pipeline import PipelineStep
from stirred.verify.audit.surveys.survey_file import Layout
from stirred.verify.claim.table import Block

__all__ = ["ReadWeights", "read_weights"]

_KEYS: Mapping[str, tuple[str, ...]] = {
    "design": (),
    "non-response": ("by",),
    "post-stratification": ("by", "totals"),
    "raking": ("margins", "rounds"),
}
"""The keys of each kind of weights."""

_MOST_ROUNDS = 20


@dataclass(frozen=True)
class ReadWeights:
    """A weights stage.

    Attributes:
        step: of the pipeline.
        response_class: of a record, where the weights are adjusted for non-response.
    """

    step: PipelineStep
    response_class: Callable[[Any], Any] | None = None


def read_weights(block: Block, layout: Layout, drawn_by: Sequence[str], responded: Layout | None) -> ReadWeights:
    """The weights of a stage.

    Args:
        block: the stage.
        layout: of the records that are weighted.
        drawn_by: the variables by which the design draws, on which design weights depend.
        responded: the layout of the responding sample; None where there is no non-response stage.

    Raises:
        InputError: a key is unknown, missing or ill-typed, or the weights depend on a variable that is not declared.
    """
    name = block.one_of("name", tuple(_KEYS))
    block.only(("kind", "name", "depends_on", *_KEYS[name]))
    _check_declared(block, layout, drawn_by, "the design draws by it")
    if name == "design":
        return ReadWeights(PipelineStep(Stage.PROCESSED, "design weights", block.place, _as_they_are))
    if name == "non-response":
        return _for_response(block, responded, len(layout.names))
    if name == "raking":
        given = block.table("margins")
        margins = [_margin(given, layout, by, by) for by in given.values]
        if not margins:
            raise block.refuse("margins", "must have at least one variable; got none")
        block.within("margins", lambda: check_margins(margins))
        rounds = positive_integer(block.where("rounds"), block.required("rounds"))
        if rounds > _MOST_ROUNDS:
            raise block.refuse("rounds", f"must be at most {_MOST_ROUNDS}: the weights are exact; got {shown(rounds)}")
        words = f"weights raked to {' and '.join(given.values)}, {rounds} times"
        names = tuple(given.values)
    else:
        names = (layout.names[layout.complete(block, "by")],)
        margins, rounds = [_margin(block, layout, "totals", names[0])], 1
        words = f"weights post-stratified by {names[0]}"
    _check_declared(block, layout, names, "the weights are adjusted by it")
    program = _calibrated(margins, rounds, len(layout.names))
    words += " (totals of categories without units are left out)"
    return ReadWeights(PipelineStep(Stage.PROCESSED, words, block.place, program))


def _for_response(block: Block, responded: Layout | None, width: int) -> ReadWeights:
    """Adjusted by a variable that is known of the sample and of those who respond alike, so that classes stay."""
    if responded is None:
        raise block.refuse("name", "must not be 'non-response' without a non-response stage")
    place = responded.complete(block, "by")
    by = responded.names[place]
    _check_declared(block, responded, (by,), "the weights are adjusted by it")
    words = f"weights adjusted for non-response by {by} (classes in which nobody responds are left out)"
    return ReadWeights(PipelineStep(Stage.PROCESSED, words, block.place, _adjusted(place, width)), reader(place))


def _margin(block: Block, layout: Layout, key: str, name: str) -> Margin:
    """The totals of a key by the values of a variable."""
    place = layout.complete(block, key, name)
    return reader(place), numbers_by_value(block, key, layout, place, _total)


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


def _adjusted(place: int, width: int) -> Callable[[UnitData, Source], UnitData]:
    """The adjusted weight at the end of each record, in the place of the weight and of its class's size n_c."""
    of = reader(place)

    def program(data: UnitData, source: Source) -> UnitData:  # noqa: ARG001
        sizes = {of(record): record[width + 1] for _, record in data}
        given = dict(class_weights(_weights(data, width), data, sizes=sizes, response_class=of))
        return tuple((unit, (*record[:width], given[unit])) for unit, record in data)

    return program


def _weights(data: UnitData, width: int) -> Weights:
    """The weights that follow the variables of each record."""
    return tuple((unit, record[width]) for unit, record in data)


def _calibrated(margins: Sequence[Margin], rounds: int, width: int) -> Callable[[UnitData, Source], UnitData]:
    """Weights post-stratified to one margin after another, so many times; categories without units are left out."""

    def program(data: UnitData, source: Source) -> UnitData:  # noqa: ARG001
        weights = _weights(data, width)
        for _ in range(rounds if data else 0):
            for category, totals in margins:
                known = {one: totals[one] for one in grouped("by", data, category)}
                weights = post_stratified(weights, data, stratum=category, totals=known)
        given = dict(weights)
        return tuple((unit, (*record[:width], given[unit], *record[width + 1 :])) for unit, record in data)

    return program
