"""`stirred verify`: re-check the ledger of claims."""

import argparse
import json
import shlex
import sys
import tempfile
import webbrowser
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError, positive_integer
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.kept_records import LEDGER, compared_status, kept_records
from stirred.verify.cli.commands.options import (
    add_format,
    add_jobs,
    cannot_combine,
    chosen_format,
    refuse_combined,
    requires,
    shows_terminal,
    write_report,
)
from stirred.verify.evidence.certificates.printable import json_text, one_line, printable
from stirred.verify.evidence.certificates.standard_streams import say
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.evidence.reports.lines import HOLDS, counts_line, exit_status, progress
from stirred.verify.evidence.reports.report import Finding, Place, Report, Result
from stirred.verify.evidence.reports.text import result_lines
from stirred.verify.ledger.bounded_record import bounded_record
from stirred.verify.ledger.certificates import Certified
from stirred.verify.ledger.claim import GRADES, Claim
from stirred.verify.ledger.documents import DOCUMENTS, documents, item_of


class KeptCertificates:
    """A folder of certificates: each file is written whole, and one that a claim does not leave is taken away."""

    def __init__(self, folder: str) -> None:
        self._folder = Path(folder)
        self._kept = self._bytes = 0
        self._none: Counter[str] = Counter()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError(f"{printable(folder)}: cannot be made a folder: {error.strerror}") from None

    def keep(self, found: Certified) -> None:
        """Write the certificates of a claim, and say in one line what they lack."""
        name = found.record.claim.id
        for suffix, text in ((".json", found.text), (".query.json", found.queries)):
            path = self._folder / f"{name}{suffix}"
            if text:
                write_whole(str(path), text)
                self._bytes += len(text.encode())
            else:
                path.unlink(missing_ok=True)
        if found.text or found.queries:
            self._kept += 1
        else:
            self._none[found.record.verdict.name] += 1
            say(one_line(f"{name}: no certificate: {'; '.join(found.without)}"))
        for scope in found.unanswered:
            say(one_line(f"{name}: its query waits for another solver [{scope}]"))

    def say_counts(self) -> None:
        """Say how many claims left a certificate, and of which verdicts those are that left none."""
        counts = ", ".join(f"{number} {name}" for name, number in sorted(self._none.items()))
        none = f"; {self._none.total()} leave none: {counts}" if self._none else ""
        say(f"{printable(str(self._folder))}: certificates of {self._kept} claims, {self._bytes} bytes{none}")


# Which claims a command line asks for: by id, by where they are printed, by grade, by words.


def add_choices(parser: argparse.ArgumentParser) -> None:
    """The ids and places, and the options that narrow them."""
    parser.add_argument(
        "ids", nargs="*", metavar="ID", help='ids, beginnings of ids, or items such as "Theorem 5.8.4", "article, (13)"'
    )
    parser.add_argument(
        "--source", metavar="PLACE", help=f"only statements of a document ({', '.join(DOCUMENTS)}) or an item in it"
    )
    parser.add_argument("--refuted", action="store_true", help="only refuted statements")
    parser.add_argument(
        "--grade", choices=tuple(GRADES), help="only statements refuted as misprint, incomplete or false"
    )
    parser.add_argument(
        "--search", metavar="WORDS", help="only statements whose id, text, source or grade has each of WORDS"
    )


def chosen_claims(arguments: argparse.Namespace) -> list[str]:
    """The ids of the claims that are asked for, in the ledger's order where no id is given."""
    from stirred.verify.ledger.book import claims  # noqa: PLC0415 other subcommands do not need the claims

    chosen = _by_id(arguments.ids)
    if not narrowing(arguments):
        return chosen
    left = [one.id for one in claims(chosen) if all(_wanted(one, arguments))]
    if not left:
        raise InputError(f"some claim must be asked for; none is chosen by {shlex.join(narrowing(arguments))}")
    return left


def narrowing(arguments: argparse.Namespace) -> list[str]:
    """The options that narrow the choice, as they are typed."""
    found = []
    for name in ("source", "grade", "search"):
        if getattr(arguments, name) is not None:
            found += [f"--{name}", getattr(arguments, name)]
    return [*found, *(["--refuted"] if arguments.refuted else [])]


def _wanted(one: Claim, arguments: argparse.Namespace) -> Iterator[bool]:
    """Whether a claim is what each option asks for."""
    yield arguments.source is None or any(_is_printed_at(one, place) for place in places_named(arguments.source))
    yield not arguments.refuted or one.grade is not None
    yield arguments.grade is None or (one.grade is not None and one.grade.word == arguments.grade)
    yield arguments.search is None or _has(one, arguments.search)


def _by_id(asked: Sequence[str]) -> list[str]:
    """The claims whose id begins so, or that are printed there."""
    from stirred.verify.ledger.book import claim_ids, claims  # noqa: PLC0415

    if not asked:
        return list(claim_ids())
    chosen: list[str] = []
    for text in asked:
        found = [name for name in claim_ids() if name.startswith(text)]
        if not found and (places := places_named(text)):
            found = [one.id for one in claims() if any(_is_printed_at(one, place) for place in places)]
            if not found:
                raise InputError(
                    f"no claim is of {text!r}; see stirred verify --list --source {places[0].partition(',')[0]!r}"
                )
        if not found:
            near = get_close_matches(text, claim_ids(), n=1)
            hint = f"; did you mean {near[0]!r}?" if near else "; see stirred verify --list"
            raise InputError(f"no claim's id begins with {text!r}, and no item has this name{hint}")
        chosen += [name for name in found if name not in chosen]
    return chosen


def places_named(text: str) -> list[str]:
    """The documents or items of this name or number, in any case; what follows a document's name may be any place.

    >>> places_named("phsafe"), places_named("5.8.4")
    (['PHSafe'], ['dissertation, Theorem 5.8.4'])
    """
    document, comma, place = text.partition(",")
    by_name = {name.casefold(): name for name in DOCUMENTS}
    document = by_name.get(document.strip().casefold(), "")
    if document and not comma:
        return [document]
    asked = (place if document else text).strip()
    found = [
        f"{name}, {item.name}"
        for name, items in documents().items()
        for item in items
        if document in ("", name)
        and asked.casefold() in (item.name.casefold(), item.name.casefold().rpartition(" ")[2])
    ]
    return found or ([f"{document}, {asked}"] if document else [])


def _is_printed_at(one: Claim, place: str) -> bool:
    """Whether a source of a claim is this document or item, or a place in it."""
    is_whole = place in DOCUMENTS or ", ".join(item_of(place) or ()) == place
    return any(
        source == place or (is_whole and source.startswith((f"{place},", f"{place} "))) for source in one.sources
    )


def _has(one: Claim, words: str) -> bool:
    """Whether each of these words stands in what is said of a claim, whatever their case."""
    grade = one.grade.reason if one.grade else ""
    said = " ".join((one.id, one.source, one.statement, one.reading, grade)).casefold()
    return all(word in said for word in words.casefold().split())


# The page of one claim, as `stirred verify --open` shows it.


def opened_claim(chosen: Sequence[str], asked: Sequence[str]) -> str:
    """The claim whose page is to be opened: the one that is asked for by its whole id, or the only one chosen.

    >>> opened_claim(["a.b", "a.b.c"], ["a.b"])
    'a.b'
    """
    whole = [name for name in asked if name in chosen]
    named = whole if len(whole) == 1 else list(chosen)
    if len(named) != 1:
        raise requires("--open", f"a single claim; got {len(named)}")
    return named[0]


def open_page(claim_id: str, records: Sequence[Mapping[str, Any]]) -> None:
    """Write the pages of these claims into a folder of their own, say where that of one claim is, and open it.

    Without a browser it is only said.
    """
    from stirred.verify.cli.site.build import build_site  # noqa: PLC0415 the libraries of the group site

    folder = Path(tempfile.mkdtemp(prefix="stirred-")) / "pages"
    as_printed = json.loads(json.dumps(list(records)))
    build_site(str(folder), as_printed, source="the run before it was opened", whole=False)
    page = folder / "ledger" / f"{claim_id}.html"
    say(str(page))
    webbrowser.open(page.as_uri())


_EPILOG = """\
examples:
  stirred verify                                 re-check every statement
  stirred verify psa. --json                     ids that begin with "psa."
  stirred verify "Theorem 5.8.4"                 what is printed there
  stirred verify --source article --refuted      what is refuted in a document
  stirred verify --search "swap rate" --list     statements by their words
  stirred verify psa.budget.theorem --open       one statement as a page
  stirred verify --certificates kept             certificates for stirred check
  stirred verify --json > ledger.json            keep the ledger
  stirred verify --against ledger.json           compare with it, except times

exit status: 0 everything re-checked holds within its stated scope; 1 something is refuted (the sources contain false \
statements, so the whole ledger gives 1) or differs from --against; 2 usage or engine failure; 3 nothing is refuted \
but something is undecided.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "verify",
        run,
        description="Re-check the ledger: every statement of the sources as printed, with its evidence and mutants.",
        epilog=_EPILOG,
    )
    add_choices(parser)
    add_format(parser)
    parser.add_argument("--list", action="store_true", help="list ids and sources, check nothing")
    parser.add_argument("--against", metavar="FILE", help="exit 1 if a record differs from earlier --json output")
    parser.add_argument("--certificates", metavar="DIR", help="write certificates into DIR, for stirred check")
    parser.add_argument(
        "--open", action="store_true", help="open one statement as a page in a browser, and print its path"
    )
    parser.add_argument(
        "--whole", action="store_true", help="with --json: include long witnesses of mutants, not only digests"
    )
    add_jobs(parser)


def run(arguments: argparse.Namespace) -> int:
    """Re-check and print; returns the exit status."""
    name = chosen_format(arguments)
    chosen = chosen_claims(arguments)
    asked = chosen if narrowing(arguments) else arguments.ids
    if arguments.list:
        refuse_combined(arguments, "--list", ["html"])
        return _list(chosen, name)
    opened = opened_claim(chosen, arguments.ids) if arguments.open else None
    kept = None if arguments.against is None else kept_records(arguments.against, LEDGER)
    is_streamed = name == "text" and not shows_terminal(arguments)
    jobs = positive_integer("--jobs", arguments.jobs)
    records, results = [], []
    with progress(len(chosen)) as display:
        for record in _records(chosen, arguments.certificates, jobs):
            records.append(record)
            results.append(_result(record, places=bool(asked)))
            display.advance(record.claim.id)
            if is_streamed:
                sys.stdout.write("".join(f"{line}\n" for line in result_lines(results[-1])))
    verdicts = [record.verdict for record in records]
    counts, values = counts_line("claim", verdicts), [record.as_json() for record in records]
    if not arguments.whole:
        values = [bounded_record(value) for value in values]
    if is_streamed:
        sys.stdout.write(counts + "\n")
    else:
        command = shlex.join(["stirred", "verify", *arguments.ids, *narrowing(arguments)])
        write_report(Report("verify", command, results, counts, values), arguments)
    if opened is not None:
        open_page(opened, values)
    if kept is None:
        return exit_status(verdicts)
    before = {name: bounded_record(record) for name, record in kept.items()}
    return compared_status([bounded_record(value) for value in values], before, asked)


def _records(chosen: Sequence[str], folder: str | None, jobs: int) -> Iterator[Any]:
    """The claims, re-checked; where there is a folder, their certificates are written into it."""
    if folder is None:
        from stirred.verify.ledger.run import run as run_ledger  # noqa: PLC0415 loads the checks

        yield from run_ledger(chosen, jobs=jobs)
        return
    from stirred.verify.ledger.certificates import run_certified  # noqa: PLC0415

    kept = KeptCertificates(folder)
    for one in run_certified(chosen, jobs=jobs):
        kept.keep(one)
        yield one.record
    kept.say_counts()


def _list(chosen: Sequence[str], name: str) -> int:
    """Print ids and sources."""
    if name not in ("text", "json"):
        raise cannot_combine("--list", f"--format {name}")
    from stirred.verify.ledger.book import claims as stated  # noqa: PLC0415 loads the claims

    claims = stated(chosen)
    listed = [{"id": claim.id, "source": claim.source, "statement": claim.statement} for claim in claims]
    lines = [f"{claim.id}: {claim.source}" for claim in claims]
    sys.stdout.write((json_text(listed) if name == "json" else "\n".join(lines)) + "\n")
    return HOLDS


def _place(found: Any) -> str:
    """A verdict with the place of its check, and what was compared there."""
    compared = f": {found.expression}" if found.expression else ""
    return f"{found.evidence.verdict.name} by {found.place}{compared}"


def _entry(claim_id: str) -> Place:
    from stirred.verify.ledger.book import entry  # noqa: PLC0415 other subcommands do not need the claims

    return Place(entry(claim_id).file, entry(claim_id).line)


def _theorems(place: str) -> Iterator[Place]:
    """The lines of the theorems at the place of a check, if it rests on theorems."""
    from stirred.verify.evidence.theorems import STATEMENTS, theorems  # noqa: PLC0415

    file, _, names = place.partition("::")
    if file.endswith(STATEMENTS.name):
        yield from (Place(file, theorems()[name.rpartition(".")[2]].line) for name in names.split(", "))


def _result(record: Any, *, places: bool) -> Result:
    """A record of the ledger as one finding, which stands alone."""
    claim = record.claim
    detail = f" {record.detail}" if record.detail else ""
    grade = f" ({claim.grade.word}: {claim.grade.reason})" if claim.grade else ""
    notes = [_place(one) for one in record.found] if places else []
    if record.refuted_in_coq:
        notes.append(f"in Coq too: {', '.join(record.refuted_in_coq)}")
    finding = Finding(
        claim.id,
        "claim",
        record.verdict,
        f"({claim.source}) {claim.statement}{grade}{detail}",
        record.scope,
        record.witness,
        place=_entry(claim.id),
        notes=tuple(notes),
        related=tuple(one for found in record.found for one in _theorems(found.place)),
    )
    return Result(finding, source=claim.source, statement=claim.statement, because=f"{grade}{detail}".strip())
