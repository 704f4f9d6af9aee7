"""The catalogue of mechanisms: every one has its page, with its claim as five questions."""

import re

import pytest
from site_links import Read

from stirred.mechanisms.catalogue import CATALOGUE, COMPOSITION
from stirred.verify.commands.site_losses import ASKED, OF_ALL_VALUES, catalogued_losses
from stirred.verify.site.build import site_files
from stirred.verify.site.entry import entries
from stirred.verify.site.known_loss import KnownLoss


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


def test_a_known_loss_is_drawn_and_says_how_it_was_asked_for(few_records):
    known = KnownLoss("$ stirred derive mechanism claim.toml", "text", "", "ln(3) by x = <b>", r"\ln \tfrac{3}{1}")
    claimed = KnownLoss("", "", "flip = 1/4", "infinite", "")
    losses = {"kernel": (known,), "noisy_majority": (claimed,)}
    files = site_files(entries(few_records), source="a run", losses=losses)
    page = files["mechanisms/kernel.html"].decode()
    assert "<math>" in page
    assert r"\ln \tfrac{3}{1}</annotation>" in page
    assert "$ stirred derive mechanism claim.toml" in page
    assert "ln(3) by x = &lt;b&gt;" in page
    assert "At flip = 1/4: infinite" in said(files, "noisy_majority")
    assert "The exact loss" not in said(files, "identity")


@pytest.mark.parametrize("name", CATALOGUE)
def test_every_mechanism_with_laws_is_asked_for_its_loss(name):
    assert (name in {*ASKED, *OF_ALL_VALUES}) is (name != COMPOSITION)


def test_the_losses_of_the_catalogue_are_exact():
    found = {name: one.needed for name, (one,) in catalogued_losses().items()}
    assert found["permutation-swapping"].startswith("ln(2) ")
    assert found["clamped-geometric"].startswith("ln(3) ")  # 1/ratio
    # from 0 to 1 the probability of 0 falls by 1/ratio, and by the quotient of 1 + r + r^2 + r^3 and 1 + 2r + r^2 again
    assert found["truncated-geometric"].startswith("ln(18/5) ")
    assert found["identity"].startswith("infinite")
    assert found["constant"] == "0"
    flip = "flip_probability"
    assert found["randomized-response"].startswith(f"ln((1 - {flip})/{flip}) for 0 < {flip} <= 1/2; ")
