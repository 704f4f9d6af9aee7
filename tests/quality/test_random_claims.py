"""Random claims, accounts and surveys have the verdict that brute force gives them."""

import json
from collections import Counter
from fractions import Fraction

import pytest
from quality.differences import Audited
from quality.oracle import holds
from quality.random_accounts import random_account
from quality.random_claims import MEASURES, random_claim
from quality.random_surveys import random_survey

from stirred.spec import InputError
from stirred.verify.audit.audit import audit
from stirred.verify.cli.main import main
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims

BATCH = 250
BATCHES = 400


def compared(tmp_path, seeds, measure=None):
    """The claims of these seeds on which the auditor and the oracle differ, each with the text of its file."""
    claims = [random_claim(seed, measure) for seed in seeds]
    file = tmp_path / "random.toml"
    file.write_text("\n".join(claim.text() for claim in claims))
    records = [audit(build_claim(claim)) for claim in read_claims([file])]
    found = [(claim, Audited(claim, record).differences()) for claim, record in zip(claims, records, strict=True)]
    return [f"{claim.text()}\n{different}" for claim, different in found if different]


@pytest.mark.parametrize("measure", MEASURES)
def test_the_auditor_agrees_with_the_oracle(tmp_path, measure):
    assert compared(tmp_path, range(60), measure) == []


def test_the_auditor_agrees_with_the_oracle_on_normalized_renyi(tmp_path):
    assert compared(tmp_path, range(12), "normalized_renyi") == []


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(1, BATCHES + 1))
def test_a_hundred_thousand_claims_agree_with_the_oracle(tmp_path, batch):
    assert compared(tmp_path, range(BATCH * batch, BATCH * (batch + 1))) == []


def record_of(tmp_path, text):
    path = tmp_path / "account.toml"
    path.write_text(text, encoding="utf-8")
    (claim,) = [one for one in read_claims([path]) if one.id.startswith("account.")]
    return audit(build_claim(claim))


def account_verdicts(tmp_path, seeds):
    """How often each verdict was right; fails at the first that is wrong."""
    seen = Counter()
    for seed in seeds:
        account = random_account(seed)
        if all(part.case is None for part in account.parts) and len({part.flavor[:-1] for part in account.parts}) > 1:
            with pytest.raises(InputError, match="parts must have one flavor"):
                record_of(tmp_path, account.text)
            seen["refused"] += 1
            continue
        record = record_of(tmp_path, account.text)
        assert record.verdict.name in account.expected(), (seed, record.sentence, account.text)
        if record.verdict.is_settled_for and account.key == "total":
            kind = "rho_squared" if account.parts[0].kind == "rho_squared" else "epsilon"
            assert holds(account.together(), kind, Fraction(account.number)) is not False, (seed, account.text)
            seen["met"] += 1
        seen[record.verdict.name] += 1
    return seen


def test_the_verdict_of_an_account_is_that_of_its_parts(tmp_path):
    seen = account_verdicts(tmp_path, range(80))
    assert min(seen[name] for name in ("REFUTED", "OPEN", "met")) >= 7


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(10))
def test_the_verdicts_of_many_accounts_are_those_of_their_parts(tmp_path, changing_seed, batch):
    first = 1_000_000 * changing_seed + 1_000 * (batch + 1)
    assert account_verdicts(tmp_path, range(first, first + 1_000))["met"] >= 50


VACUOUS = "vacuous, so every mechanism satisfies it"


def expected(survey):
    """Exit status and verdict."""
    if not survey.case.compared():
        return 3, "OPEN"
    return {True: (0, "EXHAUSTED"), False: (1, "REFUTED")}[holds(survey.case, survey.kind, survey.value)]


def survey_verdicts(tmp_path, capsys, seeds):
    """How often each verdict was right; fails at the first that is wrong."""
    seen = Counter()
    for seed in seeds:
        survey = random_survey(seed)
        path = tmp_path / "survey.toml"
        path.write_text(survey.text, encoding="utf-8")
        status = main(["survey", str(path), "--json"])
        out, err = capsys.readouterr()
        assert status != 2, (seed, err, survey.text)
        (verdict,) = [one for one in json.loads(out) if one["id"] == f"s.{seed}"]
        assert (status, verdict["verdict"]) == expected(survey), (seed, survey.text, verdict["detail"])
        assert verdict["detail"].startswith(VACUOUS) == (status == 3), seed
        seen[status] += 1
    return seen


def test_the_verdict_of_a_survey_is_the_oracles(tmp_path, capsys):
    assert min(survey_verdicts(tmp_path, capsys, range(20))[status] for status in (0, 1, 3)) >= 2


@pytest.mark.nightly
@pytest.mark.parametrize("batch", range(10))
def test_the_verdicts_of_many_surveys_are_the_oracles(tmp_path, capsys, changing_seed, batch):
    first = 1_000_000 * changing_seed + 1_000 * (batch + 1)
    assert sum(survey_verdicts(tmp_path, capsys, range(first, first + 150)).values()) == 150
