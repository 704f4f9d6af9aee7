"""The imputation stage of a survey file."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mechanisms.source import Source
from mechanisms.surveys.imputation import class_mode, hot_deck
from mechanisms.surveys.items import with_item
from spec.arguments import InputError
from spec.surveys.stages import Stage
from spec.surveys.unit_data import UnitData
from verify.audit.claim_table import Block
from verify.audit.surveys.pipeline import PipelineStep
from verify.audit.surveys.survey_file import Layout

__all__ = ["read_imputation"]

_NAMES = ("hot-deck", "class-mode")


def read_imputation(block: Block, layout: Layout) -> PipelineStep:
    """The step of an imputation stage.

    Raises:
        InputError: a key is unknown, missing or ill-typed.
    """
    name = block.only(("kind", "name", "variable", "classes", "otherwise")).one_of("name", _NAMES)
    variable = layout.place(block, "variable")
    of = layout.names[variable]
    chosen = block.names("classes") if "classes" in block else ()
    if of in chosen:
        raise block.refuse("classes", f"must not name {of!r}, the variable that is imputed")
    places = [layout.place(block, "classes", one) for one in chosen]
    otherwise = layout.value(block, "otherwise", of)

    def class_of(record: Any) -> tuple[Any, ...]:
        return tuple(record[place] for place in places)

    def program(data: UnitData, source: Source) -> UnitData:
        filled = _filled(data, variable, class_of, otherwise)
        if name == "hot-deck":
            return hot_deck(filled, source, variable=variable, donor_class=class_of)
        return class_mode(filled, source, variable=variable, imputation_class=class_of)

    among = f" within classes of {', '.join(chosen)}" if chosen else ""
    how = "from donors drawn at random" if name == "hot-deck" else "by the most frequent value"
    return PipelineStep(Stage.PROCESSED, f"{of} imputed {how}{among}", block.place, program)


def _filled(data: UnitData, variable: int, class_of: Callable[[Any], Any], otherwise: Any) -> UnitData:
    """The data set where nothing is missing in classes without any donor: it is `otherwise` there."""
    donors = {class_of(record) for _, record in data if record[variable] is not None}
    if otherwise is None:
        raise InputError("otherwise must be a value")
    return tuple(
        (
            unit,
            with_item(record, variable, otherwise)
            if record[variable] is None and class_of(record) not in donors
            else record,
        )
        for unit, record in data
    )
