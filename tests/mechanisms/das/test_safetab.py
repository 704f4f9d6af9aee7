from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms import sample
from stirred.mechanisms.das.safetab import (
    MEMBERSHIPS,
    STATISTICS,
    HouseholdRecord,
    NoisyStatistic,
    PersonRecord,
    SafeTabSettings,
    nonnegative_counts,
    safetab,
    suppressed,
    tallies,
)
from stirred.mechanisms.das.safetab.settings import PopulationGroupLevel
from stirred.spec import InputError

HOME = (("usa", "usa"), ("state", "01"))
RACES = {"1": {"101": "North", "102": "North", "201": "South"}, "2": {"101": "Upper", "102": "Lower"}}
ETHNICITIES = {"1": {"h": "Hispanic"}}
ENTITIES = {"usa": ("usa",), "state": ("01", "02")}


def settings(*levels, **changes):
    budgets = {f"privacy_budget_{level}": 1 for level in levels or ("p_level_1_usa",)}
    return SafeTabSettings(budgets, ENTITIES, RACES, ETHNICITIES, **changes)


def person(*races, ethnicity="h", sex="male", age=30, areas=HOME):
    return PersonRecord(areas, races, ethnicity, sex, age)


def members(data, chosen):
    return {(*one.level[1:], *one.group): one.total for one in tallies(data, chosen) if one.total}


class TestGroups:
    def test_a_person_is_in_several_groups_of_each_level(self):
        found = members([person("101", "201")], settings("p_level_1_usa", "p_level_2_state"))
        assert found == {
            ("1", "usa", "usa", "North alone or in combination"): 1,
            ("1", "usa", "usa", "South alone or in combination"): 1,
            ("1", "usa", "usa", "Hispanic"): 1,
            # 201 is of no iteration of level 2
            ("2", "state", "01", "Upper alone"): 1,
            ("2", "state", "01", "Upper alone or in combination"): 1,
        }

    def test_two_codes_of_one_race_are_in_its_groups_once_and_alone(self):
        found = members([person("101", "102", ethnicity="")], settings())
        assert found == {("1", "usa", "usa", "North alone"): 1, ("1", "usa", "usa", "North alone or in combination"): 1}

    def test_the_codes_beyond_the_most_do_not_count(self):
        assert ("1", "usa", "usa", "South alone or in combination") not in members(
            [person("101", "201")], settings(max_race_codes=1)
        )

    def test_two_identical_persons_are_two(self):
        assert set(members([person("101")] * 2, settings()).values()) == {2}

    @given(
        st.lists(st.sampled_from(["101", "102", "201", "unknown"]), max_size=6),
        st.integers(1, 4),
        st.sampled_from(sorted(MEMBERSHIPS)),
        st.sampled_from(["h", "x"]),
    )
    def test_no_record_is_in_more_groups_than_noise_is_made_for(self, races, most, membership, ethnicity):
        chosen = settings(max_race_codes=most, membership=membership)
        found = members([person(*races, ethnicity=ethnicity)], chosen)
        assert len(found) <= MEMBERSHIPS[membership].most(most)
        assert set(found.values()) <= {1}

    @pytest.mark.parametrize(
        ("membership", "race_codes", "most"),
        [("both", 8, 9), ("both", 1, 3), ("in combination", 8, 9), ("in combination", 1, 2), ("alone", 8, 2)],
    )
    def test_the_most_groups_are_attained(self, membership, race_codes, most):
        codes = {str(code): f"race {code}" for code in range(race_codes)}
        chosen = SafeTabSettings(
            *({"privacy_budget_p_level_1_usa": 1}, ENTITIES, {"1": codes}, ETHNICITIES),
            max_race_codes=race_codes,
            membership=membership,
        )
        assert max(len(members([person(*list(codes)[:n])], chosen)) for n in range(1, race_codes + 1)) == most
        assert MEMBERSHIPS[membership].most(race_codes) == most


class TestStatistics:
    @pytest.mark.parametrize("table", sorted(STATISTICS))
    def test_each_statistics_level_refines_the_one_before(self, table):
        records = [person("101", sex=sex, age=age) for sex in ("male", "female") for age in range(100)]
        if table != "p":
            values = {cell for one in STATISTICS[table]["detailed"] for cell in one.cells}
            records = [HouseholdRecord(HOME, ("101",), "h", value, value) for value in values]
        levels = STATISTICS[table]["detailed"]
        for coarse, fine in pairwise(levels):
            of = {}
            for record in records:
                if (cell := fine.cell(record)) is not None:
                    of.setdefault(cell, set()).add(coarse.cell(record))
            assert set(of) == set(fine.cells)
            assert all(len(cells) == 1 for cells in of.values())

    def test_ages_begin_where_their_names_say(self):
        (_, four, nine, many) = STATISTICS["p"]["detailed"]
        assert [len(one.cells) for one in (four, nine, many)] == [8, 18, 46]
        assert [four.cell(person(age=age)) for age in (0, 17, 18, 64, 65)] == [
            *("male, 0 to 17", "male, 0 to 17", "male, 18 to 44", "male, 45 to 64", "male, 65 and over")
        ]
        assert nine.cell(person(age=75)) == "male, 75 and over"

    @given(st.integers(-3, 130), st.sampled_from(["male", "", "other"]))
    def test_an_impossible_record_is_refused_nowhere(self, age, sex):
        found = list(tallies([person("101", age=age, sex=sex)], settings()))
        for one in found:
            assert all(sum(cells) <= one.total <= 1 for cells in one.cells)

    def test_a_household_is_in_no_cell_of_persons(self):
        (one, *_) = tallies([HouseholdRecord(HOME, ("101",), "h", "", "renter occupied")], settings())
        assert (one.total, one.cells[0], sum(one.cells[1])) == (1, (1,), 0)


class TestNoise:
    def test_both_stages_have_their_share_of_the_budget(self):
        (one, *_) = tallies((), settings(max_race_codes=8))
        # 9 groups; 1/10 and 9/10 of rho^2 = 1: 9/(2/10) and 9/(18/10)
        assert one.scales == (45, 5)
        (one, *_) = tallies((), settings(max_race_codes=8, calibration="rows"))
        assert one.scales == (9 * 45, 9 * 5)
        (one, *_) = tallies((), settings(max_race_codes=8, is_zcdp=False, stage_1_fraction=Fraction(1, 4)))
        assert one.scales == (36, 12)

    def test_what_is_released_depends_on_the_noisy_count(self):
        few, many = ([person("101")] * n for n in (0, 100_000))
        levels = [len(sample(safetab, data, seed=1, settings=settings())) for data in (few, many)]
        # two races alone, and alone or in combination, and one ethnicity; three groups have all persons
        assert levels == [5, 3 * 46 + 2]

    @pytest.mark.parametrize("is_zcdp", [True, False])
    def test_counts_are_integers_around_the_true_ones(self, is_zcdp):
        data = [person("101", sex="female", age=3)] * 600
        chosen = settings(is_zcdp=is_zcdp)
        found = {one.group[1]: {} for one in sample(safetab, data, seed=3, settings=chosen)}
        for one in sample(safetab, data, seed=3, settings=chosen):
            assert isinstance(one.value, int)
            found[one.group[1]][one.cell] = one.value
        assert abs(found["North alone"]["female, 0 to 17"] - 600) < 200
        assert set(found["South alone"]) == {"total"}

    def test_empty_groups_are_released_too(self):
        assert {one.group for one in sample(safetab, (), seed=1, settings=settings("p_level_1_state"))} == {
            (state, iteration)
            for state in ("01", "02")
            for iteration in (
                *("North alone", "North alone or in combination", "South alone", "South alone or in combination"),
                "Hispanic",
            )
        }

    def test_a_budget_of_0_releases_nothing(self):
        chosen = SafeTabSettings({"privacy_budget_p_level_1_aiannh": 0}, {})
        assert sample(safetab, (person("101"),), seed=1, settings=chosen) == ()

    def test_safetab_h_counts_households_by_table(self):
        home = HouseholdRecord(HOME, ("101",), "h", "other family", "renter occupied")
        chosen = settings("h_t3_level_1_usa", "h_t4_level_1_usa", thresholds=(-(10**6), 0))
        found = sample(safetab, (home,) * 10**5, seed=2, settings=chosen)
        cells = {one.level.table: set() for one in found}
        for one in found:
            if one.group[1] == "North alone":
                cells[one.level.table].add(one.cell)
        assert cells["t4"] == {"owned with a mortgage or a loan", "owned free and clear", "renter occupied"}
        assert len(cells["t3"]) == 4


LEVEL = PopulationGroupLevel("p", "1", "county")


def released(cell, value, scale=4):
    return NoisyStatistic(LEVEL, ("001", "Hispanic"), cell, value, Fraction(scale))


def test_totals_that_a_zero_seldom_exceeds_are_suppressed():
    # sigma = 2: P(X <= 6) = 0.9995 and P(X <= 7) = 0.99992
    kept = [suppressed([released("total", n)], zero_suppression_chance=Fraction("0.9999")) for n in (-3, 7, 8)]
    assert [len(one) for one in kept] == [0, 0, 1]
    assert suppressed([released("male, 0 and over", -3)], zero_suppression_chance=Fraction("0.9999"))


def test_negative_counts_become_0_where_they_are_not_allowed():
    assert [one.value for one in nonnegative_counts([released("total", n) for n in (-3, 0, 4)])] == [0, 0, 4]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"membership": "bth"}, "membership: unknown preset; did you mean 'both'"),
        ({"calibration": "row"}, "calibration: unknown preset; did you mean 'rows'"),
        ({"statistics": "totl"}, "statistics: unknown preset; did you mean 'total'"),
        ({"max_race_codes": 0}, "max_race_codes must be"),
        ({"stage_1_fraction": 1}, "stage_1_fraction must be between 0 and 1, exclusive; got 1"),
        ({"stage_1_fraction": 0.1}, "stage_1_fraction must be an exact number; got the float 0.1"),
        ({"thresholds": (2, 1)}, "thresholds must increase; got"),
        ({"thresholds": ("2",)}, r"thresholds\[0\] must be an int"),
    ],
)
def test_wrong_settings_are_refused(changes, words):
    with pytest.raises(InputError, match=words):
        settings(**changes)


@pytest.mark.parametrize(
    ("budgets", "words"),
    [
        (
            {"privacy_budget_p_level_3_usa": 1},
            "privacy_budget_p_level_3_usa: must be privacy_budget_p_level_N_GEOGRAPHY",
        ),
        ({"privacy_budget_p_level_1_usa": -1}, "privacy_budget_p_level_1_usa must be non-negative"),
        ({"privacy_budget_p_level_1_moon": 1}, "entities must have those of 'moon'"),
    ],
)
def test_wrong_budgets_are_refused(budgets, words):
    with pytest.raises(InputError, match=words):
        SafeTabSettings(budgets, ENTITIES)
