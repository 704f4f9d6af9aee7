"""Mechanisms that release real numbers, audited: what holds in real numbers, and what is said of doubles."""

import math
import random
from fractions import Fraction

import pytest
from claim_texts import SCHEMA, replaced
from quality import real_functions as released

import stirred
from stirred.spec.arguments import InputError
from stirred.verify.cli.main import main
from stirred.verify.evidence.finding import Verdict

BITS = {"data_sets": [0, 1], "distance": lambda x, y: int(x != y)}


def audited(name, numerics="real", **claim):
    return stirred.audit(getattr(released, name), **BITS, numerics=numerics, **claim)


def smallest(name, **blocks):
    return stirred.smallest_budget(getattr(released, name), **BITS, numerics="real", **blocks)


PURE = {
    "laplace": "1",
    "laplace_of_half": "2",
    "vector": "1",
    "clamped": "1",
    "absolute": "1",
    "logistic": "1",
    "constant": "0",
}


@pytest.mark.parametrize(("name", "epsilon"), PURE.items())
def test_the_budget_of_a_release_is_met_exactly(name, epsilon):
    found = audited(name, epsilon=epsilon)
    assert found.verdict.name == "EXHAUSTED"
    assert found.smallest.lower == found.smallest.upper == Fraction(epsilon)


@pytest.mark.parametrize("name", ["laplace", "vector", "clamped", "absolute"])
def test_a_little_less_is_refuted_by_an_event_that_replays(name):
    found = audited(name, epsilon="0.999")
    assert found.verdict.name == "REFUTED"
    assert "E = {" in found.because


@pytest.mark.parametrize("name", ["normal", "uniform", "gumbel", "exponential", "scale_of_data", "with_its_difference"])
def test_what_no_budget_covers_is_refuted_at_any(name):
    found = audited(name, epsilon=3)
    assert found.verdict.name == "REFUTED"
    assert found.smallest is stirred.INFINITE


def test_digits_of_doubles_are_undecided_with_both_sentences():
    found = audited("laplace", numerics=None, epsilon=1)
    assert found.verdict.name == "OPEN"
    assert (
        "in real numbers claimed epsilon = 1 ≥ required 1, met; in doubles no epsilon holds: the release shows the "
        "digits of a double (Mironov 2012); numerics" in found.because
    )
    with pytest.raises(InputError, match="it needs in real numbers 1, by x = 0, x' = 1; in doubles no epsilon holds"):
        stirred.smallest_budget(released.laplace, **BITS)


def test_of_data_that_tell_nothing_the_sentence_about_doubles_claims_nothing():
    assert "of doubles nothing is shown" in audited("constant", numerics=None, epsilon=0).because


def test_a_violation_by_more_than_doubles_differ_is_refuted_without_numerics():
    assert audited("laplace", numerics=None, epsilon="0.5").verdict.name == "REFUTED"
    assert audited("laplace", numerics=None, epsilon="0.9999999999").verdict.name == "OPEN"


def test_noise_below_the_digits_of_its_centre_refutes_nothing_without_numerics():
    assert audited("far_from_zero", epsilon="0.5").verdict.name == "REFUTED"
    assert audited("far_from_zero", numerics=None, epsilon="0.5").verdict.name == "OPEN"


def test_verdicts_say_that_they_hold_in_real_numbers():
    for name in ("laplace", "compared"):
        found = audited(name, epsilon=1)
        assert str(found).startswith(f"{found.verdict.name}, real numbers: ")
        assert "of which doubles are roundings" in found.scope
        assert found.record.as_json()["numbers"] == "real numbers"


def phi(x):
    return math.erfc(-x / math.sqrt(2)) / 2


def test_normal_noise_under_zcdp_and_mu_is_exact():
    assert smallest("normal", output="zcdp").lower == Fraction(1, 8)
    assert smallest("vector_of_normals", output="zcdp").upper == 1
    assert audited("normal", output="zcdp", rho="1/8").verdict.name == "EXHAUSTED"
    assert audited("normal", output="zcdp", rho="0.124").verdict.name == "REFUTED"
    assert audited("normal", output="gdp", mu="1/2").verdict.name == "EXHAUSTED"
    assert audited("normal", output="gdp", mu="0.49").verdict.name == "REFUTED"
    assert audited("one_of_two_forms", output="zcdp", rho="1/2").verdict.name == "EXHAUSTED"


def test_the_curve_of_normal_noise():
    found = smallest("normal", output="approximate", delta="1/100")
    epsilon, mu = float(found.lower), 0.5
    delta = phi(mu / 2 - epsilon / mu) - math.exp(epsilon) * phi(-mu / 2 - epsilon / mu)
    assert abs(delta - 0.01) < 1e-9
    assert audited("gaussian_mechanism", output="approximate", delta="1e-5", epsilon=1).verdict.name == "ENCLOSED"
    refuted = audited("gaussian_mechanism", output="approximate", delta="1e-5", epsilon="0.5")
    assert refuted.verdict.name == "REFUTED"
    assert "real <= " in refuted.because


def test_the_curve_of_laplace_noise():
    found = smallest("laplace", output="approximate", delta="1/100")
    assert abs(float(found.lower) - (1 + 2 * math.log(0.99))) < 1e-9
    assert abs(float(smallest("laplace", output="total_variation").lower) - (1 - math.exp(-0.5))) < 1e-15
    assert smallest("uniform", output="total_variation").lower == 1


@pytest.mark.parametrize(
    ("name", "claim", "said"),
    [
        ("laplace", {"output": "zcdp", "rho": 1}, "has no closed form here of 0 [+] laplace"),
        ("gumbel", {"output": "approximate", "delta": "1/100", "epsilon": 1}, "no closed form here of a curve"),
        ("laplace", {"output": "tradeoff", "curve": [["0", "0"], ["1", "1"]]}, "are not compared under 'tradeoff'"),
        ("of_two_types", {"epsilon": 1}, "must be of one type"),
        ("rounded", {"epsilon": 1}, "clamp it"),
        ("beside_rounded", {"epsilon": 1}, "an integer without bound"),
    ],
)
def test_what_is_not_decided_is_said_in_one_line(name, claim, said):
    with pytest.raises(InputError, match=said) as refused:
        audited(name, **claim)
    assert "\n" not in str(refused.value)


def test_files_have_the_key_and_its_status(tmp_path, capsys):
    (tmp_path / "own.py").write_text(
        "import numpy as np\n\n\ndef noisy(data):\n    return data[0][0] + np.random.laplace(0, 1)\n"
    )
    text = replaced(
        SCHEMA,
        ('name = "identity"', 'function = "own:noisy"'),
        ('["no", "yes"]', "[0, 1]"),
        ("records = 2", 'records = 1\norder = "ordered"'),
        ("hamming_unordered", "hamming_ordered"),
        ("gamma = 2", "epsilon = 1"),
    )
    for more, status in (("", 3), ('numerics = "real"\n', 0)):
        (tmp_path / "claim.toml").write_text(text + more)
        assert main(["audit", str(tmp_path / "claim.toml"), "--html", str(tmp_path / "page.html")]) == status
        page = (tmp_path / "page.html").read_text()
        assert "EXHAUSTED, real numbers" in page
        assert ("in doubles no epsilon holds" in page) is (status == 3)
    assert main(["audit", str(tmp_path / "claim.toml"), "--certificate", str(tmp_path / "one.json")]) == 0
    assert "no certificate of own" in capsys.readouterr().err


REFUSED = {
    "of_array_or_list": r"one type where it has one value; \(real,\) is given as list\(float\) and as object array",
    "zero_of_either_sign": r"run by Python -0\.0: the sign of a zero depends on a draw: add 0\.0 to it",
    "overflowing": "may be too large, or too small, for a double",
    "tiny": "may be too large, or too small, for a double",
    "of_tiny_scale": "may be too large, or too small, for a double",
    "without_dimension": r"an array without dimension: write float\(…\)",
}


@pytest.mark.parametrize(("name", "said"), REFUSED.items())
def test_what_doubles_do_otherwise_is_refused(name, said):
    with pytest.raises(InputError, match=said):
        smallest(name)


def test_draws_are_ranked_by_the_items_of_a_list():
    """P(x + Z > Z') is 1/2 and 1 - 3/(4e)."""
    assert abs(float(smallest("ranked_by_items").lower) - math.log(2 * math.e / 3)) < 1e-9


def test_a_curve_is_found_where_laws_touch():
    """At ε = 1 the densities of a sum of Laplace and exponential noise touch; 0.96303 is by integration."""
    found = smallest("sum_of_two", output="approximate", delta="1/100")
    assert abs(float(found.lower) - 0.9630288318) < 1e-8


def test_a_budget_with_many_digits_is_refuted_at_once():
    assert audited("logistic", epsilon="0.9999990000001").verdict.name == "REFUTED"


def waits_twice(x):
    return x + random.expovariate(1) + random.expovariate(1)


def test_a_delta_above_that_of_unlimited_budgets_has_its_epsilon():
    """Of densities t·e^−t, moved by 1, E_γ = 1/3 at ln γ = 0.19914 by adding up."""
    asked = {**BITS, "numerics": "real"}
    found = stirred.audit(waits_twice, **asked, epsilon="0.2", delta="1/3")
    assert found.verdict is Verdict.ENCLOSED
    assert stirred.audit(waits_twice, **asked, epsilon="0.199", delta="1/3").verdict is Verdict.REFUTED
    with pytest.raises(InputError, match="a curve that no epsilon is known to bring to delta = 1/100"):
        stirred.audit(waits_twice, **asked, epsilon="1", delta="1/100")
