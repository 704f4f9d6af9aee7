"""What an audit certifies: laws or choice trees, distances by name or listed, and plainly why there is none."""

import json

import pytest
from claim_texts import CLAIMS, SCHEMA, SOUND, replaced
from started import stirred

from stirred.verify.audit.audit import audit
from stirred.verify.evidence.certificates.check import check
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims


def certified(tmp_path, text):
    file = tmp_path / "claim.toml"
    file.write_text(text, encoding="utf-8")
    (claim,) = read_claims([file])
    return audit(build_claim(claim), is_certified=True)


def test_a_mechanism_of_the_library_is_certified_by_its_laws(tmp_path):
    (certificate,) = certified(tmp_path, (CLAIMS / "coin.toml").read_text()).certificates
    assert certificate["distance"] == {"name": "hamming_ordered"}
    assert all("probabilities" in law for law in certificate["laws"])
    assert check(certificate)[-1].startswith("CONFIRMED: met: multiplicative")


def test_ones_own_mechanism_is_certified_by_its_choice_trees(tmp_path):
    (tmp_path / "own_mechanisms.py").write_text((CLAIMS / "own_mechanisms.py").read_text())
    (certificate,) = certified(tmp_path, (CLAIMS / "own_mechanism.toml").read_text()).certificates
    assert all("tree" in law for law in certificate["laws"])
    assert "own_mechanisms:noisy_vote" in certificate["mechanism"]
    assert check(certificate)[-1].startswith("CONFIRMED: met: multiplicative")


LOOPS = """\
from fractions import Fraction


def tries(data, source):
    ones = sum(value == "yes" for (value,) in data)
    while True:
        drawn = source.attempt(lambda inner: _once(inner))
        if drawn or source.bernoulli(Fraction(1, 3)):
            return drawn and ones > 0 and source.bernoulli(Fraction(1, 2))


def _once(source):
    first = source.uniform(3)
    return source.restart() if first == 2 else first == 1
"""


def test_loops_and_attempts_are_summed_by_the_checker_too(tmp_path):
    (tmp_path / "mine.py").write_text(LOOPS)
    own = replaced(SCHEMA, ('name = "identity"', 'function = "mine:tries"'), ("gamma = 2", "gamma = 100"))
    record = certified(tmp_path, own)
    (certificate,) = record.certificates
    assert any(node % 4 == 3 for law in certificate["laws"] for node in law["tree"])
    assert any(node % 4 == 2 and node >= 4 for law in certificate["laws"] for node in law["tree"])
    assert check(certificate)[-1].startswith(
        "CONFIRMED: exceeded" if record.verdict.name == "REFUTED" else "CONFIRMED: met"
    )


RELEASED = """\
from fractions import Fraction


def tries(data, source):
    return sum(value == "yes" for (value,) in data) + source.discrete_laplace(Fraction(1, 2))
"""


@pytest.mark.parametrize(("epsilon", "said"), [("1/3", "met"), ("3/10", "exceeded")])
def test_released_noise_is_certified_by_finite_laws_of_the_same_distances(tmp_path, epsilon, said):
    (tmp_path / "mine.py").write_text(RELEASED)
    own = replaced(SCHEMA, ('name = "identity"', 'function = "mine:tries"'), ("gamma = 2", f'epsilon = "{epsilon}"'))
    (certificate,) = certified(
        tmp_path, replaced(own, ('name = "multiplicative"', 'name = "total_variation"'))
    ).certificates
    assert certificate["outputs"][0] == "at most 0"
    assert check(certificate)[-1].startswith(f"CONFIRMED: {said}: total_variation")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (SOUND, "no finite exact laws were listed"),
        (replaced(SCHEMA, ("gamma = 2", 'epsilon = "infinite"')), "an infinite budget claims nothing"),
        (
            replaced(SCHEMA, ("[budget]\ngamma = 2", '[budget]\ndescription = "some"')),
            "the claim is undecided: all five blocks are named",
        ),
    ],
)
def test_why_there_is_none_is_said(tmp_path, text, why):
    record = certified(tmp_path, text)
    assert record.certificates == ()
    assert record.uncertified.startswith(why)


def test_the_command_writes_them_once_and_the_same_bytes_again(tmp_path):
    for name in ("one.json", "two.json"):
        found = stirred("audit", CLAIMS / "coin.toml", CLAIMS / "geometric.toml", "--certificate", tmp_path / name)
        assert found.returncode == 1
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    assert [one["claim"] for one in json.loads((tmp_path / "one.json").read_text())] == [
        "survey.coin",
        "geometric.a-tenth",
    ]
    found = stirred("check", tmp_path / "one.json")
    assert found.returncode == 0
    lines = found.stdout.splitlines()
    assert 'one.json: 1 of 2: not compared: {"claim": "survey.coin", ' in lines[0]
    assert "one.json: 1 of 2: CONFIRMED: met" in lines[2]
    assert "one.json: 2 of 2: CONFIRMED: exceeded" in found.stdout


def test_the_command_says_of_which_claim_there_is_none(tmp_path):
    (tmp_path / "claim.toml").write_text(SOUND)
    found = stirred("audit", tmp_path / "claim.toml", "--certificate", tmp_path / "c.json")
    assert found.returncode == 0
    assert "no certificate of swap.small: no finite exact laws" in found.stderr
    assert not (tmp_path / "c.json").exists()


def test_a_file_is_not_written_twice_and_not_over_a_claim(tmp_path):
    (tmp_path / "claim.toml").write_text(SOUND)
    for options in (["--certificate", tmp_path / "claim.toml"], ["--certificate", "x", "--html", "x"]):
        found = stirred("audit", tmp_path / "claim.toml", *options, cwd=tmp_path)
        assert found.returncode == 2
        assert not (tmp_path / "x").exists()
