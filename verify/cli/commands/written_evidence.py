"""What `stirred audit` writes beside its findings: counterexamples, certificates, theorems; each file whole or not."""

import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from stirred.spec.arguments import InputError
from stirred.verify.audit.audit import AuditRecord
from stirred.verify.audit.coq_file import NoCoqFileError, coq_file, coq_module, coqc_command
from stirred.verify.evidence.certificates.printable import json_text, one_line, printable
from stirred.verify.evidence.certificates.standard_streams import say
from stirred.verify.evidence.files.atomic import write_whole


def write_coq(path: str, records: Sequence[AuditRecord], sources: Iterable[tuple[str, str]]) -> None:
    """Write every theorem: the whole file, or nothing.

    Args:
        path: the file.
        records: what the audits found.
        sources: the files that were audited, each with its SHA-256.

    Raises:
        InputError: the file cannot be written; what was there before is untouched.
    """
    modules = []
    for record in records:
        why = "" if record.certificates else record.uncertified or "a published record has no laws"
        try:
            modules += [coq_module(one) for one in record.certificates]
        except NoCoqFileError as error:
            why = str(error)
        if why:
            say(one_line(f"{printable(path)}: no theorem on {record.id}: {why}"))
    if not modules:
        _take_away(path)
    else:
        write_whole(path, coq_file(modules, sources))
        say(one_line(f"{printable(path)}: to check it, after make -C proofs: {coqc_command(printable(path))}"))


def write_certificates(path: str, records: Sequence[AuditRecord]) -> None:
    """Write every certificate: the whole file, or nothing.

    Raises:
        InputError: the file cannot be written; what was there before is untouched.
    """
    for record in records:
        if not record.certificates:
            why = record.uncertified or "a published record has no laws"
            say(one_line(f"{printable(path)}: no certificate of {record.id}: {why}"))
    found = [one for record in records for one in record.certificates]
    if not found:
        _take_away(path)
    else:
        write_whole(path, json_text(found[0] if len(found) == 1 else found) + "\n")


def _take_away(path: str) -> None:
    """Remove what an earlier run wrote where this one shows nothing: nobody is to take it for this one's.

    Raises:
        InputError: it cannot be removed.
    """
    try:
        Path(path).unlink(missing_ok=True)
    except OSError as error:
        raise InputError(f"{printable(path)}: cannot be removed: {error.strerror}") from None


def write_witnesses(path: str, records: Sequence[AuditRecord]) -> None:
    """Write every counterexample: the whole file, or nothing.

    Raises:
        InputError: the file cannot be written; what was there before is untouched.
    """
    witnesses = [
        {"id": f"{record.id}.{answer.question}", "witness": answer.evidence.witness}
        for record in records
        for answer in record.answers
        if answer.evidence.witness is not None
    ]
    if not witnesses:
        sys.stderr.write(f"{printable(path)}: not written: nothing is refuted\n")
        return
    write_whole(path, json_text(witnesses) + "\n")
