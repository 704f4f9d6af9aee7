from fractions import Fraction

from hypothesis import given
from strategies import laws, open_probabilities, tables

from mechanisms import exact_law, permutation_swapping
from mechanisms.permutation_swapping import table_records
from verify.likelihood import approximate_law, check_against


@given(tables(records=4), open_probabilities)
def test_the_swapping_law_has_the_same_value_at_60_digits(table, p):
    records = table_records(table)
    law = exact_law(permutation_swapping, records, swap_rate=p)
    check_against(law, approximate_law(permutation_swapping, records, swap_rate=p), "law")


@given(laws(3, positive=True), laws(3, positive=True))
def test_nested_attempts_and_restarts_have_the_same_value(first, second):
    weights = [[law[t] for t in range(3)] for law in (first, second)]

    def inner(source):
        value = source.choose(weights[0])
        if value == 2:
            source.restart()
        return value

    def outer(source):
        total = source.choose(weights[1]) + source.attempt(inner) + source.attempt(inner)
        if total == 0:
            source.restart()
        return total

    def mechanism(data, source):
        result = source.attempt(inner), source.attempt(outer)
        if result == (0, 1):
            source.restart()
        return result

    check_against(exact_law(mechanism, None), approximate_law(mechanism, None), "law")


def test_two_attempts_without_a_choice_between_them_are_told_apart():
    def half(source):
        if source.uniform(2):
            source.restart()
        return 0

    def third(source):
        source.attempt(half)
        if source.uniform(3):
            source.restart()
        return source.uniform(2)

    value = approximate_law(lambda data, source: source.attempt(third), None)
    assert {outcome: float(mass) for outcome, mass in value.items()} == {0: 0.5, 1: 0.5}


def test_a_point_mass_has_the_value_one():
    assert approximate_law(lambda data, source: data, "x") == {"x": 1}
    check_against(exact_law(lambda data, source: source.choose((1, 0)), None), {0: Fraction(1)}, "law")
