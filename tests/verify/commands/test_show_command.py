import json
from pathlib import Path

import pytest

from stirred.verify.cli import main

FIXTURES = Path(__file__).parents[1] / "records" / "fixtures"

CLAIM = """
id = "coin"
statement = "s"
[domain]
schema = { answer = [0, 1] }
records = 1
order = "ordered"
[multiverse]
invariants = []
[input_premetric]
name = "hamming_ordered"
resolution = "person"
[output_premetric]
name = "multiplicative"
[budget]
gamma = 3
"""
ACCOUNT = """
[account]
domain = "all possible files"
invariants = ["population"]
neighbors = "bounded"
unit = "person"
[[account.releases]]
name = "T_p"
rho_squared = "2.56"
[[account.releases]]
name = "T_hh"
rho_squared = "0.07"
"""
ACCOUNT_ONLY = f'id = "products"\nstatement = "s"\n{ACCOUNT}'
NUMBERS = """
id = "numbers"
statement = "s"
[[numbers]]
what = "w"
printed = "2"
formula = "1 + 1"
"""


def shown(tmp_path, capsys, content):
    path = tmp_path / "claim.toml"
    path.write_text(content)
    status = main(["show", str(path)])
    return status, capsys.readouterr().out


def test_an_account_is_shown_as_its_one_flavor(tmp_path, capsys):
    status, out = shown(tmp_path, capsys, ACCOUNT_ONLY)
    assert status == 0
    assert [line[58:] for line in out.splitlines()[1:6]] == [
        "all possible files",
        "invariant: population",
        "d_HamS: records replaced; resolution: person; a budget for neighbours only",
        "D_NoR (zero-concentrated differential privacy)",
        "rho^2 of D_NoR = 2.63; added: T_p 2.56 + T_hh 0.07",
    ]
    assert out.splitlines()[0] == "products (claim.toml)"
    assert out.endswith("\n1 claim\n")


def test_a_claim_with_an_account_is_shown_twice(tmp_path, capsys):
    _, out = shown(tmp_path, capsys, CLAIM + ACCOUNT)
    assert "coin (claim.toml)\n" in out
    assert "coin.account (claim.toml)\n" in out
    assert out.endswith("\n2 claims\n")


def test_a_claim_of_numbers_only_is_counted(tmp_path, capsys):
    assert shown(tmp_path, capsys, NUMBERS) == (
        0,
        "0 claims; 1 more of printed numbers only, which have no blocks\n",
    )


@pytest.mark.parametrize(
    ("name", "lines"),
    [
        ("library_loans.yaml", ("in prose: ",)),
        ("unfamiliar_release.yaml", ("not stated", "not read as a number: epsilon = '1 to 8, by query'")),
        ("safetab_p.json", ("not stated", "US: rho^2 = 618/125 = 4.944, the sum of 3 budgets; Puerto Rico: ")),
        ("phsafe_us.json", ("privacy_defn = zcdp",)),
        ("town_default.ini", ("invariants by level: Town: tot", "for one replaced record: rho^2 = 4")),
        ("town_person.ini", ("not stated; its shares: Town 1/3, District 2/3",)),
    ],
)
def test_a_published_record_is_shown_as_what_it_states(capsys, name, lines):
    assert main(["show", str(FIXTURES / name)]) == 0
    out = capsys.readouterr().out
    assert f"({name})\ndomain " in out
    for line in lines:
        assert line in out


def test_a_block_that_is_neither_stated_nor_in_prose_is_not_stated(tmp_path, capsys):
    path = tmp_path / "s.ini"
    path.write_text("[budget]\nglobal_scale = 1\ndp_mechanism = other\n")
    assert main(["show", str(path)]) == 0
    assert capsys.readouterr().out.count("not stated\n") == 4


def test_json_has_every_specification(tmp_path, capsys):
    path = tmp_path / "claim.toml"
    path.write_text(ACCOUNT_ONLY)
    assert main(["show", "--json", str(path), str(FIXTURES / "phsafe_us.json")]) == 0
    account, record = json.loads(capsys.readouterr().out)
    blocks = ("domain", "multiverse", "input_premetric", "output_premetric", "budget")
    assert tuple(account) == tuple(record) == ("id", "source", "statement", *blocks)
    assert (account["id"], record["id"], record["statement"]) == ("products", "phsafe_us", "budgets of PHSafe as run")


def test_a_malformed_record_is_one_line_and_nothing_is_printed(tmp_path, capsys):
    path = tmp_path / "s.json"
    path.write_text("{}")
    assert main(["show", str(FIXTURES / "phsafe_us.json"), str(path)]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert output.err.count("\n") == 1
