"""What a claim's budget lets someone learn, beside its mechanism.

Counts of a test refute a budget exactly where the exact tails of their laws exclude it.

Only distances that two data sets of one universe have are asked about, and tests between them are drawn whole.
"""

from fractions import Fraction
from itertools import product
from math import comb
from pathlib import Path
from random import Random

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.audit.inference.inference import MOST, as_json, infer, learned_from
from stirred.verify.audit.inference.learned import Asked, attained_distances, read_conjecture
from stirred.verify.audit.inference.observed import observed
from stirred.verify.engines.inference.posterior import sharpest_posterior
from stirred.verify.engines.inference.power import CountedTest, power_bounds, sharpest_power
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims

CLAIMS = Path(__file__).parents[3] / "claims"

HALF = Fraction(1, 2)


def built(name, number=0):
    return build_claim(read_claims([CLAIMS / name])[number]).with_listed_tables(MOST)


def found(claim, asked=None, conjecture=None):
    inference = infer(claim, claim.cases[0], asked or Asked(), conjecture)
    return inference, {one.name: one for one in inference.limits}


@pytest.fixture(scope="module")
def coin():
    """Randomised response of three persons with gamma = 3."""
    return built("coin.toml")


def test_randomised_response_attains_its_bounds_but_for_tests_across_all_records(coin):
    inference, limits = found(coin)
    assert inference.gamma == 3
    for d in (1, 2, 3):
        power, posterior = limits[f"power.{d}"], limits[f"posterior.{d}"]
        assert power.printed == power_bounds(Fraction(1, 20), 3, d)
        assert power.sharpest[1] == sharpest_power(Fraction(1, 20), 3, d)
        assert posterior.exact == posterior.sharpest == sharpest_posterior(HALF, 3, d)
        assert power.sharpest[0] <= power.exact[0] <= power.exact[1] <= power.sharpest[1]
    # three records of which each rejects at 1/4 or 3/4: 27 (1/64) and then 9 (3/64) times a share
    assert limits["power.3"].exact[1] == Fraction(27, 64) + (Fraction(1, 20) - Fraction(1, 64)) * 3
    assert limits["power.3"].exact[1] < limits["power.3"].sharpest[1] < limits["power.3"].printed[1]
    assert not inference.notes


def test_the_probability_of_an_outcome_is_that_of_the_dissertation(coin):
    # (5.8): 1/(gamma + 1)^3 and gamma^3/(gamma + 1)^3
    _, limits = found(coin)
    outcomes = [one for name, one in limits.items() if name.startswith("releases.")]
    assert len(outcomes) == 8
    for one in outcomes:
        assert one.printed == one.sharpest == one.exact == (Fraction(1, 64), Fraction(27, 64))


def test_a_level_and_a_prior_are_taken(coin):
    _, limits = found(coin, Asked(Fraction(1, 4), Fraction(1, 10)))
    assert limits["power.1"].exact[1] == limits["power.1"].printed[1] == Fraction(3, 4)
    assert limits["posterior.1"].sharpest == (Fraction(1, 28), Fraction(1, 4))


def test_a_conjecture_about_one_record_by_hand(coin):
    domain = coin.data.domain
    first = [x for x in domain if x[0] == (1,)]
    conjecture = read_conjecture(domain, str([[list(r) for r in x] for x in first]), None)
    _, limits = found(coin, conjecture=conjecture)
    event = limits["event.1"]
    # the first answer alone decides the event, and whatever the others are it is one step away
    assert event.exact == event.sharpest == (Fraction(1, 4), Fraction(3, 4))
    assert event.printed == (Fraction(1, 54), 1)


def test_a_conjecture_with_a_prior_on_two_data_sets_attains_its_bound(coin):
    event, prior = "[[[1], [0], [0]]]", '[[[[1], [0], [0]], "1/3"], [[[0], [0], [0]], "2/3"]]'
    conjecture = read_conjecture(coin.data.domain, event, prior)
    _, limits = found(coin, conjecture=conjecture)
    assert limits["event.1"].exact == limits["event.1"].sharpest == (Fraction(1, 7), Fraction(3, 5))


@pytest.mark.parametrize(
    ("event", "prior", "message"),
    [
        ("[[[1], [0], [2]]]", None, "--event must name data sets of the domain, such as ((0,), (0,), (0,)); got ((1,)"),
        ("[]", None, "--event must be an array such as [[[0], [1]]]; got '[]'"),
        ("[[[0]]]\nprior = 3", None, "--event must be an array such as [[[0], [1]]]; got"),
        ("[[[1.5]]]", None, '--event: numbers must be exact; got the float 1.5: write "1.5", a text'),
        ("[[[1], [0], [0]]]", '[[[[1], [0], [0]], "1/3"]]', "--prior must sum to exactly 1; got 1/3"),
        ("[[[1], [0], [0]]]", "[[[[1], [0], [0]], 0.5]]", "--prior: numbers must be exact; got the float 0.5"),
        (
            "[[[1], [0], [0]]]",
            "[[[[0], [0], [0]], 1]]",
            "--event: its prior probability is 0: what is conditional on it",
        ),
        ("[[[1], [0], [0]]]", "[[[[0], [0], [0]], 2]]", "--prior of ((0,), (0,), (0,)) must be between 0 and 1; got 2"),
        ("[[[1], [0], [0]]]", "[[1]]", "--prior must be an array of [data set, probability]; got [1]"),
        (
            "[[[1], [0], [0]]]",
            '[[[[1], [0], [0]], "1/2"], [[[1], [0], [0]], "1/2"]]',
            "--prior must name each data set once; ((1,), (0,), (0,)) stands twice",
        ),
    ],
)
def test_a_conjecture_that_is_none_is_refused_in_a_line(coin, event, prior, message):
    with pytest.raises(InputError) as refused:
        read_conjecture(coin.data.domain, event, prior)
    assert str(refused.value).startswith(message)
    assert "\n" not in str(refused.value)


def test_swapped_tables_are_bounded_within_their_universe():
    inference, limits = found(built("swapping.toml"))
    assert set(limits) == {
        *(f"{kind}.{d}" for kind in ("power", "posterior") for d in (2, 4)),
        *map("releases.{}".format, range(1, 5)),
    }
    # no two tables are one household apart, and four apart there is one between: two steps of gamma^2
    assert limits["power.2"].printed == limits["power.2"].sharpest
    assert limits["power.4"].sharpest[1] == sharpest_power(Fraction(1, 20), inference.gamma**2, 2)
    assert inference.notes == ("two data sets of one universe: across universes nothing is bounded",)


def test_a_mechanism_that_exceeds_its_budget_is_said_to_be_outside():
    inference, _ = found(built("swapping.toml", 1))
    assert inference.notes[-1] == "this mechanism is outside of the bounds at power.2: it does not meet the budget"


def test_the_budget_alone_is_asked_where_distances_are_given(coin):
    inference, limits = found(coin, Asked(distances=(2,)))
    assert set(limits) == {"power.2", "posterior.2"}
    assert limits["power.2"].exact is None
    assert limits["power.2"].sharpest[1] == sharpest_power(Fraction(1, 20), 3, 2)
    assert "budget alone" in inference.notes[0]
    with pytest.raises(InputError, match="--event needs data sets that are listed"):
        infer(
            coin,
            coin.cases[0],
            Asked(distances=(2,)),
            read_conjecture(coin.data.domain, "[[[1], [0], [0]]]", None),
        )


def replaced(tmp_path, *changes):
    text = (CLAIMS / "coin.toml").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "claim.toml"
    path.write_text(text)
    return build_claim(read_claims([path])[0])


def test_what_bounds_nothing_is_refused_in_a_line(tmp_path):
    for changes, message in (
        ([("gamma = 3", 'epsilon = "infinite"')], "survey.coin: budget must be finite"),
        ([("gamma = 3", 'description = "small"')], "survey.coin: budget must be stated in numbers: epsilon or gamma"),
        (
            [("multiplicative", "total_variation"), ("gamma = 3", 'epsilon = "1/2"')],
            "survey.coin: output_premetric must be",
        ),
    ):
        claim = replaced(tmp_path, *changes)
        with pytest.raises(InputError, match=message):
            infer(claim, claim.cases[0], Asked())
        assert learned_from(claim) == ()


def test_invariants_leave_what_they_determine_unbounded_and_bound_the_rest(tmp_path):
    claim = replaced(tmp_path, ("invariants = []", 'invariants = [["answer"]]'))
    conjecture = read_conjecture(claim.data.domain, "[[[1], [1], [1]], [[1], [0], [0]]]", None)
    _, limits = found(claim, conjecture=conjecture)
    # the count of answers is released: the first data set is decided by it, the second is one of three
    events = [one for name, one in limits.items() if name.startswith("event")]
    assert len(events) == 1
    assert "1/3 given universe" in events[0].what
    assert events[0].sharpest == sharpest_posterior(Fraction(1, 3), 3, 2)


def test_an_irrational_gamma_is_rounded_up(tmp_path):
    claim = replaced(tmp_path, ("gamma = 3", 'epsilon = "1.1"'))
    gamma = infer(claim, claim.cases[0], Asked()).gamma
    assert Fraction("3.004166023946") <= gamma < Fraction("3.004166023947") + Fraction(1, 10**12)


def test_the_records_are_exact(coin):
    record = as_json(found(coin)[0])
    assert record["limits"][0]["printed"] == ["1/60", "3/20"]
    assert record["roc"]["1"]["printed"] == [["0", "0"], ["1/4", "3/4"], ["1", "1"], ["3/4", "1/4"]]
    assert len(record["roc"]["3"]["sharpest"]) == 8


def test_the_law_of_an_open_parameter_is_not_listed(tmp_path):
    (tmp_path / "coins.py").write_text("def first(data, source, *, flip):\n    return source.bernoulli(flip)\n")
    own = 'function = "coins:first"\nparameters = { flip = "symbol" }'
    claim = replaced(tmp_path, ('name = "randomized-response"', own), ('flip_probability = "1/4"', ""))
    inference, limits = found(claim)
    assert {one.exact for one in limits.values()} == {None}
    assert inference.notes == ("the laws of the mechanism are not listed: the budget's bounds alone",)


def test_outcomes_of_a_mechanism_that_exceeds_its_budget_are_not_bounded(tmp_path):
    inference, limits = found(replaced(tmp_path, ("gamma = 3", "gamma = 1")))
    assert not any(name.startswith("releases") for name in limits)
    assert "does not meet the budget" in inference.notes[0]


def test_a_power_of_a_large_budget_is_refused_before_it_is_computed(tmp_path):
    claim = replaced(tmp_path, ("gamma = 3", 'epsilon = "10000"'))
    with pytest.raises(InputError, match="--distance must be smaller for so large a budget; got 100"):
        infer(claim, claim.cases[0], Asked(distances=(100,)))


def test_large_domains_get_the_bounds_of_the_budget(tmp_path):
    inference, limits = found(replaced(tmp_path, ("records = 3", "records = 9")))
    assert "budget alone" in inference.notes[0]
    assert limits["power.3"].sharpest[1] == sharpest_power(Fraction(1, 20), 3, 3)


def told(counts, error, *gammas, distance=1):
    return observed(CountedTest(*counts, distance), error, [(gamma, f"gamma = {gamma}") for gamma in gammas])


def tail(k, n, p):
    return sum(comb(n, j) * p**j * (1 - p) ** (n - j) for j in range(k, n + 1))


def excludes(counts, error, gamma, distance=1):
    """Whether no two rates within the budget have both tails above half of the error, on a grid of rates."""
    false, negatives, true, positives = counts
    factor, half = Fraction(gamma) ** distance, error / 2
    for a in (Fraction(k, 200) for k in range(201)):
        if tail(negatives - false, negatives, 1 - a) > half:
            b = min(factor * a, 1 - (1 - a) / factor)
            if tail(true, positives, b) > half:
                return False
    return True


def is_refuted_rightly(counts, error, gamma, distance=1):
    one = told(counts, error, gamma, distance=distance)
    assert one.verdict in (Verdict.REFUTED, Verdict.OPEN)
    assert one.record()["verdict"] == one.verdict.name
    return one.verdict is Verdict.OPEN or excludes(counts, error, gamma, distance)


@pytest.mark.parametrize("error", [Fraction(1, 20), Fraction(1, 1000)])
def test_what_is_refuted_is_excluded_by_the_exact_tails(error):
    counts = [(false, 20, true, 30) for false, true in product((0, 1, 5, 20), (0, 8, 25, 30))]
    assert all(is_refuted_rightly(one, error, gamma) for one in counts for gamma in (1, 3))
    assert told((0, 20, 30, 30), error, 3).verdict is Verdict.REFUTED


def test_counts_of_which_a_budget_has_many_are_never_refuted_more_often_than_is_said():
    # all counts of randomised response with gamma = 3, which meets its budget: 1/4 against 3/4, 8 times each
    error, n, p = Fraction(1, 5), 8, Fraction(1, 4)
    law = [comb(n, k) * p**k * (1 - p) ** (n - k) for k in range(n + 1)]
    wrong = sum(
        law[false] * law[n - true]
        for false, true in product(range(n + 1), repeat=2)
        if told((false, n, true, n), error, 3).verdict is Verdict.REFUTED
    )
    assert wrong <= error


def test_of_several_budgets_all_must_be_excluded():
    counts, error = (3, 1000, 620, 1000), Fraction(1, 20)
    assert told(counts, error, 3, 60).verdict is Verdict.REFUTED
    assert told(counts, error, 3, 70).verdict is Verdict.OPEN
    assert "the largest budget of its settings is not met, gamma = 60" in told(counts, error, 60, 3).sentence


@pytest.mark.nightly
def test_random_counts_are_refuted_rightly(changing_seed):
    random = Random(changing_seed)  # noqa: S311 cases, no secrets
    for _ in range(200):
        trials = random.randint(1, 40), random.randint(1, 40)
        counts = (random.randint(0, trials[0]), trials[0], random.randint(0, trials[1]), trials[1])
        error = Fraction(1, random.choice((5, 20, 100)))
        assert is_refuted_rightly(counts, error, Fraction(random.randint(10, 50), 10), random.randint(1, 3)), counts


TEXT = """
id = "a.claim"
statement = "Something is met."
domain = {domain}
multiverse = {{ {multiverse} }}
input_premetric = {{ name = "{metric}", resolution = "person" }}
output_premetric = {{ name = "multiplicative" }}
budget = {{ gamma = 2 }}
"""

BITS = '{{ schema = {{ a = [0, 1] }}, records = {records}, order = "ordered" }}'

LETTERS = '{{ schema = {{ a = ["r", "s", "t", "u"] }}, records = {records} }}'

VOID = "invariants = []"

COUNTS = 'invariants = [["a"]]'


def claim(tmp_path, domain, multiverse, metric):
    path = tmp_path / "claim.toml"
    path.write_text(TEXT.format(domain=domain, multiverse=multiverse, metric=metric))
    return build_claim(read_claims([path])[0])


def asked(built, *distances):
    return infer(built, built.cases[0], Asked(distances=distances))


def listed(inference):
    return tuple(int(one.name[6:]) for one in inference.limits if one.name.startswith("power."))


@pytest.mark.parametrize(
    ("domain", "multiverse", "metric", "distances"),
    [
        # few data sets are compared, many are measured: both list what there is
        (BITS.format(records=3), VOID, "hamming_ordered", (1, 2, 3)),
        (BITS.format(records=9), VOID, "hamming_ordered", (1, 2, 3)),
        (BITS.format(records=3), COUNTS, "hamming_ordered", (2,)),
        (BITS.format(records=9), COUNTS, "hamming_ordered", (2, 4, 6)),
        (LETTERS.format(records=10), VOID, "symmetric_difference", (2, 4, 6)),
        (LETTERS.format(records="[9, 11]"), VOID, "symmetric_difference", (2, 4, 6)),
        (LETTERS.format(records="[9, 10]"), VOID, "symmetric_difference", (1, 2, 3)),
        (LETTERS.format(records=12), VOID, "neighbors_replace_one_unordered", (1,)),
        ("{ data_sets = [0, 3, 10] }", VOID, "absolute_difference", (3, 7, 10)),
        ("{ margins = [{ rows = [30, 30, 1], columns = [20, 40, 1] }] }", VOID, "hamming_unordered", (2, 3, 4)),
        ("{ margins = [{ rows = [600, 300], columns = [450, 450] }] }", VOID, "hamming_unordered", (2, 4, 6)),
    ],
)
def test_the_least_attained_distances_are_listed(tmp_path, domain, multiverse, metric, distances):
    built = claim(tmp_path, domain, multiverse, metric)
    assert listed(asked(built))[:3] == distances


def test_a_distance_that_no_two_data_sets_have_is_refused_with_those_that_there_are(tmp_path):
    built = claim(tmp_path, BITS.format(records=3), COUNTS, "hamming_ordered")
    assert attained_distances(built).seen == (2,)
    for distance in (1, 3, 4):
        with pytest.raises(InputError, match=f"that of two data sets of one universe, one of 2; got {distance}$"):
            asked(built, distance)
    assert listed(asked(built, 2)) == (2,)


def test_what_is_in_words_only_is_said_to_be_unknown(tmp_path):
    built = claim(
        tmp_path, '{ description = "all records" }', 'description = "their number is kept"', "hamming_unordered"
    )
    inference = asked(built)
    assert listed(inference) == (1, 2, 3)
    assert inference.notes[-1].endswith("whether two of them are at these distances is not known")


@pytest.mark.parametrize(
    ("domain", "metric", "distance", "step"),
    [
        # 10 records of 4 kinds: 286 multisets, and with one number of records a step changes the difference by 2
        (LETTERS.format(records=10), "symmetric_difference", 4, None),
        (LETTERS.format(records="[9, 10]"), "symmetric_difference", 4, 1),
        (LETTERS.format(records=10), "hamming_unordered", 4, 1),
        (BITS.format(records=9), "hamming_ordered", 4, 1),
    ],
)
def test_steps_are_counted_only_where_data_sets_stand_between(tmp_path, domain, metric, distance, step):
    limits = {one.name: one for one in asked(claim(tmp_path, domain, VOID, metric), distance).limits}
    power = limits[f"power.{distance}"]
    expected = power.printed[1] if step is None else sharpest_power(Fraction(1, 20), 2, distance)
    assert power.sharpest[1] == expected
