"""The settings of `stirred run survey`: which totals of which records are released, with which noise."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from stirred.mechanisms.surveys.weighted_totals import WeightedTotal
from stirred.spec.arguments import InputError, positive_integer, suggestion
from stirred.verify.audit.surveys.survey_file import pairs
from stirred.verify.claim.table import Block
from stirred.verify.claim.text import read_toml

_ID = re.compile(r"[A-Za-z0-9]+([._-][A-Za-z0-9]+)*")
_KEYS = ("id", "resolution", "weights", "cells", "imputation", "calibration", "design", "total")
_OUTPUT = ("total", "horvitz_thompson", "calibrated", "noise_scale")
"""Columns of the output beside the cells."""

_MOST_CELLS = 100_000
_MOST_SCALE = 20_000
"""Of the noise, in units: tables of its distribution grow with it."""


@dataclass(frozen=True)
class ReleasedTotal:
    """One total with its noise.

    Attributes:
        name: in the output.
        column: of the values; None for the sums of the weights.
        bounds: of what a record adds.
        otherwise: the value of a record for which no donor is left; None where nothing is imputed.
        epsilon: its share of the budget.
        scale: t of its noise P(k) ∝ e^(−|k|/t), in units.
    """

    name: str
    column: str | None
    bounds: WeightedTotal
    otherwise: Fraction | None
    epsilon: Fraction
    scale: Fraction


@dataclass(frozen=True)
class ReleaseSettings:
    """What is released.

    Attributes:
        id: words.
        resolution: what one record is.
        weights: the column of the weights.
        largest: W, the largest weight.
        cells: the columns that make the cells, with their values.
        donations: how often a donor gives its value; 0 where nothing is imputed.
        margins: by column how many units of the population have each value; empty without calibration.
        sizes: the sample's and the frame's size, where the sample is a simple random one.
        totals: the released ones, the sums of the weights first where there is calibration.
    """

    id: str
    resolution: str
    weights: str
    largest: Fraction
    cells: Mapping[str, tuple[str, ...]]
    donations: int
    margins: Mapping[str, Mapping[str, Fraction]]
    sizes: tuple[int, int] | None
    totals: tuple[ReleasedTotal, ...]

    @property
    def count(self) -> int:
        """How many cells there are."""
        count = 1
        for values in self.cells.values():
            count *= len(values)
        return count

    @property
    def epsilon(self) -> Fraction:
        """The sum of the budgets of all totals."""
        return sum((total.epsilon for total in self.totals), Fraction(0))

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that are read."""
        values = (total.column for total in self.totals if total.column is not None)
        return tuple(dict.fromkeys([self.weights, *self.cells, *values]))


def read_release_settings(path: str) -> ReleaseSettings:
    """The settings of a file.

    Raises:
        InputError: it cannot be read, is no TOML, or a key is unknown, missing, ill-typed or out of range.
    """
    root = Block(f"{path}:", read_toml(Path(path))).only(_KEYS)
    name = root.text("id")
    if not _ID.fullmatch(name):
        raise root.refuse("id", f"must be words joined by '.', '-' or '_'; got {name!r}")
    weights = root.table("weights").only(("column", "largest"))
    largest = _positive(weights, "largest")
    cells = _cells(root)
    count = 1
    for values in cells.values():
        count *= len(values)
    if count > _MOST_CELLS:
        raise root.refuse("cells", f"must make at most {_MOST_CELLS} cells; got {count}")
    donations = 0
    if "imputation" in root:
        given = root.table("imputation").only(("donations",))
        donations = positive_integer(given.where("donations"), given.required("donations"))
    margins, sums = _calibration(root, cells, largest, count)
    totals = tuple(_total(block, largest, count, donations) for block in root.tables("total"))
    if not totals:
        raise root.refuse("total", "must have at least one total; got none")
    names = [total.name for total in (*sums, *totals)]
    if len(set(names)) != len(names):
        also = f", and none the calibration's own {sums[0].name!r}" if sums else ""
        raise root.refuse("total", f"must have totals of different names{also}")
    return ReleaseSettings(
        name,
        root.text("resolution"),
        weights.text("column"),
        largest,
        cells,
        donations,
        margins,
        _sizes(root),
        (*sums, *totals),
    )


def _positive(block: Block, key: str) -> Fraction:
    number = block.exact(key)
    if number <= 0:
        raise block.refuse(key, f"must be positive; got {number}")
    return number


def _cells(root: Block) -> dict[str, tuple[str, ...]]:
    if "cells" not in root:
        return {}
    block = root.table("cells")
    found = {column: block.names(column) for column in block.values}
    for column, values in found.items():
        if column in _OUTPUT:
            raise block.refuse(column, f"must not be named as a column of the output ({', '.join(_OUTPUT)})")
        if not values:
            raise block.refuse(column, "must have at least one value; got none")
    return found


def _total(block: Block, largest: Fraction, count: int, donations: int) -> ReleasedTotal:
    block.only(("name", "column", "low", "high", "unit", "epsilon", "otherwise"))
    low, high, unit = block.exact("low"), block.exact("high"), _unit(block)
    bounds: WeightedTotal = block.within("low", lambda: WeightedTotal(low, high, largest, unit))
    otherwise = None
    if ("otherwise" in block) != bool(donations):
        needed = "belongs to a file with [imputation]" if "otherwise" in block else "is missing: [imputation] needs it"
        raise block.refuse("otherwise", needed)
    if donations:
        otherwise = block.exact("otherwise")
        if not low <= otherwise <= high:
            raise block.refuse("otherwise", f"must be between low and high; got {otherwise}")
    scale = _scale(block, bounds, count, donations)
    return ReleasedTotal(block.text("name"), block.text("column"), bounds, otherwise, block.exact("epsilon"), scale)


def _unit(block: Block) -> Fraction:
    return _positive(block, "unit") if "unit" in block else Fraction(1)


def _scale(block: Block, bounds: WeightedTotal, count: int, donations: int) -> Fraction:
    """The scale of the noise for the budget of a table."""
    scale = bounds.scale(_positive(block, "epsilon"), count, donations)
    if scale > _MOST_SCALE:
        least = -(-bounds.unit * scale // _MOST_SCALE)
        raise block.refuse(
            "unit", f"must be larger, about {least}: noise of a scale of {scale // 1} units is above {_MOST_SCALE}"
        )
    return scale


def _calibration(
    root: Block, cells: Mapping[str, tuple[str, ...]], largest: Fraction, count: int
) -> tuple[dict[str, dict[str, Fraction]], tuple[ReleasedTotal, ...]]:
    """The margins of the population, and the sums of weights that are released to meet them."""
    if "calibration" not in root:
        return {}, ()
    block = root.table("calibration").only(("epsilon", "unit", "totals"))
    given = block.table("totals")
    margins: dict[str, dict[str, Fraction]] = {}
    for column in given.values:
        if column not in cells:
            hint = suggestion(column, tuple(cells)) if cells else "the file has no [cells]"
            raise InputError(f"{given.where(column)}: must be a column of the cells; {hint}")
        margins[column] = pairs(given, column, _count)
        if set(margins[column]) != set(cells[column]):
            raise given.refuse(column, f"must have a total for each of {list(cells[column])} and no other value")
    if not margins:
        raise block.refuse("totals", "must have at least one column; got none")
    sums = {column: sum(margin.values(), Fraction(0)) for column, margin in margins.items()}
    if len(set(sums.values())) > 1:
        shown = ", ".join(f"{column}: {total}" for column, total in sums.items())
        raise block.refuse("totals", f"must add up to one population size; got {shown}")
    one, unit = Fraction(1), _unit(block)
    bounds: WeightedTotal = block.within("unit", lambda: WeightedTotal(one, one, largest, unit))
    scale = _scale(block, bounds, count, 0)
    return margins, (ReleasedTotal("weights", None, bounds, None, block.exact("epsilon"), scale),)


def _count(place: str, value: Any) -> Fraction:
    return Fraction(positive_integer(place, value))


def _sizes(root: Block) -> tuple[int, int] | None:
    if "design" not in root:
        return None
    block = root.table("design").only(("name", "size", "frame"))
    block.one_of("name", ("simple-random-sample",))
    size, frame = (positive_integer(block.where(key), block.required(key)) for key in ("size", "frame"))
    if size > frame:
        raise block.refuse("size", f"must be at most the frame's {frame} units; got {size}")
    return size, frame
