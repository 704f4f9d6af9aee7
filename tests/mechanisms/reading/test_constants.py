"""Constants that a program computed before the call stand for what is written, wherever they stand."""

import re
from fractions import Fraction

import pytest
from quality import constant_functions as written
from quality.read_laws import law_of, powers

import stirred
from stirred.mechanisms.reading.exact import Exact
from stirred.verify.evidence.finding import Verdict

EXACT = [name for name in vars(written) if name.startswith("of_")][:12]
DECIMAL = Fraction("1.3862943611198906")


@pytest.mark.parametrize("name", EXACT)
def test_a_logarithm_is_one_wherever_it_is_written(name):
    assert law_of(written, name, [])["True"] == Fraction(4, 5)


@pytest.mark.parametrize("name", ["of_decimal", "of_decimal_default"])
def test_a_decimal_is_what_is_written(name):
    assert law_of(written, name, [])["True"] == powers({DECIMAL: 1}, {DECIMAL: 1, 0: 1})


@pytest.mark.parametrize("name", ["of_file", "of_two_assignments"])
def test_what_is_written_nowhere_is_enclosed(name):
    found = law_of(written, name, [])["True"]
    assert isinstance(found, Exact)
    ends = found.number.enclosure(30)
    assert ends.lower < Fraction(4, 5) < ends.upper < ends.lower + Fraction(1, 10**11)


def audited(function, epsilon):
    return stirred.audit(function, data_sets=[0, 1], distance=lambda x, y: int(x != y), epsilon=epsilon)


def test_a_claim_is_decided_wherever_enclosures_settle_it():
    assert audited(written.exact_answer, "ln 4").verdict is Verdict.EXHAUSTED
    assert audited(written.answer, "1.39").verdict is Verdict.ENCLOSED
    assert audited(written.answer, "1.38").verdict is Verdict.REFUTED
    found = audited(written.answer, "ln 4")
    assert found.verdict is Verdict.OPEN
    said = r"a double of constant_functions.py, line \d+ is known to lie near what it stands for: compute it in the "
    assert re.search(said + "function, or assign it once", str(found))
