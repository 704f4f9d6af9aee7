"""`stirred check --claim` and `--ledger`: a certificate or Coq file that is another claim's is refused."""

import json

import pytest
from claim_texts import replaced
from started import stirred

from stirred.verify.cli import main

CLAIM = """\
id = "coin.flip"
statement = "Each person's answer satisfies gamma = 3."
domain = { schema = { answer = [0, 1] }, records = 2, order = "ordered" }
multiverse = { invariants = [] }
input_premetric = { name = "hamming_ordered", resolution = "person" }
output_premetric = { name = "multiplicative" }
budget = { gamma = "3" }
mechanism = { function = "mine:flipped" }
"""
FLIPPED = """\
from fractions import Fraction


def flipped(answers, source):
    return tuple(1 - a if source.bernoulli(Fraction(1, 4)) else a for (a,) in answers)
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A folder with a claim, its certificate and its Coq file."""
    folder = tmp_path_factory.mktemp("kept")
    (folder / "mine.py").write_text(FLIPPED)
    (folder / "claim.toml").write_text(CLAIM)
    (folder / "weaker.toml").write_text(replaced(CLAIM, ('gamma = "3"', 'gamma = "4"'), ("gamma = 3.", "gamma = 4.")))
    done = stirred("audit", "claim.toml", "--certificate", "c.json", "--coq", "Claim.v", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder


def test_what_an_audit_of_the_claim_leaves_is_the_claims(kept):
    done = stirred("check", "c.json", "Claim.v", "--claim", "claim.toml", cwd=kept)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "c.json: compared: it is, word for word" in done.stdout
    assert "Claim.v: COMPARED: " in done.stdout
    assert "not compared" not in done.stdout


def test_the_certificate_of_another_claim_is_refused_though_its_numbers_are_right(kept):
    done = stirred("check", "c.json", "Claim.v", "--claim", "weaker.toml", cwd=kept)
    assert done.returncode == 1
    assert "c.json: NOT CONFIRMED: it is not what the claim" in done.stdout
    assert "another statement, budget" in done.stdout
    assert "Claim.v: NOT OF THE CLAIMS: its text" in done.stdout
    renamed = json.loads((kept / "c.json").read_text()) | {"claim": "coin.other"}
    (kept / "renamed.json").write_text(json.dumps(renamed))
    assert stirred("check", "renamed.json", cwd=kept).returncode == 0
    done = stirred("check", "renamed.json", "--claim", "claim.toml", cwd=kept)
    assert done.returncode == 1
    assert "nothing is known here to compare it with" in done.stdout


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("Proof.\n", "Admitted.\nTheorem other : True.\nProof.\n"),
        ("satisfies (universes", "True \\/ satisfies (universes"),
        ("(* claim.toml: SHA-256", "Axiom oops : False. (* claim.toml: SHA-256"),
        ("(* claim.toml: SHA-256", "(* *) Axiom oops : False. (* claim.toml: SHA-256"),
        ("Module Claim1.\n", "Module Claim1.\n(* 0: SHA-256 *)\n"),
    ],
)
def test_a_coq_file_with_another_text_is_refused(kept, old, new):
    text = (kept / "Claim.v").read_text()
    assert old in text
    (kept / "Altered.v").write_text(text.replace(old, new, 1))
    done = stirred("check", "Altered.v", "--claim", "claim.toml", cwd=kept)
    assert (done.returncode, done.stderr) == (1, "")


def test_a_coq_file_alone_cannot_be_checked(kept, capsys):
    assert main(["check", str(kept / "Claim.v")]) == 2
    assert "add --claim" in capsys.readouterr().err


def test_a_certificate_under_the_name_of_another_claim_of_the_ledger_is_refused(tmp_path, capsys):
    name = "derangements.recurrence.two-terms"
    assert main(["verify", name, "--certificates", str(tmp_path)]) == 0
    file = tmp_path / f"{name}.json"
    assert main(["check", str(file), "--ledger"]) == 0
    assert "compared: it is" in capsys.readouterr().out
    content = json.loads(file.read_text())
    true = [{**content["sentences"][0], "says": "True"}]
    for changed in (
        {"claim": "psa.theorem-1"},
        {"claim": "derangements.recurrence"},
        {"statement": "2 + 2 = 5"},
        {"sentences": true},
    ):
        file.write_text(json.dumps(content | changed))
        assert main(["check", str(file)]) == 0
        assert main(["check", str(file), "--ledger"]) == 1


def test_a_distance_that_is_known_by_name_has_no_pairs_of_its_own(kept, capsys):
    content = json.loads((kept / "c.json").read_text())
    assert content["distance"] == {"name": "hamming_ordered"}
    content["distance"]["pairs"] = [[0, 1, 1]]
    (kept / "named.json").write_text(json.dumps(content))
    assert main(["check", str(kept / "named.json")]) == 1
    assert "hamming_ordered is computed: it must have no pairs" in capsys.readouterr().out
