"""What was released before a TopDown run, and which of its totals the run reproduces: H(Z) = P.

The earlier release is a folder as `stirred run topdown --output` writes it: records and specification.toml. What a run
that looks at it releases depends on it, so the budgets of both add up, and the invariants of both are kept.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from json import loads
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from stirred.mechanisms.das.topdown.design import KeptTotal
from stirred.mechanisms.das.topdown.geography import Geography
from stirred.mechanisms.das.topdown.schema import Recode, RecordSchema
from stirred.mechanisms.das.topdown.siblings import Published
from stirred.spec.arguments import InputError, suggestion
from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.laws.claim.table import Block
from stirred.verify.laws.claim.text import claim_of, read_toml
from stirred.verify.products.topdown.files import SchemaFile, table_of

if TYPE_CHECKING:
    from stirred.mechanisms.tables.reading import TableFile


@dataclass(frozen=True)
class EarlierRelease:
    """What a run takes over from an earlier release of the same records.

    Attributes:
        rho_squared: ρ² of the earlier release, with all that it depends on.
        published: P, by total.
        reproduced: the queries that are reproduced, with their levels.
        fingerprint: of its files, and of what is taken over.
    """

    domain: str
    rho_squared: Fraction
    invariants: tuple[str, ...]
    published: tuple[Published, ...]
    reproduced: tuple[tuple[str, str], ...]
    fingerprint: tuple[Any, ...]


def read_earlier(
    folder: str, wanted: Sequence[str], schema: SchemaFile, levels: Sequence[str], geography: Geography
) -> EarlierRelease:
    """The totals of an earlier release that are named.

    A total is wanted as LEVEL=QUERY, such as "County=hhgq * votingage". Both releases have the same leaves.
    """
    path = Path(folder) / "specification.toml"
    claim = Block(f"{path}:", read_toml(path))
    claim_of(path, claim)  # no key that is not read
    of = claim.table("input_premetric")
    of.one_of("name", ["hamming_unordered"])
    if of.text("resolution") != schema.schema.part:
        raise of.refuse("resolution", f"must be {schema.schema.part}; got {of.text('resolution')}")
    claim.table("output_premetric").one_of("name", ["normalized_renyi"])
    file = table_of(folder, _table(Path(folder), schema))
    published = [one for text in wanted for one in _published(file, text, schema, levels, geography)]
    budget = claim.table("budget").exact("rho_squared")
    if budget <= 0:
        raise claim.table("budget").refuse("rho_squared", f"must be positive; got {budget}")
    invariants = claim.table("multiverse").names("invariants")
    domain = claim.table("domain").text("description")
    known = (file.fingerprint, domain, str(budget), invariants, tuple(wanted))
    reproduced = tuple((query, level) for level, query in map(_level_and_query, wanted))
    return EarlierRelease(domain, budget, invariants, tuple(published), reproduced, known)


def _table(folder: Path, schema: SchemaFile) -> str:
    """The name of the table of an earlier release; where it has no manifest, the one that this run's records have."""
    path = folder / "manifest.json"
    if not path.exists():
        return schema.table
    try:
        return Path(str(loads(read_text(path))["file"]["name"])).stem
    except (LookupError, TypeError, ValueError):
        raise InputError(f"{path}: must be the manifest of a release; it names no file of records") from None


def _level_and_query(wanted: str) -> tuple[str, str]:
    level, equals, query = (part.strip() for part in wanted.partition("="))
    if not equals or not query:
        raise InputError(f"--reproduce must be LEVEL=QUERY; got {wanted!r}")
    return level, query


def _published(
    file: TableFile, wanted: str, schema: SchemaFile, levels: Sequence[str], geography: Geography
) -> list[Published]:
    """Each total of one query at every node of a level."""
    level, query = _level_and_query(wanted)
    if level not in levels:
        raise InputError(f"--reproduce {wanted}: unknown level {level!r}; {suggestion(level, levels)}")
    try:
        rows = schema.schema.rows(query)
    except InputError as error:
        raise InputError(f"--reproduce {wanted}: {error}") from None
    number = levels.index(level)
    by_node = _tabulated(file, schema, query, geography.levels[number], geography)
    for label in by_node[0].keys() - rows.keys():
        if any(of_node[label] for of_node in by_node):
            raise InputError(f"{file.path}: --reproduce {wanted}: no record may be {label}; some are")
    return [
        Published(
            KeptTotal(f"released {label} ({level})", number, row), tuple(of_node.get(label, 0) for of_node in by_node)
        )
        for label, row in rows.items()
    ]


def _tabulated(
    file: TableFile, schema: SchemaFile, query: str, nodes: Sequence[str], geography: Geography
) -> list[Mapping[str, int]]:
    """The records of a file by what a query asks, at each node.

    A coarser version of an attribute is a column of its own where the file has not the attribute itself.
    """
    from stirred.mechanisms.tables.counted import counted  # noqa: PLC0415 slow to load, and an optional dependency

    own = schema.schema
    attributes: dict[str, tuple[str, ...]] = {}
    recodes: dict[str, Recode] = {}
    for factor in own.factors(query):
        recode = own.recodes.get(factor)
        if recode is None:
            attributes[factor] = own.columns[factor]
        elif recode.of in file.schema.names:
            attributes[recode.of] = own.columns[recode.of]
            recodes[factor] = recode
        else:
            attributes[factor] = tuple(recode.groups)
    counted_by_leaf = counted(file, schema.geography, geography.leaves, attributes)
    counts = dict(zip(geography.leaves, counted_by_leaf, strict=True))
    table = RecordSchema(own.part, attributes, recodes)
    labels, rows = list(table.rows(query)), table.marginal(query)
    found: list[Mapping[str, int]] = []
    for node in nodes:
        sums = np.zeros(len(labels) + 1, dtype=np.int64)  # the last one of the records that no label counts
        for leaf in geography.below([node]):
            if leaf in counts:
                cells, numbers = counts[leaf]
                np.add.at(sums, rows.of(cells), numbers)
        found.append(dict(zip(labels, sums.tolist(), strict=False)))
    return found
