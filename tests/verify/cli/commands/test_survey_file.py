"""Survey files that cannot be: one line with stage and key, and nothing printed.

Answers that are missing at some stage of a survey file, and weights that are adjusted for them.
"""

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
        ("[protection]", "[budget]\n[protection]", "budget: exactly one of epsilon, gamma must be given; got none"),
        (
            "[protection]",
            "[budget]\nepsilon = 1\ngamma = 2\n[protection]",
            "budget: exactly one of epsilon, gamma must be given; got epsilon and gamma",
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
        (
            "proportional = 2",
            "proportional = 2\nneyman = 2",
            "exactly one of sizes, proportional, neyman must be given",
        ),
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


ANSWERS = """
id = "answers"
statement = "s"
[population]
schema = { g = ["a", "b"], y = [0, 1] }
units = 2
[[stage]]
kind = "frame"
[[stage]]
kind = "design"
name = "simple-random-sample"
size = 2
STAGES
[mechanism]
name = "geometric"
statistic = "count"
ratio = "1/2"
[protection]
starts = "sample"
invariant = "nothing"
distance = "changed_units"
resolution = "person"
"""


def named(lines, name):
    """The sentence of one finding."""
    (found,) = [line for line in lines if line.startswith(f"{name}: ")]
    return found


def table(*lines):
    """A stage."""
    return "\n".join(["[[stage]]", *lines, ""])


UNITS_RESPOND = table('kind = "non-response"', 'by = "y"', 'rates = [[0, 1], [1, "1/2"]]')

ITEM = table('kind = "non-response"', 'variable = "g"', 'rate = "1/2"')

RESPONSE_WEIGHTS = table('kind = "weights"', 'name = "non-response"', 'by = "g"', 'depends_on = ["g"]')

POST = table(
    'kind = "weights"',
    'name = "post-stratification"',
    'by = "g"',
    'totals = [["a", 1], ["b", 1]]',
    'depends_on = ["g"]',
)

HOT_DECK = table('kind = "imputation"', 'name = "hot-deck"', 'variable = "g"', 'otherwise = "a"')


def raking(y="[[0, 1], [1, 1]]", rounds=1):
    """Weights raked to both variables."""
    margins = f'margins = {{ g = [["a", 1], ["b", 1]], y = {y} }}'
    return table('kind = "weights"', 'name = "raking"', 'depends_on = ["g", "y"]', margins, f"rounds = {rounds}")


def randomized(flip="1/4"):
    """The change to another mechanism."""
    return (
        'name = "geometric"\nstatistic = "count"\nratio = "1/2"\n',
        f'name = "randomized-response"\nof = "g"\nflip_probability = "{flip}"\n',
    )


@pytest.mark.parametrize(
    ("stages", "said"),
    [
        (
            UNITS_RESPOND + RESPONSE_WEIGHTS + RESPONSE_WEIGHTS,
            "stage[4].name must not be a second 'non-response': weights are adjusted for it once",
        ),
        (ITEM + RESPONSE_WEIGHTS, "stage[3].by must be a variable that is never missing; 'g' may be"),
        (ITEM + HOT_DECK + RESPONSE_WEIGHTS, "stage[4].by must be a variable that is never missing; 'g' may be"),
        (ITEM + POST, "stage[3].by must be a variable that is never missing; 'g' may be"),
        (ITEM + raking(), "stage[3].margins.g must be a variable that is never missing; 'g' may be"),
        (
            ITEM + table('kind = "non-response"', 'by = "g"', 'rates = [["a", 1], ["b", "1/2"]]'),
            "stage[3].by must be a variable that is never missing; 'g' may be",
        ),
        (
            ITEM
            + table('kind = "non-response"', 'variable = "y"', 'rate = "1/2"')
            + table('kind = "imputation"', 'name = "hot-deck"', 'variable = "y"', 'classes = ["g"]', "otherwise = 0"),
            "stage[4].classes must be a variable that is never missing; 'g' may be",
        ),
        (HOT_DECK, "stage[2].variable must be one that can be missing"),
        (ITEM + HOT_DECK + HOT_DECK, "stage[4].variable must be one that can be missing"),
        (ITEM.replace('"g"', '"h"'), "stage[2].variable: unknown variable 'h'"),
        (raking(y="[[0, 7], [1, 9]]"), "stage[2].margins: margins must have totals of one sum; got 2, 16"),
        (raking(rounds=10**9), "stage[2].rounds must be at most 20: the weights are exact; got 1000000000"),
    ],
)
def test_stages_that_cannot_be_are_refused_in_one_line(survey, stages, said):
    status, out, err = survey(text=ANSWERS.replace("STAGES\n", stages))
    assert (status, out) == (2, [])
    assert err.count("\n") == 1
    assert f"s.toml: {said}" in err


def test_weights_after_an_imputed_variable_and_beside_others_are_exact(survey):
    """Of {a, a} the count is 1; of {a, b} it is 2 where both answer, else 1: 3/4 * 1/3 + 1/4 * 2/3 = 5/12 over 1/3."""
    status, lines, err = survey(text=ANSWERS.replace("STAGES\n", ITEM + HOT_DECK + POST))
    assert (status, err) == (0, "")
    assert "gamma = 5/4," in named(lines, "answers.loss")


@pytest.mark.parametrize(
    ("before", "gamma"),
    [
        # {a 0, a 1} counts 2 always, {b 1, a 1} counts 0, 1, 2 with 1/4, 1/2, 1/4: 9/24 over 4/24 at 0
        ("", "9/4"),
        # {a 0, a 0} counts 1 always, {a 0, b 0} counts 2: 8/24 over 4/24 at 0
        (POST, "2"),
    ],
)
def test_the_adjustment_finds_its_weights_whatever_stands_before_it(survey, before, gamma):
    status, lines, err = survey(text=ANSWERS.replace("STAGES\n", UNITS_RESPOND + before + RESPONSE_WEIGHTS))
    assert (status, err) == (0, "")
    said = "adjusted for non-response by g (classes in which nobody responds are left out)"
    assert said in named(lines, "answers.setting")
    assert f"gamma = {gamma}," in named(lines, "answers.loss")


def test_a_missing_answer_is_no_second_value(survey):
    status, out, err = survey(randomized(), text=ANSWERS.replace("STAGES\n", ITEM))
    assert (status, out) == (2, [])
    assert "mechanism.of must be a variable that is never missing when it is released; 'g' may be" in err


def test_a_missing_answer_is_no_number(survey):
    total = ('statistic = "count"', 'statistic = "total"\nof = "y"')
    stages = ITEM.replace('"g"', '"y"')
    status, out, err = survey(total, text=ANSWERS.replace("STAGES\n", stages))
    assert (status, out) == (2, [])
    assert "mechanism.of: the values of 'y' must be integers; got a missing answer" in err


def test_an_imputed_answer_is_randomized(survey):
    """Of {a, b} b stands twice with 1/4, once with 1/4, never with 1/2: (9 + 3 + 2)/4 over 1 for two answers b."""
    status, lines, err = survey(randomized(), text=ANSWERS.replace("STAGES\n", ITEM + HOT_DECK))
    assert (status, err) == (0, "")
    assert "gamma = 7/2," in named(lines, "answers.loss")
