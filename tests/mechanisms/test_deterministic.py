from stirred.mechanisms import constant, exact_law, identity, peeking_constant, release_invariants
from stirred.spec import INFINITE, ZERO, Multiplicative

DATA = [(0, 1), (1, 1), (2, 0)]


def losses(mechanism, **parameters):
    released = [exact_law(mechanism, x, **parameters) for x in DATA]
    return [Multiplicative().distance(p, q) for i, p in enumerate(released) for q in released[:i]]


def test_a_constant_loses_nothing():
    assert set(losses(constant, value=7)) == {ZERO}


def test_the_identity_and_the_peeking_constant_lose_everything():
    assert set(losses(identity)) == {INFINITE}
    assert set(losses(peeking_constant)) == {INFINITE}


def test_one_law_of_the_peeking_constant_looks_like_a_constant():
    assert len(exact_law(peeking_constant, DATA[0])) == 1


def test_released_invariants_separate_universes_only():
    released = {x: exact_law(release_invariants, x, invariants=sum) for x in DATA}
    assert Multiplicative().distance(released[1, 1], released[2, 0]) == ZERO
    assert Multiplicative().distance(released[0, 1], released[2, 0]) == INFINITE
