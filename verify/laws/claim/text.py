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


@dataclass(frozen=True)
class ClaimText:
    """A claim as its file states it; a block that is not stated is None.

    Attributes:
        id: words, unique over all files of a run.
        source: document and number, or the file where no source is stated.
        statement: the claim as printed.
        blocks: the stated ones of the five blocks, by name.
        mechanism: its name, or its module and function, with its parameters.
        numbers: printed numbers to recompute besides the budget.
        account: releases whose budgets are converted and added, where there are any.
        parts: the claims of the same run that the account refers to, by their ids.
        path: the file.
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
    """The claims of claim files, in order.

    Raises:
        InputError: a file cannot be read, is no TOML, has an unknown, missing or ill-typed key, or an id is used twice.
    """
    claims: list[ClaimText] = []
    seen: dict[str, str] = {}
    for path in paths:
        for claim in _read(Path(path)):
            if claim.id in seen:
                raise InputError(f"{path}: id: {claim.id!r} is used twice; it is also in {seen[claim.id]}")
            seen[claim.id] = str(path)
            claims.append(claim)
    may_be_parts = {claim.id: claim for claim in claims if claim.account is None and not claim.is_about_numbers_only}
    return tuple(_with_parts(claim, may_be_parts) for claim in claims)


def read_claim(path: str) -> ClaimText:
    """The one claim of a file.

    Raises:
        InputError: the file is malformed, or holds several claims.
    """
    claims = read_claims([path])
    if len(claims) != 1:
        raise InputError(f"{path}: must hold one claim to be compared; it holds {len(claims)}")
    return claims[0]


def _with_parts(claim: ClaimText, others: Mapping[str, ClaimText]) -> ClaimText:
    """The claim with those that its account refers to: an account of accounts has its releases listed."""
    if claim.account is None:
        return claim
    return replace(claim, parts={name: others[name] for name in referred_claims(claim.account) if name in others})


def read_toml(path: Path) -> dict[str, Any]:
    """The tables of a TOML file whose numbers are exact.

    Raises:
        InputError: the file cannot be read, is no TOML, or holds a float, a date or, except among the parameters and
            the laws of a mechanism, a boolean: true is no number, and is never taken for 1.
    """
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
    """The claim that a table of a claim file states.

    Raises:
        InputError: a key is unknown, missing or ill-typed.
    """
    if not block.values:
        raise InputError(f"{path}: must state a claim; the file states none")
    block.only(_CLAIM_KEYS)
    name = block.text("id")
    if not _ID.fullmatch(name):
        raise InputError(f"{block.where('id')} must be words joined by '.', '-' or '_'; got {name!r}")
    blocks = {key: block.table(key).only(allowed) for key, allowed in _BLOCKS.items() if key in block}
    numbers = tuple(one for table in block.tables("numbers") for one in _numbers(table)) if "numbers" in block else ()
    mechanism = block.table("mechanism") if "mechanism" in block else None
    claim = ClaimText(
        id=name,
        source=block.text("source") if "source" in block else path.name,
        statement=block.text("statement"),
        blocks=blocks,
        mechanism=mechanism,
        numbers=numbers,
        account=block.table("account") if "account" in block else None,
        path=path,
    )
    if claim.is_about_numbers_only and not numbers and claim.account is None:
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
    rounded = block.names("rounded") if "rounded" in block else ()
    for name in rounded:
        if not all(number.may_be_rounded for number in inputs.get(name, (Printed("0", Fraction(0)),))):
            raise block.refuse("rounded", f"must name inputs with decimals or a unit; got {name!r}")
    if len(rounded) > _MAX_ROUNDED:
        raise block.refuse("rounded", f"must name at most {_MAX_ROUNDED} inputs; got {len(rounded)}")
    count = max(map(len, (printed, *inputs.values())))
    if any(len(numbers) not in (1, count) for numbers in (printed, *inputs.values())):
        raise block.refuse("where", f"must have one number, or {count}, for each name and for printed")
    for index in range(count):
        values = {name: numbers[index % len(numbers)] for name, numbers in inputs.items()}
        formula_value(block.where("formula"), formula, {key: number.value for key, number in values.items()})
        label = what if count == 1 else f"{what} ({index + 1} of {count})"
        yield PrintedRow(label, printed[index % len(printed)], formula, values, rounded)
