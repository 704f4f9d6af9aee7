"""What `stirred survey` says of a claimed budget is what following every run of the survey by brute force says."""

import json
from collections import Counter

import pytest
from quality.oracle import holds
from quality.random_surveys import random_survey

from stirred.verify.cli import main

VACUOUS = "vacuous, so every mechanism satisfies it"


def expected(survey):
    """Exit status and verdict."""
    if not survey.case.compared():
        return 3, "OPEN"
    return {True: (0, "EXHAUSTED"), False: (1, "REFUTED")}[holds(survey.case, survey.kind, survey.value)]


def compared(tmp_path, capsys, seeds):
    """How often each verdict was right; fails at the first that is wrong."""
    seen = Counter()
    for seed in seeds:
        survey = random_survey(seed)
        path = tmp_path / "survey.toml"
        path.write_text(survey.text, encoding="utf-8")
        status = main(["survey", str(path), "--json"])
        out, err = capsys.readouterr()
        assert status != 2, (seed, err, survey.text)
        (verdict,) = [one for one in json.loads(out) if one["id"] == f"s.{seed}"]
        assert (status, verdict["verdict"]) == expected(survey), (seed, survey.text, verdict["detail"])
        assert verdict["detail"].startswith(VACUOUS) == (status == 3), seed
        seen[status] += 1
    return seen


def test_the_verdict_of_a_survey_is_the_oracles(tmp_path, capsys):
    assert min(compared(tmp_path, capsys, range(60))[status] for status in (0, 1, 3)) >= 5


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(10))
def test_the_verdicts_of_many_surveys_are_the_oracles(tmp_path, capsys, changing_seed, batch):
    first = 1_000_000 * changing_seed + 1_000 * (batch + 1)
    assert sum(compared(tmp_path, capsys, range(first, first + 150)).values()) == 150
