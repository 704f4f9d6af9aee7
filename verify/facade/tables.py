"""Two-column tables for notebooks, as HTML and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

__all__ = ["TableRow", "as_html", "as_markdown"]


@dataclass(frozen=True)
class TableRow:
    """A named value, with the question that it answers."""

    name: str
    value: str
    question: str = ""


def as_html(title: str, rows: Sequence[TableRow]) -> str:
    """The table as HTML, every text escaped.

    >>> as_html("a < b", [TableRow("x", "1")])
    '<table><caption>a &lt; b</caption><tr><th scope="row">x</th><td>1</td></tr></table>'
    """
    lines = [f"<table><caption>{escape(title)}</caption>"]
    for row in rows:
        question = f"<br><small>{escape(row.question)}</small>" if row.question else ""
        lines.append(f'<tr><th scope="row">{escape(row.name)}{question}</th><td>{escape(row.value)}</td></tr>')
    return "".join([*lines, "</table>"])


def as_markdown(title: str, rows: Sequence[TableRow]) -> str:
    r"""The table as Markdown; what would be markup is escaped.

    >>> print(as_markdown("t", [TableRow("x", "a|b")]))
    | t | |
    |---|---|
    | x | a\|b |
    """
    lines = [f"| {_cell(title)} | |", "|---|---|"]
    for row in rows:
        question = f" ({row.question})" if row.question else ""
        lines.append(f"| {_cell(row.name + question)} | {_cell(row.value)} |")
    return "\n".join(lines)


def _cell(text: str) -> str:
    for mark in "\\|*_`<":
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())
