"""`stirred check`: check certificates and releases again, by independent checkers alone."""

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from stirred.verify.audit.coqc import refused_by_coqc, require_coq
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.options import add_number, byte_count, parse_seconds, require
from stirred.verify.evidence.certificates import alignment, check, query, sentences
from stirred.verify.evidence.certificates.bounded_read import UnreadableError, read_whole
from stirred.verify.evidence.certificates.printable import json_text, one_line, printable
from stirred.verify.evidence.certificates.standard_streams import say
from stirred.verify.laws.sandbox.within_limits import LimitError, within_limits
from stirred.verify.products.release_checks.checked import CONFIRMED, OPEN, REFUTED, UNREADABLE, checked_release

Certificate = Mapping[str, Any]

IS_OF_CLAIM = "compared: it is, word for word and number for number, what the claim leaves today"
_DIGESTS = r'^(?:\(\* (?:(?!\(\*|\*\)|").)*? SHA-256\s+[0-9a-f]{64} \*\)\n)+\n(?=Module Claim1\.$)'
COQ_IS_OF_CLAIM = "COMPARED: its text is what stirred writes for the claims; whether it holds --coqc says"
COQ_HOLDS = (
    "CONFIRMED: its text is what stirred writes for the claims; coqc accepts it, on the axioms of the real numbers"
)


@dataclass(frozen=True)
class ClaimsAtHand:
    """What certificates are compared with: audited claim files, and perhaps the ledger."""

    audited: tuple[str, ...]
    is_with_ledger: bool

    @property
    def is_asked(self) -> bool:
        """Whether there is anything to compare with."""
        return bool(self.audited) or self.is_with_ledger

    @cached_property
    def _certificates(self) -> tuple[tuple[Certificate, ...], ...]:
        return tuple(_audited(self.audited))

    def of_certificate(self, certificate: Certificate) -> str | None:
        """Why a certificate is not one of the claims; None where it is."""
        claim = certificate["claim"]
        if certificate["format"] == check.FORMAT:
            expected = [one for found in self._certificates for one in found if one["claim"] == claim]
        else:
            expected = list(_of_ledger(claim)) if self.is_with_ledger else []
        if not expected:
            return f"of the claim {json.dumps(claim)} nothing is known here to compare it with"
        read: list[Any] = [json.loads(json_text(one)) for one in expected]
        if certificate in read:
            return None
        keys = [key for key in certificate if certificate[key] != read[0].get(key)]
        return f"it is not what the claim {json.dumps(claim)} leaves: another {', '.join(keys) or 'set of keys'}"

    def of_coq(self, text: str) -> str | None:
        """Why a Coq file is not that of the claims; None where it is. The names and digests of files are its own."""
        from stirred.verify.audit.coq_file import NoCoqFileError, coq_file, coq_module  # noqa: PLC0415 slow to load
        from stirred.verify.cli.commands.coq_theorems import file_of_claims, is_every_size  # noqa: PLC0415

        if all(map(is_every_size, self.audited)):
            of_every_size = file_of_claims(self.audited)
            if of_every_size is None:
                return "NOT OF THE CLAIMS: stirred prove writes no theorem for them"
            return (
                None
                if text == of_every_size
                else "NOT OF THE CLAIMS: its text is not what stirred prove writes for them"
            )
        modules = []
        for found in self._certificates:
            try:
                modules += [coq_module(one) for one in found]
            except NoCoqFileError:
                continue
        if not modules:
            return "NOT OF THE CLAIMS: an audit of them writes no theorem"
        if _without_digests(text) != coq_file(modules):
            return "NOT OF THE CLAIMS: its text is not what an audit of them writes"
        return None


def compared_with(claims: Sequence[str], *, is_with_ledger: bool) -> ClaimsAtHand:
    """What certificates are compared with: audited claim files, and perhaps the ledger."""
    return ClaimsAtHand(tuple(claims), is_with_ledger)


def _audited(paths: Sequence[str]) -> Iterator[tuple[Certificate, ...]]:
    """The certificates of each claim in files."""
    from stirred.verify.audit.audit import audit  # noqa: PLC0415 slow to load
    from stirred.verify.laws.claim.read import build_claim  # noqa: PLC0415
    from stirred.verify.laws.claim.text import read_claims  # noqa: PLC0415

    for path in paths:
        for claim in read_claims([path]):
            yield audit(build_claim(claim), is_certified=True).certificates


def _of_ledger(claim_id: Any) -> Iterator[Certificate]:
    """The certificates of a claim of the ledger; none where it has no such claim."""
    from stirred.verify.ledger.book import claim_ids  # noqa: PLC0415 slow to load
    from stirred.verify.ledger.certificates import certified  # noqa: PLC0415

    if claim_id in claim_ids():
        found = certified(claim_id)
        yield from (json.loads(line) for line in found.text.splitlines())
        if found.queries:
            yield from json.loads(found.queries)


def _without_digests(text: str) -> str:
    """A Coq file without the comments that name the audited files, which stand together before the first module."""
    return re.sub(_DIGESTS, "", text, count=1, flags=re.M | re.S)


_CHECKERS: Mapping[str, Callable[[Any], list[str]]] = {
    check.FORMAT: check.check,
    sentences.FORMAT: sentences.check,
    query.FORMAT: query.check,
    alignment.FORMAT: alignment.check,
}
_REFUSED = (check.CertificateError, sentences.SentenceError, query.QueryError, alignment.AlignmentError)
_MOST_BYTES = 200_000_000
_SECONDS, _MEMORY = 600, "4GB"

_EPILOG = """\
FILE is a certificate or a list of them, from stirred audit --certificate, stirred prove --certificate or stirred \
verify --certificates. Each format is checked by the standard library alone, by code that nothing else uses; only the \
reading of an alignment's source is the prover's too:

  python -m stirred.verify.evidence.certificates.check FILE       laws
  python -m stirred.verify.evidence.certificates.sentences FILE   exact numbers
  python -m stirred.verify.evidence.certificates.query FILE       SMT-LIB queries
  python -m stirred.verify.evidence.certificates.alignment FILE   alignments

The output lists what was not compared (the id, statement, mechanism and scopes, which anyone can write; --claim or \
--ledger compares them), what has to be trusted, what else bears on the claim, and what is confirmed. A certificate \
that compares no two data sets is vacuous, and not confirmed.

FILE may also be a folder written by stirred run topdown --output. Only its files are read, and nothing of the program \
that wrote it is run: records are recounted; every invariant, bound and rule is compared with them; the budget is \
summed from the noise variances and specification.toml compared with the other files; that sibling counts are nearest \
to the noisy measurements is proved by dual prices, or refuted by nearer counts. Other text is listed as not compared, \
and leaves the release open. This needs the group "topdown" (pip install pyarrow scipy).

Each file is checked in a process of its own within --seconds and --memory, since an altered file may demand more than \
can be computed.

examples:
  stirred audit claim.toml --certificate c.json
  stirred check c.json Claim.v --claim claim.toml --coqc
  stirred verify psa. --certificates kept
  stirred check kept/psa.*.json --ledger
  stirred check released

exit status: 0 the numbers of all files are confirmed; 1 one is not confirmed, compares nothing, or belongs to another \
claim; 2 one cannot be read, or not be checked within the limits; 3 undecided: whether the counts of a release are \
nearest, or what words of its specification promise.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "check",
        run,
        description="Re-check certificates and releases, by independent checkers that recompute everything.",
        epilog=_EPILOG,
    )
    parser.add_argument(
        "files", nargs="+", metavar="FILE", help="certificates (JSON), Coq files (with --claim), releases (folders)"
    )
    parser.add_argument(
        "--claim", nargs="+", metavar="CLAIM", help="audit these claims, and refuse certificates of others"
    )
    parser.add_argument("--coqc", action="store_true", help="compile Coq files too, and compare what they rest on")
    parser.add_argument("--ledger", action="store_true", help="re-check the ledger, and refuse certificates of others")
    add_number(parser, "--seconds", "processor seconds per file", _SECONDS)
    parser.add_argument(
        "--memory", default=_MEMORY, metavar="SIZE", help="memory limit per check and solver (default %(default)s)"
    )


def run(arguments: argparse.Namespace) -> int:
    """Check and print; returns the exit status."""
    compared = compared_with(arguments.claim or (), is_with_ledger=arguments.ledger)
    if arguments.coqc:
        require(arguments, "--coqc", ["claim"])
        require_coq()
    seconds, memory = parse_seconds(arguments), byte_count("--memory", arguments.memory)
    limited = partial(within_limits, seconds=seconds, memory=memory)
    compiling = partial(refused_by_coqc, seconds=seconds, memory=memory) if arguments.coqc else None
    statuses = []
    for path in arguments.files:
        if path.endswith(".v"):
            statuses.append(_coq(path, compared, compiling))
        elif path and Path(path).is_dir():
            statuses.append(_released(path, compared, limited))
        else:
            statuses.append(_checked(path, compared, limited))
    return next((status for status in (UNREADABLE, REFUTED, OPEN) if status in statuses), CONFIRMED)


def _released(path: str, compared: ClaimsAtHand, limited: Callable[[Callable[[], Any]], Any]) -> int:
    """Check a release and print what is found; returns the exit status."""
    if compared.is_asked:
        say(one_line(f"{printable(path)}: a release is compared with no claim: leave out --claim and --ledger"))
        return UNREADABLE
    try:
        status, lines = limited(partial(checked_release, path))
    except LimitError as error:
        status, lines = UNREADABLE, [f"not checked: {error}"]
    for line in lines:
        text = one_line(f"{printable(path)}: {line}")
        say(text) if status == UNREADABLE else sys.stdout.write(text + "\n")
    return int(status)


def _coq(path: str, compared: ClaimsAtHand, compiling: Callable[[str], str | None] | None) -> int:
    """Compare a Coq file with the claims, compile it on request, and print what is found; returns the exit status."""
    if not compared.audited:
        say(one_line(f"{printable(path)}: a Coq file is compared with claims: add --claim, and --coqc to compile it"))
        return 2
    try:
        text = read_whole(path, _MOST_BYTES).decode("utf-8", "replace")
    except UnreadableError as error:
        say(one_line(f"{printable(path)}: {error}"))
        return UNREADABLE
    found, held = compared.of_coq(text), COQ_IS_OF_CLAIM
    if compiling and found is None:
        held = COQ_HOLDS
        try:
            why = compiling(text)
        except LimitError as error:
            say(one_line(f"{printable(path)}: not checked: {error}"))
            return UNREADABLE
        found = why and f"NOT CONFIRMED: {why}"
    sys.stdout.write(one_line(f"{printable(path)}: {found or held}") + "\n")
    return int(found is not None)


def _checked(path: str, compared: ClaimsAtHand, limited: Callable[[Callable[[], Any]], Any]) -> int:
    """Check one file and print its lines, or why it is not confirmed; returns the exit status."""
    try:
        content = read_whole(path, _MOST_BYTES)
        status, found = limited(partial(_found, content))
        if status == 0 and compared.is_asked:
            status, found = _compared(content, found, compared)
    except UnreadableError as error:
        status, found = 2, [[str(error)]]
    except LimitError as error:
        status, found = 2, [[f"not checked: {error}"]]
    for number, lines in enumerate(found, 1):
        place = f"{number} of {len(found)}: " if len(found) > 1 else ""
        for line in lines:
            text = one_line(f"{printable(path)}: {place}{line}")
            say(text) if status == 2 else sys.stdout.write(text + "\n")
    return int(status)


def _found(content: bytes) -> tuple[int, Sequence[Sequence[str]]]:
    """The exit status of a file by itself, and the lines of each certificate in it."""
    try:
        return 0, [_confirmed(one) for one in _certificates(content)]
    except _REFUSED as error:
        return 1, [[f"NOT CONFIRMED: {error}"]]
    except (LookupError, RecursionError, TypeError, ValueError) as error:
        return 2, [[f"cannot be read: {error}"]]


def _compared(
    content: bytes, found: Sequence[Sequence[str]], compared: ClaimsAtHand
) -> tuple[int, Sequence[Sequence[str]]]:
    """The same of a file that is confirmed by itself, once its certificates are those of the claims at hand."""
    lines = []
    for certificate, confirmed in zip(_certificates(content), found, strict=True):
        if why := compared.of_certificate(certificate):
            return 1, [[f"NOT CONFIRMED: {why}"]]
        lines.append([IS_OF_CLAIM, *(line for line in confirmed if not line.startswith("not compared: "))])
    return 0, lines


def _certificates(content: bytes) -> Sequence[Any]:
    one = json.loads(content, object_pairs_hook=_unique)
    return one if isinstance(one, list) and one else [one]


def _confirmed(certificate: Any) -> list[str]:
    """What the checker of a certificate's form confirms."""
    form = certificate.get("format") if isinstance(certificate, dict) else None
    if not isinstance(form, str) or form not in _CHECKERS:
        raise check.CertificateError(f"format must be one of {', '.join(map(repr, _CHECKERS))}")
    return _CHECKERS[form](certificate)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len(dict(pairs)) != len(pairs):
        raise check.CertificateError("a key must stand once in its object")
    return dict(pairs)
