"""Work is refused early where its pace would exceed its time, and never where it would not."""

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.evidence.process_control import workload as module
from stirred.verify.evidence.process_control.workload import Workload, watching


@pytest.fixture
def clock(monkeypatch):
    class Clock:
        now = 0.0

    monkeypatch.setattr(module.time, "monotonic", lambda: Clock.now)
    monkeypatch.setattr(module, "processor_time", lambda: Clock.now)
    return Clock


def work(clock, pace, steps, seconds, begun=0.0):
    load = Workload("the audit of c", seconds, begun)
    with load.part("pairs", steps) as part:
        for _ in range(steps):
            clock.now += pace
            part.advance()
    return clock.now


def test_what_would_take_too_long_is_refused_after_a_few_seconds_with_an_estimate(clock):
    expected = (
        "the audit of c would take about 1000 s, more than 60 s: pairs, 24 of 10000 done; use a smaller domain or "
        "raise --seconds"
    )
    with pytest.raises(InputError) as refused:
        work(clock, 0.1, 10_000, 60)
    assert str(refused.value) == expected
    assert clock.now < 3


def test_more_seconds_allow_more(clock):
    assert work(clock, 0.1, 10_000, 1_000) == pytest.approx(1_000)
    assert work(clock, 0.1, 10_000, None, clock.now) == pytest.approx(2_000)


def test_what_was_done_before_counts(clock):
    clock.now = 50
    with pytest.raises(InputError, match="would take about 90 s, more than 60 s"):
        work(clock, 1, 40, 60)


def test_the_time_that_is_left_is_known(clock):
    load = Workload("the audit of c", 60, 10.0)
    clock.now = 50
    assert load.left() == 20
    assert Workload("this", None, 10.0).left() is None


def test_one_slow_beginning_refuses_nothing(clock):
    """Processes may be starting: the first look at the pace is not believed alone."""
    load = Workload("the audit of c", 60, 0.0)
    with load.part("laws", 100) as part:
        clock.now += 5
        part.advance()
        for _ in range(99):
            clock.now += 0.1
            part.advance()
    assert clock.now < 60


def test_whoever_watches_is_told_how_far_the_work_is():
    told = []
    with watching(lambda *where: told.append(where)), Workload().part("laws", 2) as part:
        part.advance()
        part.advance()
    with Workload().part("pairs", 1) as part:
        part.advance()
    assert told == [("laws", 0, 2), ("laws", 1, 2), ("laws", 2, 2)]
