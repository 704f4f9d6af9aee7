"""Accounts that compose their releases by a rule at a total delta, and releases that are repeated."""

import json

import pytest
from claim_texts import changed, replaced
from coin_accounts import FIRST, account

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


COMPOSED = changed(
    two('composition = "optimal"\ndelta = "1e-6"', "SECOND").replace("rho_squared", "epsilon"),
    r"""
    SECOND => epsilon = "1"\ntimes = 0 ! account.releases[1].times must be at least 1; got 0
    SECOND => epsilon = "1"\ntimes = 10001 ! account.releases[1].times must be at most 10000; got 10001
    SECOND => epsilon = "1"\ntimes = "2" ! account.releases[1].times must be an integer of at least 1; got '2': write 2
    SECOND => epsilon = "1"\ndelta = "1e-5" ! account.composition: delta must be at least 1 - (1 - delta_1)
    SECOND => rho_squared = "1" ! account.composition: 'SafeTab-P' is zCDP, and rho^2 adds up
    SECOND => epsilon = "1"\nunit = "x" ! parts must have one flavor; 'SafeTab-P' differs in unit
    SECOND => epsilon = "1" & "optimal" => "best" ! account.composition: unknown name 'best'
    SECOND => epsilon = "1" & composition = "optimal" => ! account.delta belongs to composition
    SECOND => epsilon = "1" & delta = "1e-6" => ! account.delta: missing key
    SECOND => epsilon = "1" & delta = "1e-6" => delta = "2"
      ! account.delta must be between 0 and 1, exclusive; got 2
    """,
)


@pytest.mark.parametrize(("text", "words"), COMPOSED)
def test_a_composition_that_cannot_be_is_refused_with_file_and_key(audited, text, words):
    status, out, err = audited(text)
    assert (status, out) == (2, "")
    assert words in err


def test_releases_that_are_repeated_are_added_as_often(audited):
    text = two('total = "8"', 'epsilon = "1/2"\ntimes = 6').replace('rho_squared = "15.29"', 'epsilon = "5"')
    assert "epsilon of D_Mult = 8, by these steps: added: TopDown 5 + 6 times SafeTab-P 0.5" in audited(text)[1]


@pytest.mark.parametrize(
    ("rule", "least", "more"), [("optimal", "4.77", "4.78"), ("advanced", "5.75", "5.76"), ("adaptive", "5.75", "5.76")]
)
def test_equal_releases_are_composed_by_the_named_rule(audited, rule, least, more):
    """A hundred of (0.1, 0) at 1e-6, a pure and an approximate part: 4.7745…, 5.7561…, 5.7565…."""
    for total, said in ((least, "not shown: claimed"), (more, "ENCLOSED: claimed")):
        text = two(
            f'composition = "{rule}"\ndelta = "1e-6"\ntotal = "{total}"', 'epsilon = "0"\ndelta = "1e-30"'
        ).replace('rho_squared = "15.29"', 'epsilon = "0.1"\ntimes = 100')
        status, out, err = audited(text)
        assert (status, err) == (3, "")
        assert f"a.budget: {said}" in out.replace("OPEN: ", "")
        assert "composed by the rule" in out
        assert "before the first release" in out


@pytest.fixture
def run(tmp_path, capsys):
    def audited(*texts, more=()):
        (tmp_path / "a.toml").write_text("\n".join(texts), encoding="utf-8")
        status = main(["audit", str(tmp_path / "a.toml"), *map(str, more), "--json"])
        out, err = capsys.readouterr()
        return status, {one["id"]: one for one in json.loads(out)} if out.startswith("[") else {}, err

    return audited


def test_a_claim_that_is_run_twice_counts_twice(run):
    """2 ln 3 = 2.19…; at δ = 1/4 it is ln(9 − 16/4) = ln 5 = 1.609…."""
    twice = 'claim = "coin.one"\ntimes = 2'
    assert run(FIRST, account(twice, head='total = "2.2"'))[0] == 0
    assert run(FIRST, account(twice, head='total = "1.1"'))[0] != 0
    head = 'composition = "optimal"\ndelta = "1/4"\ntotal = "TOTAL"'
    assert run(FIRST, account(twice, head=head.replace("TOTAL", "1.61")))[0] == 0
    assert run(FIRST, account(twice, head=head.replace("TOTAL", "1.60")))[0] == 3
