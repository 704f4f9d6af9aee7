"""The format `json`: the records as one list."""

from stirred.verify.certificates.printable import json_text
from stirred.verify.reports.report import Report


def render(report: Report) -> str:
    """The records as a JSON list, indented."""
    return json_text(list(report.records))
