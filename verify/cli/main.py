"""The command line `stirred`."""

import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]  # the current folder, where python -m looks first: a spec.py in it would be loaded

import argparse
import gc
import signal
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Any, NoReturn

from stirred.spec.arguments import InputError, suggestion
from stirred.verify.cli.commands import COMMANDS, add_command
from stirred.verify.cli.commands.help_text import HelpFormatter, parse_integer
from stirred.verify.evidence.certificates.standard_streams import STREAMS, open_streams, printing, say
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.process_control.time_limit import end_by
from stirred.verify.evidence.reports.lines import FAILURE, error_line

_ALONE = ("duckdb", "highspy", "matplotlib", "ortools", "pandas", "pyarrow", "pyspark", "scipy")
_OF_SITE = ("griffe", "jinja2", "latex2mathml", "markdown_it", "markupsafe", "pygments")
_SITE = "griffelib Jinja2 latex2mathml markdown-it-py Pygments"
_OPTIONAL = {name: name for name in _ALONE} | dict.fromkeys(_OF_SITE, _SITE)
"""What an installation may lack by its name, with what is to be installed for it."""

_DIGITS = 100_000
"""Digits of an exact number that is printed or read: Python's default of 4,300 is less than a witness may need."""

_EPILOG = """\
examples:
  stirred demo                     take the tour
  stirred init                     write a claim file, a mechanism and a test
  stirred audit majority.toml      check that claim; --html FILE writes a report
  stirred guide                    list the guide's pages, one task each
  stirred derive psa --largest-stratum 10 --epsilon 3
  stirred infer claim.toml         what the budget lets someone learn
  stirred replay witness.json      re-check a counterexample
  stirred check certificate.json   re-check a claim that holds

exit status: 0 everything checked holds within its stated scope; 1 something is refuted; 2 usage or engine failure; \
3 nothing is refuted but something is undecided.
"""


class _Parser(argparse.ArgumentParser):
    """A parser whose options are written out, and whose errors are one line each."""

    def __init__(self, **named: Any) -> None:
        super().__init__(**named, allow_abbrev=False)
        self.register("type", int, parse_integer)

    def error(self, message: str) -> NoReturn:
        raise InputError(f"{message}; see {self.prog} --help")


class _Version(argparse.Action):
    """Print the version, which is looked up only then."""

    def __call__(self, *_: object) -> None:
        """Print it and end."""
        print(f"stirred {import_module('importlib.metadata').version('stirred')}")
        raise SystemExit(0)


def _parser(command: str | None) -> argparse.ArgumentParser:
    """The parser of a command; without one, that of the program, for which no command is loaded."""
    parser = _Parser(
        prog="stirred",
        description="Say exactly what a differential-privacy claim means, and check it in exact arithmetic.",
        epilog=_EPILOG,
        formatter_class=HelpFormatter,
    )
    parser.add_argument("--version", action=_Version, nargs=0, help="print the version")
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND", dest="command")
    if command is not None:
        add_command(command, subparsers)
        return parser
    for name, summary in COMMANDS.items():
        subparsers.add_parser(name, help=summary)
    return parser


def _parsed(given: Sequence[str]) -> argparse.Namespace:
    """The arguments, with what carries them out as `run`."""
    command = given[0] if given and given[0] in COMMANDS else None
    if command is None and given and not given[0].startswith("-"):
        hint = suggestion(given[0], tuple(COMMANDS))
        raise InputError(f"unknown command {given[0]!r} ({hint}); see stirred --help")
    parsed, unknown = _parser(command).parse_known_args(given)
    if unknown:
        where = " ".join(filter(None, ("stirred", command, getattr(parsed, "program", None))))
        raise InputError(f"unrecognized arguments: {' '.join(unknown)}; see {where} --help")
    return parsed


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns the exit status.

    Args:
        arguments: those of the command line where none are given; then Ctrl-C ends the process.
    """
    sys.set_int_max_str_digits(_DIGITS)
    open_streams()
    try:
        return printing(partial(_run, arguments), failure=FAILURE)
    except KeyboardInterrupt:
        _fail("interrupted")
        if arguments is None:
            end_by(signal.SIGINT)
        return FAILURE
    finally:
        if arguments is None:
            gc.freeze()  # so that the end does not look for garbage among all that was loaded


def _run(arguments: Sequence[str] | None) -> int:
    try:
        given = (sys.argv[1:] if arguments is None else arguments) or ["--help"]
        parsed = _parsed(given)
        status: int = parsed.run(parsed)
    except ModuleNotFoundError as error:
        return _fail(_missing(error))
    except InputError as error:
        return _fail(str(error))
    except EngineError as error:
        return _fail(f"engine failure: {error}")
    except OSError as error:
        if error.filename in STREAMS:
            raise
        return _fail(f"{error.filename}: {error.strerror}" if error.filename else f"engine failure: {error}")
    except Exception as error:  # status 1 would say that something is refuted
        return _fail(f"engine failure: {type(error).__name__}: {error}")
    return status


def _missing(error: ModuleNotFoundError) -> str:
    """What to install, where an optional library is missing."""
    library = (error.name or "").partition(".")[0]
    if library not in _OPTIONAL:
        return f"engine failure: {type(error).__name__}: {error}"
    return f"{library} must be installed for this: pip install {_OPTIONAL[library]}"


def _fail(message: str) -> int:
    say(error_line(message))
    return FAILURE


if __name__ == "__main__":
    sys.exit(main())
