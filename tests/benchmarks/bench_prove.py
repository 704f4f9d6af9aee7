"""The literature's programs for every size: `python -m pytest -s tests/benchmarks/bench_prove.py` prints the table.

A row is a program of `tests/aligned_programs.py` with what is published of it, what `stirred prove` answers, the least
budget by alignment, and processor seconds to prove and to check the certificate. Printed by others for programs of the
same description, on machines of their own: CheckDP (Wang et al., CCS 2020, abstract) proves or refutes each in at most
70 s; ShadowDP (Wang et al., PLDI 2019, abstract) verifies each in at most 3 s, with alignments written by hand.
Not collected with the tests.
"""

import time

import pytest
from aligned_programs import PROGRAMS, ranges

from stirred.verify.evidence.certificates.alignment import check
from stirred.verify.prove.found_function import of_function
from stirred.verify.prove.proving import proof_of
from stirred.verify.prove.stated import stated

MOST_SECONDS = 2


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_of_the_literature(name):
    function, neighbors, epsilon, least, holds = PROGRAMS[name]
    begun = time.process_time()
    found = proof_of(stated(name, of_function(function), neighbors, epsilon, ranges(function)), explains=False)
    proved = time.process_time()
    if found.certificate is not None:
        check(found.certificate)
    checked = time.process_time()
    published, ours = ("private" if holds else "not private"), ("decided" if found.is_met else "not proved")
    least = found.budget if found.budget is not None else "none"
    print(f"\n{name:26} {published:12} {ours:11} {least!s:26} {proved - begun:.2f} s, check {checked - proved:.3f} s")
    assert found.is_met == holds
    assert proved - begun <= MOST_SECONDS
