"""The plugin in a project of a user's own: claims are collected, failures show pair, event and inequality."""

from xml.etree import ElementTree

import pytest
from plugin_project import run

INEQUALITY = (
    "x = (0, 0, 1), x' = (0, 0, 0), d = 1, E = {True}: P[E | x] = 11/32 > e^0.7 * 5/32 = e^0.7 * P[E | x'] "
    "(0.34375 > 0.314649)"
)


def test_a_claim_on_a_mechanism_is_a_test(project):
    done = run(project, "from coins import majority\n", "-v")
    assert "::majority[0-0.8] PASSED" in done.stdout, done.stdout
    assert "::majority[1-0.7] FAILED" in done.stdout
    assert INEQUALITY in done.stdout
    assert "majority with flip = 1/4 does not satisfy epsilon = 0.7" in done.stdout
    assert "verify" not in done.stdout.partition("FAILURES")[2]
    assert "1 failed, 1 passed" in done.stdout


def test_an_assertion_shows_the_inequality_and_no_frame_of_ours(project):
    tests = """
import stirred
from coins import ANSWERS, majority

def test_budget():
    stirred.assert_satisfies(majority, data_sets=ANSWERS, distance="hamming_ordered", epsilon="0.7", flip="1/4")

def test_argument():
    stirred.assert_satisfies(majority, data_sets=ANSWERS, distance="hamming_ordered", epsilon=0.7, flip="1/4")

def test_check():
    stirred.check(majority)
"""
    done = run(project, tests, "-k", "budget or argument or check")
    failures = done.stdout.partition("FAILURES")[2]
    assert sum(INEQUALITY in line for line in failures.splitlines() if line.startswith("E ")) == 2
    assert "epsilon must be exact; got the float 0.7" in failures
    assert "verify/" not in failures
    assert "\ntest_coins.py:6: NotSatisfiedError" in failures


def test_the_fixture_records_the_budget_for_junit(project):
    tests = """
from coins import ANSWERS, majority

def test_budget(stirred_audit):
    found = stirred_audit(majority, data_sets=ANSWERS, distance="hamming_ordered", epsilon="0.8", flip="1/4")
    assert found.holds
"""
    done = run(project, tests, "--junitxml=report.xml", "-k", "test_budget or 0.8")
    assert done.returncode == 0, done.stdout
    cases = ElementTree.parse(project / "report.xml").findall(".//testcase")  # noqa: S314 what pytest wrote
    assert len(cases) == 2
    for case in cases:
        properties = {one.get("name"): one.get("value") for one in case.iter("property")}
        assert properties["stirred.verdict"] == "EXHAUSTED"
        assert properties["stirred.claimed"] == "epsilon = 0.8"
        assert properties["stirred.needed"].startswith("ln(11/5) ≈ 0.788457, by x = ")


SLOW = """
import pytest, stirred

@pytest.mark.stirred_slow
@stirred.satisfies(data_sets=(0, 1), distance="absolute_difference", epsilon="1")
def identity(data, source):
    return data

@pytest.mark.stirred_slow
def test_slow():
    pass

def test_quick():
    pass
"""


@pytest.mark.parametrize(
    ("options", "outcome"),
    [
        ((), "1 passed, 2 skipped"),
        (("--stirred-slow",), "1 failed, 2 passed"),
        (("-m", "stirred_slow"), "1 failed, 1 passed, 1 deselected"),
        (("-m", "not stirred_slow"), "1 passed, 2 deselected"),
    ],
)
def test_slow_audits_wait_until_they_are_asked_for(project, options, outcome):
    done = run(project, SLOW, "--strict-markers", *options)
    assert outcome in done.stdout, done.stdout


def test_claims_in_a_class_are_tests_whatever_kind_of_method_carries_them(project):
    kinds = {"static": ("@staticmethod", ""), "of_class": ("@classmethod", "cls, "), "of_object": ("", "self, ")}
    claim = '@stirred.satisfies(data_sets=(0, 1), distance="absolute_difference", epsilon="1")'
    methods = [
        f"    {decorator}\n    {claim}\n    def {name}_{ending}({first}data, source):\n        return {returned}\n"
        for name, (decorator, first) in kinds.items()
        for ending, returned in (("leaks", "data"), ("hides", "0"))
    ]
    methods.append(f"    {claim}\n    @staticmethod\n    def outside(data, source):\n        return 0\n")
    done = run(project, "import stirred\n\nclass TestThem:\n" + "\n".join(methods), "-v")
    for name in kinds:
        assert f"::TestThem::{name}_leaks[1] FAILED" in done.stdout, done.stdout
        assert f"::TestThem::{name}_hides[1] PASSED" in done.stdout
    assert "::TestThem::outside[1] PASSED" in done.stdout


def test_a_hidden_draw_is_one_line(project):
    tests = """
import random, stirred

@stirred.satisfies(data_sets=(0, 1), distance="absolute_difference", epsilon="1")
def leaks(data, source):
    return data if random.random() < 1/100 else 0
"""
    done = run(project, tests)
    failures = done.stdout.partition("FAILURES")[2]
    assert "mechanism: on the data set 0: random.random is refused" in failures
    assert "Traceback" not in failures


def test_objects_that_answer_everything_are_left_alone(project):
    tests = """
from unittest.mock import MagicMock, call
anything = MagicMock()
calls = call
class Strange:
    def __getattr__(self, name):
        raise RuntimeError(name)
strange = Strange()

def test_one():
    pass
"""
    assert "1 passed" in run(project, tests).stdout
