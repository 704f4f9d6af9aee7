"""Source files as pages with anchors for lines, and the pieces of them that other pages show."""

import ast
import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from html import escape
from pathlib import Path
from typing import Any

from markupsafe import Markup
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.util import ClassNotFound

from stirred.verify.cli.site.page import SitePage
from stirred.verify.evidence.certificates.printable import printable

_ROOT = Path(__file__).resolve().parents[3]
_UNCOLOURED = re.compile(r'<span class="(?:bp|go|m[bfhio]|n|n[abcdefnovx]|o|p|pi|w)">([^<]*)</span>')
"""Tokens that are not coloured."""
_COLOURED = re.compile(r'<span class="(\w+)">([^<]*)</span>')
"""Written short: a whole ledger has 10,000 of them."""


def highlighted(code: str, language: str) -> Markup:
    r"""Highlighted code; plain if the language is unknown.

    >>> highlighted("x < 1", "text")
    Markup('x &lt; 1\n')
    """
    harmless = "\n".join(map(printable, code.split("\n")))
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        lexer = get_lexer_by_name("text")
    whole = _UNCOLOURED.sub(r"\1", highlight(harmless, lexer, HtmlFormatter(nowrap=True)))
    return Markup(_COLOURED.sub(r"<i class=\1>\2</i>", whole))  # noqa: S704 escaped there


def _code_style() -> str:
    light, dark = (
        HtmlFormatter(style=name).get_style_defs(f"{theme} pre")
        for name, theme in (("friendly", ""), ("github-dark", "[data-theme=dark]"))
    )
    lines = [line for line in f"{light}\n{dark}".splitlines() if re.search(r"pre \.\w+ \{", line)]
    return "\n".join(["pre i { font-style: normal }", *(line for line in lines if "border" not in line)]) + "\n"


CODE_STYLE = _code_style()
"""The colours of code, in light and in dark."""


@cache
def _lines(file: str) -> tuple[str, ...]:
    path = _ROOT / file
    return tuple(path.read_text(encoding="utf-8").splitlines()) if path.is_file() else ()


@cache
def _tree(file: str) -> ast.Module:
    return ast.parse("\n".join(_lines(file)))


@cache
def _named(file: str) -> dict[str, tuple[int, int]]:
    found = {}
    for node in _tree(file).body:
        names: list[str] = []
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [one.id for one in node.targets if isinstance(one, ast.Name)]
        for name in names:
            decorators: list[Any] = getattr(node, "decorator_list", [])
            found[name] = (min([node.lineno, *(one.lineno for one in decorators)]), node.end_lineno or node.lineno)
    return found


@cache
def _imports(file: str) -> frozenset[tuple[str, str]]:
    found = (node for node in ast.walk(_tree(file)) if isinstance(node, ast.ImportFrom))
    return frozenset((node.module or "", one.name) for node in found for one in node.names)


class SourceFiles:
    """The files that pages show or link to; each that is asked for becomes a page."""

    def __init__(self) -> None:
        self._asked: dict[str, set[int]] = {}

    def page(self, file: str, line: int | None = None) -> str:
        """The path of a file's page, with an anchor for a line; empty if the file is not installed."""
        if not _lines(file):
            return ""
        self._asked.setdefault(file, set()).update(() if line is None else (line,))
        return f"source/{file}.html"

    def imports(self, file: str) -> Collection[tuple[str, str]]:
        """What a module imports by name, with its home."""
        return _imports(file)

    def named(self, file: str, name: str) -> tuple[int, int] | None:
        """The first and last line of what a module defines under a name."""
        return _named(file).get(name) if file.endswith(".py") and _lines(file) else None

    def piece(self, file: str, lines: tuple[int, int]) -> Markup:
        """These lines of a module, highlighted."""
        return highlighted("\n".join(_lines(file)[lines[0] - 1 : lines[1]]), "python")

    def pages(self) -> Iterator[SitePage]:
        """A page for each file that was asked for."""
        for file, asked in sorted(self._asked.items()):
            lines = _lines(file)
            parts = {"code": _placed(lines, asked), "number": len(lines)}
            yield SitePage(f"source/{file}.html", file, "source.html", parts)


def _placed(lines: Sequence[str], asked: Collection[int]) -> Markup:
    return Markup(  # noqa: S704 escaped here
        "\n".join(
            f"{f'<i id=L{number}></i>' if number in asked else ''}{escape(printable(line), quote=False)}"
            for number, line in enumerate(lines, start=1)
        )
    )
