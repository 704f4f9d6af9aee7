"""Accounts: releases are converted and added; the sum holds where all parts are claims that hold under one flavor."""

import json
import re

import mpmath
import pytest
from claim_texts import SOUND, changed, replaced
from coin_accounts import COIN, FIRST, SECOND, account
from weakened_claims import surveys

from stirred.verify.cli.main import main


@pytest.fixture
def audited(tmp_path, capsys):
    """The status, the output and the errors of an audit of a text."""

    def run(text):
        (tmp_path / "a.toml").write_text(text, encoding="utf-8")
        return main(["audit", str(tmp_path / "a.toml")]), *capsys.readouterr()

    return run


ACCOUNT = """
id = "a"
statement = "s"
[account]
domain = "CEF"
invariants = ["population"]
neighbors = "bounded"
unit = "post-imputation person"
EXTRA
[[account.releases]]
name = "TopDown"
rho_squared = "15.29"
[[account.releases]]
name = "SafeTab-P"
SECOND
"""


def two(extra="", second='rho_squared = "19.776"'):
    return replaced(ACCOUNT, ("EXTRA", extra), ("SECOND", second))


def test_one_flavor_adds_up_and_the_printed_total_agrees(audited):
    status, out, _ = audited(two('total = "35.066"\npost_processed = ["PPMF"]'))
    assert status == 3
    assert "a.account: OPEN: the sum is right; nothing here shows these parts, stated without a mechanism: " in out
    assert "rho^2 of D_NoR = 35.066, by these steps: added: TopDown 15.29 + SafeTab-P 19.776" in out
    assert "derived from it at no cost: PPMF" in out


@pytest.mark.parametrize(
    ("key", "number"), [("total", "35.065"), ("printed", "35.065"), ("printed", "35.067"), ("total", "0")]
)
def test_a_wrong_total_is_refuted_with_both_values(audited, key, number):
    status, out, _ = audited(two(f'{key} = "{number}"'))
    assert status == 1
    assert f"total of the account: printed {number}, recomputed 35.066" in out
    assert "the sum is right" not in out


@pytest.mark.parametrize("total", ["35.067", "36", "100", "1e6"])
def test_a_total_above_the_sum_is_a_bound_that_holds(audited, total):
    status, out, _ = audited(two(f'total = "{total}"'))
    assert status == 3
    assert f"claimed {total} ≥ the total of the account, 35.066" in out
    assert "the sum is right; nothing here shows these parts" in out
    assert "REFUTED" not in out
    status, out, _ = audited(two(f'total = "{total}"\nprinted = "35.07"'))
    assert status == 3
    assert "total of the account: printed 35.07, recomputed 35.07" in out
    assert audited(two(f'total = "{total}"\nprinted = "{total}"'))[0] == 1


def test_conversions_are_applied_in_order_and_shown(audited):
    second = (
        'rho_squared = "4.944"\nneighbors = "unbounded"\ninvariants = []\n'
        'conversions = [{ to = "bounded" }, { to = "invariants", invariants = ["population"] }]'
    )
    status, out, _ = audited(two('total = "35.066"', second))
    assert status == 3
    assert "SafeTab-P: unbounded to bounded: d_SymDiff = 2 d_HamS, so rho^2 times 4 = (2)^2" in out
    assert "SafeTab-P: more invariants (population): the budget stays" in out


FLAVORS = changed(
    two(second="SECOND"),
    r"""
    SECOND => rho_squared = "17.79"\nunit = "post-imputation household" ! differs from 'TopDown' in unit
    SECOND => rho_squared = "17.79"\nneighbors = "unbounded"
      ! neighbors (bounded against unbounded; conversion: to = "bounded" or to = "unbounded")
    SECOND => rho_squared = "17.79"\ninvariants = []
      ! invariants (only one has 'population'; conversion: to = "invariants")
    SECOND => epsilon = "1" ! measure (rho^2 of D_NoR against epsilon of D_Mult; conversion: to = "zero_concentrated"
    SECOND => epsilon = "1"\ndelta = "1e-6" ! measure (rho^2 of D_NoR against (epsilon, delta)
    """,
)


@pytest.mark.parametrize(("text", "words"), FLAVORS)
def test_different_flavors_are_refused_with_file_and_key(audited, text, words):
    status, out, err = audited(text)
    assert (status, out) == (2, "")
    assert re.match(r"stirred: .*a\.toml: account\.releases: parts must have one flavor to be added; ", err)
    assert words in err


MALFORMED = changed(
    two(second="SECOND"),
    r"""
    SECOND => rho_squared = "-1" ! account.releases[1].rho_squared must be non-negative; got -1
    SECOND => rho_squared = 2.5 ! account.releases[1].rho_squared must be an exact number; got the float 2.5
    SECOND => epsilon = "1"\ndelta = "1" ! account.releases[1].delta must be between 0 and 1, exclusive; got 1
    SECOND => rho_squared = "1"\nconversions = [{ to = "approximate", delta = "3/2", rule = "printed" }]
      ! conversions[0].delta must be between 0 and 1, exclusive; got 3/2
    SECOND => rho_squared = "1"\nconversions = [{ to = "unit", unit = "x", factor = "-2", reason = "r" }]
      ! a.toml: account.releases[1].conversions[0].factor must be positive; got -2
    SECOND => rho_squared = "1"\nholds_for = "some" ! holds_for: unknown name 'some'
    SECOND => rho_squared = "1"\ndelta = "0.1" ! account.releases[1].delta belongs to epsilon
    SECOND => rho_squared = "1"\nepsilon = "1" ! got rho_squared and epsilon
    SECOND => ! got none
    SECOND => rho_squared = "1"\nneighbors = "near" ! neighbors: unknown name 'near'
    SECOND => rho_squared = "1"\nconversions = [{ to = "moon" }] ! conversions[0].to: unknown name 'moon'
    SECOND => rho_squared = "1"\nconversions = [{ to = "bounded", factor = 2 }] ! conversions[0].factor: unknown key
    SECOND => rho_squared = "1"\nconversions = [{ to = "bounded" }] ! neighbors must be unbounded to be made bounded
    SECOND => rho_squared = "1"\nconversions = [{ to = "unit", unit = "x", factor = 2 }] ! reason: missing key
    SECOND => rho_squared = "1"\ncolor = 1 ! account.releases[1].color: unknown key
    """,
)
NO_SAMPLE = changed(
    surveys("CPS"),
    r"""
    rate = "1/10" => rate = "0" ! rate must be above 0 and at most 1; got 0
    membership = "secret" => membership = "none" ! unknown name 'none'
    neighbors = "bounded" => neighbors = "unbounded" ! must be ['frame_size', 'size']; got ['rate']
    epsilon = 1 => rho_squared = "1" ! only a release under pure DP can be
    rate = "1/10" => rate = "1/10", design = "some" ! design: unknown name 'some'
    rate = "1/10" => rate = "1/10", design = "cluster sample" ! must be ['cluster_size', 'clusters', 'number']
    rate = "1/10" => design = "cluster sample", number = 3, clusters = 2, cluster_size = 2 ! must be at most frame_size
    invariants = [] => invariants = ["state"] ! invariants must be none where a sample is taken
    { to = "sampled" => { to = "sampled", size = 3 ! must be ['frame_size', 'size']; got ['rate', 'size']
    },\n] => }, { to = "zero_concentrated" },\n] ! must be converted before it is amplified
    """,
)


@pytest.mark.parametrize(("text", "words"), MALFORMED + NO_SAMPLE)
def test_a_malformed_release_is_refused_with_file_and_key(audited, text, words):
    status, out, err = audited(text)
    assert (status, out) == (2, "")
    assert words in err


@pytest.mark.parametrize(("rule", "epsilon"), [("printed", "91.90"), ("smallest", "90.36")])
def test_the_converted_epsilon_is_compared_by_the_named_rule_with_both_shown(audited, rule, epsilon):
    status, out, _ = audited(two(f'converted = {{ epsilon = "{epsilon}", delta = "1e-10", rule = "{rule}" }}'))
    assert status == 3, out
    assert "the sum is right; nothing here shows these parts" in out
    assert "printed formula 91.89" in out
    assert "smallest over all Renyi orders 90.3" in out


@pytest.mark.parametrize(
    ("key", "rule", "number", "expected"),
    [
        ("epsilon", "printed", "90.36", 1),
        ("printed", "smallest", "91.90", 1),
        ("epsilon", "smallest", "91.90", 3),  # a bound above what the rule gives
    ],
)
def test_a_converted_epsilon_by_the_wrong_rule_does_not_hold(audited, key, rule, number, expected):
    assert audited(two(f'converted = {{ {key} = "{number}", delta = "1e-10", rule = "{rule}" }}'))[0] == expected


ONE = """
id = "c"
statement = "s"
[account]
domain = "d"
invariants = ["number of records"]
neighbors = "unbounded"
unit = "household"
total = "TOTAL"
EXTRA
[[account.releases]]
name = "A"
rho_squared = "1"
conversions = [CONVERSIONS]
"""


def one(conversions, total, extra=""):
    return replaced(ONE, ("CONVERSIONS", conversions), ("TOTAL", total), ("EXTRA", extra))


def test_every_conversion_can_be_written(audited):
    conversions = (
        '{ to = "unbounded" }, { to = "bounded" }, { to = "contributors", duplicates = 1 }, '
        '{ to = "unit", unit = "family", factor = 3, reason = "at most three persons" }, '
        '{ to = "zero_concentrated" }, { to = "approximate", delta = "1e-6", rule = "smallest" }'
    )
    text = replaced(
        one(conversions, "0.02", 'holds_for = "all pairs of a universe"'),
        ('neighbors = "unbounded"', 'neighbors = "bounded"'),
        ("household", "post-imputation person"),
        ('rho_squared = "1"', 'epsilon = "0.1"'),
    )
    # epsilon = 0.1 * 2 * 3, rho^2 = 0.6^2/2 = 0.18
    status, out, _ = audited(text)
    assert status == 1
    assert "A: pure to zero-concentrated: rho^2 = epsilon^2/2" in out
    assert "total of the account: printed 0.02, recomputed 2.954477581" in out


def test_neighbours_under_invariants_are_not_converted_unless_the_budget_is_for_all_pairs(audited):
    bounded = '{ to = "bounded" }'
    status, out, err = audited(one(bounded, "4"))
    assert (status, out) == (2, "")
    assert 'conversions[0].to: holds_for must be "all pairs of a universe"' in err
    status, out, _ = audited(one(bounded, "4", 'holds_for = "all pairs of a universe"'))
    assert status == 3
    assert "a budget for the metric at every distance" in out
    # the steps, the printed total beside the sum, the total as a budget, and the verdict
    assert out.count("not checked: that the budget of A holds for all pairs of a universe") == 4


def test_a_sum_that_compares_nothing_is_undecided(audited):
    status, out, _ = audited(one("", "1"))
    assert status == 3
    no_pairs = "at a fixed number of records no two data sets are "
    assert f"c.account: OPEN: vacuous, so every mechanism satisfies it: {no_pairs}" in out


def test_a_factor_of_the_file_stands_in_the_scope_of_the_verdict(audited):
    conversions = '{ to = "unit", unit = "person", factor = "1/99999", reason = "because" }'
    _, out, _ = audited(one(conversions, "1/9999800001"))
    verdict = next(line for line in out.splitlines() if line.startswith("c: "))
    assert "as the file states, not checked: the factor 1/99999 from household to person (because)" in verdict


def test_a_long_exact_total_is_shown_rounded(audited):
    conversions = f'{{ to = "unit", unit = "person", factor = "1.{"0" * 50}1", reason = "r" }}'
    _, out, _ = audited(one(conversions, "1.00", 'holds_for = "all pairs of a universe"'))
    assert "total at total = 1 (rounded: the exact fraction has " in out


@pytest.mark.parametrize(
    ("samples", "printed", "agrees"),
    [
        (("CPS", "CPS"), "1.07", True),
        (("CPS", "CPS"), "0.65", False),
        (("CPS", "ACS"), "0.65", True),
        (("CPS", "ACS"), "1.07", False),
    ],
)
def test_releases_of_one_sample_are_added_before_they_are_amplified(audited, samples, printed, agrees):
    """ln(1 + (e^3 - 1)/10) = 1.0677, although the amplified budgets add up to 0.6526 (dissertation, section 6.5.2)."""
    status, out, _ = audited(surveys(*samples).replace('"0.65"', f'"{printed}"'))
    assert status == (3 if agrees else 1)
    assert ("surveys.numbers: ENCLOSED" in out) == agrees, out
    assert ("surveys.numbers: REFUTED" in out) == (not agrees)
    assert "as the file states, not checked: that CPS is a simple random sample, drawn independently of others" in out


def test_amplification_takes_for_granted_that_units_may_be_exchanged(audited):
    """Between samples of the same units alone nothing is amplified: survey.sampling.same-units."""
    _, out, _ = audited(surveys("CPS", "CPS"))
    assert "that it stays secret which units are in the sample" in out
    assert "that another unit's record may replace a sampled one" in out


def test_nothing_is_amplified_where_it_is_known_who_is_in_the_sample(audited):
    _, out, _ = audited(surveys("CPS", "CPS", membership="known"))
    assert "epsilon of D_Mult = 3, by these steps" in out
    assert "that it stays secret" not in out


CLUSTERS = 'design = "cluster sample", number = 1, clusters = 10, cluster_size = 2'


@pytest.mark.parametrize(
    ("design", "neighbors", "epsilon", "smaller"),
    [
        (CLUSTERS, "bounded", 1, lambda e: (1 + (e**2 - 1) / 10) / (1 + (e - 1) / 10)),
        ('design = "Poisson sample", rate = "1/10"', "unbounded", 1, lambda e: 1 + (e - 1) / 10),
        ('design = "simple random sample", size = 1, frame_size = 10', "unbounded", 1, lambda e: 1 + (e**2 - 1) / 10),
        ('design = "simple random sample", size = 1, frame_size = 10', "bounded", 1, lambda e: 1 + (e - 1) / 10),
        (CLUSTERS, "bounded", 2, lambda e: (1 + (e**6 - 1) / 10) / (1 + (e**3 - 1) / 10)),
    ],
)
def test_other_designs_are_claimed(audited, design, neighbors, epsilon, smaller):
    """Of one release with ε = 1, or of two of one sample with 1 and 2, which are added first."""
    needed = str(mpmath.nstr(mpmath.log(smaller(mpmath.e)), 6))
    text = surveys(*["CPS"] * epsilon).replace('rate = "1/10"', design).replace('"bounded"', f'"{neighbors}"')
    for printed, agrees in ((needed, True), (f"{float(needed) + 0.001:.6}", False)):
        _, out, _ = audited(text.replace('"0.65"', f'"{printed}"'))
        assert ("surveys.numbers: ENCLOSED" in out) == agrees, out
        assert ("surveys.numbers: REFUTED" in out) != agrees, out
    assert f"not checked: that CPS is a {design.split(chr(34))[1]}, drawn independently of others" in out


def test_one_sample_has_one_rate(audited):
    status, _, err = audited(surveys("CPS", "CPS").replace('rate = "1/10"', 'rate = "1/5"', 1))
    assert status == 2
    assert "design, rate and membership must be the same wherever the sample 'CPS' is named" in err


COINS = 'claim = "coin.one"', 'claim = "coin.two"'
BOTH = account(*COINS)


@pytest.fixture
def run(tmp_path, capsys):
    def audited(*texts, more=()):
        (tmp_path / "a.toml").write_text("\n".join(texts), encoding="utf-8")
        status = main(["audit", str(tmp_path / "a.toml"), *map(str, more), "--json"])
        out, err = capsys.readouterr()
        return status, {one["id"]: one for one in json.loads(out)} if out.startswith("[") else {}, err

    return audited


@pytest.fixture
def both(run):
    """The status of an audit of claims, and the verdict and the detail of their account."""

    def audited(*texts):
        status, found, err = run(*texts)
        assert err == ""
        return status, found["both"]["verdict"], found["both"]["detail"]

    return audited


@pytest.mark.parametrize("texts", [(FIRST, SECOND, BOTH), (BOTH, FIRST, SECOND), (FIRST, BOTH, SECOND)])
def test_parts_that_hold_are_a_sum_that_holds(run, texts):
    """2 ln 3 = 2.1972…, whichever of the claims stands first in the file."""
    status, found, _ = run(*texts)
    assert (status, found["both"]["verdict"]) == (0, "EXHAUSTED")
    assert "each part is run on the same data, as often as it is listed, each time" in found["both"]["scope"]
    met = "claimed 2.2 ≥ the total of the account, 2.197"
    assert any(met in one["detail"] for one in found["both"]["findings"])


def test_a_claim_with_a_mechanism_of_its_own_has_an_account_of_others(run):
    own = BOTH[BOTH.index("[claim.account]") :]
    status, found, _ = run(FIRST, SECOND, COIN.format(name="third"), own)
    assert (status, found["coin.third"]["verdict"]) == (0, "EXHAUSTED")
    assert any("coin.two is EXHAUSTED" in one["detail"] for one in found["coin.third"]["findings"])


def test_a_part_may_be_in_another_file_of_the_run(run, tmp_path):
    (tmp_path / "coins.toml").write_text(f"{FIRST}\n{SECOND}", encoding="utf-8")
    assert run(BOTH, more=[tmp_path / "coins.toml"])[0] == 0


@pytest.mark.parametrize(
    "others",
    [
        (),
        (FIRST,),
        (FIRST, BOTH.replace('"both"', '"coin.two"').replace('claim = "coin.two"', 'claim = "coin.one"')),
        (FIRST, '[[claim]]\nid = "coin.two"\nstatement = "s"\nnumbers = [{ what = "w", printed = 1, formula = "1" }]'),
    ],
    ids=["none is there", "one is there", "another account", "numbers"],
)
def test_what_is_no_claim_about_a_mechanism_is_no_part(run, others):
    status, found, err = run(*others, BOTH)
    assert (status, err.count("\n")) == (2, 1)
    assert "both" not in found
    assert "claim must be the id of a claim about a mechanism that is audited in the same run" in err


@pytest.mark.parametrize(
    ("head", "status", "verdict"),
    [
        ('total = "2.197"', 3, "OPEN"),  # below 2 ln 3, which rounds to it
        ('total = "2.1972245773362194"', 0, "EXHAUSTED"),
        ('total = "2.1"', 1, "REFUTED"),
        ('total = "100"', 0, "EXHAUSTED"),
        ('printed = "2.20"', 0, "EXHAUSTED"),
        ('printed = "2.19"', 1, "REFUTED"),
        ('printed = "100"', 1, "REFUTED"),
        ("", 0, "EXHAUSTED"),
    ],
)
def test_the_total_is_compared_with_the_sum_of_the_claims(both, head, status, verdict):
    assert both(FIRST, SECOND, account(*COINS, head=head))[:2] == (status, verdict)


NOT_HELD = changed(
    SECOND,
    r"""
    gamma = 3 => gamma = "3/2" ! coin.two is REFUTED: claimed epsilon = ln(3/2) <
    gamma = 3 => description = "small" ! its budget is not stated in numbers
    gamma = 3 => epsilon = "infinite" ! its budget is infinite, and claims nothing
    invariants = [] => universes = [[[[0], [0]]]] ! coin.two is OPEN: vacuous, so every mechanism
    records = 2 => records = 2\n[[claim.numbers]]\nwhat = 'w'\nprinted = '3'\nformula = '1 + 1' ! REFUTED
    """,
)


@pytest.mark.parametrize(("second", "words"), NOT_HELD)
def test_a_part_that_does_not_hold_leaves_the_account_open(both, second, words):
    status, verdict, detail = both(FIRST, second, BOTH)
    assert (status, verdict) == (1 if "REFUTED" in words else 3, "OPEN")
    assert words in detail


OTHER_FLAVORS = changed(
    SECOND,
    r"""
    person => household ! unit ('person' against 'household'
    hamming_unordered => symmetric_difference ! neighbors (bounded against unbounded
    hamming_unordered => neighbors_replace_one_unordered ! input premetric (hamming_unordered against neigh
    schema = { a => schema = { b ! of a' against '3 multisets of records of b'
    { a = [0, 1] } => { a = [0, 2] } & [1] => [2] ! domain (3 data sets against 3 data sets, not the same)
    [claim.multiverse] => description = "adults"\n[claim.multiverse] ! of a' against 'adults; 3 multisets
    invariants = [] => invariants = ["size"] ! invariants (only one has 'size'
    invariants = [] => universes = [[[[0], [0]], [[0], [1]], [[1], [1]]]] ! only one has 'listed universes'
    invariants = [] => invariants = []\ndescription = "x" ! descriptions (none against x)
    "multiplicative" => "normalized_renyi" & gamma = 3 => rho_squared = "1"
      ! measure (epsilon of D_Mult against rho^2 of D_NoR
    "multiplicative" => "total_variation" & gamma = 3 => epsilon = "1" ! there is no rule here by which
    "hamming_unordered" => "explicit"\ndistances = [[[[0], [0]], [[0], [1]], 1]] ! its input premetric must be
    """,
)


@pytest.mark.parametrize(("second", "words"), OTHER_FLAVORS)
def test_parts_of_other_flavors_are_not_added(run, second, words):
    status, found, err = run(FIRST, second, BOTH)
    assert (status, err) == (3, "")
    assert found["coin.two"]["verdict"] in ("EXHAUSTED", "ENCLOSED")
    assert found["both"]["verdict"] == "OPEN"
    assert words in found["both"]["detail"]


LISTED = "universes = [[[[0], [0]], [[0], [1]]], [[[1], [1]]]]"


def test_other_universes_are_another_flavor(both):
    others = "universes = [[[[0], [1]], [[1], [1]]], [[[0], [0]]]]"
    one, same = (replaced(text, ("invariants = []", LISTED)) for text in (FIRST, SECOND))
    other = replaced(SECOND, ("invariants = []", others))
    assert both(one, same, BOTH)[0] == 0
    status, verdict, detail = both(one, other, BOTH)
    assert (status, verdict) == (3, "OPEN")
    assert "multiverse (other universes)" in detail


SAID = {"unit": "person", "neighbors": "bounded", "domain": "3 multisets of records of a", "invariants": []}


@pytest.mark.parametrize(
    ("key", "value"),
    [("unit", "household"), ("neighbors", "unbounded"), ("domain", "everybody"), ("invariants", ["state"])],
)
def test_what_the_account_says_of_its_flavor_is_compared(both, key, value):
    def head(said):
        return "\n".join(f"{name} = {json.dumps(words)}" for name, words in said.items()) + '\ntotal = "2.2"'

    assert both(FIRST, SECOND, account(*COINS, head=head(SAID)))[0] == 0
    status, verdict, detail = both(FIRST, SECOND, account(*COINS, head=head({**SAID, key: value})))
    assert (status, verdict) == (3, "OPEN")
    assert f"differs from the account in {key} (" in detail


RENYI = [('"multiplicative"', '"normalized_renyi"'), ("gamma = 3", 'rho_squared = "0.61"')]
"""ln(3)^2/2 = 0.6035 is a budget of it."""


def test_a_conversion_of_measures_is_checked(run):
    converted = 'claim = "coin.one"\nconversions = [{ to = "zero_concentrated" }]'
    status, found, _ = run(FIRST, replaced(SECOND, *RENYI), account(converted, COINS[1], head='total = "1.22"'))
    assert (status, found["both"]["verdict"]) == (0, "EXHAUSTED")
    assert "rho^2 of D_NoR = 1.2134" in str(found["both"]["findings"])


def test_replaced_records_are_two_steps_of_a_symmetric_difference(both):
    """Of three equal-sized data sets d_SymDiff is 2 d_HamS: the budget ln(3)/2 for it is ln 3 for the other."""
    halved = [("hamming_unordered", "symmetric_difference"), ("gamma = 3", 'epsilon = "0.54930615"')]
    converted = 'claim = "coin.two"\nconversions = [{ to = "bounded" }]'
    assert both(FIRST, replaced(SECOND, *halved), account(COINS[0], converted))[:2] == (0, "EXHAUSTED")


GRANTED = "is the file's, and nothing here checks it"
RECORDS = '"3 multisets of records of a"'
STATED = f"""
[[claim.account.releases]]
name = "raw"
epsilon = "0.001"
domain = {RECORDS}
invariants = []
neighbors = "bounded"
unit = "person"
"""


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ('conversions = [{ to = "unit", unit = "person", factor = 1, reason = "r" }]', GRANTED),
        ('conversions = [{ to = "invariants", invariants = ["state"] }]', GRANTED),
        (f'conversions = [{{ to = "sampled", sample = "s", rate = "1/10", domain = {RECORDS} }}]', GRANTED),
        (STATED, "nothing here shows these parts, stated without a mechanism: raw"),
    ],
)
def test_what_is_taken_for_granted_or_stated_alone_leaves_the_account_open(both, part, words):
    status, verdict, detail = both(FIRST, account(f'claim = "coin.one"\n{part}', head=""))
    assert (status, verdict) == (3, "OPEN")
    assert words in detail


PUFFERFISH = """\
[[claim]]
id = "coin.two"
statement = "Beliefs."
[claim.domain]
data_sets = [[0], [1]]
conjectures = { yes = [[1]], no = [[0]] }
[claim.domain.attackers]
one = [[[0], "1/2"], [[1], "1/2"]]
[claim.multiverse]
invariants = []
[claim.input_premetric]
name = "pufferfish"
pairs = [["yes", "no"]]
[claim.output_premetric]
name = "multiplicative"
[claim.budget]
gamma = 3
[claim.mechanism]
name = "kernel"
laws = [[[0], [["a", "3/4"], ["b", "1/4"]]], [[1], [["a", "1/4"], ["b", "3/4"]]]]
"""


def test_budgets_for_beliefs_do_not_add_up(run):
    """Given an attacker's belief two releases of the same data are not independent."""
    status, found, _ = run(FIRST, PUFFERFISH, BOTH)
    assert (status, found["coin.two"]["verdict"], found["both"]["verdict"]) == (3, "EXHAUSTED", "OPEN")
    assert "budgets for beliefs do not add up" in found["both"]["detail"]


def test_several_settings_are_no_one_budget(both):
    swapped = "[[claim]]\n" + re.sub(r"(?m)^\[(\w+)\]", r"[claim.\1]", SOUND)
    several = replaced(swapped, ('"1/2"', '["1/2", "1/3"]'), ("gamma = 4", 'epsilon = ["1.4", "2.3"]'))
    status, _, detail = both(several, account('claim = "swap.small"', head=""))
    assert status == 3
    assert "it has 2 settings, each with a budget of its own" in detail
    parts = 'claim = "swap.small"', 'claim = "swap.small"\nname = "again"'
    one = replaced(swapped, ("gamma = 4", 'epsilon = "1.4"'))
    assert both(one, account(*parts, head='total = "2.8"'))[:2] == (0, "EXHAUSTED")


@pytest.mark.parametrize(
    "form", ["--format=text", "--format=html", "--format=sarif", "--format=junit", "--format=github"]
)
def test_every_form_says_that_stated_budgets_are_not_shown(tmp_path, capsys, form):
    raw = 'id = "raw"\nstatement = "s"\n[account]\ndomain = "d"\ninvariants = []\nneighbors = "bounded"\n'
    raw += 'unit = "person"\ntotal = "0.001"\n[[account.releases]]\nname = "the raw data"\nrho_squared = "0.001"\n'
    (tmp_path / "raw.toml").write_text(raw, encoding="utf-8")
    page = tmp_path / "page.html"
    assert main(["audit", str(tmp_path / "raw.toml"), form, "--html", str(page)]) == 3
    said = "the sum is right; nothing here shows these parts"
    assert said in capsys.readouterr().out
    assert said in page.read_text(encoding="utf-8")
    assert "PASS" not in page.read_text(encoding="utf-8").split("the sum is right")[0].split("<body")[-1]


def test_an_account_is_shown_with_the_flavor_of_its_claims(tmp_path, capsys):
    path = tmp_path / "a.toml"
    path.write_text("\n".join((FIRST, SECOND, BOTH)), encoding="utf-8")
    assert main(["show", str(path)]) == 0
    out = capsys.readouterr().out
    assert "hamming_unordered; resolution: person; a budget for the metric at every distance" in out
    path.write_text("\n".join((FIRST, SECOND.replace("person", "household"), BOTH)), encoding="utf-8")
    assert main(["show", str(path)]) == 0
    assert "not stated (the parts are not of one flavor)" in capsys.readouterr().out


@pytest.mark.parametrize(("total", "got"), [('{ epsilon = "3" }', "a table"), ("[1]", "an array")])
def test_a_total_that_is_no_number_is_refused_in_plain_words(audited, total, got):
    status, _, err = audited(two(f"total = {total}"))
    assert (status, f'account.total must be one number, as 3, "0.5" or "1/20"; got {got}' in err) == (2, True)
