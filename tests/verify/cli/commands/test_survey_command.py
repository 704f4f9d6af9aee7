"""`stirred survey` as a person types it."""

import json
from fractions import Fraction
from itertools import product

import pytest
from survey_files import PEOPLE, RATES, STRATA

from stirred.mechanisms.noise.geometric import clamped_geometric
from stirred.mechanisms.surveys.designs import select, simple_random_sample
from stirred.mechanisms.surveys.imputation import hot_deck
from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import hamming_unordered
from stirred.spec.blocks.multiverse import vacuous
from stirred.spec.blocks.specification import Flavor
from stirred.spec.budgets.loss import Loss
from stirred.spec.output_premetrics import Multiplicative
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.cli.commands.survey import EXAMPLE
from stirred.verify.cli.main import main
from stirred.verify.engines.exhaustive import mechanism_laws, smallest_budget
from stirred.verify.laws.surveys import survey_audit


def named(lines, name):
    """The sentence of one finding."""
    (found,) = [line for line in lines if line.startswith(f"{name}: ")]
    return found.split(": ", 2)[2]


def losses(run, *changes, **named_arguments):
    """Each setting's loss, by its name in the output."""
    status, lines, err = run(*changes, options=["--json"], **named_arguments)
    assert (status, err) == (0, "")
    return {
        record["id"].partition(".elsewhere.")[2] or record["id"].rpartition(".")[2]: Loss(
            Fraction(record["gamma"]), record["distance"]
        )
        for record in json.loads("\n".join(lines))
        if "gamma" in record
    }


def test_the_example_prints_what_may_be_claimed_and_what_may_not(survey, capsys):
    assert main(["survey", "--example"]) == 0
    assert capsys.readouterr().out == EXAMPLE
    status, lines, err = survey()
    assert (status, err) == (0, "")
    assert named(lines, "town.jobs.setting").startswith(
        "frame level, population agnostic; inside the mechanism: a simple"
    )
    # {yes, missing} gives two yes, {no, missing} none: (1/2)^-2 = 4; of the frame 1 + 2/3 (4 - 1) = 3
    assert "ln(3)" in named(lines, "town.jobs.loss")
    assert "gamma = 3, needed by x = {1: yes, 2: missing, 3: missing}" in named(lines, "town.jobs.loss")
    assert named(lines, "town.jobs.amplification").startswith("ln(3) ≈ 1.09861 may be claimed")
    # the noise alone loses ln 2 for one record of the imputed data, and 1 + 2/3 (2 - 1) = 5/3 is too little
    assert named(lines, "town.jobs.not-claimed.noise-alone").startswith("ln(5/3) ≈ 0.510826 must not be claimed")
    assert "the loss is ln(4)" in named(lines, "town.jobs.not-claimed.known-unit")
    # 1 + 2/3 (4^2 - 1) = 11 above 3^2
    assert "lose ln(11) ≈ 2.39790 together; two losses of one release make ln(9)" in named(
        lines, "town.jobs.not-claimed.shared-sample"
    )
    assert lines[-1] == "19 findings: 10 settings, 0 refuted"


def test_a_budget_for_processed_records_is_none_for_respondents(survey):
    status, lines, _ = survey(('starts = "frame"', 'starts = "processed"'))
    assert status == 0
    said = named(lines, "town.jobs.not-claimed.respondents")
    assert said.startswith("ln(2) ≈ 0.693147 is about records as processed: about a record of the sample")
    assert "the loss is ln(4)" in said


def test_the_loss_is_that_of_the_program_followed_as_a_whole(survey):
    def release(frame, source):
        sample = select(frame, simple_random_sample(frame, source, size=2))
        if any(answer is not None for _, (answer,) in sample):
            sample = hot_deck(sample, source, variable=0, donor_class=lambda record: 0)
        count = sum(answer == "yes" for _, (answer,) in sample)
        return clamped_geometric(count, source, size=3, ratio=Fraction(1, 2))

    frames = [
        unit_data(dict(zip((1, 2, 3), records, strict=True)))
        for records in product([("yes",), ("no",), (None,)], repeat=3)
    ]
    domain = FiniteDomain(tuple(frames))
    flavor = Flavor(domain, vacuous(domain), hamming_unordered("person"), Multiplicative())
    loss, _ = smallest_budget(mechanism_laws(release, domain), flavor)
    assert losses(survey)["loss"] == loss == Loss(3)


def test_clamping_the_noise_to_the_range_of_the_statistic_hides_nothing(survey):
    """A wider range has the same losses: beyond it the likelihood ratio does not change."""
    domain = FiniteDomain((((0, 1),), ((1, 2),), ((2, 3),)))

    def noisy(data, source, *, more):
        ((low, high),) = data
        count = low if source.bernoulli(Fraction(1, 3)) else high
        return clamped_geometric(count + more, source, size=4 + 2 * more, ratio=Fraction(1, 2))

    flavor = Flavor(domain, vacuous(domain), hamming_unordered("person"), Multiplicative())
    found = {smallest_budget(mechanism_laws(noisy, domain, more=more), flavor)[0] for more in (0, 1, 5)}
    assert len(found) == 1


def test_a_simple_random_sample_amplifies_as_the_theorem_says(survey):
    found = losses(survey, text=PEOPLE)
    assert found["sample.nothing"] == Loss(3)
    assert found["loss"] == Loss(1 + Fraction(2, 4) * (3 - 1))


def test_an_invariant_frame_leaves_no_amplification(survey):
    at_frame = losses(survey, ('starts = "population"', 'starts = "population"'), text=PEOPLE)
    assert at_frame["loss"] < at_frame["sample.population"] == Loss(3)
    status, lines, _ = survey(
        ('starts = "population"', 'starts = "sample"'), ('"nothing"', '"population"'), text=PEOPLE
    )
    assert status == 0
    assert named(lines, "p.amplification").startswith("none may be claimed: the mechanism starts with the sample")


@pytest.mark.parametrize(("budget", "status"), [('"1.0986"', 1), ('"1.0987"', 0), ('"ln(3)"', 0)])
def test_a_claimed_budget_is_decided_on_the_number_itself(survey, budget, status):
    found, lines, _ = survey(("[protection]", f"[budget]\nepsilon = {budget}\n[protection]"))
    assert found == status
    assert any(line.startswith("    witness: P_x(E)") for line in lines) == bool(status)
    assert lines[-1].endswith("1 refuted" if status else "0 refuted")


def test_amplifying_the_budget_of_the_noise_is_refuted(survey):
    status, lines, _ = survey(("[protection]", '[budget]\ngamma = "5/3"\n[protection]'))
    assert status == 1
    assert named(lines, "town.jobs").startswith("exceeded by 0.587787: the claimed gamma = 5/3 is below ln(3)")


def test_weights_change_with_the_frame_and_are_fixed_with_it(survey):
    """w is 2 in region 1 and 1 in region 2, income 1 or 2: 2·2 - 1·1 where the region may change, else 2·2 - 2·1."""
    drawn = 'name = "poisson"\nby = "region"\nrates = [[1, "1/2"], [2, 1]]\n'
    changes = (
        ("income = [0, 1]", "income = [1, 2]"),
        ("units = 3", "units = 2"),
        ('name = "stratified"\nby = "region"\nproportional = 2\n', drawn),
        ('"hamming_unordered"', '"changed_units"'),
        ('starts = "population"', 'starts = "sample"'),
    )
    for invariant, largest in (("nothing", 3), ("population", 2)):
        status, lines, _ = survey(*changes, ('"nothing"', f'"{invariant}"'), text=STRATA)
        assert status == 0
        assert f"changes by at most {largest} for each unit" in named(lines, "strata.income.sensitivity")
        assert f"ln({4**largest})" in named(lines, "strata.income.loss")  # (1/2)^-(change / (1/2))


def test_the_amplified_budget_is_refuted_where_the_population_is_invariant_and_the_sample_given(survey):
    claimed = ("[protection]", "[budget]\ngamma = 2\n[protection]")
    assert survey(claimed, text=PEOPLE)[0] == 0
    status, lines, _ = survey(
        claimed, ('starts = "population"', 'starts = "sample"'), ('"nothing"', '"population"'), text=PEOPLE
    )
    assert status == 1
    assert "the claimed gamma = 2 is below ln(3)" in named(lines, "p")


def test_a_budget_for_fixed_weights_is_refuted_where_they_are_not(survey):
    """The largest weight times the range of income gives (1/2)^-2 = 4, enough with the population fixed."""
    changes = (
        ("income = [0, 1]", "income = [1, 2]"),
        ('"hamming_unordered"', '"changed_units"'),
        ('starts = "frame"', 'starts = "sample"'),
        (
            "[mechanism]\n",
            '[[stage]]\nkind = "weights"\nname = "design"\ndepends_on = ["region"]\n[budget]\ngamma = 4\n[mechanism]\n',
        ),
        ('rates = [[1, "1/2"], [2, "1/3"]]', 'rates = [[1, "1/2"], [2, 1]]'),
    )
    assert survey(*changes, ('"nothing"', '"population"'), text=RATES)[0] == 0
    status, lines, _ = survey(*changes, text=RATES)
    assert status == 1
    assert "the claimed gamma = 4 is below ln(8)" in named(lines, "rates")


@pytest.mark.parametrize(
    ("starts", "invariant", "said"),
    [
        ("population", "nothing", "population level, population agnostic"),
        ("frame", "population", "frame level, population invariant"),
        ("sample", "nothing", "sample level, population agnostic, frame agnostic"),
        ("sample", "population", "sample level, population invariant, frame agnostic"),
        ("sample", "frame", "sample level, population invariant, frame invariant"),
        ("processed", "sample", "processed data level, population invariant, frame invariant, sample invariant"),
    ],
)
def test_the_setting_is_named(survey, starts, invariant, said):
    _, lines, _ = survey(('starts = "frame"', f'starts = "{starts}"'), ('"nothing"', f'"{invariant}"'))
    assert named(lines, "town.jobs.setting").startswith(f"{said}; ") or named(lines, "town.jobs.setting").startswith(
        f"{said}, and "
    )


DESIGN = 'name = "simple-random-sample"\nsize = 2\n'


@pytest.mark.parametrize(
    ("design", "said"),
    [
        ('name = "bernoulli"\nrate = "1/2"\n', "gamma: releases may tell the size, and all may be drawn"),
        ('name = "cluster"\nby = "old"\nnumber = 1\n', "this one draws by old, which no stage keeps invariant"),
        (
            'name = "stratified"\nby = "old"\nproportional = 2\n',
            "this one draws by old, which no stage keeps invariant",
        ),
        ('name = "systematic"\nstep = 2\norder = "random"\n', "gamma' = 1 + f*(gamma - 1), f = 1/step"),
        ('name = "systematic"\nstep = 3\n', "step must divide frame_size, 4"),
    ],
)
def test_amplification_is_claimed_by_a_form_or_refused(survey, design, said):
    status, lines, _ = survey((DESIGN, design), text=PEOPLE)
    assert status == 0
    assert said in named(lines, "p.amplification")


@pytest.mark.parametrize(
    ("distance", "invariant", "said"),
    [
        ("hamming_unordered", "nothing", "this one draws by region, which no stage keeps invariant"),
        ("changed_units", "nothing", "this one draws by region, which no stage keeps invariant"),
        ("hamming_unordered", "population", "gamma' = gamma: releases may tell the size"),
        ("symmetric_difference", "nothing", "gamma' = 1 + rate*(gamma - 1), rate the largest of a unit"),
    ],
)
def test_rates_that_depend_on_protected_records_are_covered_only_where_units_are_added(
    survey, distance, invariant, said
):
    """A record that changes its rate changes the law of the size, which a release may tell."""
    status, lines, _ = survey(('"nothing"', f'"{invariant}"'), ('"hamming_unordered"', f'"{distance}"'), text=RATES)
    assert status == 0
    assert said in named(lines, "rates.amplification")


def test_a_sample_with_too_many_pairs_leaves_the_amplification_open(survey, monkeypatch):
    """16 frames make 120 pairs, 24 samples 276, but 16 * 15 = 240 that come from one population."""
    monkeypatch.setattr(survey_audit, "_MOST_PAIRS", 250)
    monkeypatch.setattr(survey_audit, "_QUICK_PAIRS", 250)
    status, lines, err = survey(text=PEOPLE)
    assert (status, err) == (0, "")
    assert any(
        line.startswith("p.amplification: OPEN: not computed: sample level, population agnostic: 276 pairs of")
        for line in lines
    )
    status, lines, err = survey(
        ('"nothing"', '"population"'), ('starts = "population"', 'starts = "sample"'), text=PEOPLE
    )
    assert (status, err) == (0, "")
    assert "sample level, population invariant: ln(3)" in named(lines, "p")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        (('"hamming_unordered"', '"symmetric_difference"'), "with gamma = (3)^(1/2) of the release as a function of"),
        ((DESIGN, 'name = "systematic"\nstep = 2\n'), "one unit in 2, in the order of the units"),
    ],
)
def test_numbers_are_printed_as_a_person_reads_them(survey, changes, said):
    status, lines, err = survey(changes, text=PEOPLE)
    assert (status, err) == (0, "")
    assert said in "\n".join(lines)


def test_a_frame_that_chance_makes_has_no_form(survey):
    status, lines, _ = survey(
        ("[[stage]]", '[[stage]]\nkind = "frame"\ncoverage = "1/2"\n[[stage]]'),
        (DESIGN, 'name = "bernoulli"\nrate = "1/2"\n'),
        text=PEOPLE,
    )
    assert status == 0
    assert "the frame is random" in named(lines, "p.amplification")


def test_non_response_amplifies_with_its_probability_and_weights_follow_it(survey):
    stages = (
        'kind = "non-response"\nrate = "1/2"\n[[stage]]\nkind = "weights"\nname = "non-response"\nby = "old"\n'
        'depends_on = ["old"]\n[mechanism]\nunit = "1/3"\n'
    )
    status, lines, _ = survey(("[mechanism]\n", f"[[stage]]\n{stages}"), text=PEOPLE)
    assert status == 0
    assert "response with probability 1/2; weights adjusted for non-response by old" in named(lines, "p.setting")
    assert any(line.startswith("p.not-claimed.response: ARGUED") for line in lines)


@pytest.mark.parametrize(
    ("weights", "said"),
    [
        ('name = "post-stratification"\nby = "old"\ntotals = [[0, 2], [1, 2]]', "weights post-stratified by old"),
        ('name = "raking"\nmargins = { old = [[0, 2], [1, 2]] }\nrounds = 2', "weights raked to old, 2 times"),
    ],
)
def test_calibrated_weights_meet_the_totals(survey, weights, said):
    """The weighted total of the old is 2 whenever one of them is in the sample, and 0 otherwise."""
    stage = f'[[stage]]\nkind = "weights"\ndepends_on = ["old"]\n{weights}\n[mechanism]\n'
    status, lines, err = survey(("[mechanism]\n", stage), text=PEOPLE)
    assert (status, err) == (0, "")
    assert said in named(lines, "p.setting")
    assert "the statistic changes by at most 2 " in f"{named(lines, 'p.elsewhere.sample.nothing')} ".replace("[", " ")


HOT_DECK = 'name = "hot-deck"\nvariable = "employed"\notherwise = "no" '


@pytest.mark.parametrize(
    ("imputation", "said", "gamma"),
    [
        # one unit may change its own value and that of the unit after it: (1/2)^-2
        ('name = "sequential-hot-deck"\notherwise = "no"\ndonations = 1\n', "from the last donor before, 1 times", 4),
        ('name = "class-mode"\notherwise = "no"\n', "by the most frequent value", 4),
    ],
)
def test_other_imputations(survey, imputation, said, gamma):
    status, lines, _ = survey((HOT_DECK, f'variable = "employed"\n{imputation}'))
    assert status == 0
    assert said in named(lines, "town.jobs.setting")
    assert f"gamma = {gamma}," in named(lines, "town.jobs.elsewhere.sample.nothing")


def test_imputation_by_a_noisy_table_costs_what_the_table_costs(survey):
    """At most the two counts of one record with ratio 9/10, and the noise on one imputed record: (10/9)^2 · 2."""
    table = 'variable = "employed"\nname = "noisy-table"\nratio = "9/10"\nlargest = 2\n#'
    found = losses(survey, (HOT_DECK, table))
    assert Loss(2) < found["sample.nothing"] <= Loss(Fraction(100, 81) * 2) < Loss(4)


def test_a_program_of_ones_own_gets_the_processed_data(survey):
    (survey.folder / "mine.py").write_text(
        "def seen(data, source, *, lie):\n"
        "    return tuple(bool(source.bernoulli(lie)) != (record[0] == 1) for _, record in data)\n"
    )
    old = PEOPLE[PEOPLE.index("[mechanism]") : PEOPLE.index("[protection]")]
    own = '[mechanism]\nfunction = "mine:seen"\nparameters = { lie = "1/4" }\n'
    answers = '[mechanism]\nname = "randomized-response"\nof = "old"\nflip_probability = "1/4"\n'
    found = [losses(survey, (old, new), text=PEOPLE)["loss"] for new in (own, answers)]
    assert found[0] == found[1] > Loss(1)


POISSON = 'name = "poisson"\nby = "region"\nrates = [[1, "1/2"], [2, "1/3"]]\n'
TOTAL = 'statistic = "total"\nof = "income"\n'


@pytest.mark.parametrize(
    ("design", "statistic", "invariant", "said"),
    [
        # who is sampled changes the count, but regions do not change where the population is invariant
        (
            'name = "simple-random-sample"\nsize = 1\n',
            'statistic = "count"\nwhere = { region = 1 }\n',
            "population",
            "the loss is 0,",
        ),
        (
            'name = "simple-random-sample"\nsize = 1\n',
            'statistic = "count"\nwhere = { region = 1 }\n',
            "nothing",
            "the loss is ln(2)",
        ),
        # a unit that changes its region takes the others of it into the sample: (1/2)^-2, if it can
        ('name = "cluster"\nby = "region"\nnumber = 1\n', TOTAL, "population", "the loss is ln(2)"),
        ('name = "cluster"\nby = "region"\nnumber = 1\n', TOTAL, "nothing", "the loss is ln(4)"),
    ],
)
def test_a_known_unit_is_one_of_the_survey_s_own_setting(survey, design, statistic, invariant, said):
    changes = ((POISSON, design), (TOTAL, statistic), ('"nothing"', f'"{invariant}"'))
    status, lines, err = survey(*changes, text=RATES)
    assert (status, err) == (0, "")
    found = named(lines, "rates.not-claimed.known-unit")
    assert found.startswith(f"frame level, population {'agnostic' if invariant == 'nothing' else 'invariant'}: about ")
    assert said in found


def test_long_work_is_refused_before_it_is_done(survey):
    status, out, err = survey(("units = 3", "units = 9"), options=["--seconds", "1"])
    assert (status, out) == (2, [])
    assert "s.toml" in err
    assert "use a smaller domain or raise --seconds" in err
