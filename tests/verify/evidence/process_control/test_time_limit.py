"""Seconds are of processor time: a busy machine takes longer, and refuses nothing that a quiet one does not."""

import os
import subprocess
import sys
import time

import pytest

from stirred.verify.evidence.process_control import time_limit as module
from stirred.verify.evidence.process_control.processor_time import STARTED, processor_time
from stirred.verify.evidence.process_control.time_limit import Allowance, TimeIsUpError, time_limit

needs_proc = pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="the system tells no times")  # noqa: PTH110


@pytest.fixture
def machine(monkeypatch):
    class Machine:
        clock = processor = 0.0

    monkeypatch.setattr(module.time, "monotonic", lambda: Machine.clock)
    monkeypatch.setattr(module, "processor_time", lambda: Machine.processor)
    return Machine


def spin():
    while True:
        pass


def passed(machine, allowance, share, seconds):
    """So many seconds by the clock, of which the work gets a share; the last sentence."""
    for _ in range(seconds):
        machine.clock += 1
        machine.processor += share
        if said := allowance.used_up():
            return said
    return ""


@pytest.mark.parametrize("share", [2, 1, 0.5, 0.125, 0.03125])
def test_what_is_allowed_is_the_same_under_every_load(machine, share):
    allowance = Allowance(60, "the audit")
    assert not passed(machine, allowance, share, int(60 / share) - 1)
    said = passed(machine, allowance, share, 1)
    assert said == "the audit took more than 60 s: it may loop for ever; use a smaller domain or raise --seconds"


def test_what_waits_is_given_up_and_told_apart(machine):
    allowance = Allowance(60, "the audit")
    assert not passed(machine, allowance, 1, 20)
    said = passed(machine, allowance, 0, 100)
    assert machine.clock == 80
    assert said.startswith("the audit took more than 60 s by the clock and 20.00 s of processor time: it waits")
    assert allowance.used_up() == said


def test_a_limit_is_one_of_processor_time(monkeypatch):
    begun = processor_time()
    with pytest.raises(TimeIsUpError, match=r"^this took more than 0\.7 s: it may loop"), time_limit(0.7, "this"):
        spin()
    assert 0.7 <= processor_time() - begun < 2
    monkeypatch.setattr(module, "processor_time", lambda: 0.3 * time.monotonic())  # others take the rest
    begun = time.monotonic()
    with pytest.raises(TimeIsUpError, match=r"^this took more than 0\.3 s: it may loop"), time_limit(0.3, "this"):
        spin()
    assert time.monotonic() - begun >= 1


@needs_proc
def test_processes_that_run_count_with_what_they_started():
    text = "import subprocess, sys, time; subprocess.Popen([sys.executable, '-c', 'while True: pass']); time.sleep(60)"
    begun = processor_time()
    child = subprocess.Popen([sys.executable, "-c", text], start_new_session=True)
    try:
        time.sleep(0.3)
        assert processor_time() - begun < 0.1
        STARTED.add(child.pid)
        end = time.monotonic() + 30
        while processor_time() - begun < 0.5 and time.monotonic() < end:
            time.sleep(0.05)
        assert processor_time() - begun >= 0.5
    finally:
        STARTED.discard(child.pid)
        os.killpg(child.pid, 9)
        child.wait()
