"""Records that `stirred run survey` refuses, and releases of them, merged or one by one."""

import pytest
from survey_files import RUN_RECORDS

from stirred.verify.products.survey import merged


def test_a_file_without_records_is_refused(released):
    empty = {column: [] for column in RUN_RECORDS}
    for name in ("sample.parquet", "sample.csv"):
        assert released(empty, name=name)[3] == f"stirred: {name}: must have at least one record; got none\n"


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        (
            {"weight": [1, 2, None, 4, 5]},
            "sample.parquet: record 3: 'weight' must be a number that is not negative; it has nothing",
        ),
        ({"weight": [1.0, 2.0, float("nan"), 4, 5]}, "record 3: 'weight' must be a number that is not negative"),
        ({"employed": [1, 1, 1, None, 1]}, "record 4: 'employed' must be one of [0, 1]; it has nothing"),
        ({"employed": list("abcde")}, "record 1: 'employed' must be one of [0, 1]; it has another value"),
        ({"weight": [1, 2, -3, 4, 5]}, "record 3: 'weight' must be a number that is not negative; it has another"),
        ({"weight": ["1", "2", "1e9999", "4", "5"]}, "record 3: 'weight' must be a number that is not negative"),
        ({"region": ["north"] * 4 + ["east"]}, "record 5: 'region' must be one of ['north', 'south']; it has another"),
    ],
)
@pytest.mark.parametrize("name", ["sample.parquet", "sample.csv"])
def test_records_that_do_not_fit_are_refused_without_showing_them(released, changed, said, name):
    status, _, out, err = released({**RUN_RECORDS, **changed}, name=name)
    assert (status, out) == (2, "")
    assert said.replace("sample.parquet", name) in err
    assert err.count("\n") == 1
    assert "east" not in err


NON_RESPONSE = (
    ('[[stage]]\nkind = "weights"', '[[stage]]\nkind = "non-response"\nrate = "1/2"\n[[stage]]\nkind = "weights"'),
    ('name = "design"\ndepends_on = []', 'name = "non-response"\nby = "region"\ndepends_on = ["region"]'),
    ("largest = 10\nepsilon = 2000", 'ratio = "1/2"\nleast = 0\nmost = 99'),
)


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"weight": [1, 2, 0, 4, 5]}, "the weight of unit 3 must be positive to be adjusted; got 0"),
        ({"class_size": [2, 2, 3, 3, 2]}, "sizes must have 3 or more for class 'south'; got 2"),
        ({"class_size": [2, 2, 3, 0, 3]}, "record 4: 'class_size' must be a positive integer; it has another value"),
        ({"class_size": [2, 2, 3, None, 3]}, "record 4: 'class_size' must be a positive integer; it has nothing"),
        ({"region": ["north", "north", "south", "south", "x"]}, "record 5: 'region' must be one of"),
    ],
)
@pytest.mark.parametrize("name", ["sample.parquet", "sample.csv"])
def test_what_steps_refuse_is_said_of_the_unit_that_their_program_names(released, monkeypatch, name, changed, said):
    """Merged, or one by one: the same line."""
    sample = {**RUN_RECORDS, "class_size": [2, 2, 3, 3, 3]}
    words = {"name": name, "options": ["--stage", "response"]}
    assert released(sample, *NON_RESPONSE, **words)[0] == 0
    first = released({**sample, **changed}, *NON_RESPONSE, **words)
    assert (first[0], said in first[3], first[3].count("\n")) == (2, True, 1)
    monkeypatch.setattr(merged, "is_merged", lambda *_: False)
    assert released({**sample, **changed}, *NON_RESPONSE, **words) == first


def test_records_one_by_one_give_the_same_release(released, monkeypatch):
    sample = {**RUN_RECORDS, "class_size": [2, 5, 3, 3, 7], "weight": ["1/3", "2.5", "1e1", "0.125", "7"]}
    words = {"options": ["--stage", "response", "--seed", "3"]}
    first = released(sample, *NON_RESPONSE, **words)
    assert first[0] == 0
    taken = []
    monkeypatch.setattr(merged, "is_merged", lambda *_: taken.append(1))
    assert released(sample, *NON_RESPONSE, **words) == first
    assert taken
