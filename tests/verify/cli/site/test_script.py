"""The script of the site in a browser: the search, the filters, the line numbers; the pages are whole without it.

They run in Chromium without a window, which loads a page from the disk and writes out what the script made of it.
"""

import os
import re
import shutil
import subprocess

import pytest
from site_links import Read

from stirred.verify.cli.site.build import build_site

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
WHOLE = os.environ.get("STIRRED_SITE")
"""A whole site that is there already, as `.ci/site` names it; then nothing is skipped."""

needs_chromium = pytest.mark.skipif(CHROMIUM is None and WHOLE is None, reason="needs Debian's package chromium")
HIT = re.compile(r'<a href="(?:\.\./)*([^"]+)"><b>([^<]+)</b> ([^<]*)<small>')


@pytest.fixture(scope="module")
def folder(few_records, tmp_path_factory):
    """A site of a few claims, or the whole one."""
    if WHOLE is not None:
        return WHOLE
    made = tmp_path_factory.mktemp("site") / "pages"
    build_site(str(made), few_records, source="a run of a few claims")
    return made


@pytest.fixture
def opened(folder, tmp_path):
    """What a page is after its script ran, as HTML."""

    def dumped(address):
        command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}"]
        command += ["--virtual-time-budget=20000", "--dump-dom", f"file://{folder}/{address}"]
        done = subprocess.run(command, capture_output=True, text=True, timeout=100, check=True)
        return done.stdout

    return dumped


def hits(text):
    """What the search shows: addresses, titles, kinds."""
    return HIT.findall(text.partition('id="hits"')[2].partition("</form>")[0])


def rows(text):
    """The claims of the ledger's table: whether each is hidden, and its verdict."""
    tags = re.findall(r"<li ([^>]*data-verdict=[^>]*)>", text)
    return [(" hidden" in f" {tag}", re.search(r'data-verdict="(\w+)"', tag)[1]) for tag in tags]


@needs_chromium
@pytest.mark.parametrize(
    ("query", "address"),
    [
        ("Theorem+5.8.4", "documents/dissertation.html#item-Theorem-5-8-4"),
        ("hamming.half-l1", "ledger/hamming.half-l1.html"),
        ("noisy_majority", "mechanisms/noisy_majority.html"),
        ("Specification", "reference/stirred.spec.html#Specification"),
        ("how+to+claim+amplification+for+a+cluster+sample", "guide/surveys.html"),
    ],
)
def test_what_is_looked_for_is_the_first_hit(opened, query, address):
    found = hits(opened(f"index.html?q={query}"))
    assert found[0][0].startswith(address), found[:5]


@needs_chromium
def test_a_number_is_found_as_a_whole(opened):
    titles = [title for _, title, kind in hits(opened("index.html?q=5.8.4")) if kind == "item"]
    assert titles
    assert [one for one in titles if not re.search(r"(?<![\d.])5\.8\.4(?!\d|\.\d)", one)] == []


@needs_chromium
def test_what_nothing_has_is_said_so(opened):
    text = opened("index.html?q=zzyzx")
    assert hits(text) == []
    assert "Nothing has these words." in text


@needs_chromium
def test_a_query_is_text_and_never_markup(opened):
    text = opened("index.html?q=%3Cimg+src%3Dx+onerror%3Ddocument.title%3D1%3E")
    assert "<img" not in text
    assert "<title>1" not in text


@needs_chromium
def test_the_filters_of_an_address_hide_the_other_claims(opened):
    all_rows = rows(opened("ledger/index.html"))
    assert not any(is_hidden for is_hidden, _ in all_rows)
    text = opened("ledger/index.html#verdict=REFUTED")
    chosen = rows(text)
    assert [verdict for is_hidden, verdict in chosen if not is_hidden] == [v for _, v in all_rows if v == "REFUTED"]
    assert any(is_hidden for is_hidden, _ in chosen)
    shown = sum(not is_hidden for is_hidden, _ in chosen)
    assert f'id="shown">{shown} of {len(chosen)}<' in text


@needs_chromium
def test_words_and_a_document_filter_together(opened):
    text = opened("ledger/index.html#words=nearest-integer&document=article")
    left = re.findall(r"<li (?![^>]*hidden)[^>]*data-verdict[^>]*>.*?</li>", text, re.S)
    assert left
    assert all("nearest-integer" in one and re.search(r'data-document="[^"]*article', one) for one in left)


@needs_chromium
def test_lines_of_code_have_their_numbers_and_the_theme_its_button(opened):
    text = opened("source/spec/budgets/loss.py.html")
    assert re.search(r'<pre aria-hidden="true" data-lines="\d+">1\n2\n3\n', text)
    assert re.search(r'<button type="button" id="theme">(Dark|Light)</button>', text)


def test_without_the_script_a_page_has_its_text_and_its_sections(few_files):
    page = Read(few_files["ledger/hamming.half-l1.html"].decode())
    assert "input" not in {tag for tag, _ in page.tags}  # nothing that would do nothing
    assert {"index.html", "../documents/index.html"} <= set(page.links)
