"""The map of the Five Safes: each block speaks about one of them, and nothing on the page is a score."""

import re

import pytest

from stirred.spec.blocks.specification import BLOCKS
from stirred.verify.claim.five_blocks import FiveBlocks, Stated, StatedBlock, five_safes, not_stated
from stirred.verify.cli import main

RECORDS = "tests/verify/records/fixtures"
WORDS = FiveBlocks(*(StatedBlock(f"about {name}") for name in BLOCKS))


def test_the_five_are_there_in_the_order_of_the_dissertation():
    assert [one.name for one in five_safes(WORDS)] == ["people", "projects", "settings", "data", "outputs"]


def test_every_block_speaks_about_data_or_outputs_and_about_one_alone():
    spoken = {one.name: one.blocks for one in five_safes(WORDS)}
    assert spoken["people"] == spoken["projects"] == spoken["settings"] == ()
    assert spoken["data"] == (
        "domain: about domain",
        "multiverse: about multiverse",
        "input premetric: about input_premetric",
    )
    assert spoken["outputs"] == ("output premetric: about output_premetric", "budget: about budget")
    assert sum(map(len, spoken.values())) == len(BLOCKS)


def test_something_is_left_unsaid_of_each():
    assert all(one.silent and one.question for one in five_safes(WORDS))


def test_what_is_not_stated_speaks_about_nothing():
    found = {one.name: one for one in five_safes(FiveBlocks(*(not_stated() for _ in BLOCKS)))}
    assert not any(one.is_spoken_of for one in found.values())
    assert found["outputs"].blocks == ("output premetric: not stated", "budget: not stated")
    only_who = FiveBlocks(StatedBlock("voters"), *(not_stated() for _ in BLOCKS[1:]))
    assert [one.name for one in five_safes(only_who) if one.is_spoken_of] == ["data"]


def test_words_are_marked_and_long_ones_cut():
    words = StatedBlock(" ".join(["household"] * 100), Stated.IN_WORDS)
    (data,) = [one for one in five_safes(FiveBlocks(words, *[StatedBlock("x")] * 4)) if one.name == "data"]
    assert data.blocks[0].endswith("… (in words only)")
    assert len(data.blocks[0]) < 200


@pytest.mark.parametrize(
    ("file", "about"),
    [
        ("tests/claims/coin.toml", "data and outputs; not at all about people, projects and settings"),
        (f"{RECORDS}/unfamiliar_release.yaml", "outputs; not at all about people, projects, settings and data"),
        (f"{RECORDS}/town_person.ini", "none of the five"),
    ],
)
def test_the_page_of_an_audit_has_the_map_of_what_was_audited(file, about, capsys, tmp_path):
    target = tmp_path / "page.html"
    main(["audit", file, "--html", str(target)])
    capsys.readouterr()
    page = target.read_text()
    _, _, after = page.partition("Which of the Five Safes the specification speaks about</h3>")
    section = after.partition("<h3>")[0]
    assert f"<p>The specification speaks about {about}.</p>" in section
    assert not re.search(r"\b(score|grade|percent)\b|%", section.replace("no score", ""))


def test_other_formats_have_no_map(capsys):
    main(["audit", "tests/claims/coin.toml", "--json"])
    assert "Five Safes" not in capsys.readouterr().out


def test_an_invariant_stands_under_data(capsys):
    main(["audit", "tests/claims/compare/invariant_claimed.toml", "--format", "html"])
    _, _, after = capsys.readouterr().out.partition("Which of the Five Safes the specification speaks about</h3>")
    (row,) = [line for line in re.split("<tr>", after) if ">data<" in line]
    assert "multiverse: " in row
    assert "invariant: " in row
