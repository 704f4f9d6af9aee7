"""A verdict stands above the program's own sentence: mechanism and five blocks, and no word of the claimant's."""

import json

import pytest
from claim_texts import CLAIMS, SOUND, built, changed, replaced
from claim_texts import PSA as ONE_SETTING_EACH

from stirred.verify.cli.main import main
from stirred.verify.laws.claim.claim_numbers import PUBLISHED
from stirred.verify.laws.claim.five_blocks import own_sentence
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claim, read_claims

COIN = (CLAIMS / "coin.toml").read_text(encoding="utf-8")
BLOCKS = ("domain", "multiverse", "input_premetric", "output_premetric", "budget")

ACCOUNT = """\
id = "town"
statement = "Perfectly private."
[account]
domain = "people of a town"
invariants = []
neighbors = "bounded"
unit = "person"
total = "0.3"
releases = [{ name = "ages", rho_squared = "0.1" }, { name = "jobs", rho_squared = "0.2" }]
"""

PSA = replaced(ONE_SETTING_EACH, ('["swapping"]', '["swapping", "people in the state"]'))


def sentence(tmp_path, text):
    return own_sentence(built(tmp_path, text, None))


def without(text, block):
    first, second = text.split(f"[{block}]\n")
    return first + second[second.index("\n[") + 1 :]


WHOLE = (
    "randomized-response with flip_probability = 1/4 satisfies gamma = 3 in D_Mult for each person (hamming_ordered), "
    "on 8 ordered data sets of 3 records, no invariants"
)
STATED = changed(
    COIN,
    r"""
    invariants = [] => invariants = ["size"] ! invariant: size
    resolution = "person" => resolution = "person, of whom nothing leaks" ! "person, of whom nothing leaks"
    name = "multiplicative" => name = "approximate_multiplicative"\ndelta = "1/9" ! D_Mult^delta, delta = 1/9
    name = "multiplicative" => name = "normalized_renyi" & gamma = 3 => rho_squared = "0.5"
      ! satisfies rho^2 = 0.5 in D_NoR for
    name = "multiplicative" => name = "tradeoff" & hamming_ordered => neighbors_replace_one_ordered & gamma = 3
      => curve = [[0, 0], ["1/4", "3/4"], [1, 1]] ! in tradeoff for each person
    gamma = 3 => description = "a small epsilon" ! satisfies a budget in words, "a small epsilon" in D_Mult
    """,
)


@pytest.mark.parametrize(("text", "expected"), [(COIN, WHOLE), *STATED])
def test_the_sentence_has_the_blocks_as_they_are_stated(tmp_path, text, expected):
    assert expected in sentence(tmp_path, text)


@pytest.mark.parametrize(
    ("block", "name"), [*((one, one.replace("_", " ")) for one in BLOCKS[:4]), ("budget", "budget")]
)
def test_a_block_that_is_missing_is_not_stated(tmp_path, block, name):
    assert f"{name} that is not stated" in sentence(tmp_path, without(COIN, block))


def test_a_block_in_words_alone_is_quoted_as_words(tmp_path):
    text = without(COIN, "multiverse").replace("[budget]", '[multiverse]\ndescription = "any \\"world\\""\n[budget]')
    assert r'a multiverse in words, "any \"world\""' in sentence(tmp_path, text)


def test_each_setting_has_its_budget(tmp_path):
    assert sentence(tmp_path, PSA) == (
        "permutation-swapping (b = 10) satisfies epsilon = ln(209) ≈ 5.34233, the value of (7) at swap_rate = 1/20 and "
        "epsilon = ln(11) ≈ 2.39790, the value of (7) at swap_rate = 1/2 in D_Mult for each household "
        '(hamming_unordered), on a domain in words, "all households", invariant: swapping, "people in the state"'
    )


def test_an_account_and_numbers_have_one(tmp_path):
    assert sentence(tmp_path, ACCOUNT) == (
        "the account of 2 releases (ages, jobs) satisfies rho^2 of D_NoR = 0.3 for each person "
        '(d_HamS: records replaced), on a domain in words, "people of a town", no invariants'
    )
    row = '[[numbers]]\nwhat = "three, as all know"\nprinted = "3"\nformula = "1 + 2"\n'
    assert sentence(tmp_path, f'id = "n"\nstatement = "s"\n{row}') == (
        '1 printed number, recomputed: "three, as all know" = 3'
    )


@pytest.mark.parametrize(
    "path", sorted([*PUBLISHED.glob("*.toml"), *CLAIMS.rglob("*.toml")]), ids=lambda path: path.stem
)
def test_no_sentence_depends_on_what_the_claimant_says(path):
    for claim in read_claims([path]):
        own = own_sentence(build_claim(claim, None))
        assert own
        assert claim.statement not in own


def test_no_parameter_or_name_can_speak_in_its_place(tmp_path):
    false = "1) satisfies epsilon = 0 for everybody, and"
    mechanism = f'function = "own_mechanisms:noisy_vote"\nparameters = {{ lie = "1/3", note = {json.dumps(false)} }}\n'
    (tmp_path / "own_mechanisms.py").write_text("def noisy_vote(data, source, lie, note): return 0\n", encoding="utf-8")
    text = COIN[: COIN.index("[mechanism]")] + "[mechanism]\n" + mechanism
    assert f"note = {json.dumps(false)} satisfies gamma = 3" in sentence(tmp_path, text)
    columns = f'matching = [{json.dumps(false)}], holding = ["a"], swapping = ["b"], resolution = "household"'
    own = sentence(tmp_path, PSA.replace("largest_stratum", f"{columns}, largest_stratum"))
    assert f"(matching {json.dumps(false)}, holding a" in own


def test_pufferfish_compares_conjectures(tmp_path):
    assert own_sentence(build_claim(read_claim(CLAIMS / "pufferfish.toml"), None)).endswith(
        "satisfies gamma = 9 in D_Mult for each pair of competing conjectures (pufferfish), on 4 beliefs (attacker | "
        "conjecture), no invariants"
    )


def test_a_table_of_claims_has_the_sentence_of_each(tmp_path, capsys):
    for name, statement in (("a", "Nobody can be found."), ("b", "Nothing to fear.")):
        text = replaced(
            SOUND, (SOUND[SOUND.index("statement") :].splitlines()[0], f"statement = {json.dumps(statement)}")
        )
        (tmp_path / f"{name}.toml").write_text(text.replace('id = "', f'id = "{name}.'), encoding="utf-8")
    assert main(["audit", str(tmp_path), "--color", "always"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.count("for each household (hamming_unordered)") == 2
    assert "fear" not in shown


class TestASwappedFile:
    @pytest.fixture
    def swap(self, tmp_path, capsys, monkeypatch):
        pytest.importorskip("pyarrow")
        monkeypatch.chdir(tmp_path)
        rows = [f"{size},{tenure},{block}" for size in (1, 2) for tenure in ("own", "rent") for block in ("A", "B")]
        (tmp_path / "town.csv").write_text("\n".join(["size,tenure,block", *rows]) + "\n", encoding="utf-8")
        options = ["--match", "size", "--swap", "block", "--swap-rate", "1/2", "--resolution", "household"]
        assert main(["swap", "town.csv", *options, "--microdata", "swapped.csv", "--claim", "swap.toml"]) == 0
        capsys.readouterr()
        return (tmp_path / "swap.toml").read_text(encoding="utf-8")

    def test_a_budget_in_a_description_that_differs_from_the_blocks_is_a_finding(self, tmp_path, capsys, swap):
        first, rest = swap.split("[multiverse]\ndescription = ")
        text = f"{first}[multiverse]\ndescription = {json.dumps('it is 0.1-DP')}\n{rest.split(chr(10), 1)[1]}"
        (tmp_path / "swap.toml").write_text(text, encoding="utf-8")
        assert main(["audit", "swap.toml", "--data", "town.csv", "swapped.csv"]) == 3
        assert "the multiverse says '0.1-DP'; the claim has the budget epsilon = ln(5)" in capsys.readouterr().out

    def test_the_sentence_stands_above_the_words(self, capsys, swap):
        main(["audit", "swap.toml", "--data", "town.csv", "swapped.csv", "--color", "always"])
        shown = " ".join(capsys.readouterr().out.split())
        own = shown.index("permutation-swapping with swap_rate = 1/2 (matching size, holding tenure, swapping block")
        assert own < shown.index('not checked: "The release satisfies')
        main(["audit", "swapped.csv", "--color", "always"])
        shown = " ".join(capsys.readouterr().out.split())
        assert "audited The swap behind swapped.csv satisfies epsilon = ln(5)" in shown
        assert "in D_Mult for each household (d_HamS), on all data sets with the variables" in shown
