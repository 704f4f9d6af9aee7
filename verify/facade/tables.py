"""Two-column tables for notebooks, as HTML and as Markdown, with a verdict in its colour."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from stirred.verify.evidence.verdict import Verdict
from stirred.verify.reports.page_style import COLORS
from stirred.verify.reports.report import outcome

__all__ = ["TableRow", "as_html", "as_markdown", "verdict_row"]


@dataclass(frozen=True)
class TableRow:
    """A named value, with the question that it answers.

    Attributes:
        name: what it is.
        value: in words.
        question: what it answers.
        tone: `pass`, `fail` or `undecided`, where the value has the colour of a verdict.
    """

    name: str
    value: str
    question: str = ""
    tone: str = ""


def verdict_row(verdict: Verdict, question: str) -> TableRow:
    """A verdict as the first row of a table.

    >>> verdict_row(Verdict.REFUTED, "is the claim met?").value
    'FAIL (REFUTED)'
    """
    word = outcome(verdict)
    return TableRow("verdict", f"{word} ({verdict.name})", question, word.lower())


def _painted(text: str, tone: str, mark: str) -> str:
    """A text that is markup already, in the colours of a tone; bold where colours are not shown."""
    if not tone:
        return text
    writing, behind = COLORS[tone]
    return f'<span style="color:{writing};background:{behind};padding:0 .4em">{mark.format(text)}</span>'


def as_html(title: str, rows: Sequence[TableRow]) -> str:
    """The table as HTML, every text escaped.

    >>> as_html("a < b", [TableRow("x", "1")])
    '<table><caption>a &lt; b</caption><tr><th scope="row">x</th><td>1</td></tr></table>'
    """
    lines = [f"<table><caption>{escape(title)}</caption>"]
    for row in rows:
        question = f"<br><small>{escape(row.question)}</small>" if row.question else ""
        value = _painted(escape(row.value), row.tone, "<strong>{}</strong>")
        lines.append(f'<tr><th scope="row">{escape(row.name)}{question}</th><td>{value}</td></tr>')
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
        lines.append(f"| {_cell(row.name + question)} | {_painted(_cell(row.value), row.tone, '**{}**')} |")
    return "\n".join(lines)


def _cell(text: str) -> str:
    for mark in "\\|*_`<":
        text = text.replace(mark, f"\\{mark}")
    return " ".join(text.split())
