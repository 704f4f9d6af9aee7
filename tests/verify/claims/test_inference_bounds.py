"""The claims about what tests and posteriors can learn: verdicts, mutants, and the counterexamples by hand."""

from fractions import Fraction

import pytest

from stirred.verify.certificates.replay import replay
from stirred.verify.claims.inference.models import responses
from stirred.verify.engines.inference.posterior import Belief
from stirred.verify.evidence.verdict import Verdict

PROVED = (
    *("privatised.density.repaired", "privatised.density.wider", "testing.level", "testing.size", "testing.sharpest"),
    *("testing.characterises", "predicted.density.repaired", "posterior.interval.repaired", "posterior.odds"),
    *("posterior.bayes", "posterior.record", "optimal.density.path", "optimal.constants.all-priors"),
)
EXHAUSTED = (
    *(f"privatised.{name}" for name in ("density.sharpest", "lemmas", "exists", "anchor.repaired", "connected")),
    *("privatised.responses.repaired", "testing.records", "supports.outside", "predicted.density.one-model"),
    *("posterior.necessary.repaired", "optimal.density", "optimal.pointwise", "optimal.power"),
    *("optimal.posterior.approached", "posterior.specific", "supports.reach.hamming"),
    "figures.binary-sum.tighter",
)
ENCLOSED = (
    *("figures.binary-sum", "figures.binary-sum.loose.repaired", "figures.responses", "figures.count"),
    *("figures.count.extremes", "figures.count.noise.repaired"),
)
REFUTED = {
    "privatised.density": "incomplete",
    "privatised.anchor": "incomplete",
    "privatised.responses": "incomplete",
    "predicted.density": "incomplete",
    "posterior.interval": "incomplete",
    "posterior.necessary": "incomplete",
    "posterior.unique": "incomplete",
    "optimal.constants": "incomplete",
    "optimal.posterior": "incomplete",
    "supports.reach": "incomplete",
    "optimal.lower-density": "misprint",
    "figures.binary-sum.loose": "misprint",
    "figures.count.noise": "misprint",
}


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        *((name, Verdict.PROVED) for name in PROVED),
        *((name, Verdict.EXHAUSTED) for name in EXHAUSTED),
        *((name, Verdict.ENCLOSED) for name in ENCLOSED),
    ],
)
def test_the_claims_hold_and_their_mutants_do_not(name, verdict, checked):
    record = checked(name)
    assert record.verdict is verdict
    assert record.mutants
    for mutant in record.mutants:
        assert mutant.evidence.verdict is Verdict.REFUTED
        assert replay(mutant.evidence.witness)


@pytest.mark.parametrize("name", REFUTED)
def test_what_is_refuted_replays_with_its_grade(name, checked):
    record = checked(name)
    assert record.verdict is Verdict.REFUTED
    assert record.claim.grade.word == REFUTED[name]
    assert replay(record.witness)


def test_a_random_number_of_records_breaks_the_printed_bounds_by_hand():
    laws, _ = responses((1, 2))
    # half of the data sets have one bit: t = (0,) has probability 1/4, and a single bit is at most 3 times as likely
    model = {x: Fraction(1, 2) / 2 ** len(x) for x in laws}
    released = sum(share * laws[x].numeric((0,)) for x, share in model.items())
    assert released == Fraction(1, 4)
    by_size = {x: Fraction(1, 10) / 2 ** len(x) if len(x) == 1 else Fraction(9, 10) / 2 ** len(x) for x in laws}
    # l(t) = max over both data sets of 1/3 P_x(t) = 1/4 * 3/4 * 4/3: above 1/10 * 1/2
    lower = max(laws[x].numeric((0,)) for x in laws if len(x) == 1) / 3
    assert sum(share * laws[x].numeric((0,)) for x, share in by_size.items()) == Fraction(1, 20) < lower


def test_a_release_of_the_number_of_records_moves_a_posterior_without_bound_by_hand():
    laws, _ = responses((1, 2))
    shares = {x: Fraction(1, 100) / 2 if len(x) == 1 else Fraction(99, 100) / 4 for x in laws}
    belief = Belief(shares, laws)
    short = [x for x in laws if len(x) == 1]
    assert belief.probability_of(short) == Fraction(1, 100)
    assert belief.after((0,), short) == 1
