from fractions import Fraction

import pytest

from stirred.spec.law import Law, point_mass, uniform_law
from stirred.spec.output_premetrics import tradeoff_curve
from stirred.verify.engines.algebra import blackwell
from stirred.verify.engines.algebra.blackwell import NoKernel, PostProcessing, post_processing
from stirred.verify.evidence.finding import EngineError


def coin(head):
    return Law({0: Fraction(head), 1: 1 - Fraction(head)})


def test_a_kernel_that_was_applied_is_found_again():
    p, q = Law({t: Fraction(k, 6) for t, k in enumerate((1, 2, 3))}), uniform_law((0, 1, 2))
    noisy = {0: coin("1/3"), 1: coin("3/4"), 2: point_mass(1)}.__getitem__
    found = post_processing(p, q, p.bind(noisy), q.bind(noisy))
    assert isinstance(found, PostProcessing)
    assert p.bind(found.kernel.__getitem__) == p.bind(noisy)
    assert q.bind(found.kernel.__getitem__) == q.bind(noisy)


def test_no_kernel_makes_a_fair_coin_tell():
    found = post_processing(coin("1/2"), coin("1/2"), coin("1/3"), coin("2/3"))
    assert found == NoKernel(Fraction(2, 3), Fraction(2, 3), Fraction(5, 6)) or isinstance(found, NoKernel)
    assert found.wanted > found.power


def test_crossing_curves_have_no_kernel_either_way():
    first, second = (coin("1/2"), coin("1/10")), (Law({0: Fraction(1, 5), 1: Fraction(4, 5)}), point_mass(1))
    assert isinstance(post_processing(*first, *second), NoKernel)
    assert isinstance(post_processing(*second, *first), NoKernel)


def test_disagreement_with_the_curves_is_an_engine_failure(monkeypatch):
    monkeypatch.setattr(blackwell, "tradeoff_curve", lambda p, q: tradeoff_curve(point_mass(0), point_mass(0)))
    with pytest.raises(EngineError, match="no kernel exists although"):
        post_processing(coin("1/2"), coin("1/2"), coin("1/3"), coin("2/3"))
