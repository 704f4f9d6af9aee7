"""Survey files that cannot be: one line with stage and key, and nothing printed."""

import pytest
from survey_files import STRATA


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("size = 2", "size = 0", "stage[1].size must be at least 1; got 0"),
        ("size = 2", "sizes = 2", "stage[1].sizes: unknown key; did you mean 'size'?"),
        ("size = 2", "size = 4", "size must be at most the 3 units of the frame; got 4"),
        ("size = 2", 'size = 2\ninclusion = "3/2"', "stage[1].inclusion must be above 0 and at most 1; got 3/2"),
        ("size = 2", 'size = 2\ninclusion = "1/2"', "inclusion must be the design's, 2/3 for unit 1; got 1/2"),
        ("size = 2", 'size = 2\ninclusion = [[1, "2/3"]]', "inclusion must have a probability for every unit"),
        ('kind = "frame"', 'kind = "frame"\nunits = [1, 9]', "stage[0].units must lie in the population, [1, 2, 3]; 9"),
        ('kind = "frame"', 'kind = "frame"\ncoverage = 0', "stage[0].coverage must be above 0 and at most 1; got 0"),
        ('kind = "imputation"', 'kind = "frame"', "stage[2].kind must not be 'frame' after 'design'"),
        ('kind = "imputation"', 'kind = "editing"', "stage[2].kind: unknown name 'editing'"),
        ('kind = "design"', 'kind = "weights"', "stage[1].kind must not be 'weights' without a 'design' before it"),
        ("otherwise", "instead", "stage[2].instead: unknown key"),
        ('missing = "missing"', "", "stage[2].variable must be one that can be missing"),
        ('missing = "missing"', 'missing = "none"', "population.missing must be a value of some variable; got 'none'"),
        ("units = 3", "units = 30", "population.units must be 1 to 12 for an exact answer; got 30"),
        ("units = 3", "units = 10", "population must have at most 20000 data sets for an exact answer"),
        ('ratio = "1/2"', "ratio = 0.5", 'mechanism.ratio must be an exact number; got the float 0.5: quote it, "0.5"'),
        ('ratio = "1/2"', "ratio = 1", "mechanism.ratio must be between 0 and 1, exclusive; got 1"),
        ('employed = "yes" }', 'employed = "maybe" }', "mechanism.where.employed must be a value of 'employed'"),
        ('"frame"                  #', '"response" #', "protection.starts must be a stage that the survey has"),
        ('"nothing"', '"sample"', "protection.invariant must be a stage before the mechanism starts"),
        ("resolution", "unit", "protection.unit: unknown key"),
        ('"hamming_unordered"', '"hamming"', "protection.distance: unknown name 'hamming'"),
        (
            'ratio = "1/2"',
            'ratio = "1/2"\nunit = "1/200"',
            "mechanism.unit must divide the range of the statistic, 0 to 2, into at most 300 steps",
        ),
        (
            'name = "hot-deck"\nvariable = "employed"\notherwise = "no" ',
            'name = "noisy-table"\nvariable = "employed"\nratio = "1/2"\nlargest = 31 ',
            "stage[2].largest must make (largest + 1)^2, the tables of 2 noisy counts, at most 1000",
        ),
        ("[protection]", "[budget]\nepsilon = [1, 2]\n[protection]", "budget.epsilon must be one number; got [1, 2]"),
        ("[protection]", "[budget]\n[protection]", "budget must have epsilon or gamma, one of them; got none"),
        (
            "[protection]",
            "[budget]\nepsilon = 1\ngamma = 2\n[protection]",
            "budget must have epsilon or gamma, one of them; got both",
        ),
        (
            "size = 2",
            'size = 2\ninclusion = [[1, "2/3"], [2, "2/3"], [3, "2/3"], [4, "2/3"]]',
            "stage[1].inclusion must be of units of the population, [1, 2, 3]; got 4",
        ),
        ("units = 3", "units = 7", "2390391 pairs of data sets share a universe there, more than 600000"),
        ('id = "town.jobs"', 'id = "town jobs"', "id must be words joined by"),
    ],
)
def test_what_cannot_be_is_refused_with_stage_and_key(survey, old, new, said):
    status, out, err = survey((old, new))
    assert (status, out) == (2, [])
    assert err.count("\n") == 1
    assert err.startswith("stirred: s.toml: ")
    assert said in err


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'depends_on = ["region"]',
            "depends_on = []",
            "stage[1].depends_on must name 'region': the design draws by it",
        ),
        ('depends_on = ["region"]', "", "stage[1].depends_on: missing key"),
        (
            'by = "region"',
            'by = "income"',
            "stage[0].by must be known before the sample is drawn; 'income' is collected",
        ),
        ('unit = "1/2"', "", "mechanism.unit must divide every value of the statistic; 3/2 is no multiple of 1"),
        ("proportional = 2", "proportional = 2\nneyman = 2", "or neyman must be given, one of them"),
        ('name = "design"', 'name = "non-response"\nby = "region"', "must not be 'non-response' without"),
        ('collected = ["income"]', 'collected = ["wage"]', "population.collected: unknown variable 'wage'"),
    ],
)
def test_weights_that_are_not_declared_are_refused(survey, old, new, said):
    status, out, err = survey((old, new), text=STRATA)
    assert (status, out) == (2, [])
    assert said in err
    assert err.count("\n") == 1


def test_long_work_is_refused_before_it_is_done(survey):
    status, out, err = survey(("units = 3", "units = 9"), options=["--seconds", "1"])
    assert (status, out) == (2, [])
    assert "s.toml" in err
    assert "use a smaller domain or raise --seconds" in err
