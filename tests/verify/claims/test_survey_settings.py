"""The classifier of settings against the definitions as the claims state them, on every small survey."""

import stirred.verify.claims.survey_settings.completion  # noqa: F401 its words are used here
from stirred.spec.domain import FiniteDomain
from stirred.spec.input_premetric import explicit
from stirred.spec.multiverse import Multiverse
from stirred.spec.specification import InputBlocks
from stirred.spec.surveys.settings import completed, invariant_stages, is_complete, setting_of, shared_stages
from stirred.spec.surveys.stages import FOUR_STAGES, Stage, SurveyStages
from stirred.verify.claims.survey_settings.invariance import all_flavors
from stirred.verify.claims.survey_settings.settings import some_surveys
from stirred.verify.claims.survey_settings.words import one_of_two, weighted_answers
from stirred.verify.ledger import unless

DEFINED = {
    "invariances(runs, k, universes, d) == found": invariant_stages,
    "[all_compared_share(runs, j, k, universes, d) for j in range(k)] == found": shared_stages,
}


def test_settings_are_those_of_the_definitions():
    seen = set()
    for runs, k, universes, d in all_flavors:
        survey = SurveyStages(FOUR_STAGES[: len(next(iter(runs)))], tuple(runs))
        level = FOUR_STAGES[k]
        blocks = InputBlocks(survey.domain(level), Multiverse(universes), explicit(d, "person"))
        for definition, found in DEFINED.items():
            kept = found(survey, blocks, level)
            case = {"found": [stage in kept for stage in survey.before(level)], "universes": universes, "d": d}
            assert unless(definition, runs=runs, k=k, **case) is None
        assert (
            unless("completed_by(universes, d) == found", universes=universes, d=d, found=set(completed(blocks)))
            is None
        )
        both = setting_of(survey, blocks, level=level)
        seen.add((both.setting.level, len(both.setting.invariant), both.readings_agree))

    assert {one for one in seen if not one[2]} == {(FOUR_STAGES[2], 1, False)}
    assert len({(level, number) for level, number, _ in seen}) == 10


def test_completeness_is_that_of_the_definition():
    points = (0, 1, 2)
    for links in ([(0, 1)], [(0, 1), (1, 0)], [(x, y) for x in points for y in points if x != y]):
        d = dict.fromkeys(links, 1)
        for universes in ([{0, 1}], [{0, 1}, {1, 2}], [set(points)]):
            blocks = InputBlocks(FiniteDomain(points), Multiverse(universes), explicit(d, "person"))
            named = {"universes": set(map(frozenset, universes)), "d": d, "found": is_complete(blocks)}
            assert unless("connected_throughout(universes, d) == found", **named) is None


def test_data_sets_that_share_steps_are_those_that_come_through_them():
    numbers = set()
    for runs, k, i, j in some_surveys:
        numbers.add((k, i))
        stages = (*FOUR_STAGES, Stage.PROCESSED)[: len(next(iter(runs)))]
        through = SurveyStages(stages, tuple(runs)).through(stages[k], stages[j - 1])
        found = set(through.universes)
        assert unless("given_to(runs, j, k) == found", runs=runs, k=k, j=j, found=found) is None
    assert {(1, 0), (4, 0), (4, 3)} <= numbers


def test_pairs_stand_in_one_order_in_every_process():
    ((_, _, _, between),) = one_of_two
    assert list(between) == [((x,), (y,)) for x in "abc" for y in "abc" if x != y]
    ((_, _, _, distances),) = weighted_answers
    assert [first for first, _ in distances] == [(who, weight) for who in "abc" for weight in (2, 3)]
