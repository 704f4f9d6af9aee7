"""The command line `stirred`."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from typing import NoReturn

from spec.arguments import InputError
from verify.evidence import EngineError
from verify.printable import one_line, printable
from verify.report import FAILURE

__all__ = ["main"]

_COMMANDS = ("audit", "verify", "show", "compare", "derive", "swap", "replay")

_DIGITS = 100_000
"""Digits of an exact number that is printed or read: Python's default of 4,300 is less than a witness may need."""

_EPILOG = """\
examples:
  stirred audit                     recompute the published claims that come with the program
  stirred audit claim.toml          check your own claim
  stirred verify psa.               re-check the claims about permutation swapping
  stirred derive psa --largest-stratum 10 --epsilon 3
  stirred replay witness.json       re-check a counterexample with the standard library alone

exit status: 0 everything asked for holds within its stated scope; 1 something is refuted; 2 usage or engine failure;
3 nothing refuted but something undecided.
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose messages hold what was typed in a form that prints."""

    def error(self, message: str) -> NoReturn:
        super().error(printable(message))


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="stirred",
        description="Say exactly what a differential-privacy claim means, and check it in exact arithmetic.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"stirred {version('stirred')}")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in _COMMANDS:
        import_module(f"verify.commands.{command}").add_parser(subparsers)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status."""
    sys.set_int_max_str_digits(_DIGITS)
    try:
        parsed = _parser().parse_args(arguments)
        status: int = parsed.run(parsed)
        sys.stdout.flush()
    except InputError as error:
        return _fail(str(error))
    except EngineError as error:
        return _fail(f"engine failure: {error}")
    except BrokenPipeError:
        return _abandon_stdout()
    except OSError as error:
        _abandon_stdout()
        return _fail(f"{error.filename or 'stdout'}: {error.strerror}")
    except KeyboardInterrupt:
        return _fail("interrupted")
    except Exception as error:  # status 1 would say that something is refuted
        return _fail(f"engine failure: {type(error).__name__}: {error}")
    return status


def _abandon_stdout() -> int:
    """Let what is left to be printed go nowhere, so that nothing is said of it at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILURE


def _fail(message: str) -> int:
    sys.stdout.flush()
    sys.stderr.write(f"stirred: {one_line(message)}\n")
    return FAILURE


if __name__ == "__main__":
    sys.exit(main())
