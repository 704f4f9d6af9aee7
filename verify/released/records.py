"""What the records of a release are counted by, read from its schema.toml."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stirred.spec.arguments import InputError
from stirred.verify.files.toml_text import load_toml

__all__ = ["UNCOUNTED", "RecordKinds", "record_kinds"]

UNCOUNTED = -1
"""The answer that a cell is not in."""

_ANY, _DETAILED = "*", "detailed"


@dataclass(frozen=True)
class RecordKinds:
    """The cells that records fall into: every combination of values, the last attribute changing fastest.

    Attributes:
        unit: what one record is.
        leaf: the column that names the leaf of a record.
        attributes: the values of each attribute.
        groups: coarser versions: the attribute, and by name its values.
        rules: by name, the values of attributes that make a kind, and the most records of it in a leaf.
        units: the attribute or recode that says in what type of unit a record is; fewest and most records of a unit.
    """

    unit: str
    leaf: str
    attributes: Mapping[str, Sequence[str]]
    groups: Mapping[str, tuple[str, Mapping[str, Sequence[str]]]]
    rules: Mapping[str, tuple[Mapping[str, Sequence[str]], int]]
    units: tuple[str, Mapping[str, int], Mapping[str, int]] | None = None

    @property
    def size(self) -> int:
        """How many cells there are."""
        return prod(map(len, self.attributes.values()))

    def answers(
        self, place: str, factors: Sequence[str], rule: str | None = None
    ) -> tuple[NDArray[np.int64], list[int]]:
        """For every cell the answer that it is in, and how many answers there are along each attribute.

        Args:
            place: of the query, for messages.
            factors: by what the query counts each attribute.
            rule: the one whose constraint it is.

        Raises:
            InputError: a factor is not known.

        >>> kinds = RecordKinds("person", "block", {"a": ("x", "y"), "b": ("u", "v")}, {}, {})
        >>> answer, shape = kinds.answers("query", ["*", "b"])
        >>> answer.tolist(), shape
        ([0, 1, 0, 1], [1, 2])
        """
        found = np.zeros((), dtype=np.int64)
        shape = []
        for attribute, factor in zip(self.attributes, factors, strict=True):
            labels = self._labels(place, attribute, factor, rule)
            numbers = {label: number for number, label in enumerate(dict.fromkeys(one for one in labels if one))}
            shape.append(len(numbers))
            own = np.array([numbers[label] if label else UNCOUNTED for label in labels], dtype=np.int64)
            before = found[..., None]
            found = np.where((before < 0) | (own < 0), UNCOUNTED, before * len(numbers) + own)
        return found.ravel(), shape

    def _labels(self, place: str, attribute: str, factor: str, rule: str | None) -> list[tuple[str, ...] | None]:
        """What each value of an attribute is counted as; None where it is not counted."""
        values = self.attributes[attribute]
        if factor == _ANY:
            return [(_ANY,)] * len(values)
        if rule is not None and factor == rule:
            return [(rule,) if value in self.rules[rule][0].get(attribute, ()) else None for value in values]
        columns = [self._column(place, attribute, name.strip()) for name in factor.split("*")]
        found = zip(*columns, strict=True)
        return [None if None in one else tuple(str(label) for label in one) for one in found]

    def labels(self, query: str, cells: Sequence[int]) -> list[str]:
        """What a query counts each of these cells as, by the names of its parts.

        Raises:
            InputError: a part of the query is not known.
        """
        names = list(self.attributes)
        columns = [(names.index(of), self._column(query, of, part)) for of, part in self._parts(query)]
        return [
            ", ".join(_quoted(str(column[places[of]])) for of, column in columns) or query
            for places in self._places(cells)
        ]

    def factors(self, query: str) -> list[str]:
        """By what a query counts each attribute, as its name says.

        Raises:
            InputError: a part of the query is not known.
        """
        if query == _DETAILED:
            return [_DETAILED] * len(self.attributes)
        parts = self._parts(query)
        return [" * ".join(part for of, part in parts if of == name) or _ANY for name in self.attributes]

    def _parts(self, query: str) -> list[tuple[str, str]]:
        """The attribute that each part of a query looks at, and the part."""
        parts = {"total": [], _DETAILED: list(self.attributes)}.get(query, [part.strip() for part in query.split("*")])
        found = [(self.groups[part][0] if part in self.groups else part, part) for part in parts]
        for of, part in found:
            if of not in self.attributes:
                raise InputError(f"{query}: must be made of attributes and recodes; {part!r} is none")
        return found

    def kinds_of(self, name: str) -> list[str]:
        """The values of an attribute or recode, in the order of the answers to the query of this name.

        Raises:
            InputError: it is not known.

        >>> kinds = RecordKinds("person", "block", {"a": ("x", "y", "z")}, {"c": ("a", {"d": "z", "e": "xy"})}, {})
        >>> kinds.kinds_of("c")
        ['e', 'd']
        """
        ((of, part),) = self._parts(name)
        return list(dict.fromkeys(one for one in self._column(name, of, part) if one is not None))

    def values_of(self, cell: int) -> list[str]:
        """The values that make a cell."""
        places = self._places([cell])[0]
        return [values[place] for values, place in zip(self.attributes.values(), places, strict=True)]

    def _places(self, cells: Sequence[int]) -> list[tuple[int, ...]]:
        """Which value of each attribute makes each cell."""
        sizes = [len(values) for values in self.attributes.values()]
        return [tuple(map(int, one)) for one in zip(*np.unravel_index(cells, sizes), strict=True)]

    def _column(self, place: str, attribute: str, name: str) -> list[str | None]:
        values = self.attributes[attribute]
        if name in (attribute, _DETAILED):
            return list(values)
        of, groups = self.groups.get(name, ("", {}))
        if of != attribute:
            raise InputError(f"{place}: {attribute} must be counted by a name of schema.toml; got {name!r}")
        named = {value: group for group, members in groups.items() for value in members}
        return [named.get(value) for value in values]


def record_kinds(place: str, text: str) -> RecordKinds:
    """What a schema says of records.

    Args:
        place: of the text, for messages.
        text: TOML.

    Raises:
        InputError: it is no schema.
    """
    found = load_toml(place, text, parse_float=str)
    try:
        kinds = RecordKinds(
            _text(found["record"]),
            _text(found["geography"]),
            {name: _texts(values) for name, values in found["attributes"].items()},
            {name: (_text(one["of"]), _lists(one["groups"])) for name, one in found.get("recodes", {}).items()},
            {_text(one["name"]): (_lists(one["where"]), _count(one.get("most", 0))) for one in found.get("rules", ())},
            _units(found["units"]) if "units" in found else None,
        )
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"{place}: must be a schema of records: {error}") from None
    if not kinds.attributes or not all(kinds.attributes.values()):
        raise InputError(f"{place}: must have attributes with values")
    return kinds


def _units(table: Mapping[str, Any]) -> tuple[str, Mapping[str, int], Mapping[str, int]]:
    least, most = ({name: _count(value) for name, value in table.get(key, {}).items()} for key in ("least", "most"))
    return _text(table["attribute"]), least, most


def _quoted(value: str) -> str:
    return repr(value) if set(value) & set(",'\"") else value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"{value!r} must be a text")
    return value


def _count(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(f"{value!r} must be an integer")
    return value


def _texts(values: Iterable[Any]) -> tuple[str, ...]:
    found = tuple(map(_text, values))
    if len(set(found)) != len(found):
        raise ValueError(f"{found!r} must be values that differ")
    return found


def _lists(table: Mapping[str, Iterable[Any]]) -> Mapping[str, tuple[str, ...]]:
    return {name: _texts(values) for name, values in table.items()}
