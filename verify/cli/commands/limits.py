"""The limits of a command: choices, seconds and imports of code that it does not know, and sizes of numbers."""

import argparse
import os
import re
import shlex
from collections.abc import Sequence
from fractions import Fraction

from stirred.mechanisms.generators.kinds import GENERATORS
from stirred.spec.arguments import InputError, parse_exact, positive_integer, shown
from stirred.verify.evidence.reports.provenance import without_folders
from stirred.verify.laws.foreign import DEFAULT_LIMITS, Limits

MAX_COUNT = 10**30
"""The largest number of records that is asked about."""

_MAX_BITS = 3_400
"""1e-999 has 3,319 bits; the time for a logarithm of longer numbers grows with the square of their length."""

_DAY = 86_400

_MOST_JOBS = 4
"""Processes that share the work on one claim."""


def add_number(parser: argparse.ArgumentParser, option: str, what: str, default: int | None = None) -> None:
    """Declare an option that is an integer."""
    parser.add_argument(option, type=int, default=default, metavar="N", help=f"{what} (default %(default)s)")


def add_limits(parser: argparse.ArgumentParser, what: str) -> None:
    """Declare --choices, --seconds, --import and --generator; `what` says what the seconds are for."""
    choices, seconds = DEFAULT_LIMITS.choices, DEFAULT_LIMITS.seconds
    add_number(parser, "--choices", "random choices that a mechanism may make on one data set", choices)
    add_number(parser, "--seconds", f"{what}, on the clock", seconds)
    parser.add_argument(
        "--import",
        dest="imports",
        action="append",
        default=[],
        metavar="MODULE",
        help="an installed module whose functions a claim may name; all others must lie beside the claim file",
    )
    parser.add_argument(
        "--generator",
        choices=GENERATORS,
        help="what mechanisms draw from where neither their annotation nor the claim says it: numpy.random.Generator, "
        "random.Random or Source (default source)",
    )


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """Declare --jobs, how many processes share the work."""
    add_number(parser, "--jobs", "processes", min(2, os.cpu_count() or 1))


def limits(arguments: argparse.Namespace) -> Limits:
    """The limits that the arguments give.

    Raises:
        InputError: one of them is not at least 1, or the seconds are more than a day.
    """
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
    """The seconds that the arguments give.

    Raises:
        InputError: they are not at least 1, or more than a day.
    """
    seconds = positive_integer("--seconds", arguments.seconds)
    if seconds > _DAY:
        raise InputError(f"--seconds must be at most {_DAY}, a day; got {shown(seconds)}")
    return seconds


def parse_number(option: str, text: str) -> Fraction:
    """The exact number that an option gives, of a length that can be computed with in seconds.

    Raises:
        InputError: the text is no exact number, or one of more than about a thousand digits.
    """
    number = parse_exact(option, text)
    if max(number.numerator.bit_length(), number.denominator.bit_length()) > _MAX_BITS:
        raise InputError(f"{option} must have at most {_MAX_BITS} bits above and below the fraction bar; it has more")
    return number


def parse_count(text: str) -> int:
    """A number of records, for `argparse`.

    Raises:
        ValueError: the text is no integer.
        argparse.ArgumentTypeError: the number is beyond `MAX_COUNT`.
    """
    count = int(text)
    if abs(count) > MAX_COUNT:
        raise argparse.ArgumentTypeError(f"must be at most 10^30; got {shown(count)}")
    return count


_SIZE = re.compile("([0-9]{1,9}) ?([kKMGT])B")


def byte_count(option: str, text: str) -> int:
    """So many bytes as a text says.

    Raises:
        InputError: it is no whole number of kB, MB, GB or TB, or is 0.

    >>> byte_count("--memory", "2GB"), byte_count("--memory", "512 MB")
    (2000000000, 512000000)
    """
    found = _SIZE.fullmatch(text)
    if found is None or int(found[1]) == 0:
        raise InputError(f"{option} must be a whole number of kB, MB, GB or TB, such as 2GB; got {text!r}")
    return int(found[1]) * (1000, 10**6, 10**9, 10**12)["kmgt".index(found[2].lower())]
