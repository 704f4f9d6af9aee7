"""`stirred audit`: check claim files, or the published claims that come with the program."""

import argparse
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from stirred.mechanisms.catalogue import CATALOGUE
from stirred.spec.arguments import InputError
from stirred.verify.audit.audit import AuditRecord, audit
from stirred.verify.audit.audit_report import ClaimPlaces, audit_result
from stirred.verify.audit.black_box.sampling import Sampling
from stirred.verify.audit.compared_claims import with_and_without_invariants
from stirred.verify.audit.coq_file import check_coq_name
from stirred.verify.audit.inference.inference import learned_from
from stirred.verify.audit.records.record_kind import record_kind
from stirred.verify.cli.commands.audited_files import Task, expanded, limited, named_files, readable, with_tables
from stirred.verify.cli.commands.kept_records import AUDIT, compared_status, kept_records
from stirred.verify.cli.commands.limits import add_limits, command_line, limits
from stirred.verify.cli.commands.report_format import add_format, chosen_format, write_report
from stirred.verify.cli.commands.sampled_options import add_sampling, chosen_sampling, sampled_record
from stirred.verify.cli.commands.written_evidence import write_certificates, write_coq, write_witnesses
from stirred.verify.evidence.certificates.printable import one_line
from stirred.verify.evidence.certificates.standard_streams import say
from stirred.verify.evidence.files.atomic import real_path, write_whole
from stirred.verify.evidence.process_control.time_limit import time_limit
from stirred.verify.evidence.reports.formats import rendered
from stirred.verify.evidence.reports.lines import FAILURE, counted, error_line, exit_status, progress
from stirred.verify.evidence.reports.provenance import without_folders
from stirred.verify.evidence.reports.report import Report
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.claim import PrivacyClaim
from stirred.verify.laws.claim.claim_numbers import PUBLISHED, account_blocks
from stirred.verify.laws.claim.five_blocks import FiveBlocks, five_blocks, five_safes
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims
from stirred.verify.laws.foreign import Limits

__all__ = ["PUBLISHED", "Task", "add_parser", "audit_tasks", "run"]

_EPILOG = """\
A claim file (TOML) states the five blocks and the mechanism:

  id = "survey.coin"
  statement = "Each answer is flipped with probability 1/4; epsilon = ln 3 for each person."
  [domain]                                     # who is eligible for protection?
  schema = { answer = [0, 1] }
  records = 3
  order = "ordered"
  [multiverse]                                 # where does the protection extend to?
  invariants = []
  [input_premetric]                            # what is the granularity?
  name = "hamming_ordered"
  resolution = "person"
  [output_premetric]                           # how is change of output measured?
  name = "multiplicative"
  [budget]                                     # how much?
  gamma = 3
  [mechanism]
  name = "randomized-response"
  flip_probability = "1/4"

Of Pufferfish two blocks say what attackers believe beforehand and what they may not tell apart:

  [domain]
  data_sets = [[0, 0], [0, 1], [1, 0], [1, 1]]
  conjectures = { "first is 1" = [[1, 0], [1, 1]], "first is 0" = [[0, 0], [0, 1]] }
  [domain.attackers]
  strangers = [[[0, 0], "1/4"], [[0, 1], "1/4"], [[1, 0], "1/4"], [[1, 1], "1/4"]]
  twins = [[[0, 0], "3/4"], [[1, 1], "1/4"]]
  [input_premetric]
  name = "pufferfish"
  pairs = [["first is 1", "first is 0"]]

domain            schema with records and order, and excluded = [{ variable = value, ... }], combinations that cannot
                  occur; margins = [{ rows = [2, 1], columns = [1, 2] }]; data_sets = [...]; or a description. For
                  Pufferfish also attackers, [data set, probability] of each prior, data sets that are not listed having
                  probability 0, and conjectures, which are events. What is compared are then beliefs: what an attacker
                  believes of the data, given a conjecture
multiverse        invariants from "size", "swapping", ["variable", ...]; or universes = [[...], ...]; or a description
input_premetric   hamming_unordered, hamming_ordered, symmetric_difference, deletion_distance, absolute_difference,
                  neighbors_replace_one_unordered (and so on), explicit with distances = [[x, y, d], ...]; resolution;
                  pufferfish with pairs of competing conjectures, and invariants = []: what one attacker believes given
                  the two is at distance 1, other beliefs as far as steps lead there, or infinite. A conjecture to which
                  an attacker gives probability 0 is refused; undefined = "left out", in the domain, leaves its pairs
                  out for this attacker
output_premetric  multiplicative, approximate_multiplicative with delta, total_variation, normalized_renyi, tradeoff
budget            epsilon = "0.8", "ln 3" or "infinite"; or gamma; or rho_squared (converted = { epsilon, delta }); for
                  tradeoff a curve = [[0, 0], ["1/4", "3/4"], [1, 1]], the power of a test at each level; for swapping
                  by = "psa.budget.theorem": the budget is the theorem's formula, and printed = "17.08" what is printed
                  for it (beside epsilon, by says that this number is the formula's). Several swap_rates have an epsilon
                  or a printed number each, and every one decides
mechanism         one of the list below, by name, with its parameters; or your own: function = "module:function" beside
                  the file, called as function(data, source, **parameters), data being the data set as a tuple; where
                its second parameter is annotated as numpy.random.Generator or random.Random, or generator = "numpy" or
                "random" stands here, it is given one that draws from the source
                  (source.geometric(ratio), discrete_laplace(ratio) and discrete_gaussian(sigma_squared) are unbounded:
                  compare them, clamp them by source.clamp, or release the last two, added to integers). For pure
                  privacy one parameter of it may be "symbol", all values in (0, 1) at once, "symbol in [1/4, 1/2]", or
                  "exp(-1)", the number e^-1
                  symmetry = ["records", "values", ["variable", ...]]: what may be exchanged in all data sets at once,
                  with the same laws but for the outputs' names; it is checked on all of them, then fewer are compared
numbers           [[numbers]] with what, printed, formula, where: printed numbers to recompute, several as arrays;
                  rounded = ["x"] says that the printed x was rounded after the number was computed: then some x that
                  rounds to it must give the number
account           [[account.releases]] with name, rho_squared or epsilon (and delta), domain, invariants, neighbors
                  (bounded, unbounded), unit, which may stand once under [account]; conversions = [{ to = ... }] to
                  bounded, unbounded, unit, contributors, invariants, zero_concentrated, approximate. Releases of
                  different flavors are not added without them; total and converted are the claimed results.
                  holds_for = "neighbors" is meant where nothing is said; under invariants the conversions that change
                  distances need "all pairs of a universe", that is, a budget for the metric at every distance. to =
                  "sampled" with sample, rate and domain amplifies epsilon by a simple random sample (not where
                  membership = "known"); releases of one sample are added before that. A release with claim = "ID" in
                  place of a budget refers to a claim of the same run, whose budget and flavor it takes: then domain,
                  invariants, neighbors and unit may be left out. An account holds where its sum is right and every
                  release refers to a claim that holds, all under one flavor; numbers that are only stated are added
                  up, and undecided, as are sums with conversions that change distances, units or universes (of these
                  to = "bounded" is checked, of symmetric_difference). total is a bound: met where it covers the sum,
                  refuted where it is below; printed is the sum as printed, and refuted where it is another number

mechanisms by name, with their parameters; or { function = "module:name" }; or { command = ["./release"] }, a program
that answers JSON lines and is drawn from with --sampled alone (stirred guide black-boxes):
{mechanisms}

Numbers are exact: integers, or texts such as "1/20" and "0.05", without commas; several claims go under [[claim]]. The
answers come in the order complete, vacuity, account, numbers, mechanism, budget, delta, weakening, outside, words, then
those about records (file, records, invariants, stratum, universe, determined).

A verdict is one on the program's own sentence, made from mechanism and blocks ("audited"). The claimant's words,
statement and descriptions, stand below it, not checked: no words support a claim. Only budgets in digits in them
("epsilon = 0.8", "a budget of 0.8", "0.8-DP") are compared: each must be the block's, a rounding of it, or a bound that
it keeps. One that differs or cannot be read leaves the claim undecided, since it is open which of the two is claimed;
it never refutes. The ε and δ that ρ² converts to need not be the blocks', where the words state ρ² as they do.

A budget is met only if the number covers the exact loss: one that was rounded down is exceeded, or not shown. A printed
number that agrees with its formula at its printed precision is printed right, and no more: for a total or a converted
epsilon that is only printed, write printed instead of total or epsilon. Where no two data sets are compared a claim is
vacuous, and undecided. All claim files are validated before any is audited. A file that names a function of your own
runs that code: confined, and twice. What is audited is the law of one call in a fresh process, all of whose randomness
comes from the generator that it was given. This finds mistakes, not code that hides from it: stirred guide
threat-model. Under weakening stands what makes a number small without more noise, as invariants, hidden ones among
them, distances, delta, a constant from the data or parts of one sample do, each with what it means: it is looked for on
up to 256 data sets, and decides nothing; stirred compare finds more, between two claims.

Published records are read too, by their extension and content: records of the OpenDP Deployments Registry (.yaml),
settings of TopDown (.ini), SafeTab and PHSafe (.json). The answers are then: what was read, which blocks are open or in
prose, whether the numbers agree with each other and with the published totals, fields that contradict each other, and
rho^2 as (epsilon, delta) by the printed formula and by the smallest conversion. Of the text of a registry record only
numbers in digits beside epsilon, delta or rho are compared. Nothing is fetched or executed.

A swapped table is compared with its manifest (swapped.csv.manifest.json), with the claim that names its columns by
their role (matching, holding, swapping, count), and with the records before the swap: whether it has the same records
but for the swapped variables, the counts that a swap keeps, the largest stratum b, and a budget for its universe.

Of a folder all claim files and records are audited, those of its folders too; what else it has is named. Of several
claims and records, one that cannot be read or audited is named on stderr with exit status 2; the others are
audited.

examples:
  stirred audit                              recompute the published claims that come with the program
  stirred audit --full                       the same with every answer
  stirred audit claim.toml                   check your own claim
  stirred audit claim.toml --json            the same as JSON records
  stirred audit claim.toml --html page.html  the same as one page to hand over
  stirred audit claim.toml --format sarif    the same for code scanning; github and junit for other CI
  stirred audit claim.toml --against a.json  fails when a record is not the one that --json printed into a.json
  stirred audit record.yaml setting.json     check published records and settings
  stirred audit records/                     check every claim file and record of a folder
  stirred audit swapped.csv                  check a swapped file against its manifest and its own strata
  stirred audit swap.toml --data homes.csv swapped.csv  check the claim of a swap against the records before and after
  stirred audit claim.toml --witness w.json  keep the counterexamples, for stirred replay w.json --claim claim.toml
  stirred audit claim.toml --certificate c.json  keep what stirred check c.json, which knows nothing of us, checks again
  stirred audit claim.toml --sampled         draw from the mechanism: native code, NumPy, a command; see stirred guide
  stirred audit claim.toml --coq Claim.v     keep a Coq file: coqc proves the claim, or its negation, over satisfies

exit status: 0 everything asked for holds within its stated scope; 1 something is refuted; 2 usage or engine failure;
3 nothing refuted but something undecided.
"""


def _mechanisms() -> str:
    lines = []
    for name, row in CATALOGUE.items():
        lines.append(f"  {name}: {row.takes}")
        lines += [f"      {key}: {parameter.value}" for key, parameter in row.parameters.items()]
    return "\n".join(lines)


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "audit",
        description="Check claims: are they complete, do they say anything, do their numbers agree, are they met?",
        epilog=_EPILOG.replace("{mechanisms}", _mechanisms()),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "files",
        nargs="*",
        metavar="FILE",
        help="claim files, published records, folders of them, swapped tables; default: the published claims, briefly",
    )
    parser.add_argument(
        "--data",
        nargs="+",
        metavar=("ORIGINAL", "SWAPPED"),
        help="the records before a swap, and what it released, to compare with its claim or manifest",
    )
    parser.add_argument("--full", action="store_true", help="print every answer for the published claims too")
    add_format(parser)
    parser.add_argument("--html", metavar="FILE", help="write the findings to FILE too, as one page to hand over")
    parser.add_argument("--witness", metavar="FILE", help="write the counterexamples to FILE as JSON")
    parser.add_argument(
        "--certificate", metavar="FILE", help="write the certificates to FILE as JSON, for stirred check FILE"
    )
    parser.add_argument(
        "--coq", metavar="FILE.v", help="write a Coq file whose theorems are the claims, or their negations, to FILE.v"
    )
    against = "compare with an earlier --json output; exit 1 if a record changed"
    parser.add_argument("--against", metavar="FILE", help=against)
    add_sampling(parser)
    add_limits(parser, "time that one claim or record may take, a mechanism that never ends included")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Audit and print; returns the exit status.

    Raises:
        InputError: a folder has nothing to audit, or what is to be written cannot be; nothing has been printed then.
    """
    allowed = limits(arguments)
    chosen_format(arguments)
    sampling = chosen_sampling(arguments, allowed)
    skipped: list[str] = []
    original, *more = arguments.data or [None]
    given = named_files([*arguments.files, *more])
    failed = list(given.failed)
    named = expanded(given.others, skipped)
    data = [path for pair in [*given.tables, (original, None)] for path in pair if path is not None]
    _refuse_overwriting(arguments, [*named, *data])
    kept = None if arguments.against is None else kept_records(arguments.against, AUDIT)
    files: Sequence[str | Path] = sorted(PUBLISHED.glob("*.toml"))
    if arguments.files or original is not None:
        with time_limit(allowed.seconds, "reading the files"):
            files = readable(named, failed)
    are_certified = bool(arguments.certificate or arguments.coq)
    tasks = audit_tasks(files, allowed, failed, are_certified=are_certified, sampling=sampling)
    tasks = with_tables(tasks, given.tables, original, allowed.seconds, failed)
    audited: list[tuple[Task, AuditRecord]] = []
    with progress(len(tasks)) as display:
        for task in tasks:
            try:
                audited.append((task, task.audit()))
            except InputError as error:
                failed.append(str(error))
            display.advance(task.name)
    records = [record for _, record in audited]
    if records:
        report = _report(arguments, audited, failed, allowed)
        if arguments.html is not None:
            write_whole(arguments.html, rendered(report, "html") + "\n")
        if arguments.witness is not None:
            write_witnesses(arguments.witness, records)
        if arguments.certificate is not None:
            write_certificates(arguments.certificate, records)
        if arguments.coq is not None:
            spoken = {one: None for task, _ in audited for one in ClaimPlaces(task.path, task.built).files()}
            write_coq(arguments.coq, records, spoken)
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


def _refuse_overwriting(arguments: argparse.Namespace, files: Sequence[str]) -> None:
    """Refuse to write over what is read, and to write two things into one file."""
    if arguments.coq is not None:
        check_coq_name(arguments.coq)
    read = {real_path(file) for file in [*files, *filter(None, [arguments.against])]}
    written: dict[Path, str] = {}
    for option in ("--witness", "--certificate", "--coq", "--html"):
        file = getattr(arguments, option.removeprefix("--"))
        if file is None:
            continue
        if real_path(file) in read:
            raise InputError(f"{option} must not be a file that is audited; got {file}")
        if (other := written.setdefault(real_path(file), option)) != option:
            raise InputError(f"{option} must not be the file of {other}; got {file}")


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
                result = replace(
                    result,
                    picture=with_and_without_invariants(task.built),
                    learned=learned_from(task.built),
                )
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


def audit_tasks(
    paths: Sequence[str | Path],
    allowed: Limits,
    failed: list[str] | None = None,
    *,
    are_certified: bool = False,
    sampling: Sampling | None = None,
) -> list[Task]:
    """What is to be audited: claims first, then published records; all of it is validated here.

    Args:
        paths: the files.
        allowed: the limits.
        failed: where it is added why a claim cannot be audited; without it that is raised.
        are_certified: whether certificates of claims are made too.
        sampling: how claims are sampled, where they are.

    Raises:
        InputError: a file cannot be read, an id is used twice, or a claim is malformed.
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
