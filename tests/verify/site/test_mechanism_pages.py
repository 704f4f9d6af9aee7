"""The catalogue of mechanisms: every one has its page, with its claim as five questions."""

import re

import pytest
from site_links import Read

from stirred.mechanisms.catalogue import CATALOGUE


def said(files, name):
    return " ".join(Read(files[f"mechanisms/{name}.html"].decode()).text.split())


@pytest.mark.parametrize("name", CATALOGUE)
def test_what_a_claim_file_may_name_has_a_page_with_its_parameters(few_files, name):
    text = said(few_files, name)
    for parameter, what in CATALOGUE[name].parameters.items():
        assert f"{parameter} {what.value}" in text


def test_an_example_has_its_program_and_its_claim(few_files):
    text = said(few_files, "noisy_majority")
    assert "def noisy_majority(answers, source, *, flip):" in text
    assert "claimed at flip = 1/4" in text
    assert "budget how much? epsilon = ln(11/5)" in text


def test_what_is_wrong_on_purpose_does_not_stand_among_exact_budgets(few_files):
    text = said(few_files, "index")
    exact, wrong = text.split("Wrong on purpose", 1)
    assert "histogram_wrong_on_purpose" not in exact
    assert re.search(r"What each claims is exceeded.* histogram_wrong_on_purpose ", wrong)


def test_a_published_specification_answers_five_questions(few_files):
    text = said(few_files, "published")
    for words in ("massachusetts-1940", "who is eligible for protection?", "hamming_unordered, resolution: household"):
        assert words in text
