"""Building the site: all pages from the records of a finished run, and the search index, in one folder."""

import json
import shutil
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.cli.site.coq_files import theorem_anchor
from stirred.verify.cli.site.entry import LedgerEntry, entries
from stirred.verify.cli.site.gallery import GalleryPicture, gallery
from stirred.verify.cli.site.guide_pages import guide_pages
from stirred.verify.cli.site.ledger_pages import (
    claim_pages,
    concept_pages,
    document_pages,
    item_anchor,
    ledger_page,
    outcome_class,
)
from stirred.verify.cli.site.mechanism_pages import KnownLosses, mechanism_pages
from stirred.verify.cli.site.page import Hit, SitePage, environment, rendered
from stirred.verify.cli.site.proof_pages import proof_pages
from stirred.verify.cli.site.reference_pages import reference_pages
from stirred.verify.cli.site.source_pages import CODE_STYLE, SourceFiles
from stirred.verify.evidence.reports.lines import counts_line
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.claim import GRADES

_SHOWN = 60
"""How many words of a hit are kept in their order, for the search to show some of them."""

_MARK = "static/site.css"
"""A file that marks a folder as an earlier site."""


@dataclass(frozen=True)
class Built:
    """The numbers of pages, bytes and claims written."""

    pages: int
    size: int
    claims: int


def build_site(
    folder: str,
    records: Iterable[Mapping[str, Any]],
    *,
    source: str,
    pictures: Sequence[GalleryPicture] = (),
    losses: KnownLosses = MappingProxyType({}),
    whole: bool = True,
) -> Built:
    """Write the site into a new or empty folder, or over an earlier site, all of it or nothing.

    Args:
        folder: its path.
        records: of a finished run of the ledger, as `stirred verify --json` prints them.
        source: where the records come from, for the first page.
        pictures: those of the gallery.
        losses: exact ones of mechanisms.
        whole: whether it has guide, proofs, mechanisms and reference beside the ledger.
    """
    target = checked_target(folder)
    found = entries(records)
    made = site_files(found, source=source, pictures=pictures, losses=losses, whole=whole)
    _replace(target, made)
    pages = sum(path.endswith(".html") for path in made)
    return Built(pages, sum(map(len, made.values())), len(found))


def checked_target(folder: str) -> Path:
    """The folder, if a site may be written there."""
    target = Path(folder)
    try:
        free = not target.exists() or (target / _MARK).is_file() or (target.is_dir() and not any(target.iterdir()))
    except OSError as error:
        raise InputError(f"{folder}: cannot be read: {error.strerror}") from None
    if not free:
        raise InputError(f"{folder}: must be a new or empty folder, or an earlier site")
    return target


def site_files(
    found: Sequence[LedgerEntry],
    *,
    source: str,
    pictures: Sequence[GalleryPicture] = (),
    losses: KnownLosses = MappingProxyType({}),
    whole: bool = True,
) -> Mapping[str, bytes]:
    """The content of every file of the site by its path."""
    pages = list(_pages(found, source, pictures, losses, whole=whole))
    static = _static(pages, pictures if whole else ())
    known = {*(page.path for page in pages), *static}
    made = environment(known, f"stirred {version('stirred')}")
    made.globals.update(look=outcome_class, anchor=item_anchor, anchor_of=theorem_anchor)
    html = rendered(pages, made)
    return {**{path: text.encode() for path, text in html.items()}, **static}


def _pages(
    found: Sequence[LedgerEntry], source: str, pictures: Sequence[GalleryPicture], losses: KnownLosses, *, whole: bool
) -> Iterator[SitePage]:
    sources = SourceFiles()
    documents = list(document_pages(found))
    yield _home(found, source, documents, whole=whole)
    yield from documents
    yield ledger_page(found)
    yield from concept_pages(found)
    yield from claim_pages(found, sources)
    if whole:
        yield from proof_pages(found, sources)
        yield from mechanism_pages(found, sources, losses)
        yield from guide_pages()
        yield from reference_pages(sources)
        if pictures:
            yield gallery(pictures)
    yield from sources.pages()


_RESULTS = (
    "psa.exact.massachusetts.households",
    "psa.exact.massachusetts.dwellings",
    "pairwise.ladder.first",
    "phsafe.table-10.losses",
)
"""The claims that the start page leads with, where the run has them."""

_DOORS = (
    ("guide/getting-started.html", "", "Audit a claim", "check what your own code promises"),
    ("ledger/index.html", "", "Look up a statement", "every statement of five sources, with its verdict"),
    ("documents/index.html", "", "What does not hold", "by document: false, incomplete, misprinted, and why"),
)
"""Where the start page sends its readers."""


def _home(found: Sequence[LedgerEntry], source: str, documents: Sequence[SitePage], *, whole: bool) -> SitePage:
    by_id = {one.id: one for one in found}
    counted = Counter(one.verdict for one in found)
    parts = {
        "counts": counts_line("claim", [one.verdict for one in found]),
        "doors": [door for door in _DOORS if whole or not door[0].startswith("guide/")],
        "results": [by_id[name] for name in _RESULTS if name in by_id],
        "bar": [(one, counted[one]) for one in reversed(Verdict) if counted[one]],
        "source": source,
        "documents": documents[-1].parts["documents"],
        "verdicts": list(reversed(Verdict)),
        "grades": GRADES,
        "outcome": outcome_class,
    }
    return SitePage("index.html", "stirred", "home.html", parts)


def _static(pages: Sequence[SitePage], pictures: Sequence[GalleryPicture]) -> dict[str, bytes]:
    """The style sheet, the script, the figures, and the search index."""
    folder = files("stirred.verify.cli.site") / "static"
    found = {f"static/{file.name}": file.read_bytes() for file in folder.iterdir()}
    found[_MARK] += CODE_STYLE.encode()
    found["static/search.js"] = _index(pages).encode()
    found.update({picture.file: picture.content for picture in pictures})
    return found


def _index(pages: Sequence[SitePage]) -> str:
    """The search index of each hit: title, kind, address, verdict, how its text begins, and the other words of it."""
    rows = [_row(page, hit) for page in pages for hit in page.hits]
    return f"window.stirredIndex = {json.dumps(rows, separators=(',', ':'))};\n"


def _row(page: SitePage, hit: Hit) -> list[str]:
    address = f"{page.path}#{hit.anchor}" if hit.anchor else page.path
    words = hit.text.split()
    more = dict.fromkeys(word for word in words[_SHOWN:] if word not in words[:_SHOWN])
    return [hit.title, hit.kind, address, hit.verdict, " ".join(words[:_SHOWN]), " ".join(more)]


def _replace(target: Path, made: Mapping[str, bytes]) -> None:
    """Write the files beside the folder, then swap them in; on failure the folder stays as it was."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = Path(tempfile.mkdtemp(dir=target.parent, prefix=f".{target.name}."))
        try:
            for path, content in made.items():
                file = beside / "new" / path
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_bytes(content)
            if target.exists():
                target.rename(beside / "old")
            (beside / "new").rename(target)
        finally:
            shutil.rmtree(beside, ignore_errors=True)
    except OSError as error:
        raise InputError(f"{target}: cannot be written: {error.strerror}") from None
