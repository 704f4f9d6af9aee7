"""The guide: its pages are short, their links lead somewhere; what they show is run by `.ci/newcomer`."""

import re
from pathlib import Path

import pytest
import shown_blocks

from stirred.verify.cli import main as cli
from stirred.verify.cli.commands import COMMANDS
from stirred.verify.cli.guide import page, pages
from stirred.verify.evidence.verdict import Verdict

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "verify" / "cli" / "guide"
FILES = sorted(FOLDER.glob("*.md"))
NAMES = [path.name for path in FILES]
NEEDS = {"phsafe", "pytest", "tables", "topdown"}
"""What a block may need besides the program: the groups, and pytest."""


def commands_of_shells(text):
    """The commands of stirred in the blocks that are named only: they need files that nobody has, or hours."""
    for fence in shown_blocks.fences(text):
        if fence.info == ("bash",):
            for line in fence.body.replace("\\\n", " ").splitlines():
                yield from (one.strip() for one in line.split("&&") if one.strip().startswith("stirred "))


def words_of(command):
    """The words of a command, without a comment and what follows it in a shell."""
    text = re.split(r" +#| > ", command)[0]
    return [one.strip('"') for one in re.findall(r'"[^"]*"|\S+', text)][1:]


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_a_page_is_short_and_begins_with_what_it_is_for(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    assert 30 <= len(lines) <= (110 if path.stem != "27-changelog" else 1_000)  # which is no page of one task
    assert [number for number, line in enumerate(lines, 1) if len(line) > 100] == []
    assert lines[0].startswith("# ")
    assert [line == "" for line in lines[1:4]] == [True, False, True]


@pytest.mark.parametrize("path", FILES, ids=NAMES)
def test_what_a_block_needs_is_a_known_group(path):
    blocks = list(shown_blocks.fences(path.read_text(encoding="utf-8")))
    assert {need for fence in blocks if fence.info[:1] == ("console",) for need in fence.info[1:]} <= NEEDS


@pytest.mark.parametrize("path", [*FILES, ROOT / "README.md"], ids=[*NAMES, "README.md"])
def test_commands_that_are_only_named_have_the_options_that_they_name(path):
    for command in commands_of_shells(path.read_text(encoding="utf-8")):
        assert cli._parsed(words_of(command)).run, command


@pytest.mark.parametrize("path", [*FILES, ROOT / "README.md"], ids=[*NAMES, "README.md"])
def test_every_command_file_and_page_that_is_named_exists(path):
    text = path.read_text(encoding="utf-8")
    named = re.findall(r"`((?:spec|mechanisms|verify|proofs)/[\w/]+(?:\.(?:md|py|v|txt))?)`", text)
    assert [one for one in named if not (ROOT / one).exists()] == []
    linked = re.findall(r"\]\(([^)#]+)(?:#[\w-]+)?\)", text)
    assert [one for one in linked if not (path.parent / one).is_file()] == []
    assert set(re.findall(r"`stirred\s+([a-z]+)", text)) <= set(COMMANDS)


def test_the_pages_are_those_of_the_folder_in_their_order():
    assert [f"{number:02}-{topic}.md" for number, topic in enumerate(pages(), 1)] == NAMES
    assert [one.text for one in pages().values()] == [path.read_text(encoding="utf-8") for path in FILES]


def test_the_readme_links_to_every_page():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\(verify/cli/guide/([\w-]+\.md)\)", readme)) == set(NAMES)


def test_every_verdict_is_explained():
    text = page("reading-a-verdict").text
    assert set(re.findall(r"^\| `([A-Z]+)` \|", text, flags=re.MULTILINE)) == {verdict.name for verdict in Verdict}
