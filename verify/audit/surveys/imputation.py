"""The imputation stage of a survey file: from donors, from classes, or from a model that is released with noise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.imputation import class_mode, hot_deck, model_imputation
from stirred.mechanisms.surveys.items import with_item
from stirred.mechanisms.surveys.noisy_table import noisy_table, proportional_draw
from stirred.mechanisms.surveys.sequential_hot_deck import sequential_hot_deck
from stirred.spec.arguments import positive_integer, shown
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.audit.surveys.pipeline import PipelineStep
from stirred.verify.audit.surveys.survey_file import Layout
from stirred.verify.claim.table import Block

__all__ = ["read_imputation"]

Program = Callable[[UnitData, Source], UnitData]

_MOST_TABLES = 1_000

_COMMON = ("kind", "name", "variable", "classes")


@dataclass(frozen=True)
class _Imputed:
    """What is imputed, and within which classes.

    Attributes:
        block: the stage.
        layout: of the records.
        variable: the place of the variable.
        places: of the variables that make the classes.
    """

    block: Block
    layout: Layout
    variable: int
    places: tuple[int, ...]

    def class_of(self, record: Any) -> tuple[Any, ...]:
        """The class of a record."""
        return tuple(record[place] for place in self.places)

    @property
    def values(self) -> tuple[Any, ...]:
        """What may be imputed."""
        return self.values_at(self.variable)

    def values_at(self, place: int) -> tuple[Any, ...]:
        """The values of a variable that are not missing."""
        return tuple(value for value in self.layout.values[self.layout.names[place]] if value is not None)

    def otherwise(self) -> Any:
        """The value where there is no donor."""
        return self.layout.value(self.block, "otherwise", self.layout.names[self.variable])


def read_imputation(block: Block, layout: Layout) -> PipelineStep:
    """The step of an imputation stage.

    Raises:
        InputError: a key is unknown, missing or ill-typed.
    """
    name = block.one_of("name", tuple(_READERS))
    variable = layout.place(block, "variable")
    of = layout.names[variable]
    if None not in layout.values[of]:
        raise block.refuse(
            "variable", f"must be one that can be missing, by population.missing or a non-response stage; {of!r} cannot"
        )
    chosen = block.names("classes") if "classes" in block else ()
    if of in chosen:
        raise block.refuse("classes", f"must not name {of!r}, the variable that is imputed")
    places = tuple(layout.complete(block, "classes", one) for one in chosen)
    how, program = _READERS[name](_Imputed(block, layout, variable, places))
    among = f" within classes of {', '.join(chosen)}" if chosen else ""
    return PipelineStep(Stage.PROCESSED, f"{of} imputed {how}{among}", block.place, program)


def _hot_deck(imputed: _Imputed) -> tuple[str, Program]:
    imputed.block.only((*_COMMON, "otherwise"))
    otherwise = imputed.otherwise()

    def program(data: UnitData, source: Source) -> UnitData:
        filled = _filled(data, imputed, otherwise)
        return hot_deck(filled, source, variable=imputed.variable, donor_class=imputed.class_of)

    return "from donors drawn at random", program


def _class_mode(imputed: _Imputed) -> tuple[str, Program]:
    imputed.block.only((*_COMMON, "otherwise"))
    otherwise = imputed.otherwise()

    def program(data: UnitData, source: Source) -> UnitData:
        filled = _filled(data, imputed, otherwise)
        return class_mode(filled, source, variable=imputed.variable, imputation_class=imputed.class_of)

    return "by the most frequent value", program


def _sequential(imputed: _Imputed) -> tuple[str, Program]:
    block = imputed.block.only((*_COMMON, "otherwise", "donations"))
    donations = positive_integer(block.where("donations"), block.required("donations"))
    program = partial(
        sequential_hot_deck,
        variable=imputed.variable,
        donor_class=imputed.class_of,
        donations=donations,
        otherwise=imputed.otherwise(),
    )
    return f"from the last donor before, {donations} times at most", program


def _noisy_table(imputed: _Imputed) -> tuple[str, Program]:
    block = imputed.block.only((*_COMMON, "ratio", "largest"))
    ratio = block.exact("ratio")
    if not 0 < ratio < 1:
        raise block.refuse("ratio", f"must be between 0 and 1, exclusive; got {ratio}")
    largest = positive_integer(block.where("largest"), block.required("largest"))
    classes = tuple(product(*(imputed.values_at(place) for place in imputed.places)))
    _check_tables(imputed, len(classes) * len(imputed.values), largest)
    release = partial(
        noisy_table,
        variable=imputed.variable,
        imputation_class=imputed.class_of,
        classes=classes,
        values=imputed.values,
        ratio=ratio,
        largest=largest,
    )
    model = proportional_draw(imputed.class_of, imputed.values)
    program = partial(model_imputation, variable=imputed.variable, release=release, model=model)
    return f"in proportion to noisy counts with ratio {ratio}", program


def _check_tables(imputed: _Imputed, cells: int, largest: int) -> None:
    """Refuse more tables of counts than can be listed."""
    if largest >= _MOST_TABLES or (largest + 1) ** cells > _MOST_TABLES:
        raise imputed.block.refuse(
            "largest",
            f"must make (largest + 1)^{cells}, the tables of {cells} noisy counts, at most {_MOST_TABLES} for an exact "
            f"answer; got {shown(largest)}: use a smaller one or fewer classes",
        )


_READERS: Mapping[str, Callable[[_Imputed], tuple[str, Program]]] = {
    "hot-deck": _hot_deck,
    "sequential-hot-deck": _sequential,
    "class-mode": _class_mode,
    "noisy-table": _noisy_table,
}


def _filled(data: UnitData, imputed: _Imputed, otherwise: Any) -> UnitData:
    """The data set where nothing is missing in classes without any donor: it is `otherwise` there."""
    variable, class_of = imputed.variable, imputed.class_of
    donors = {class_of(record) for _, record in data if record[variable] is not None}
    return tuple(
        (
            unit,
            with_item(record, variable, otherwise)
            if record[variable] is None and class_of(record) not in donors
            else record,
        )
        for unit, record in data
    )
