"""The literature's benchmarks: right ones are decided with the known least budget, wrong ones never are."""

import pytest
from aligned_programs import PROGRAMS, ranges

import stirred
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.prove.found_function import of_function
from stirred.verify.prove.proving import proof_of
from stirred.verify.prove.stated import stated


@pytest.mark.parametrize("name", PROGRAMS)
def test_least_budget(name):
    function, neighbors, epsilon, least, holds = PROGRAMS[name]
    claim = stated(name, of_function(function), neighbors, epsilon, ranges(function))
    found = proof_of(claim, explains=False)
    assert found.is_met == holds
    assert (None if found.budget is None else str(found.budget)) == least
    assert (found.certificate is None) == (least is None)
    assert found.numbers == ("integers" if name in ("discrete_svt", "geometric_sum") else "real numbers")


@pytest.mark.parametrize("name", PROGRAMS)
def test_least_budget_without_a_claim(name):
    function, neighbors, _, least, _ = PROGRAMS[name]
    found = proof_of(stated(name, of_function(function), neighbors, None, ranges(function)), explains=False)
    assert (None if found.budget is None else str(found.budget)) == least


@pytest.mark.parametrize(
    ("name", "budgets"),
    [
        ("bad_partial_sum", ["2", "2", "2"]),
        pytest.param("bad_svt_lee_clifton", ["1.032567736", "1.436304635", "1.603236138"], marks=pytest.mark.nightly),
        pytest.param("bad_gap_svt", ["1.25", "1.5", "1.75"], marks=pytest.mark.nightly),
        pytest.param("bad_svt_without_stop", ["1.077163525", "1.275661198", "1.382310595"], marks=pytest.mark.nightly),
        pytest.param("bad_svt_without_noise", ["infinite"] * 3, marks=pytest.mark.nightly),
        pytest.param("bad_smart_sum", ["infinite"] * 3, marks=pytest.mark.nightly),
        pytest.param("bad_histogram", ["2", "2", "2"], marks=pytest.mark.nightly),
    ],
)
def test_wrong_claims_are_refuted(name, budgets):
    function, neighbors, epsilon, _, _ = PROGRAMS[name]
    found = stirred.prove(function, neighbors=neighbors, epsilon=epsilon, parameters=ranges(function))
    assert found.verdict is Verdict.REFUTED
    assert [needed for _, needed in found.refutation.family] == budgets
    assert found.witness is not None
    assert "witness" in str(found)


def test_integers_are_said_of_integer_noise():
    """The library's own noisy maximum draws whole numbers, which its index hides."""

    def noisy_index(q, source, *, r):
        noisy = [x + source.discrete_laplace(r) for x in q]
        return noisy.index(max(noisy))

    found = proof_of(stated("f", of_function(noisy_index), "each by 1", None, {}))
    assert (str(found.budget), found.numbers) == ("2*ln(1/r)", "integers")
