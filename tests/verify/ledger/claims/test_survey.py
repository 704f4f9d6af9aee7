"""What the claims on surveys compute in words is what `spec`, the engines and the programs compute.

Laplace noise of surveys in words: scales, losses and changes are those of the engines.
"""

from collections import Counter
from fractions import Fraction
from itertools import islice, product

import pytest
from attackers import attacker_ratios, posterior_ratio, ratio_range
from oracles.laplace import laplace_distance, laplace_scales, neighbor_sensitivity

import stirred.verify.ledger.claims.survey_settings.completion  # noqa: F401 its words are used here
from stirred.mechanisms import clamped_geometric, exact_law
from stirred.mechanisms.surveys.designs import sample_with_replacement, select, simple_random_sample
from stirred.mechanisms.surveys.imputation import hot_deck
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import explicit
from stirred.spec.blocks.multiverse import Multiverse
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.laws.law import Law
from stirred.spec.surveys.amplification import Compared, amplification
from stirred.spec.surveys.settings import completed, invariant_stages
from stirred.spec.surveys.stages import FOUR_STAGES, Stage, SurveyStages
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.engines.surveys.design_loss import distance_of_samples
from stirred.verify.ledger import unless
from stirred.verify.ledger.claims.survey_sampling import (
    clusters,
    dependent_samples,
    levels,
    shared_sample,
    strata,
    theorem,
)
from stirred.verify.ledger.claims.survey_sampling.clusters import of_areas, of_clusters, of_two_stages
from stirred.verify.ledger.claims.survey_sampling.dependent_samples import drawn_by
from stirred.verify.ledger.claims.survey_sampling.shared_sample import geometric_at
from stirred.verify.ledger.claims.survey_sampling.theorem import all_or_nothing
from stirred.verify.ledger.claims.survey_sampling.words import (
    bound_by_replaced,
    keeps_added,
    keeps_replaced,
    keeps_same_units,
)
from stirred.verify.ledger.claims.survey_settings.completion import connected_throughout
from stirred.verify.ledger.claims.survey_settings.settings import all_flavors, given_to, some_surveys
from stirred.verify.ledger.claims.survey_settings.words import (
    all_compared_share,
    completed_by,
    invariances,
    one_of_two,
    weighted_answers,
)
from stirred.verify.ledger.claims.survey_weights import design_weights, laplace, sensitivities, words
from stirred.verify.ledger.claims.survey_weights.laplace import class_scales, laplace_loss, printed_scales
from stirred.verify.ledger.claims.survey_weights.sensitivities import neighbors_spread
from stirred.verify.ledger.engines.design_weights import sample_distance
from stirred.verify.ledger.failures import says_so


def shared_stages(survey, blocks, level):
    """The earlier stages of which every pair of comparable data sets shares one data set that both can come from."""
    points = blocks.domain.points
    pairs = [(x, y) for i, x in enumerate(points) for y in points[:i] if blocks.comparable(x, y)]
    sources = {stage: survey.primitive(level, stage) for stage in survey.before(level)}
    return tuple(stage for stage, shared in sources.items() if all(shared.compares(x, y) for x, y in pairs))


def is_complete(blocks):
    """Whether all data sets that share a universe are at finite distances."""
    d = blocks.input_premetric
    return all(d(x, y) is not None for universe in blocks.multiverse for x in universe for y in universe)


DEFINED = {
    lambda runs, k, universes, d, found: invariances(runs, k, universes, d) == found: invariant_stages,
    lambda runs, k, universes, d, found: (
        [all_compared_share(runs, j, k, universes, d) for j in range(k)] == found
    ): shared_stages,
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
            unless(
                lambda universes, d, found: completed_by(universes, d) == found,
                universes=universes,
                d=d,
                found=set(completed(blocks)),
            )
            is None
        )
        kept, by_pairs = (len(found(survey, blocks, level)) for found in DEFINED.values())
        seen.add((level, by_pairs, kept == by_pairs))

    assert {one for one in seen if not one[2]} == {(FOUR_STAGES[2], 2, False)}
    assert len({(level, number) for level, number, _ in seen}) == 10


def test_completeness_is_that_of_the_definition():
    points = (0, 1, 2)
    for links in ([(0, 1)], [(0, 1), (1, 0)], [(x, y) for x in points for y in points if x != y]):
        d = dict.fromkeys(links, 1)
        for universes in ([{0, 1}], [{0, 1}, {1, 2}], [set(points)]):
            blocks = InputBlocks(FiniteDomain(points), Multiverse(universes), explicit(d, "person"))
            named = {"universes": set(map(frozenset, universes)), "d": d, "found": is_complete(blocks)}
            assert unless(lambda universes, d, found: connected_throughout(universes, d) == found, **named) is None


def test_data_sets_that_share_steps_are_those_that_come_through_them():
    numbers = set()
    for runs, k, i, j in some_surveys:
        numbers.add((k, i))
        stages = (*FOUR_STAGES, Stage.PROCESSED)[: len(next(iter(runs)))]
        through = SurveyStages(stages, tuple(runs)).through(stages[k], stages[j - 1])
        found = set(through.universes)
        assert unless(lambda runs, j, k, found: given_to(runs, j, k) == found, runs=runs, k=k, j=j, found=found) is None
    assert {(1, 0), (4, 0), (4, 3)} <= numbers


def test_pairs_stand_in_one_order_in_every_process():
    ((_, _, _, between),) = one_of_two
    assert list(between) == [((x,), (y,)) for x in "abc" for y in "abc" if x != y]
    ((_, _, _, distances),) = weighted_answers
    assert [first for first, _ in distances] == [(who, weight) for who in "abc" for weight in (2, 3)]


KEPT = {Compared.REPLACED: keeps_replaced, Compared.ADDED: keeps_added, Compared.SAME_UNITS: keeps_same_units}

SAMPLES = ((), ((1, "a"),), ((1, "b"),), ((2, "z"),), ((1, "a"), (2, "z")), ((1, "a"), (3, "z")), ((2, "z"), (3, "z")))


@pytest.mark.parametrize("compared", Compared)
def test_a_release_keeps_its_budget_in_words_as_it_does_by_the_distance_of_samples(compared):
    distance, gamma, answers = distance_of_samples(compared), Fraction(2), set()
    for s in SAMPLES:
        for t in SAMPLES:
            for ratio in (Fraction(2), Fraction(3), Fraction(4), Fraction(16)):
                g = {s: Fraction(1), t: ratio} if s != t else {s: Fraction(1)}
                far = None if s == t else distance(s, t)
                kept = s == t or far is None or ratio <= gamma**far
                answers.add(kept)
                assert says_so(KEPT[compared], g=g, gamma=gamma) == kept
    assert answers == {True, False}


def test_the_forms_in_words_are_those_of_the_closed_forms():
    gamma = Fraction(3)
    simple = amplification("simple random sample", gamma, Compared.REPLACED, size=2, frame_size=5).gamma
    assert says_so(lambda gamma, x: all_or_nothing(2 / 5, gamma) == x, gamma=gamma, x=simple)
    for *_, gamma, f, m in islice(clusters.cluster_samples, 3):
        shape = {"number": f.numerator, "clusters": f.denominator, "cluster_size": m}
        form = amplification("cluster sample", gamma, Compared.REPLACED, **shape).gamma
        assert says_so(lambda f, m, gamma, x: of_clusters(f, m, gamma) == x, f=f, m=m, gamma=gamma, x=form)


def test_multipliers_show_no_bound_below_the_largest_ratio():
    claimed = lambda p, q, y, k, n, N, gamma: bound_by_replaced(p, q, y, k * all_or_nothing(n / N, gamma), gamma)
    for p, q, _, y, gamma, n, frame_size in islice(theorem.simple, 0, None, 7):
        case = {"p": p, "q": q, "y": y, "gamma": gamma, "n": n, "N": frame_size}
        assert says_so(claimed, k=1, **case)
        assert not says_so(claimed, k=Fraction(99, 100), **case)


def test_geometric_noise_of_counts_keeps_its_budget():
    """Over all outputs the ratio at two counts is gamma^|difference| at most, and the law sums to 1 in the limit."""
    gamma = Fraction(3)
    assert says_so(lambda gamma: geometric_at(5, 2, gamma) == gamma * geometric_at(5, 1, gamma), gamma=gamma)
    assert says_so(lambda gamma: geometric_at(0, 1, gamma) * gamma == geometric_at(0, 0, gamma), gamma=gamma)
    assert says_so(
        lambda gamma: sum(geometric_at(t - 20, 0, gamma) for t in range(41)) == 1 - 2 / (gamma + 1) * gamma ** (-20),
        gamma=gamma,
    )


def test_a_worst_release_is_shared_out_between_two_mechanisms():
    for p, _, g, h, beta, gamma, *_ in islice(shared_sample.shared_worst, 0, None, 3):
        assert set(p) <= set(g) == set(h)
        assert says_so(
            lambda g, beta, h, gamma: keeps_replaced(g, beta) and keeps_replaced(h, gamma),
            g=g,
            h=h,
            beta=beta,
            gamma=gamma,
        )


def test_overlap_is_counted_by_the_pairs_of_samples():
    p, *_ = next(iter(dependent_samples.same))
    assert says_so(lambda p: drawn_by(p, True, True) == 1 / 2 and drawn_by(p, True, False) == 0, p=p)
    p, *_ = next(iter(dependent_samples.dividing))
    assert says_so(
        lambda p: drawn_by(p, True, True) == 0 and drawn_by(p, True, False) + drawn_by(p, False, True) == 1, p=p
    )


def test_the_cases_of_the_theorem_are_of_one_record():
    for p, q, *_, size, frame_size in theorem.simple:
        both = [max(law.values()) for law in (p, q)]
        assert both[0] == both[1]
        assert {len(s) for s in (*p, *q)} == {size}
        assert len({unit for s in p for unit, _ in s}) == frame_size


def test_samples_that_are_counted_change_as_those_that_are_drawn_do():
    """Units that are alike may be exchanged: the mean change of the worst release is that of the records."""
    counted, number = {}, Counter()
    for p, q, h, r in strata.small_counted:
        number[r] += 1
        counted[r, number[r]] = _mean_change(p, q, h)
    drawn = [(r, _mean_change(p, q, h)) for p, q, h, r in strata.small_rounded]
    assert len(drawn) == 24
    for place, (r, change) in enumerate(drawn):
        assert change == counted[r, place % 12 // 2 + 1]


def _mean_change(p, q, h):
    return sum(p.numeric(s) * h[s] for s in p) - sum(q.numeric(s) * h[s] for s in q)


def test_areas_of_households_are_two_stages_and_clusters_where_these_are_known():
    f, n, r, m = next(case[5:] for case in clusters.of_households)
    assert (f, n, r, m) == (Fraction(1, 2), 1, Fraction(1, 2), 2)
    case = {"f": f, "gamma": Fraction(3)}
    for n in (1, 2, 3):
        assert says_so(
            lambda f, n, gamma: of_areas(f, n, 1 / 2, 1, gamma) == of_two_stages(f, n, 1 / 2, gamma), n=n, **case
        )
        assert says_so(
            lambda f, n, m, gamma: of_areas(f, n, 1, m, gamma) == of_clusters(f, n * m, gamma), n=n, m=2, **case
        )
        assert says_so(
            lambda n, r, m, gamma: of_areas(1, n, r, m, gamma) == of_clusters(r, m, gamma),
            n=n,
            m=2,
            r=Fraction(1, 5),
            **case,
        )


def test_the_samples_of_one_frame_are_at_all_distances():
    """Of clusters no two samples of a frame are neighbours."""
    cases = list(levels.one_frame)
    assert {far for *_, far, _ in cases} == {1, 2}
    assert {len(s) for p, *_ in cases for s in p} == {1, 2}
    assert {rate for *_, rate in cases} == {Fraction(1, 4), Fraction(1, 2)}


def test_every_design_has_samples_of_each_frame():
    for name in words.DESIGNS:
        for population in islice(words.populations(), 0, None, 4):
            for frame in words.frames_of(population):
                units = {unit for unit, _ in frame}
                drawn = words.drawn(name, frame)
                assert {unit for sample in drawn for unit, _, _ in sample} == units


def test_frames_with_other_strata_have_more_samples():
    for _, _, invariant, agnostic in sensitivities.any_strata:
        assert invariant < agnostic


def test_runs_that_are_compared_are_of_two_populations_and_of_many_frames():
    for (runs,) in design_weights.runs:
        populations_of = {}
        for population, frame, _, _ in runs:
            populations_of.setdefault(frame, set()).add(population)
        assert len(populations_of) > 2
        assert max(map(len, populations_of.values())) == 2


def test_probabilities_by_enumeration_are_those_in_closed_form():
    for (enumerated,), (runs,) in zip(design_weights.inclusion_runs, design_weights.runs, strict=True):
        assert set(enumerated) <= set(runs)


def flipped_majority(sample, source, *, gamma):
    return int(2 * sum(record for _, record in sample) > len(sample)) ^ source.bernoulli(1 / (1 + gamma))


@pytest.mark.parametrize("gamma", [Fraction(3, 2), Fraction(3), Fraction(9)])
def test_the_bound_of_a_neighbor_is_not_reached_where_others_decide_too_by_hand(gamma):
    """Two of three others are in the sample: they are split, so that a record decides, with probability 2/3 at most.

    Then an output has (2 gamma + 1)/3 over 1, by the frame's others 0, 0, 1 and the output 1; otherwise nothing.
    """

    def draw(frame, source):
        return select(frame, simple_random_sample(frame, source, size=3))

    def release(sample, source):
        return flipped_majority(sample, source, gamma=gamma)

    frames = [tuple(enumerate(records)) for records in product((0, 1), repeat=4)]
    drawn = {frame: exact_law(draw, frame) for frame in frames}
    released = {sample: exact_law(release, sample) for law in drawn.values() for sample in law}
    found = attacker_ratios(drawn, released, 0)
    assert found.known_in_sample.gamma == (2 * gamma + 1) / 3 < gamma == found.known_sample.gamma


def test_no_attacker_attains_the_bound_by_hand():
    gamma = Fraction(3)
    laws = {((0, r),): Law({r: gamma / (gamma + 1), 1 - r: 1 / (gamma + 1)}) for r in (0, 1)}
    for shares in ((Fraction(1, 10**k), 1 - Fraction(1, 10**k)) for k in range(1, 9)):
        prior = dict(zip(laws, shares, strict=True))
        # 3/4 over w 3/4 + (1 - w) 1/4
        assert posterior_ratio(prior, laws, 0, 0, 0) == gamma / (gamma * shares[0] + shares[1]) < gamma


@pytest.mark.parametrize(("respondents", "missing"), [(1, 1), (1, 3), (2, 1), (2, 2), (3, 1)])
def test_a_donor_loses_a_factor_for_each_copy_that_may_be_theirs_by_the_programs(respondents, missing):
    gamma, whole = Fraction(2), respondents + missing

    def pipeline(data, source):
        completed = hot_deck(data, source, variable=0, donor_class=lambda _: "one class")
        ones = sum(answer for _, (answer,) in completed)
        return clamped_geometric(ones, source, size=whole + 1, ratio=1 / gamma)

    laws = {}
    for answers in product((0, 1), repeat=respondents):
        data = unit_data({unit: (answer,) for unit, answer in enumerate((*answers, *(None,) * missing))})
        laws[data] = exact_law(pipeline, data)
    assert ratio_range(laws, 0).gamma == gamma * (1 + (gamma - 1) / respondents) ** missing


def test_a_record_that_may_be_drawn_twice_is_protected_at_the_amplified_level_by_the_programs():
    """Two draws from three units: an attacker believes a mixture of pairs of independent records, 1 with k/3 each."""
    gamma, shares = Fraction(15, 4), [Fraction(k, 3) for k in range(4)]

    def release(pair, source):
        return clamped_geometric(sum(record for _, record in pair), source, size=3, ratio=1 / gamma)

    def survey(frame, source):
        drawn = sample_with_replacement(tuple(enumerate(frame)), source, size=2)
        return release([(unit, frame[unit]) for unit in drawn], source)

    frames = {frame: exact_law(survey, frame) for frame in product((0, 1), repeat=3)}
    amplified = max(
        first.numeric(t) / second.numeric(t)
        for (x, first), (y, second) in product(frames.items(), repeat=2)
        if sum(map(int.__ne__, x, y)) == 1
        for t in range(3)
    )
    assert amplified == ((gamma + 2) / 3) ** 2 < gamma
    laws = {pair: exact_law(release, pair) for pair in product(((0, 0), (0, 1)), ((1, 0), (1, 1)))}
    for weights in product((0, 1, 10, 1000), repeat=4):
        if any(weights):
            whole = sum(weights)
            prior = {
                pair: sum(w * _both(p, pair) for w, p in zip(weights, shares, strict=True)) / whole for pair in laws
            }
            for r, t in product((0, 1), range(3)):
                if any(prior[pair] for pair in prior if pair[0][1] == r):
                    assert 1 / amplified <= posterior_ratio(prior, laws, 0, r, t) <= amplified


def _both(share, pair):
    first, second = (share if record else 1 - share for _, record in pair)
    return first * second


CASES = [*islice(laplace.mechanisms, 3), *islice(laplace.mechanisms, 3, None, 97)]


def blocks_of(universes, distances, query):
    return InputBlocks(FiniteDomain(tuple(query)), Multiverse(universes), explicit(distances, "person"))


def test_scales_in_words_are_those_of_the_engine():
    for universes, budgets, distances, query, classes in CASES:
        blocks = blocks_of(universes, distances, query)
        by_universe = dict(zip(universes, budgets, strict=True))
        found = laplace_scales(query.__getitem__, blocks, by_universe)
        scales = {x: scale.value for points, scale in found.items() for x in points}
        for x in query:
            assert says_so(
                lambda U, e, d, q, c, x, b: class_scales(U, e, d, q, c)[x] == b,
                U=universes,
                e=budgets,
                d=distances,
                q=query,
                c=classes,
                x=x,
                b=scales[x],
            )


@pytest.mark.parametrize("case", [(0, 1, 3, 1), (0, 2, 3, 2), (1, 0, 1, 0), (1, 0, 2, 0), (1, 1, 1, 2)])
def test_the_loss_in_words_is_that_of_the_engine(case):
    q, b, r, c = case
    assert says_so(
        lambda q, b, r, c, loss: laplace_loss(q, b, r, c) == loss,
        q=(q,),
        b=b,
        r=(r,),
        c=c,
        loss=laplace_distance(*case),
    )


def test_the_printed_scales_differ_where_two_frames_share_a_sample():
    universes, budgets, distances, query, _ = next(iter(laplace.two_frames))
    values = {"U": universes, "e": budgets, "d": distances, "q": query}
    shared, other = "Bea and Cy", "Ann and Bea"
    assert says_so(
        lambda U, e, d, q, x, y: printed_scales(U, e, d, q)[x] > printed_scales(U, e, d, q)[y],
        x=shared,
        y=other,
        **values,
    )


def test_changes_between_samples_in_words_are_those_of_the_engine():
    for (universe,) in islice(sensitivities.one_frame, 0, None, 40):
        samples = {sample: unit_data({unit: (x, w) for unit, x, w in sample}) for sample in universe}
        found = neighbor_sensitivity(
            lambda data: sum(Fraction(w) * x for _, (x, w) in data),
            Multiverse([samples.values()]),
            sample_distance("person"),
        )
        assert says_so(lambda D, value: neighbors_spread(D) == value, D=universe, value=found)
