"""The non-response stage of a survey file: units that do not respond, or answers that are missing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.response import independent_response, item_nonresponse
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.audit.claim_table import Block
from stirred.verify.audit.surveys.keys import numbers_by_value, share
from stirred.verify.audit.surveys.pipeline import PipelineStep
from stirred.verify.audit.surveys.survey_file import Layout

__all__ = ["read_response"]

Propensity = Callable[[Any, Any], Any]


def read_response(block: Block, layout: Layout, response_class: Callable[[Any], Any] | None) -> PipelineStep:
    """The step of a non-response stage.

    Args:
        block: the stage.
        layout: of the records.
        response_class: of a record, where weights are adjusted by it; then each record that responds ends with the
            number of units of its class in the sample.

    Raises:
        InputError: a key is unknown, missing or ill-typed.
    """
    block.only(("kind", "rate", "by", "rates", "variable"))
    propensity, how = _propensity(block, layout)
    if "variable" in block:
        variable = layout.place(block, "variable")

        def answered(data: UnitData, source: Source) -> UnitData:
            return item_nonresponse(_classed(data, response_class), source, variable=variable, propensity=propensity)

        words = f"an answer to {layout.names[variable]} with probability {how}"
        return PipelineStep(Stage.RESPONDING, words, block.place, answered)

    def responding(data: UnitData, source: Source) -> UnitData:
        return independent_response(_classed(data, response_class), source, propensity=propensity)

    return PipelineStep(Stage.RESPONDING, f"response with probability {how}", block.place, responding)


def _classed(data: UnitData, response_class: Callable[[Any], Any] | None) -> UnitData:
    if response_class is None:
        return data
    sizes = Counter(response_class(record) for _, record in data)
    return tuple((unit, (*record, sizes[response_class(record)])) for unit, record in data)


def _propensity(block: Block, layout: Layout) -> tuple[Propensity, str]:
    """The probability that a unit responds, and how it is stated."""
    if ("rate" in block) == ("rates" in block):
        raise block.refuse("rate", "or by with rates must be given, one of them")
    if "rate" in block:
        if "by" in block:
            raise block.refuse("by", "belongs to rates")
        one = share(block.where("rate"), block.required("rate"))
        return lambda _, __: one, str(one)
    variable = layout.complete(block, "by")
    rates = numbers_by_value(block, "rates", layout, variable, share)
    return lambda _, record: rates[record[variable]], f"by {layout.names[variable]}"
