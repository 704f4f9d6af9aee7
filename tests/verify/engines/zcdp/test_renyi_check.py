from fractions import Fraction
from itertools import product
from pathlib import Path

import pytest
from small_flavors import flavor, law

from stirred.mechanisms import randomized_response
from stirred.spec import FiniteDomain, Flavor, NormalizedRenyi, Specification, hamming_ordered, vacuous
from stirred.spec.numbers.enclosure import log
from stirred.verify.cli.main import main
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.exhaustive import check_specification, mechanism_laws
from stirred.verify.engines.zcdp.normalized_renyi import renyi_supremum
from stirred.verify.engines.zcdp.renyi_check import (
    decide_renyi_bound,
    renyi_bounds,
    renyi_witness,
    smallest_compared_budget,
)
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.verdict import Verdict

DOMAIN = FiniteDomain(((0, 0), (0, 1), (1, 0), (1, 1)))
FLAVOR = Flavor(DOMAIN, vacuous(DOMAIN), hamming_ordered("answer"), NormalizedRenyi())
LAWS = mechanism_laws(randomized_response, DOMAIN, flip_probability=Fraction(1, 4))

# one answer: D_NoR^2 = ln(3)/2 = 0.549306...; two answers: ln(3) at distance 2, which is below 4 ln(3)/2
EXACT = Fraction("0.549306144334054845697622618461")
RENYI = FLAVOR.output_premetric


def check(rho_squared, laws=LAWS, compared=FLAVOR):
    return check_specification(laws, Specification.constant(compared, rho_squared), "all")


@pytest.mark.parametrize("above", [Fraction(1), Fraction(1, 10**4), Fraction(1, 10**10), Fraction(1, 10**25)])
def test_a_budget_above_the_loss_is_enclosed(above):
    assert check(EXACT + above).verdict is Verdict.ENCLOSED


@pytest.mark.parametrize("below", [EXACT, Fraction(1, 10**4), Fraction(1, 10**10), Fraction(1, 10**25)])
def test_a_budget_below_the_loss_is_refuted_with_a_witness_that_replays(below):
    found = check(EXACT - below)
    assert found.verdict is Verdict.REFUTED
    assert "x = (0, 0), x' = (0, 1), d = 1" in found.detail
    assert replay(found.witness).startswith("false")


def test_a_budget_that_agrees_to_29_digits_is_open():
    assert check(EXACT).verdict is Verdict.OPEN


def test_the_infinite_budget_and_distance_bound_nothing():
    assert check(None).verdict is Verdict.ENCLOSED
    assert check(Fraction(0), compared=flavor({}, RENYI, points=DOMAIN)).verdict is Verdict.ENCLOSED


def test_a_refutation_at_an_order_inside_replays():
    found = check(Fraction(1), {0: law(1, 10**6 - 1), 1: law(1, 1)}, flavor({(0, 1): 1}, RENYI))
    assert found.verdict is Verdict.REFUTED
    assert Fraction(found.witness["order"]) > 1
    assert replay(found.witness).startswith("false")


def test_different_supports_refute_every_finite_budget():
    laws, compared = {0: law(1), 1: law(0, 1)}, flavor({(0, 1): 1}, RENYI)
    found = check(Fraction(10**6), laws, compared)
    assert found.verdict is Verdict.REFUTED
    assert "infinite" in found.detail
    assert replay(found.witness) == "P_x(E) = 1 > 1^(0) * 0 = gamma^(d) * P_x'(E)"
    assert smallest_compared_budget(ComparedLaws(laws, compared)) is None


def test_different_laws_at_distance_zero_need_an_infinite_budget():
    near = flavor(dict.fromkeys(product(DOMAIN, repeat=2), 0), RENYI, points=DOMAIN)
    assert smallest_compared_budget(ComparedLaws(LAWS, near)) is None
    assert check(Fraction(10**6), compared=near).verdict is Verdict.REFUTED


@pytest.mark.parametrize("digits", [2, 5, 12])
def test_the_smallest_budget_is_that_of_one_answer(digits):
    found = smallest_compared_budget(ComparedLaws(LAWS, FLAVOR), digits=digits)
    half = log(3, digits=40)
    assert found.lower <= half.upper / 2
    assert half.lower / 2 <= found.upper
    assert found.upper - found.lower <= Fraction(1, 10**digits)


def test_a_constant_mechanism_needs_no_budget():
    laws = dict.fromkeys(DOMAIN, law(1))
    assert smallest_compared_budget(ComparedLaws(laws, FLAVOR)).upper == 0
    assert check(Fraction(0), laws=laws).verdict is Verdict.ENCLOSED


@pytest.mark.parametrize("exchanged", [False, True])
def test_bounds_are_the_larger_divergence_and_an_eighth_of_the_square_of_the_range(exchanged):
    rare, half = law(1, 99), law(1, 1)
    found = renyi_bounds(*((rare, half) if exchanged else (half, rare)))
    # KL(half || rare) = ln(50)/2 + ln(50/99)/2 = ln(2500/99)/2, and R = ln(50) + ln(99/50) = ln(99)
    for end, expected in (
        (found.lower, log(Fraction(2500, 99), digits=30).lower / 2),
        (found.upper, log(99, digits=30).lower ** 2 / 8),
    ):
        assert abs(end - expected) < Fraction(1, 10**15)
    supremum = renyi_supremum(half, rare)
    assert found.lower <= supremum.upper
    assert supremum.lower <= found.upper


def test_the_first_enclosure_that_shows_the_bound_decides():
    p, q = LAWS[0, 0], LAWS[1, 1]
    coarse = renyi_supremum(p, q, digits=4)
    assert decide_renyi_bound(p, q, coarse.upper) == (Verdict.ENCLOSED, coarse)


def test_the_pair_that_is_shown_has_the_fewest_records():
    points = ((0, 0, 0), (1, 1, 1), (2,), (3,))
    laws = {x: LAWS[0, place % 2] for place, x in enumerate(points)}
    compared = flavor({points[:2]: 1, points[2:]: 1}, RENYI, points=points)
    assert check(Fraction(1, 100), laws, compared).detail.startswith("x = (2,), x' = (3,), d = 1")


def test_no_budget_is_left_out_of_the_comparison():
    p, q = LAWS[0, 0], LAWS[1, 1]
    assert decide_renyi_bound(p, q, None) == (Verdict.ENCLOSED, None)
    assert decide_renyi_bound(p, p, Fraction(0)) == (Verdict.ENCLOSED, None)


def test_a_witness_of_infinity_needs_different_supports():
    p, q = LAWS[0, 0], LAWS[1, 1]
    with pytest.raises(EngineError, match="supports"):
        renyi_witness(p, q, Fraction(1), None, "")
    assert replay(renyi_witness(p, q, Fraction(1, 2), renyi_supremum(p, q), "two answers")).startswith("false")


@pytest.mark.parametrize(("budget", "status", "word"), [("0.55", 0, "met"), ("0.54", 1, "exceeds 27/50")])
def test_the_auditor_decides_a_claim_in_rho_squared(tmp_path, capsys, budget, status, word):
    text = (Path(__file__).parents[3] / "claims" / "coin.toml").read_text(encoding="utf-8")
    claim = tmp_path / "coin.toml"
    claim.write_text(
        text.replace("multiplicative", "normalized_renyi")
        .replace("epsilon = ln 3", f"rho_squared = {budget}")
        .replace("gamma = 3", f'rho_squared = "{budget}"')
    )
    assert main(["audit", str(claim)]) == status
    assert word in capsys.readouterr().out


@pytest.mark.parametrize("other", [law(1, 1), law(1)])
@pytest.mark.parametrize("is_first", [True, False])
def test_line_and_witness_name_the_same_data_sets(other, is_first):
    rare = law(10**6 - 1, 1)
    laws = {"a": rare, "b": other} if is_first else {"a": other, "b": rare}
    found = check(Fraction(1, 10**9), laws, flavor({("a", "b"): 1}, RENYI))
    assert found.verdict is Verdict.REFUTED
    assert f"x = {found.witness['x']}, x' = {found.witness['x_prime']}, d = 1" in found.detail
