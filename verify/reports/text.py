"""The format `text`: one greppable line for each finding, a witness under a refutation, counts last."""

from collections.abc import Iterator

from stirred.verify.evidence.verdict import Verdict
from stirred.verify.reports.lines import finding_line, witness_line
from stirred.verify.reports.report import Finding, Report, Result


def render(report: Report) -> str:
    """All lines."""
    lines = [line for result in report.results for line in result_lines(result, is_full=report.is_full)]
    return "\n".join([*lines, report.counts])


def result_lines(result: Result, *, is_full: bool = True) -> Iterator[str]:
    """The findings, each refutation with its witness, then the verdict on the claim.

    Args:
        result: the claim.
        is_full: whether findings that refute nothing are shown too.
    """
    for finding in result.findings:
        if is_full or finding.verdict is Verdict.REFUTED:
            yield from _lines(finding)
    yield from _lines(result.verdict)


def _lines(finding: Finding) -> Iterator[str]:
    yield finding_line(finding.name, finding.word, finding.sentence, finding.scope)
    if finding.witness is not None:
        yield witness_line(finding.witness)
    yield from (f"    {note}" for note in finding.notes)
