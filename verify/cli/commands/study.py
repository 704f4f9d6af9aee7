"""`stirred study`: what a mechanism does to statistics, on data, with a table and pictures."""

import argparse
import sys
from functools import partial
from inspect import signature
from pathlib import Path
from typing import Any

from stirred.spec.arguments import positive_integer
from stirred.verify.audit.libraries.mechanism_study import StudiedMechanism, studied_mechanisms
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.options import add_jobs, add_number, parse_rate
from stirred.verify.evidence.certificates.printable import json_text, one_line, printable
from stirred.verify.evidence.reports.lines import HOLDS, counted, finding_line
from stirred.verify.products.studies.budgets import BUDGETS, LEAST
from stirred.verify.products.studies.price import PRICE
from stirred.verify.products.studies.psa import PSA
from stirred.verify.products.studies.study import Study, carry_out
from stirred.verify.products.studies.swapping.study import SWAPPING
from stirred.verify.products.studies.topdown.study import POPULATIONS, RHO_SQUARED, TOPDOWN

STUDIES: tuple[Study, ...] = (PSA, SWAPPING, TOPDOWN, BUDGETS, PRICE)
"""Each is run by `stirred study NAME`."""

_LIBRARIES = """\
Each mechanism of OpenDP and diffprivlib is sampled under the claim that its library makes: map(d_in), or epsilon and \
delta. A line has the claimed budget, the budget that the samples show at least, the verdict, the samples, the seconds \
and the event. A claim that is not refuted is not shown to hold. "6 digits": outputs are rounded first, since \
floating-point digits are a leak of their own. Runs differ: the libraries use the system's randomness.

examples:
  stirred study libraries
  stirred study libraries --only "diffprivlib: Laplace" --draws 100000 --json

exit status: 0 the table is printed; 2 no such library is installed (pip install "stirred[libraries]").
"""


def _add_libraries(studies: Any) -> None:
    parser = declare(
        studies,
        "libraries",
        _run_libraries,
        help="sample mechanisms of installed libraries against their claims",
        description="Sample the mechanisms of the installed versions of OpenDP and diffprivlib; print one table.",
        epilog=_LIBRARIES,
    )
    parser.add_argument("--only", default="", metavar="TEXT", help="only mechanisms whose name contains TEXT")
    add_number(parser, "--draws", "samples per data set at the final interim analysis", 20_000)
    add_number(parser, "--seconds", "wall-clock limit per mechanism", 120)
    parser.add_argument("--json", action="store_true", help="print JSON")


def _run_libraries(arguments: argparse.Namespace) -> int:
    """Print each line when it is done; returns the exit status."""
    several = studied_mechanisms(arguments.only, arguments.draws, arguments.seconds)
    if arguments.json:
        sys.stdout.write(json_text([vars(one) for one in several]) + "\n")
        return HOLDS
    done, refuted = 0, 0
    for one in several:
        sys.stdout.write(_line(one) + "\n")
        sys.stdout.flush()
        done, refuted = done + 1, refuted + (one.verdict == "REFUTED")
    sys.stdout.write(f"{counted(done, 'mechanism')}, {refuted} refuted\n")
    return HOLDS


def _line(one: StudiedMechanism) -> str:
    if not one.draws:
        return one_line(f"{one.mechanism} {one.version}: {one.verdict}: {one.how}")
    numbers = f"claimed {one.claimed}, found {one.found}, {one.draws} draws, {one.seconds} s"
    known = f" ({one.note})" if one.note else ""
    return one_line(f"{one.mechanism} {one.version}: {one.verdict}: {numbers}: {one.how}{known}")


_AFTER = """
FOLDER gets the table (CSV), the pictures (SVG and PNG, readable in black and white) and draws.jsonl, with every \
finished run: the same command resumes an interrupted study, and other settings are refused. Pictures need the group \
"plot" (pip install matplotlib). Statistics are SAMPLED, never verified.

exit status: 0 everything is written; 2 usage or engine failure.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand, with one of its own for each study."""
    parser = declare(
        subparsers,
        "study",
        None,
        description="Run a mechanism many times, or compute its budgets on many universes; tabulate and draw it.",
        epilog=_examples(*STUDIES) + _AFTER,
    )
    studies = parser.add_subparsers(required=True, metavar="NAME", dest="program")
    for study in STUDIES:
        declared = declare(
            studies,
            study.name,
            partial(run, study=study),
            help=study.summary,
            description=study.description,
            epilog=_examples(study) + _AFTER,
        )
        _OPTIONS[study.name](declared)
        declared.set_defaults(**_options(study))
        declared.add_argument("--output", required=True, metavar="FOLDER", help="write table, pictures and runs")
        add_jobs(declared)
    _add_libraries(studies)


def _psa(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "file", nargs="?", metavar="DATA", help="records: CSV, Parquet, or a directory of Parquet files"
    )
    parser.add_argument(
        "--1940",
        dest="massachusetts",
        action="store_true",
        help="use the dwellings of Massachusetts in 1940 (article, Table 1) as one stratum, instead of DATA",
    )
    parser.add_argument("--match", nargs="+", metavar="COLUMN", help="matching variables of DATA (the swap key)")
    parser.add_argument("--swap", nargs="+", metavar="COLUMN", help="swapping variables of DATA")
    parser.add_argument("--hold", nargs="+", metavar="COLUMN", help="holding variables of DATA")
    parser.add_argument("--count", metavar="COLUMN", help="column of how many records a line stands for")
    parser.add_argument(
        "--swap-rates", nargs="+", metavar="P", help="swap rates (default 1%% to 50%%, as in the article)"
    )
    add_number(parser, "--runs", "runs per rate")
    add_number(parser, "--seed", "seed of all runs")


def _swapping(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--households", "households of the synthetic state")
    add_number(parser, "--runs", "pairs of runs per value")
    add_number(parser, "--seed", "seed of state and runs")


def _topdown(parser: argparse.ArgumentParser) -> None:
    which = f"{' and '.join(POPULATIONS)} (default both)"
    parser.add_argument("--populations", nargs="+", choices=POPULATIONS, metavar="NAME", help=which)
    add_number(parser, "--households", "households of segregated")
    budgets = f"budgets rho^2, with at most four decimals (default {' '.join(RHO_SQUARED)})"
    parser.add_argument("--rho-squared", nargs="+", metavar="R", help=budgets)
    add_number(parser, "--runs", "pairs of runs per budget")
    add_number(parser, "--seed", "seed of all runs")


def _budgets(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--swap-rate", metavar="P", help="swap rate in (0, 1) (default %(default)s)")
    add_number(parser, "--largest", f"records of the largest universe, at least {LEAST}")


def _price(parser: argparse.ArgumentParser) -> None:
    add_number(parser, "--runs", "runs per mechanism")
    add_number(parser, "--households", "households of the synthetic state")
    add_number(parser, "--largest", "records of the longest line")
    add_number(parser, "--seed", "seed of all runs")


_OPTIONS = {"psa": _psa, "swapping": _swapping, "topdown": _topdown, "budgets": _budgets, "price": _price}
"""What declares the options of a study but --output; their defaults are those of its plan."""


def _options(study: Study) -> dict[str, Any]:
    """The names of a plan's options, each with its default."""
    return {name: one.default for name, one in signature(study.plan).parameters.items()}


def _examples(*studies: Study) -> str:
    return "".join(["examples:\n", *(f"  {line}\n" for study in studies for line in study.examples)])


def run(arguments: argparse.Namespace, study: Study) -> int:
    """Carry out the study and print what it shows; returns the exit status."""
    jobs = positive_integer("--jobs", arguments.jobs)
    options = {name: getattr(arguments, name) for name in _options(study)}
    if options.get("swap_rates"):
        options["swap_rates"] = [parse_rate("--swap-rates", str(one)) for one in options["swap_rates"]]
    findings, written = carry_out(study, options, Path(arguments.output), jobs=jobs)
    lines = [finding_line(f"study.{name}", one.verdict.name, one.detail, one.scope) for name, one in findings.items()]
    lines += [f"{path}: written" for path in written]
    lines.append(f"{counted(len(findings), 'finding')}, {counted(len(written), 'file')}")
    sys.stdout.write("".join(f"{printable(line)}\n" for line in lines))
    return HOLDS
