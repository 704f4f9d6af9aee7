"""The settings of a survey: completion, invariance in two readings, and the classifier.

The stages of a survey: what can come from what, and the primitive multiverses. Data sets whose records have units.
Closed forms of amplification: that of accounts, clusters of every size, and what has no form is refused.
"""

from fractions import Fraction
from itertools import combinations

import pytest

from stirred.spec import FiniteDomain, InputError
from stirred.spec.blocks.input_premetric import InputPremetric, explicit
from stirred.spec.blocks.multiverse import Multiverse, vacuous
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.budgets.sampling import amplified
from stirred.spec.numbers.enclosure import Enclosure, exponential
from stirred.spec.surveys.amplification import Compared, amplification
from stirred.spec.surveys.settings import completed, settings_of
from stirred.spec.surveys.stages import FIVE_STAGES, FOUR_STAGES, Stage, SurveyStages
from stirred.spec.surveys.unit_data import changed_units, record_of, unit_data, units

YOUNG, OLD = unit_data({1: "young", 2: "young", 3: "young"}), unit_data({1: "old", 2: "young", 3: "young"})


def missing_one(data):
    """All but one of the units."""
    return [data[:place] + data[place + 1 :] for place in range(len(data))]


def of_size(number):
    """All samples of one size."""
    return lambda data: combinations(data, number)


def answering(data):
    """Any of the units respond."""
    return [part for number in range(len(data) + 1) for part in combinations(data, number)]


SURVEY = SurveyStages.of_steps(FOUR_STAGES, [YOUNG, OLD], [missing_one, of_size(1), answering])
"""All four stages of dissertation, Definition 6.3.1."""


POPULATION, FRAME, SAMPLE, RESPONDING = FOUR_STAGES

ANY = InputPremetric("any", "person", lambda first, second: 1)


def test_the_completion_cuts_universes_to_what_each_point_reaches():
    domain = FiniteDomain(("a", "b", "c"))
    one_way = explicit({("a", "b"): 1, ("b", "c"): 1}, "person")
    found = completed(InputBlocks(domain, vacuous(domain), one_way))
    assert set(found) == {frozenset("ab"), frozenset("bc"), frozenset("c")}
    assert len(completed(InputBlocks(domain, Multiverse([()]), ANY))) == 0


def test_settings_are_named_as_the_table_names_them():
    assert [str(one) for one in settings_of(FOUR_STAGES)] == [
        "population level, population agnostic",
        "frame level, population agnostic",
        "frame level, population invariant",
        "sample level, population agnostic, frame agnostic",
        "sample level, population invariant, frame agnostic",
        "sample level, population invariant, frame invariant",
        "responding sample level, population agnostic, frame agnostic, sample agnostic",
        "responding sample level, population invariant, frame agnostic, sample agnostic",
        "responding sample level, population invariant, frame invariant, sample agnostic",
        "responding sample level, population invariant, frame invariant, sample invariant",
    ]
    assert [len(settings_of(tuple(Stage)[:n])) for n in range(1, 7)] == [1, 3, 6, 10, 15, 21]
    assert settings_of(FIVE_STAGES)[:10] == settings_of(FOUR_STAGES)


IN_ORDER = (
    "stages must be some of population, frame, augmented frame, sample, responding sample, processed data, each once "
    "and in this order; got "
)


def test_runs_are_chains_of_the_steps():
    assert len(SURVEY.runs) == 2 * 3 * 2 * 2
    assert all(set(responding) <= set(sample) <= set(frame) <= set(p) for p, frame, sample, responding in SURVEY.runs)


def test_a_run_counts_once():
    assert SurveyStages((FRAME, SAMPLE), (("f", "s"), ("f", "t"), ("f", "s"))).runs == (("f", "s"), ("f", "t"))


def test_domains_are_all_that_some_population_gives():
    assert SURVEY.domain(POPULATION).points == (YOUNG, OLD)
    assert len(SURVEY.domain(FRAME)) == 5  # both populations give the frame without person 1
    assert len(SURVEY.domain(SAMPLE)) == 4
    assert len(SURVEY.domain(RESPONDING)) == 5  # nobody may respond


def test_primitive_multiverses_compose_the_steps():
    one = ((2, "young"),)
    frames = SURVEY.coming_from(FRAME, POPULATION)
    assert frames[YOUNG] == frozenset(missing_one(YOUNG))
    samples = SURVEY.coming_from(SAMPLE, POPULATION)
    assert samples[OLD] == {((unit, record),) for unit, record in OLD}
    assert SURVEY.coming_from(RESPONDING, SAMPLE)[one] == {(), one}
    assert len(SURVEY.primitive(SAMPLE, FRAME)) == 5
    assert len(SURVEY.primitive(SAMPLE, POPULATION)) == 2
    for early, late in combinations(FOUR_STAGES, 2):
        assert set(SURVEY.primitive(late, early)) == set(SURVEY.through(late, early))


def test_a_step_that_looks_further_back():
    """Expansion weights use the size of the frame: one of two persons stands for two, one of three for three."""
    frames = [("ann", "bob"), ("ann", "bob", "cyd")]
    runs = tuple((frame, (unit,), (unit, len(frame))) for frame in frames for unit in frame)
    weighted = SurveyStages((FRAME, RESPONDING, Stage.PROCESSED), runs)
    assert weighted.coming_from(Stage.PROCESSED, RESPONDING)[("ann",)] == {("ann", 2), ("ann", 3)}
    assert frozenset({("ann", 2)}) in set(weighted.through(Stage.PROCESSED, RESPONDING))


def test_fifth_stage():
    five = SurveyStages.of_steps(FIVE_STAGES, [YOUNG], [missing_one, of_size(1), answering, lambda data: [len(data)]])
    assert five.domain(Stage.PROCESSED).points == (0, 1)
    assert five.before(Stage.PROCESSED) == FOUR_STAGES


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: SurveyStages((SAMPLE, FRAME), (("s", "f"),)), f"{IN_ORDER}sample, frame"),
        (lambda: SurveyStages(("frame", SAMPLE), (("f", "s"),)), f"{IN_ORDER}'frame', sample"),
        (lambda: SurveyStages((FRAME, FRAME), (("f", "f"),)), f"{IN_ORDER}frame, frame"),
        (lambda: SurveyStages((), ()), f"{IN_ORDER}none"),
        (lambda: SurveyStages((FRAME,), ()), "a survey must have at least one run; got none"),
        (
            lambda: SurveyStages((FRAME, SAMPLE), (("f",),)),
            "a run must have a data set for each of the 2 stages; got ('f',)",
        ),
        (
            lambda: SurveyStages((FRAME, SAMPLE), (("f", ("s", [])),)),
            "data sets must be hashable (tuples, not lists); got ('f', ('s', []))",
        ),
        (
            lambda: SurveyStages.of_steps((FRAME, SAMPLE), [("a",)], [of_size(2)]),
            "from every frame some sample must come; none does from ('a',)",
        ),
        (
            lambda: SurveyStages.of_steps((FRAME, SAMPLE), [("a",)], []),
            "steps must be one for each stage after the first, 1; got 0",
        ),
        (
            lambda: SURVEY.domain(Stage.PROCESSED),
            "stage must be one that the survey has (population, frame, sample, responding sample); got processed data",
        ),
        (lambda: SURVEY.primitive(FRAME, SAMPLE), "early must be a stage before frame; got sample"),
        (lambda: SURVEY.primitive(FRAME, FRAME), "early must be a stage before frame; got frame"),
        (lambda: SURVEY.through(FRAME, FRAME), "last must be a stage before frame; got frame"),
    ],
)
def test_bad_input_gets_one_line(build, message):
    with pytest.raises(InputError) as caught:
        build()
    assert str(caught.value) == message


ONE = unit_data({"b": 0, "a": 1})


def test_a_data_set_has_one_form():
    assert unit_data({"a": 1, "b": 0}) == (("a", 1), ("b", 0)) == ONE
    assert units(ONE) == ("a", "b")
    assert [record_of(ONE, unit) for unit in units(ONE)] == [1, 0]


@pytest.mark.parametrize(
    ("other", "distance"),
    [({"a": 1, "b": 0}, 0), ({"a": 0, "b": 0}, 1), ({"a": 0, "b": 1}, 2), ({"a": 1, "c": 0}, None), ({"a": 1}, None)],
)
def test_units_keep_their_records_apart(other, distance):
    assert changed_units("person")(ONE, unit_data(other)) == distance


def test_a_unit_that_is_not_there_and_units_without_an_order_are_refused():
    with pytest.raises(InputError, match=r"^the data set has no unit 'c'; its units are \['a', 'b'\]$"):
        record_of(ONE, "c")
    with pytest.raises(InputError, match=r"^units must be all numbers or all texts; got \[1, 'a'\]$"):
        unit_data({1: 0, "a": 1})


def test_the_form_of_the_theorem_is_that_of_accounts():
    rate, epsilon = Fraction(1, 10), Enclosure(Fraction(1), Fraction(1))
    gamma = exponential(Fraction(1), digits=30)
    ends = [
        amplification("simple random sample", end, Compared.REPLACED, size=1, frame_size=10).gamma
        for end in (gamma.lower, gamma.upper)
    ]
    budget = amplified(epsilon, rate)
    assert exponential(budget.lower, digits=25).lower <= ends[1]
    assert exponential(budget.upper, digits=25).upper >= ends[0]
    assert ends[1] - ends[0] < Fraction(1, 10**20)


def test_no_cluster_design_amplifies_more_than_its_smallest_clusters():
    budgets = [
        amplification("cluster sample", 2, Compared.REPLACED, number=1, clusters=5, cluster_size=size).gamma
        for size in range(1, 8)
    ]
    assert budgets == sorted(set(budgets))
    assert budgets[0] == 1 + Fraction(1, 5)
    assert budgets[-1] < 2


@pytest.mark.parametrize(
    ("arguments", "parameters", "message"),
    [
        (("quota sample", 2, Compared.ADDED), {}, "design must be one with a closed form"),
        (("cluster sample", 2, Compared.ADDED), {}, "compared must be REPLACED or SAME_UNITS for a cluster sample"),
        (("sample with replacement", 2, Compared.SAME_UNITS), {}, "compared must be REPLACED for a sample with"),
        (("simple random sample", 2, "bounded"), {}, "no form is known for 'bounded'"),
        (("simple random sample", 2.0, Compared.REPLACED), {"size": 1, "frame_size": 2}, "gamma"),
        (("simple random sample", Fraction(1, 2), Compared.REPLACED), {"size": 1, "frame_size": 2}, "at least 1"),
        (("simple random sample", 2, Compared.REPLACED), {"size": 1}, "must be .'frame_size', 'size'.; got .'size'."),
        (("simple random sample", 2, Compared.REPLACED), {"size": 3, "frame_size": 2}, "size must be at most"),
        (("simple random sample", 2, Compared.ADDED), {"size": 2, "frame_size": 2}, "size must be below frame_size"),
        (("Poisson sample", 2, Compared.ADDED), {"rate": 0}, "rate must be above 0 and at most 1"),
        (("Poisson sample", 2, Compared.ADDED), {"rate": 0.1}, "rate"),
        (("Poisson sample", 2, Compared.REPLACED), {"rate": 1}, "must be none; got"),
        (("systematic sample in a fixed order", 2, Compared.REPLACED), {"step": 2, "frame_size": 5}, "must divide"),
    ],
)
def test_what_has_no_form_is_refused_in_one_line(arguments, parameters, message):
    with pytest.raises(InputError, match=message) as refused:
        amplification(*arguments, **parameters)
    assert "\n" not in str(refused.value)
