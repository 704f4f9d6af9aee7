"""The pages of documents: every numbered item in printed order with its state, and what was found for the authors."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from stirred.verify.ledger.claim import GRADES
from stirred.verify.ledger.documents import NumberedItem, documents
from stirred.verify.reports.lines import counts_line
from stirred.verify.site.entry import LedgerEntry
from stirred.verify.site.ledger_pages import outcome_class
from stirred.verify.site.page import Hit, SitePage


@dataclass(frozen=True)
class _Refuted:
    """What does not hold as it is printed, where it stands, and what holds instead."""

    place: str
    entry: LedgerEntry
    repairs: tuple[LedgerEntry, ...]


def document_path(name: str) -> str:
    """Where the page of a document lies."""
    return f"documents/{name.replace(' ', '-')}.html"


def item_anchor(item: str) -> str:
    """The place of an item on its document's page.

    >>> item_anchor("Theorem 5.8.4"), item_anchor("(13)")
    ('item-Theorem-5-8-4', 'item-13')
    """
    return "item-" + "-".join(re.findall(r"\w+", item))


def document_pages(found: Sequence[LedgerEntry]) -> Iterator[SitePage]:
    """A page for each document, and the list of them."""
    repairs: dict[str, list[LedgerEntry]] = {}
    for one in found:
        repairs.setdefault(one.claim.repairs or "", []).append(one)
    listed = []
    for name, items in documents().items():
        at = _at(name, found)
        refuted = list(_refuted(name, items, found, repairs))
        here = list({one.id: one for members in at.values() for one in members}.values())
        counts = counts_line("claim", [one.verdict for one in here])
        parts = {
            "name": name,
            "items": [(item, item_anchor(item.name), at.get(item.name, [])) for item in items],
            "refuted": refuted,
            "grades": {word: sum(_word(one) == word for one in refuted) for word in GRADES},
            "grade_means": GRADES,
            "counts": counts,
            "outcome": outcome_class,
        }
        listed.append((name, document_path(name), counts, parts["grades"]))
        yield SitePage(document_path(name), _called(name), "document.html", parts, _hits(name, items, at))
    hit = Hit("Documents", "section", "article dissertation slides PHSafe study by number")
    yield SitePage("documents/index.html", "The documents", "documents.html", {"documents": listed}, [hit])


def _called(name: str) -> str:
    """A document as a heading calls it; PHSafe has a name of its own."""
    return name if name[0].isupper() else f"The {name}"


def _word(one: _Refuted) -> str:
    return one.entry.claim.grade.word if one.entry.claim.grade else ""


def _at(name: str, found: Sequence[LedgerEntry]) -> Mapping[str, list[LedgerEntry]]:
    """The claims of each item of a document."""
    at: dict[str, list[LedgerEntry]] = {}
    for one in found:
        for document, item in one.items:
            if document == name:
                at.setdefault(item, []).append(one)
    return at


def _refuted(
    name: str, items: Sequence[NumberedItem], found: Sequence[LedgerEntry], repairs: Mapping[str, list[LedgerEntry]]
) -> Iterator[_Refuted]:
    """What does not hold as printed, in the document's order."""
    order = {item.name: place for place, item in enumerate(items)}
    here = [
        (min(order[item] for document, item in one.items if document == name), one)
        for one in found
        if one.claim.grade is not None and any(document == name for document, _ in one.items)
    ]
    for _, one in sorted(here, key=lambda pair: pair[0]):
        place = next(source for source in one.claim.sources if source.startswith(f"{name}, "))
        yield _Refuted(place, one, tuple(repairs.get(one.id, ())))


def _hits(name: str, items: Sequence[NumberedItem], at: Mapping[str, list[LedgerEntry]]) -> list[Hit]:
    found = [Hit(f"{_called(name)}, in its order", "document")]
    found.append(
        Hit(
            f"{name}: what does not hold as printed",
            "document",
            "refuted false incomplete misprint errors counterexamples why for the authors what we found",
            "refuted",
        )
    )
    for item in items:
        claims = " ".join(one.id for one in at.get(item.name, ()))
        found.append(Hit(f"{name}, {item.name}", "item", f"{item.note} {claims}", item_anchor(item.name)))
    return found
