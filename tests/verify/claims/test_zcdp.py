from fractions import Fraction

import pytest

from spec.output_premetrics.approximate_multiplicative import ApproximateMultiplicative
from spec.output_premetrics.multiplicative import Multiplicative
from verify.certificates.replay import replay
from verify.claims.zcdp import approximate, divergences
from verify.engines.zcdp.renyi_grid import coin, enclosed, laws_of
from verify.evidence.finding import EngineError
from verify.evidence.verdict import Verdict
from verify.ledger.failures import unless

ORDERS = [Fraction(k, 4) for k in (4, 5, 6, 8, 12)]
FULL = [law for law in laws_of(3, 5) if len(law) == 3]


@pytest.mark.parametrize("p", FULL)
@pytest.mark.parametrize("q", FULL)
def test_the_bounds_that_replay_computes_enclose_the_normalized_renyi_distance(p, q):
    found = enclosed(p, q)
    for first, second in ((p, q), (q, p)):
        assert not unless("rate_from_below(p, q, orders) <= upper", p=first, q=second, orders=ORDERS, upper=found.upper)
    assert not unless(
        "any(lower <= one for one in [rate_from_above(p, q, orders), rate_from_above(q, p, orders)])",
        p=p,
        q=q,
        orders=ORDERS,
        lower=found.lower,
    )


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 8), Fraction(1, 2)])
def test_the_printed_supremum_over_events_is_the_closed_form(delta):
    closed = ApproximateMultiplicative(delta).distance if delta else Multiplicative().distance
    for p, q, gamma in ((p, q, closed(p, q).gamma) for p in laws_of(3, 4) for q in laws_of(3, 4)):
        assert approximate._printed(p, q, delta).gamma == gamma
    p, q = coin(Fraction(1, 4)), coin(Fraction(3, 4))
    gamma = closed(p, q).gamma
    assert not unless("approximate_multiplicative(p, q, delta) == gamma", p=p, q=q, delta=delta, gamma=gamma)


def test_a_failure_that_no_order_shows_is_a_fault_of_the_tool():
    p, q, _ = divergences.PATH
    with pytest.raises(EngineError, match="must fail where the engines say so"):
        divergences.false_of("rate_from_below(p, q, orders) <= rate_from_above(p, q, orders)", p=p, q=q)


def test_composition_of_every_choice_is_incomplete_since_the_deltas_must_add(checked):
    record = checked("premetrics.composition.printed")
    assert (record.verdict, record.claim.grade.word) == (Verdict.REFUTED, "incomplete")
    assert replay(record.witness)
    assert checked("premetrics.composition.approximate").verdict is Verdict.EXHAUSTED


@pytest.mark.parametrize(
    "claim_id", ["zcdp.metric", "zcdp.composition", "zcdp.post-processing", "gaussian.zcdp", "gaussian.sum-maximal"]
)
def test_coq_and_an_engine_agree(claim_id, checked):
    assert {one.verdict for one in checked(claim_id).supporting} >= {Verdict.PROVED}
    assert len(checked(claim_id).supporting) > 1
