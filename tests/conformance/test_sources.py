"""What every interpreter of a mechanism must do: one class, and one line for each interpreter."""

from fractions import Fraction

import pytest

from stirred.mechanisms import exact_law, replay, sample
from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, follow
from stirred.mechanisms.interpreters.choice_runs import run_masses
from stirred.mechanisms.interpreters.choice_tree import tree_law
from stirred.mechanisms.interpreters.run_lister import list_runs
from stirred.mechanisms.interpreters.sampling import SamplingSource
from stirred.spec import InputError
from stirred.verify.ledger.engines.bounded_law import bounded_law

THIRD = Fraction(1, 3)


def coin(data, source):
    return source.bernoulli(THIRD)


def die(data, source):
    return source.uniform(3)


def weighted(data, source):
    return "abc"[source.choose((Fraction(1, 2), Fraction(1, 3), Fraction(1, 6)))]


def order(data, source):
    return source.permutation(3)


def untouched(data, source):
    return data


def inner(source):
    first, second = source.bernoulli(THIRD), source.bernoulli(THIRD)
    if first == second:
        source.restart()
    return first


def fair(data, source):
    """A fair coin from a biased one (von Neumann)."""
    return source.attempt(inner), data


def whole(data, source):
    """A restart outside of an attempt begins the mechanism afresh."""
    return inner(source)


LAWS = {
    coin: {True: THIRD, False: 2 * THIRD},
    die: dict.fromkeys(range(3), THIRD),
    weighted: {"a": Fraction(1, 2), "b": Fraction(1, 3), "c": Fraction(1, 6)},
    order: {(i, j, 3 - i - j): Fraction(1, 6) for i in range(3) for j in range(3) if i != j},
    untouched: {7: Fraction(1)},
    fair: {(True, 7): Fraction(1, 2), (False, 7): Fraction(1, 2)},
    whole: {True: Fraction(1, 2), False: Fraction(1, 2)},
}


class Conformance:
    """An interpreter as a function from a mechanism and its data to the masses of its outputs."""

    def masses(self, mechanism, data):
        raise NotImplementedError

    @pytest.mark.parametrize("mechanism", LAWS)
    def test_it_gives_the_law(self, mechanism):
        assert self.masses(mechanism, 7) == LAWS[mechanism]

    @pytest.mark.parametrize(
        ("choice", "said"),
        [
            (lambda source: source.bernoulli(0.5), "p must be an exact number"),
            (lambda source: source.bernoulli(2), "p must be"),
            (lambda source: source.uniform(0), "n must be"),
            (lambda source: source.choose((THIRD, THIRD)), "weights of a choice must sum to exactly 1"),
            (lambda source: source.choose({0: 1}), "weights must be a list or tuple of probabilities, by index"),
            (lambda source: source.choose((2, -1)), "weight 0 must be"),
        ],
    )
    def test_a_choice_that_is_none_is_refused(self, choice, said):
        with pytest.raises(InputError, match=said):
            self.masses(lambda data, source: choice(source), 7)

    @pytest.mark.parametrize("body", [lambda s: s.restart(), lambda s: s.attempt(lambda t: t.restart())])
    def test_a_restart_that_never_ends_is_refused(self, body):
        with pytest.raises(InputError):
            self.masses(lambda data, source: body(source), 7)


class TestExactLaw(Conformance):
    def masses(self, mechanism, data):
        law = exact_law(mechanism, data)
        return {outcome: law.numeric(outcome) for outcome in law}


class TestChoiceTree(Conformance):
    def masses(self, mechanism, data):
        law = tree_law(follow(lambda source: mechanism(data, source), ChoiceBudget(10_000)))
        return {outcome: law.numeric(outcome) for outcome in law}


class TestRuns(Conformance):
    def masses(self, mechanism, data):
        found = run_masses(list_runs(lambda source: mechanism(data, source), 10_000), Fraction)
        if not found:
            raise InputError("no run ends")  # the listing says so by being empty
        return found


class TestBoundedLaw(Conformance):
    def masses(self, mechanism, data):
        found = bounded_law(mechanism, data, cutoff=Fraction(1, 1000))
        assert found.missing < Fraction(1, 10**50)  # what was rounded off
        expected = LAWS.get(mechanism, {})
        assert set(found.lower) == set(expected)
        assert all(found.lower[t] <= p <= found.lower[t] + found.missing for t, p in expected.items())
        return expected


class TestSampling(Conformance):
    """Draws and their replay; the law is met within six standard deviations."""

    DRAWS = 3_000

    def masses(self, mechanism, data):
        counts = {}
        for seed in range(self.DRAWS):
            source = SamplingSource(seed)
            output = source.attempt(lambda inner_source: mechanism(data, inner_source))
            if seed < 50:
                assert replay(mechanism, data, source.record) == output == sample(mechanism, data, seed=seed)
            counts[output] = counts.get(output, 0) + 1
        expected = LAWS.get(mechanism, {})
        assert set(counts) == set(expected)
        for outcome, p in expected.items():
            assert (counts[outcome] - self.DRAWS * p) ** 2 <= 36 * self.DRAWS * p * (1 - p)
        return expected
