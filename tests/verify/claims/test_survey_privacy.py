"""The claims about attackers of a survey: verdicts, mutants, and the counterexamples by hand."""

from fractions import Fraction
from itertools import product

import pytest

from stirred.mechanisms import clamped_geometric, exact_law
from stirred.mechanisms.surveys.designs import sample_with_replacement, select, simple_random_sample
from stirred.mechanisms.surveys.imputation import hot_deck
from stirred.spec.law import Law
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.engines.surveys.posteriors import attacker_ratios, posterior_ratio, ratio_range
from stirred.verify.evidence.verdict import Verdict

REFUTED = {
    "survey.neighbor.achieved": "incomplete",
    "survey.neighbor.not-amplified": "incomplete",
    "survey.journalist.any-sampling": "incomplete",
    "survey.journalist.achieved": "incomplete",
    "survey.journalist.second-line": "misprint",
}


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_refuted_has_its_grade(name, checked):
    record = checked(name)
    assert record.verdict is Verdict.REFUTED
    assert record.claim.grade.word == REFUTED[name]


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
