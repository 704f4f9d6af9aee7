"""A kernel: the mechanism that an explicit table of laws is, as an auditor writes down a published one."""

from collections.abc import Hashable, Mapping
from itertools import islice
from typing import TypeVar

from stirred.mechanisms.source import Source
from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Law

X = TypeVar("X", bound=Hashable)
T = TypeVar("T", bound=Hashable)


def kernel(data: X, source: Source, *, laws: Mapping[X, Law[T]]) -> T:
    """An output with the law P_x that a table states for the data set x: one choice, by the weights of its row.

    Args:
        data: the data set x.
        source: its randomness.
        laws: P_x for every data set.

    Raises:
        InputError: the table has no law for the data set.
    """
    if data not in laws:
        raise InputError(f"laws must have a law for every data set; {data!r} has none")
    law = laws[data]
    return next(islice(law, source.choose(law.probabilities), None))
