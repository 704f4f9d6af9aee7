"""`stirred verify`: claims are asked for by id, by where they are printed, by grade and by words."""

import json

import pytest

from stirred.verify.cli import main


def listed(capsys, *words):
    """The ids that are listed, or the one line of an error."""
    status = main(["verify", *words, "--list", "--json"])
    out, err = capsys.readouterr()
    return [one["id"] for one in json.loads(out)] if status == 0 else (status, err)


def test_a_place_chooses_what_is_printed_there(capsys):
    found = listed(capsys, "dissertation, Theorem 5.8.4")
    assert "pufferfish.neighborhood.converse" in found
    assert found == listed(capsys, "--source", "dissertation, Theorem 5.8.4")
    assert set(found) < set(listed(capsys, "--source", "dissertation"))


def test_an_item_is_not_another_one_that_begins_with_its_number(capsys):
    status, error = listed(capsys, "article, Theorem")
    assert status == 2
    assert error == "stirred: no claim is of 'article, Theorem'; see stirred verify --list --source 'article'\n"


def test_grades_narrow_and_none_left_is_said(capsys):
    refuted = listed(capsys, "--source", "article", "--refuted")
    grades = [listed(capsys, "--source", "article", "--grade", word) for word in ("false", "incomplete", "misprint")]
    assert sorted(refuted) == sorted(one for found in grades for one in found)
    assert listed(capsys, "psa.budget", "--search", "no such words") == (
        2,
        "stirred: some claim must be asked for; none is chosen by --search 'no such words'\n",
    )


@pytest.mark.parametrize("words", ["swap rate", "SWAP  Rate"])
def test_words_are_found_whatever_their_case(capsys, words):
    found = listed(capsys, "--search", words)
    assert "psa.no-swapping" not in found
    assert "pairwise.tiers.stop" in found


def test_a_narrowed_choice_is_compared_with_what_was_kept_of_it_alone(capsys, tmp_path):
    main(["verify", "supports.", "--json"])
    kept = tmp_path / "kept.json"
    kept.write_text(capsys.readouterr().out, encoding="utf-8")
    assert main(["verify", "--source", "dissertation, (C.1)", "--against", str(kept)]) == 0
