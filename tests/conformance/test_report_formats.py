"""What every format of a report must do: one class, and one line for each format."""

import html
import json
from xml.etree import ElementTree

import pytest
from reported import HOSTILE, hostile_report

from stirred.spec import InputError
from stirred.verify.evidence.reports.formats import FORMATS, rendered
from stirred.verify.evidence.reports.report import Finding, Report, Result
from stirred.verify.evidence.reports.text import render_terminal
from stirred.verify.evidence.verdict import Verdict


class Conformance:
    """A format as a function from a report to a text, and how a reader of the format has the texts in it."""

    names = ("own.budget", "own.numbers")
    shows_what_holds = True
    shows_remarks = True

    def render(self, report):
        raise NotImplementedError

    def read(self, text):
        """Everything that the format says, as one text."""
        return text

    def test_it_ends_no_line_and_prints_as_it_stands(self):
        text = self.render(hostile_report())
        assert text
        assert not text.endswith("\n")
        assert [one for one in text if not one.isprintable() and one != "\n"] == []
        text.encode()

    def test_it_is_the_same_each_time(self):
        assert self.render(hostile_report()) == self.render(hostile_report())

    def test_every_refutation_is_named_with_its_counterexample(self):
        said = self.read(self.render(hostile_report()))
        for words in (*self.names, "REFUTED", "3/2^(1) * 1/4"):
            assert words in said, words

    def test_a_remark_is_shown_although_it_decides_nothing(self):
        remark = Finding("own.meaning", "meaning", Verdict.OPEN, "it means 7", "s", decides=False, is_remark=True)
        verdict = Finding("own", "claim", Verdict.EXHAUSTED, "met", "s")
        said = self.read(self.render(Report("audit", "", [Result(verdict, (remark,))], "1 claim", [{}])))
        assert ("it means 7" in said) == self.shows_remarks
        assert "FAIL" not in said

    def test_what_holds_is_shown_unless_only_what_fails_is(self):
        assert ("held" in self.read(self.render(hostile_report()))) == self.shows_what_holds


class TestText(Conformance):
    def render(self, report):
        return rendered(report, "text")

    def test_each_line_is_a_finding_or_stands_under_one(self):
        *lines, counts = self.render(hostile_report()).splitlines()
        assert counts == hostile_report().counts
        assert [line.split(":")[0] for line in lines if not line.startswith("    ")][1:] == [
            *("own.numbers", "own.numbers", "own.mechanism", "own.budget", "own", "held")
        ]


class TestTerminal(Conformance):
    names = ("own",)  # the answer that decides is the claim's own verdict

    def render(self, report):
        return render_terminal(report, width=80, color=False)


class TestJson(Conformance):
    shows_remarks = False  # it is the records of the command

    def render(self, report):
        report.records[0]["findings"] = ["own.budget", "own.numbers", "REFUTED", "3/2^(1) * 1/4", "held"]
        return rendered(report, "json")

    def test_it_is_the_records(self):
        (record,) = json.loads(rendered(hostile_report(), "json"))
        assert record == {"id": HOSTILE}


class TestGithub(Conformance):
    shows_what_holds = False

    def render(self, report):
        return rendered(report, "github")

    def test_each_line_is_one_command_with_its_place(self):
        *lines, counts = self.render(hostile_report()).splitlines()
        assert counts == hostile_report().counts
        assert [line.split(" ")[0] for line in lines] == ["::error", "::warning", "::error"]
        for line in lines:
            properties, message = line.split(" ", 1)[1].split("::", 1)
            named = dict(part.split("=", 1) for part in properties.split(","))
            assert set(named) == {"file", "line", "title"}
            assert named["line"] == "7"
            assert named["file"].startswith("a b/")
            assert "%25%2C%3A" in named["file"]
            assert "%25,:" in message


class TestJunit(Conformance):
    names = ("own\nbudget", "own\nnumbers")  # the class, then the case

    def render(self, report):
        return rendered(report, "junit")

    def read(self, text):
        root = ElementTree.fromstring(text)  # noqa: S314 what this module wrote
        parts = [part for one in root.iter() for part in (*one.attrib.values(), one.text or "")]
        return "\n".join(parts)

    def test_one_test_case_for_each_finding_and_one_element_for_each_kind(self):
        root = ElementTree.fromstring(self.render(hostile_report()))  # noqa: S314 what this module wrote
        first, second = (suite.findall("testcase") for suite in root)
        assert [case.get("name") for case in first] == ["complete", "numbers", "numbers 2", "mechanism", "budget"]
        assert [case[0].tag for case in first] == ["system-out", "skipped", "failure", "error", "failure"]
        assert [case.get("name") for case in second] == ["claim"]
        counts = {name: root.get(name) for name in ("tests", "failures", "errors", "skipped")}
        assert counts == {"tests": "6", "failures": "2", "errors": "1", "skipped": "1"}


class TestSarif(Conformance):
    shows_what_holds = False

    def render(self, report):
        return rendered(report, "sarif")

    def read(self, text):
        (run,) = json.loads(text)["runs"]
        return "\n".join(result["message"]["text"] for result in run["results"])

    def test_it_has_the_structure_that_code_scanning_asks_for(self):
        log = json.loads(self.render(hostile_report()))
        assert log["version"] == "2.1.0"
        assert log["$schema"].endswith("sarif-2.1.0.json")
        (run,) = log["runs"]
        driver = run["tool"]["driver"]
        assert driver["name"] == "stirred"
        rules = [rule["id"] for rule in driver["rules"]]
        assert rules == ["numbers", "mechanism", "budget"]
        assert len(run["results"]) == 3
        for rule in driver["rules"]:
            assert rule["shortDescription"]["text"]
            assert rule["fullDescription"]["text"]
            assert rule["help"]["text"]
            assert rule["defaultConfiguration"]["level"] in ("error", "warning", "note", "none")
        for result in run["results"]:
            assert rules[result["ruleIndex"]] == result["ruleId"]
            assert result["level"] in ("error", "warning")
            assert result["message"]["text"]
            (location,) = result["locations"]
            physical = location["physicalLocation"]
            assert physical["region"]["startLine"] == 7
            uri = physical["artifactLocation"]["uri"]
            assert uri.startswith("a%20b/")
            assert not set(uri) & set(' <>"%') - {"%"}
        prints = [result["partialFingerprints"]["finding/v1"] for result in run["results"]]
        assert len(set(prints)) == len(prints)


class TestHtml(Conformance):
    def render(self, report):
        return rendered(report, "html")

    def read(self, text):
        return html.unescape(text)


def test_every_format_has_its_line_here():
    tried = {name.removeprefix("Test").lower() for name in globals() if name.startswith("Test")}
    assert tried == {*FORMATS, "terminal"}


def test_an_unknown_format_is_refused():
    with pytest.raises(InputError, match="format must be one of text, json, github, junit, sarif, html; got 'xml'"):
        rendered(hostile_report(), "xml")
