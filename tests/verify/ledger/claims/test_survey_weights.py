"""Laplace noise of surveys in words: scales, losses and changes are those of the engines."""

from fractions import Fraction
from itertools import islice

import pytest
from oracles.laplace import laplace_distance, laplace_scales, neighbor_sensitivity

import stirred.verify.ledger.claims.survey_settings.completion  # noqa: F401 its words are used here
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import explicit
from stirred.spec.blocks.multiverse import Multiverse
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.ledger.claims.survey_weights import bounds, laplace
from stirred.verify.ledger.claims.survey_weights.bounds import neighbors_spread
from stirred.verify.ledger.claims.survey_weights.laplace import class_scales, laplace_loss, printed_scales
from stirred.verify.ledger.engines.design_weights import sample_distance
from stirred.verify.ledger.failures import says_so

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
    for (universe,) in islice(bounds.one_frame, 0, None, 40):
        samples = {sample: unit_data({unit: (x, w) for unit, x, w in sample}) for sample in universe}
        found = neighbor_sensitivity(
            lambda data: sum(Fraction(w) * x for _, (x, w) in data),
            Multiverse([samples.values()]),
            sample_distance("person"),
        )
        assert says_so(lambda D, value: neighbors_spread(D) == value, D=universe, value=found)
