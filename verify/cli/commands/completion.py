"""`stirred completion`: a script by which a shell completes commands, options and their values."""

import argparse
import shlex
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.cli.commands import COMMANDS, add_command
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.evidence.reports.lines import HOLDS

_FILES = frozenset({"CLAIM", "DATA", "DIR", "FILE", "FILE.v", "FOLDER", "RECORDS"})
"""How help texts name the values that are files or folders."""


@dataclass(frozen=True)
class Option:
    """An option."""

    names: tuple[str, ...]
    help: str = ""
    takes_value: bool = False
    values: tuple[str, ...] = ()
    is_file: bool = False


@dataclass(frozen=True)
class Level:
    """What may follow the program's name and the commands of `path`; without words, files."""

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


# Scripts by which bash, zsh and fish complete the words of a command line: text alone, which starts nothing.

_BASH = """\
# stirred completion bash: put this line into ~/.bashrc
#   source <(stirred completion bash)
_stirred() {{
  local word=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD-1]}} at='' number words='' options=''
  if [[ $word == = ]]; then word=''; elif [[ $before == = ]]; then before=${{COMP_WORDS[COMP_CWORD-2]}}; fi
  for ((number = 1; number < COMP_CWORD; number++)); do
    case "$at ${{COMP_WORDS[number]}}" in
      {paths}) at="$at ${{COMP_WORDS[number]}}" ;;
    esac
  done
  COMPREPLY=()
  case "$at $before" in
{values}
  esac
  case "$at" in
{levels}
  esac
  if [[ $word == -* ]]; then words=$options; fi
  COMPREPLY=($(compgen -W "$words" -- "$word"))
}}
complete -o default -F _stirred stirred"""

_ZSH = """\
#compdef stirred
# stirred completion zsh: put this line into ~/.zshrc, after compinit
#   source <(stirred completion zsh)
_stirred() {{
  local before=${{words[CURRENT-1]}} at='' number
  local -a offered options
  for ((number = 2; number < CURRENT; number++)); do
    case "$at ${{words[number]}}" in
      {paths}) at="$at ${{words[number]}}" ;;
    esac
  done
  case "$at $before" in
{values}
  esac
  case "$at" in
{levels}
  esac
  if [[ $PREFIX == -* ]]; then
    compadd -- $options
  elif (( $#offered )); then
    compadd -- $offered
  else
    _files
  fi
}}
if [[ $funcstack[1] == _stirred ]]; then _stirred "$@"; else compdef _stirred stirred; fi"""

_FISH = """\
# stirred completion fish: put this line into ~/.config/fish/config.fish
#   stirred completion fish | source
function __stirred_at
    set -l at
    for word in (commandline -opc)[2..]
        if contains -- (string join -- ' ' $at $word) {paths}
            set at $at $word
        end
    end
    test (string join -- ' ' '' $at) = "$argv[1]"
end
{lines}"""


def _bash(levels: Sequence[Level]) -> str:
    def values(option: Option) -> str:
        if option.values:
            return f'COMPREPLY=($(compgen -W {shlex.quote(" ".join(option.values))} -- "$word")); return'
        return "return" if option.is_file else "compopt +o default 2>/dev/null; return"

    def level(one: Level) -> str:
        return f"words={_quoted(_words(one))}; options={_quoted(_names(one))}"

    return _BASH.format(paths=_paths(levels), values=_values(levels, values), levels=_cases(levels, level))


def _zsh(levels: Sequence[Level]) -> str:
    def values(option: Option) -> str:
        if option.values:
            return f"compadd -- {shlex.join(option.values)}; return"
        return "_files; return" if option.is_file else "return"

    def level(one: Level) -> str:
        return f"offered=({shlex.join(_words(one))}); options=({shlex.join(_names(one))})"

    return _ZSH.format(paths=_paths(levels), values=_values(levels, values), levels=_cases(levels, level))


def _fish(levels: Sequence[Level]) -> str:
    paths = " ".join(_fish_text(" ".join(level.path)) for level in levels if level.path)
    return _FISH.format(paths=paths, lines="\n".join(line for level in levels for line in _fish_lines(level)))


def _fish_lines(level: Level) -> Iterator[str]:
    at = "".join(f" {word}" for word in level.path)
    start = f"complete -c stirred -n {_fish_text(f'__stirred_at {_fish_text(at)}')}"
    for word, what in level.words:
        yield f"{start} -f -a {_fish_text(word)} -d {_fish_text(what)}"
    for option in level.options:
        names = " ".join(f"-l {name[2:]}" if name.startswith("--") else f"-s {name[1:]}" for name in option.names)
        value = ""
        if option.values:
            value = f" -x -a {_fish_text(' '.join(option.values))}"
        elif option.takes_value:
            value = " -r -F" if option.is_file else " -x"
        yield f"{start} {names}{value} -d {_fish_text(option.help)}"


def _fish_text(text: str) -> str:
    r"""A text in single quotes, as fish reads it.

    >>> print(_fish_text("a claim's"))
    'a claim\'s'
    """
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def _paths(levels: Sequence[Level]) -> str:
    """The commands that lead to a level, as alternatives of a case."""
    return "|".join(shlex.quote("".join(f" {word}" for word in level.path)) for level in levels if level.path)


def _values(levels: Sequence[Level], shown: Callable[[Option], str]) -> str:
    """What follows an option that takes a value."""
    lines = []
    for level in levels:
        at = "".join(f" {word}" for word in level.path)
        for option in level.options:
            if option.takes_value:
                cases = "|".join(shlex.quote(f"{at} {name}") for name in option.names)
                lines.append(f"    {cases}) {shown(option)} ;;")
    return "\n".join(lines)


def _cases(levels: Sequence[Level], shown: Callable[[Level], str]) -> str:
    return "\n".join(
        f"    {shlex.quote(''.join(f' {word}' for word in level.path))}) {shown(level)} ;;" for level in levels
    )


def _words(level: Level) -> list[str]:
    return [word for word, _ in level.words]


def _names(level: Level) -> list[str]:
    return [name for option in level.options for name in option.names]


def _quoted(words: Sequence[str]) -> str:
    return shlex.quote(" ".join(words))


SCRIPTS: Mapping[str, Callable[[Sequence[Level]], str]] = {"bash": _bash, "zsh": _zsh, "fish": _fish}
"""The script of each shell, made from what its words may be."""


_EPILOG = """\
examples:
  source <(stirred completion bash)      in ~/.bashrc
  source <(stirred completion zsh)       in ~/.zshrc, after compinit
  stirred completion fish | source       in ~/.config/fish/config.fish
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "completion",
        run,
        description="Print a completion script. It starts no program: save it, and your shell opens as fast as before.",
        epilog=_EPILOG,
    )
    parser.add_argument("shell", choices=tuple(SCRIPTS), help="which shell")


def run(arguments: argparse.Namespace) -> int:
    """Print the script; returns the exit status."""
    sys.stdout.write(SCRIPTS[arguments.shell](command_levels()) + "\n")
    return HOLDS
