"""An n-way choice is n runs of a program: what it chooses by is computed once, and is the same object in every run."""

from fractions import Fraction

import pytest

from stirred.mechanisms import clamped_geometric, truncated_geometric
from stirred.mechanisms.kernel import kernel
from stirred.mechanisms.source import Source
from stirred.mechanisms.zone_mass import ORIGIN, Geometric, zone_mass, zone_steps
from stirred.spec.law import Law

RATIO = Fraction(2, 3)
LAWS = {0: Law({"a": Fraction(1, 3), "b": Fraction(2, 3)})}


class Recording(Source):
    """Takes the first outcome, and keeps what was asked."""

    def __init__(self):
        self.asked = []

    def choose(self, weights):
        self.asked.append(weights)
        return 0

    def attempt(self, body):
        return body(self)


def clamped_twice(count, source):
    first, second = (count + source.discrete_laplace(RATIO) for _ in range(2))
    return source.clamp(first, 0, 9), source.clamp(first - second, 0, 9), second >= 2


PROGRAMS = {
    "clamped": lambda source: clamped_geometric(3, source, size=9, ratio=RATIO),
    "truncated": lambda source: truncated_geometric(3, source, size=9, ratio=RATIO),
    "kernel": lambda source: kernel(0, source, laws=LAWS),
    "uniform": lambda source: source.uniform(6),
    "clamp": lambda source: clamped_twice(4, source),
}


@pytest.mark.parametrize("program", PROGRAMS.values(), ids=list(PROGRAMS))
def test_the_weights_are_the_same_object_in_every_run(program):
    runs = []
    for _ in range(3):
        source = Recording()
        program(source)
        runs.append(source.asked)
    assert runs[0]
    for others in zip(*runs, strict=True):
        assert len({id(one) for one in others}) == 1


@pytest.mark.parametrize("geometric", [clamped_geometric, truncated_geometric])
def test_other_parameters_have_other_weights(geometric):
    settings = [(count, size, ratio) for count in (0, 1, 2) for size in (3, 4) for ratio in (RATIO, RATIO / 2)]
    asked = []
    for count, size, ratio in settings:
        source = Recording()
        geometric(count, source, size=size, ratio=ratio)
        asked += map(tuple, source.asked)
    assert len(set(asked)) == len(settings)


@pytest.mark.parametrize("cuts", [range(-2, 3), range(1, 2_500)])
def test_steps_are_the_masses_between_cuts(cuts):
    laws = {0: Geometric(RATIO, is_two_sided=True)}
    places, weights = zone_steps(laws, {}, ORIGIN, 0, cuts)
    assert places == tuple(range(len(cuts) + 1))
    reached = [zone_mass(laws, {(ORIGIN, 0): -cut}) for cut in cuts[:5]]
    assert [1 - sum(weights[: k + 1]) for k in range(5)] == reached
    assert sum(weights) == 1
    known, _ = zone_steps(laws, {(0, ORIGIN): cuts[1]}, ORIGIN, 0, cuts)
    assert known == (0, 1, 2)
