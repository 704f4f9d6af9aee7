"""The file of a survey, which `stirred survey` audits and `stirred run survey` runs."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError, integer, parse_exact, probability, shown
from stirred.spec.blocks.domain import Schema
from stirred.verify.laws.claim.domain import check_variable, freeze, refuse_tables
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.claim.text import read_toml

_ID = re.compile(r"[A-Za-z0-9]+([._-][A-Za-z0-9]+)*")
_KEYS = ("id", "statement", "population", "stage", "mechanism", "calibration", "protection", "budget")
_MOST_UNITS = 12
_MOVED = {
    "resolution": "protection.resolution",
    "weights": '[[stage]] kind = "weights", with population.weight for the column and mechanism.largest',
    "cells": "mechanism.cells, with their values in population.schema",
    "imputation": '[[stage]] kind = "imputation", name = "sequential-hot-deck"',
    "design": '[[stage]] kind = "design"',
    "total": '[[mechanism]] name = "geometric", statistic = "total"',
}
"""Keys of earlier versions, with what to write instead."""


@dataclass(frozen=True)
class Layout:
    """The variables of a record at some stage, in the order of its values.

    Attributes:
        values: the possible values of each variable, by name; None where the answer is missing.
        collected: those that only the survey collects; no register, frame or list of the sample holds them.
        numbers: those that may be any number between the least and the greatest value in the records of a run.
    """

    values: Mapping[str, tuple[Any, ...]]
    collected: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()
    weight: str = "weight"

    @property
    def names(self) -> tuple[str, ...]:
        """The names, in order."""
        return tuple(self.values)

    def place(self, block: Block, key: str, name: str | None = None) -> int:
        """The place in a record of the variable that a key names."""
        chosen = block.text(key) if name is None else name
        check_variable(block.where(key), chosen, self.names)
        return self.names.index(chosen)

    def complete(self, block: Block, key: str, name: str | None = None) -> int:
        """The place of a variable that is never missing at this stage."""
        place = self.place(block, key, name)
        if None in self.values[self.names[place]]:
            raise block.refuse(key, f"must be a variable that is never missing; {self.names[place]!r} may be")
        return place

    def registered(self, block: Block, key: str) -> int:
        """The place of a variable that is known before a sample is drawn."""
        place = self.complete(block, key)
        if self.names[place] in self.collected:
            raise block.refuse(
                key, f"must be known before the sample is drawn; {self.names[place]!r} is collected by the survey"
            )
        return place

    def unanswered(self, name: str) -> Layout:
        """The layout after a stage that leaves some answers of a variable missing."""
        return replace(self, values={**self.values, name: (*self.imputed(name).values[name], None)})

    def imputed(self, name: str) -> Layout:
        """The layout after a stage that imputes a variable wherever it is missing."""
        answers = tuple(value for value in self.values[name] if value is not None)
        return replace(self, values={**self.values, name: answers})

    def value(self, block: Block, key: str, name: str) -> Any:
        """The value that a key gives for a variable, one of those that it can have."""
        found = freeze(block.required(key))
        known = [value for value in self.values[name] if value is not None]
        if found not in known:
            raise block.refuse(key, f"must be a value of {name!r}, one of {known}; got {found!r}")
        return found

    def ends(self, block: Block, key: str, name: str) -> tuple[Fraction, Fraction]:
        """The least and the greatest value of a variable that has numbers."""
        numbers = [self.number(block.where(key), name, one) for one in self.values[name] if one is not None]
        return Fraction(min(numbers)), Fraction(max(numbers))

    def number(self, place: str, name: str, value: Any) -> Fraction | int:
        """A value of a variable that is a number."""
        if isinstance(value, bool) or not isinstance(value, (int, Fraction)):
            found = "a missing answer" if value is None else repr(value)
            raise InputError(f"{place}: the values of {name!r} must be integers; got {found}")
        return value

    def known(self, record: tuple[Any, ...]) -> tuple[Any, ...]:
        """What registers hold of a record: the values that are not collected, and whatever a stage has added."""
        names = self.names
        return tuple(
            value for place, value in enumerate(record) if place >= len(names) or names[place] not in self.collected
        )


@dataclass(frozen=True)
class SurveyFile:
    """A survey as its file states it.

    Attributes:
        missing: the value that stands for no answer; None where there is none.
        stages: from the frame on, in order.
        mechanisms: how the processed data are released, one after another.
    """

    id: str
    statement: str
    path: Path
    layout: Layout
    units: tuple[Any, ...]
    missing: str | None
    stages: tuple[Block, ...]
    mechanisms: tuple[Block, ...]
    calibration: Block | None
    protection: Block
    budget: Block | None


def read_survey(path: str) -> SurveyFile:
    """The survey of a file."""
    file = Path(path)
    root = Block(f"{path}:", read_toml(file))
    for key in root.values:
        if key in _MOVED:
            raise InputError(f"{root.where(key)}: unknown key; use {_MOVED[key]}")
    name = root.only(_KEYS).text("id")
    if not _ID.fullmatch(name):
        raise root.refuse("id", f"must be words joined by '.', '-' or '_'; got {name!r}")
    population = root.table("population").only(("schema", "units", "collected", "missing", "numbers", "weight"))
    several = isinstance(root.values.get("mechanism"), list)
    mechanisms = root.tables("mechanism") if several else (root.table("mechanism"),)
    if not mechanisms:
        raise root.refuse("mechanism", "must have at least one table; got none")
    return SurveyFile(
        name,
        root.text("statement"),
        file,
        _layout(population),
        _units(population),
        population.given("missing", population.text),
        root.given("stage", root.tables) or (),
        mechanisms,
        root.table("calibration").only(("counts", "totals")) if "calibration" in root else None,
        root.table("protection").only(("starts", "invariant", "distance", "resolution")),
        _budget(root) if "budget" in root else None,
    )


def _budget(root: Block) -> Block:
    budget = root.table("budget").only(("epsilon", "gamma"))
    key = budget.one_key("epsilon", "gamma")
    if isinstance(budget.values[key], list):
        raise budget.refuse(key, f"must be one number; got {budget.values[key]!r}")
    return budget


def _layout(population: Block) -> Layout:
    given = population.table("schema")
    variables = {name: tuple(freeze(given.array(name))) for name in given.values}
    refuse_tables(population.where("schema"), tuple(variables.values()))
    if not variables:
        raise population.refuse("schema", "must have at least one variable; got none")
    population.within("schema", lambda: Schema(variables))
    if "missing" in population:
        variables = _with_missing(population, variables)
    chosen = {key: population.given(key, population.names) or () for key in ("collected", "numbers")}
    for key, names in chosen.items():
        for name in names:
            check_variable(population.where(key), name, tuple(variables))
    weight = population.given("weight", population.text) or "weight"
    if weight in variables:
        raise population.refuse("weight", f"must not be a column of the schema; got {weight!r}")
    layout = Layout(variables, **chosen, weight=weight)
    for name in layout.numbers:
        layout.ends(population, "numbers", name)
    return layout


def _with_missing(population: Block, variables: Mapping[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    """The variables with None for the value that stands for a missing answer."""
    word = population.text("missing")
    if not any(word in values for values in variables.values()):
        raise population.refuse("missing", f"must be a value of some variable; got {word!r}")
    return {name: tuple(None if value == word else value for value in values) for name, values in variables.items()}


def _units(population: Block) -> tuple[Any, ...]:
    """The labels of the units: 1, …, N, or those that are listed."""
    is_listed = isinstance(population.required("units"), list)
    labels = population.names("units") if is_listed else ()
    count = len(labels) if is_listed else population.read("units", integer)
    if not 1 <= count <= _MOST_UNITS:
        raise population.refuse("units", f"must be 1 to {_MOST_UNITS} for an exact answer; got {shown(count)}")
    return tuple(sorted(labels)) if is_listed else tuple(range(1, count + 1))


def rate(place: str, value: Any) -> Fraction:
    """An exact probability in (0, 1]."""
    number = parse_exact(place, value)
    if not 0 < number <= 1:
        raise InputError(f"{place} must be above 0 and at most 1; got {shown(number)}")
    return number


def share(place: str, value: Any) -> Fraction:
    """An exact probability in [0, 1]."""
    return probability(place, parse_exact(place, value))


def pairs(block: Block, key: str, number: Callable[[str, Any], Any]) -> dict[Any, Any]:
    """An array of [value, number] as a table."""
    found: dict[Any, Any] = {}
    for place, row in block.entries(key):
        if not isinstance(row, list) or len(row) != 2:
            raise InputError(f"{place} must be [value, number]; got {row!r}")
        value = freeze(row[0])
        if isinstance(value, dict) or value in found:
            raise InputError(f"{place} must name each value once; got {row[0]!r}")
        found[value] = number(place, row[1])
    return found


def numbers_by_value(
    block: Block, key: str, layout: Layout, variable: int, number: Callable[[str, Any], Any]
) -> dict[Any, Any]:
    """A number for every value of a variable."""
    found, values = pairs(block, key, number), layout.values[layout.names[variable]]
    for value in found:
        if value not in values:
            raise block.refuse(key, f"must be for values of {layout.names[variable]!r}, {list(values)}; got {value!r}")
    for value in values:
        if value is not None and value not in found:
            raise block.refuse(
                key, f"must have a number for every value of {layout.names[variable]!r}; {value!r} has none"
            )
    return found
