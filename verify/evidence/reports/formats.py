"""The formats of a report, by name."""

from collections.abc import Callable
from importlib import import_module

from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.printable import json_text
from stirred.verify.evidence.reports.report import Report

_MODULES = {
    "text": "text",
    "github": "annotations",
    "junit": "junit",
    "sarif": "sarif",
    "html": "page",
}

FORMATS = ("text", "json", "github", "junit", "sarif", "html")
"""What --format may be: the records as one JSON list, or the function `render` of a module here."""


def rendered(report: Report, name: str) -> str:
    """The report in a format, without an end of line."""
    if name not in FORMATS:
        raise InputError(f"format must be one of {', '.join(FORMATS)}; got {name!r}")
    if name == "json":
        return json_text(list(report.records))
    render: Callable[[Report], str] = import_module(f"stirred.verify.evidence.reports.{_MODULES[name]}").render
    return render(report)
