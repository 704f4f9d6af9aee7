"""Households in a table, with their places, profiles and risks, as the arrays that targeted swapping works on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from stirred.mechanisms.fast.targeted_swapping import PlacedHouseholds, RiskCodes
from stirred.mechanisms.tables.cells import paired
from stirred.mechanisms.tables.coded_column import coded_column, combined
from stirred.mechanisms.tables.persons import CarriedPersons
from stirred.mechanisms.tables.reading import TableFile
from stirred.spec.arguments import InputError, parse_exact, probability

Codes = NDArray[np.int64]

RATE = "rate"
"""The column of a table of rates besides the places."""

_DIGITS = 17


@dataclass(frozen=True)
class TargetedColumns:
    """The columns by what they do.

    Attributes:
        places: the hierarchy, the largest first.
        similar: of each profile.
        risk: by which persons, or households where there are none, are alike; empty for a risk that is given.
        given: the column of a risk that is given, the same at each level.
    """

    places: Sequence[str]
    similar: Sequence[Sequence[str]]
    risk: Sequence[str] = ()
    given: str | None = None


def placed_households(
    file: TableFile, table: Any, columns: TargetedColumns, persons: CarriedPersons | None
) -> PlacedHouseholds:
    """The arrays of the households of a table; a column of a key is that of the persons where they have it."""
    places = [combined(table, columns.places[: level + 1]) for level in range(len(columns.places))]
    similar = [combined(table, profile) for profile in columns.similar]
    if columns.given is not None:
        risk = _given_risk(file, columns.given, table[columns.given])
        return PlacedHouseholds(places, similar, [risk] * len(places))
    return PlacedHouseholds(places, similar, [_anonymity(table, place, columns.risk, persons) for place in places])


def _anonymity(table: Any, place: Codes, names: Sequence[str], persons: CarriedPersons | None) -> RiskCodes:
    """The risk at one level: 1/(the persons of the place with the rarest key of the household); 0 without persons."""
    rows = len(table)
    homes = np.arange(rows) if persons is None else persons.homes
    own = place[homes]
    for name in names:
        is_person = persons is not None and name in persons.table.column_names
        code = combined(persons.table if persons is not None and is_person else table, [name])
        own = paired(own, code if is_person else code[homes])
    counts = np.bincount(own)[own] if len(own) else own
    rarest = np.full(rows, np.iinfo(np.int64).max)
    np.minimum.at(rarest, homes, counts)
    has_any = rarest < np.iinfo(np.int64).max
    return RiskCodes(has_any.astype(np.int64), np.where(has_any, rarest, 1))


def _given_risk(file: TableFile, name: str, column: Any) -> RiskCodes:
    """A column of decimals, exact; a float is what its shortest decimal says."""
    coded = coded_column(name, column)
    numbers = [_decimal(file, name, value) for value in coded.values.to_pylist()]
    places = max([0, *(-int(one.as_tuple().exponent) for one in numbers)])
    if places > _DIGITS or any(one >= 10 ** (_DIGITS + 1 - places) for one in numbers):
        raise InputError(f"{file.path}: {name} must have at most {_DIGITS} digits; it has more")
    above = np.array([int(one.scaleb(places)) for one in numbers], dtype=np.int64)
    return RiskCodes(above[coded.codes], np.full(len(coded.codes), 10**places, dtype=np.int64))


def _decimal(file: TableFile, name: str, value: Any) -> Decimal:
    try:
        number = Decimal(str(value))
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite() or number < 0:
        raise InputError(f"{file.path}: {name} must be a number of at least 0 for each household; got {value!r}")
    return number


def read_rates(
    file: TableFile, table: Any, places: Sequence[str], parse: Callable[[str, str], Fraction] = parse_exact
) -> list[Fraction]:
    """The swap rate of each lowest place, in the order of its code, from a file with exactly one line for each.

    Args:
        parse: a rate from where it stands and its text.
    """
    file.require((*places, RATE))
    listed = file.table([*places, RATE], [])
    rates: dict[tuple[str, ...], Fraction] = {}
    for line in listed.to_pylist():
        place = tuple(str(line[name]) for name in places)
        if place in rates:
            raise InputError(f"{file.path}: each place must have one rate; {' / '.join(place)} has two")
        where = f"{file.path}: {RATE} of {' / '.join(place)}"
        rates[place] = probability(where, parse(where, str(line[RATE])))
    named = _named_places(table, places)
    if unknown := sorted(rates.keys() - set(named)):
        raise InputError(f"{file.path}: each place must be that of a household; {' / '.join(unknown[0])} is not")
    return [_rate(file, rates, place) for place in named]


def _named_places(table: Any, places: Sequence[str]) -> list[tuple[str, ...]]:
    codes = combined(table, places)
    first = np.zeros(int(codes.max(initial=-1)) + 1, dtype=np.int64)
    first[codes] = np.arange(len(codes))
    columns = [table[name].take(pa.array(first)).to_pylist() for name in places]
    return [tuple(map(str, values)) for values in zip(*columns, strict=True)]


def _rate(file: TableFile, rates: Mapping[tuple[str, ...], Fraction], place: tuple[str, ...]) -> Fraction:
    if place not in rates:
        raise InputError(f"{file.path}: must have a rate for every place of a household; {' / '.join(place)} has none")
    return rates[place]
