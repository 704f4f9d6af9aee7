"""Changes of PHSafe that the privacy check passes and the plain counts refute; and some more that privacy refutes."""

from fractions import Fraction
from statistics import NormalDist

import flint
import pytest

from stirred.mechanisms.das.phsafe import BasePerson, RaceEth, Settings, algorithms, derived_tables, measurements
from stirred.mechanisms.das.phsafe.records import Relationship, Tenure
from stirred.spec.laws.discrete_gaussian import point_probability
from stirred.spec.numbers.ball import ball_of, box_of, precision
from stirred.verify.ledger.engines.phsafe.privacy_check import base_neighbors, first_excess

WHITE, BLACK = RaceEth(("A",)), RaceEth(("B",))
HEAD = BasePerson("01", 1, 40, WHITE, Relationship.HOUSEHOLDER, "male", Tenure.MORTGAGE)
LODGER = HEAD._replace(race_eth=BLACK, relationship=Relationship.NONRELATIVE, age=30)
CHILD = HEAD._replace(relationship=Relationship.OWN_CHILD, age=5)
HOME = (HEAD, LODGER, LODGER, CHILD)
BUDGET = Fraction(1)


def settings(table, level, tau):
    return Settings({table: {level: 1}}, {table: tau}, ("01",), order="attributes")


def neighbors():
    return [(derived_tables(HOME), derived_tables(x)) for x in base_neighbors(HOME, [LODGER, CHILD], bounded=False)]


def rows(chosen):
    return [one.rows for one in measurements(derived_tables(HOME), chosen)]


COUNTED, GROUP = algorithms.counted_rows, algorithms.group_of


def filtered_after_truncation(table, persons, units, tau, order):
    joined = algorithms.truncate_and_join(persons, units, tau, order)
    return tuple(row for row in joined if table.person_condition(row.person) and table.unit_condition(row.unit))


def as_a_set(table, persons, units, tau, order):
    return COUNTED(table, tuple(dict.fromkeys(persons)), units, tau, order)


def by_the_persons_race(row, *more):
    return GROUP(row._replace(unit=row.unit._replace(race_eth=row.person.race_eth)), *more)


MUTANTS = {
    "set for multiset": ("counted_rows", as_a_set, settings("PH7", "usa_*", 10), 1),
    "the person's race for the householder's": ("group_of", by_the_persons_race, settings("PH1_num", "usa_A-G", 10), 4),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_privacy_passes_what_the_counts_refute(name, monkeypatch):
    part, mutant, chosen, off = MUTANTS[name]
    plain = rows(chosen)
    monkeypatch.setattr(algorithms, part, mutant)
    assert first_excess(neighbors(), chosen, BUDGET) is None
    assert sum(abs(a - b) for a, b in zip(plain, rows(chosen), strict=True)) == off


def test_a_filter_after_truncation_loses_children(monkeypatch):
    elders = tuple(LODGER._replace(age=age) for age in (1, 2))  # before the child in the order, and no own children
    base = (HEAD, *elders, CHILD)
    chosen = settings("PH6", "usa_*", 2)
    pairs = [(derived_tables(base), derived_tables(x)) for x in base_neighbors(base, [CHILD], bounded=False)]
    plain = sum(one.rows for one in measurements(derived_tables(base), chosen))
    monkeypatch.setattr(algorithms, "counted_rows", filtered_after_truncation)
    assert first_excess(pairs, chosen, BUDGET) is None
    assert (plain, sum(one.rows for one in measurements(derived_tables(base), chosen))) == (1, 0)


def with_one_noise(data, chosen):
    """Less than one noise repeated for all groups tells: one count with it, and nearly how the others differ."""
    found, first = [], {}
    for one in measurements(data, chosen):
        base = first.setdefault(one.cell, one)
        apart = one._replace(rows=one.rows - base.rows, sigma_squared=Fraction(1, 10**12))
        found.append(one if one is base else apart)
    return found


def test_one_noise_repeated_for_every_group_tells_neighbours_apart():
    chosen = settings("PH1_num", "usa_A-G", 10)
    joins = LODGER._replace(relationship=Relationship.HOUSEHOLDER, age=20)  # of another race, and the first of the two
    pair = [(derived_tables((CHILD,)), derived_tables((CHILD, joins)))]
    assert first_excess(pair, chosen, Fraction(3, 22**2)) is None
    found = first_excess(pair, chosen, Fraction(10**9), released=with_one_noise)
    assert found is not None
    assert found.loss > 10**9


def test_an_exception_at_an_invalid_row_tells_neighbours_apart():
    def stops(data, chosen):
        if any(person.age < 0 for person in data[0]):
            return ()
        return measurements(data, chosen)

    chosen = settings("PH7", "usa_*", 10)
    pair = [(derived_tables(HOME), derived_tables((*HOME, CHILD._replace(age=-1))))]
    assert first_excess(pair, chosen, BUDGET) is None
    found = first_excess(pair, chosen, Fraction(10**9), released=stops)
    assert found is not None
    assert found.loss is None


def clamped(data, chosen):
    return [one._replace(rows=min(one.rows, 2)) for one in measurements(data, chosen)]


def test_clamping_before_noise_loses_persons():
    chosen = settings("PH7", "usa_*", 10)
    assert first_excess(neighbors(), chosen, BUDGET, released=clamped) is None
    assert sum(rows(chosen)) - sum(one.rows for one in clamped(derived_tables(HOME), chosen)) == 2


SIGMA_SQUARED = Fraction(4)
REACH = 40
"""Twenty standard deviations: what lies beyond weighs less than e^-190, far less than the gaps found."""


@pytest.fixture
def digits():
    with precision(800):
        yield


def gaussian(count, value):
    found = point_probability(SIGMA_SQUARED, value - count, digits=200)
    return box_of(found.lower, found.upper)


def clamped_gaussian(count, value):
    return gaussian(count, value) if value else sum((gaussian(count, -one) for one in range(REACH)), flint.arb(0))


def rounded_gaussian(count, value):
    """P(value - 1/2 < N < value + 1/2), N continuous about the count."""

    def above(x):
        return (ball_of(x) / ball_of(2 * SIGMA_SQUARED).sqrt()).erfc() / 2

    half = Fraction(1, 2)
    return above(value - count - half) - above(value - count + half)


def second_divergence_sum(law, values):
    """The sum of P^2/Q, P and Q the laws of the counts 0 and 1: e^D_2, which may be e^(2 rho^2) = e^(1/sigma^2)."""
    return sum((law(0, one) ** 2 / law(1, one) for one in values), flint.arb(0))


def mean(law, values, power=1):
    return sum((one**power * law(0, one) for one in values), flint.arb(0))


ALL, FROM_ZERO = range(-REACH, REACH + 1), range(REACH + 1)


def test_clamping_after_noise_is_private_and_adds_to_every_small_count(digits):
    assert second_divergence_sum(clamped_gaussian, FROM_ZERO) < ball_of(1 / SIGMA_SQUARED).exp()
    assert abs(mean(gaussian, ALL)) < ball_of(Fraction(1, 10**50))
    # about sigma/sqrt(2 pi) = 0.798, the continuous Gaussian's
    assert mean(clamped_gaussian, FROM_ZERO) > ball_of(Fraction(3, 4))


def test_a_rounded_gaussian_is_private_and_has_more_variance_than_is_stated(digits):
    assert second_divergence_sum(rounded_gaussian, ALL) < ball_of(1 / SIGMA_SQUARED).exp()
    assert mean(gaussian, ALL, 2) < ball_of(SIGMA_SQUARED + Fraction(1, 10**9))
    # 1/12 more
    assert mean(rounded_gaussian, ALL, 2) > ball_of(SIGMA_SQUARED + Fraction(8, 100))


def test_a_rounded_gaussian_of_finitely_many_draws_tells_neighbours_apart():
    """As floating point draws it: there is a largest noise, so that one count has an outcome that the other has not."""
    noises = [round(2 * NormalDist().inv_cdf((2 * one + 1) / 2**12)) for one in range(2**11)]
    outcomes = [{count + noise for noise in noises} for count in (0, 1)]
    assert outcomes[1] - outcomes[0] == {1 + max(noises)}
    assert set(range(min(noises), max(noises) + 1)) == set(noises)
