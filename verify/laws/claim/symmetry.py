"""The symmetry that a claim declares: which records, or values of records, its mechanism treats alike."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stirred.spec.arguments import InputError, suggestion
from stirred.spec.blocks.domain import FiniteDomain
from stirred.verify.engines.symmetry import Generator, Symmetry
from stirred.verify.laws.claim.domain import DomainKind, check_variable

RECORDS, VALUES = "records", "values"


def build_symmetry(place: str, entries: Sequence[Any], kind: DomainKind, domain: FiniteDomain) -> Symmetry:
    """The declared symmetry of data sets that are tuples of records.

    An entry is "records": the records of a data set in any order; "values": every bijection of records, applied to all
    of them; or an array of variables: every bijection of their values.
    """
    if not entries:
        raise InputError(f"{place} must name at least one of 'records', 'values' and arrays of variables; got none")
    if kind.margins is not None or not all(isinstance(point, tuple) for point in domain):
        raise InputError(f"{place} requires data sets that are tuples of records")
    generators: list[Generator] = []
    words = []
    for index, entry in enumerate(entries):
        if entry in entries[:index]:
            raise InputError(f"{place} has duplicates; got {entry!r}")
        found = list(_generators(f"{place}[{index}]", entry, kind, domain))
        if not found:
            raise InputError(f"{place}[{index}] must have at least two things to exchange; got {entry!r}")
        generators += found
        words.append(entry if isinstance(entry, str) else f"values of {', '.join(entry)}")
    key = (lambda point: point) if kind.is_ordered else (lambda point: frozenset(Counter(point).items()))
    return Symmetry(place, " and ".join(words), tuple(generators), key)


def _generators(place: str, entry: Any, kind: DomainKind, domain: FiniteDomain) -> Iterator[Generator]:
    if entry == RECORDS:
        if not kind.is_ordered:
            raise InputError(f"{place} must not be 'records' on an unordered domain: its records have no order")
        longest = max(map(len, domain))
        if longest > 1:
            yield Generator("the first two records exchanged", _exchanged, moves_places=True)
        if longest > 2:
            yield Generator("the first record moved to the end", _turned, moves_places=True)
        return
    records = list(dict.fromkeys(record for point in domain for record in point))
    replaced, parts = _parts(place, entry, kind, records)
    if len(parts) > 1:
        first, second, *_ = parts
        swap = {first: second, second: first}
        yield Generator(f"{first!r} and {second!r} exchanged", _Mapped(replaced, swap), moves_places=False)
    if len(parts) > 2:
        turn = dict(zip(parts, [*parts[1:], parts[0]], strict=True))
        said = f"{', '.join(map(repr, parts[:-1]))}, {parts[-1]!r} turned round"
        yield Generator(said, _Mapped(replaced, turn), moves_places=False)


def _exchanged(point: Any) -> Any:
    return (*point[1::-1], *point[2:])


def _turned(point: Any) -> Any:
    return (*point[1:], *point[:1])


def _parts(place: str, entry: Any, kind: DomainKind, records: Sequence[Any]) -> tuple[Sequence[int] | None, list[Any]]:
    """The places in a record of what is exchanged, None for all of it, and what stands there."""
    if entry == VALUES:
        return None, list(records)
    names = kind.variables or ()
    if not isinstance(entry, (list, tuple)) or not entry or not all(isinstance(name, str) for name in entry):
        hint = suggestion(entry, (RECORDS, VALUES)) if isinstance(entry, str) else "write ['variable', …]"
        raise InputError(f"{place} must be 'records', 'values' or an array of variables; got {entry!r}: {hint}")
    if not names:
        raise InputError(f"{place} must not name variables; the domain has no schema")
    for name in entry:
        check_variable(place, name, names)
        if entry.count(name) > 1:
            raise InputError(f"{place} has duplicates; got {entry!r}")
    replaced = [names.index(name) for name in entry]
    return replaced, list(dict.fromkeys(tuple(record[at] for at in replaced) for record in records))


class _Mapped:
    """Data sets with each record, or some of its values, replaced by what a bijection maps it to."""

    def __init__(self, replaced: Sequence[int] | None, bijection: Mapping[Any, Any]) -> None:
        self._replaced = replaced
        self._bijection = bijection

    def __call__(self, point: Any) -> Any:
        return tuple(map(self._record, point))

    def _record(self, record: Any) -> Any:
        if self._replaced is None:
            return self._bijection.get(record, record)
        part = tuple(record[at] for at in self._replaced)
        values = list(record)
        for at, value in zip(self._replaced, self._bijection.get(part, part), strict=True):
            values[at] = value
        return tuple(values)
