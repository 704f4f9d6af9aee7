"""The limits under which a command runs code that it does not know: choices on one data set, seconds, imports."""

from __future__ import annotations

import argparse

from spec.arguments import InputError, positive_integer, shown
from verify.outside.foreign import DEFAULT_LIMITS, Limits

__all__ = ["add_limits", "limits"]

_DAY = 86_400


def add_limits(parser: argparse.ArgumentParser, what: str) -> None:
    """Declare --choices, --seconds and --import; `what` says what the seconds are for."""
    parser.add_argument(
        "--choices",
        type=int,
        default=DEFAULT_LIMITS.choices,
        metavar="N",
        help="random choices that a mechanism may make on one data set (default %(default)s)",
    )
    parser.add_argument(
        "--seconds", type=int, default=DEFAULT_LIMITS.seconds, metavar="N", help=f"{what} (default %(default)s)"
    )
    parser.add_argument(
        "--import",
        dest="imports",
        action="append",
        default=[],
        metavar="MODULE",
        help="an installed module whose functions a claim may name; all others must lie beside the claim file",
    )


def limits(arguments: argparse.Namespace) -> Limits:
    """The limits that the arguments give.

    Raises:
        InputError: one of them is not at least 1, or the seconds are more than a day.
    """
    seconds = positive_integer("--seconds", arguments.seconds)
    if seconds > _DAY:
        raise InputError(f"--seconds must be at most {_DAY}, a day; got {shown(seconds)}")
    return Limits(positive_integer("--choices", arguments.choices), seconds, tuple(arguments.imports))
