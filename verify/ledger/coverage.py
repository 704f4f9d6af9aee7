"""How much of the source documents the ledger accounts for, sentence by sentence.

`python -m stirred.verify.ledger.coverage FOLDER` reads the documents in FOLDER, finds the claims' quotations in them,
and prints for each section how many sentences claims state, how many are of another kind, and how many are open.
With --write it also rewrites what is kept: `claims/sources/<document>.txt` (see `ledger.documents`)
and `verify/ledger/claims/sources/places.txt`, the lines on which each claim is printed: where it is quoted, else where
sentences are kept as claimed by it, as one that is all formulas is. The last line that speaks of a sentence counts,
and a quotation counts before all.

Exit status: 0 the documents are those that were read; 1 a text does not fit what is kept of it; 2 one is missing.
"""

import argparse
import sys
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from pathlib import Path

from stirred.spec.arguments import InputError
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.evidence.files.bounded_file import read_text
from stirred.verify.ledger.book import claims
from stirred.verify.ledger.claim import Statement
from stirred.verify.ledger.documents import (
    DOCUMENTS,
    KINDS,
    PLACES,
    KeptDocument,
    SameKind,
    SentenceRun,
    formatted,
    kept,
    kept_path,
    place_key,
    section_of,
    shares,
)
from stirred.verify.ledger.printed_text import PrintedSentence, PrintedText, QuotedPlaces, digest_of, sentences

_MAX_BYTES = 4_000_000
_SOURCES = Path(__file__).resolve().parent / "claims" / "sources"
_SHOWN = ("definition", "reference", "motivation", "opinion", "unpublished", "open")

Kind = tuple[str, tuple[str, ...]]
"""A kind, with the claims where it is "claimed"."""

_OPEN: Kind = ("open", ())
_LINE = 20
"""How many sentences a line that is kept speaks of at most."""


def changed_runs(one: KeptDocument, printed: Sequence[PrintedSentence]) -> list[SentenceRun]:
    """The runs whose text is not that which was read; a run without a digest was not read yet."""
    at = {sentence.place: number for number, sentence in enumerate(printed)}
    changed = []
    for run in one.runs:
        if run.digest == "-":
            continue
        first, last = at.get(run.first), at.get(run.last)
        texts = [] if first is None or last is None else [sentence.text for sentence in printed[first : last + 1]]
        if len(texts) != run.count or digest_of(texts) != run.digest:
            changed.append(run)
    return changed


def quotations_in(
    document: str, stated: Sequence[Statement], one: KeptDocument, printed: Sequence[PrintedSentence]
) -> QuotedPlaces:
    """Where the document prints what the claims quote of it, each looked for in the sections that it names."""
    whole = (0, len(printed))
    text = PrintedText(printed)
    named = _named_ranges(document, stated, one, printed)
    sought = {claim.id: (claim.statement, named[claim.id]) for claim in stated if claim.id in named}
    found = text.find(sought)
    elsewhere = text.find({name: (sought[name][0], [whole]) for name in found.missing})
    quoted = {place: names for part in (elsewhere.quoted, found.quoted) for place, names in part.items()}
    return QuotedPlaces({**found.places, **elsewhere.places}, elsewhere.missing, quoted)


def accounted(
    one: KeptDocument, printed: Sequence[PrintedSentence], quoted: Mapping[int, Sequence[str]]
) -> KeptDocument:
    """What is kept, with every sentence in one run: quoted, else as the last line that speaks of it says, else open."""
    kinds: list[Kind] = [_OPEN] * len(printed)
    at = {sentence.place: number for number, sentence in enumerate(printed)}
    for run in one.runs:
        first, last = at.get(run.first, 0), at.get(run.last, -1)
        said = [(part.kind, part.claims) for part in run.parts for _ in range(part.count)]
        if run.digest == "-":
            said = [(run.parts[0].kind, run.parts[0].claims)] * (last + 1 - first)
        for number, kind in zip(range(first, last + 1), said, strict=False):
            kinds[number] = _OPEN if kind[0] == "quoted" else kind
    for number in quoted:
        if kinds[number][0] != "layout":
            kinds[number] = ("quoted", ())
    heads = sorted(place_key(place) for _, place in one.sections)
    section = [bisect_right(heads, place_key(sentence.place)) for sentence in printed]
    runs = []
    for _, members in groupby(range(len(printed)), key=section.__getitem__):
        numbers = list(members)
        for start in range(0, len(numbers), _LINE):
            some = numbers[start : start + _LINE]
            parts = tuple(SameKind(kind, len(list(same)), ids) for (kind, ids), same in groupby(kinds[n] for n in some))
            digest = digest_of([printed[number].text for number in some])
            runs.append(SentenceRun(printed[some[0]].place, printed[some[-1]].place, digest, parts))
    return replace(one, runs=tuple(runs))


def _named_ranges(
    document: str, stated: Sequence[Statement], one: KeptDocument, printed: Sequence[PrintedSentence]
) -> Mapping[str, Sequence[tuple[int, int]]]:
    """By the id of a printed claim that names the document, the sections that it names: first and beyond the last."""
    places = [place_key(sentence.place) for sentence in printed]
    starts = [(name, sum(place < place_key(where) for place in places)) for name, where in one.sections]
    ends = [*(start for _, start in starts), len(printed)][1:]
    ranges = {name: (start, end) for (name, start), end in zip(starts, ends, strict=True)} if starts else {}
    found = {}
    for claim in stated:
        named = [named for source in claim.sources if (named := section_of(source)) and named[0] == document]
        if claim.is_printed and named:
            found[claim.id] = [ranges.get(section, (0, len(printed))) for _, section in named]
    return found


def claimed_in(
    document: str, stated: Sequence[Statement], one: KeptDocument, printed: Sequence[PrintedSentence]
) -> Mapping[str, Sequence[int]]:
    """By the id of a printed claim, the sentences that state it in other words or in formulas, by their position.

    They are those in the sections that it names; where none is there, all of them.
    """
    at = {sentence.place: number for number, sentence in enumerate(printed)}
    found: dict[str, list[int]] = {}
    for run in one.runs:
        number = at.get(run.first, len(printed))
        for part in run.parts:
            for name in part.claims:
                found.setdefault(name, []).extend(range(number, number + part.count))
            number += part.count
    inside = {}
    for name, ranges in _named_ranges(document, stated, one, printed).items():
        numbers = found.get(name, [])
        named = [number for number in numbers if any(first <= number < beyond for first, beyond in ranges)]
        if numbers:
            inside[name] = named or numbers
    return inside


def share_rows(one: KeptDocument) -> Iterator[tuple[str, ...]]:
    """A row for each section that has sentences and one for all: its name, how many, those of claims, each kind."""
    totals = dict.fromkeys(KINDS, 0)
    for name, counts in shares(one).items():
        for kind, count in counts.items():
            totals[kind] += count
        if any(count for kind, count in counts.items() if kind != "layout"):
            yield _row(name, counts)
    yield _row("all", totals)


def _row(name: str, counts: Mapping[str, int]) -> tuple[str, ...]:
    total = sum(count for kind, count in counts.items() if kind != "layout")
    shown = (total, counts["quoted"] + counts["claimed"], *(counts[kind] for kind in _SHOWN))
    return (name, *(str(count) if count else "" for count in shown))


HEADS = ("section", "sentences", "claims", *_SHOWN)
"""The heads of the table whose rows `share_rows` gives."""


def _printed_table(document: str, rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[column]) for row in (HEADS, *rows)) for column in range(len(HEADS))]
    lines = []
    for row in (HEADS, *rows):
        cells = [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))]
        lines.append("  ".join(cells).rstrip())
    return "\n".join([document, *lines, ""])


def _places_text(places: Mapping[str, Mapping[str, Sequence[int]]]) -> str:
    """A line for each claim with the lines of each document on which it is printed."""
    lines = [
        "# The lines of the documents on which each claim is printed; python -m stirred.verify.ledger.coverage --write"
    ]
    for name in sorted(places):
        said = "; ".join(
            f"{document} {', '.join(map(str, numbers))}" for document, numbers in places[name].items() if numbers
        )
        lines.append(f"{name}: {said}")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the tables, and with --write keep what was found; the exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m stirred.verify.ledger.coverage", description=__doc__.split("\n")[0]
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER", help="the folder that holds the documents")
    parser.add_argument("--write", action="store_true", help="rewrite what is kept of them")
    parser.add_argument("--kept", type=Path, default=_SOURCES, metavar="FOLDER", help=argparse.SUPPRESS)
    asked = parser.parse_args(arguments)
    try:
        return _account(asked.folder, asked.kept, is_writing=asked.write)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2


def _account(folder: Path, keeping: Path, *, is_writing: bool) -> int:
    stated = [claim.stated() for claim in claims()]
    written: dict[Path, str] = {}
    places: dict[str, dict[str, list[int]]] = {}
    status = 0
    for document in DOCUMENTS:
        path = kept_path(document, keeping)
        if not path.exists():
            continue
        one = kept(document, keeping)
        printed = sentences(read_text(folder / one.file, _MAX_BYTES))
        for run in changed_runs(one, printed):
            print(f"{document}: sentences {run.first} to {run.last} have changed since they were read", file=sys.stderr)
            status = 1
        found = quotations_in(document, stated, one, printed)
        now = accounted(one, printed, found.quoted)
        in_other_words = claimed_in(document, stated, now, printed)
        for name in found.missing:
            if name not in in_other_words:
                print(f"{document}: the quotation of {name} was not found", file=sys.stderr)
        for name, numbers in {**{name: in_other_words.get(name, ()) for name in found.missing}, **found.places}.items():
            places.setdefault(name, {})[document] = sorted({printed[number].line for number in numbers})
        print(_printed_table(document, list(share_rows(now))))
        written[path] = formatted(document, now)
    written[keeping / PLACES] = _places_text(places)
    behind = [path for path, text in written.items() if not path.exists() or read_text(path) != text]
    if is_writing and not status:
        for path in behind:
            write_whole(str(path), written[path])
    elif behind:
        print(f"out of date (--write rewrites): {', '.join(path.name for path in behind)}", file=sys.stderr)
    return status


if __name__ == "__main__":
    sys.exit(main())
