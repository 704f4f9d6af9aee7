"""The README is a door of 120 lines; what it shows is run by `.ci/newcomer`."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from shown_blocks import fences

from stirred.verify.cli.commands.init import FILES
from stirred.verify.cli.guide import page
from stirred.verify.cli.main import main

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def block(language: str, containing: str) -> str:
    """The one fenced block of a language that holds a text."""
    found = [one.body for one in fences(README) if one.info == (language,) and containing in one.body]
    assert len(found) == 1
    return found[0]


def test_it_has_at_most_120_lines_of_100_columns():
    lines = README.splitlines()
    assert len(lines) <= 120
    assert [number for number, line in enumerate(lines, 1) if len(line) > 100] == []


def test_the_claim_is_the_one_that_init_writes():
    assert block("toml", "multiverse") == FILES["majority.toml"]


def test_the_files_are_those_that_init_writes():
    assert block("console", "$ stirred init").splitlines()[1:-1] == list(FILES)


def test_the_first_command_ends_with_status_0():
    stirred = str(Path(sys.executable).with_name("stirred"))
    done = subprocess.run([stirred, "demo"], capture_output=True, text=True, check=False, cwd=ROOT)
    assert (done.returncode, done.stderr) == (0, "")


def test_the_published_claims_end_as_is_said(capsys):
    assert main(["audit"]) == 1
    said = re.search(r"It\nends with `([^`]*)` and, as something is refuted, with status 1;", README)
    assert said is not None
    assert capsys.readouterr().out.splitlines()[-1] == said[1]


def test_the_two_commands_are_those_that_ci_runs():
    commands = [line.partition("#")[0].strip() for line in block("bash", ".ci/install").splitlines()]
    assert commands == [".ci/install && .venv/bin/stirred demo", ".ci/test"]
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-1] == "exec .ci/test"


def test_the_headlines_are_at_most_ten_lines():
    headlines = README.split("## What came out\n")[1].split("\n## ")[0].strip().splitlines()
    assert 0 < len(headlines) <= 10


def test_the_citation_and_the_changelog_are_of_the_packaged_version():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert (cited["title"], cited["version"], cited["license"]) == (
        project["name"],
        project["version"],
        project["license"],
    )
    assert [one["name"] for one in cited["authors"]] == [one["name"] for one in project["authors"]]
    dated = re.findall(r"^## ([\d.]+) \((\S+)\)$", page("changelog").text, flags=re.MULTILINE)
    assert (cited["version"], str(cited["date-released"])) == dated[0]


@pytest.mark.parametrize("name", ["CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"])
def test_what_a_page_at_the_top_links_to_exists(name):
    text = (ROOT / name).read_text(encoding="utf-8")
    assert name.removesuffix(".md") in README or name == "CHANGELOG.md"
    linked = re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", text)
    assert linked
    assert [one for one in linked if not (ROOT / one).is_file()] == []
