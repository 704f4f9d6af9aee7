"""Claims under output premetrics with real values: met at the value itself, refuted just below, with a witness.

Claims of f-DP: a curve that no pair's test passes, one that a test passes, and curves that cross.
"""

from fractions import Fraction
from pathlib import Path

import pytest

from stirred.spec import InputError
from stirred.verify.audit.audit import audit
from stirred.verify.audit.certificate import NoCertificateError, certificates
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit, exhaust
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims

CLAIM = """\
id = "coin"
statement = "Randomized response."
domain = {{ schema = {{ answer = [0, 1] }}, records = {records}, order = "ordered" }}
multiverse = {{ invariants = [] }}
input_premetric = {{ name = "hamming_ordered", resolution = "person" }}
output_premetric = {{ {measure} }}
budget = {{ {budget} }}
mechanism = {{ {mechanism} }}
"""
FLIP = 'name = "randomized-response", flip_probability = "1/4"'
NAMED = {
    "kullback_leibler": (
        'name = "kullback_leibler"',
        'epsilon = "ln(3)/2"',
        'epsilon = "0.5493"',
        "1/2*ln(3) ≈ 0.549306",
    ),
    "gamma": ('name = "kullback_leibler"', "gamma = 2", "gamma = '1.7'", "1/2*ln(3) ≈ 0.549306"),
    "renyi 2": ('name = "renyi", order = 2', 'gamma = "7/3"', 'gamma = "2.3333"', "ln(7/3) ≈ 0.847298"),
    "renyi 3/2": ('name = "renyi", order = "3/2"', 'gamma = "25/12"', 'gamma = "2.08333"', "≈ 0.733969"),
    "chi_squared": ('name = "chi_squared"', 'epsilon = "4/3"', 'epsilon = "1.3333"', "4/3"),
    "squared_hellinger": ('name = "squared_hellinger"', 'epsilon = "0.134"', 'epsilon = "0.1339"', "≈ 0.133975"),
    "gaussian": ('name = "gaussian"', 'mu = "1.349"', 'mu = "1.3489"', "Phi^-1(3/4) - Phi^-1(1/4) ≈ 1.34898"),
}


def built(tmp_path, measure, budget, *, records=1, mechanism=FLIP):
    file = tmp_path / "claim.toml"
    file.write_text(CLAIM.format(measure=measure, budget=budget, records=records, mechanism=mechanism))
    (claim,) = read_claims([file])
    return build_claim(claim)


def answers(tmp_path, *arguments, **keywords):
    return {one.question: one.evidence for one in audit(built(tmp_path, *arguments, **keywords)).answers}


@pytest.mark.parametrize("name", NAMED)
def test_a_budget_holds_at_the_value_and_fails_just_below(name, tmp_path):
    measure, enough, too_small, value = NAMED[name]
    met = answers(tmp_path, measure, enough)
    assert met["budget"].verdict is (Verdict.EXHAUSTED if name == "chi_squared" else Verdict.ENCLOSED)
    assert met["budget"].detail.startswith("claimed ")
    assert value in met["budget"].detail
    assert value in met["mechanism"].detail
    refuted = answers(tmp_path, measure, too_small)["budget"]
    assert refuted.verdict is Verdict.REFUTED
    assert "x = ((0,),), x' = ((1,),), d = 1: D_Pr[P_x, P_x'] = " in refuted.detail
    assert (refuted.witness["x"], refuted.witness["x_prime"]) == ([[0]], [[1]])
    assert replay(refuted.witness).startswith("false at ")


@pytest.mark.parametrize("name", ["kullback_leibler", "renyi 2", "chi_squared", "gaussian"])
def test_a_budget_is_multiplied_by_the_distance(name, tmp_path):
    """Two flips are two independent ones: KL adds, χ² multiplies, and none of 2·d at distance 2 is exceeded by more."""
    measure, enough, too_small, _ = NAMED[name]
    found = answers(tmp_path, measure, enough, records=2)["budget"]
    assert found.verdict.is_settled_for == (name != "chi_squared")
    assert answers(tmp_path, measure, too_small, records=2)["budget"].verdict is Verdict.REFUTED


@pytest.mark.parametrize("name", NAMED)
def test_laws_that_tell_data_sets_apart_need_an_infinite_budget_where_it_is_one(name, tmp_path):
    measure, enough, *_ = NAMED[name]
    found = answers(tmp_path, measure, enough, mechanism='name = "identity"')
    if name == "squared_hellinger":
        assert "the smallest budget is 1," in found["mechanism"].detail
        return
    assert "the smallest budget is infinite" in found["mechanism"].detail
    assert found["budget"].verdict is Verdict.REFUTED
    assert replay(found["budget"].witness) == "false at p = 1, q = 0: q > 0 (left 0, right 0)"
    budget = 'epsilon = "infinite"' if "mu" not in enough else enough
    assert (answers(tmp_path, measure, budget, mechanism='name = "identity"')["budget"].verdict.is_settled_for) == (
        "mu" not in enough
    )


def test_what_is_weaker_than_pure_privacy_is_said(tmp_path):
    found = answers(tmp_path, 'name = "kullback_leibler"', "gamma = 2")
    assert "kullback_leibler; multiplicative needs ln(3)" in found["weakening"].detail
    assert "a mean of log-likelihood ratios" in found["meaning"].detail


def test_a_constant_needs_no_budget(tmp_path):
    found = answers(tmp_path, 'name = "gaussian"', "mu = 0", mechanism='name = "constant"')
    assert "the smallest budget is 0" in found["mechanism"].detail
    assert found["budget"].verdict.is_settled_for


def test_there_is_no_certificate(tmp_path):
    claim = built(tmp_path, 'name = "kullback_leibler"', "gamma = 2")
    (case,) = claim.cases
    with pytest.raises(NoCertificateError, match="no certificate for the output premetric 'kullback_leibler'"):
        certificates(ClaimUnderAudit(claim, ((case, exhaust(claim, case)),)))


REFUSED = {
    "renyi without an order": ('name = "renyi"', "gamma = 2", "output_premetric.order: missing key"),
    "an order elsewhere": (
        'name = "gaussian", order = 2',
        "mu = 1",
        "order belongs to 'renyi'; the name is 'gaussian'",
    ),
    "a delta elsewhere": ('name = "renyi", order = 2, delta = 0', "mu = 1", "belongs to 'approximate_multiplicative'"),
    "an order of 1": ('name = "renyi", order = 1', "gamma = 2", "order must be above 1"),
    "epsilon for mu": (
        'name = "gaussian"',
        "epsilon = 1",
        "is not a budget for the output premetric 'gaussian'; give mu",
    ),
    "mu for epsilon": ('name = "chi_squared"', "mu = 1", "for the output premetric 'chi_squared'; give epsilon"),
    "a logarithm": ('name = "chi_squared"', 'epsilon = "ln 2"', "must be a number for 'chi_squared'; got a logarithm"),
    "a negative mu": ('name = "gaussian"', "mu = -1", "budget.mu must be non-negative"),
    "a name and a function": ('name = "gaussian", function = "mine:d"', "mu = 1", "output_premetric.name: unknown key"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused(name, tmp_path):
    measure, budget, message = REFUSED[name]
    with pytest.raises(InputError) as caught:
        built(tmp_path, measure, budget)
    assert message in str(caught.value)


def test_the_smallest_budget_of_the_ledger_of_pairs_is_that_of_brute_force(tmp_path):
    """Two answers, the first reported by a coin of 1/4 and the second as it is flipped by 1/3: over all pairs at 1."""
    claim = built(tmp_path, 'name = "chi_squared"', "epsilon = 9", records=2)
    (case,) = claim.cases
    found = exhaust(claim, case)
    laws = found.laws
    needs = []
    for x in laws:
        for y in laws:
            d = sum(a != b for a, b in zip(x, y, strict=True))
            value = sum((laws[x].numeric(t) ** 2 / laws[y].numeric(t) for t in laws[x]), Fraction(-1))
            needs += [value / d] if d else []
    assert found.smallest == max(needs) == Fraction(20, 9)


TRADEOFF = """\
id = "coin"
statement = "Randomized response of one answer at 1/4."
[domain]
schema = {{ answer = [0, 1] }}
records = 1
order = "ordered"
[multiverse]
invariants = []
[input_premetric]
name = "hamming_ordered"
resolution = "person"
[output_premetric]
name = "tradeoff"
[budget]
{budget}
[mechanism]
{mechanism}
"""
FLIPPED = 'name = "randomized-response"\nflip_probability = "1/4"'


def audited(tmp_path: Path, budget: str, mechanism: str = FLIPPED, old: str = "", new: str = ""):
    file = tmp_path / "claim.toml"
    file.write_text(
        TRADEOFF.format(budget=budget, mechanism=mechanism).replace(old, new)
        if old
        else TRADEOFF.format(budget=budget, mechanism=mechanism)
    )
    (claim,) = read_claims([file])
    return {answer.question: answer.evidence for answer in audit(build_claim(claim)).answers}


def test_the_curve_of_a_coin_is_its_smallest_budget(tmp_path):
    answers = audited(tmp_path, 'curve = [[0, 0], ["1/4", "3/4"], [1, 1]]')
    assert answers["budget"].verdict is Verdict.EXHAUSTED
    assert "the smallest budget is the curve (0, 0) (1/4, 3/4) (1, 1)" in answers["mechanism"].detail


def test_a_test_that_passes_the_claimed_curve_is_the_witness(tmp_path):
    answers = audited(tmp_path, 'curve = [[0, 0], ["1/4", "1/2"], [1, 1]]')
    assert answers["budget"].verdict is Verdict.REFUTED
    assert replay(answers["budget"].witness).startswith("P_x(E) = 3/4 > 1/2 = f(1/4) = f(P_x'(E)), ")


def test_a_mechanism_without_loss_needs_the_diagonal(tmp_path):
    answers = audited(tmp_path, "curve = [[0, 0], [1, 1]]", 'name = "constant"')
    assert answers["budget"].verdict is Verdict.EXHAUSTED
    assert "the smallest budget is the diagonal (0, 0) (1, 1)" in answers["mechanism"].detail


def test_curves_that_cross_have_no_smallest_budget(tmp_path):
    (tmp_path / "crossing.py").write_text(
        "from fractions import Fraction as F\n\n"
        "def release(data, source):\n"
        "    ((answer,),) = data\n"
        "    weights = [(F(1, 2), F(1, 2), F(0)), (F(1, 4), F(1, 2), F(1, 4)), (F(9, 10), F(1, 10), F(0))]\n"
        "    return source.choose(weights[answer])\n"
    )
    answers = audited(
        tmp_path, "curve = [[0, 1], [1, 1]]", 'function = "crossing:release"', "answer = [0, 1]", "answer = [0, 1, 2]"
    )
    assert "cross, so no curve is the smallest budget" in answers["mechanism"].detail
    assert answers["budget"].verdict is Verdict.EXHAUSTED


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ("curve = 3", "budget.curve must be an array; got 3"),
        ("curve = [3]", r"budget.curve must be an array of \[level, power\]; got \[3\]"),
        ('curve = [[0, 0], ["1/4", "1/8"], [1, 1]]', "budget.curve must be concave; got"),
        ("gamma = 3", "budget.gamma is not a budget for the output premetric 'tradeoff'"),
        ("curve = [[0, 0], [1, 1]]\nepsilon = 1", "budget.curve cannot be combined with epsilon"),
    ],
)
def test_bad_curves_are_refused_at_their_key(tmp_path, budget, message):
    with pytest.raises(InputError, match=message):
        audited(tmp_path, budget)
