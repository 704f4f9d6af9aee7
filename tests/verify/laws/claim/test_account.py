import re

import pytest
from weakened_claims import surveys

from stirred.verify.cli.main import main

ACCOUNT = """
id = "a"
statement = "s"
[account]
domain = "CEF"
invariants = ["population"]
neighbors = "bounded"
unit = "post-imputation person"
{extra}
[[account.releases]]
name = "TopDown"
rho_squared = "15.29"
[[account.releases]]
name = "SafeTab-P"
{second}
"""
SAME = 'rho_squared = "19.776"'


def run(tmp_path, capsys, second=SAME, extra=""):
    path = tmp_path / "a.toml"
    path.write_text(ACCOUNT.format(second=second, extra=extra))
    status = main(["audit", str(path)])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_one_flavor_adds_up_and_the_printed_total_agrees(tmp_path, capsys):
    status, out, _ = run(tmp_path, capsys, extra='total = "35.066"\npost_processed = ["PPMF"]')
    assert status == 3
    assert "a.account: OPEN: the sum is right; nothing here shows its parts: stated alone, without a mechanism, " in out
    assert "rho^2 of D_NoR = 35.066, by these steps: added: TopDown 15.29 + SafeTab-P 19.776" in out
    assert "derived from it at no cost: PPMF" in out


def test_a_wrong_total_is_refuted_with_both_values(tmp_path, capsys):
    for key, number in (("total", "35.065"), ("printed", "35.065"), ("printed", "35.067"), ("total", "0")):
        status, out, _ = run(tmp_path, capsys, extra=f'{key} = "{number}"')
        assert status == 1
        assert f"total of the account: printed {number}, recomputed 35.066" in out
        assert "the sum is right" not in out


@pytest.mark.parametrize("total", ["35.067", "36", "100", "1e6"])
def test_a_total_above_the_sum_is_a_bound_that_holds(tmp_path, capsys, total):
    status, out, _ = run(tmp_path, capsys, extra=f'total = "{total}"')
    assert status == 3
    assert f"claimed {total} ≥ the total of the account, 35.066" in out
    assert "the sum is right; nothing here shows its parts" in out
    assert "REFUTED" not in out
    status, out, _ = run(tmp_path, capsys, extra=f'total = "{total}"\nprinted = "35.07"')
    assert status == 3
    assert "total of the account: printed 35.07, recomputed 35.07" in out
    assert run(tmp_path, capsys, extra=f'total = "{total}"\nprinted = "{total}"')[0] == 1


def test_conversions_are_applied_in_order_and_shown(tmp_path, capsys):
    second = (
        'rho_squared = "4.944"\nneighbors = "unbounded"\ninvariants = []\n'
        'conversions = [{ to = "bounded" }, { to = "invariants", invariants = ["population"] }]'
    )
    status, out, _ = run(tmp_path, capsys, second, 'total = "35.066"')
    assert status == 3
    assert "SafeTab-P: unbounded to bounded: d_SymDiff = 2 d_HamS, so rho^2 times 4 = (2)^2" in out
    assert "SafeTab-P: more invariants (population): the budget stays" in out


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ('rho_squared = "17.79"\nunit = "post-imputation household"', "differs from 'TopDown' in unit"),
        (
            'rho_squared = "17.79"\nneighbors = "unbounded"',
            'neighbors (bounded against unbounded; conversion: to = "bounded" or to = "unbounded")',
        ),
        (
            'rho_squared = "17.79"\ninvariants = []',
            "invariants (only one has 'population'; conversion: to = \"invariants\")",
        ),
        ('epsilon = "1"', 'measure (rho^2 of D_NoR against epsilon of D_Mult; conversion: to = "zero_concentrated"'),
        ('epsilon = "1"\ndelta = "1e-6"', "measure (rho^2 of D_NoR against (epsilon, delta)"),
    ],
)
def test_different_flavors_are_refused_with_file_and_key(tmp_path, capsys, second, words):
    status, out, err = run(tmp_path, capsys, second)
    assert (status, out) == (2, "")
    assert re.match(r"stirred: .*a\.toml: account\.releases: parts must have one flavor to be added; ", err)
    assert words in err


@pytest.mark.parametrize(
    ("second", "words"),
    [
        ('rho_squared = "-1"', "account.releases[1].rho_squared must be non-negative; got -1"),
        ("rho_squared = 2.5", "account.releases[1].rho_squared must be an exact number; got the float 2.5"),
        ('epsilon = "1"\ndelta = "1"', "account.releases[1].delta must be between 0 and 1, exclusive; got 1"),
        (
            'rho_squared = "1"\nconversions = [{ to = "approximate", delta = "3/2", rule = "printed" }]',
            "conversions[0].delta must be between 0 and 1, exclusive; got 3/2",
        ),
        (
            'rho_squared = "1"\nconversions = [{ to = "unit", unit = "x", factor = "-2", reason = "r" }]',
            "a.toml: account.releases[1].conversions[0].factor must be positive; got -2",
        ),
        ('rho_squared = "1"\nholds_for = "some"', "holds_for: unknown name 'some'"),
        ('rho_squared = "1"\ndelta = "0.1"', "account.releases[1].delta belongs to epsilon"),
        ('rho_squared = "1"\nepsilon = "1"', "got rho_squared and epsilon"),
        ("", "got neither"),
        ('rho_squared = "1"\nneighbors = "near"', "neighbors: unknown name 'near'"),
        ('rho_squared = "1"\nconversions = [{ to = "moon" }]', "conversions[0].to: unknown name 'moon'"),
        ('rho_squared = "1"\nconversions = [{ to = "bounded", factor = 2 }]', "conversions[0].factor: unknown key"),
        ('rho_squared = "1"\nconversions = [{ to = "bounded" }]', "neighbors must be unbounded to be made bounded"),
        ('rho_squared = "1"\nconversions = [{ to = "unit", unit = "x", factor = 2 }]', "reason: missing key"),
        ('rho_squared = "1"\ncolor = 1', "account.releases[1].color: unknown key"),
    ],
)
def test_a_malformed_release_is_refused_with_file_and_key(tmp_path, capsys, second, words):
    status, out, err = run(tmp_path, capsys, second)
    assert (status, out) == (2, "")
    assert words in err


def test_the_converted_epsilon_is_compared_by_the_named_rule_with_both_shown(tmp_path, capsys):
    for rule, epsilon in (("printed", "91.90"), ("smallest", "90.36")):
        extra = f'converted = {{ epsilon = "{epsilon}", delta = "1e-10", rule = "{rule}" }}'
        status, out, _ = run(tmp_path, capsys, extra=extra)
        assert status == 3, out
        assert "the sum is right; nothing here shows its parts" in out
        assert "printed formula 91.89" in out
        assert "smallest over all Renyi orders 90.3" in out


def test_a_converted_epsilon_by_the_wrong_rule_does_not_hold(tmp_path, capsys):
    for key, rule, number, expected in (
        ("epsilon", "printed", "90.36", 1),
        ("printed", "smallest", "91.90", 1),
        ("epsilon", "smallest", "91.90", 3),  # a bound above what the rule gives
    ):
        extra = f'converted = {{ {key} = "{number}", delta = "1e-10", rule = "{rule}" }}'
        assert run(tmp_path, capsys, extra=extra)[0] == expected


def test_every_conversion_can_be_written(tmp_path, capsys):
    path = tmp_path / "b.toml"
    path.write_text("""
id = "b"
statement = "s"
[account]
domain = "d"
invariants = ["number of records"]
neighbors = "bounded"
unit = "post-imputation person"
holds_for = "all pairs of a universe"
total = "0.02"
[[account.releases]]
name = "r"
epsilon = "0.1"
conversions = [
  { to = "unbounded" },
  { to = "bounded" },
  { to = "contributors", duplicates = 1 },
  { to = "unit", unit = "family", factor = 3, reason = "at most three persons" },
  { to = "zero_concentrated" },
  { to = "approximate", delta = "1e-6", rule = "smallest" },
]
""")
    # epsilon = 0.1 * 2 * 3, rho^2 = 0.6^2/2 = 0.18
    assert main(["audit", str(path)]) == 1
    out = capsys.readouterr().out
    assert "r: pure to zero-concentrated: rho^2 = epsilon^2/2" in out
    assert "total of the account: printed 0.02, recomputed 2.954477581" in out


ONE = """
id = "c"
statement = "s"
[account]
domain = "d"
invariants = ["number of records"]
neighbors = "unbounded"
unit = "household"
total = "{total}"
{extra}
[[account.releases]]
name = "A"
rho_squared = "1"
conversions = [{conversions}]
"""


def one(tmp_path, capsys, conversions, total, extra=""):
    path = tmp_path / "c.toml"
    path.write_text(ONE.format(conversions=conversions, total=total, extra=extra))
    status = main(["audit", str(path)])
    output = capsys.readouterr()
    return status, output.out, output.err


def test_neighbours_under_invariants_are_not_converted_unless_the_budget_is_for_all_pairs(tmp_path, capsys):
    bounded = '{ to = "bounded" }'
    status, out, err = one(tmp_path, capsys, bounded, "4")
    assert (status, out) == (2, "")
    assert 'conversions[0].to: holds_for must be "all pairs of a universe"' in err
    status, out, _ = one(tmp_path, capsys, bounded, "4", 'holds_for = "all pairs of a universe"')
    assert status == 3
    assert "a budget for the metric at every distance" in out
    # the steps, the printed total beside the sum, the total as a budget, and the verdict
    assert out.count("not checked: that the budget of A holds for all pairs of a universe") == 4


def test_a_sum_that_compares_nothing_is_undecided(tmp_path, capsys):
    status, out, _ = one(tmp_path, capsys, "", "1")
    assert status == 3
    assert (
        "c.account: OPEN: vacuous, so every mechanism satisfies it: at a fixed number of records no two data sets are "
        in out
    )


def test_a_factor_of_the_file_stands_in_the_scope_of_the_verdict(tmp_path, capsys):
    conversions = '{ to = "unit", unit = "person", factor = "1/99999", reason = "because" }'
    _, out, _ = one(tmp_path, capsys, conversions, "1/9999800001")
    verdict = next(line for line in out.splitlines() if line.startswith("c: "))
    assert "as the file states, not checked: the factor 1/99999 from household to person (because)" in verdict


def test_a_long_exact_total_is_shown_rounded(tmp_path, capsys):
    conversions = f'{{ to = "unit", unit = "person", factor = "1.{"0" * 50}1", reason = "r" }}'
    out = one(tmp_path, capsys, conversions, "1.00", 'holds_for = "all pairs of a universe"')[1]
    assert "total at total = 1 (rounded: the exact fraction has " in out


def audited_account(tmp_path, capsys, text):
    path = tmp_path / "a.toml"
    path.write_text(text)
    status = main(["audit", str(path)])
    return status, capsys.readouterr().out


def test_releases_of_one_sample_are_added_before_they_are_amplified(tmp_path, capsys):
    """ln(1 + (e^3 - 1)/10) = 1.0677, although the amplified budgets add up to 0.6526 (dissertation, section 6.5.2)."""
    for samples, printed, agrees in (
        (("CPS", "CPS"), "1.07", True),
        (("CPS", "CPS"), "0.65", False),
        (("CPS", "ACS"), "0.65", True),
        (("CPS", "ACS"), "1.07", False),
    ):
        status, out = audited_account(tmp_path, capsys, surveys(*samples).replace('"0.65"', f'"{printed}"'))
        assert ("surveys.numbers: ENCLOSED" in out) == agrees, out
        assert ("surveys.numbers: REFUTED" in out) == (not agrees)
        assert status == (3 if agrees else 1)
        assert "as the file states, not checked: that CPS is a simple random sample without replacement" in out


def test_amplification_takes_for_granted_that_units_may_be_exchanged(tmp_path, capsys):
    """Between samples of the same units alone nothing is amplified: survey.sampling.same-units."""
    _, out = audited_account(tmp_path, capsys, surveys("CPS", "CPS"))
    assert "that who is in it stays secret, and that another unit's record may replace a sampled one" in out


def test_nothing_is_amplified_where_it_is_known_who_is_in_the_sample(tmp_path, capsys):
    text = surveys("CPS", "CPS", membership="known")
    _, out = audited_account(tmp_path, capsys, text)
    assert "epsilon of D_Mult = 3, by these steps" in out
    assert "that who is in it stays secret" not in out


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('rate = "1/10"', 'rate = "0"', "rate must be above 0 and at most 1; got 0"),
        ('membership = "secret"', 'membership = "none"', "unknown name 'none'"),
        ('neighbors = "bounded"', 'neighbors = "unbounded"', "a sample must be taken of bounded pure DP, once"),
        ("epsilon = 1", 'rho_squared = "1"', "a sample must be taken of bounded pure DP, once"),
        ("invariants = []", 'invariants = ["state"]', "invariants must be none where a sample is taken"),
        ('{ to = "sampled"', '{ to = "sampled", size = 3', "unknown key"),
        (" },\n]", ' }, { to = "zero_concentrated" },\n]', "must be converted before it is amplified"),
    ],
)
def test_a_sample_that_has_no_meaning_is_refused(tmp_path, capsys, old, new, message):
    text = surveys("CPS")
    assert old in text
    (tmp_path / "a.toml").write_text(text.replace(old, new))
    assert main(["audit", str(tmp_path / "a.toml")]) == 2
    assert message in capsys.readouterr().err


def test_one_sample_has_one_rate(tmp_path, capsys):
    (tmp_path / "a.toml").write_text(surveys("CPS", "CPS").replace('rate = "1/10"', 'rate = "1/5"', 1))
    assert main(["audit", str(tmp_path / "a.toml")]) == 2
    assert "rate and membership must be the same wherever the sample 'CPS' is named" in capsys.readouterr().err
