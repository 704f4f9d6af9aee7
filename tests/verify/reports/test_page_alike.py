"""The order of the claims of a page, and which of them share a table."""

import re
from dataclasses import replace

import pytest

from stirred.verify.cli import main
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.reports.formats import rendered
from stirred.verify.reports.page_alike import Alike, by_severity, separated
from stirred.verify.reports.report import Bar, Finding, Report, Result

DEPLOYMENTS = "tests/verify/records/fixtures/deployments"


def result(name, verdict=Verdict.OPEN, *rules, **more):
    findings = tuple(Finding(f"{name}.{rule}", rule, verdict, f"{rule} of {name}", "") for rule in rules)
    return Result(
        Finding(name, "claim", verdict, "", ""), findings, because=f"why {name}", source=f"{name}.yaml", **more
    )


def open_(name, *rules, **more):
    return result(name, Verdict.OPEN, *(rules or ("complete",)), **more)


def names(one):
    return [each.verdict.name for each in one.results] if isinstance(one, Alike) else one.verdict.name


def test_what_is_refuted_comes_first_then_what_is_undecided_each_in_the_given_order():
    verdicts = {"h1": Verdict.PROVED, "u1": Verdict.OPEN, "r1": Verdict.REFUTED, "h2": Verdict.EXHAUSTED}
    verdicts |= {"u2": Verdict.SAMPLED, "r2": Verdict.REFUTED}
    results = [result(name, verdict) for name, verdict in verdicts.items()]
    assert [one.verdict.name for one in by_severity(results)] == ["r1", "r2", "u1", "u2", "h1", "h2"]


def test_three_that_the_same_leaves_undecided_are_one_where_the_first_of_them_stands():
    results = [
        open_("a"),
        open_("b", "prose", "complete"),
        result("r", Verdict.REFUTED, "budget"),
        open_("c"),
        open_("d"),
    ]
    assert list(map(names, separated(results))) == ["r", ["a", "c", "d"], "b"]


def test_two_are_shown_one_by_one():
    assert list(map(names, separated([open_("a"), open_("b")]))) == ["a", "b"]


@pytest.mark.parametrize("verdict", [Verdict.REFUTED, Verdict.EXHAUSTED])
def test_what_is_decided_is_never_put_together(verdict):
    assert len(separated([result(name, verdict, "complete") for name in "abcd"])) == 4


def test_what_a_row_does_not_show_keeps_its_section():
    drawn = open_("e", picture=(Bar("HHHH", "x", "0"),))
    assert list(map(names, separated([*map(open_, "abc"), drawn]))) == [["a", "b", "c"], "e"]


def test_a_row_has_the_id_the_source_with_its_digest_the_sentence_and_remarks():
    remark = Finding("a.prose", "prose", Verdict.OPEN, "the prose also gives 2", "", decides=False, is_remark=True)
    first = replace(open_("a", files=(("a.yaml", "0" * 64),)), findings=(*open_("a").findings, remark))
    page = rendered(Report("audit", "", [first, open_("b"), open_("c")], "3 claims", []), "html")
    (row,) = re.findall(r'<tr><th scope="row">a</th>.*?</tr>', page)
    for text in ("a.yaml", "0" * 64, "why a", "the prose also gives 2"):
        assert text in row
    assert page.count("<article") == 1
    assert "3 alike" in page
    assert "Are all five blocks stated?" in page


def test_eighteen_records_are_a_table_of_seventeen_and_a_section_for_the_one_that_needs_a_reader(capsys):
    assert main(["audit", DEPLOYMENTS, "--format", "html"]) == 3
    page = capsys.readouterr().out
    assert re.findall(r'<article id="claim-\d+"><h2>([^<]*)', page) == [
        "17 alike",
        "comparison-group-virtual-power-plant-energy-firm-2020",
    ]
    assert len(re.findall(r'<tr><th scope="row">[a-z0-9-]+-20\d\d</th>', page)) == 17
