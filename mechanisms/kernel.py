"""Mechanisms that are written as a table of laws, and those without randomness: invariants, identity, constants."""

from collections.abc import Callable, Hashable, Mapping
from itertools import islice
from typing import TypeVar

from stirred.mechanisms.source import Source
from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Law

X = TypeVar("X", bound=Hashable)
T = TypeVar("T", bound=Hashable)


def kernel(data: X, source: Source, *, laws: Mapping[X, Law[T]]) -> T:
    """An output with the law P_x that a table states for the data set x: one choice, by the weights of its row."""
    if data not in laws:
        raise InputError(f"laws must have a law for every data set; {data!r} has none")
    law = laws[data]
    return next(islice(law, source.choose(law.probabilities), None))


def release_invariants(data: X, source: Source, *, invariants: Callable[[X], Hashable]) -> Hashable:  # noqa: ARG001
    """c(x): the invariants, released exactly (article, Proposition 1)."""
    return invariants(data)


def identity(data: X, source: Source) -> X:  # noqa: ARG001
    """The data themselves: infinite loss wherever two data sets are compared at a finite distance."""
    return data


def constant(data: Hashable, source: Source, *, value: Hashable = None) -> Hashable:  # noqa: ARG001
    """One value whatever the data: no loss under any specification."""
    return value


def peeking_constant(data: Hashable, source: Source) -> tuple[str, Hashable]:  # noqa: ARG001
    """For each data set, a law without any randomness: a "constant" that was chosen by looking at the data.

    Its law on any one data set is a point mass, as for `constant`; only the function from data sets to laws shows
    that it releases everything. An audit of one law alone would pass it.
    """
    return ("constant", data)
