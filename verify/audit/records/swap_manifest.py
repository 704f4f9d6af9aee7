"""The manifest that `stirred swap` writes beside a file, read and validated."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError, parse_exact, probability
from stirred.verify.audit.swapped.stated import StatedRun, SwapColumns
from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.evidence.files.exact_json import NumberText, json_shown, load_json

_SUFFIX = ".manifest.json"
_IN_FOLDER = "_manifest.json"
_MECHANISM = "permutation swapping"
_WHOLE = re.compile("0|[1-9][0-9]{0,18}")
_CONTENT = re.compile(r'"mechanism"\s*:.*"swap_rate"\s*:', re.DOTALL)


def manifest_beside(path: str) -> str | None:
    """The manifest of a file or of a folder of files, where there is one."""
    beside = f"{path.rstrip('/')}{_SUFFIX}"
    inside = Path(path) / _IN_FOLDER
    return beside if Path(beside).is_file() else str(inside) if inside.is_file() else None


def is_manifest(path: str) -> bool:
    """Whether a file is a manifest of a swap, by its extension and content."""
    if not path.endswith(".json"):
        return False
    try:
        return path.endswith(_SUFFIX) or _CONTENT.search(read_text(path)) is not None
    except InputError:
        return False


def described_file(path: str) -> str:
    """The file that a manifest describes: it lies in the same folder, or is that folder."""
    folder = Path(path).parent
    if Path(path).name == _IN_FOLDER:
        return str(folder)
    name = _Table(f"{path}:", load_json(path, read_text(path))).table("file").text("name")
    if name != Path(name).name or not (folder / name).is_file():
        raise InputError(f"{path}: describes {name!r}, which must lie beside it; it does not")
    return str(folder / name)


def read_manifest(path: str) -> StatedRun:
    """What a manifest says of a swap."""
    content = _Table(f"{path}:", load_json(path, read_text(path)))
    if (mechanism := content.text("mechanism")) != _MECHANISM:
        raise InputError(
            f"{path}: mechanism: records are compared with claims of {_MECHANISM}; got {json_shown(mechanism)}"
        )
    roles, budget = content.table("roles"), content.table("budget")
    file = content.table("file") if "file" in content.values else None
    claim = content.table("claim").text("sha256") if "claim" in content.values else None
    return StatedRun(
        path=path,
        size=None if file is None else file.whole("bytes"),
        sha256=None if file is None else file.optional("sha256"),
        crc32=None if file is None else file.optional("crc32"),
        names=tuple(content.table("schema").values),
        columns=SwapColumns(
            roles.names("matching"), roles.names("holding"), roles.names("swapping"), roles.optional("count")
        ),
        records=content.whole("records"),
        strata=content.whole("strata"),
        largest_stratum=budget.whole("b"),
        epsilon=budget.text("epsilon"),
        rate=probability(f"{path}: swap_rate", parse_exact(f"{path}: swap_rate", content.text("swap_rate"))),
        resolution=content.text("resolution"),
        is_seeded="seed" in content.text("randomness"),
        claim=claim,
    )


class _Table:
    """An object of a manifest under its place; every value is read by key, and refused with it."""

    def __init__(self, place: str, values: Any) -> None:
        if not isinstance(values, dict):
            raise InputError(f"{place} must be an object; got {json_shown(values)}")
        self.values: Mapping[str, Any] = values
        self._place = place

    def _where(self, key: str) -> str:
        return f"{self._place} {key}" if self._place.endswith(":") else f"{self._place}.{key}"

    def _required(self, key: str) -> Any:
        if key not in self.values:
            raise InputError(f"{self._where(key)}: missing key")
        return self.values[key]

    def table(self, key: str) -> _Table:
        return _Table(self._where(key), self._required(key))

    def text(self, key: str) -> str:
        value = self._required(key)
        if not isinstance(value, str) or isinstance(value, NumberText) or not value.isprintable() or not value:
            raise InputError(f"{self._where(key)} must be a text; got {json_shown(value)}")
        return value

    def optional(self, key: str) -> str | None:
        return None if self.values.get(key) is None else self.text(key)

    def whole(self, key: str) -> int:
        value = self._required(key)
        if not isinstance(value, NumberText) or not _WHOLE.fullmatch(value):
            raise InputError(f"{self._where(key)} must be a whole number; got {json_shown(value)}")
        return int(value)

    def names(self, key: str) -> tuple[str, ...]:
        value = self._required(key)
        texts = isinstance(value, list) and all(
            isinstance(one, str) and not isinstance(one, NumberText) and one.isprintable() for one in value
        )
        if not texts or len(set(value)) != len(value):
            raise InputError(f"{self._where(key)} must be an array of different texts; got {json_shown(value)}")
        return tuple(value)
