"""Imputation: exact laws on small data, and which records an imputed value depends on."""

from fractions import Fraction

import pytest

from stirred.mechanisms import exact_law
from stirred.mechanisms.surveys.imputation import class_mean, class_mode, hot_deck, model_imputation
from stirred.mechanisms.surveys.noisy_table import noisy_table, proportional_draw
from stirred.spec import InputError, Loss, Multiplicative
from stirred.spec.surveys.unit_data import unit_data

DATA = unit_data({1: ("x", 5), 2: ("x", None), 3: ("y", 7), 4: ("x", 6), 5: ("x", None), 6: ("x", 6)})
HALF = Fraction(1, 2)


def first(record):
    return record[0]


def imputed(data):
    return tuple(record[1] for unit, record in data if unit in (2, 5))


class TestHotDeck:
    def test_donors_are_uniform_in_the_class_and_independent(self):
        law = exact_law(hot_deck, DATA, variable=1, donor_class=first)
        share = {5: Fraction(1, 3), 6: Fraction(2, 3)}
        assert dict(law.push(imputed)) == {(a, b): share[a] * share[b] for a in share for b in share}

    def test_observed_records_and_other_variables_stay(self):
        for data in exact_law(hot_deck, DATA, variable=1, donor_class=first):
            assert [record[0] for _, record in data] == [record[0] for _, record in DATA]
            assert [pair for pair in data if pair[0] not in (2, 5)] == [pair for pair in DATA if pair[1][1] is not None]

    def test_one_class_for_all_takes_all_donors(self):
        law = exact_law(hot_deck, DATA, variable=1, donor_class=lambda _: 0)
        assert law.push(imputed)[7, 7] == Fraction(1, 16)

    def test_a_class_cannot_be_seen_in_the_variable_itself(self):
        law = exact_law(hot_deck, DATA, variable=1, donor_class=lambda record: record[1] is None)
        assert law.push(imputed)[7, 7] == Fraction(1, 16)

    def test_changing_a_donor_changes_what_others_are_given(self):
        changed = tuple((unit, ("x", 9) if unit == 1 else record) for unit, record in DATA)
        assert exact_law(hot_deck, changed, variable=1, donor_class=first).push(imputed)[9, 9] == Fraction(1, 9)


class TestClasses:
    def test_the_mode_is_the_most_frequent_value(self):
        assert dict(exact_law(class_mode, DATA, variable=1, imputation_class=first).push(imputed)) == {(6, 6): 1}

    def test_of_equally_frequent_values_the_least_is_taken(self):
        law = exact_law(class_mode, DATA[:5], variable=1, imputation_class=first)
        assert dict(law.push(imputed)) == {(5, 5): 1}

    def test_the_mean_is_exact(self):
        law = exact_law(class_mean, DATA, variable=1, imputation_class=first)
        assert dict(law.push(imputed)) == {(Fraction(17, 3), Fraction(17, 3)): 1}


@pytest.mark.parametrize(
    ("program", "classes"),
    [(hot_deck, "donor_class"), (class_mode, "imputation_class"), (class_mean, "imputation_class")],
)
class TestEveryClass:
    def test_a_class_without_a_donor_is_refused(self, program, classes):
        data = (*DATA, (7, ("z", None)))
        with pytest.raises(
            InputError, match=r"^every class with a missing value must have a donor; class 'z' has none$"
        ):
            exact_law(program, data, **{"variable": 1, classes: first})

    def test_complete_data_stay_as_they_are(self, program, classes):
        data = tuple(pair for pair in DATA if pair[1][1] is not None)
        assert dict(exact_law(program, data, **{"variable": 1, classes: first})) == {data: 1}


BINARY = unit_data({1: ("x", 1), 2: ("x", 0), 3: ("y", 1), 4: ("x", None)})
TABLE = {"variable": 1, "imputation_class": first, "classes": ("x", "y"), "values": (0, 1), "ratio": HALF, "largest": 2}


def neighbours(data, unit):
    """The data sets with another record of one unit."""
    records = [(group, value) for group in "xy" for value in (0, 1, None)]
    return [tuple((u, record if u == unit else old) for u, old in data) for record in records]


class TestNoisyTable:
    def test_counts_are_clamped_and_noise_is_geometric(self):
        law = exact_law(noisy_table, BINARY[:1], **{**TABLE, "classes": ("x",), "values": (1,)})
        # count 1: P(noise = 0) = (1 - 1/2)/(1 + 1/2) = 1/3, and 1/3 on each side of it
        assert dict(law) == {(("x", (t,)),): Fraction(1, 3) for t in range(3)}

    def test_one_record_moves_two_counts_at_most(self):
        laws = [exact_law(noisy_table, data, **TABLE) for data in neighbours(BINARY, 1)]
        losses = {Multiplicative().distance(p, q) for p in laws for q in laws}
        assert max(losses) == Loss(Fraction(4))  # 2 ln(1/alpha)

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            ({"classes": ("x",)}, "classes and values must list every one of the data; got 1 in class 'y'"),
            ({"values": (1, 2)}, "classes and values must list every one of the data; got 0 in class 'x'"),
            ({"values": (1, 1)}, "values must be distinct and at least one; got [1, 1]"),
            ({"classes": ()}, "classes must be distinct and at least one; got []"),
            ({"largest": 0}, "largest must be at least 1; got 0"),
            ({"ratio": Fraction(1)}, "ratio must be between 0 and 1, exclusive; got Fraction(1, 1)"),
        ],
    )
    def test_a_table_that_depends_on_the_data_is_refused(self, change, message):
        with pytest.raises(InputError) as refused:
            exact_law(noisy_table, BINARY, **{**TABLE, **change})
        assert str(refused.value) == message


def by_table(data, source):
    return model_imputation(
        data,
        source,
        variable=1,
        release=lambda given, inner: noisy_table(given, inner, **TABLE),
        model=proportional_draw(first, (0, 1)),
    )


class TestModelImputation:
    @pytest.mark.parametrize(
        ("counts", "chance"), [((1, 1), HALF), ((1, 2), Fraction(2, 3)), ((2, 0), 0), ((0, 0), HALF)]
    )
    def test_values_are_drawn_in_proportion_to_the_counts(self, counts, chance):
        law = exact_law(
            model_imputation,
            BINARY,
            variable=1,
            release=lambda *_: (("x", counts), ("y", (9, 9))),
            model=proportional_draw(first, (0, 1)),
        )
        assert law.event(lambda data: data[3][1] == ("x", 1)) == chance

    def test_given_the_parameter_an_imputed_value_depends_on_no_other_record(self):
        table = (("x", (1, 2)), ("y", (1, 0)))
        for data in neighbours(BINARY, 1):
            law = exact_law(
                model_imputation, data, variable=1, release=lambda *_: table, model=proportional_draw(first, (0, 1))
            )
            assert law.event(lambda found: found[3][1] == ("x", 1)) == Fraction(2, 3)

    def test_the_imputed_record_of_another_unit_tells_no_more_than_the_table_does(self):
        laws = [exact_law(by_table, data).push(lambda found: found[3]) for data in neighbours(BINARY, 1)]
        losses = {Multiplicative().distance(p, q) for p in laws for q in laws}
        assert Loss(Fraction(1)) < max(losses) <= Loss(Fraction(4))

    def test_without_noise_it_tells_more_than_any_budget(self):
        alone = unit_data({1: ("x", 1), 4: ("x", None)})
        laws = [exact_law(hot_deck, data, variable=1, donor_class=first) for data in neighbours(alone, 1)[:2]]
        assert Multiplicative().distance(*(law.push(lambda found: found[1]) for law in laws)) == Loss(None)

    def test_a_model_that_imputes_nothing_or_has_another_table_is_refused(self):
        with pytest.raises(InputError, match=r"^an imputed value must not be None; got it for unit 4$"):
            exact_law(model_imputation, BINARY, variable=1, release=lambda *_: 0, model=lambda *_: None)
        with pytest.raises(InputError, match=r"^the table must have a count of each of 2 values for class 'x'$"):
            exact_law(
                model_imputation, BINARY, variable=1, release=lambda *_: (), model=proportional_draw(first, (0, 1))
            )


def test_equally_frequent_values_have_an_order():
    data = unit_data({1: (1,), 2: ("a",), 3: (None,)})
    with pytest.raises(InputError, match=r"^equally frequent values must be all numbers or all texts; got \[1, 'a'\]$"):
        exact_law(class_mode, data, variable=0, imputation_class=lambda _: 0)


def test_means_are_of_exact_numbers():
    data = unit_data({1: (0.5,), 2: (None,)})
    with pytest.raises(InputError, match=r"^a value must be an exact number; got the float 0\.5"):
        exact_law(class_mean, data, variable=0, imputation_class=lambda _: 0)
