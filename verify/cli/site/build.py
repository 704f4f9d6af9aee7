"""Building the site: all pages from the records of a finished run, the index of the search, and one folder of them."""

import json
import shutil
import tempfile
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

_MARK = "static/site.css"
"""A file that every site has, by which an earlier one is known."""


@dataclass(frozen=True)
class Built:
    """What was written: how many pages and bytes, and of how many claims."""

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
    """Write the site into a folder, all of it or nothing.

    Args:
        folder: a new or empty folder, or that of an earlier site, which is replaced.
        records: of a finished run of the ledger, as `stirred verify --json` prints them.
        source: where the records come from, for the first page.
        pictures: those of the gallery.
        losses: exact ones of mechanisms.
        whole: whether guide, proofs, mechanisms and reference are in it; else the ledger alone.

    Raises:
        InputError: the folder holds something else, cannot be written, or a record is of no claim of this version.
    """
    target = checked_target(folder)
    found = entries(records)
    made = site_files(found, source=source, pictures=pictures, losses=losses, whole=whole)
    _replace(target, made)
    pages = sum(path.endswith(".html") for path in made)
    return Built(pages, sum(map(len, made.values())), len(found))


def checked_target(folder: str) -> Path:
    """The folder, if a site may be written there.

    Raises:
        InputError: it holds something else.
    """
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
    yield _home(found, source, documents)
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


def _home(found: Sequence[LedgerEntry], source: str, documents: Sequence[SitePage]) -> SitePage:
    parts = {
        "counts": counts_line("claim", [one.verdict for one in found]),
        "source": source,
        "documents": documents[-1].parts["documents"],
        "verdicts": list(reversed(Verdict)),
        "grades": GRADES,
        "outcome": outcome_class,
    }
    return SitePage("index.html", "stirred", "home.html", parts)


def _static(pages: Sequence[SitePage], pictures: Sequence[GalleryPicture]) -> dict[str, bytes]:
    """The style sheets, the script, the pictures, and the index of the search."""
    folder = files("stirred.verify.cli.site") / "static"
    found = {f"static/{file.name}": file.read_bytes() for file in folder.iterdir()}
    found[_MARK] += CODE_STYLE.encode()
    found["static/search.js"] = _index(pages).encode()
    found.update({picture.file: picture.content for picture in pictures})
    return found


def _index(pages: Sequence[SitePage]) -> str:
    """What the search looks through: title, kind, address, verdict and words of each hit."""
    rows = [_row(page, hit) for page in pages for hit in page.hits]
    return f"window.stirredIndex = {json.dumps(rows, separators=(',', ':'))};\n"


def _row(page: SitePage, hit: Hit) -> list[str]:
    address = f"{page.path}#{hit.anchor}" if hit.anchor else page.path
    return [hit.title, hit.kind, address, hit.verdict, " ".join(dict.fromkeys(hit.text.split()))]


def _replace(target: Path, made: Mapping[str, bytes]) -> None:
    """Write the files beside the folder, then put them in its place.

    Raises:
        InputError: they cannot be written; what was there before is untouched.
    """
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
