from fractions import Fraction
from itertools import permutations, product

import pytest

from stirred.spec.output_premetrics.approximate_multiplicative import ApproximateMultiplicative
from stirred.spec.output_premetrics.multiplicative import Multiplicative
from stirred.verify.certificates.replay import replay
from stirred.verify.claims.zcdp import divergences
from stirred.verify.engines.zcdp.renyi_grid import enclosed, laws_of
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.failures import unless

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
    for p, q in divergences.but_for_names(3, 4):
        assert not unless("approximate_multiplicative(p, q, delta) == g", p=p, q=q, delta=delta, g=closed(p, q).gamma)


def test_laws_but_for_the_names_of_outcomes_are_all_laws_up_to_their_names():
    laws, chosen = laws_of(3, 4), set(divergences.but_for_names(3, 4))
    renamed = {tuple(p.push(names.__getitem__) for p in pair) for pair in chosen for names in permutations(range(3))}
    assert renamed == set(product(laws, repeat=2))
    assert len(chosen) < len(laws) ** 2 / 4


def test_a_failure_that_no_order_shows_is_a_fault_of_the_tool():
    p, q, _ = divergences.PATH
    with pytest.raises(EngineError, match="must fail where the engines say so"):
        divergences.false_of("rate_from_below(p, q, orders) <= rate_from_above(p, q, orders)", p=p, q=q)


def test_composition_of_every_choice_is_incomplete_since_the_deltas_must_add(checked):
    record = checked("premetrics.composition.printed")
    assert (record.verdict, record.claim.grade.word) == (Verdict.REFUTED, "incomplete")
    assert replay(record.witness)
    assert checked("premetrics.composition.approximate").verdict is Verdict.PROVED


@pytest.mark.parametrize(
    "claim_id", ["zcdp.metric", "zcdp.composition", "zcdp.post-processing", "gaussian.zcdp", "gaussian.sum-maximal"]
)
def test_coq_and_an_engine_agree(claim_id, checked):
    assert {one.verdict for one in checked(claim_id).supporting} >= {Verdict.PROVED}
    assert len(checked(claim_id).supporting) > 1
