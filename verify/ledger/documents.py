"""The numbered items of the source documents in printed order, and which of them a source names.

`claims/sources/<document>.toml` lists, under [items], every numbered item and section with a note: "" where
claims state what it says, "words only" where it asserts nothing that could be checked, "definition", "its items" where
it says no more than the items in it, "data not published" where it shows a tendency of data that nobody else has,
or "as <document>, <item>" where it repeats another one.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.evidence.files.toml_text import load_toml

DOCUMENTS = ("article", "dissertation", "slides", "PHSafe", "swapping study")
"""The short names of the source documents."""

NOTES = ("", "words only", "definition", "its items", "data not published")
"""What a note may be, besides "as <document>, <item>"."""

_FOLDER = Path(__file__).resolve().parent / "claims" / "sources"
_MAX_BYTES = 1_000_000


@dataclass(frozen=True)
class NumberedItem:
    """A numbered item of a document, such as "Theorem 1", "(13)" or "section 3.3"."""

    name: str
    note: str


@cache
def documents() -> Mapping[str, tuple[NumberedItem, ...]]:
    """The items of each document in printed order."""
    found = {}
    for name in DOCUMENTS:
        path = _FOLDER / f"{name.replace(' ', '_')}.toml"
        listed = load_toml(str(path), read_text(path, _MAX_BYTES), parse_float=str)["items"]
        found[name] = tuple(NumberedItem(item, note) for item, note in listed.items())
    return found


def item_of(source: str) -> tuple[str, str] | None:
    """The document and the item that a source such as "article, Appendix E (before (15))" names; None where it is none.

    >>> item_of("article, Theorem 1")
    ('article', 'Theorem 1')
    """
    document, _, place = source.partition(", ")
    if document not in DOCUMENTS:
        return None
    names = [item.name for item in documents()[document]]
    named = [name for name in names if place == name or place.startswith((f"{name} ", f"{name},"))]
    return (document, max(named, key=len)) if named else None
