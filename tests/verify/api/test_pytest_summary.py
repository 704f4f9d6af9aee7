"""The claims that the plugin names in the summary of pytest: those that nothing collected or checked, and no others."""

import pytest
from plugin_project import run
from tiers import few

ALONE_AND_XDIST = [[], ["-p", "xdist", "-n", "2"]]

STATED = """
@stirred.satisfies(**CLAIM)
def {}(data, source):
    return source.uniform(2)
"""
HEAD = '\nimport stirred\n\nCLAIM = dict(data_sets=(0, 1), distance="absolute_difference", epsilon="ln 3")\n'
CHECKED = HEAD + STATED.format("checked") + STATED.format("asserted")
HELPER = CHECKED + STATED.format("forgotten")

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

USES = """
import helper, stirred

def test_it():
    stirred.check(helper.checked)
    stirred.assert_satisfies(helper.asserted, **helper.CLAIM)
"""


def warning(done):
    return next((line for line in done.stdout.splitlines() if line.startswith("stirred: the claims on")), "")


@pytest.mark.parametrize("options", few(ALONE_AND_XDIST))
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


WRAPPED = """
import functools, stirred

CLAIM = dict(data_sets=(0, 1), distance="absolute_difference", epsilon="ln 3")

def logged(function):
    @functools.wraps(function)
    def inner(*given, **named):
        return function(*given, **named)
    return inner

@logged
@logged
@stirred.satisfies(**CLAIM)
def above(data, source):
    return source.uniform(2)

@stirred.satisfies(**{**CLAIM, "epsilon": "1"})
@logged
@stirred.satisfies(**CLAIM)
def between(data, source):
    return source.uniform(2)

@functools.lru_cache
@stirred.satisfies(**CLAIM)
def cached(data, source):
    return source.uniform(2)

class TestBox:
    @staticmethod
    @logged
    @stirred.satisfies(**CLAIM)
    def static(data, source):
        return source.uniform(2)

    @stirred.satisfies(**CLAIM)
    @logged
    def method(self, data, source):
        return source.uniform(2)

class Box:
    @logged
    @stirred.satisfies(**CLAIM)
    def checked(data, source):
        return source.uniform(2)

    @stirred.satisfies(**CLAIM, sides=2)
    def bound(data, source, *, sides):
        return source.uniform(int(sides))

    @logged
    @stirred.satisfies(**CLAIM)
    def forgotten(data, source):
        return source.uniform(2)

def test_them():
    stirred.check(Box.checked)
    stirred.assert_satisfies(functools.partial(logged(Box.bound), sides=2), **CLAIM)
"""


@pytest.mark.parametrize("options", few(ALONE_AND_XDIST))
def test_a_claim_below_wrappers_is_that_of_what_they_wrap(project, options):
    done = run(project, WRAPPED, *options)
    assert "passed" in done.stdout
    assert "on 1 mechanism were stated" in warning(done), done.stdout
    assert "test_coins.py:51 Box.forgotten (epsilon = ln(3) ≈ 1.09861): " in warning(done)


LEFT = {
    "test_a.py": "import helper\n\ndef test_other():\n    {}\n",
    "test_b.py": "import helper, stirred\n\ndef test_it():\n    stirred.check(helper.checked)\n",
    "more/test_c.py": USES,
    "helper.py": CHECKED,
}


@pytest.mark.parametrize(
    ("options", "conftest", "other"),
    few(
        [
            (["--ignore=more"], "", "pass"),
            (["--ignore=more/test_c.py"], "", "pass"),
            (["--ignore-glob=*_c.py"], "", "pass"),
            (["--ignore-glob=*_c.py", "-p", "xdist", "-n", "2"], "", "pass"),
            ([], 'collect_ignore = ["more"]', "pass"),
            ([], 'collect_ignore_glob = ["more/*"]', "pass"),
            ([], "def pytest_collection_modifyitems(items):\n    items[:] = items[:1]", "pass"),
            (["-o", "norecursedirs=more"], "", "pass"),
            (["--deselect=more/test_c.py"], "", "pass"),
            (["-k", "other"], "", "pass"),
            (["--co"], "", "pass"),
            (["--setup-plan"], "", "pass"),
            (["-x"], "", "assert 0"),
            (["-x", "-p", "xdist", "-n", "2"], "", "assert 0"),
            ([], "", "raise KeyboardInterrupt"),
            (["-p", "xdist", "-n", "1"], "", "import os; os._exit(1)"),
        ],
        kept=2,
    ),
)
def test_whatever_leaves_tests_out_accuses_no_other_module(left_out, options, conftest, other):
    (left_out / "conftest.py").write_text(conftest)
    (left_out / "test_a.py").write_text(LEFT["test_a.py"].format(other))
    done = run(left_out, "", *options)
    assert done.returncode in (0, 1, 2), done.stderr
    assert not warning(done), done.stdout


@pytest.fixture
def left_out(project):
    """Claims that the tests of another module check."""
    (project / "more").mkdir()
    for name, text in LEFT.items():
        (project / name).write_text(text.format("pass") if name == "test_a.py" else text)
    return project


def test_where_none_is_left_out_other_modules_are_named(left_out):
    (left_out / "build").mkdir()
    (left_out / "build" / "test_d.py").write_text(USES)
    (left_out / "conftest.py").write_text('collect_ignore = ["setup.py", "docs"]')
    (left_out / "setup.py").write_text("")
    assert not warning(run(left_out, ""))
    (left_out / "more" / "test_c.py").unlink()
    assert "helper.py:10 asserted (epsilon = ln(3)" in warning(run(left_out, ""))
    assert "helper.py:10 asserted" in warning(run(left_out, "", "-p", "xdist", "-n", "2"))


@pytest.mark.parametrize("options", few(ALONE_AND_XDIST))
def test_tests_that_failed_last_are_a_part(left_out, options):
    (left_out / "test_a.py").write_text(LEFT["test_a.py"].format("assert 0"))
    cache = ("-p", "cacheprovider", "-W", "ignore::pytest.PytestAssertRewriteWarning")
    assert "1 failed" in run(left_out, "", *cache).stdout
    for again in ("--lf", "--ff"):
        done = run(left_out, LOOSE, *cache, again, *options)
        assert "1 failed" in done.stdout, done.stdout
        assert "helper.py" not in warning(done)


@pytest.mark.parametrize(
    "reason",
    few(
        [
            'import pytest\npytest.skip("later", allow_module_level=True)\n',
            "import pytest\npytestmark = pytest.mark.stirred_slow\n",
            "import pytest\npytestmark = pytest.mark.xfail(run=False)\n",
            "import pytest\n\n@pytest.fixture(autouse=True)\ndef needed():\n    raise OSError\n",
            "import missing_module\n",
            (
                "import unittest\n\nclass TestIt(unittest.TestCase):\n"
                "    def test_it(self):\n        self.skipTest('later')\n"
            ),
        ],
        kept=2,
    ),
)
def test_a_test_that_does_not_come_to_its_check_is_left_out(left_out, reason):
    (left_out / "more" / "test_c.py").write_text(reason + ("" if "unittest" in reason else USES))
    done = run(left_out, "", "--continue-on-collection-errors")
    assert "2 passed" in done.stdout
    assert not warning(done), done.stdout


def test_a_run_from_a_folder_within_is_a_part(left_out):
    (left_out / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    (left_out / "inside").mkdir()
    (left_out / "inside" / "test_coins.py").write_text("import helper\n\ndef test_it():\n    pass\n")
    done = run(left_out / "inside", "import helper\n\ndef test_it():\n    pass\n")
    assert "1 passed" in done.stdout
    assert not warning(done), done.stdout


def test_a_module_with_a_test_that_was_left_out_is_not_accused(project):
    assert "3 mechanisms" not in warning(run(project, LOOSE))
    assert not warning(run(project, LOOSE, "-k", "nothing"))
    (project / "test_other.py").write_text("def test_it():\n    assert 0\n")
    assert "test_coins.py:7 Box.method" in warning(run(project, LOOSE))


BY_BUDGET = """
import stirred
from fractions import Fraction

CLAIM = dict(data_sets=(0, 1), distance="absolute_difference")

class Box:
    @staticmethod
    @stirred.satisfies(**CLAIM, epsilon="1/10")
    def looser(data, source):
        return source.uniform(2)

    @stirred.satisfies(**CLAIM, epsilon="1/10")
    @stirred.satisfies(**CLAIM, epsilon="0.10", delta="1/100")
    @stirred.satisfies(**CLAIM, output="zcdp", rho="1/10")
    def one_of_three(data, source):
        return source.uniform(2)

    @stirred.satisfies(**CLAIM, epsilon="1/10")
    @stirred.satisfies(**CLAIM, epsilon="2*ln 2")
    @stirred.satisfies(**CLAIM, epsilon="2", delta="1/10")
    @stirred.satisfies(**CLAIM, output="tradeoff", curve=[(0, 0), ("0.5", "0.75"), (1, 1)])
    def written_otherwise(data, source):
        return source.uniform(2)

    @stirred.satisfies(**CLAIM, output="tradeoff", curve=[(0, 0), (1, 1)])
    def another_curve(data, source):
        return source.uniform(2)

def test_them():
    stirred.assert_satisfies(Box.looser, **CLAIM, epsilon="5")
    stirred.smallest_budget(Box.looser, **CLAIM)
    stirred.audit(Box.looser, **CLAIM)
    stirred.audit(Box.one_of_three, **CLAIM, epsilon="0.1")
    stirred.assert_satisfies(Box.written_otherwise, **CLAIM, epsilon=Fraction("0.1"))
    stirred.assert_satisfies(Box.written_otherwise, **CLAIM, epsilon="ln 4")
    stirred.assert_satisfies(Box.written_otherwise, **CLAIM, epsilon=2, delta="1e-1", output="approximate")
    for curve in ([("0", 0), (Fraction(1, 2), "3/4"), (1, 1)],):
        stirred.assert_satisfies(Box.written_otherwise, **CLAIM, output="tradeoff", curve=curve)
        stirred.audit(Box.another_curve, **CLAIM, output="tradeoff", curve=curve)

def make(epsilon):
    @stirred.satisfies(**CLAIM, epsilon=epsilon)
    def made(data, source):
        return data if source.bernoulli(Fraction(1, 100)) else source.uniform(2)
    return made

def test_made():
    stirred.check(make("1/2"))
    make("1/10")
    make("0.1")
    make("0.5")
"""


@pytest.mark.parametrize("options", few(ALONE_AND_XDIST))
def test_a_claim_is_checked_where_its_own_budget_is(project, options):
    said = warning(run(project, BY_BUDGET, *options))
    assert "on 4 mechanisms were stated" in said
    assert "Box.looser (epsilon = 1/10), " in said
    assert "Box.one_of_three (epsilon = 1/10, delta = 1/100; rho = 1/10), " in said
    assert "Box.another_curve (curve = ((0, 0), (1, 1))), " in said
    assert "make.<locals>.made (epsilon = 1/10): " in said
