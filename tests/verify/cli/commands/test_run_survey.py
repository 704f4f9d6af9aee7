"""`stirred run survey` on small files: estimates, what is stated and refused, and nothing half-written."""

import pytest
from survey_files import RUN, RUN_RECORDS

from stirred.verify.cli.commands.run_survey import EXAMPLE
from stirred.verify.cli.commands.survey import EXAMPLE as AUDITED
from stirred.verify.cli.main import main


def table(rows, column):
    return {(row["release"], row["region"]): float(row[column]) for row in rows if row[column]}


@pytest.mark.parametrize("name", ["sample.parquet", "sample.csv"])
def test_without_noise_the_estimates_are_the_classical_ones(released, name):
    """Weights 10 + 10 (30 counts as the largest, 10) in the north, 5 + 5 + 10 in the south."""
    status, rows, out, err = released(name=name)
    assert (status, err) == (0, "")
    assert table(rows, "estimate") == {
        ("persons", "north"): 20,
        ("persons", "south"): 20,
        ("persons", ""): 40,
        ("employed", "north"): 20,
        ("employed", "south"): 15,
        ("employed", ""): 35,
    }
    # post-stratified: 100·20/20 + 300·15/20
    assert table(rows, "calibrated")["employed", ""] == pytest.approx(325)
    assert table(rows, "calibrated")["persons", "south"] == pytest.approx(300)
    assert out.splitlines()[0].endswith("out.csv: written, 6 lines of 5 records")
    assert "epsilon = 4000 (2000 + 2000; calibration costs nothing" in out


IMPUTED = (
    ("employed = [0, 1]", 'employed = [0, 1, "missing"]'),
    ("units = 2", 'units = 2\nmissing = "missing"'),
    (
        '[[mechanism]]\nlabel = "persons"',
        (
            '[[stage]]\nkind = "imputation"\nname = "sequential-hot-deck"\nvariable = "employed"\n'
            'classes = ["region"]\notherwise = 0\ndonations = 1\n[[mechanism]]\nlabel = "persons"'
        ),
    ),
)


@pytest.mark.parametrize("name", ["sample.parquet", "sample.csv"])
def test_missing_values_take_those_of_the_donor_before(released, name):
    sample = {**RUN_RECORDS, "employed": [1, None, None, 1, None]}
    status, rows, _, _ = released(sample, *IMPUTED, name=name)
    assert status == 0
    found = table(rows, "estimate")
    assert (found["employed", "north"], found["employed", "south"]) == (20, 15)


def test_two_margins_are_raked(released):
    status, rows, _, _ = released(
        {**RUN_RECORDS, "employed": [1, 0, 0, 1, 1]},
        ('cells = ["region"]', 'cells = ["region", "employed"]'),
        ('["south", 300]] }', '["south", 300]], employed = [[0, 50], [1, 350]] }'),
    )
    assert status == 0
    cells = {(r["region"], r["employed"]): float(r["calibrated"]) for r in rows if r["release"] == "persons"}
    assert cells["north", "0"] + cells["north", "1"] == pytest.approx(100)
    assert cells["north", "1"] + cells["south", "1"] == pytest.approx(350)


def test_the_noise_has_the_stated_scale_and_repeats_with_a_seed_only(released):
    changes = [("epsilon = 2000", 'epsilon = "1/2"')]
    status, first, out, err = released(RUN_RECORDS, *changes, options=["--seed", "1"])
    assert status == 0
    assert err == "stirred: drawn with a seed: whoever knows it can take the noise away\n"
    # a record moves from one cell to the other with weight 10: 20/(1/2)
    assert [float(row["noise_scale"]) for row in first if row["region"]] == [pytest.approx(40)] * 4
    assert "epsilon = 1 (1/2 + 1/2" in out
    _, again, _, _ = released(RUN_RECORDS, *changes, options=["--seed", "1"])
    _, other, _, _ = released(RUN_RECORDS, *changes)
    assert first == again != other


def test_a_mean_is_over_the_weights_and_has_a_bound_of_its_own(released):
    """Of the south (5·0 + 5·1 + 10·1)/20; a record moves means by 1 in two cells, 20 units of 1/10."""
    changes = (
        ('statistic = "total"', 'statistic = "mean"\notherwise = 0\nunit = "1/10"'),
        ('otherwise = 0\nunit = "1/10"\nof = "employed"\ncells = ["region"]\nlargest = 10',) * 2,
    )
    status, rows, _, _ = released(RUN_RECORDS, *changes)
    assert status == 0
    found = table(rows, "estimate")
    assert found["employed", "south"] == pytest.approx(0.8)  # 0.75 rounded half up
    assert ("employed", "") not in found


def test_a_frame_is_sampled_by_the_design_of_the_file(released):
    frame = {"region": ["north"] * 50 + ["south"] * 50, "employed": [1] * 100}
    changes = [
        ('starts = "sample"', 'starts = "frame"'),
        ('kind = "design"', 'kind = "frame"\n[[stage]]\nkind = "design"'),
    ]
    status, rows, out, _ = released(frame, *changes, ("size = 5", "size = 10"))
    assert status == 0
    assert table(rows, "estimate")["persons", ""] == 100  # ten records of weight 10
    assert (
        "all data sets of the sample that is drawn from 100 records, with the variables region, employed, each" in out
    )
    _, _, out, _ = released(frame, *changes, ("size = 5", "size = 10"), ("epsilon = 2000", 'epsilon = "1/2"'))
    # epsilon' is the logarithm of 1 + (e - 1)/10
    assert "amplification: epsilon <= 0.158565 for records of the frame, granted that it stays secret which" in out


def test_a_budget_of_a_sample_is_none_of_a_frame_whose_records_choose_it(released):
    """With rates by region, a record that moves changes the law of the sample's size."""
    drawn = 'name = "poisson"\nby = "region"\nrates = [["north", 1], ["south", "1/2"]]'
    changes = (
        ('starts = "sample"', 'starts = "population"'),
        ('name = "simple-random-sample"\nsize = 5', drawn),
        ("depends_on = []", 'depends_on = ["region"]'),
    )
    status, _, out, _ = released({"region": ["north"] * 3, "employed": [1, 0, 1]}, *changes)
    assert status == 0
    assert "all data sets of the sample that is drawn from 3 records, with" in out
    assert "amplification: none is claimed: the forms are for designs that do not depend on protected records" in out


def test_later_data_may_be_given_and_earlier_ones_not(released):
    frame = [('starts = "sample"', 'starts = "population"')]
    assert released(RUN_RECORDS, *frame, options=["--stage", "sample"])[0] == 0
    status, _, _, err = released(RUN_RECORDS, options=["--stage", "population"])
    assert (status, err) == (
        2,
        "stirred: --stage must be one where protection has started, sample or processed; got population\n",
    )


def test_numbers_beyond_what_is_listed_count_as_the_nearest(released):
    sample = {**RUN_RECORDS, "employed": [0.5, -3, 0.25, 7, 1]}
    changes = [
        ('collected = ["employed"]', 'collected = ["employed"]\nnumbers = ["employed"]'),
        ("largest = 10", 'largest = 10\nunit = "1/4"'),
    ]
    status, rows, _, _ = released(sample, *changes)
    assert status == 0
    found = table(rows, "estimate")
    assert (found["employed", "north"], found["employed", "south"]) == (5, 5 / 4 + 5 + 10)


def test_randomised_answers_are_a_line_for_each_record(released):
    head, _, rest = RUN.partition("[[mechanism]]")
    text = (
        f'{head}[mechanism]\nname = "randomized-response"\nof = "employed"\nflip_probability = "1/4"\n'
        f"[protection]{rest.partition('[protection]')[2]}"
    )
    status, _, _, err = released(text=text)
    assert (status, "distance changed_units for randomized-response" in err) == (2, True)
    status, rows, out, _ = released(text=text.replace('"hamming_unordered"', '"changed_units"'))
    assert status == 0
    assert [(row["release"], row["record"]) for row in rows] == [("employed", str(n)) for n in range(1, 6)]
    assert {row["estimate"] for row in rows} <= {"0", "1"}
    assert "epsilon = 1.0986122887 (1.0986122887)" in out


def test_the_claim_file_is_audited(released, capsys):
    claim = released.folder / "claim.toml"
    status, _, _, _ = released(RUN_RECORDS, ("epsilon = 2000", 'epsilon = "1/2"'), options=["--claim", str(claim)])
    assert status == 0
    assert main(["audit", str(claim)]) == 3
    out = capsys.readouterr().out
    assert "claimed 1 ≥ the total of the account" in out
    assert "undecided: the sum is right; nothing here shows these parts" in out


FRAME = [('starts = "sample"', 'starts = "population"'), ("epsilon = 2000", 'epsilon = "1/2"')]


def test_what_may_be_claimed_for_the_frame_is_said(released):
    status, _, out, _ = released({**RUN_RECORDS, "weight": [10] * 5}, *FRAME, options=["--stage", "sample"])
    assert status == 0
    # epsilon' is the logarithm of 1 + (e - 1)/10, for a frame of 5·10
    assert "amplification: epsilon <= 0.158565 for records of the population, granted that it stays secret" in out
    assert "that weights do not depend on protected records" in out


@pytest.mark.parametrize(
    ("weights", "size", "said"),
    [
        ([10, 10, 10, 10, 9], 5, "a simple random sample has one weight for all"),
        ([10] * 5, 4, "the sample has 4 units by the file, and 5 records are here"),
        (["1/3"] * 5, 5, "a simple random sample has one weight for all"),
    ],
)
def test_nothing_is_claimed_for_the_frame_where_the_weights_are_others(released, weights, size, said):
    sample = {**RUN_RECORDS, "weight": weights}
    status, _, out, _ = released(sample, *FRAME, ("size = 5", f"size = {size}"), options=["--stage", "sample"])
    assert status == 0
    assert f"amplification: none is claimed: {said}" in out
    assert "epsilon <=" not in out


UNBOUNDED = "mechanism[0] must have a bound on how far one record moves it, to be run: give least and most; or largest"


def test_both_commands_take_the_example_of_each(released, survey, capsys):
    assert main(["run", "survey", "--example"]) == 0
    assert capsys.readouterr().out == EXAMPLE
    status, rows, _, _ = released({**RUN_RECORDS, "employed": [1, None, None, 1, 1]}, text=EXAMPLE)
    assert (status, len(rows)) == (0, 6)
    status, lines, err = survey(text=EXAMPLE)
    assert (status, err) == (0, "")
    assert any("run: ARGUED: stirred run survey states epsilon = 3/4 of data of the sample" in one for one in lines)
    status, _, _, err = released({"employed": ["yes", None]}, text=AUDITED)
    assert (status, err.count(UNBOUNDED.replace("mechanism[0]", "mechanism"))) == (2, 1)
    bounded = AUDITED.replace('ratio = "1/2"', 'ratio = "1/2"\nleast = 0\nmost = 2')
    status, rows, _, _ = released({"employed": ["yes", None, "no"]}, text=bounded)
    assert (status, len(rows)) == (0, 1)
