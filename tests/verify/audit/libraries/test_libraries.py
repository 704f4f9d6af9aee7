"""The claims of libraries are read from their objects; where a library is not installed, a look-alike shows how."""

import sys
from types import ModuleType, SimpleNamespace

import pytest

import stirred
from stirred.spec import InputError
from stirred.verify.audit.libraries.claiming_object import library_object, version_of
from stirred.verify.audit.libraries.mechanism_study import studied_mechanisms


def made(module, **members):
    """An object of a class that says it is of a module."""
    kind = type("Thing", (SimpleNamespace,), {"__module__": module})
    return kind(**members)


class Noise:
    """Something of OpenDP's form."""

    __module__ = "opendp.mod"

    def __init__(self, domain, metric, measure, bound):
        self.input_domain, self.input_metric, self.output_measure, self.bound = domain, metric, measure, bound

    def map(self, d_in):
        if d_in == "far":
            raise TypeError("must be a number")
        return self.bound

    def __call__(self, data):
        return data


@pytest.fixture
def _versions(monkeypatch):
    monkeypatch.setattr("stirred.verify.audit.libraries.claiming_object.version_of", lambda _: "9.9")


@pytest.mark.usefixtures("_versions")
@pytest.mark.parametrize(
    ("domain", "metric", "pairs"),
    [
        ("AtomDomain(T=i32)", "AbsoluteDistance(i32)", ((0, 1),)),
        ("AtomDomain(T=bool)", "DiscreteDistance()", ((False, True),)),
        ("VectorDomain(AtomDomain(T=i32))", "L1Distance(i32)", (([0, 0, 0], [1, 0, 0]),)),
        ("VectorDomain(AtomDomain(T=f64), size=2)", "L2Distance(f64)", (([0.0, 0.0], [1.0, 0.0]),)),
        (
            "VectorDomain(AtomDomain(bounds=[0, 10], T=i32))",
            "SymmetricDistance()",
            (([0, 0, 0], [0, 0, 0, 10]), ([0, 0, 0], [0, 0, 0, 0])),
        ),
        ("VectorDomain(AtomDomain(bounds=[-1, 2], T=i32), size=2)", "ChangeOneDistance()", (([-1, -1], [2, -1]),)),
        ("MapDomain", "L0PInfDistance", ()),
    ],
)
def test_pairs_come_from_the_domain_and_the_metric(domain, metric, pairs):
    found = library_object(Noise(domain, metric, "MaxDivergence", 0.5))
    assert found.pairs[: len(pairs)] == pairs or domain == "MapDomain"
    assert found.budget == {"epsilon": "0.5"}
    assert "opendp 9.9" in found.title


@pytest.mark.usefixtures("_versions")
def test_the_measure_says_which_budget_it_is():
    of = [
        library_object(Noise("AtomDomain(T=i32)", "AbsoluteDistance(i32)", *one))
        for one in [("ZeroConcentratedDivergence", 0.125), ("Approximate(MaxDivergence)", (2.5, 1e-06))]
    ]
    assert [(one.output, one.budget) for one in of] == [
        ("zcdp", {"rho": "0.125"}),
        ("approximate", {"epsilon": "2.5", "delta": "1e-06"}),
    ]
    with pytest.raises(InputError, match="known output measure; got RenyiDivergence"):
        library_object(Noise("AtomDomain(T=i32)", "AbsoluteDistance(i32)", "RenyiDivergence", 1))
    with pytest.raises(InputError, match="d_in: the measurement's map refuses 'far'"):
        library_object(Noise("AtomDomain(T=i32)", "AbsoluteDistance(i32)", "MaxDivergence", 1), "far")


@pytest.mark.usefixtures("_versions")
def test_a_mechanism_of_diffprivlib_says_its_budget_itself():
    given = {"epsilon": 1.0, "delta": 0.0, "randomise": lambda value: value, "sensitivity": 2.0}
    found = library_object(made("diffprivlib.mechanisms.laplace", **given))
    assert (found.output, found.budget, found.pairs) == ("pure", {"epsilon": "1.0"}, ((0.0, 2.0),))
    found = library_object(made("diffprivlib.mechanisms.laplace", **{**given, "delta": 0.1}, lower=0, upper=9))
    assert (found.output, found.budget) == ("approximate", {"epsilon": "1.0", "delta": "0.1"})
    assert found.pairs == ((0, 2), (7, 9))
    assert library_object(made("diffprivlib.models", fit=None)) is None


@pytest.mark.usefixtures("_versions")
def test_an_object_is_estimated_under_its_own_claim():
    leaky = Noise("AtomDomain(T=i32)", "AbsoluteDistance(i32)", "MaxDivergence", 0.5)
    found = stirred.estimate(leaky, draws=500, seed=1)
    assert found.verdict is stirred.Verdict.REFUTED
    assert found.claimed == "epsilon = 0.5"
    assert found.mechanism.startswith("opendp 9.9")
    assert stirred.estimate(leaky, draws=500, seed=1, epsilon="infinite").verdict is stirred.Verdict.OPEN
    with pytest.raises(InputError, match=r"use stirred\.estimate"):
        stirred.audit(leaky, data_sets=[0, 1], distance="absolute_difference")


def test_a_library_that_is_not_installed_is_named(monkeypatch):
    with pytest.raises(InputError, match=r"pip install 'stirred\[libraries\]'"):
        version_of("no-such-distribution")
    monkeypatch.setitem(sys.modules, "opendp", ModuleType("opendp"))
    assert library_object(made("opendp.mod", other=1)) is None


def test_measurements_of_opendp_keep_their_claims():
    dp = pytest.importorskip("opendp.prelude")
    dp.enable_features("contrib")
    laplace = dp.m.make_laplace(dp.atom_domain(T=int), dp.absolute_distance(T=int), scale=1.0)
    found = stirred.estimate(laplace, draws=2_000, seed=1)
    assert found.verdict is stirred.Verdict.OPEN
    assert found.claimed == "epsilon = 1.0"
    assert stirred.estimate(laplace, draws=2_000, seed=1, epsilon="0.3").verdict is stirred.Verdict.REFUTED


def test_floats_of_diffprivlib_show_their_last_digits():
    mechanisms = pytest.importorskip("diffprivlib.mechanisms", exc_type=ImportError)
    laplace = mechanisms.Laplace(epsilon=1, sensitivity=1)
    found = stirred.estimate(laplace, draws=2_000, seed=1)
    assert found.verdict is stirred.Verdict.REFUTED
    assert "last binary digit" in found.because
    assert stirred.estimate(laplace, draws=2_000, seed=1, digits=6).verdict is stirred.Verdict.OPEN


@pytest.mark.nightly
def test_a_known_fault_of_a_regression_is_found():
    # IBM/differential-privacy-library, issue 105: with the lower bound 0, squares of a feature get no noise
    pytest.importorskip("diffprivlib.models", exc_type=ImportError)
    if version_of("diffprivlib") > "0.6.6":
        pytest.skip("the fault is known of 0.6.6 and before")
    (found,) = studied_mechanisms("models.LinearRegression", 2_000, 600)
    assert found.verdict == "REFUTED"
