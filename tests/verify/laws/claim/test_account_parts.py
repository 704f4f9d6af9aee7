"""Accounts whose parts are claims: decided where all hold under one flavor, else undecided, with what differs."""

import json

import pytest
from claim_texts import SOUND, replaced

from stirred.verify.cli.main import main

COIN = """\
[[claim]]
id = "coin.{name}"
statement = "A coin."
[claim.domain]
schema = {{ a = [0, 1] }}
records = 2
[claim.multiverse]
invariants = []
[claim.input_premetric]
name = "hamming_unordered"
resolution = "person"
[claim.output_premetric]
name = "multiplicative"
[claim.budget]
gamma = 3
[claim.mechanism]
name = "kernel"
laws = [
  [[[0], [0]], [["a", "3/4"], ["b", "1/4"]]],
  [[[0], [1]], [["a", "1/2"], ["b", "1/2"]]],
  [[[1], [1]], [["a", "1/4"], ["b", "3/4"]]],
]
"""
FIRST, SECOND = COIN.format(name="one"), COIN.format(name="two")


def account(*parts, head='total = "2.2"'):
    releases = "".join(f"[[claim.account.releases]]\n{part}\n" for part in parts)
    return f'[[claim]]\nid = "both"\nstatement = "Both coins."\n[claim.account]\n{head}\n{releases}'


BOTH = account('claim = "coin.one"', 'claim = "coin.two"')


@pytest.fixture
def run(tmp_path, capsys):
    def audited(*texts, name="a.toml", more=()):
        (tmp_path / name).write_text("\n".join(texts), encoding="utf-8")
        status = main(["audit", str(tmp_path / name), *map(str, more), "--json"])
        out, err = capsys.readouterr()
        return status, {one["id"]: one for one in json.loads(out)} if out.startswith("[") else {}, err

    return audited


@pytest.mark.parametrize("texts", [(FIRST, SECOND, BOTH), (BOTH, FIRST, SECOND), (FIRST, BOTH, SECOND)])
def test_parts_that_hold_are_a_sum_that_holds(run, texts):
    """2 ln 3 = 2.1972…, whichever of the claims stands first in the file."""
    status, found, _ = run(*texts)
    assert status == 0
    assert found["both"]["verdict"] == "EXHAUSTED"
    assert "each part is run once, on the same data, with randomness of its own" in found["both"]["scope"]
    assert any("claimed 2.2 ≥ the total of the account, 2.197" in f["detail"] for f in found["both"]["findings"])


def test_a_claim_with_a_mechanism_of_its_own_has_an_account_of_others(run):
    own = BOTH[BOTH.index("[claim.account]") :]
    status, found, _ = run(FIRST, SECOND, COIN.format(name="third"), own)
    assert status == 0
    assert found["coin.third"]["verdict"] == "EXHAUSTED"
    assert any("coin.two is EXHAUSTED" in f["detail"] for f in found["coin.third"]["findings"])


def test_a_part_may_be_in_another_file_of_the_run_and_nowhere_else(run, tmp_path):
    (tmp_path / "coins.toml").write_text(f"{FIRST}\n{SECOND}", encoding="utf-8")
    assert run(BOTH, more=[tmp_path / "coins.toml"])[0] == 0
    status, _, err = run(BOTH)
    assert status == 2
    assert err.count("\n") == 1
    assert "releases[0].claim must be the id of a claim about a mechanism that is audited in the same run" in err


@pytest.mark.parametrize(
    "other",
    [
        "",
        BOTH.replace('"both"', '"coin.two"').replace('claim = "coin.two"', 'claim = "coin.one"'),
        '[[claim]]\nid = "coin.two"\nstatement = "s"\n[[claim.numbers]]\nwhat = "w"\nprinted = "1"\nformula = "1"\n',
    ],
    ids=["unknown", "another account", "numbers"],
)
def test_what_is_no_claim_about_a_mechanism_is_no_part(run, other):
    status, found, err = run(FIRST, other, BOTH)
    assert status == 2
    assert "both" not in found
    assert "must be the id of a claim about a mechanism" in err


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
def test_the_total_is_compared_with_the_sum_of_the_claims(run, head, status, verdict):
    found_status, found, _ = run(FIRST, SECOND, account('claim = "coin.one"', 'claim = "coin.two"', head=head))
    assert (found_status, found["both"]["verdict"]) == (status, verdict)


@pytest.mark.parametrize(
    ("changes", "words", "status"),
    [
        ([("gamma = 3", 'gamma = "3/2"')], "coin.two is REFUTED: claimed epsilon = ln(3/2) <", 1),
        ([("gamma = 3", 'description = "small"')], "its budget is not stated in numbers", 3),
        ([("gamma = 3", 'epsilon = "infinite"')], "its budget is infinite, and claims nothing", 3),
        ([("invariants = []", "universes = [[[[0], [0]]]]")], "coin.two is OPEN: vacuous, so every mechanism", 3),
        (
            [("records = 2", "records = 2\n[[claim.numbers]]\nwhat = 'w'\nprinted = '3'\nformula = '1 + 1'")],
            "REFUTED",
            1,
        ),
    ],
)
def test_a_part_that_does_not_hold_leaves_the_account_open(run, changes, words, status):
    found_status, found, _ = run(FIRST, replaced(SECOND, *changes), BOTH)
    assert found_status == status
    assert found["both"]["verdict"] == "OPEN"
    assert words in found["both"]["detail"]


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ([("person", "household")], "unit ('person' against 'household'"),
        ([("hamming_unordered", "symmetric_difference")], "neighbors (bounded against unbounded"),
        (
            [("hamming_unordered", "neighbors_replace_one_unordered")],
            "input premetric (hamming_unordered against neigh",
        ),
        ([("schema = { a", "schema = { b")], "of a' against '3 multisets of records of b'"),
        (
            [("{ a = [0, 1] }", "{ a = [0, 2] }"), ("[1]", "[2]")],
            "domain (3 data sets against 3 data sets, not the same)",
        ),
        ([("[claim.multiverse]", 'description = "adults"\n[claim.multiverse]')], "of a' against 'adults; 3 multisets"),
        ([("invariants = []", 'invariants = ["size"]')], "invariants (only one has 'size'"),
        (
            [("invariants = []", "universes = [[[[0], [0]], [[0], [1]], [[1], [1]]]]")],
            "only one has 'listed universes'",
        ),
        ([("invariants = []", 'invariants = []\ndescription = "x"')], "descriptions (none against x)"),
        (
            [('"multiplicative"', '"normalized_renyi"'), ("gamma = 3", 'rho_squared = "1"')],
            "measure (epsilon of D_Mult against rho^2 of D_NoR",
        ),
        ([('"multiplicative"', '"total_variation"'), ("gamma = 3", 'epsilon = "1"')], "there is no rule here by which"),
        (
            [('"hamming_unordered"', '"explicit"\ndistances = [[[[0], [0]], [[0], [1]], 1]]')],
            "its input premetric must be",
        ),
    ],
)
def test_parts_of_other_flavors_are_not_added(run, changes, words):
    status, found, err = run(FIRST, replaced(SECOND, *changes), BOTH)
    assert (status, err) == (3, "")
    assert found["coin.two"]["verdict"] in ("EXHAUSTED", "ENCLOSED")
    assert found["both"]["verdict"] == "OPEN"
    assert words in found["both"]["detail"]


LISTED = "universes = [[[[0], [0]], [[0], [1]]], [[[1], [1]]]]"


def test_other_universes_are_another_flavor(run):
    one = replaced(FIRST, ("invariants = []", LISTED))
    other = replaced(
        SECOND,
        (
            "invariants = []",
            LISTED.replace("[[0], [0]], [[0], [1]]], [[[1], [1]]", "[[0], [1]], [[1], [1]]], [[[0], [0]]"),
        ),
    )
    status, found, _ = run(one, other, BOTH)
    assert (status, found["both"]["verdict"]) == (3, "OPEN")
    assert "multiverse (other universes)" in found["both"]["detail"]
    assert run(one, replaced(SECOND, ("invariants = []", LISTED)), BOTH)[0] == 0


SAID = {"unit": "person", "neighbors": "bounded", "domain": "3 multisets of records of a", "invariants": []}


@pytest.mark.parametrize(
    ("key", "value"),
    [("unit", "household"), ("neighbors", "unbounded"), ("domain", "everybody"), ("invariants", ["state"])],
)
def test_what_the_account_says_of_its_flavor_is_compared(run, key, value):
    def head(said):
        return "\n".join(f"{name} = {json.dumps(words)}" for name, words in said.items()) + '\ntotal = "2.2"'

    parts = ('claim = "coin.one"', 'claim = "coin.two"')
    assert run(FIRST, SECOND, account(*parts, head=head(SAID)))[0] == 0
    status, found, _ = run(FIRST, SECOND, account(*parts, head=head({**SAID, key: value})))
    assert (status, found["both"]["verdict"]) == (3, "OPEN")
    assert f"differs from the account in {key} (" in found["both"]["detail"]


def test_a_stated_part_beside_claims_is_not_shown(run):
    stated = 'name = "raw"\nepsilon = "0.001"\ndomain = "3 multisets of records of a"\ninvariants = []\n'
    stated += 'neighbors = "bounded"\nunit = "person"'
    status, found, _ = run(FIRST, account('claim = "coin.one"', stated))
    assert (status, found["both"]["verdict"]) == (3, "OPEN")
    assert "nothing here shows its parts: stated alone, without a mechanism, are raw" in found["both"]["detail"]


RENYI = [('"multiplicative"', '"normalized_renyi"'), ("gamma = 3", 'rho_squared = "0.61"')]
"""ln(3)^2/2 = 0.6035 is a budget of it."""


def test_a_conversion_of_measures_is_checked(run):
    converted = 'claim = "coin.one"\nconversions = [{ to = "zero_concentrated" }]'
    parts = account(converted, 'claim = "coin.two"', head='total = "1.22"')
    status, found, _ = run(FIRST, replaced(SECOND, *RENYI), parts)
    assert (status, found["both"]["verdict"]) == (0, "EXHAUSTED")
    assert "rho^2 of D_NoR = 1.2134" in str(found["both"]["findings"])


def test_replaced_records_are_two_steps_of_a_symmetric_difference(run):
    """Of three equal-sized data sets d_SymDiff is 2 d_HamS: the budget ln(3)/2 for it is ln 3 for the other."""
    halved = [("hamming_unordered", "symmetric_difference"), ("gamma = 3", 'epsilon = "0.54930615"')]
    converted = 'claim = "coin.two"\nconversions = [{ to = "bounded" }]'
    status, found, _ = run(FIRST, replaced(SECOND, *halved), account('claim = "coin.one"', converted))
    assert (status, found["both"]["verdict"]) == (0, "EXHAUSTED")


@pytest.mark.parametrize(
    "conversion",
    [
        '{ to = "unit", unit = "person", factor = 1, reason = "r" }',
        '{ to = "invariants", invariants = ["state"] }',
        '{ to = "sampled", sample = "s", rate = "1/10", domain = "3 multisets of records of a" }',
    ],
)
def test_a_conversion_that_takes_something_for_granted_leaves_the_account_open(run, conversion):
    converted = f'claim = "coin.one"\nconversions = [{conversion}]'
    status, found, _ = run(FIRST, account(converted, head=""))
    assert (status, found["both"]["verdict"]) == (3, "OPEN")
    assert "is the file's, and nothing here checks it" in found["both"]["detail"]


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


def test_several_settings_are_no_one_budget(run):
    swapped = "[[claim]]\n" + replaced(SOUND, ('"1/2"', '["1/2", "1/3"]'), ("gamma = 4", 'epsilon = ["1.4", "2.3"]'))
    for table in ("domain", "multiverse", "input_premetric", "output_premetric", "budget", "mechanism"):
        swapped = swapped.replace(f"[{table}]", f"[claim.{table}]")
    status, found, err = run(swapped, account('claim = "swap.small"', head=""))
    assert (status, err) == (3, "")
    assert "it has 2 settings, each with a budget of its own" in found["both"]["detail"]
    status, found, _ = run(
        swapped.replace('["1/2", "1/3"]', '"1/2"').replace('["1.4", "2.3"]', '"1.4"'),
        account('claim = "swap.small"', 'claim = "swap.small"\nname = "again"', head='total = "2.8"'),
    )
    assert (status, found["both"]["verdict"]) == (0, "EXHAUSTED")


@pytest.mark.parametrize(
    "form", ["--format=text", "--format=html", "--format=sarif", "--format=junit", "--format=github"]
)
def test_every_form_says_that_stated_budgets_are_not_shown(tmp_path, capsys, form):
    raw = 'id = "raw"\nstatement = "s"\n[account]\ndomain = "d"\ninvariants = []\nneighbors = "bounded"\n'
    raw += 'unit = "person"\ntotal = "0.001"\n[[account.releases]]\nname = "the raw data"\nrho_squared = "0.001"\n'
    (tmp_path / "raw.toml").write_text(raw, encoding="utf-8")
    page = tmp_path / "page.html"
    assert main(["audit", str(tmp_path / "raw.toml"), form, "--html", str(page)]) == 3
    said = "the sum is right; nothing here shows its parts"
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
