"""Which weights may be treated as fixed, setting by setting; closed forms of sensitivities against enumeration."""

from fractions import Fraction
from itertools import combinations, product

import pytest

from mechanisms.surveys.designs import bernoulli_sample, pps_sample, simple_random_sample
from spec.arguments import InputError
from spec.domain import FiniteDomain
from spec.multiverse import Multiverse, vacuous
from spec.surveys.stages import FOUR_STAGES, Stage, SurveyStages
from verify.engines.surveys.closed_sensitivity import (
    RecordChange,
    changing_weights_sensitivity,
    fixed_weights_sensitivity,
)
from verify.engines.surveys.design_weights import (
    changed_weight,
    sample_distance,
    settings_at,
    weight_table,
    weighted_samples,
)
from verify.engines.surveys.sensitivity import neighbor_sensitivity

POPULATIONS = [((1, a), (2, 1), (3, 2)) for a in (1, 2)]
"""Persons with an income, of whom the first has one of two."""


def survey(design, **parameters):
    return SurveyStages.of_steps(
        FOUR_STAGES,
        POPULATIONS,
        [
            lambda population: [population, *combinations(population, 2)],
            lambda frame: weighted_samples(design, frame, **parameters),
            lambda sample: [s for n in range(len(sample) + 1) for s in combinations(sample, n)],
        ],
    )


def table(level, design, **parameters):
    found = settings_at(survey(design, **parameters), level)
    return {str(row.setting).split(", ", 1)[1]: row for row in weight_table(found, lambda income: income)}


def test_design_weights_are_fixed_where_table_6_2_says_so():
    rows = table(Stage.RESPONDING, simple_random_sample, size=2)
    assert {name: row.is_fixed for name, row in rows.items()} == {
        "population agnostic, frame agnostic, sample agnostic": False,
        "population invariant, frame agnostic, sample agnostic": False,
        "population invariant, frame invariant, sample agnostic": True,
        "population invariant, frame invariant, sample invariant": True,
    }


def test_a_design_of_one_rate_keeps_its_weights_in_every_setting():
    assert all(row.is_fixed for row in table(Stage.SAMPLE, bernoulli_sample, rate=Fraction(1, 3)).values())


def test_a_changed_weight_is_shown_with_its_samples():
    rows = table(Stage.SAMPLE, pps_sample, measure=lambda income: income, size=1)
    changed = rows["population agnostic, frame agnostic"].changed
    assert changed.weights[0] != changed.weights[1]
    for weight, sample in zip(changed.weights, changed.samples, strict=True):
        assert dict(sample)[changed.unit][1] == weight


def test_a_row_says_what_it_found():
    """3: incomes 1 + 2 of all of a frame of two persons, or 3/2·(2 + 2) from three; 3/2: incomes 1 and 2 exchanged."""
    rows = [str(row) for row in table(Stage.SAMPLE, simple_random_sample, size=2).values()]
    assert rows[0] == (
        "sample level, population agnostic, frame agnostic: unit 1 has the weights 1 and 3/2; sensitivity 3"
    )
    assert rows[-1] == "sample level, population invariant, frame invariant: weights are fixed; sensitivity 3/2"


def test_sensitivity_does_not_fall_as_less_is_invariant():
    simple = table(Stage.RESPONDING, simple_random_sample, size=2)
    for rows in (simple, table(Stage.RESPONDING, bernoulli_sample, rate=Fraction(1, 2))):
        values = [row.sensitivity.value for row in rows.values()]
        assert values == sorted(values, reverse=True)
    agnostic, invariant = (list(simple.values())[place].sensitivity.value for place in (0, -1))
    assert agnostic > invariant > 0


def test_weights_alone_are_one_step_apart():
    first, second = ((("a", (1, Fraction(2))),), (("a", (1, Fraction(3))),))
    d = sample_distance("person")
    assert (d(first, second), d(first, first), d(first, ())) == (1, 0, None)
    assert changed_weight(Multiverse([{first, second}]), d).weights == (2, 3)


WEIGHTS = (1, Fraction(3, 2), 4)


def total(data):
    return sum((weight * value for value, weight in data), Fraction(0))


@pytest.mark.parametrize("ends", [(0, 1), (-2, 3), (10, 11), (-3, -2), (5, 5)])
def test_closed_forms_are_what_enumeration_finds(ends):
    low, high = ends
    valued = [tuple(zip(values, WEIGHTS, strict=True)) for values in product({low, high}, repeat=3)]
    kept = FiniteDomain(tuple(valued))
    units = tuple(product(sorted({low, high}), WEIGHTS))
    some = FiniteDomain(tuple(data for n in (1, 2) for data in combinations(units, n)))

    def one_value(x, y):
        return sum(a != b for a, b in zip(x, y, strict=True)) == 1

    def exchanged(x, y):
        return len(x) == len(y) and len(set(x) - set(y)) == 1

    def added(x, y):
        return abs(len(x) - len(y)) == 1 and (set(x) < set(y) or set(y) < set(x))

    for domain, near, change in (
        (kept, one_value, RecordChange.VALUE),
        (some, exchanged, RecordChange.EXCHANGE),
        (some, added, RecordChange.ADD_REMOVE),
    ):
        largest = max((abs(total(x) - total(y)) for x, y in combinations(domain, 2) if near(x, y)), default=0)
        assert fixed_weights_sensitivity(WEIGHTS, low, high, change) == largest


def test_changing_weights_add_what_the_others_can_change_by():
    assert changing_weights_sensitivity([1, 4], 0, 1, size=1) == 4
    assert changing_weights_sensitivity([1, 4], -2, 1, size=5) == 12 + 4 * 3 * 2
    assert changing_weights_sensitivity([3], 0, 1, size=9) == 3


def test_one_frame_stays_within_the_exchange_of_units():
    frame = (("a", 1), ("b", 2), ("c", 2))
    samples = weighted_samples(pps_sample, frame, measure=lambda size: size, size=2)
    weights = [weight for sample in samples for _, (_, weight) in sample]
    found = neighbor_sensitivity(
        lambda s: sum(w * x**2 for _, (x, w) in s), vacuous(FiniteDomain(samples)), sample_distance("person")
    )
    assert 0 < found.value <= fixed_weights_sensitivity(weights, 1, 4, RecordChange.EXCHANGE)


@pytest.mark.parametrize(
    ("weights", "low", "high", "message"),
    [
        ([], 0, 1, "at least one"),
        ([0], 0, 1, "must be positive"),
        ([0.5], 0, 1, "a weight"),
        ([1], 2, 1, "high must be at least low"),
    ],
)
def test_what_cannot_be_is_refused(weights, low, high, message):
    with pytest.raises(InputError, match=message):
        fixed_weights_sensitivity(weights, low, high, RecordChange.VALUE)
