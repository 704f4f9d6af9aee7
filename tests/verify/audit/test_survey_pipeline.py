"""A survey file's kernels, multiplied out, are the law of its steps composed into one program."""

import pytest

from stirred.mechanisms import exact_law
from stirred.mechanisms.surveys.pipeline import SurveyStep, survey
from stirred.spec import Law
from stirred.spec.surveys.stages import Stage
from stirred.verify.audit.surveys.survey_audit import build_survey
from stirred.verify.audit.surveys.survey_file import read_survey
from stirred.verify.engines.workload import Workload
from stirred.verify.laws.foreign import DEFAULT_LIMITS

SURVEY = """
id = "s"
statement = "A count."
[population]
schema = { region = ["n", "s"], income = [0, 1] }
units = 3
[[stage]]
kind = "frame"
coverage = "3/4"
[[stage]]
kind = "design"
DESIGN
[[stage]]
kind = "non-response"
by = "region"
rates = [["n", "2/3"], ["s", 1]]
[[stage]]
kind = "non-response"
variable = "income"
rate = "1/2"
[[stage]]
kind = "imputation"
name = "hot-deck"
variable = "income"
otherwise = 0
[mechanism]
name = "geometric"
statistic = "count"
ratio = "1/2"
[protection]
starts = "population"
invariant = "nothing"
distance = "changed_units"
resolution = "person"
"""


@pytest.mark.parametrize(
    "design",
    [
        'name = "bernoulli"\nrate = "1/2"',
        'name = "poisson"\nby = "region"\nrates = [["n", "1/2"], ["s", "1/3"]]',
    ],
)
def test_the_two_evaluations_agree(tmp_path, design):
    path = tmp_path / "survey.toml"
    path.write_text(SURVEY.replace("DESIGN", design), encoding="utf-8")
    pipeline = build_survey(read_survey(str(path)), DEFAULT_LIMITS, Workload()).pipeline
    stages = [Stage.POPULATION, *(step.stage for step in pipeline.steps)]
    steps = [
        SurveyStep(step.words, stages[number], step.stage, step.program) for number, step in enumerate(pipeline.steps)
    ]
    last = stages[-1]
    alone = {data: Law({data: 1}) for data in pipeline.reached(len(steps))}
    laws = pipeline.mixtures(Stage.POPULATION, last, alone)
    for population in pipeline.populations[::7]:
        assert laws[population] == exact_law(survey, population, steps=steps)
