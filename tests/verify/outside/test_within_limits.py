"""A function that takes more than it may is ended, with all that it has started; what it answers is what it returns."""

import os
import signal
import subprocess
import sys
import time

import pytest

from stirred.verify.outside.within_limits import LimitError, within_limits

WAIT = [sys.executable, "-c", "import time; time.sleep(60)"]


def answer(function, *, seconds=30, memory=10**9):
    return within_limits(function, seconds=seconds, memory=memory)


def test_what_it_returns_is_the_answer_and_what_it_changes_stays_there(capfd):
    kept = []

    def changes():
        kept.append(1)
        sys.stdout.write("printed")
        return {"kept": kept, "text": "\ud800 \u2265"}

    assert answer(changes) == {"kept": [1], "text": "\ud800 \u2265"}
    assert (kept, capfd.readouterr().out) == ([], "")
    assert len(answer(lambda: "n" * 5_000_000)) == 5_000_000  # more than a pipe holds


@pytest.mark.parametrize("endless", [lambda: time.sleep(60), lambda: 9**9**9, lambda: list(iter(int, 1))])
def test_it_is_ended_in_the_middle_of_one_operation(endless):
    begun = time.monotonic()
    with pytest.raises(LimitError, match=r"it takes more than (1 s|1000 MB of memory); --"):
        answer(endless, seconds=1)
    assert time.monotonic() - begun < 20


def test_memory_is_limited():
    with pytest.raises(LimitError, match="it takes more than 200 MB of memory; --memory gives it more"):
        answer(lambda: len(bytes(300_000_000)), memory=200_000_000)
    assert answer(lambda: len(bytes(300_000_000)), memory=400_000_000) == 300_000_000


def test_what_it_raises_is_told_in_its_words_and_without_traceback(capfd):
    with pytest.raises(LimitError, match="ZeroDivisionError: "):
        answer(lambda: 1 // 0)
    with pytest.raises(LimitError, match="TypeError: Object of type set is not JSON serializable"):
        answer(lambda: {1})
    assert capfd.readouterr() == ("", "")


def test_a_process_that_dies_has_given_no_answer():
    with pytest.raises(LimitError, match="ended without an answer"):
        answer(lambda: os.kill(os.getpid(), signal.SIGSEGV))


def test_programs_that_it_has_started_end_with_it():
    read, write = os.pipe()
    os.set_inheritable(write, True)
    with pytest.raises(LimitError, match="more than 1 s"):
        answer(lambda: subprocess.run(WAIT, check=False, close_fds=False).returncode, seconds=1)
    os.close(write)
    begun = time.monotonic()
    assert os.read(read, 1) == b""  # returns when nobody has the other side open
    assert time.monotonic() - begun < 20
    os.close(read)
