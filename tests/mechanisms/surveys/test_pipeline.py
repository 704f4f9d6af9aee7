"""A survey as one program from any stage.

Which units and items of a stage reach the next.
"""

from fractions import Fraction

import pytest

from stirred.mechanisms import clamped_geometric, exact_law, replay
from stirred.mechanisms.interpreters.sampling import SamplingSource
from stirred.mechanisms.source import PublicSource
from stirred.mechanisms.surveys.designs import select, simple_random_sample
from stirred.mechanisms.surveys.estimates import horvitz_thompson_total
from stirred.mechanisms.surveys.imputation import hot_deck
from stirred.mechanisms.surveys.inclusion import inclusion
from stirred.mechanisms.surveys.pipeline import SurveyStep, check_steps, survey, survey_run, survey_stages
from stirred.mechanisms.surveys.response import deterministic_response, independent_response, item_nonresponse
from stirred.mechanisms.surveys.weights import design_weights
from stirred.spec import SYMBOL, InputError
from stirred.spec.surveys.stages import Stage
from stirred.spec.surveys.unit_data import unit_data, units

HALF = Fraction(1, 2)

POPULATION = unit_data({1: ("listed", 1), 2: ("listed", 0), 3: ("hidden", 1), 4: ("listed", 1)})

FRAME = POPULATION[:2] + POPULATION[3:]


def cover(population, source):
    return deterministic_response(population, source, responds=lambda _, record: record[0] == "listed")


def draw(frame, source):
    return select(frame, simple_random_sample(frame, source, size=2))


def answer(sample, source):
    return item_nonresponse(sample, source, variable=1, propensity=lambda unit, _: 1 if unit == 1 else HALF)


def weigh(responding, source, frame):
    weights = design_weights(responding, inclusion(simple_random_sample, frame, size=2))
    return tuple((unit, (record, dict(weights)[unit])) for unit, record in responding)


def estimate(data, source):
    weights = tuple((unit, weight) for unit, (_, weight) in data)
    return horvitz_thompson_total(data, weights, variable=lambda pair: pair[0][1] or 0)


COVER = SurveyStep("cover", Stage.POPULATION, Stage.FRAME, cover)

DRAW = SurveyStep("draw", Stage.FRAME, Stage.SAMPLE, draw)

ANSWER = SurveyStep("answer", Stage.SAMPLE, Stage.RESPONDING, answer)

WEIGH = SurveyStep("weigh", Stage.RESPONDING, Stage.PROCESSED, weigh, (Stage.FRAME,))

ESTIMATE = SurveyStep("estimate", Stage.PROCESSED, None, estimate)

STEPS = (COVER, DRAW, ANSWER, WEIGH, ESTIMATE)


def test_a_survey_from_its_population_to_its_release():
    # samples 12, 14, 24 of 1, 0, 1 with weights 3/2; unit 1 answers, the others with probability 1/2
    law = exact_law(survey, POPULATION, steps=STEPS)
    weight = Fraction(3, 2)
    assert dict(law) == {
        0: Fraction(1, 3) * HALF,
        weight: Fraction(1, 3) + Fraction(1, 3) * HALF + Fraction(1, 3) * HALF,
        2 * weight: Fraction(1, 3) * HALF,
    }


def test_a_survey_is_sampled_and_replayed():
    law = exact_law(survey_run, POPULATION, steps=STEPS)
    for seed in range(20):
        source = SamplingSource(seed)
        run = survey_run(POPULATION, PublicSource(source), steps=STEPS)
        assert law[run] > 0
        assert replay(survey_run, POPULATION, source.record, steps=STEPS) == run


def test_it_starts_at_any_stage():
    assert exact_law(survey, FRAME, steps=STEPS, start=Stage.FRAME) == exact_law(survey, POPULATION, steps=STEPS)
    sample = FRAME[:2]
    law = exact_law(survey, sample, steps=STEPS, start=Stage.SAMPLE, given={Stage.FRAME: FRAME})
    assert dict(law) == {Fraction(3, 2): 1}
    weighed = ((1, (("listed", 1), Fraction(5))),)
    assert dict(exact_law(survey, weighed, steps=STEPS, start=Stage.PROCESSED)) == {5: 1}


def test_a_composition_is_the_mixture_of_its_steps():
    steps = (COVER, DRAW, ANSWER)
    by_steps = exact_law(cover, POPULATION).bind(lambda f: exact_law(draw, f)).bind(lambda s: exact_law(answer, s))
    assert exact_law(survey, POPULATION, steps=steps) == by_steps


def test_a_run_has_the_data_of_every_stage():
    for run in exact_law(survey_run, POPULATION, steps=STEPS):
        population, frame, sample, responding, processed, release = run
        assert (population, frame) == (POPULATION, FRAME)
        assert set(units(sample)) <= set(units(frame))
        assert units(sample) == units(responding) == units(processed)
        assert release in (0, Fraction(3, 2), 3)


def test_the_runs_are_the_stages_of_a_survey_and_its_multiverses():
    found = survey_stages([POPULATION], steps=STEPS)
    assert found.stages == (Stage.POPULATION, Stage.FRAME, Stage.SAMPLE, Stage.RESPONDING, Stage.PROCESSED)
    assert set(found.domain(Stage.SAMPLE).points) == {
        (FRAME[0], FRAME[1]),
        (FRAME[0], FRAME[2]),
        (FRAME[1], FRAME[2]),
    }
    assert found.primitive(Stage.SAMPLE, Stage.FRAME).compares((FRAME[0], FRAME[1]), (FRAME[1], FRAME[2]))
    released = survey_stages([((1, (("listed", 1), Fraction(5))),)], steps=STEPS, start=Stage.PROCESSED)
    assert released.stages == (Stage.PROCESSED,)


def test_a_sample_a_hot_deck_and_geometric_noise():
    def impute(responding, source):
        return hot_deck(responding, source, variable=1, donor_class=lambda _: 0)

    def count(data, source):
        return clamped_geometric(sum(record[1] for _, record in data), source, size=3, ratio=HALF)

    steps = (
        DRAW,
        SurveyStep("answer", Stage.SAMPLE, Stage.RESPONDING, lambda sample, _: sample),
        SurveyStep("hot deck", Stage.RESPONDING, Stage.PROCESSED, impute),
        SurveyStep("count", Stage.PROCESSED, None, count),
    )
    law = exact_law(survey, FRAME, steps=steps)
    # two of the three samples hold one 1, the third two; noise at 1 is 1/3 1/3 1/3, at 2 it is 1/6 1/6 2/3
    assert dict(law) == {0: Fraction(5, 18), 1: Fraction(5, 18), 2: Fraction(4, 9)}


def double(data, source):
    return tuple((unit, (record, 2 * weight)) for unit, (record, weight) in data)


def test_several_steps_may_make_the_data_of_one_stage():
    steps = (*STEPS[:-1], SurveyStep("double", Stage.PROCESSED, Stage.PROCESSED, double), ESTIMATE)
    law = exact_law(survey, POPULATION, steps=steps)
    assert law == exact_law(survey, POPULATION, steps=STEPS).push(lambda total: 2 * total)
    assert {len(run) for run in exact_law(survey_run, POPULATION, steps=steps)} == {6}
    weighed = ((1, (("listed", 1), Fraction(5))),)
    assert dict(exact_law(survey, weighed, steps=steps, start=Stage.PROCESSED)) == {5: 1}
    assert dict(exact_law(survey, weighed, steps=steps[-2:])) == {10: 1}
    found = survey_stages([POPULATION], steps=steps)
    assert all(weight == 3 for data in found.domain(Stage.PROCESSED).points for _, (_, weight) in data)


def test_a_responding_sample_lies_in_its_sample_and_processed_data_may_be_anything():
    strangers = SurveyStep("answer", Stage.SAMPLE, Stage.RESPONDING, lambda sample, source: POPULATION)
    with pytest.raises(
        InputError, match=r"^step 'answer' must make a responding sample of units of the sample; got 3$"
    ):
        exact_law(survey, FRAME, steps=[strangers])
    counted = SurveyStep("count", Stage.RESPONDING, Stage.PROCESSED, lambda responding, source: len(responding))
    assert dict(exact_law(survey, FRAME, steps=[counted])) == {3: 1}


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (POPULATION, "step 'draw' must make a sample of units of the frame; got 3"),
        (FRAME[::-1], "the sample must have its units in increasing order, each once, as unit_data makes it"),
        ([1, 2], "the sample must be a tuple of pairs (unit, record), as unit_data makes it"),
    ],
)
def test_a_sample_lies_in_its_frame(made, message):
    steps = (SurveyStep("draw", Stage.FRAME, Stage.SAMPLE, lambda frame, source: made),)
    with pytest.raises(InputError) as refused:
        exact_law(survey, FRAME, steps=steps)
    assert str(refused.value) == message


@pytest.mark.parametrize(
    ("steps", "message"),
    [
        ((), "steps must hold at least one; got none"),
        (
            (COVER, ANSWER),
            "step 'answer' must take the frame, which step 'cover' makes; it takes the sample",
        ),
        (
            (DRAW, SurveyStep("back", Stage.SAMPLE, Stage.FRAME, cover)),
            "step 'back' must lead from the sample on; got frame",
        ),
        (
            (SurveyStep("print", Stage.FRAME, None, cover), DRAW),
            "step 'draw' must take the release, which step 'print' makes; it takes the frame",
        ),
        (
            (ANSWER, WEIGH),
            "step 'weigh' must use earlier stages of the survey (sample); got frame",
        ),
        (
            (SurveyStep("own", Stage.FRAME, Stage.SAMPLE, weigh, (Stage.FRAME,)),),
            "step 'own' must use earlier stages of the survey (none); got frame",
        ),
        (
            (DRAW, ANSWER, WEIGH, SurveyStep("own", Stage.PROCESSED, Stage.PROCESSED, weigh, (Stage.PROCESSED,))),
            "step 'own' must use earlier stages of the survey (frame, sample, responding sample); got processed data",
        ),
    ],
)
def test_an_order_that_cannot_be_is_refused(steps, message):
    for call in (
        lambda: check_steps(steps),
        lambda: exact_law(survey, POPULATION, steps=steps),
        lambda: survey_stages([POPULATION], steps=steps),
    ):
        with pytest.raises(InputError) as refused:
            call()
        assert str(refused.value) == message


@pytest.mark.parametrize(
    ("start", "given", "message"),
    [
        (Stage.SAMPLE, None, r"step 'weigh' uses the frame, which a survey that starts at the sample does not have: "),
        (
            Stage.AUGMENTED_FRAME,
            None,
            r"start must be a stage that a step leads on from \(population, .*\); got augmented frame$",
        ),
        (Stage.FRAME, {Stage.FRAME: FRAME}, r"given must be of stages before the frame; got frame$"),
    ],
)
def test_a_start_that_cannot_be_is_refused(start, given, message):
    with pytest.raises(InputError, match=f"^{message}"):
        exact_law(survey, FRAME[:2], steps=STEPS, start=start, given=given)


@pytest.mark.parametrize(
    ("before", "after", "uses"), [("frame", None, ()), (Stage.FRAME, "sample", ()), (Stage.FRAME, None, ("sample",))]
)
def test_a_step_joins_stages(before, after, uses):
    with pytest.raises(InputError, match=r"^step 'draw' must join stages, each a Stage; got '(frame|sample)'$"):
        SurveyStep("draw", before, after, draw, uses)


SAMPLE = unit_data({"a": ("x", 1), "b": ("y", 2)})


def by_stratum(_, record):
    return Fraction(1, 3) if record[0] == "x" else Fraction(3, 4)


def test_units_respond_independently():
    law = exact_law(independent_response, SAMPLE, propensity=by_stratum)
    assert dict(law) == {
        (): Fraction(2, 3) * Fraction(1, 4),
        SAMPLE[:1]: Fraction(1, 3) * Fraction(1, 4),
        SAMPLE[1:]: Fraction(2, 3) * Fraction(3, 4),
        SAMPLE: Fraction(1, 3) * Fraction(3, 4),
    }


def test_some_units_never_respond_and_some_always():
    assert dict(exact_law(independent_response, SAMPLE, propensity=lambda unit, _: int(unit == "b"))) == {SAMPLE[1:]: 1}


def test_response_may_be_determined():
    assert dict(exact_law(deterministic_response, SAMPLE, responds=lambda _, record: record[1] > 1)) == {SAMPLE[1:]: 1}


def test_items_are_missing_independently_and_what_is_missing_stays_so():
    sample = (*SAMPLE, ("c", ("y", None)))
    law = exact_law(item_nonresponse, sample, variable=1, propensity=by_stratum)
    missing = law.push(lambda data: tuple(record[1] for _, record in data))
    assert dict(missing) == {
        (1, 2, None): Fraction(1, 4),
        (1, None, None): Fraction(1, 12),
        (None, 2, None): Fraction(1, 2),
        (None, None, None): Fraction(1, 6),
    }
    assert all([record[0] for _, record in data] == ["x", "y", "y"] for data in law)


@pytest.mark.parametrize(
    ("program", "parameters", "message"),
    [
        (
            independent_response,
            {"propensity": lambda *_: Fraction(4, 3)},
            "the propensity of unit 'a' must be between 0 and 1; got 4/3",
        ),
        (
            item_nonresponse,
            {"variable": 1, "propensity": lambda *_: 0.5},
            "the propensity of unit 'a' must be an exact number; got the float 0.5: write Fraction('0.5')",
        ),
        (deterministic_response, {"responds": lambda *_: 1}, "responds must be True or False; got 1 for unit 'a'"),
        (
            item_nonresponse,
            {"variable": 2, "propensity": by_stratum},
            "variable must be a place in the record of unit 'a', 0 to 1; got 2",
        ),
        (item_nonresponse, {"variable": -1, "propensity": by_stratum}, "variable must be at least 0; got -1"),
    ],
)
def test_what_cannot_be_is_refused(program, parameters, message):
    with pytest.raises(InputError) as refused:
        exact_law(program, SAMPLE, **parameters)
    assert str(refused.value) == message


def test_records_of_items_are_tuples():
    with pytest.raises(InputError, match=r"^the record of unit 1 must be a tuple of variables; got 'old'$"):
        exact_law(item_nonresponse, unit_data({1: "old"}), variable=0, propensity=by_stratum)


@pytest.mark.parametrize(
    ("program", "parameters"),
    [
        (independent_response, {"propensity": by_stratum}),
        (deterministic_response, {"responds": lambda *_: True}),
        (item_nonresponse, {"variable": 1, "propensity": by_stratum}),
    ],
)
def test_a_sample_that_is_no_data_set_is_refused(program, parameters):
    with pytest.raises(InputError, match=r"must have its units in increasing order, each once"):
        exact_law(program, SAMPLE[::-1], **parameters)


def test_one_variable_of_several_is_missing():
    law = exact_law(item_nonresponse, unit_data({1: (3, 4, 5, 6)}), variable=1, propensity=lambda *_: 0)
    assert dict(law) == {((1, (3, None, 5, 6)),): 1}


def test_a_propensity_may_be_left_open():
    law = exact_law(independent_response, SAMPLE, propensity=lambda *_: SYMBOL)
    assert law.at(Fraction(1, 3)) == exact_law(independent_response, SAMPLE, propensity=lambda *_: Fraction(1, 3))
