"""Which closed form is claimed for a survey's design, on which evidence, and what a variable's name has no say in."""

import re
from pathlib import Path

import pytest

from stirred.spec import InputError
from stirred.spec.surveys.amplification import COVERED, Compared
from stirred.verify.cli.commands.survey import survey_report
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.foreign import DEFAULT_LIMITS
from stirred.verify.laws.surveys.claimable import THEOREMS
from stirred.verify.laws.surveys.designs import DesignForm
from stirred.verify.laws.surveys.survey_audit import build_survey
from stirred.verify.laws.surveys.survey_file import read_survey

THEORIES = Path(__file__).parents[3] / "proofs" / "theories" / "surveys"

FRAME = """
id = "s"
statement = "A total of income from a sample of a frame."
[population]
schema = {{ {name} = {values}, income = [0, 1] }}
units = {units}
collected = ["income"]
[[stage]]
kind = "frame"
[[stage]]
kind = "design"
{design}
[mechanism]
name = "geometric"
statistic = "total"
of = "income"
ratio = "1/2"
[protection]
starts = "frame"
invariant = "{invariant}"
distance = "{distance}"
resolution = "person"
"""


@pytest.fixture
def report(tmp_path):
    """Each finding by its name, of a survey with this design."""

    def findings(
        design,
        *,
        name="region",
        values="[1, 2]",
        units=2,
        invariant="population",
        distance="hamming_unordered",
    ):
        path = tmp_path / "survey.toml"
        text = FRAME.format(
            name=f'"{name}"', values=values, units=units, design=design, invariant=invariant, distance=distance
        )
        path.write_text(text, encoding="utf-8")
        survey = build_survey(read_survey(str(path)), DEFAULT_LIMITS)
        return {one.name.removeprefix("s."): one for one in survey_report(survey, "").results[0].findings}

    return findings


def test_the_cited_theorems_are_in_the_theories():
    for name in THEOREMS.values():
        file, _, theorem = name.partition(".")
        assert re.search(rf"^Theorem {theorem}\b", (THEORIES / f"{file}.v").read_text(encoding="utf-8"), re.MULTILINE)


def test_every_form_has_its_design():
    assert {form.value for form in DesignForm} <= {design for design, _ in COVERED}
    assert {(form.value, compared) for form, compared in THEOREMS} <= set(COVERED)


@pytest.mark.parametrize("name", ["listed in a random order", "income by Neyman", "region"])
def test_a_name_of_a_variable_does_not_choose_the_form(report, name):
    found = report(f'name = "systematic"\nstep = 1\norder = "{name}"', name=name)["amplification"]
    assert "(1 + f*(gamma**m - 1))/(1 + f*(gamma**(m - 1) - 1)), f = 1/step" in found.sentence


@pytest.mark.parametrize("name", ["random", "units"])
def test_a_variable_must_not_be_named_as_an_order(report, name):
    with pytest.raises(InputError, match=f"order is ambiguous: '{name}' names an order and a variable; rename"):
        report(f'name = "systematic"\nstep = 2\norder = "{name}"', name=name)
    assert "amplification" in report('name = "systematic"\nstep = 2', name=name)


@pytest.mark.parametrize(
    ("design", "distance", "verdict", "words"),
    [
        ('name = "simple-random-sample"\nsize = 1', "hamming_unordered", "PROVED", "amplification.srswor_amplified"),
        ('name = "simple-random-sample"\nsize = 1', "symmetric_difference", "ARGUED", "on small frames"),
        ('name = "bernoulli"\nrate = "1/2"', "symmetric_difference", "PROVED", "poisson.poisson_unbounded_dp"),
        ('name = "bernoulli"\nrate = "1/2"', "hamming_unordered", "ARGUED", "on small frames"),
        (
            'name = "stratified"\nby = "region"\nneyman = 2\nvariable = "region"',
            "hamming_unordered",
            "PROVED",
            "amplification.stratified_amplified",
        ),
        ('name = "systematic"\nstep = 2\norder = "random"', "hamming_unordered", "ARGUED", "on small frames"),
    ],
)
def test_what_is_said_of_all_releases_is_a_theorem_or_an_argument(report, design, distance, verdict, words):
    found = report(design, distance=distance)
    assert found["amplification"].verdict is Verdict[verdict]
    assert words in found["amplification"].scope
    assert "may be claimed" in found["amplification"].sentence
    assert found["amplification-here"].verdict is Verdict.EXHAUSTED


def test_what_no_form_is_for_is_argued(report):
    found = report('name = "pps"\nmeasure = "region"\nsize = 1')
    assert found["amplification"].verdict is Verdict.ARGUED
    assert "there is no form for" in found["amplification"].sentence
    assert "amplification-here" not in found


def test_clusters_have_their_form_where_they_have_one_size(report):
    whole = report('name = "cluster"\nby = "region"\nnumber = 1', values="[1]", units=2)["amplification"]
    # one cluster of two of which all is drawn: nothing is amplified
    assert whole.sentence.startswith("ln(2)")
    assert "m = cluster_size" in whole.sentence
    found = report('name = "cluster"\nby = "region"\nnumber = 1', units=2)["amplification"]
    assert "for clusters of one size, the same on every frame; here sizes are (1, 1) and (2,)" in found.sentence


def test_own_rates_need_no_design_that_is_free_of_records(report):
    found = report(
        'name = "poisson"\nby = "region"\nrates = [[1, "1/10"], [2, "9/10"]]',
        invariant="nothing",
        distance="symmetric_difference",
    )["amplification"]
    assert (THEOREMS[DesignForm.INDEPENDENT, Compared.ADDED]) in found.scope
    assert "that no unit's rate depends on others' records" in found.scope
    assert "that the design does not depend on the records that are protected" not in found.scope
