"""From a claim file's domain and multiverse to finite sets: what an exhaustive audit can list."""

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import comb
from typing import Any

from stirred.spec.arguments import InputError, integer, suggestion
from stirred.spec.blocks.domain import (
    MAX_DOMAIN_SIZE,
    FiniteDomain,
    Schema,
    multisets,
    ordered_data_sets,
    tables_with_margins,
)
from stirred.spec.blocks.multiverse import Invariant, Multiverse
from stirred.spec.blocks.tables import count_tables
from stirred.spec.flavors.permutation_swapping import Margins, swapping_invariants
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.foreign import ForeignFunction

_MAX_TABLES = 20_000
"""Above this many tables with given margins, none are counted."""

_MAX_RECORDS = 1_000


@dataclass(frozen=True)
class DomainKind:
    """A finite domain as the file describes it.

    Attributes:
        margins: the margins of each stratum, where the domain is one universe of the swapping multiverse.
        place: the file and key, or the argument, that gives it.
        schema: each variable of a record with its values, where the domain is data sets over a schema.
        lengths: the numbers of records, where a schema is given.
    """

    size: int
    build: Callable[[], FiniteDomain]
    margins: tuple[Margins, ...] | None
    is_ordered: bool
    place: str
    schema: Mapping[str, tuple[Any, ...]] | None = None
    lengths: tuple[int, ...] = ()

    @property
    def variables(self) -> tuple[str, ...] | None:
        """The names of a record's variables, where the domain is data sets over a schema."""
        return None if self.schema is None else tuple(self.schema)

    @property
    def order_matters(self) -> bool:
        """Whether a data set with its records in another order is another one; if not, it stands for all of them."""
        return self.is_ordered or self.schema is None

    @property
    def size_text(self) -> str:
        """The number of data sets, or its order of magnitude."""
        digits = self.size.bit_length() * 30103 // 100_000
        return str(self.size) if digits < 15 else f"about 10^{digits}"

    def listed(self) -> FiniteDomain:
        """The domain, listed."""
        if self.size > MAX_DOMAIN_SIZE:
            raise InputError(
                f"{self.place}: must have at most {MAX_DOMAIN_SIZE} data sets to be audited; it has {self.size_text}: "
                "use fewer records or values, or fix more margins"
            )
        return self.build()


def freeze(value: Any) -> Any:
    """An array of the file as a tuple, all the way down."""
    return tuple(map(freeze, value)) if isinstance(value, list) else value


def build_domain(block: Block) -> DomainKind | None:
    """The finite domain of a domain block; None where the block is words only."""
    given = [key for key in ("margins", "schema", "data_sets") if key in block]
    if len(given) > 1:
        raise block.refuse(given[1], f"cannot be combined with {given[0]}: give one of margins, schema, data_sets")
    for key in ("records", "order", "excluded"):
        if key in block and given != ["schema"]:
            raise block.refuse(key, "belongs to a domain with a schema")
    if not given:
        block.text("description")
        return None
    return {"margins": _by_margins, "schema": _by_schema, "data_sets": _by_list}[given[0]](block)


def _by_margins(block: Block) -> DomainKind:
    strata: list[Margins] = []
    size = 1
    for stratum in block.tables("margins"):
        stratum.only(("rows", "columns"))
        rows, columns = tuple(stratum.array("rows")), tuple(stratum.array("columns"))
        for key in ("rows", "columns"):
            for place, margin in stratum.entries(key):
                integer(place, margin, minimum=0)
        if sum(rows) > _MAX_RECORDS or len(rows) * len(columns) > _MAX_RECORDS:
            raise InputError(f"{stratum.place} must have at most {_MAX_RECORDS} records and cells to be audited")
        _refuse_many(stratum.place, rows, columns)
        size *= block.within("margins", lambda r=rows, c=columns: count_tables(r, c))  # type: ignore[misc]
        if sum(rows) == 0:
            raise InputError(f"{stratum.place} must have at least one record; the stratum is empty")
        strata.append((rows, columns))
    if not strata:
        raise block.refuse("margins", "must have at least one stratum; got none")
    place = block.where("margins")
    return DomainKind(size, lambda: tables_with_margins(strata), tuple(strata), is_ordered=False, place=place)


def _refuse_many(place: str, rows: Sequence[int], columns: Sequence[int]) -> None:
    """Refuse margins with too many tables before counting them, which may take long.

    Every choice of one row extends to a table, so the choices for any row are a lower bound.
    """
    for total in rows if sum(rows) == sum(columns) else ():
        ways = [1] + [0] * total
        for bound in columns:
            sums = list(accumulate(ways, initial=0))
            ways = [sums[k + 1] - sums[max(0, k - bound)] for k in range(total + 1)]
        if ways[total] > _MAX_TABLES:
            raise InputError(
                f"{place}: must have at most {_MAX_TABLES} tables to be audited; it has at least {ways[total]}: "
                "use smaller margins"
            )


def _by_schema(block: Block) -> DomainKind:
    given = block.table("schema")
    variables = {name: tuple(freeze(given.array(name))) for name in given.values}
    refuse_tables(block.where("schema"), tuple(variables.values()))
    if not variables:
        raise block.refuse("schema", "must have at least one variable; got none")
    schema = block.within("schema", lambda: Schema(variables))
    counts = block.required("records")
    lengths = counts if isinstance(counts, list) else [counts]
    for length in lengths:
        integer(block.where("records"), length, minimum=0)
        if length > _MAX_RECORDS:
            raise block.refuse("records", f"must be at most {_MAX_RECORDS}; got {length}")
    if not lengths or len(set(lengths)) != len(lengths):
        raise block.refuse("records", f"must be distinct numbers of records, at least one; got {lengths}")
    is_ordered = "order" in block and block.one_of("order", ("unordered", "ordered")) == "ordered"
    possible = _possible(block, schema) if "excluded" in block else None
    kinds = schema.size if possible is None else len(possible)
    if is_ordered:
        size = sum(kinds**length for length in lengths)
    else:
        size = sum(comb(kinds + length - 1, length) for length in lengths)
    listing = ordered_data_sets if is_ordered else multisets
    place = block.where("schema")

    def listed() -> FiniteDomain:
        return listing(schema.records if possible is None else possible, lengths)

    return DomainKind(size, listed, None, is_ordered, place, variables, tuple(lengths))


def _possible(block: Block, schema: Schema) -> tuple[tuple[Any, ...], ...]:
    """The records of a schema except structural zeros: those with all values of some excluded combination."""
    if schema.size > MAX_DOMAIN_SIZE:
        raise block.refuse("excluded", f"must leave out some of at most {MAX_DOMAIN_SIZE} records; got {schema.size}")
    variables, zeros = list(schema.variables), []
    for entry in block.array("excluded"):
        if not isinstance(entry, dict) or not entry:
            raise block.refuse("excluded", f"must be combinations such as {{ variable = value }}; got {entry!r}")
        for name, value in entry.items():
            check_variable(block.where("excluded"), name, variables)
            if freeze(value) not in schema.variables[name]:
                raise block.refuse("excluded", f"{value!r} is not a value of {name!r} in the schema")
        zeros.append({variables.index(name): freeze(value) for name, value in entry.items()})
    found = tuple(
        record
        for record in schema.records
        if not any(all(record[at] == value for at, value in zero.items()) for zero in zeros)
    )
    if not found:
        raise block.refuse("excluded", "must leave at least one record")
    return found


def _by_list(block: Block) -> DomainKind:
    points = tuple(map(freeze, block.array("data_sets")))
    refuse_tables(block.where("data_sets"), points)
    domain = block.within("data_sets", lambda: FiniteDomain(points, "listed data sets"))
    return DomainKind(len(points), lambda: domain, None, is_ordered=True, place=block.where("data_sets"))


def refuse_tables(place: str, value: Any) -> None:
    """Refuse TOML tables inside a data set."""
    if isinstance(value, dict):
        raise InputError(f"{place} must be texts, integers or arrays of them; got a table")
    if isinstance(value, tuple):
        for part in value:
            refuse_tables(place, part)


def check_variable(place: str, name: str, variables: Sequence[str]) -> None:
    """Refuse a name that is none of the variables."""
    if name not in variables:
        raise InputError(f"{place}: unknown variable {name!r}; {suggestion(name, variables)}")


def project(variables: Sequence[str], chosen: Sequence[str]) -> Callable[[Any], tuple[Any, ...]]:
    """The map from a record to its values of the chosen variables."""
    places = [variables.index(name) for name in chosen]
    return lambda record: tuple(record[place] for place in places)


def invariant_functions(
    block: Block,
    kind: DomainKind,
    swap_variables: Mapping[str, Sequence[str]] | None,
    own: Callable[[str, str], ForeignFunction] | None,
) -> tuple[Invariant, ...] | None:
    """The invariants of a multiverse block as functions of a data set; None if one needs code that may not run.

    "size" is the number of records; "swapping" the margins n_mh· and n_m·s; an array of variables the counts of their
    cross-classification; "module:function" the user's own function of the data set, such as an inequality, which `own`
    loads in the sandbox.

    Source: article, (2) and (4).
    """
    functions: list[Invariant] = []
    for place, entry in block.entries("invariants"):
        if entry in ("size", "swapping"):
            functions += named_invariant(place, entry, kind, swap_variables)
        elif isinstance(entry, list) and entry and all(isinstance(name, str) for name in entry):
            functions.append(_counts(place, kind, entry))
        elif isinstance(entry, str) and ":" in entry:
            if own is None:
                return None
            functions.append(own(place, entry).values(kind.listed(), is_ordered=kind.order_matters).__getitem__)
        else:
            hint = suggestion(entry, ("size", "swapping")) if isinstance(entry, str) else "write ['variable', …]"
            raise InputError(
                f"{place} must be 'size', 'swapping', an array of variables or 'module:function'; got {entry!r}: {hint}"
            )
    return tuple(functions)


def named_invariant(
    place: str, name: str, kind: DomainKind, swap: Mapping[str, Sequence[str]] | None = None
) -> tuple[Invariant, ...]:
    """The invariants "size" or "swapping"."""
    if name == "size":
        return (_total if kind.margins is not None else len,)
    return _swapping(place, kind, swap)


def _total(point: Any) -> int:
    return sum(sum(map(sum, table)) for table in point)


def _swapping(place: str, kind: DomainKind, swap: Mapping[str, Sequence[str]] | None) -> tuple[Invariant, ...]:
    if kind.margins is not None:
        return (swapping_invariants,)
    if swap is None:
        raise InputError(
            f"{place} must be two arrays of variables here, matching with holding and matching with swapping, because "
            "the mechanism names none"
        )
    return tuple(_counts(place, kind, [*swap["matching"], *swap[role]]) for role in ("holding", "swapping"))


def _counts(place: str, kind: DomainKind, chosen: Sequence[str]) -> Invariant:
    if kind.variables is None:
        raise InputError(f"{place} must not name variables; the domain has no schema")
    for name in chosen:
        check_variable(place, name, kind.variables)
    key = project(kind.variables, chosen)

    def counts(point: Any) -> Hashable:
        return frozenset(Counter(map(key, point)).items())

    return counts


def listed_universes(block: Block, domain: FiniteDomain) -> Multiverse:
    """The multiverse whose universes a block lists."""
    universes = [freeze(universe) for universe in block.array("universes")]
    if not all(isinstance(universe, tuple) for universe in universes):
        raise block.refuse("universes", "must be an array of arrays of data sets")
    refuse_tables(block.where("universes"), tuple(universes))
    for index, universe in enumerate(universes):
        twice = next((point for point, count in Counter(universe).items() if count > 1), None)
        if twice is not None:
            raise InputError(f"{block.where('universes')}[{index}]: the data set {twice!r} is listed twice")
    multiverse = block.within("universes", lambda: Multiverse(universes))
    block.within("universes", lambda: multiverse.check_inside(domain))
    return multiverse
