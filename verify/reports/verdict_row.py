"""A verdict as the first row of a table that a notebook shows: the word, in its colour."""

from stirred.spec.shown_table import TableRow
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.reports.page_style import COLORS
from stirred.verify.reports.report import outcome


def verdict_row(verdict: Verdict, question: str) -> TableRow:
    """The row.

    >>> verdict_row(Verdict.REFUTED, "is the claim met?").value
    'FAIL (REFUTED)'
    """
    word = outcome(verdict)
    return TableRow("verdict", f"{word} ({verdict.name})", question, colors=COLORS[word.lower()])
