"""The statistics of a survey file: counts, totals and means, weighted where the survey has weights, by cell."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from math import floor, prod
from typing import Any

from stirred.mechanisms.surveys.weights import horvitz_thompson_mean, horvitz_thompson_total, weighted_mean
from stirred.spec.arguments import positive_integer
from stirred.spec.surveys.unit_data import UnitData
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.surveys.stated import Contribution
from stirred.verify.laws.surveys.survey_file import Layout

_MOST_CELLS = 100_000
_KINDS = ("count", "total", "mean")
_HALF, _ONE = Fraction(1, 2), Fraction(1)


@dataclass(frozen=True)
class SurveyStatistic:
    """A number of the processed data, or one for each cell, and the grid that noise is added on.

    Attributes:
        variable: the place of the values; None for counts.
        chosen: the places of variables with the values that a record must have to count.
        population: N of a mean that is a total over N; None where weights are summed.
        otherwise: a mean without any weight.
        kept: the range that the number is kept in; None where there is none.
    """

    words: str
    label: str
    place: str
    kind: str
    layout: Layout
    variable: int | None
    chosen: tuple[tuple[int, Any], ...]
    cells: Mapping[str, tuple[Any, ...]]
    is_weighted: bool
    population: int | None
    otherwise: Fraction | None
    kept: tuple[Fraction, Fraction] | None
    contribution: Contribution

    @property
    def unit(self) -> Fraction:
        """Noise moves the number by multiples of this."""
        return self.contribution.unit

    @property
    def labels(self) -> tuple[tuple[Any, ...], ...]:
        """The cells, each by its values, in order."""
        return tuple(product(*self.cells.values()))

    @property
    def filters(self) -> tuple[int, ...]:
        """The places of the variables that say which records count, and in which cell."""
        return tuple(dict.fromkeys([*map(self.layout.names.index, self.cells), *(at for at, _ in self.chosen)]))

    @property
    def of_sums(self) -> SurveyStatistic:
        """The same number of records that each stand for several: their weights are sums of weights as they count."""
        return replace(self, is_weighted=True, contribution=replace(self.contribution, largest=None))

    def estimates(self, data: UnitData) -> tuple[Fraction, ...]:
        """The number in each cell, before it is rounded to a multiple of the unit."""
        places = [self.layout.names.index(name) for name in self.cells]
        parts: dict[tuple[Any, ...], list[Any]] = {label: [] for label in self.labels}
        kept = data
        for at, value in self.chosen:
            kept = tuple([pair for pair in kept if pair[1][at] == value])
        for pair in kept:
            record = pair[1]
            parts[tuple([record[at] for at in places])].append(pair)
        return tuple([self._kept(self._estimate(tuple(part))) for part in parts.values()])

    def steps(self, data: UnitData) -> tuple[int, ...]:
        """The number in each cell in units, rounded half up."""
        return tuple([floor(one / self.unit + _HALF) for one in self.estimates(data)])

    def query(self, data: UnitData) -> Any:
        """What noise is added to: the rounded number, or one by cell."""
        found = tuple(step * self.unit for step in self.steps(data))
        return found[0] if len(found) == 1 else found

    def _estimate(self, part: UnitData) -> Fraction:
        weights = tuple([(unit, self._weight(record)) for unit, record in part])
        if self.kind != "mean":
            return horvitz_thompson_total(part, weights, variable=self._value)
        if self.population is not None:
            return horvitz_thompson_mean(part, weights, variable=self._value, population_size=self.population)
        if self.otherwise is not None and not sum(weight for _, weight in weights):
            return self.otherwise
        return weighted_mean(part, weights, variable=self._value)

    def _weight(self, record: Any) -> Fraction:
        if not self.is_weighted:
            return _ONE
        weight: Fraction = record[-1]
        largest = self.contribution.largest
        if largest is None:
            return weight
        if weight.numerator < 0:
            return Fraction(0)
        is_above = weight.numerator * largest.denominator > largest.numerator * weight.denominator
        return largest if is_above else weight

    def _value(self, record: Any) -> Fraction | int:
        if self.variable is None:
            return 1
        return self.layout.number(f"{self.place}.of", self.layout.names[self.variable], record[self.variable])

    def _kept(self, value: Fraction) -> Fraction:
        return value if self.kept is None else min(max(value, self.kept[0]), self.kept[1])


def read_statistic(block: Block, layout: Layout, also: Sequence[str], *, is_weighted: bool) -> SurveyStatistic:
    """The statistic of a mechanism's table."""
    keys = ("statistic", "of", "where", "cells", "unit", "largest", "population", "otherwise", "least", "most")
    kind = block.only((*also, *keys)).one_of("statistic", _KINDS)
    if kind == "count" and "of" in block:
        raise block.refuse("of", "belongs to a total or a mean")
    place = None if kind == "count" else layout.place(block, "of")
    name = None if place is None else layout.names[place]
    ends = (Fraction(1), Fraction(1)) if name is None else layout.ends(block, "of", name)
    where, chosen = _condition(block, layout)
    cells = _cells(block, layout)
    count = prod(map(len, cells.values()))
    if count > _MOST_CELLS:
        raise block.refuse("cells", f"must make at most {_MOST_CELLS} cells; got {count}")
    largest = _largest(block, is_weighted=is_weighted)
    population, otherwise, kept = _mean(block, kind, ends, cells)
    kept = _range(block, kept)
    contribution = Contribution(
        ends=ends,
        variable=name,
        largest=largest,
        span=None if kept is None else kept[1] - kept[0],
        is_sum=kind != "mean" or population is not None,
        divisor=population or 1,
        cells=count,
        filters=frozenset([*cells, *(layout.names[at] for at, _ in chosen)]),
        unit=block.given("unit", block.positive) or Fraction(1),
    )
    what = {"count": "number of records", "total": f"total of {name}", "mean": f"mean of {name}"}[kind]
    words = f"{'the weighted form of ' if is_weighted else ''}the {what}{where}"
    words += f" in each cell of {' x '.join(cells)}" if cells else ""
    words += f", weights counting as at most {largest}" if is_weighted and largest is not None else ""
    words += f", kept between {kept[0]} and {kept[1]}" if kept is not None else ""
    return SurveyStatistic(
        words=words,
        label=" of ".join(filter(None, (kind, name))),
        place=block.place,
        kind=kind,
        layout=layout,
        variable=place,
        chosen=chosen,
        cells=cells,
        is_weighted=is_weighted,
        population=population,
        otherwise=otherwise,
        kept=kept,
        contribution=contribution,
    )


def _largest(block: Block, *, is_weighted: bool) -> Fraction | None:
    if "largest" not in block:
        return None if is_weighted else Fraction(1)
    if not is_weighted:
        raise block.refuse("largest", 'belongs to a survey with a stage of kind = "weights"')
    return block.positive("largest")


def _mean(
    block: Block, kind: str, ends: tuple[Fraction, Fraction], cells: Mapping[str, Any]
) -> tuple[int | None, Fraction | None, tuple[Fraction, Fraction] | None]:
    """The size of the population that a mean is over, or its value without records, with the range it cannot leave."""
    for key in ("population", "otherwise"):
        if key in block and kind != "mean":
            raise block.refuse(key, "belongs to a mean")
    if kind != "mean":
        return None, None, None
    if ("population" in block) == ("otherwise" in block):
        raise block.refuse(
            "population", "or otherwise must be given: the size that a total is divided by, or the mean of no records"
        )
    if "population" in block:
        if cells:
            raise block.refuse("population", "belongs to a mean without cells")
        return block.read("population", positive_integer), None, None
    otherwise = block.exact("otherwise")
    if not ends[0] <= otherwise <= ends[1]:
        raise block.refuse("otherwise", f"must be between {ends[0]} and {ends[1]}; got {otherwise}")
    return None, otherwise, ends


def _range(block: Block, kept: tuple[Fraction, Fraction] | None) -> tuple[Fraction, Fraction] | None:
    """The range that the file clamps the number to."""
    given = [key for key in ("least", "most") if key in block]
    if not given:
        return kept
    if len(given) == 1:
        raise block.refuse(given[0], "requires both least and most")
    least, most = block.exact("least"), block.exact("most")
    if least >= most:
        raise block.refuse("least", f"must be below most, {most}; got {least}")
    return least, most


def _cells(block: Block, layout: Layout) -> dict[str, tuple[Any, ...]]:
    names = block.given("cells", block.names)
    if names is None:
        return {}
    if not names:
        raise block.refuse("cells", "must name at least one variable; got none")
    for name in names:
        layout.complete(block, "cells", name)
    return {name: layout.values[name] for name in names}


def _condition(block: Block, layout: Layout) -> tuple[str, tuple[tuple[int, Any], ...]]:
    """The condition on a record, in words, and as places with their values."""
    if "where" not in block:
        return "", ()
    given = block.table("where")
    chosen = tuple((layout.place(given, name, name), layout.value(given, name, name)) for name in given.values)
    words = " and ".join(f"{layout.names[place]} = {value}" for place, value in chosen)
    return f" with {words}", chosen
