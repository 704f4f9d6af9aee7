import json

import pytest

import verify.checks  # noqa: F401 the real evidence is attached before the fixture takes it away
from spec.claims import CLAIMS, Claim
from verify import ledger
from verify.evidence import EngineError, Evidence, formula_witness
from verify.ledger import checks, refutes, run, run_claim
from verify.replay import replay
from verify.verdict import Verdict

CLAIM = Claim("test.claim", "a test, Lemma 0", "For all n in N, n <= 3.")
FALSE = formula_witness("n <= 3", n=4)
HOLDS = Evidence(Verdict.EXHAUSTED, "n <= 3")
REFUTED = Evidence(Verdict.REFUTED, "n <= 4", witness=FALSE)


@pytest.fixture(autouse=True)
def own_ledger(monkeypatch):
    """A ledger with one claim, so that the real one is neither run nor changed."""
    monkeypatch.setattr(ledger, "_CHECKS", {})
    monkeypatch.setattr(ledger, "_MUTANTS", {})
    monkeypatch.setattr(ledger, "CLAIMS", (CLAIM,))


def test_a_claim_without_evidence_is_open():
    record = run_claim(CLAIM)
    assert (record.verdict, record.witness, record.supporting) == (Verdict.OPEN, None, ())
    assert record.scope


def test_the_strongest_evidence_gives_the_verdict():
    for verdict in (Verdict.SAMPLED, Verdict.DECIDED, Verdict.EXHAUSTED):
        checks("test.claim")(lambda verdict=verdict: Evidence(verdict, f"scope of {verdict.name}"))
    record = run_claim(CLAIM)
    assert (record.verdict, record.scope) == (Verdict.DECIDED, "scope of DECIDED")
    assert [piece.verdict.name for piece in record.supporting] == ["DECIDED", "EXHAUSTED", "SAMPLED"]


def test_a_refutation_wins_over_what_settles_nothing():
    checks("test.claim")(lambda: REFUTED)
    checks("test.claim")(lambda: Evidence(Verdict.SAMPLED, "n = 10"))
    record = run_claim(CLAIM)
    assert (record.verdict, record.witness) == (Verdict.REFUTED, FALSE)


def test_engines_that_contradict_each_other_are_a_failure():
    checks("test.claim")(lambda: REFUTED)
    checks("test.claim")(lambda: HOLDS)
    with pytest.raises(EngineError, match="one engine refutes what another one supports"):
        run_claim(CLAIM)


@pytest.mark.parametrize("verdict", [v for v in Verdict if v is not Verdict.REFUTED])
def test_a_mutant_that_survives_is_a_failure(verdict):
    checks("test.claim")(lambda: HOLDS)
    refutes("test.claim", "4 for 3")(lambda: Evidence(verdict, "n <= 3"))
    with pytest.raises(EngineError, match="mutant '4 for 3' survives"):
        run_claim(CLAIM)


def test_a_refuted_mutant_is_recorded_with_its_witness():
    checks("test.claim")(lambda: HOLDS)
    refutes("test.claim", "2 for 3")(lambda: REFUTED)
    (mutant,) = run_claim(CLAIM).as_json()["mutants"]
    assert (mutant["change"], mutant["verdict"], mutant["witness"]) == ("2 for 3", "REFUTED", FALSE)


@pytest.mark.parametrize("attach", [checks("test.claim"), refutes("test.claim", "2 for 3")])
def test_a_witness_that_does_not_replay_is_a_failure(attach):
    attach(lambda: Evidence(Verdict.REFUTED, "n <= 3", witness=formula_witness("n <= 3", n=3)))
    with pytest.raises(EngineError, match="does not replay"):
        run_claim(CLAIM)


def test_evidence_for_no_claim_is_a_failure():
    checks("test.clam")(lambda: HOLDS)
    with pytest.raises(EngineError, match=r"'test\.clam', which is no claim"):
        run_claim(CLAIM)


def test_records_are_json_and_their_witnesses_replay_from_it():
    checks("test.claim")(lambda: REFUTED)
    (record,) = run((CLAIM,))
    parsed = json.loads(json.dumps(record.as_json()))
    assert {"id", "source", "statement", "verdict", "scope", "witness", "evidence", "seconds"} <= set(parsed)
    assert (parsed["id"], parsed["source"], parsed["statement"]) == (CLAIM.id, CLAIM.source, CLAIM.statement)
    assert replay(parsed["witness"])


def test_the_real_claims_have_unique_ids_and_their_repairs_exist():
    ids = [claim.id for claim in CLAIMS]
    assert len(set(ids)) == len(ids)
    assert {claim.repairs for claim in CLAIMS if claim.repairs} <= set(ids)
