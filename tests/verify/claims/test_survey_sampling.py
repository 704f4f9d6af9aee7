"""What the claims on survey sampling say in words is what `spec` and the engines compute."""

from collections import Counter
from fractions import Fraction
from itertools import islice

import pytest

from stirred.spec.surveys.amplification import Compared, amplification
from stirred.verify.certificates.language import holds
from stirred.verify.claims.survey_sampling import (
    clusters,
    dependent_samples,
    levels,
    shared_sample,
    strata,
    theorem,
    two_stages,
)
from stirred.verify.claims.survey_sampling.words import KEEPS
from stirred.verify.engines.surveys.design_loss import distance_of_samples
from stirred.verify.ledger.failures import plain, words_of


def said(claimed, **case):
    return holds(claimed, {name: plain(value) for name, value in case.items()}, words_of(claimed))


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
                assert said(KEEPS[compared], g=g, gamma=gamma) == kept
    assert answers == {True, False}


def test_the_forms_in_words_are_those_of_the_closed_forms():
    gamma = Fraction(3)
    simple = amplification("simple random sample", gamma, Compared.REPLACED, size=2, frame_size=5).gamma
    assert said("all_or_nothing(2 / 5, gamma) == x", gamma=gamma, x=simple)
    for *_, gamma, f, m in islice(clusters.cluster_samples, 3):
        shape = {"number": f.numerator, "clusters": f.denominator, "cluster_size": m}
        form = amplification("cluster sample", gamma, Compared.REPLACED, **shape).gamma
        assert said("of_clusters(f, m, gamma) == x", f=f, m=m, gamma=gamma, x=form)


def test_multipliers_show_no_bound_below_the_largest_ratio():
    claimed = "bound_by_replaced(p, q, y, k * all_or_nothing(n / N, gamma), gamma)"
    for p, q, _, y, gamma, n, frame_size in islice(theorem.simple, 0, None, 7):
        case = {"p": p, "q": q, "y": y, "gamma": gamma, "n": n, "N": frame_size}
        assert said(claimed, k=1, **case)
        assert not said(claimed, k=Fraction(99, 100), **case)


def test_geometric_noise_of_counts_keeps_its_budget():
    """Over all outputs the ratio at two counts is gamma^|difference| at most, and the law sums to 1 in the limit."""
    gamma = Fraction(3)
    assert said("geometric_at(5, 2, gamma) == gamma * geometric_at(5, 1, gamma)", gamma=gamma)
    assert said("geometric_at(0, 1, gamma) * gamma == geometric_at(0, 0, gamma)", gamma=gamma)
    assert said(
        "sum(geometric_at(t - 20, 0, gamma) for t in range(41)) == 1 - 2 / (gamma + 1) * gamma**(-20)", gamma=gamma
    )


def test_a_worst_release_is_shared_out_between_two_mechanisms():
    for p, _, g, h, beta, gamma, *_ in islice(shared_sample.shared_worst, 0, None, 3):
        assert set(p) <= set(g) == set(h)
        assert said("keeps_replaced(g, beta) and keeps_replaced(h, gamma)", g=g, h=h, beta=beta, gamma=gamma)


def test_overlap_is_counted_by_the_pairs_of_samples():
    p, *_ = next(iter(dependent_samples.same))
    assert said("drawn_by(p, True, True) == 1 / 2 and drawn_by(p, True, False) == 0", p=p)
    p, *_ = next(iter(dependent_samples.dividing))
    assert said("drawn_by(p, True, True) == 0 and drawn_by(p, True, False) + drawn_by(p, False, True) == 1", p=p)


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
    f, n, r, m = next(case[5:] for case in two_stages.of_households)
    assert (f, n, r, m) == (Fraction(1, 2), 1, Fraction(1, 2), 2)
    case = {"f": f, "gamma": Fraction(3)}
    for n in (1, 2, 3):
        assert said("of_areas(f, n, 1 / 2, 1, gamma) == of_two_stages(f, n, 1 / 2, gamma)", n=n, **case)
        assert said("of_areas(f, n, 1, m, gamma) == of_clusters(f, n * m, gamma)", n=n, m=2, **case)
        assert said("of_areas(1, n, r, m, gamma) == of_clusters(r, m, gamma)", n=n, m=2, r=Fraction(1, 5), **case)


def test_the_samples_of_one_frame_are_at_all_distances():
    """Of clusters no two samples of a frame are neighbours."""
    cases = list(levels.one_frame)
    assert {far for *_, far, _ in cases} == {1, 2}
    assert {len(s) for p, *_ in cases for s in p} == {1, 2}
    assert {rate for *_, rate in cases} == {Fraction(1, 4), Fraction(1, 2)}
