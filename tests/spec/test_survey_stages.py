"""The stages of a survey: what can come from what, and the primitive multiverses."""

from itertools import combinations

import pytest

from stirred.spec import InputError
from stirred.spec.surveys.stages import FIVE_STAGES, FOUR_STAGES, Stage, SurveyStages
from tests.small_surveys import OLD, SURVEY, YOUNG, answering, missing_one, of_size

POPULATION, FRAME, SAMPLE, RESPONDING = FOUR_STAGES
IN_ORDER = (
    "stages must be some of population, frame, augmented frame, sample, responding sample, processed data, each once "
    "and in this order; got "
)


def test_runs_are_chains_of_the_steps():
    assert len(SURVEY.runs) == 2 * 3 * 2 * 2
    assert all(set(responding) <= set(sample) <= set(frame) <= set(p) for p, frame, sample, responding in SURVEY.runs)


def test_a_run_counts_once():
    assert SurveyStages((FRAME, SAMPLE), (("f", "s"), ("f", "t"), ("f", "s"))).runs == (("f", "s"), ("f", "t"))


def test_domains_are_all_that_some_population_gives():
    assert SURVEY.domain(POPULATION).points == (YOUNG, OLD)
    assert len(SURVEY.domain(FRAME)) == 5  # both populations give the frame without person 1
    assert len(SURVEY.domain(SAMPLE)) == 4
    assert len(SURVEY.domain(RESPONDING)) == 5  # nobody may respond


def test_primitive_multiverses_compose_the_steps():
    one = ((2, "young"),)
    frames = SURVEY.coming_from(FRAME, POPULATION)
    assert frames[YOUNG] == frozenset(missing_one(YOUNG))
    samples = SURVEY.coming_from(SAMPLE, POPULATION)
    assert samples[OLD] == {((unit, record),) for unit, record in OLD}
    assert SURVEY.coming_from(RESPONDING, SAMPLE)[one] == {(), one}
    assert len(SURVEY.primitive(SAMPLE, FRAME)) == 5
    assert len(SURVEY.primitive(SAMPLE, POPULATION)) == 2
    for early, late in combinations(FOUR_STAGES, 2):
        assert set(SURVEY.primitive(late, early)) == set(SURVEY.through(late, early))


def test_a_step_that_looks_further_back():
    """Expansion weights use the size of the frame: one of two persons stands for two, one of three for three."""
    frames = [("ann", "bob"), ("ann", "bob", "cyd")]
    runs = tuple((frame, (unit,), (unit, len(frame))) for frame in frames for unit in frame)
    weighted = SurveyStages((FRAME, RESPONDING, Stage.PROCESSED), runs)
    assert weighted.coming_from(Stage.PROCESSED, RESPONDING)[("ann",)] == {("ann", 2), ("ann", 3)}
    assert frozenset({("ann", 2)}) in set(weighted.through(Stage.PROCESSED, RESPONDING))


def test_fifth_stage():
    five = SurveyStages.of_steps(FIVE_STAGES, [YOUNG], [missing_one, of_size(1), answering, lambda data: [len(data)]])
    assert five.domain(Stage.PROCESSED).points == (0, 1)
    assert five.before(Stage.PROCESSED) == FOUR_STAGES


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (
            lambda: SurveyStages((SAMPLE, FRAME), (("s", "f"),)),
            f"{IN_ORDER}sample, frame",
        ),
        (
            lambda: SurveyStages(("frame", SAMPLE), (("f", "s"),)),
            f"{IN_ORDER}'frame', sample",
        ),
        (
            lambda: SurveyStages((FRAME, FRAME), (("f", "f"),)),
            f"{IN_ORDER}frame, frame",
        ),
        (
            lambda: SurveyStages((), ()),
            f"{IN_ORDER}none",
        ),
        (lambda: SurveyStages((FRAME,), ()), "a survey must have at least one run; got none"),
        (
            lambda: SurveyStages((FRAME, SAMPLE), (("f",),)),
            "a run must have a data set for each of the 2 stages; got ('f',)",
        ),
        (
            lambda: SurveyStages((FRAME, SAMPLE), (("f", ("s", [])),)),
            "data sets must be hashable (tuples, not lists); got ('f', ('s', []))",
        ),
        (
            lambda: SurveyStages.of_steps((FRAME, SAMPLE), [("a",)], [of_size(2)]),
            "from every frame some sample must come; none does from ('a',)",
        ),
        (
            lambda: SurveyStages.of_steps((FRAME, SAMPLE), [("a",)], []),
            "steps must be one for each stage after the first, 1; got 0",
        ),
        (
            lambda: SURVEY.domain(Stage.PROCESSED),
            "stage must be one that the survey has (population, frame, sample, responding sample); got processed data",
        ),
        (lambda: SURVEY.primitive(FRAME, SAMPLE), "early must be a stage before frame; got sample"),
        (lambda: SURVEY.primitive(FRAME, FRAME), "early must be a stage before frame; got frame"),
        (lambda: SURVEY.through(FRAME, FRAME), "last must be a stage before frame; got frame"),
    ],
)
def test_bad_input_gets_one_line(build, message):
    with pytest.raises(InputError) as caught:
        build()
    assert str(caught.value) == message
