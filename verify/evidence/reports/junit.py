"""The format `junit`: a test suite for each claim and a test case for each finding, as CI systems read them."""

from importlib.metadata import version
from xml.etree import ElementTree

from stirred.verify.evidence.certificates.printable import one_line
from stirred.verify.evidence.reports.lines import witness_line
from stirred.verify.evidence.reports.report import FAIL, NOTE, PASS, UNDECIDED, Finding, Report, Result

_ELEMENTS = {FAIL: "failure", UNDECIDED: "error"}


def render(report: Report) -> str:
    """The suites as XML.

    A refutation is a failure; an open answer that decides its claim is an error, so that a suite passes iff the
    command's exit status is 0; an open answer that decides nothing is skipped.
    """
    suites = ElementTree.Element("testsuites", name=one_line(report.title))
    for result in report.results:
        _suite(suites, report, result)
    if report.not_audited:
        _unread(suites, report)
    for name in ("tests", "failures", "errors", "skipped"):
        suites.set(name, str(sum(int(suite.get(name, "0")) for suite in suites)))
    ElementTree.indent(suites)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(suites, encoding="unicode")


def _unread(suites: ElementTree.Element, report: Report) -> None:
    """An error for each claim or file that could not be audited."""
    number = str(len(report.not_audited))
    suite = _new_suite(suites, report, "files")
    suite.set("tests", number)
    suite.set("errors", number)
    for place, message in enumerate(report.not_audited, start=1):
        case = ElementTree.SubElement(suite, "testcase", classname="files", name=f"not audited {place}")
        ElementTree.SubElement(case, "error", message=one_line(message), type="not audited")


def _new_suite(suites: ElementTree.Element, report: Report, name: str) -> ElementTree.Element:
    """An empty suite with when it was made, in UTC, and by which version."""
    suite = ElementTree.SubElement(suites, "testsuite", name=name, timestamp=f"{report.made:%Y-%m-%dT%H:%M:%S}")
    properties = ElementTree.SubElement(suite, "properties")
    ElementTree.SubElement(properties, "property", name="stirred", value=version("stirred"))
    return suite


def _suite(suites: ElementTree.Element, report: Report, result: Result) -> None:
    suite = _new_suite(suites, report, result.verdict.name)
    if result.verdict.place is not None:
        suite.set("file", one_line(result.verdict.place.file))
    rules = [finding.rule for finding in result.all_findings]
    for place, finding in enumerate(result.all_findings):
        before = rules[:place].count(finding.rule)
        _case(suite, result, finding, f"{finding.rule} {before + 1}" if before else finding.rule)
    if result.beneath:
        under = (one_line(f"{label}: {text}") for label, text in result.beneath)
        ElementTree.SubElement(suite, "system-out").text = "\n".join(under)
    counted = {"failures": "failure", "errors": "error", "skipped": "skipped"}
    suite.set("tests", str(len(result.all_findings)))
    for name, element in counted.items():
        suite.set(name, str(len(suite.findall(f"testcase/{element}"))))


def _case(suite: ElementTree.Element, result: Result, finding: Finding, name: str) -> None:
    case = ElementTree.SubElement(suite, "testcase", classname=result.verdict.name, name=name)
    if finding.place is not None:
        case.set("file", one_line(finding.place.file))
        case.set("line", str(finding.place.line))
    word = finding.outcome
    message = f"{word}: {'' if finding.is_fact else f'{finding.verdict.name}: '}{one_line(finding.sentence)}"
    text = f"{message} [{one_line(finding.scope)}]"
    if finding.witness is not None:
        text += "\n" + witness_line(finding.witness).strip()
    if word in (PASS, NOTE):
        ElementTree.SubElement(case, "system-out").text = text
    elif finding.fails:
        ElementTree.SubElement(case, _ELEMENTS[word], message=message, type=finding.verdict.name).text = text
    else:
        ElementTree.SubElement(case, "skipped", message=f"{message} (decides nothing)")
