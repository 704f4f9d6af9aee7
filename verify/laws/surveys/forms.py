"""Forms of steps that a run can follow for all records at once; a step of no such form is followed by its program."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Unchanged:
    """Records stay as they are."""


@dataclass(frozen=True)
class LastDonor:
    """A missing value is that of the last record before of its class that has one, so many times at most.

    Attributes:
        variable: the place of the variable.
        classes: the places of those that make the classes.
        otherwise: the value where no donor is left.
    """

    variable: int
    classes: tuple[int, ...]
    donations: int
    otherwise: Any


@dataclass(frozen=True)
class ResponseClasses:
    """A weight is multiplied by the size of the record's response class in the sample over the records of it here."""

    variable: int


@dataclass(frozen=True)
class SumsOfWeights:
    """A weight is multiplied by a number of some variables of its record and of sums of weights by these variables.

    So the program does to records that are alike in these what it does to one with the sum of their weights.
    """

    variables: tuple[int, ...]


Form = Unchanged | LastDonor | ResponseClasses | SumsOfWeights
