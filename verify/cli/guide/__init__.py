"""The guide: short Markdown pages, one task each, from first steps to the ledger.

A page is a file `NN-topic.md`: a heading, a line that says what the page is for, and the text.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

from stirred.spec.arguments import InputError, suggestion

__all__ = ["Page", "page", "pages"]


@dataclass(frozen=True)
class Page:
    """A page of the guide, with its purpose in one line and its whole text."""

    topic: str
    summary: str
    text: str


def pages() -> Mapping[str, Page]:
    """All pages by topic, in their order.

    >>> next(iter(pages()))
    'getting-started'
    """
    found = {}
    for file in sorted(files(__name__).iterdir(), key=lambda file: file.name):
        if file.name.endswith(".md"):
            topic = file.name.removesuffix(".md").partition("-")[2]
            text = file.read_text(encoding="utf-8")
            found[topic] = Page(topic, text.split("\n", 3)[2], text)
    return found


def page(topic: str) -> Page:
    """The page about a topic, which the beginning of a word of it names where no other page has it.

    >>> page("getting-started").text.splitlines()[0]
    '# Getting started'
    """
    known = pages()
    begun = [name for name in known if f"-{topic}" in f"-{name}"]
    if topic not in known and len(begun) == 1:
        return known[begun[0]]
    if topic not in known:
        hint = f"there are {' and '.join(begun)}" if begun else suggestion(topic, tuple(known))
        raise InputError(f"topic must be one that stirred guide lists; got {topic!r} ({hint})")
    return known[topic]
