"""The cell key method on files: the tables that are asked for, what is released of them, and its specification."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any

from stirred.mechanisms.catalogue import CELL_KEY
from stirred.mechanisms.fast.random_words import Words
from stirred.spec.arguments import InputError, suggestion
from stirred.spec.laws.p_table import PTable
from stirred.verify.engines.cell_key import count_curve, curve_text
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.laws.claim.five_blocks import FiveBlocks, StatedBlock
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.claim.text import read_toml


@dataclass(frozen=True)
class ReleasedTables:
    """The tables of a run by name, each with its variables, and the values of variables where they are listed."""

    by: Mapping[str, tuple[str, ...]]
    values: Mapping[str, tuple[str, ...]]

    @property
    def variables(self) -> tuple[str, ...]:
        """The variables of all tables."""
        return tuple(dict.fromkeys(name for query in self.by.values() for name in query))


def read_tables(path: str) -> ReleasedTables:
    """The tables that a file asks for: `[[table]]` with `name` and `by`, and `[values]` by variable."""
    root = Block(f"{path}:", read_toml(Path(path))).only(("table", "values"))
    by: dict[str, tuple[str, ...]] = {}
    for block in root.tables("table"):
        name = block.only(("name", "by")).text("name")
        if name in by:
            raise block.refuse("name", f"must be another than that of an earlier table; got {name!r}")
        by[name] = block.names("by")
        for reserved in ("table", "count"):
            if reserved in by[name]:
                raise block.refuse("by", f"must not name {reserved!r}, a column of what is released")
    if not by:
        raise root.refuse("table", "must have at least one table; got none")
    tables = ReleasedTables(by, {})
    if "values" not in root:
        return tables
    listed = root.table("values")
    for name in listed.values:
        if name not in tables.variables:
            known = suggestion(name, tables.variables)
            raise InputError(f"{listed.where(name)}: must be a variable of a table; {known}")
    return ReleasedTables(by, {name: listed.names(name) for name in listed.values})


def released(
    records: str, tables: ReleasedTables, table: PTable, key: str | None, words: Words, *, is_fresh: bool = False
) -> tuple[Any, list[Any], int]:
    """The schema of what is released, a table of it for each table of counts, and the number of records.

    Args:
        key: the column of the records' keys; None to draw them.
        words: what keys are drawn from.
        is_fresh: whether each cell gets a key of its own, which no other tells of.
    """
    import numpy as np  # noqa: PLC0415 slow to load
    import pyarrow as pa  # noqa: PLC0415 an optional dependency

    from stirred.mechanisms.fast.cell_key import changes, uniform_below  # noqa: PLC0415
    from stirred.mechanisms.tables.keyed_counts import KeyedCounts  # noqa: PLC0415
    from stirred.verify.evidence.files.bounded_file import read_table_file  # noqa: PLC0415

    if not (is_fresh or table.zeros_stay):
        raise InputError(f"{table.name}: must leave 0 as it is, since an empty cell has no keys: use --fresh")
    source = key or (lambda n: np.zeros(n, np.int64) if is_fresh else uniform_below(table.keys, n, words))
    found = KeyedCounts(read_table_file(records), list(tables.by.values()), table.keys, source, tables.values)
    schema = pa.schema([pa.field(name, pa.string()) for name in ("table", *tables.variables)]).append(
        pa.field("count", pa.int64())
    )

    def lines() -> Iterator[Any]:
        for name, query in tables.by.items():
            values, counts, keys = found.table(query)
            flat = counts.reshape(-1)
            cell_keys = uniform_below(table.keys, len(flat), words) if is_fresh else keys.reshape(-1)
            cells = np.unravel_index(np.arange(len(flat)), counts.shape) if query else ()
            places = dict(zip(query, cells, strict=True))
            columns = [pa.array([name]).take(pa.array(np.zeros(len(flat), np.int64)))]
            for variable in tables.variables:
                taken = values[query.index(variable)].take(pa.array(places[variable])) if variable in places else None
                columns.append(pa.nulls(len(flat), pa.string()) if taken is None else taken.cast(pa.string()))
            yield pa.table([*columns, pa.array(flat + changes(table, flat, cell_keys))], schema=schema)

    return schema, list(lines()), found.records


def specification(tables: ReleasedTables, table: PTable, *, is_fresh: bool) -> FiveBlocks:
    """What is known of the release: the curve of one count, which is that of one table of disjoint cells."""
    needs = curve_text(count_curve(table))
    together = f"each of the {len(tables.by)} tables alone needs {needs}; together "
    if len(tables.by) == 1:
        budget = f"the table needs {needs}"
    elif is_fresh:
        budget = f"{together}they satisfy {len(tables.by)} times an epsilon and a delta of it"
    else:
        budget = f"{together}no budget is stated: their keys are sums of the same records' keys"
    return FiveBlocks(
        domain=StatedBlock(_domain(tables)),
        multiverse=StatedBlock(_kept(tables)),
        input_premetric=StatedBlock("d_SymDiff, resolution: record (one record added or removed)"),
        output_premetric=StatedBlock("D_Mult^delta (approximate differential privacy)"),
        budget=StatedBlock(f"{budget} (p-table {table}, {counted(len(table.rows), 'row')})"),
    )


def _domain(tables: ReleasedTables) -> str:
    return f"records with the columns {', '.join(tables.variables) or '(none)'}"


def _kept(tables: ReleasedTables) -> str:
    open_values = [name for name in tables.variables if name not in tables.values]
    kept = f"which values of {', '.join(open_values)} occur" if open_values else "nothing"
    return f"invariant, so not protected: {kept}"


_DIGITS = 12


def claim_text(claim_id: str, tables: ReleasedTables, table: PTable, file: str, epsilon: Fraction) -> str:
    """A claim file that says the same of one table for `stirred audit`, with the smallest δ at ε, rounded up.

    Args:
        file: the name of the p-table's file, which stands beside the claim.
    """
    import tomli_w  # noqa: PLC0415 slow to load

    if len(tables.by) != 1:
        raise InputError(f"--claim requires one table, as of several no budget is known; there are {len(tables.by)}")
    if open_values := [name for name in tables.variables if name not in tables.values]:
        raise InputError(
            f"--claim requires all values of {', '.join(open_values)} under [values] of the tables: else which of them "
            "occur is told, and no delta below 1 holds"
        )
    needed = count_curve(table).curve.delta_at(epsilon)
    units = ceil(needed.upper * 10**_DIGITS)
    delta = str(needed.upper) if needed.lower == needed.upper else f"0.{units:0{_DIGITS}}"
    if not 0 < needed.upper < 1 or units == 10**_DIGITS:
        raise InputError(f"--claim requires a delta between 0 and 1; at epsilon = {epsilon} one count needs {delta}")
    (name,) = tables.by
    said = f"The table {name!r} satisfies epsilon = {epsilon} with delta = {delta} for one record added or removed."
    return tomli_w.dumps(
        {
            "id": claim_id,
            "statement": said,
            "domain": {"description": _domain(tables)},
            "multiverse": {"invariants": []},
            "input_premetric": {"name": "neighbors_add_remove_unordered", "resolution": "record"},
            "output_premetric": {"name": "approximate_multiplicative", "delta": delta},
            "budget": {"epsilon": str(epsilon)},
            "mechanism": {"name": CELL_KEY, "table": file},
        }
    )
