"""The limits under which a command runs a mechanism that it does not know: choices on one data set, and seconds."""

from __future__ import annotations

import argparse

from spec.arguments import InputError, positive_integer, shown
from verify.auditing.user_mechanism import DEFAULT_CHOICES, DEFAULT_SECONDS

__all__ = ["add_limits", "limits"]

_DAY = 86_400


def add_limits(parser: argparse.ArgumentParser, what: str) -> None:
    """Declare --choices and --seconds; `what` says what the seconds are for."""
    parser.add_argument(
        "--choices",
        type=int,
        default=DEFAULT_CHOICES,
        metavar="N",
        help="random choices that a mechanism may make on one data set (default %(default)s)",
    )
    parser.add_argument(
        "--seconds", type=int, default=DEFAULT_SECONDS, metavar="N", help=f"{what} (default %(default)s)"
    )


def limits(arguments: argparse.Namespace) -> tuple[int, int]:
    """The choices and the seconds that the arguments give.

    Raises:
        InputError: one of them is not at least 1, or the seconds are more than a day.
    """
    seconds = positive_integer("--seconds", arguments.seconds)
    if seconds > _DAY:
        raise InputError(f"--seconds must be at most {_DAY}, a day; got {shown(seconds)}")
    return positive_integer("--choices", arguments.choices), seconds
