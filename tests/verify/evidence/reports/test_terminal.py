"""On a terminal: the verdict first, four lines, nothing broken inside a word; pipes keep the greppable lines."""

import json
import os
import pty
import re
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import pytest
from reported import hostile_report

from stirred.verify.cli.main import main
from stirred.verify.evidence.reports.report import Finding, Place, Report, Result
from stirred.verify.evidence.reports.text import render_terminal, uses_color
from stirred.verify.evidence.verdict import Verdict

GEOMETRIC = "tests/claims/geometric.toml"
PLAIN = (
    "means A difference of 1 in the data can make the output 0 at least 1.18 times as likely; the claim promises at "
    "most 1.11 times."
)


def one(report: Report) -> Report:
    return Report(report.title, report.command, report.results[:1], report.counts, report.records)


def test_the_verdict_stands_first_then_four_labels_in_order():
    lines = render_terminal(one(hostile_report()), width=80, color=False).splitlines()
    assert lines[0] == "FAIL (REFUTED)  own"
    labels = [line.split()[0] for line in lines if re.match(r"  \w", line)]
    assert labels[:4] == ["claimed", "needed", "because", "scope"]


def test_what_the_domain_is_too_small_for_stands_above_the_verdict():
    first = hostile_report().results[0]
    small = Finding("own.size", "size", Verdict.EXHAUSTED, "one law here", "all pairs", decides=False, is_remark=True)
    report = replace(one(hostile_report()), results=[replace(first, findings=(*first.findings, small))])
    lines = render_terminal(report, width=80, color=False).splitlines()
    assert lines[:2] == ["note: one law here", "FAIL (REFUTED)  own"]
    assert sum("one law here" in line for line in lines) == 1
    table = render_terminal(replace(report, results=report.results * 2), width=80, color=False)
    assert table.count("note: one law here") >= 2


@pytest.mark.parametrize("width", [40, 60, 80, 200])
def test_no_line_is_wider_than_the_terminal_unless_it_is_one_word(width):
    lines = render_terminal(one(hostile_report()), width=width, color=False).splitlines()
    assert [line for line in lines if len(line) > width and len(line.split()) > 2] == []


@pytest.mark.parametrize("width", [40, 80])
def test_wrapping_changes_no_word(width, capsys):
    main(["audit", GEOMETRIC])
    words = capsys.readouterr().out.split()
    words += PLAIN.split()  # what only a terminal and the page say
    os.environ["COLUMNS"] = str(width)
    try:
        main(["audit", GEOMETRIC, "--color", "always"])
    finally:
        del os.environ["COLUMNS"]
    shown = re.sub(r"\x1b\[[0-9;]*m", "", capsys.readouterr().out).split()
    strays = [word for word in shown if word not in words and word.strip("[]();") not in " ".join(words)]
    assert set(strays) <= {"FAIL", "(REFUTED)", "claimed", "needed", "by", "because", "scope"}


def test_many_results_are_one_table_and_the_failures_below():
    lines = render_terminal(hostile_report(), width=100, color=False).splitlines()
    assert lines[0] == "verdict         what, and why"
    place = lines.index("PASS (PROVED)   held")
    assert lines[place + 1] == f"{' ' * 16}it holds"
    assert lines.count("FAIL (REFUTED)  own") == 2
    assert lines[-1] == hostile_report().counts


def result(name, verdict=Verdict.OPEN, *findings, file="r.yaml"):
    return Result(Finding(name, "claim", verdict, "", "", place=Place(file)), findings, because="why")


def shown(results, width=80):
    return render_terminal(Report("audit", "", results, "counts", []), width=width, color=False)


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
    blocks = re.findall(r"(?m)^\n(?:UNDECIDED|FAIL) \(\w+\)  (\w+)$", text)
    assert blocks == ([f"a{number}" for number in range(8)] if count == 10 else []) + ["b", "c"]


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_of_many_each_has_its_whole_name_and_its_whole_sentence(width):
    names = ["disclosure-avoidance-system-for-redistricting-data-u-s-census-bureau-2021", "b"]
    sentence = " ".join(f"word-{number}" for number in range(40))
    text = shown([replace(result(name), because=f"{sentence} of {name}") for name in names], width)
    assert "…" not in text
    table = text.partition("\n\n")[0].split("\n")[1:]
    for name in names:
        place = next(place for place, line in enumerate(table) if line.split()[2:] == [name])
        rest = table[place + 1 :]
        lines = rest[: next((k for k, line in enumerate(rest) if not line.startswith(" ")), len(rest))]
        assert " ".join(" ".join(lines).split()) == f"{sentence} of {name}"
        assert all(len(line) <= width for line in lines if name not in line)
        assert len({len(line) - len(line.lstrip()) for line in lines}) == 1


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
    plain, painted = (render_terminal(hostile_report(), width=90, color=color) for color in (False, True))
    assert "\x1b[1;31mFAIL" in painted
    assert re.sub(r"\x1b\[[0-9;]*m", "", painted) == plain


def on_a_terminal(*arguments, **environment):
    """What the command writes where standard output is a terminal."""
    ours, theirs = pty.openpty()
    child = subprocess.Popen(
        [sys.executable, "-m", "stirred.verify.cli.main", *arguments],
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


MAJORITY = "tests/claims/compare/invariant_honest.toml", "tests/claims/compare/invariant_claimed.toml"

COMPARED = """\
verdict           what, and why
NOTE              compare.kernel
                  the kernel is identical on all 8 data sets: any drop is purely
                  nominal; the blocks differ in multiverse
NOTE              compare.loss.HHHH
                  the smallest budget is ln(11/5) ≈ 0.788457, needed by x =
                  ((0,), (0,), (0,)), x' = ((0,), (0,), (1,)) (multiverse
                  honest)
NOTE              compare.loss.HCHH
                  the smallest budget is 0 (multiverse claimed)
NOTE              compare.attribution.multiverse
                  alone: ln(11/5) ≈ 0.788457 to 0; last: ln(11/5) ≈ 0.788457 to
                  0; averaged over all orders: -0.788457 nats
NOTE              compare.sizes.multiverse
                  honest: 1 universe of 8 data sets, 0 singletons; claimed: 4
                  universes of 1 to 3 data sets, 2 singletons; 22 of 28 compared
                  pairs lost
PASS (EXHAUSTED)  compare.order.honest-to-claimed
                  at epsilon = ln 2: every mechanism of the first satisfies the
                  second: every stated bound of the first is at most that of the
                  second
NOTE              compare.order.claimed-to-honest
                  at epsilon = ln 2: some mechanism of the first breaks the
                  second: the first leaves unconnected what the second compares;
                  it breaks the second at {"((0,), (0,), (0,))": [[0, "1"]],
                  "((0,), (0,), (1,))": [[1, "1"]]}
"""


def test_a_comparison_is_whole_at_80_columns_and_what_is_neither_good_nor_bad_is_a_note():
    status, shown = on_a_terminal("compare", *MAJORITY, "--color", "always", COLUMNS="80")
    assert status == 1
    plain = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert plain.startswith(COMPARED)
    green = re.findall(r"\x1b\[1;32m(.*?)\s*\x1b\[0m(\S+)", shown)
    assert green == [
        ("PASS (EXHAUSTED)", "compare.order.honest-to-claimed"),
        ("PASS (EXHAUSTED)", "compare.budget.honest"),
        ("PASS (EXHAUSTED)", "compare.budget.claimed"),
    ]


@pytest.mark.parametrize("name", ["delta", "invariant", "top_coding", "unit"])
@pytest.mark.parametrize("width", [60, 80, 120])
def test_every_sentence_of_a_comparison_is_whole_at_any_width(name, width, capsys):
    claims = [f"tests/claims/compare/{name}_{side}.toml" for side in ("honest", "claimed")]
    main(["compare", *claims, "--json"])
    records = json.loads(capsys.readouterr().out)
    words = " ".join(on_a_terminal("compare", *claims, NO_COLOR="1", COLUMNS=str(width))[1].split())
    for one in records:
        assert f"compare.{one['id']} {' '.join(one['detail'].split())}" in words
    assert "…" not in words
    main(["compare", *claims])
    lines = capsys.readouterr().out.splitlines()
    for one in records:
        (line,) = [line for line in lines if line.startswith(f"compare.{one['id']}: ")]
        assert line.startswith(f"compare.{one['id']}: {one['verdict']}: {one['detail']} [")


@pytest.mark.parametrize("form", ["text", "json", "github", "junit", "sarif", "html"])
@pytest.mark.parametrize("name", ["delta", "invariant", "top_coding", "unit"])
def test_in_no_format_has_a_fact_a_verdict(name, form, capsys):
    claims = [f"tests/claims/compare/{name}_{side}.toml" for side in ("honest", "claimed")]
    main(["compare", *claims, "--format", form])
    out = capsys.readouterr().out
    facts = ("kernel", "loss", "attribution", "sizes", "weakening", "meaning")
    if form == "html":
        blocks = re.findall(r"<li>(.*?)</li>", out)
        about = [block for block in blocks if re.search(rf"compare\.(?:{'|'.join(facts)})\.?", block)]
        assert about
        assert all('<span class="badge quiet">NOTE</span></p>' in block for block in about)
        levels = [int(level) for level in re.findall(r"<h([1-6])", out)]
        assert all(b <= a + 1 for a, b in pairwise(levels))
    elif form == "json":
        found = {one["id"]: one["verdict"] for one in json.loads(out)}
        assert {word for name, word in found.items() if name.partition(".")[0] in facts} == {"NOTE"}
    else:
        lines = [line for line in out.splitlines() if any(f"compare.{fact}" in line for fact in facts)]
        assert not any(word in line for line in lines for word in ("PASS", "EXHAUSTED", "UNDECIDED", "OPEN"))


def test_a_terminal_gets_the_verdict_first_and_a_pipe_the_lines(capsys):
    status, shown = on_a_terminal("audit", GEOMETRIC, NO_COLOR="1")
    assert status == 1
    assert shown.startswith(
        "FAIL (REFUTED)  geometric.a-tenth\n  audited    truncated-geometric with size = 6, ratio = "
    )
    assert shown.index("satisfies epsilon = 0.1 in") < shown.index("\n  needed     ln(262900/")
    assert main(["audit", GEOMETRIC]) == 1
    assert capsys.readouterr().out.startswith("geometric.a-tenth.complete: EXHAUSTED: ")
    assert on_a_terminal("audit", GEOMETRIC, "--format", "text")[1].startswith("geometric.a-tenth.complete: ")
    assert json.loads(on_a_terminal("audit", GEOMETRIC, "--json")[1])[0]["verdict"] == "REFUTED"


def test_json_beside_another_format_is_refused(capsys):
    assert main(["audit", GEOMETRIC, "--json", "--format", "sarif"]) == 2
    assert capsys.readouterr().err == "stirred: --json cannot be combined with --format sarif\n"
    assert main(["audit", GEOMETRIC, "--json", "--format", "json"]) == 1
