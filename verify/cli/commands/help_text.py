"""The help of every command, in at most 80 columns: paragraphs are filled, and so is what stands in a right column."""

import argparse
import re
import shutil
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

COLUMNS = 80

_LEAST_RIGHT = 30
"""Columns that the right part of a row needs; else it stands below the left one."""

_LEAST_LEFT = 14
"""Columns of the names of commands; argparse leaves out their indentation."""

_REMARK = 6
"""The indentation of what is said of a command, below it."""

_ROW = re.compile(r"(?P<left> *\S+(?: \S+)*)(?P<gap> {2,})(?P<right>\S.*)")
_OPTION = re.compile(" (?=--)")
_CONTINUED = " \\"


def declare(
    subparsers: Any,
    name: str,
    run: Callable[[argparse.Namespace], int] | None,
    *,
    description: str,
    epilog: str = "",
    **named: Any,
) -> argparse.ArgumentParser:
    """Add a command: its parser, and what carries it out unless its own commands do."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        name, description=description, epilog=epilog, formatter_class=HelpFormatter, **named
    )
    if run is not None:
        parser.set_defaults(run=run)
    return parser


def parse_integer(text: str) -> int:
    """An integer, for `argparse`, whose own message has the words of a programmer: `type=int` in every parser."""
    try:
        return int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"must be an integer; got {text!r}") from None


class HelpFormatter(argparse.HelpFormatter):
    """Options as argparse shows them; descriptions and epilogs as `filled` does."""

    def __init__(self, prog: str, **named: Any) -> None:
        width = min(shutil.get_terminal_size().columns, COLUMNS)
        super().__init__(prog, **{"max_help_position": 22, "width": width, **named})
        self._action_max_length = _LEAST_LEFT

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return textwrap.indent(filled(text, width), indent)


def filled(text: str, width: int) -> str:
    r"""The text in lines of at most `width` columns, unless a word is longer.

    Lines without indentation make paragraphs. A line with two spaces or more inside it is a row of two columns, which
    the lines that are indented as its right column continue. Other lines are commands, which continue with \, or where
    they are indented by 6 or more, remarks.

    >>> print(filled("a paragraph\nof two lines\n\n  name  what it is,\n        in short", 40))
    a paragraph of two lines
    <BLANKLINE>
      name  what it is, in short
    """
    lines: list[str] = []
    for block in text.strip("\n").split("\n\n"):
        lines += [line for part in _parts(block.split("\n")) for line in _filled(part, width)]
        lines.append("")
    return "\n".join(lines[:-1])


def _parts(lines: list[str]) -> Iterator[list[str]]:
    """Paragraphs, rows with the lines that continue them, and indented lines."""
    part: list[str] = []
    for line in lines:
        row = _ROW.match(part[0]) if part else None
        margin = 0 if row is None else row.start("right")
        continues = part and line.startswith(" " * margin) and line[margin] != " " and not (margin and _ROW.match(line))
        if continues and (row is not None or not (part[0].startswith(" ") or _ROW.match(line))):
            part.append(line)
        else:
            if part:
                yield part
            part = [line]
    yield part


def _filled(part: list[str], width: int) -> list[str]:
    row = _ROW.match(part[0])
    if row is None:
        indent = len(part[0]) - len(part[0].lstrip())
        if 0 < indent < _REMARK:
            return _command(part[0], width)
        return _wrapped(" ".join(part).strip(), width, " " * indent, " " * indent)
    margin, left = row.start("right"), row["left"]
    right = " ".join([row["right"], *(line.strip() for line in part[1:])])
    if len(left) + len(row["gap"]) + len(right) <= width:
        return [left + row["gap"] + right]
    if width - margin >= _LEAST_RIGHT:
        return _wrapped(right, width, left.ljust(margin), " " * margin)
    margin = _REMARK
    return [*_command(left, width), *_wrapped(right, width, " " * margin, " " * margin)]


def _command(line: str, width: int) -> list[str]:
    """An indented command line, continued before its options as a shell continues it."""
    if len(line) <= width:
        return [line]
    first, *options = _OPTION.split(line)
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    lines = [first]
    for option in options:
        if len(lines[-1]) + len(option) + len(f" {_CONTINUED}") > width:
            lines[-1] += _CONTINUED
            lines.append(indent + option)
        else:
            lines[-1] += f" {option}"
    return lines


def _wrapped(text: str, width: int, first: str = "", margin: str = "") -> list[str]:
    return textwrap.wrap(
        text, width, initial_indent=first, subsequent_indent=margin, break_on_hyphens=False, break_long_words=False
    )
