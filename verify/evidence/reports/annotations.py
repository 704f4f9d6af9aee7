"""The format `github`: workflow commands that GitHub Actions shows beside the lines of the files that they name."""

from collections.abc import Iterator

from stirred.verify.evidence.certificates.printable import one_line
from stirred.verify.evidence.reports.lines import witness_line
from stirred.verify.evidence.reports.report import Finding, Report
from stirred.verify.evidence.verdict import Verdict


def render(report: Report) -> str:
    """An error for each refutation, a warning for each open answer that decides, a notice for remarks, counts last."""
    findings = (finding for result in report.results for finding in result.all_findings)
    lines = [line for finding in findings if finding.fails or finding.is_remark for line in _annotation(finding)]
    lines += [f"::error title=not audited::{_data(one_line(message))}" for message in report.not_audited]
    return "\n".join([*lines, report.counts])


def _annotation(finding: Finding) -> Iterator[str]:
    level = "error" if finding.verdict is Verdict.REFUTED else "warning" if finding.fails else "notice"
    title = f"{finding.outcome} {finding.name}" if finding.fails else finding.name
    properties = {"title": title}
    if finding.place is not None:
        properties = {"file": finding.place.file, "line": str(finding.place.line), "title": title}
    verdict = f"{finding.verdict.name}: " if finding.fails else ""
    message = f"{verdict}{one_line(finding.sentence)} [{one_line(finding.scope)}]"
    if finding.witness is not None:
        message += "\n" + witness_line(finding.witness).strip()
    named = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    yield f"::{level} {named}::{_data(message)}"


def _data(text: str) -> str:
    """A message as a workflow command has it: "%" and the ends of lines are escaped.

    >>> _data("100%")
    '100%25'
    """
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """A property, which ends at a comma or a colon unless they are escaped too.

    >>> _property("a,b:c")
    'a%2Cb%3Ac'
    """
    return _data(text).replace(":", "%3A").replace(",", "%2C")
