from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.mechanisms import replay, sample
from stirred.mechanisms.das.phsafe import (
    HOUSEHOLDERS,
    BasePerson,
    Person,
    RaceEth,
    Settings,
    Unit,
    derived_counts,
    derived_tables,
    measurements,
    phsafe,
    truncate_and_join,
    truncated,
    unique_units,
)
from stirred.mechanisms.das.phsafe.algorithms import ORDERS
from stirred.mechanisms.das.phsafe.published import (
    CELL_NUMBERS,
    RACES,
    GeoRow,
    PersonRow,
    UnitRow,
    published_runs,
    published_tables,
)
from stirred.mechanisms.das.phsafe.records import HouseholdStatus, Relationship, Tenure
from stirred.mechanisms.interpreters.sampling import SamplingSource
from stirred.spec import InputError

WHITE, BLACK_HISPANIC, TWO = RaceEth(("A",)), RaceEth(("B",), is_hispanic=True), RaceEth(("A", "D"))
LEVELS = {f"{geography}_{iterations}": 1 for geography in ("usa", "state") for iterations in ("*", "A-G", "H,I")}
TABLES = ("PH1_num", "PH1_denom", "PH2", "PH3", "PH4", "PH5_denom", "PH6", "PH7", "PH8_denom")
THRESHOLDS = dict.fromkeys(("PH1_num", "PH2", "PH3", "PH4", "PH6", "PH7"), 10)


def settings(tables=TABLES, **changes):
    return Settings(
        **{"budgets": dict.fromkeys(tables, LEVELS), "thresholds": THRESHOLDS, "states": ("01", "02"), **changes}
    )


def counts(data, table, level, **changes):
    found = measurements(data, settings((table,), **changes))
    return {(*one.group, one.cell): one.rows for one in found if one.level == level and one.rows}


def base(mafid, age, relationship, race=WHITE, *, sex="male", tenure=Tenure.RENTED, state="01"):
    return BasePerson(state, mafid, age, race, relationship, sex, tenure)


FAMILY = (
    base(1, 40, Relationship.HOUSEHOLDER, BLACK_HISPANIC, tenure=Tenure.MORTGAGE),
    base(1, 41, Relationship.OPPOSITE_SEX_SPOUSE, sex="female"),
    base(1, 12, Relationship.OWN_CHILD, TWO),
    base(1, 3, Relationship.OWN_CHILD, TWO),
    base(1, 17, Relationship.GRANDCHILD, TWO),
    base(1, 30, Relationship.NONRELATIVE),
)
ALONE = (base(2, 70, Relationship.HOUSEHOLDER, sex="female", state="02"),)
DATA = derived_tables(FAMILY + ALONE)


class TestTables:
    def test_units_follow_from_their_persons(self):
        assert DATA[1] == (
            Unit("01", 1, BLACK_HISPANIC, Tenure.MORTGAGE, HouseholdStatus.OPPOSITE_SEX_MARRIED, is_family=True),
            Unit("02", 2, WHITE, Tenure.RENTED, HouseholdStatus.FEMALE_ALONE, is_family=False),
        )

    @pytest.mark.parametrize(
        ("table", "level", "expected"),
        [
            ("PH1_num", "usa_*", {("usa", "*", "under 18 years"): 3, ("usa", "*", "18 years and over"): 4}),
            (
                "PH1_num",
                "state_H,I",
                {
                    ("01", "H", "under 18 years"): 3,
                    ("01", "H", "18 years and over"): 3,
                    ("02", "I", "18 years and over"): 1,
                },
            ),
            ("PH1_denom", "usa_A-G", {("usa", "B", "total"): 1, ("usa", "A", "total"): 1}),
            (
                "PH2",
                "usa_*",
                {("usa", "*", "opposite-sex married couple"): 6, ("usa", "*", "female householder, living alone"): 1},
            ),
            # by the race of the person, not of the householder
            ("PH3", "state_A-G", {("01", "G", "own child, married couple family"): 2, ("01", "G", "grandchild"): 1}),
            # neither the nonrelative nor who lives alone
            ("PH4", "usa_*", {("usa", "*", "under 18 years"): 3, ("usa", "*", "18 years and over"): 2}),
            ("PH5_denom", "state_*", {("01", "*", "total"): 1}),
            (
                "PH6",
                "usa_*",
                {
                    ("usa", "*", "married couple family, under 4 years"): 1,
                    ("usa", "*", "married couple family, 12 to 17 years"): 1,
                },
            ),
            (
                "PH7",
                "usa_H,I",
                {("usa", "H", "owned with a mortgage or a loan"): 6, ("usa", "I", "renter occupied"): 1},
            ),
            ("PH8_denom", "usa_*", {("usa", "*", "owner occupied"): 1, ("usa", "*", "renter occupied"): 1}),
        ],
    )
    def test_counts_by_hand(self, table, level, expected):
        assert counts(DATA, table, level) == expected

    def test_a_nonrelative_is_in_the_family_under_the_other_preset(self):
        found = counts(DATA, "PH4", "usa_*", family_members="everyone")
        assert found[("usa", "*", "18 years and over")] == 3

    @pytest.mark.parametrize(("rule", "race"), [("designated", BLACK_HISPANIC), ("first", TWO), ("eldest", WHITE)])
    def test_the_householder_is_a_named_choice(self, rule, race):
        assert derived_tables(FAMILY, householder=rule)[1][0].race_eth == race
        assert rule in HOUSEHOLDERS

    def test_empty_cells_are_counted(self):
        # the nation and two states with 1, 7 and 2 iterations; the cells of the nine runs
        assert len(measurements(((), ()), settings())) == 3 * (1 + 7 + 2) * (2 + 1 + 8 + 7 + 2 + 1 + 16 + 3 + 2)
        assert [one[:4] for one in measurements(((), ()), settings())] == [
            one[:4] for one in measurements(DATA, settings())
        ]

    def test_two_identical_persons_are_two_rows(self):
        twice = derived_tables((FAMILY[0], FAMILY[0]))
        assert counts(twice, "PH1_num", "usa_*") == {("usa", "*", "18 years and over"): 2}

    @given(
        st.integers(-5, 120),
        st.sampled_from(["", "A", "AA", "Z", "ABCDEF"]),
        st.sampled_from(["", "nobody", "own child"]),
    )
    def test_an_impossible_row_is_counted_nowhere_and_refused_nowhere(self, age, races, word):
        row = BasePerson("99", 1, age, RaceEth(tuple(races)), word, word, word)
        tables = derived_tables((row,))
        assert all(one.rows == 0 for one in measurements(tables, settings()))
        orphan = ((row.person._replace(state="01"),), ())
        assert all(one.rows == 0 for one in measurements(orphan, settings()))


class TestTruncation:
    @given(st.permutations(range(6)), st.integers(1, 7), st.sampled_from(sorted(ORDERS)))
    def test_the_kept_persons_do_not_depend_on_the_order_of_rows(self, order, tau, name):
        rows = [one.person for one in FAMILY]
        kept = truncated(rows, tau, ORDERS[name])
        assert sorted(kept) == sorted(truncated([rows[i] for i in order], tau, ORDERS[name]))
        assert len(kept) == min(tau, 6)

    @given(st.integers(0, 5), st.integers(1, 6), st.sampled_from(sorted(ORDERS)))
    def test_a_removed_person_changes_at_most_two_rows(self, i, tau, name):
        rows = [one.person for one in FAMILY]
        kept, fewer = (set(truncated(one, tau, ORDERS[name])) for one in (rows, rows[:i] + rows[i + 1 :]))
        assert len(kept ^ fewer) <= 2

    def test_equal_records_have_one_place_in_the_order(self):
        enumerated, written = FAMILY[2].person, FAMILY[2].person._replace(relationship="own child")
        assert enumerated == written
        assert {order(enumerated) == order(written) for order in ORDERS.values()} == {True}

    def test_units_with_one_mafid_are_all_dropped(self):
        unit = DATA[1][0]
        assert unique_units((unit, unit, DATA[1][1])) == (DATA[1][1],)
        assert len(truncate_and_join(DATA[0], (unit, unit, DATA[1][1]), 10, ORDERS["hash"])) == 1

    def test_persons_are_filtered_before_they_are_truncated(self):
        assert sum(counts(DATA, "PH3", "usa_*", thresholds={"PH3": 3}).values()) == 3

    def test_a_person_without_unit_is_dropped_by_the_join(self):
        assert truncate_and_join((Person("01", 9, 3, WHITE, ""),), DATA[1], 1, ORDERS["hash"]) == ()


class TestRelease:
    def test_noise_is_added_to_every_count(self):
        released = sample(phsafe, DATA, seed=4, settings=settings(("PH7", "PH1_denom")))
        true = measurements(DATA, settings(("PH7", "PH1_denom")))
        assert [one[:4] for one in released] == [one[:4] for one in true]
        assert {type(one.value) for one in released} == {int}
        assert min(one.value for one in released) < 0
        assert {one.sigma_squared for one in released} == {Fraction(22**2, 2), Fraction(2)}

    def test_noise_does_not_depend_on_the_data(self):
        chosen = settings(("PH1_num",))
        full, empty = (sample(phsafe, data, seed=4, settings=chosen) for data in (DATA, ((), ())))
        moved = [one.value - other.value for one, other in zip(full, empty, strict=True)]
        assert moved == [one.rows for one in measurements(DATA, chosen)]

    def test_a_run_replays_from_its_choices(self):
        chosen, source = Settings({"PH1_denom": {"state_*": 2}}, {}, ("01", "02")), SamplingSource(3)
        drawn = phsafe(DATA, source, settings=chosen)
        assert replay(phsafe, DATA, source.record, settings=chosen) == drawn

    def test_what_is_derived_is_a_sum_of_released_counts(self):
        released = sample(phsafe, DATA, seed=1, settings=settings(("PH4", "PH7", "PH1_denom")))
        value = {one[:4]: one.value for one in released}
        derived = {one[:4]: (one.value, one.sigma_squared) for one in derived_counts(released)}
        group, level = ("usa", "B"), "usa_A-G"
        owned = [value["PH7", level, group, cell] for cell in (Tenure.MORTGAGE, Tenure.FREE_AND_CLEAR)]
        rented = value["PH7", level, group, Tenure.RENTED]
        assert derived["PH8_num", level, group, "owner occupied"] == (sum(owned), Fraction(22**2))
        assert derived["PH7", level, group, "total"] == (sum(owned) + rented, Fraction(3 * 22**2, 2))
        ages = [cell for *_, cell in value if cell.endswith(("years", "over"))]
        assert {derived["PH5_num", level, group, age][0] - value["PH4", level, group, age] for age in ages} == {0}
        assert not any(table == "PH1_denom" for table, *_ in derived)

    def test_a_level_without_budget_is_not_released(self):
        # Puerto Rico has no levels of the nation
        chosen = Settings({"PH1_denom": {"usa_*": 0, "state_*": Fraction("0.000135")}}, {}, ("72",))
        assert [one.group for one in measurements(DATA, chosen)] == [("72", "*")]

    @pytest.mark.parametrize(
        ("changes", "message"),
        [
            ({"budgets": {"PH9": {}}}, "unknown table"),
            ({"budgets": {"PH7": {"usa_A": 1}}}, "unknown population group level"),
            ({"budgets": {"PH7": {"usa_*": 0.5}}}, "exact number"),
            ({"budgets": {"PH7": {"usa_*": -1}}}, r"PH7.usa_\* must be"),
            ({"thresholds": {}}, "thresholds"),
            ({"thresholds": {**THRESHOLDS, "PH7": 0}}, "thresholds"),
            ({"order": "rows"}, "order: unknown preset"),
            ({"family_members": "all"}, "family_members: unknown preset"),
            ({"residence": "county"}, "residence: unknown preset"),
            ({"filters": "mine"}, "filters: unknown preset"),
        ],
    )
    def test_bad_settings_are_refused(self, changes, message):
        with pytest.raises(InputError, match=message):
            settings(**changes)

    def test_an_unknown_householder_is_refused(self):
        with pytest.raises(InputError, match="householder: unknown preset"):
            derived_tables(FAMILY, householder="tallest")


class TestPublishedRows:
    """Rows of the published files; each expected cell follows from the codes in the comment beside it."""

    GEO = (
        *(GeoRow("2", mafid, "01") for mafid in (1, 2, 3, 5)),
        GeoRow("2", 4, "02"),
        *(GeoRow("4", 6, "01"), GeoRow("2", 7, "01"), GeoRow("2", 7, "02")),
    )
    UNITS = (
        UnitRow("2", 1, "2", "02", "1", "1", "01", "1"),  # married with own children, mortgage, Black, Hispanic
        UnitRow("2", 2, "1", "01", "4", "4", "09", "5"),  # a man alone, no rent paid, White, not Hispanic
        *[UnitRow("2", 3, "1", "07", "2", "5", "12", "5")] * 2,  # one MAFID twice
        UnitRow("2", 4, "1", "63", "3", "2", "10", "5"),  # a man with own children
        UnitRow("2", 5, "0", "00", "0", "0", "00", "0"),  # vacant
        UnitRow("4", 6, "1", "01", "3", "1", "01", "1"),  # group quarters
        UnitRow("2", 7, "1", "01", "3", "1", "01", "1"),  # a MAFID in two places
        UnitRow("2", 8, "1", "01", "3", "1", "01", "1"),  # a MAFID in no place
    )
    PERSONS = (
        PersonRow("3", 1, 40, "2", "02", "20"),
        PersonRow("3", 1, 41, "1", "01", "21"),
        PersonRow("3", 1, 3, "1", "08", "26"),
        PersonRow("3", 1, 17, "1", "08", "30"),
        PersonRow("3", 1, 16, "1", "04", "35"),
        PersonRow("3", 2, 70, "1", "01", "20"),
        PersonRow("3", 2, 10, "1", "01", "25"),  # an own child in a household type without own children
        PersonRow("5", 1, 20, "1", "01", "38"),
        *(PersonRow("3", mafid, 50, "1", "01", "20") for mafid in (3, 4, 6, 7, 8, 9)),
        PersonRow("3", 4, 12, "1", "63", "27"),
    )

    @pytest.mark.parametrize(
        ("table", "level", "expected"),
        [
            ("PH1_num", "usa_*", {("usa", "*", "under 18 years"): 5, ("usa", "*", "18 years and over"): 4}),
            ("PH1_denom", "usa_*", {("usa", "*", "total"): 5}),
            (
                "PH1_denom",
                "state_A-G",
                {("01", "A", "total"): 1, ("01", "B", "total"): 1, ("01", "G", "total"): 2, ("02", "G", "total"): 1},
            ),
            (
                "PH2",
                "usa_*",
                {
                    ("usa", "*", "opposite-sex married couple"): 5,
                    ("usa", "*", "male householder, living alone"): 2,
                    ("usa", "*", "male householder, living with others"): 2,
                },
            ),
            (
                "PH3",
                "usa_A-G",
                {
                    ("usa", "G", "own child, married couple family"): 1,
                    ("usa", "G", "grandchild"): 1,
                    ("usa", "D", "householder, spouse, unmarried partner, or nonrelative"): 1,
                    ("usa", "G", "own child, male householder, no spouse or partner present"): 1,
                },
            ),
            ("PH4", "usa_*", {("usa", "*", "under 18 years"): 3, ("usa", "*", "18 years and over"): 3}),
            ("PH5_denom", "usa_H,I", {("usa", "H", "total"): 1}),
            (
                "PH6",
                "usa_*",
                {
                    ("usa", "*", "married couple family, under 4 years"): 1,
                    ("usa", "*", "male householder, no spouse or partner present, 12 to 17 years"): 1,
                },
            ),
            ("PH7", "usa_*", {("usa", "*", "owned with a mortgage or a loan"): 5, ("usa", "*", "renter occupied"): 4}),
            ("PH8_denom", "usa_*", {("usa", "*", "owner occupied"): 3, ("usa", "*", "renter occupied"): 2}),
        ],
    )
    def test_counts_by_hand(self, table, level, expected):
        data = published_tables(self.GEO, self.UNITS, self.PERSONS)
        assert counts(data, table, level, filters="published") == expected

    def test_the_codes_of_races(self):
        # six alone, then 15, 20, 15, 6 and 1 combinations
        assert len(RACES) == 63
        chosen = {code: "".join(RACES[code]) for code in ("06", "07", "21", "22", "42", "57", "63")}
        assert chosen == {"06": "F", "07": "AB", "21": "EF", "22": "ABC", "42": "ABCD", "57": "ABCDE", "63": "ABCDEF"}

    def test_each_cell_has_its_published_number(self):
        for name, run in published_runs().items():
            assert len(CELL_NUMBERS[name]) == len(run.cells)
        assert CELL_NUMBERS["PH6"] == (3, 4, 5, 6, 8, 9, 10, 11, 13, 14, 15, 16, 18, 19, 20, 21)

    def test_whose_state_counts_is_a_named_choice(self):
        moved = ((DATA[0][0]._replace(state="02"),), DATA[1])
        assert counts(moved, "PH1_num", "state_*") == {("01", "*", "18 years and over"): 1}
        assert counts(moved, "PH1_num", "state_*", residence="person") == {("02", "*", "18 years and over"): 1}
