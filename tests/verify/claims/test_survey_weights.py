"""What the claims on survey weights compute in words is what the engines and the programs compute."""

from fractions import Fraction
from itertools import islice

import pytest

from stirred.spec.domain import FiniteDomain
from stirred.spec.input_premetric import explicit
from stirred.spec.multiverse import Multiverse
from stirred.spec.specification import InputBlocks
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.certificates.language import holds
from stirred.verify.claims.survey_weights import bounds, design_sensitivity, fixed_weights, laplace, words
from stirred.verify.engines.surveys.design_weights import sample_distance
from stirred.verify.engines.surveys.laplace import laplace_distance, laplace_scales
from stirred.verify.engines.surveys.sensitivity import neighbor_sensitivity
from stirred.verify.ledger.failures import words_of


def says(claimed, **values):
    return holds(claimed, values, words_of(claimed))


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
            assert says(
                "class_scales(U, e, d, q, c)[x] == b",
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
    assert says("laplace_loss(q, b, r, c) == loss", q=(q,), b=b, r=(r,), c=c, loss=laplace_distance(*case))


def test_the_printed_scales_differ_where_two_frames_share_a_sample():
    universes, budgets, distances, query, _ = next(iter(laplace.two_frames))
    values = {"U": universes, "e": budgets, "d": distances, "q": query}
    shared, other = "Bea and Cy", "Ann and Bea"
    assert says("printed_scales(U, e, d, q)[x] > printed_scales(U, e, d, q)[y]", x=shared, y=other, **values)


def test_changes_between_samples_in_words_are_those_of_the_engine():
    for (universe,) in islice(bounds.one_frame, 0, None, 40):
        samples = {sample: unit_data({unit: (x, w) for unit, x, w in sample}) for sample in universe}
        found = neighbor_sensitivity(
            lambda data: sum(Fraction(w) * x for _, (x, w) in data),
            Multiverse([samples.values()]),
            sample_distance("person"),
        )
        assert says("neighbors_spread(D) == value", D=universe, value=found.value)


def test_every_design_has_samples_of_each_frame():
    for name in words.DESIGNS:
        for population in islice(words.populations(), 0, None, 4):
            for frame in words.frames_of(population):
                units = {unit for unit, _ in frame}
                drawn = words.drawn(name, frame)
                assert {unit for sample in drawn for unit, _, _ in sample} == units


def test_frames_with_other_strata_have_more_samples():
    for _, _, invariant, agnostic in design_sensitivity.any_strata:
        assert invariant < agnostic


def test_runs_that_are_compared_are_of_two_populations_and_of_many_frames():
    for (runs,) in fixed_weights.runs:
        populations_of = {}
        for population, frame, _, _ in runs:
            populations_of.setdefault(frame, set()).add(population)
        assert len(populations_of) > 2
        assert max(map(len, populations_of.values())) == 2


def test_probabilities_by_enumeration_are_those_in_closed_form():
    for (enumerated,), (runs,) in zip(fixed_weights.inclusion_runs, fixed_weights.runs, strict=True):
        assert set(enumerated) <= set(runs)
