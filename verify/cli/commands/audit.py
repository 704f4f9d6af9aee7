"""`stirred audit`: check claim files, or the published claims that come with the program."""

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError, parse_exact, probability
from stirred.spec.numbers.enclosure import decimal_text
from stirred.verify.audit.audit import AuditRecord, audit
from stirred.verify.audit.audit_report import ClaimPlaces, audit_result
from stirred.verify.audit.black_box.sampling import CONFIDENCE, DRAWS, Sampling
from stirred.verify.audit.coq_file import NoCoqFileError, check_coq_name, coq_file, coq_module
from stirred.verify.audit.records.record_kind import record_kind
from stirred.verify.cli.commands.audited_files import Task, expanded, limited, named_files, readable, with_tables
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.kept_records import AUDIT, compared_status, kept_records
from stirred.verify.cli.commands.options import (
    add_format,
    add_limits,
    chosen_format,
    command_line,
    is_given,
    limits,
    option_name,
    refuse_combined,
    refuse_same_file,
    require,
    requires,
    write_report,
)
from stirred.verify.cli.commands.swap_report import add_tables
from stirred.verify.evidence.certificates.printable import json_text, one_line, printable
from stirred.verify.evidence.certificates.standard_streams import say
from stirred.verify.evidence.files.atomic import real_path, take_away, write_whole
from stirred.verify.evidence.process_control.time_limit import time_limit
from stirred.verify.evidence.reports.lines import FAILURE, counted, error_line, exit_status, progress
from stirred.verify.evidence.reports.provenance import without_folders
from stirred.verify.evidence.reports.report import Report, Result
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.claim.claim_numbers import PUBLISHED, account_blocks
from stirred.verify.laws.claim.five_blocks import FiveBlocks, five_blocks, five_safes
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims
from stirred.verify.laws.foreign import Limits

_EPILOG = """\
The keys of a claim file: stirred guide claim-file. Published records: stirred guide records.

examples:
  stirred audit claim.toml --html report.html
  stirred audit swap.toml --data homes.csv swapped.csv
  stirred audit claim.toml --witness w.json && stirred replay w.json

exit status: 0 all claims hold within their stated scope; 1 one is refuted; 2 usage or engine failure; 3 none is \
refuted but one is undecided.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "audit",
        run,
        description="Check privacy claims: complete? non-vacuous? numerically consistent? satisfied?",
        epilog=_EPILOG,
        usage="stirred audit [OPTION ...] [FILE ...]",
    )
    what = "claim files, records, p-tables, swapped tables, folders"
    parser.add_argument("files", nargs="*", metavar="FILE", help=what)
    parser.add_argument(
        "--data", nargs="+", metavar=("RECORDS", "SWAPPED"), help="records before and after a swap, to check its claim"
    )
    parser.add_argument(
        "--persons", nargs=2, metavar=("BEFORE", "AFTER"), help="with --data: persons of the households, to check, too"
    )
    parser.add_argument("--full", action="store_true", help="without FILE: every answer about the published claims")
    add_limits(parser, "one claim or record")
    output = parser.add_argument_group("output")
    add_format(output)
    add_tables(output)
    output.add_argument("--witness", metavar="FILE", help="write counterexamples, for stirred replay")
    output.add_argument("--certificate", metavar="FILE", help="write certificates, for stirred check")
    output.add_argument("--coq", metavar="FILE.v", help="write the claims, or their negations, as Coq theorems")
    output.add_argument("--against", metavar="FILE", help="exit 1 if a record differs from earlier --json output")
    add_sampling(parser.add_argument_group("sampling (stirred guide black-boxes)"))


def run(arguments: argparse.Namespace) -> int:
    """Audit and print; returns the exit status."""
    allowed = limits(arguments)
    if chosen_format(arguments) != "html" and arguments.html is None and arguments.tables is not None:
        raise requires("--tables", "--html")
    if arguments.persons is not None and len(arguments.data or ()) < 2:
        raise requires("--persons", "--data RECORDS SWAPPED")
    sampling = chosen_sampling(arguments, allowed)
    skipped: list[str] = []
    original, *more = arguments.data or [None]
    given = named_files([*arguments.files, *more])
    failed = list(given.failed)
    named = expanded(given.others, skipped)
    data = [path for pair in [*given.tables, (original, None)] for path in pair if path is not None]
    if arguments.coq is not None:
        check_coq_name(arguments.coq)
    read = {real_path(file): "FILE" for file in [*named, *data]}
    if arguments.against is not None:
        read[real_path(arguments.against)] = "--against"
    refuse_same_file(arguments, ("witness", "certificate", "coq", "html"), read)
    kept = None if arguments.against is None else kept_records(arguments.against, AUDIT)
    files: Sequence[str | Path] = sorted(PUBLISHED.glob("*.toml"))
    if arguments.files or original is not None:
        with time_limit(allowed.seconds, "reading the files"):
            files = readable(named, failed)
    are_certified = bool(arguments.certificate or arguments.coq)
    tasks = audit_tasks(files, allowed, failed, are_certified=are_certified, sampling=sampling)
    tasks = with_tables(tasks, given.tables, original, allowed.seconds, failed, persons=arguments.persons or ())
    audited: list[tuple[Task, AuditRecord]] = []
    with progress(len(tasks)) as display:
        for task in tasks:
            try:
                audited.append((task, task.audit()))
            except InputError as error:
                failed.append(str(error))
            display.advance(task.name)
    records = [record for _, record in audited]
    if records and not (failed and arguments.data):  # a claim that is checked with data is not checked without
        report = _report(arguments, audited, failed, allowed)
        _write_files(arguments, audited)
        write_report(report, arguments)
    for message in skipped:
        say(one_line(f"not audited: {message}"))
    for message in failed:
        say(error_line(message))
    if failed:
        return FAILURE
    if kept is not None:
        return compared_status(report.records, kept)
    return exit_status(record.verdict for record in records)


def _write_files(arguments: argparse.Namespace, audited: Sequence[tuple[Task, AuditRecord]]) -> None:
    """Write what is asked for beside the findings: each file whole, or not at all."""
    records = [record for _, record in audited]
    if arguments.witness is not None:
        write_witnesses(arguments.witness, records)
    if arguments.certificate is not None:
        write_certificates(arguments.certificate, records)
    if arguments.coq is not None:
        sources = {one: None for task, _ in audited for one in ClaimPlaces(task.path, task.built).files()}
        write_coq(arguments.coq, records, sources)


def _report(
    arguments: argparse.Namespace, audited: Sequence[tuple[Task, AuditRecord]], failed: Sequence[str], allowed: Limits
) -> Report:
    has_page = arguments.html is not None or chosen_format(arguments) == "html"
    results = []
    for task, record in audited:
        places = ClaimPlaces(task.path, task.built)
        result = audit_result(record, places, () if task.blocks is None else task.blocks.questions())
        if has_page and task.blocks is not None:
            result = replace(result, safes=five_safes(task.blocks))
        if has_page and task.built is not None:
            with time_limit(allowed.seconds, f"the picture of {task.name}"):
                result = _with_pictures(result, task.built)
        if has_page:
            result = _with_effects(result, task, arguments, allowed.seconds)
        results.append(result)
    return Report(
        "audit",
        command_line("audit", [*arguments.files, *(["--data", *arguments.data] if arguments.data else [])], arguments),
        results,
        _counts([record.verdict for _, record in audited], len(failed)),
        [record.as_json() for _, record in audited],
        is_full=bool(arguments.files or arguments.data) or arguments.full,
        not_audited=tuple(without_folders(message, [*arguments.files, *(arguments.data or [])]) for message in failed),
    )


def _with_pictures(result: Result, built: PrivacyClaim) -> Result:
    """The result with what invariants do to the budget, and what the budget lets someone learn."""
    from stirred.verify.audit.compared_claims import with_and_without_invariants  # noqa: PLC0415 slow to load
    from stirred.verify.audit.inference.inference import learned_from  # noqa: PLC0415

    return replace(result, picture=with_and_without_invariants(built), learned=learned_from(built))


def _with_effects(result: Result, task: Task, arguments: argparse.Namespace, seconds: int) -> Result:
    """The result with what a swap did to its records."""
    with time_limit(seconds, f"the figures of {task.name}"):
        found = [one for compute in task.effects if (one := compute(arguments.tables, arguments.persons)) is not None]
    lead = tuple(line for one in found for line in one.lead)
    return replace(result, lead=lead, figures=tuple(part for one in found for part in one.figures))


def audit_tasks(
    paths: Sequence[str | Path],
    allowed: Limits,
    failed: list[str] | None = None,
    *,
    are_certified: bool = False,
    sampling: Sampling | None = None,
) -> list[Task]:
    """What is to be audited: claims first, then published records; all of it is validated here.

    Why a claim cannot be audited is added to `failed`; without it that is raised.
    """
    with time_limit(allowed.seconds, "reading the files"):
        is_record = {str(path): record_kind(Path(path)) is not None for path in paths}
        claims = read_claims([path for path in paths if not is_record[str(path)]])
    tasks: list[Task] = []
    known: dict[str, AuditRecord] = {}
    for claim in claims:
        try:
            with time_limit(allowed.seconds, f"reading the claim {claim.id}"):
                built = build_claim(claim, allowed)
                if sampling is None:
                    built.check_code()
        except InputError as error:
            if failed is None:
                raise
            failed.append(str(error))
            continue
        run_claim = partial(audit, built, is_certified=are_certified, known=known)
        if sampling is not None and not claim.is_about_numbers_only:
            run_claim = partial(sampled_record, built, sampling)
        tasks.append(Task(claim.id, run_claim, claim.path, built, _blocks(built)))
    if any(is_record.values()):
        # readers of records are loaded for records only: they would slow down every other call
        from stirred.verify.audit.records.record_audit import audit_record, read_records  # noqa: PLC0415

        with time_limit(allowed.seconds, "reading the published records"):
            records = read_records([Path(path) for path in paths if is_record[str(path)]])
        for record in records:
            name = str(record.path)
            run_one = partial(limited, allowed.seconds, name, partial(audit_record, record))
            tasks.append(Task(name, run_one, record.path, None, record.blocks))
    return tasks


def _blocks(built: PrivacyClaim) -> FiveBlocks | None:
    """The claim's own specification, or that of its account."""
    if not built.is_about_numbers_only:
        return five_blocks(built)
    return None if built.account is None else account_blocks(built.account)


def _counts(verdicts: Sequence[Verdict], failed: int) -> str:
    refuted = sum(verdict is Verdict.REFUTED for verdict in verdicts)
    hold = sum(verdict.is_settled_for for verdict in verdicts)
    undecided = len(verdicts) - hold - refuted
    not_audited = f", {failed} not audited" if failed else ""
    return f"{counted(len(verdicts), 'claim')}: {hold} hold, {refuted} refuted, {undecided} undecided{not_audited}"


# Audits by samples.

_SAMPLING = ("draws", "confidence", "seed", "digits", "resume")
_NOT_SAMPLED = ("certificate", "coq", "data", "against")


def add_sampling(group: argparse._ActionsContainer) -> None:
    """Declare --sampled and its options."""
    group.add_argument("--sampled", action="store_true", help="sample the mechanism, unconfined; can only refute")
    each = f"samples per data set at the end (default {DRAWS})"
    group.add_argument("--draws", type=int, metavar="N", help=each)
    required = f"confidence needed for REFUTED (default {decimal_text(CONFIDENCE, 12)})"
    group.add_argument("--confidence", metavar="C", help=required)
    group.add_argument("--seed", type=int, metavar="N", help="seed (default: random)")
    digits = "round outputs to N significant digits first, to ignore floating-point noise"
    group.add_argument("--digits", type=int, metavar="N", help=digits)
    group.add_argument("--resume", metavar="FILE", help="save sampling progress to FILE and resume from it")


def chosen_sampling(arguments: argparse.Namespace, allowed: Limits) -> Sampling | None:
    """How claims are to be sampled; None where they are not."""
    if not arguments.sampled:
        for name in _SAMPLING:
            if is_given(arguments, name):
                raise requires(option_name(name), "--sampled")
        return None
    refuse_combined(arguments, "--sampled", _NOT_SAMPLED, "samples prove nothing")
    if not arguments.files:
        raise requires("--sampled", "claim files")
    if arguments.resume is not None:
        require(arguments, "--resume", ("seed",))
    confidence = CONFIDENCE
    if arguments.confidence is not None:
        confidence = probability("--confidence", parse_exact("--confidence", arguments.confidence))
    try:
        return Sampling(
            draws=DRAWS if arguments.draws is None else arguments.draws,
            confidence=confidence,
            seed=arguments.seed,
            seconds=allowed.seconds,
            jobs=allowed.jobs,
            resume=arguments.resume,
            digits=arguments.digits,
            generator=allowed.generator,
        )
    except InputError as error:
        raise InputError(f"--{error}") from None


def sampled_record(built: PrivacyClaim, sampling: Sampling) -> AuditRecord:
    """The answers about a claim whose mechanism is sampled."""
    from stirred.verify.audit.sampled import audit_sampled  # noqa: PLC0415 it loads NumPy, which no other audit needs

    return audit_sampled(built, sampling).record


# What is written beside the findings: each file whole, or not at all.


def write_coq(path: str, records: Sequence[AuditRecord], sources: Iterable[tuple[str, str]]) -> None:
    """Write every theorem: the whole file, or nothing."""
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
        take_away(path)
    else:
        write_whole(path, coq_file(modules, sources))
        checked = f"stirred check {printable(path)} --claim CLAIM --coqc"
        say(one_line(f"{printable(path)}: to check it, after make -C proofs: {checked}"))


def write_certificates(path: str, records: Sequence[AuditRecord]) -> None:
    """Write every certificate: the whole file, or nothing."""
    for record in records:
        if not record.certificates:
            why = record.uncertified or "a published record has no laws"
            say(one_line(f"{printable(path)}: no certificate of {record.id}: {why}"))
    found = [one for record in records for one in record.certificates]
    if not found:
        take_away(path)
    else:
        write_whole(path, json_text(found[0] if len(found) == 1 else found) + "\n")


def write_witnesses(path: str, records: Sequence[AuditRecord]) -> None:
    """Write every counterexample: the whole file, or nothing."""
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
