"""Claim files: a TOML text that states a claim as its five blocks, read and validated with the file and key named.

A file holds one claim at its top level, or several as [[claim]]. The keys are those of the classes below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import chain
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.output_premetrics import PREMETRIC_KEYS
from stirred.verify.engines.number_table import PrintedRow
from stirred.verify.engines.printed_number import Printed, formula_value
from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.evidence.files.toml_text import load_toml
from stirred.verify.laws.claim.account import referred_claims
from stirred.verify.laws.claim.mechanism import FUNCTION_KEYS
from stirred.verify.laws.claim.table import Block

_ID = re.compile(r"[A-Za-z0-9]+([._-][A-Za-z0-9]+)*")
_BLOCKS = {
    "domain": (
        "description",
        "margins",
        "schema",
        "records",
        "order",
        "excluded",
        "data_sets",
        "attackers",
        "conjectures",
        "undefined",
    ),
    "multiverse": ("description", "invariants", "universes"),
    "input_premetric": ("description", "name", "function", "resolution", "distances", "pairs"),
    "output_premetric": ("description", "name", "function", *chain.from_iterable(PREMETRIC_KEYS.values())),
    "budget": ("description", "epsilon", "gamma", "rho_squared", "mu", "curve", "by", "printed", "converted"),
}
_MAX_ROUNDED = 4
_CLAIM_KEYS = ("id", "source", "statement", *_BLOCKS, "mechanism", "numbers", "account")
_KEYS_OF_TABLES = {**_BLOCKS, "mechanism": FUNCTION_KEYS}


@dataclass(frozen=True)
class ClaimText:
    """A claim as its file states it; a block that is not stated is None.

    Attributes:
        source: document and number, or the file where no source is stated.
        parts: the claims of the same run that the account refers to, by their ids.
        table: the keys that lead to the claim's table in the file; none where it is the whole file.
    """

    id: str
    source: str
    statement: str
    blocks: Mapping[str, Block]
    mechanism: Block | None
    numbers: tuple[PrintedRow, ...]
    account: Block | None
    path: Path
    table: tuple[str | int, ...] = ()
    parts: Mapping[str, ClaimText] = field(default_factory=dict)

    @property
    def directory(self) -> Path:
        """Where the user's own code is looked for."""
        return self.path.resolve().parent

    @property
    def is_about_numbers_only(self) -> bool:
        """Whether the claim states no specification and no mechanism, just printed numbers or an account."""
        return not self.blocks and self.mechanism is None


@dataclass(frozen=True)
class _Inexact:
    """A TOML float, kept as its text until it is refused at its key."""

    text: str


def read_claims(paths: Sequence[str | Path]) -> tuple[ClaimText, ...]:
    """The claims of claim files, in order."""
    claims: list[ClaimText] = []
    seen: dict[str, str] = {}
    for path in paths:
        for claim in _read(Path(path)):
            if claim.id in seen:
                raise InputError(f"{path}: id: {claim.id!r} is a duplicate; it is also in {seen[claim.id]}")
            seen[claim.id] = str(path)
            claims.append(claim)
    may_be_parts = {claim.id: claim for claim in claims if claim.account is None and not claim.is_about_numbers_only}
    for index, claim in enumerate(claims):
        if claim.account is not None:  # not one of accounts, whose releases are listed
            named = referred_claims(claim.account)
            claims[index] = replace(claim, parts={name: may_be_parts[name] for name in named if name in may_be_parts})
    return tuple(claims)


def read_claim(path: str) -> ClaimText:
    """The one claim of a file."""
    claims = read_claims([path])
    if len(claims) != 1:
        raise InputError(f"{path}: must have exactly one claim; got {len(claims)}")
    return claims[0]


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file whose numbers are exact."""
    data = load_toml(str(path), read_text(path), parse_float=_Inexact)
    _refuse_inexact(f"{path}:", data)
    return data


def _read(path: Path) -> Iterator[ClaimText]:
    data = read_toml(path)
    if "claim" not in data:
        yield claim_of(path, Block(f"{path}:", data))
        return
    root = Block(f"{path}:", data).only(("claim",))
    blocks = root.tables("claim")
    if not blocks:
        raise root.refuse("claim", "must have at least one claim; got none")
    for index, block in enumerate(blocks):
        yield replace(claim_of(path, block), table=("claim", index))


_WITH_BOOLEANS = ("mechanism.parameters", "mechanism.laws")


def _refuse_inexact(place: str, value: Any, *, is_parameter: bool = False) -> None:
    if isinstance(value, _Inexact):
        raise InputError(f'{place} must be an exact number; got the float {value.text}: quote it, "{value.text}"')
    if isinstance(value, dict):
        for key, part in value.items():
            where = f"{place} {key}" if place.endswith(":") else f"{place}.{key}"
            _refuse_inexact(where, part, is_parameter=is_parameter or where.endswith(_WITH_BOOLEANS))
    elif isinstance(value, list):
        for index, part in enumerate(value):
            _refuse_inexact(f"{place}[{index}]", part, is_parameter=is_parameter)
    elif isinstance(value, bool) and not is_parameter:
        word = str(value).lower()
        raise InputError(
            f'{place} must be a text, an integer, an array or a table; got {word}: write {int(value)} or "{word}"'
        )
    elif not isinstance(value, (str, int)):
        raise InputError(f"{place} must be a text, an integer, an array or a table; got {value}")


def claim_of(path: Path, block: Block) -> ClaimText:
    """The claim that a table of a claim file states."""
    if not block.values:
        raise InputError(f"{path}: must state a claim; it is empty")
    for key in block.values:
        if key not in _CLAIM_KEYS and (homes := [name for name, keys in _KEYS_OF_TABLES.items() if key in keys]):
            raise block.refuse(key, f"belongs to {' or '.join(f'[{home}]' for home in homes)}")
    block.only(_CLAIM_KEYS)
    name = block.text("id")
    if not _ID.fullmatch(name):
        raise InputError(f"{block.where('id')} must be words joined by '.', '-' or '_'; got {name!r}")
    blocks = {key: block.table(key).only(allowed) for key, allowed in _BLOCKS.items() if key in block}
    claim = ClaimText(
        id=name,
        source=block.given("source", block.text) or path.name,
        statement=block.text("statement"),
        blocks=blocks,
        mechanism=block.given("mechanism", block.table),
        numbers=tuple(row for table in block.given("numbers", block.tables) or () for row in _numbers(table)),
        account=block.given("account", block.table),
        path=path,
    )
    if claim.is_about_numbers_only and not claim.numbers and claim.account is None:
        raise InputError(f"{block.where('domain')}: missing key; a claim must have blocks, a mechanism or numbers")
    return claim


def _numbers(block: Block) -> Iterator[PrintedRow]:
    """The numbers of a table: one, or as many as its arrays have."""
    block.only(("what", "printed", "formula", "where", "rounded"))
    inputs: dict[str, tuple[Printed, ...]] = {}
    if "where" in block:
        given = block.table("where")
        inputs = {key: given.printed_list(key) for key in given.values}
    for reserved in ("printed", "half_unit", "low", "high"):
        if reserved in inputs:
            raise block.refuse("where", f"must not name {reserved!r}: the comparison uses it")
    what, formula, printed = block.text("what"), block.text("formula"), block.printed_list("printed")
    for name in inputs:
        if not re.search(rf"\b{re.escape(name)}\b", formula):
            raise block.refuse("where", f"must name only what the formula uses; got {name!r}")
    rounded = block.given("rounded", block.names) or ()
    for name in rounded:
        if not all(number.may_be_rounded for number in inputs.get(name, (Printed("0", Fraction(0)),))):
            raise block.refuse("rounded", f"must name inputs with decimals or a unit; got {name!r}")
    if len(rounded) > _MAX_ROUNDED:
        raise block.refuse("rounded", f"must name at most {_MAX_ROUNDED} inputs; got {len(rounded)}")
    count = max(map(len, (printed, *inputs.values())))
    if any(len(numbers) not in (1, count) for numbers in (printed, *inputs.values())):
        raise block.refuse("where", f"must have 1 or {count} numbers for each name and for printed")
    for index in range(count):
        values = {name: numbers[index % len(numbers)] for name, numbers in inputs.items()}
        formula_value(block.where("formula"), formula, {key: number.value for key, number in values.items()})
        label = what if count == 1 else f"{what} ({index + 1} of {count})"
        yield PrintedRow(label, printed[index % len(printed)], formula, values, rounded)
