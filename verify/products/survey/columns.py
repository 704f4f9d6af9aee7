"""Records of a survey by column, and as the data set whose units are their numbers."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

from stirred.spec.surveys.unit_data import UnitData

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


@dataclass(frozen=True)
class Coded:
    """A column by its distinct values.

    Attributes:
        codes: for each record the place of its value.
        values: each once; None where an answer is missing.
    """

    codes: NDArray[np.int32]
    values: tuple[Any, ...]

    def __iter__(self) -> Iterator[Any]:
        return map(self.values.__getitem__, self.codes.tolist())


@dataclass(frozen=True)
class WeightColumn:
    """Weights, each a whole number times a scale.

    Attributes:
        numbers: for each record the whole number, of any size.
        scales: exact numbers.
    """

    numbers: NDArray[np.object_]
    scales: Coded

    def __iter__(self) -> Iterator[Fraction]:
        known: dict[tuple[int, int], Fraction] = {}  # records of one weight share it
        for number, code in zip(self.numbers.tolist(), self.scales.codes.tolist(), strict=True):
            if (number, code) not in known:
                known[number, code] = number * self.scales.values[code]
            yield known[number, code]

    @property
    def only(self) -> Fraction | None:
        """The weight that all records have; None where they differ."""
        weights = iter(self)
        first = next(weights)
        return first if all(one == first for one in weights) else None


@dataclass(frozen=True)
class Records:
    """The records of a stage, at least one.

    Attributes:
        variables: in the order of the layout.
        weights: None where the survey has none at this stage.
        sizes: how many units of a record's response class the sample has; None where no weight is adjusted by it.
    """

    variables: tuple[Coded, ...]
    weights: WeightColumn | None
    sizes: Coded | None

    def __len__(self) -> int:
        return len(self.variables[0].codes)

    @cached_property
    def data(self) -> UnitData:
        """What the programs of steps take; units are the numbers of the records, from 1."""
        columns = [*self.variables, *(one for one in (self.weights, self.sizes) if one is not None)]
        return tuple(enumerate(zip(*columns, strict=True), 1))
