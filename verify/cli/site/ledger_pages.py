"""The pages of claims, concepts and documents, and the table of all claims."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from stirred.spec.arguments import InputError
from stirred.verify.cli.site.coq_files import theorem_place
from stirred.verify.cli.site.entry import LedgerEntry, ShownEvidence
from stirred.verify.cli.site.page import Hit, SitePage
from stirred.verify.cli.site.source_pages import SourceFiles, highlighted
from stirred.verify.evidence.certificates.replay import WitnessError
from stirred.verify.evidence.reports.lines import counts_line, shortened
from stirred.verify.evidence.reports.page_witness import witness_tables
from stirred.verify.evidence.theorems import theorems
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.claim import GRADES
from stirred.verify.ledger.documents import DOCUMENTS, NumberedItem, documents, examples, item_of

_WORST_FIRST = ("false", "incomplete", "misprint")
_TOUCHED = {"incomplete": "None where the hypothesis holds.", "misprint": "None."}
_ROW_WORDS = 150
_CODE_LINES = 120
_MOST_SIBLINGS = 10


def outcome_class(verdict: Verdict) -> str:
    """The style class of a verdict: pass, fail or undecided."""
    if verdict is Verdict.REFUTED:
        return "fail"
    return "pass" if verdict.is_settled_for else "undecided"


def claim_pages(found: Sequence[LedgerEntry], sources: SourceFiles) -> Iterator[SitePage]:
    """A page for each claim; refused if a witness does not replay."""
    siblings = _siblings(found)
    repairs: dict[str, list[LedgerEntry]] = {}
    for one in found:
        repairs.setdefault(one.claim.repairs or "", []).append(one)
    for one in found:
        parts = {
            "entry": one,
            "sources": [(source, item_of(source)) for source in one.claim.sources],
            "outcome": outcome_class(one.verdict),
            "grade_means": GRADES[one.claim.grade.word] if one.claim.grade else "",
            "witness": _witness(one),
            "checks": [_check(shown, sources) for shown in one.evidence],
            "stated": _stated(one, sources),
            "theorems": [_theorem(name, refutes=name in one.refuted_by) for name in one.theorems],
            "repairs": repairs.get(one.id, []),
            "siblings": siblings[one.id],
        }
        yield SitePage(one.path, one.id, "claim.html", parts, [_hit(one)])


def _hit(one: LedgerEntry) -> Hit:
    grade = one.claim.grade.word if one.claim.grade else ""
    said = (one.claim.statement, *one.claim.sources, one.claim.reading, grade, *one.theorems)
    return Hit(one.id, "claim", " ".join(said), verdict=one.verdict.name)


def _siblings(found: Sequence[LedgerEntry]) -> Mapping[str, list[LedgerEntry]]:
    """For each claim those printed at the same place, or with the same id up to its last dot."""
    by_place: dict[str, list[LedgerEntry]] = {}
    for one in found:
        for place in _places(one):
            by_place.setdefault(place, []).append(one)
    near = {}
    for one in found:
        others = {other.id: other for place in _places(one) for other in by_place[place] if other.id != one.id}
        near[one.id] = list(others.values())[:_MOST_SIBLINGS]
    return near


def _places(one: LedgerEntry) -> tuple[str, ...]:
    return (*one.claim.sources, f"{one.id.rpartition('.')[0]}.")


def _witness(one: LedgerEntry) -> Markup | None:
    if one.witness is None:
        return None
    try:
        return Markup(witness_tables(one.witness))  # noqa: S704 made of escaped parts
    except (WitnessError, KeyError, TypeError, ValueError) as error:
        raise InputError(f"the record of {one.id} must have a witness that replays: {error}") from None


def _check(shown: ShownEvidence, sources: SourceFiles) -> Mapping[str, Any]:
    file, _, name = shown.place.partition("::")
    lines = sources.named(file, name)
    return {
        "shown": shown,
        "outcome": outcome_class(shown.verdict),
        "file": file,
        "page": "" if shown.theorems or lines is None else sources.page(file, lines[0]),
        "line": lines[0] if lines else 0,
        "code": sources.piece(file, lines) if lines and lines[1] - lines[0] < _CODE_LINES else "",
        "expression": highlighted(shown.expression, "python") if shown.expression else "",
    }


def _stated(one: LedgerEntry, sources: SourceFiles) -> Mapping[str, Any]:
    file, line = one.stated.file, one.stated.line
    return {"file": file, "line": line, "page": sources.page(file, line)}


def _theorem(name: str, *, refutes: bool) -> Mapping[str, Any]:
    short = name.rpartition(".")[2]
    stated = theorems()[short]
    return {
        "name": name,
        "short": short,
        "page": theorem_place(short),
        "refutes": refutes,
        "assumptions": stated.assumptions,
        "statement": highlighted(f"Theorem {short} :\n  {stated.statement}.", "coq"),
    }


def short_words(text: str) -> str:
    """The beginning of a statement, for a row of a table."""
    return shortened(text, _ROW_WORDS)


def concept_pages(found: Sequence[LedgerEntry]) -> Iterator[SitePage]:
    """A page for each concept, with its claims as they are ordered in the ledger."""
    by_concept: dict[str, list[LedgerEntry]] = {}
    for one in found:
        by_concept.setdefault(one.concept, []).append(one)
    for concept, members in by_concept.items():
        title = concept.replace("_", " ")
        counts = counts_line("claim", [one.verdict for one in members])
        parts = {"entries": members, "counts": counts, "outcome": outcome_class, "short": short_words}
        yield SitePage(f"concepts/{concept}.html", title, "concept.html", parts, [Hit(title, "concept")])


def ledger_page(found: Sequence[LedgerEntry]) -> SitePage:
    """The table of all claims, with counts by concept."""
    concepts: dict[str, Counter[str]] = {}
    for one in found:
        concepts.setdefault(one.concept, Counter())[outcome_class(one.verdict)] += 1
    parts = {
        "entries": found,
        "concepts": concepts,
        "verdicts": [verdict for verdict in reversed(Verdict) if any(one.verdict is verdict for one in found)],
        "grades": GRADES,
        "documents": DOCUMENTS,
        "counts": counts_line("claim", [one.verdict for one in found]),
        "outcome": outcome_class,
        "short": short_words,
    }
    words = "every claim, statement, verdict, grade, refuted, filter"
    return SitePage("ledger/index.html", "The ledger", "ledger.html", parts, [Hit("The ledger", "section", words)])


@dataclass(frozen=True)
class _Refuted:
    """A claim that does not hold as printed, its place, an example in words, its repairs, and what it touches."""

    place: str
    entry: LedgerEntry
    example: str
    repairs: tuple[LedgerEntry, ...]
    touched: str


def document_path(name: str) -> str:
    """The path of a document's page."""
    return f"documents/{name.replace(' ', '-')}.html"


def found_path(name: str) -> str:
    """The path of the page of what does not hold as printed in a document."""
    return f"documents/{name.replace(' ', '-')}-found.html"


def item_anchor(item: str) -> str:
    """The anchor of an item on its document's page.

    >>> item_anchor("Theorem 5.8.4"), item_anchor("(13)")
    ('item-Theorem-5-8-4', 'item-13')
    """
    return "item-" + "-".join(re.findall(r"\w+", item))


def document_pages(found: Sequence[LedgerEntry]) -> Iterator[SitePage]:
    """A page for each document, one of what does not hold in it, which is printed alone, and the list of them."""
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
            "found": found_path(name),
            "grades": {word: sum(_word(one) == word for one in refuted) for word in GRADES},
            "counts": counts,
            "outcome": outcome_class,
        }
        by_grade = {word: [one for one in refuted if _word(one) == word] for word in _WORST_FIRST}
        shown = {"document": document_path(name), "by_grade": by_grade, "means": GRADES, "counts": counts}
        listed.append((name, document_path(name), found_path(name), counts, parts["grades"]))
        yield SitePage(document_path(name), _called(name), "document.html", parts, _hits(name, items, at))
        words = "refuted false incomplete misprint errors counterexamples why for the authors what does not hold"
        title = f"What was found: {name}"
        yield SitePage(found_path(name), title, "found.html", shown, [Hit(title, "document", words)])
    hit = Hit("Documents", "section", "article dissertation slides PHSafe study by number")
    yield SitePage("documents/index.html", "The documents", "documents.html", {"documents": listed}, [hit])


def _called(name: str) -> str:
    """A document in a heading: "The article", but "PHSafe"."""
    return name if name[0].isupper() else f"The {name}"


def _word(one: _Refuted) -> str:
    return one.entry.claim.grade.word if one.entry.claim.grade else ""


def _at(name: str, found: Sequence[LedgerEntry]) -> Mapping[str, list[LedgerEntry]]:
    at: dict[str, list[LedgerEntry]] = {}
    for one in found:
        for document, item in one.items:
            if document == name:
                at.setdefault(item, []).append(one)
    return at


def _refuted(
    name: str, items: Sequence[NumberedItem], found: Sequence[LedgerEntry], repairs: Mapping[str, list[LedgerEntry]]
) -> Iterator[_Refuted]:
    order = {item.name: place for place, item in enumerate(items)}
    here = [
        (min(order[item] for document, item in one.items if document == name), one)
        for one in found
        if one.claim.grade is not None and any(document == name for document, _ in one.items)
    ]
    for _, one in sorted(here, key=lambda pair: pair[0]):
        place = next(source for source in one.claim.sources if source.startswith(f"{name}, "))
        example, touched = examples()[one.id]
        touched = touched or _TOUCHED[one.claim.grade.word if one.claim.grade else ""]
        yield _Refuted(place, one, example, tuple(repairs.get(one.id, ())), touched)


def _hits(name: str, items: Sequence[NumberedItem], at: Mapping[str, list[LedgerEntry]]) -> list[Hit]:
    found = [Hit(f"{_called(name)}, in printed order", "document")]
    for item in items:
        claims = " ".join(one.id for one in at.get(item.name, ()))
        found.append(Hit(f"{name}, {item.name}", "item", f"{item.note} {claims}", item_anchor(item.name)))
    return found
