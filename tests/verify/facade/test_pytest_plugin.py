"""The plugin in a project of a user's own: claims are collected, failures show pair, event and inequality."""

import os
import subprocess
import sys
from xml.etree import ElementTree

import pytest

COINS = """
import stirred

ANSWERS = stirred.ordered_data_sets((0, 1), [3])

@stirred.satisfies(data_sets=ANSWERS, distance="hamming_ordered", epsilon="0.8", flip="1/4")
@stirred.satisfies(data_sets=ANSWERS, distance="hamming_ordered", epsilon="0.7", flip="1/4")
def majority(answers, source, *, flip):
    votes = sum(1 - answer if source.bernoulli(flip) else answer for answer in answers)
    return 2 * votes > len(answers)
"""

INEQUALITY = (
    "x = (0, 0, 1), x' = (0, 0, 0), d = 1, E = {True}: P[E | x] = 11/32 > e^0.7 * 5/32 = e^0.7 * P[E | x'] "
    "(0.34375 > 0.314649)"
)


@pytest.fixture
def project(tmp_path):
    """A folder with a mechanism."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "coins.py").write_text(COINS)
    return folder


def run(project, tests, *options):
    (project / "test_coins.py").write_text(tests)
    command = [sys.executable, "-m", "pytest", "-p", "stirred.pytest_plugin", "-p", "no:cacheprovider", "-W", "error"]
    return subprocess.run(
        [*command, *options],
        cwd=project,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
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


LOOSE = """
import stirred

CLAIM = dict(data_sets=(0, 1), distance="absolute_difference", epsilon="ln 3")

class Box:
    @stirred.satisfies(**CLAIM)
    @staticmethod
    def method(data, source):
        return source.uniform(2)

    @stirred.satisfies(**CLAIM)
    def asked(data, source):
        return source.uniform(2)

class TestBox:
    @stirred.satisfies(**CLAIM)
    @staticmethod
    def method(data, source):
        return source.uniform(2)

@stirred.satisfies(**CLAIM)
def plain(data, source):
    return source.uniform(2)

def nested():
    @stirred.satisfies(**CLAIM)
    def inner(data, source):
        return source.uniform(2)
    return inner

def test_nothing_asks():
    nested()

def test_asked():
    stirred.check(Box.asked)
"""

HELPER = """
import stirred

CLAIM = dict(data_sets=(0, 1), distance="absolute_difference", epsilon="ln 3")

@stirred.satisfies(**CLAIM)
def checked(data, source):
    return source.uniform(2)

@stirred.satisfies(**CLAIM)
def asserted(data, source):
    return source.uniform(2)

@stirred.satisfies(**CLAIM)
def forgotten(data, source):
    return source.uniform(2)
"""

USES = """
import helper, stirred

def test_it():
    stirred.check(helper.checked)
    stirred.assert_satisfies(helper.asserted, **helper.CLAIM)
"""


def warning(done):
    return next((line for line in done.stdout.splitlines() if line.startswith("stirred: the claims on")), "")


@pytest.mark.parametrize("options", [[], ["-p", "xdist", "-n", "2"]], ids=["alone", "xdist"])
def test_claims_that_nothing_collects_or_checks_are_named_in_the_summary_and_fail_nothing(project, options):
    (project / "helper.py").write_text(HELPER)
    (project / "test_uses.py").write_text(USES)
    done = run(project, LOOSE, *options)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("stirred: the claims on") == 1
    said = warning(done)
    assert said.startswith("stirred: the claims on 3 mechanisms were stated, and neither collected nor checked: ")
    assert "helper.py:14 forgotten" in said
    assert "test_coins.py:7 Box.method" in said
    assert "test_coins.py:27 nested.<locals>.inner" in said
    assert "Test…" in said


def test_where_all_claims_are_tests_or_checked_nothing_is_said(project):
    done = run(project, "import coins, stirred\n\ndef test_it():\n    stirred.smallest_budget\n    coins.majority\n")
    assert "coins.py:6 majority" in warning(done)
    assert not warning(run(project, "from coins import majority\n"))
    assert not warning(run(project, "def test_it():\n    pass\n"))


@pytest.mark.parametrize("options", [["-k", "test_other"], ["--collect-only"], ["test_coins.py"], ["-x", "test_a.py"]])
def test_a_part_of_the_tests_accuses_no_other_module(project, options):
    (project / "test_a.py").write_text("def test_other():\n    pass\n")
    done = run(project, "import coins, stirred\n\ndef test_it():\n    stirred.audit\n", *options)
    assert not warning(done), done.stdout


def test_what_is_deselected_was_collected(project):
    done = run(project, "from coins import majority\n\ndef test_other():\n    pass\n", "-k", "test_other")
    assert done.returncode == 0
    assert not warning(done)


def test_a_run_without_a_terminal_ends_as_before(project):
    done = run(project, LOOSE, "-p", "no:terminal")
    assert done.returncode == 0, done.stderr
