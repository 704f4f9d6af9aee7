"""Functions that draw from modules, audited as they stand."""

from fractions import Fraction

import pytest
from claim_texts import SCHEMA, replaced
from quality import drawing_functions as written
from quality import hostile_functions

import stirred
from stirred.spec.arguments import InputError
from stirred.verify.cli.main import main


def audited(function, data_sets, **named):
    return stirred.audit(function, data_sets=data_sets, distance=lambda x, y: int(x != y), **named)


def two_coins(answer):
    return answer if written.random.random() < 0.5 else written.random.choice([True, False])


def leaky(answer):
    return answer and written.random.random() < 0.5


def kept(answer, counts=[]):  # noqa: B006 the fault
    counts.append(answer)
    return len(counts) + written.random.randint(0, 1)


def test_two_coins_need_ln_3_exactly():
    assert audited(two_coins, [True, False], epsilon="ln 3").verdict.name == "EXHAUSTED"
    found = audited(two_coins, [True, False], epsilon="ln 2.99")
    assert found.verdict.name == "REFUTED"
    assert str(found.needed).startswith("ln(3)")
    assert "its source is read in exact real numbers" in str(found.scope)


def test_an_outcome_that_only_one_data_set_has_refutes_every_budget():
    assert audited(leaky, [True, False], epsilon=50).verdict.name == "REFUTED"


def test_a_softmax_needs_a_budget_in_powers_of_e():
    found = audited(written.softmax, [(0, 1), (1, 0)], epsilon="1/2")
    assert found.verdict.name == "ENCLOSED"
    assert audited(written.softmax, [(0, 1), (1, 0)], epsilon=Fraction(499, 1000)).verdict.name == "REFUTED"
    assert "0.500000 with x = exp(-1/2)" in str(found.needed)


def test_powers_of_e_are_compared_under_approximate_privacy_too():
    """δ = (e^(1/2) − e^ε)/(1 + e^(1/2)), which is 0.205212… at ε = 1/10."""
    claim = {"data_sets": [(0, 1), (1, 0)], "epsilon": "1/10", "output": "approximate"}
    assert audited(written.softmax, **claim, delta="0.2053").verdict.name == "ENCLOSED"
    assert audited(written.softmax, **claim, delta="0.2052").verdict.name == "REFUTED"


def test_what_one_call_leaves_for_the_next_is_refused():
    with pytest.raises(InputError, match="the function must keep nothing between calls"):
        audited(kept, [0, 1], epsilon=1)


def skewed(answer):
    return answer and written.np.random.beta(1, 2) < 0.5


def test_what_is_not_read_is_said_with_its_line():
    with pytest.raises(InputError, match=r"drawing_functions.py, line \d+: mod of an integer or a rounded number"):
        audited(written.wide, [(0,), (1,)], epsilon=1)


@pytest.mark.parametrize("name", ["unranked", "counted", "reseeds", "looks"])
def test_what_is_refused_outside_is_refused_in_the_sandbox(name):
    with pytest.raises(InputError, match=r"drawing_functions.py, line \d+: "):
        audited(getattr(written, name), [(0,), (1,)], epsilon=1)


@pytest.mark.parametrize("name", ["without_p", "shares", "secret", "subsample", "alias", "property_of_its_own"])
def test_what_is_read_outside_is_read_in_the_sandbox(name):
    """None of them depends on its data here."""
    assert audited(getattr(written, name), [(1, 1), (1, 0, 1)], epsilon=1).verdict.name in ("EXHAUSTED", "REFUTED")


def test_a_module_that_seeds_when_it_is_imported_is_refused(tmp_path, capsys):
    (tmp_path / "seeded.py").write_text(
        "import random\n\n\ndef setup():\n    random.seed(42)\n\n\nsetup()\n\n\n"
        "def f(data):\n    return random.random() < (0.75 if data[0][0] else 0.25)\n"
    )
    text = replaced(
        SCHEMA,
        ('name = "identity"', 'function = "seeded:f"'),
        ('["no", "yes"]', "[0, 1]"),
        ("records = 2", 'records = 1\norder = "ordered"'),
        ("hamming_unordered", "hamming_ordered"),
    )
    (tmp_path / "claim.toml").write_text(text)
    assert main(["audit", str(tmp_path / "claim.toml")]) == 2
    assert "a module seeds np.random or random, or draws from it, when it is imported" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["sees_modules", "sees_modules_by_another_name", "sees_frames"])
def test_code_that_looks_for_its_auditor_is_not_run_before_it_is_read(name):
    with pytest.raises(InputError, match=r"how (the|a) program is run, and is not read"):
        audited(getattr(hostile_functions, name), [(0,), (1,)], epsilon=0)


def drifting(answer, counts=[]):  # noqa: B006 the fault
    counts.append(answer)
    first, second = written.np.random.laplace(), written.np.random.laplace()
    return (bool(first < len(counts)), bool(second < 1))


def test_conditions_that_drift_from_call_to_call_are_refused():
    with pytest.raises(InputError, match="two runs on the same choices differed"):
        audited(drifting, [0, 1], epsilon=1)
