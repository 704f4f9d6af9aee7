"""The settings of a survey: completion, invariance in two readings, and the classifier."""

from itertools import chain, combinations, product

import pytest

from stirred.spec import FiniteDomain, InputError
from stirred.spec.input_premetric import InputPremetric, explicit, hamming_unordered
from stirred.spec.multiverse import Multiverse, vacuous
from stirred.spec.specification import InputBlocks
from stirred.spec.surveys.settings import completed, is_complete, setting_of, settings_of
from stirred.spec.surveys.stages import FIVE_STAGES, FOUR_STAGES, Stage, SurveyStages
from stirred.spec.surveys.unit_data import changed_units
from tests.small_surveys import SURVEY

POPULATION, FRAME, SAMPLE, RESPONDING = FOUR_STAGES
ANY = InputPremetric("any", "person", lambda first, second: 1)
NEVER = InputPremetric("never", "person", lambda first, second: None)


def blocks_of(survey, level, multiverse=None, premetric=ANY):
    domain = survey.domain(level)
    return InputBlocks(domain, multiverse or vacuous(domain), premetric)


def test_the_completion_cuts_universes_to_what_each_point_reaches():
    domain = FiniteDomain(("a", "b", "c"))
    one_way = explicit({("a", "b"): 1, ("b", "c"): 1}, "person")
    found = completed(InputBlocks(domain, vacuous(domain), one_way))
    assert set(found) == {frozenset("ab"), frozenset("bc"), frozenset("c")}
    assert not is_complete(InputBlocks(domain, vacuous(domain), one_way))
    assert is_complete(InputBlocks(domain, vacuous(domain), ANY))
    assert len(completed(InputBlocks(domain, Multiverse([()]), ANY))) == 0


def test_every_setting_is_found_where_its_primitive_multiverse_is_asked_for():
    """What the last invariant stage gives as universes: the ten settings of Table 6.1, each once."""
    found = []
    for level in FOUR_STAGES:
        for last in (None, *SURVEY.before(level)):
            asked = None if last is None else SURVEY.primitive(level, last)
            one = setting_of(SURVEY, blocks_of(SURVEY, level, asked))
            assert one.setting.invariant == (() if last is None else FOUR_STAGES[: FOUR_STAGES.index(last) + 1])
            found.append(one.setting)
    assert tuple(found) == settings_of(FOUR_STAGES)
    assert len(set(map(str, found))) == 10


def test_settings_are_named_as_the_table_names_them():
    assert [str(one) for one in settings_of(FOUR_STAGES)] == [
        "population level, population agnostic",
        "frame level, population agnostic",
        "frame level, population invariant",
        "sample level, population agnostic, frame agnostic",
        "sample level, population invariant, frame agnostic",
        "sample level, population invariant, frame invariant",
        "responding sample level, population agnostic, frame agnostic, sample agnostic",
        "responding sample level, population invariant, frame agnostic, sample agnostic",
        "responding sample level, population invariant, frame invariant, sample agnostic",
        "responding sample level, population invariant, frame invariant, sample invariant",
    ]
    assert [len(settings_of(tuple(Stage)[:n])) for n in range(1, 7)] == [1, 3, 6, 10, 15, 21]
    assert settings_of(FIVE_STAGES)[:10] == settings_of(FOUR_STAGES)


def test_nothing_compared_is_invariant_at_every_stage():
    one = setting_of(SURVEY, blocks_of(SURVEY, RESPONDING, premetric=NEVER))
    assert one.setting.invariant == (POPULATION, FRAME, SAMPLE)
    assert one.readings_agree
    assert one.compares_nothing
    assert str(one).endswith("sample invariant; no two data sets are compared")


def test_a_population_fixes_what_its_units_are():
    """With records from an invariant population, only who is in the sample varies: no unit's record can change."""
    fixed = SURVEY.primitive(SAMPLE, POPULATION)
    assert setting_of(SURVEY, blocks_of(SURVEY, SAMPLE, fixed, changed_units("person"))).compares_nothing
    assert not setting_of(SURVEY, blocks_of(SURVEY, SAMPLE, fixed, hamming_unordered("person"))).compares_nothing
    assert not setting_of(SURVEY, blocks_of(SURVEY, SAMPLE, premetric=changed_units("person"))).compares_nothing


def pairs_alone():
    """Frames of two of three persons, samples of one: any two samples share a frame, all three share none."""
    frames = list(combinations("abc", 2))
    return SurveyStages.of_steps((FRAME, SAMPLE), frames, [tuple])


def test_readings_differ_where_pairs_share_what_three_do_not():
    found = setting_of(pairs_alone(), blocks_of(pairs_alone(), SAMPLE))
    assert (found.setting.invariant, found.by_pairs.invariant) == ((), (FRAME,))
    assert str(found) == "sample level, frame agnostic; pair by pair: sample level, frame invariant"


def test_readings_agree_where_each_data_set_has_one_source():
    frames = [("a", "b"), ("c", "d")]
    survey = SurveyStages.of_steps((FRAME, SAMPLE), frames, [tuple])
    points = survey.domain(SAMPLE).points
    universes = [u for n in range(1, 5) for u in combinations(points, n)]
    for chosen, links in product(combinations(universes, 2), (set(product("ab", "abc")), {("c", "d")}, {("a", "c")})):
        linked = explicit(dict.fromkeys(links, 1), "person")
        assert setting_of(survey, blocks_of(survey, SAMPLE, Multiverse(chosen), linked)).readings_agree


def test_universes_imply_pairs():
    """Definition 6.3.3 is the stronger reading, at every level and for every multiverse of two universes."""
    for level in (FRAME, SAMPLE):
        points = SURVEY.domain(level).points
        universes = list(chain.from_iterable(combinations(points, n) for n in (1, 2, 3)))
        for chosen in combinations(universes, 2):
            found = setting_of(SURVEY, blocks_of(SURVEY, level, Multiverse(chosen)))
            assert set(found.setting.invariant) <= set(found.by_pairs.invariant)


def augmented():
    """Frames list persons; the augmented frame has what each would answer; one of them is asked."""
    return SurveyStages.of_steps(
        (FRAME, Stage.AUGMENTED_FRAME, SAMPLE),
        [("ann", "bob"), ("ann", "cyd")],
        [lambda frame: [tuple(zip(frame, said, strict=True)) for said in product((0, 1), repeat=2)], tuple],
    )


def test_a_frame_can_be_invariant_where_the_augmented_frame_is_the_input():
    survey = augmented()
    level = Stage.AUGMENTED_FRAME
    found = setting_of(survey, blocks_of(survey, level, survey.primitive(level, FRAME)))
    assert str(found) == "augmented frame level, frame invariant"


def test_stages_with_the_same_data_sets_need_a_level():
    everybody = SurveyStages.of_steps((SAMPLE, RESPONDING), ["a", "b"], [lambda sample: [sample]])
    asked = blocks_of(everybody, SAMPLE)
    message = "^level must be named where stages have the same possible data sets, as sample and responding sample have"
    with pytest.raises(InputError, match=message):
        setting_of(everybody, asked)
    assert str(setting_of(everybody, asked, level=SAMPLE)) == "sample level, sample agnostic"
    assert str(setting_of(everybody, asked, level=RESPONDING)) == "responding sample level, sample agnostic"


def test_a_domain_of_no_stage_is_refused():
    domain = FiniteDomain(("x",))
    message = r"^domain must be all possible data sets of a stage \({}\); got 1 other ones$"
    every = "2 of the population stage, 5 of the frame stage, 4 of the sample stage, 5 of the responding sample stage"
    for level, sizes in ((None, every), (FRAME, "5 of the frame stage")):
        with pytest.raises(InputError, match=message.format(sizes)):
            setting_of(SURVEY, InputBlocks(domain, vacuous(domain), ANY), level=level)
    with pytest.raises(InputError, match=r"^stage must be one that the survey has \(.*\); got processed data$"):
        setting_of(SURVEY, blocks_of(SURVEY, FRAME), level=Stage.PROCESSED)


def test_invariance_that_skips_a_stage_is_refused():
    """Weights look back to the frame: data of one responding sample need not be data of one frame."""
    runs = tuple((size, "ann", ("ann", size)) for size in (2, 3))
    weighted = SurveyStages((FRAME, RESPONDING, Stage.PROCESSED), runs)
    message = "responding sample is invariant and frame is not: a step looks further back"
    with pytest.raises(InputError, match=f"^invariance must reach back to the first stage to be a setting; {message}$"):
        setting_of(weighted, blocks_of(weighted, Stage.PROCESSED))
