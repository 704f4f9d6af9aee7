"""Which words a command line may go on with, read from the parsers of all commands."""

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.commands.listed import COMMANDS, add_command

_FILES = frozenset({"CLAIM", "DATA", "DIR", "FILE", "FILE.v", "FOLDER", "ORIGINAL"})
"""How help texts name the values that are files or folders."""


@dataclass(frozen=True)
class Option:
    """An option.

    Attributes:
        names: as they are typed, `--` included.
        help: what it does, on one line.
        takes_value: whether a value follows it.
        values: the values that it may have, where they are listed.
        is_file: whether its value is a file or folder.
    """

    names: tuple[str, ...]
    help: str = ""
    takes_value: bool = False
    values: tuple[str, ...] = ()
    is_file: bool = False


@dataclass(frozen=True)
class Level:
    """What may follow the program's name and some commands.

    Attributes:
        path: those commands.
        words: commands, or the values of an argument, each with what it is; where there are none, files are meant.
        options: the options.
    """

    path: tuple[str, ...]
    words: tuple[tuple[str, str], ...]
    options: tuple[Option, ...]


def command_levels() -> tuple[Level, ...]:
    """The level of the program, then that of each command and of the commands below it.

    Of a command whose libraries are not installed the name alone is known.
    """
    help_option = Option(("-h", "--help"), "show this help message and exit")
    first = Level((), tuple(COMMANDS.items()), (help_option, Option(("--version",), "print the version")))
    found = [first]
    for name in COMMANDS:
        subparsers = argparse.ArgumentParser(prog="stirred").add_subparsers()
        try:
            add_command(name, subparsers)
        except (ImportError, InputError):
            found.append(Level((name,), (), (help_option,)))
        else:
            found += _levels(subparsers.choices[name], (name,))
    return tuple(found)


def _levels(parser: argparse.ArgumentParser, path: tuple[str, ...]) -> Iterator[Level]:
    words: list[tuple[str, str]] = []
    options: list[Option] = []
    below: list[Level] = []
    for action in parser._actions:
        if action.option_strings:
            options.append(_option(action))
        elif isinstance(action, argparse._SubParsersAction):
            helps = {one.dest: one.help or "" for one in action._choices_actions}
            words += [(name, _line(helps.get(name))) for name in action.choices]
            below += [level for name, one in action.choices.items() for level in _levels(one, (*path, name))]
        elif action.choices is not None:
            words += [(str(value), "") for value in action.choices]
    yield Level(path, tuple(words), tuple(options))
    yield from below


def _option(action: argparse.Action) -> Option:
    metavar: str | Sequence[str] | None = action.metavar
    first = metavar if isinstance(metavar, str) or not metavar else metavar[0]
    values = () if action.choices is None else tuple(map(str, action.choices))
    return Option(tuple(action.option_strings), _line(action.help), action.nargs != 0, values, first in _FILES)


def _line(text: Any) -> str:
    """The beginning of a help text, up to its first break."""
    return " ".join(str(text or "").split()).partition(";")[0].partition("(default")[0].strip()
