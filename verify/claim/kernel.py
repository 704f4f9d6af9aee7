"""A mechanism that a claim file states as a table: the law of the output on every data set of its domain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.mechanisms.kernel import kernel
from stirred.mechanisms.source import Source
from stirred.spec.arguments import InputError, probability
from stirred.spec.domain import FiniteDomain
from stirred.spec.law import Law
from stirred.verify.claim.domain import freeze, refuse_tables
from stirred.verify.claim.table import Block
from stirred.verify.laws.plain import plain_text

__all__ = ["Kernel", "build_kernel"]


@dataclass(frozen=True)
class Kernel:
    """The table as a mechanism; tables with the same laws are equal.

    Attributes:
        laws: P_x for every data set x of the domain; an outcome is the canonical text of the output, since true, 1
            and "1" are three outputs although Python takes the first two for one.
    """

    laws: Mapping[Any, Law[str]]

    def __call__(self, data: Any, source: Source) -> str:
        return kernel(data, source, laws=self.laws)


def build_kernel(block: Block, domain: FiniteDomain) -> Kernel:
    """The table laws = [[x, [[output, probability], …]], …], with one row for each data set of the domain.

    Raises:
        InputError: a row has another form, is for no data set of the domain or for one that has a law already, lists
            an output twice or probabilities that are no law; or a data set has no row.
    """
    points = {_typed_text(block.where("laws"), point): point for point in domain}
    laws: dict[Any, Law[str]] = {}
    for index, row in enumerate(block.array("laws")):
        place = f"{block.where('laws')}[{index}]"
        if not isinstance(row, list) or len(row) != 2 or not isinstance(row[1], list):
            raise InputError(f"{place} must be [data set, [[output, probability], ...]]; got {row!r}")
        text = _typed_text(place, row[0])
        if text not in points:
            raise InputError(f"{place}: the data set must be one of the domain; got {freeze(row[0])!r}")
        if points[text] in laws:
            raise InputError(f"{place}: each data set must have one law; {points[text]!r} has two")
        laws[points[text]] = _law(place, row[1])
    for point in domain:
        if point not in laws:
            raise InputError(
                f"{block.where('laws')} must have a law for every data set of the domain; {point!r} has none"
            )
    return Kernel(laws)


def _law(place: str, entries: list[Any]) -> Law[str]:
    mass: dict[str, Fraction] = {}
    for index, entry in enumerate(entries):
        where = f"{place}[1][{index}]"
        if not isinstance(entry, list) or len(entry) != 2:
            raise InputError(f"{where} must be [output, probability]; got {entry!r}")
        outcome = _typed_text(where, entry[0])
        if outcome in mass:
            raise InputError(f"{where}: each output must be listed once; {outcome} is listed twice")
        mass[outcome] = probability(where, Block(where, {"probability": entry[1]}).exact("probability"))
    if (total := sum(mass.values())) != 1:
        raise InputError(f"{place}: probabilities must sum to exactly 1; got {total}")
    return Law(mass)


def _typed_text(place: str, value: Any) -> str:
    """A text, integer, boolean or array of them as its canonical text, which no two of them have in common."""
    refuse_tables(place, freeze(value))
    try:
        return plain_text(freeze(value))
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
