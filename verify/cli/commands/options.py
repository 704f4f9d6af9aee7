"""What commands share of their options: limits, formats, sizes of numbers, and how a wrong combination is refused."""

import argparse
import os
import re
import shlex
import shutil
import sys
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from pathlib import Path

from stirred.mechanisms.generators.kinds import GENERATORS
from stirred.spec.arguments import InputError, parse_exact, positive_integer, shown
from stirred.verify.cli.commands.help_text import parse_integer
from stirred.verify.evidence.files.atomic import real_path, write_whole
from stirred.verify.evidence.reports.formats import FORMATS, rendered
from stirred.verify.evidence.reports.provenance import without_folders
from stirred.verify.evidence.reports.report import Report
from stirred.verify.evidence.reports.text import COLORS, render_terminal, uses_color
from stirred.verify.laws.foreign import DEFAULT_LIMITS, Limits

# Options that mean nothing together, or alone.


def option_name(name: str) -> str:
    """An option as it is typed.

    >>> option_name("swap_rate")
    '--swap-rate'
    """
    return f"--{name.replace('_', '-')}"


def cannot_combine(one: str, other: str, why: str = "") -> InputError:
    """The refusal of two options, or of an option of a command.

    >>> print(cannot_combine("--sampled", "--coq", "samples prove nothing"))
    --sampled cannot be combined with --coq: samples prove nothing
    """
    return InputError(f"{one} cannot be combined with {other}{': ' if why else ''}{why}")


def requires(one: str, needed: str) -> InputError:
    """The refusal of one option without another.

    >>> print(requires("--resume", "--seed"))
    --resume requires --seed
    """
    return InputError(f"{one} requires {needed}")


def is_given(arguments: argparse.Namespace, name: str) -> bool:
    """Whether an option stands on the command line."""
    value = getattr(arguments, name)
    return value is not None and value is not False and value not in ([], ())


def refuse_combined(arguments: argparse.Namespace, one: str, others: Iterable[str], why: str = "") -> None:
    """Refuse the other options beside `one`, which is named as it is typed."""
    for name in others:
        if is_given(arguments, name):
            raise cannot_combine(one, option_name(name), why)


def require(arguments: argparse.Namespace, one: str, needed: Iterable[str]) -> None:
    """Refuse `one`, which is named as it is typed, without the options that it needs."""
    for name in needed:
        if not is_given(arguments, name):
            raise requires(one, option_name(name))


def require_or_alone(arguments: argparse.Namespace, needed: Iterable[str], alone: str) -> None:
    """Refuse a run without the options that it needs; `alone` is the option that stands in place of all."""
    for name in needed:
        if getattr(arguments, name) is None:
            raise InputError(f"pass {option_name(name)}, or {alone} on its own")


def refuse_same_file(arguments: argparse.Namespace, written: Iterable[str], read: Mapping[Path, str]) -> None:
    """Refuse to write over what is read, which is named by its path, or into it, or two things into one file."""
    taken: dict[Path, str] = {}
    for option in map(option_name, written):
        if (file := getattr(arguments, option[2:].replace("-", "_"))) is None:
            continue
        target = real_path(file)
        others = [*(read[one] for one in (target, *target.parents) if one in read), taken.setdefault(target, option)]
        if others[0] != option:
            raise InputError(f"{option} and {others[0]} must be different files; got {file}")


# Limits of code that a command does not know.

MAX_COUNT = 10**30
"""The largest number of records that a command takes."""

_MAX_BITS = 3_400
"""1e-999 has 3,319 bits; the time for a logarithm of longer numbers grows with the square of their length."""

_DAY = 86_400

_MOST_JOBS = 4
"""Processes that share the work on one claim."""


def add_number(parser: argparse._ActionsContainer, option: str, what: str, default: int | None = None) -> None:
    """Declare an option that is an integer."""
    parser.add_argument(option, type=int, default=default, metavar="N", help=f"{what} (default %(default)s)")


def add_limits(parser: argparse._ActionsContainer, what: str) -> None:
    """Declare --choices, --seconds, --import and --generator; `what` the seconds are a limit of."""
    choices, seconds = DEFAULT_LIMITS.choices, DEFAULT_LIMITS.seconds
    add_number(parser, "--choices", "most random choices per data set", choices)
    add_number(parser, "--seconds", f"processor seconds for {what}", seconds)
    parser.add_argument(
        "--import",
        dest="imports",
        action="append",
        default=[],
        metavar="MODULE",
        help="a module that claims may call, beside those next to them",
    )
    parser.add_argument(
        "--generator",
        choices=GENERATORS,
        metavar="KIND",
        help="numpy, random or source (default), if nothing names one",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Declare --jobs, how many processes share the work."""
    add_number(parser, "--jobs", "processes", min(2, os.cpu_count() or 1))


def limits(arguments: argparse.Namespace) -> Limits:
    """The limits that the arguments give; each must be at least 1, and the seconds at most a day."""
    seconds = parse_seconds(arguments)
    jobs = min(_MOST_JOBS, os.cpu_count() or 1)
    choices = positive_integer("--choices", arguments.choices)
    return Limits(choices, seconds, tuple(arguments.imports), jobs, arguments.generator)


def command_line(command: str, words: Sequence[str], arguments: argparse.Namespace) -> str:
    """The command line that does the same again, with the limits that are not the default ones; no absolute path."""
    typed = ["stirred", command, *(without_folders(word, [word]) for word in words)]
    if arguments.choices != DEFAULT_LIMITS.choices:
        typed += ["--choices", str(arguments.choices)]
    if arguments.seconds != DEFAULT_LIMITS.seconds:
        typed += ["--seconds", str(arguments.seconds)]
    for module in arguments.imports:
        typed += ["--import", module]
    if arguments.generator is not None:
        typed += ["--generator", arguments.generator]
    return shlex.join(typed)


def parse_seconds(arguments: argparse.Namespace) -> int:
    """--seconds, at least 1 and at most a day."""
    seconds = positive_integer("--seconds", arguments.seconds)
    if seconds > _DAY:
        raise InputError(f"--seconds must be at most {_DAY}, a day; got {shown(seconds)}")
    return seconds


def parse_number(option: str, text: str) -> Fraction:
    """An exact number of at most about a thousand digits, so that logarithms of it take seconds."""
    number = parse_exact(option, text)
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > _MAX_BITS:
        raise InputError(f"{option} must have at most {_MAX_BITS} bits above and below the fraction bar; it has more")
    return number


def parse_rate(option: str, text: str) -> Fraction:
    """A share as people write it, exact: 1/20, 0.05, .05, 5% or 5 %."""
    number = text.removesuffix("%").rstrip() if text.endswith("%") else text
    value = parse_number(option, f"0{number}" if number.startswith(".") else number)
    return value / 100 if number != text else value


def parse_count(text: str) -> int:
    """A number of records of at most `MAX_COUNT`, for `argparse`."""
    count = parse_integer(text)
    if abs(count) > MAX_COUNT:
        raise argparse.ArgumentTypeError(f"must be at most 10^30; got {shown(count)}")
    return count


_SIZE = re.compile("([0-9]{1,9}) ?([kKMGT])B")


def byte_count(option: str, text: str) -> int:
    """A number of bytes above 0.

    >>> byte_count("--memory", "2GB"), byte_count("--memory", "512 MB")
    (2000000000, 512000000)
    """
    found = _SIZE.fullmatch(text)
    if found is None or int(found[1]) == 0:
        raise InputError(f"{option} must be a whole number of kB, MB, GB or TB, such as 2GB; got {text!r}")
    return int(found[1]) * (1000, 10**6, 10**9, 10**12)["kmgt".index(found[2].lower())]


# How a command writes its report to standard output.


def add_format(parser: argparse._ActionsContainer) -> None:
    """Declare --format, --json, --html and --color."""
    parser.add_argument(
        "--format",
        choices=FORMATS,
        metavar="FORMAT",
        help=f"{', '.join(FORMATS)}; text is one line per finding when piped, verdict-first on a terminal",
    )
    parser.add_argument("--json", action="store_true", help="short for --format json, a list of records")
    parser.add_argument("--html", metavar="FILE", help="also write a self-contained HTML page")
    parser.add_argument(
        "--color",
        choices=COLORS,
        default="auto",
        metavar="WHEN",
        help=f"{', '.join(COLORS)}; always: as on a terminal, even piped",
    )


def chosen_format(arguments: argparse.Namespace) -> str:
    """The format that the arguments give; --json stands beside no other."""
    if arguments.json and arguments.format not in (None, "json"):
        raise cannot_combine("--json", f"--format {arguments.format}")
    return "json" if arguments.json else arguments.format or "text"


def shows_terminal(arguments: argparse.Namespace) -> bool:
    """Whether the text is that of a terminal: standard output is one and no format is named, or colour is forced."""
    if chosen_format(arguments) != "text":
        return False
    return arguments.color == "always" or (arguments.format is None and sys.stdout.isatty())


def write_report(report: Report, arguments: argparse.Namespace) -> None:
    """Write the report to standard output in the chosen format, and as a page to the file of --html."""
    if arguments.html is not None:
        write_whole(arguments.html, rendered(report, "html") + "\n")
    if shows_terminal(arguments):
        color = uses_color(arguments.color, is_terminal=sys.stdout.isatty())
        text = render_terminal(report, width=shutil.get_terminal_size().columns, color=color)
    else:
        text = rendered(report, chosen_format(arguments))
    sys.stdout.write(text + "\n")
