"""The page that is handed over: its structure, that nothing is fetched, that it can be read without colour or eyes.

The order of the claims of a page, and which of them share a table.
"""

import re
import shutil
import subprocess
from dataclasses import replace
from fractions import Fraction
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reported import HOSTILE, hostile_report

from stirred.verify.cli.main import main
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.reports.formats import rendered
from stirred.verify.evidence.reports.learned_page import Learned, Panel, learned_parts, learned_picture, outward
from stirred.verify.evidence.reports.markup import COLORS
from stirred.verify.evidence.reports.page import Alike, by_severity, separated
from stirred.verify.evidence.reports.report import Bar, Finding, Report, Result
from stirred.verify.evidence.verdict import Verdict

VOID = {"meta", "br", "rect", "path"}
BROWSER = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)


class Page(HTMLParser):
    """The elements of a page in order, with what encloses each, and its texts."""

    def __init__(self, text):
        super().__init__()
        self.open, self.found, self.texts = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.found.append((tag, dict(attributes), tuple(self.open)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.found.append((tag, dict(attributes), tuple(self.open)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, text):
        if self.open[-1:] != ["style"]:
            self.texts.append(text)

    def all(self, tag):
        return [attributes for name, attributes, _ in self.found if name == tag]


@pytest.fixture(scope="module")
def page():
    return Page(rendered(hostile_report(), "html"))


def test_it_is_one_page_in_english_for_any_width(page):
    assert page.all("html") == [{"lang": "en"}]
    assert {"charset": "utf-8"} in page.all("meta")
    assert {"name": "viewport", "content": "width=device-width, initial-scale=1"} in page.all("meta")
    assert len(page.all("title")) == 1 + len(page.all("svg"))
    assert [len(page.all(tag)) for tag in ("main", "header", "footer", "h1")] == [1, 1, 1, 1]


def test_headings_descend_one_level_at_a_time(page):
    levels = [int(tag[1]) for tag, _, _ in page.found if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))


def test_every_table_has_a_caption_and_headers_with_a_scope(page):
    tables = len(page.all("table"))
    assert tables >= 6
    assert len(page.all("caption")) == len(page.all("thead")) == tables
    assert {header.get("scope") for header in page.all("th")} == {"col", "row"}
    frames = [one for one in page.all("div") if one.get("class") == "frame"]
    assert len(frames) == tables
    assert all(one["role"] == "group" and one["aria-label"] and one["tabindex"] == "0" for one in frames)


def test_the_picture_says_in_words_what_it_shows(page):
    drawings = page.all("svg")
    assert drawings
    ids = [attributes["id"] for _, attributes, _ in page.found if "id" in attributes]
    assert len(set(ids)) == len(ids)
    for drawing in drawings:
        assert drawing["role"] == "img"
        assert set(drawing["aria-labelledby"].split()) <= set(ids)
    assert page.all("img") == []


def test_nothing_is_fetched_and_nothing_runs(page):
    text = rendered(hostile_report(), "html")
    assert not re.search(r"https?:|//[a-z]|@import|url\(", text)
    assert page.all("script") == page.all("link") == page.all("iframe") == []
    for _, attributes, _ in page.found:
        assert not any(name.startswith("on") or name in ("src", "srcset", "action", "data") for name in attributes)
        assert attributes.get("href", "#").startswith("#")
    (policy,) = [one["content"] for one in page.all("meta") if one.get("http-equiv")]
    assert policy.startswith("default-src 'none';")


def test_links_lead_to_what_is_there(page):
    ids = {attributes["id"] for _, attributes, _ in page.found if "id" in attributes}
    links = [one["href"].removeprefix("#") for one in page.all("a")]
    assert len(links) == 2
    assert set(links) <= ids


def test_hostile_texts_are_texts(page):
    assert page.all("b") == []
    assert sum(printable(HOSTILE) in text for text in page.texts) > 8


def test_a_reader_without_colour_has_the_words(page):
    said = " ".join(page.texts)
    for words in ("FAIL", "UNDECIDED", "NOTE", "PASS", "REFUTED", "differs", "in E", "stirred audit 'a b.toml'"):
        assert words in said


def luminance(color):
    parts = [int(color[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("name", COLORS)
def test_contrast_is_that_of_wcag_aaa(name):
    lighter, darker = sorted(map(luminance, COLORS[name]), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 7


@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")
@pytest.mark.parametrize("width", [375, 1100])
def test_a_browser_shows_it_without_a_sideways_scroll(tmp_path, width):
    file = tmp_path / "page.html"
    probe = (
        "<script>document.title = [document.documentElement.scrollWidth, innerWidth, "
        "[...document.querySelectorAll('.frame')].filter(one => one.scrollWidth > one.clientWidth).length].join(' ')"
        "</script>"
    )
    text = rendered(hostile_report(), "html")
    # the policy lets no script run: the measuring one needs the page without it
    file.write_text(re.sub(r'<meta http-equiv="[^>]*>', "", text).replace("</body>", f"{probe}</body>"))
    command = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/profile"]
    command += [f"--window-size={width},900", "--dump-dom", file.as_uri()]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    wide, inner, scrolled = re.search(r"<title>(\d+) (\d+) (\d+)</title>", done.stdout).groups()
    assert int(wide) <= int(inner)
    assert scrolled == "0"


def test_the_command_writes_it_whole_beside_its_usual_lines(tmp_path, capsys, monkeypatch):
    claims = "tests/claims/geometric.toml"
    assert main(["audit", claims]) == 1
    usual = capsys.readouterr().out
    target = tmp_path / "page.html"
    assert main(["audit", claims, "--html", str(target)]) == 1
    assert capsys.readouterr().out == usual
    page = Page(target.read_text())
    assert f"stirred audit {claims}" in page.texts
    assert main(["audit", claims, "--format", "html"]) == 1
    assert capsys.readouterr().out == target.read_text()
    assert list(tmp_path.iterdir()) == [target]


def test_a_claim_with_invariants_shows_what_they_do_to_the_budget(tmp_path, capsys):
    target = tmp_path / "page.html"
    assert main(["audit", "tests/claims/compare/invariant_claimed.toml", "--html", str(target)]) == 0
    page = Page(target.read_text())
    assert [one["aria-labelledby"].split("-")[0] for one in page.all("svg")] == ["picture", "learned"]
    for label in ("HHHH without invariants: ", "HCHH with the invariants of the claim: "):
        assert any(words.startswith(label) for words in page.texts), label
    assert main(["audit", "tests/claims/coin.toml", "--html", str(target)]) == 0
    assert [one["aria-labelledby"].split("-")[0] for one in Page(target.read_text()).all("svg")] == ["learned"]


def test_two_claims_are_compared_side_by_side_with_a_bar_for_each_corner(tmp_path, capsys):
    claims = ["tests/claims/compare/delta_honest.toml", "tests/claims/compare/delta_claimed.toml"]
    main(["compare", *claims, "--html", str(tmp_path / "page.html")])
    assert "compare.loss.HHHH" in capsys.readouterr().out
    page = Page((tmp_path / "page.html").read_text())
    assert any(words.startswith("Under the honest blocks the smallest budget is ") for words in page.texts)
    said = " ".join(page.texts)
    assert "honest: " in said
    assert "claimed: " in said
    assert len(page.all("svg")) == 1
    corners = [words for words in page.texts if re.fullmatch("compare.loss.[HC]{4}", words)]
    assert len(corners) >= 2
    assert len(page.all("rect")) == len(corners)
    assert f"stirred compare {' '.join(claims)}" in page.texts


def test_what_budgets_let_someone_learn_is_a_page_with_a_section_for_each_setting(tmp_path, capsys):
    target = tmp_path / "page.html"
    assert main(["infer", "massachusetts-1940", "--distance", "2", "--html", str(target)]) == 0
    assert "massachusetts-1940.power.2" in capsys.readouterr().out
    page = Page(target.read_text())
    headings = [words for words in page.texts if words.startswith("massachusetts-1940: ")]
    assert len(headings) == len(set(headings)) == len(page.all("svg")) == 4
    assert "stirred infer massachusetts-1940 --alpha 1/20 --prior 1/2 --distance 2" in page.texts


@pytest.mark.parametrize("words", [["compare", "one.toml", "one.toml"], ["infer", "one.toml"]], ids=lambda one: one[0])
def test_a_page_is_not_written_over_a_claim(tmp_path, capsys, monkeypatch, words):
    monkeypatch.chdir(tmp_path)
    Path("one.toml").write_text("kept")
    assert main([*words, "--html", "one.toml"]) == 2
    assert "must be different files; got one.toml" in capsys.readouterr().err
    assert Path("one.toml").read_text() == "kept"


def test_a_page_that_cannot_be_written_is_one_line_and_no_file(tmp_path, capsys):
    target = tmp_path / "absent" / "page.html"
    assert main(["audit", "tests/claims/coin.toml", "--html", str(target)]) == 2
    captured = capsys.readouterr()
    assert (captured.out, captured.err) == ("", f"stirred: {target}: cannot be written: No such file or directory\n")
    assert main(["audit", "tests/claims/coin.toml", "--html", "tests/claims/coin.toml"]) == 2


def test_a_remark_is_a_note_under_its_question_and_no_pass():
    remark = Finding("a.weakening", "weakening", Verdict.EXHAUSTED, "shattered", "", decides=False, is_remark=True)
    result = Result(Finding("a", "claim", Verdict.EXHAUSTED, "met", ""), (remark,))
    page = rendered(Report("audit", "", [result], "1 claim", []), "html")
    (finding,) = re.findall(r"<li><h4>.*?</li>", page)
    assert finding.startswith("<li><h4>What makes the number small without more noise?</h4>")
    assert "NOTE" in finding
    assert "PASS" not in finding


DEPLOYMENTS = "tests/verify/audit/records/fixtures/deployments"


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


DRAWN = (Bar("HHHH", "x", "0"),)
SEPARATED = {
    "three that the same leaves undecided are one where the first of them stands": (
        [open_("a"), open_("b", "prose", "complete"), result("r", Verdict.REFUTED, "budget"), *map(open_, "cd")],
        ["r", ["a", "c", "d"], "b"],
    ),
    "two are shown one by one": ([*map(open_, "ab")], ["a", "b"]),
    "what a row does not show keeps its section": ([*map(open_, "abc"), open_("e", picture=DRAWN)], [[*"abc"], "e"]),
    "what is refuted": ([result(name, Verdict.REFUTED, "complete") for name in "abcd"], [*"abcd"]),
    "what holds": ([result(name, Verdict.EXHAUSTED, "complete") for name in "abcd"], [*"abcd"]),
}


@pytest.mark.parametrize(("results", "shown"), SEPARATED.values(), ids=SEPARATED)
def test_undecided_results_that_are_alike_share_a_table(results, shown):
    assert list(map(names, separated(results))) == shown


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


def test_eighteen_records_are_three_tables_of_what_is_alike(capsys):
    assert main(["audit", DEPLOYMENTS, "--format", "html"]) == 3
    page = capsys.readouterr().out
    # of three, no number in the text is the parameter; of three, no sum of smaller numbers
    assert re.findall(r'<article id="claim-\d+"><h2>([^<]*)', page) == ["12 alike", "3 alike", "3 alike"]
    assert len(re.findall(r'<tr><th scope="row">[a-z0-9-]+-20\d\d</th>', page)) == 18


SQUARE = ((Fraction(0), Fraction(0)), (Fraction(1, 4), Fraction(3, 4)), (Fraction(1), Fraction(1)))


def value(text):
    head, _, tail = text.partition(" - ")
    return Fraction(head) - Fraction(tail) if tail else Fraction(head)


@given(*[st.fractions(0, 1, max_denominator=10**12)] * 2)
def test_an_interval_is_rounded_outward_and_by_little(first, second):
    low, high = sorted((first, second))
    shown = [value(end) for end in outward(low, high).split(" to ")]
    assert shown[0] <= low <= high <= shown[1]
    assert low - shown[0] <= max(Fraction(1, 10**6), 0)
    assert shown[1] - high <= Fraction(1, 10**6)


@pytest.mark.parametrize(
    ("low", "high", "shown"),
    [
        (Fraction(0), Fraction(1), "0 to 1"),
        (Fraction(1, 8), Fraction(3, 4), "0.125 to 0.75"),
        (Fraction(1, 3 * 10**9), 1 - Fraction(1, 10**7), "3.33e-10 to 1 - 1.00e-7"),
        (Fraction(9999, 10**13), Fraction(99999, 10**10), "9.99e-10 to 1.00e-5"),
    ],
)
def test_what_is_near_an_end_is_shown_by_its_distance(low, high, shown):
    assert outward(low, high) == shown


def test_the_picture_has_a_region_for_each_panel_and_words_for_who_cannot_see_it():
    panel = Panel("tests <1>", "false positive rate", "true positive rate", SQUARE, SQUARE)
    picture = learned_picture([panel, panel], "learned")
    assert picture.startswith("<svg ")
    assert picture.count("<path") == 6
    assert "M36.0 336.0L111.0 111.0L336.0 36.0Z" in picture
    assert "tests &lt;1&gt;" in picture
    assert 'xmlns="http://www.w3.org/2000/svg"' in picture


def test_each_axis_has_its_words_and_its_ends():
    picture = learned_picture([Panel("tests", "false positive rate", "true positive rate", SQUARE, SQUARE)], "learned")
    texts = re.findall(r"<text ([^>]*)>([^<]*)</text>", picture)
    at = {words: dict(re.findall(r'([a-z-]+)="([^"]*)"', attributes)) for attributes, words in texts}
    assert at["false positive rate"]["x"] == "186"
    assert "transform" not in at["false positive rate"]
    assert at["true positive rate"]["transform"] == "rotate(-90 22 186)"
    assert [words for _, words in texts if len(words) == 1] == ["1", "0", "1"]


@pytest.mark.parametrize(("bound", "is_explained"), [("2.88e-6 to 1 - 5.47e-5", True), ("0.1 to 1", False)])
def test_numbers_with_an_exponent_are_explained_where_there_are_any(bound, is_explained):
    learned = Learned("epsilon = 1", (("a", "b", "0 to 1", bound, "not listed"),), (), ())
    page = "".join(learned_parts(learned, "learned-1"))
    assert ("2.88e-6 is 2.88 times 10 to the power of -6" in page) == is_explained


def test_the_parts_of_a_page_have_the_table_and_the_notes():
    learned = Learned("epsilon = 1", (("a.power.1", "power <b>", "0 to 1", "0 to 1", "not listed"),), ("a note",), ())
    page = "".join(learned_parts(learned, "learned-1"))
    assert "If epsilon = 1 is met" in page
    assert "power &lt;b&gt;" in page
    assert "a note" in page
    assert "<svg" not in page
