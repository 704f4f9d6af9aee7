"""Which files of an audit are published records and settings, by extension, and by content where it says nothing."""

import re
from pathlib import Path

from stirred.spec.arguments import InputError
from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.laws.p_table_file import is_p_table

_EXTENSIONS = {".yaml": "yaml", ".yml": "yaml", ".ini": "ini", ".cfg": "ini", ".json": "json", ".toml": None}
_CONTENTS = {
    "json": re.compile(r"\A\s*\{"),
    "yaml": re.compile(r"(?m)^deployment:\s*$"),
    # a fraction without quotes is no TOML
    "ini": re.compile(r"(?m)^(?:global_scale|geolevel_budget_prop)\s*=\s*[0-9]+/[0-9]+"),
}
"""What is in a text of each form of records, where the extension says nothing."""

_OF_A_FOLDER = {
    "json": re.compile(r'"privacy_(?:budget|defn)'),
    "yaml": re.compile(r"(?m)^(?:deployment|url_slug)\s*:"),
    "ini": re.compile(r"(?m)^(?:global_scale|geolevel_budget_prop)\s*="),
    None: re.compile(r"(?m)^(?:\[\[claim\]\]|id\s*=)"),
}
"""What tells the claims and records of a folder from its other files, by their form."""


def is_for_audit(path: Path) -> bool | None:
    """Whether a file of a folder is meant to be a claim or record; None where its extension is that of neither.

    What cannot be read is: the reader says why.
    """
    suffix = path.suffix.lower()
    if suffix not in _EXTENSIONS:
        return None
    try:
        return _OF_A_FOLDER[_EXTENSIONS[suffix]].search(read_text(path)) is not None
    except InputError:
        return True


def record_kind(path: Path) -> str | None:
    """The form of a published record, "yaml", "ini", "json" or "p-table"; None for a claim file.

    A file with another extension is a record only where its content has a record's form; what cannot be read is left
    to the reader of claims, which says why.
    """
    suffix = path.suffix.lower()
    if suffix in _EXTENSIONS:
        return _EXTENSIONS[suffix]
    if is_p_table(str(path)):
        return "p-table"
    try:
        text = read_text(path)
    except InputError:
        return None
    return next((form for form, pattern in _CONTENTS.items() if pattern.search(text)), None)
