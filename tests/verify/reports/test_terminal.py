"""On a terminal: the verdict first, four lines, nothing broken inside a word; pipes keep the greppable lines."""

import json
import os
import pty
import re
import subprocess
import sys
from dataclasses import replace

import pytest
from reported import hostile_report

from verify.cli import main
from verify.evidence.verdict import Verdict
from verify.reports.report import Finding, Place, Report, Result
from verify.reports.terminal import render, uses_color

GEOMETRIC = "tests/claims/geometric.toml"


def one(report: Report) -> Report:
    return Report(report.title, report.command, report.results[:1], report.counts, report.records)


def test_the_verdict_stands_first_then_four_labels_in_order():
    lines = render(one(hostile_report()), width=80, color=False).splitlines()
    assert lines[0] == "FAIL (REFUTED)  own"
    labels = [line.split()[0] for line in lines if re.match(r"  \w", line)]
    assert labels[:4] == ["claimed", "needed", "because", "scope"]


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_wider_than_the_terminal_unless_it_is_one_word(width):
    lines = render(one(hostile_report()), width=width, color=False).splitlines()
    assert [line for line in lines if len(line) > width and len(line.split()) > 2] == []


@pytest.mark.parametrize("width", [40, 80])
def test_wrapping_changes_no_word(width, capsys):
    main(["audit", GEOMETRIC])
    words = capsys.readouterr().out.split()
    os.environ["COLUMNS"] = str(width)
    try:
        main(["audit", GEOMETRIC, "--color", "always"])
    finally:
        del os.environ["COLUMNS"]
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).split()
    strays = [word for word in shown if word not in words and word.strip("[]();") not in " ".join(words)]
    assert set(strays) <= {"FAIL", "(REFUTED)", "claimed", "needed", "by", "because", "scope"}


def test_many_results_are_one_table_and_the_failures_below():
    lines = render(hostile_report(), width=100, color=False).splitlines()
    assert lines[0].split() == ["verdict", "claim", "because"]
    assert lines[2].startswith("PASS (PROVED)")
    assert lines[2].split()[2:4] == ["held", "it"]
    assert lines.count("FAIL (REFUTED)  own") == 1
    assert lines[-1] == hostile_report().counts


def result(name, verdict=Verdict.OPEN, *findings, file="r.yaml"):
    return Result(Finding(name, "claim", verdict, "", "", place=Place(file)), findings, because="why")


def shown(results, width=80):
    return render(Report("audit", "", results, "counts", []), width=width, color=False)


def test_a_remark_is_shown_although_it_decides_nothing():
    remark = Finding("a.prose", "prose", Verdict.OPEN, "the prose also gives 2", "", decides=False, is_remark=True)
    text = shown([result("a", Verdict.OPEN, remark, replace(remark, sentence="read it all", is_remark=False))])
    assert "\n  prose      the prose also gives 2\n" in text
    assert "read it all" not in text


@pytest.mark.parametrize("count", [10, 11])
def test_of_more_than_ten_those_with_no_more_to_say_than_their_row_are_in_the_table_only(count):
    untold = Finding("b.prose", "prose", Verdict.OPEN, "epsilon = 3, the prose gives 2", "")
    told = [result(f"a{number}", Verdict.OPEN, replace(untold, sentence="why")) for number in range(count - 2)]
    text = shown([*told, result("b", Verdict.OPEN, untold), result("c", Verdict.REFUTED)])
    blocks = re.findall(r"(?m)^(?:UNDECIDED|FAIL) \(\w+\)  (\w+)$", text)
    assert blocks == ([f"a{number}" for number in range(8)] if count == 10 else []) + ["b", "c"]


@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_name_that_leaves_its_row_no_room_is_told_by_its_file(width):
    names = ["disclosure-avoidance-system-for-redistricting-data-u-s-census-bureau-2021", "b"]
    lines = shown([result(name, file=f"/some/where/{name[:1]}.yaml") for name in names], width).splitlines()
    assert [line.split()[2] for line in lines[1:3]] == ["d.yaml", "b.yaml"]
    lines = shown([result(name) for name in names], width).splitlines()
    assert lines[1].split()[2].endswith("…")
    assert max(map(len, lines[:3])) <= width


def test_colour_is_as_asked_and_off_without_a_terminal_or_with_no_color(monkeypatch):
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert [uses_color(choice, is_terminal=True) for choice in ("auto", "always", "never")] == [True, True, False]
    assert [uses_color(choice, is_terminal=False) for choice in ("auto", "always", "never")] == [False, True, False]
    monkeypatch.setenv("NO_COLOR", "1")
    assert not uses_color("auto", is_terminal=True)
    assert uses_color("always", is_terminal=True)
    monkeypatch.setenv("NO_COLOR", "")
    assert uses_color("auto", is_terminal=True)


def test_colour_adds_codes_and_nothing_else():
    plain, painted = (render(hostile_report(), width=90, color=color) for color in (False, True))
    assert "\x1b[1;31mFAIL" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


def on_a_terminal(*arguments, **environment):
    """What the command writes where standard output is a terminal."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "verify.cli", *arguments],
        stdout=theirs,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "90", **environment},
    )
    os.close(theirs)
    found = b""
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        found += piece
    os.close(ours)
    return child.wait(timeout=60), found.decode().replace("\r\n", "\n")


def test_a_terminal_gets_the_verdict_first_and_a_pipe_the_lines(capsys):
    status, shown = on_a_terminal("audit", GEOMETRIC, NO_COLOR="1")
    assert status == 1
    assert shown.startswith("FAIL (REFUTED)  geometric.a-tenth\n  claimed    epsilon = 0.1\n  needed     ln(262900/")
    assert main(["audit", GEOMETRIC]) == 1
    assert capsys.readouterr().out.startswith("geometric.a-tenth.complete: EXHAUSTED: ")
    assert on_a_terminal("audit", GEOMETRIC, "--format", "text")[1].startswith("geometric.a-tenth.complete: ")
    assert json.loads(on_a_terminal("audit", GEOMETRIC, "--json")[1])[0]["verdict"] == "REFUTED"


def test_json_beside_another_format_is_refused(capsys):
    assert main(["audit", GEOMETRIC, "--json", "--format", "sarif"]) == 2
    assert capsys.readouterr().err == "stirred: --json must come without another --format; got sarif\n"
    assert main(["audit", GEOMETRIC, "--json", "--format", "json"]) == 1
