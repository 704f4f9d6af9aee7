"""Interpreters that are copied instead of started: as isolated as new ones, and gone with whoever asked for them.

What a mechanism does on one data set reaches no other: each batch is met by a copy of the process that loaded it.

The line that a process of foreign code answers with is read as data that may be forged.

A function that takes more than it may is ended, with all that it has started; what it answers is what it returns.
"""

import os
import signal
import string
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest
from foreign_modules import laws, refusal, written

from stirred.spec import InputError
from stirred.verify.laws.foreign import Limits
from stirred.verify.laws.sandbox import process
from stirred.verify.laws.sandbox import server as servers
from stirred.verify.laws.sandbox.answers import counting, outcome, read_answer
from stirred.verify.laws.sandbox.copies import batches, in_copy
from stirred.verify.laws.sandbox.within_limits import LimitError, within_limits

KEEPS = (
    "import string\nstring.kept = getattr(string, 'kept', 0) + 1\nK = string.kept\ndef f(data, source):\n    return K\n"
)

ASKS = """
import sys
from pathlib import Path
from stirred.verify.laws.sandbox import server as servers
from stirred.verify.laws.foreign import ForeignFunction

for _ in range(3):
    ForeignFunction("f", "foreign:f", Path(sys.argv[1])).laws([(0,)], {}, is_ordered=True)
print(*(server._process.pid for server in servers._SERVERS.values()), flush=True)
sys.stdin.readline()
"""


def test_what_a_module_leaves_in_a_library_is_gone_with_its_copy(tmp_path: Path) -> None:
    for _ in range(4):
        assert {tuple(law) for law in laws(tmp_path, KEEPS).laws.values()} == {("1",)}


def test_a_server_that_was_killed_is_started_again(tmp_path: Path) -> None:
    for _ in range(2):
        laws(tmp_path, KEEPS)
    for server in servers._SERVERS.values():
        if server is not None:
            os.kill(server._process.pid, signal.SIGKILL)
            server._process.wait()
    for _ in range(2):
        assert len(laws(tmp_path, KEEPS).laws) == 3


def test_a_copy_that_took_too_long_is_ended_and_its_server_is_not(tmp_path: Path) -> None:
    text = "def f(data, source):\n    while True: pass\n"
    assert "took more than 2 s" in refusal(tmp_path, text, limits=Limits(seconds=2))
    begin = time.monotonic()
    asked = [server._process.pid for server in servers._SERVERS.values() if server.is_running]
    assert len(asked) >= 2
    while any(Path(f"/proc/{pid}/task/{pid}/children").read_text() for pid in asked):
        assert time.monotonic() - begin < 30
        time.sleep(0.05)


def test_a_server_loads_flint_and_numpy_only_when_they_are_asked_for() -> None:
    program = "import sys; from stirred.verify.laws import worker; print({'flint.types', 'numpy'} & {*sys.modules})"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, check=True).stdout == b"set()\n"


def test_servers_end_with_the_process_that_asked(tmp_path: Path) -> None:
    for end in (signal.SIGKILL, None):
        started = subprocess.Popen(
            [sys.executable, "-c", ASKS, str(written(tmp_path, KEEPS))], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        with started:
            assert started.stdout is not None
            servers = [int(pid) for pid in started.stdout.readline().split()]
            if end is not None:
                started.send_signal(end)
        assert len(servers) == 2
        begin = time.monotonic()
        while any(map(_runs, servers)):
            assert time.monotonic() - begin < 30
            time.sleep(0.05)


def _runs(pid: int) -> bool:
    with suppress(OSError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


POINTS = tuple((digit,) for digit in range(40))

REMEMBERS = """
import string
def f(data, source):
    last, string.last = getattr(string, "last", data), data
    return last == data
"""


def test_nothing_flows_from_one_data_set_to_the_next(tmp_path: Path) -> None:
    """The library's module is looked at by nobody; a process that met two data sets would answer otherwise."""
    assert {tuple(law) for law in laws(tmp_path, REMEMBERS, POINTS[:8]).laws.values()} == {("True",)}
    assert "its laws in two processes differ" in refusal(tmp_path, REMEMBERS, points=POINTS)


def test_batches_are_all_data_sets_in_their_order() -> None:
    for size in range(60):
        found = list(batches(POINTS[:size]))
        assert [point for batch in found for point in batch] == list(POINTS[:size])
        assert len(found) <= 8
        assert all(len(batch) == 1 for batch in found[:4])


def test_a_copy_changes_nothing_here_and_says_what_it_found() -> None:
    def task() -> int:
        string.last = 1  # type: ignore[attr-defined]
        return 7

    assert in_copy(task) == 7
    assert not hasattr(string, "last")
    with pytest.raises(InputError, match="as it was said"):
        in_copy(lambda: (_ for _ in ()).throw(InputError("as it was said")))


NONCE = "0123456789abcdef"


@pytest.mark.parametrize(
    "line",
    [
        b'{"values": []}\n',
        b'fedcba9876543210{"values": []}\n',
        NONCE.encode(),
        NONCE.encode() + b'{"values": []}',
        NONCE.encode() + b'{"values": []}\n{}\n',
        NONCE.encode() + b"[]\n",
        NONCE.encode() + b'{"a": 0.5}\n',
        NONCE.encode() + b'{"a": NaN}\n',
        NONCE.encode() + b"[" * 100_000 + b"\n",
        b"x" + NONCE.encode() + b"{}\n",
    ],
)
def test_anything_but_one_answer_with_the_nonce_is_refused(line):
    with pytest.raises(InputError, match="wrote something else than its answer"):
        read_answer(NONCE, line)
    assert read_answer(NONCE, NONCE.encode() + b'{"values": []}\n') == {"values": []}


def test_what_a_task_raises_is_told_apart_from_what_it_returns():
    def needs_memory():
        raise MemoryError

    def refused():
        raise InputError("as it was said")

    assert outcome(lambda: "as it was said") == (True, "as it was said")
    assert outcome(refused) == (False, "as it was said")
    assert outcome(needs_memory) == (False, "the mechanism needs more memory than a process of foreign code may have")


def test_a_dot_is_written_for_each_data_set_while_somebody_reads():
    read, write = os.pipe()
    done = counting(write)
    done()
    done()
    assert os.read(read, 9) == b".."
    for end in (read, write):
        os.close(end)
    done()


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


@pytest.mark.parametrize(
    ("text", "loaded"),
    [
        ("import numpy as np\n", servers.READING),
        ("def f(data):\n    from numpy.random import default_rng\n", servers.READING),
        ("import os, random\n", servers.READING),
        ('"""A source of randomness, random numbers of numpy."""\n', servers.NOTHING),
        ("from numpydoc import x\nimport randomness\n", servers.NOTHING),
        ("def f(data, source):\n    return source.discrete_laplace(data[0])\n", servers.POLYNOMIALS),
        ("\n" * 10**5, servers.NOTHING),
    ],
)
def test_what_code_will_need_is_loaded_beforehand(tmp_path: Path, text: str, loaded: int) -> None:
    (tmp_path / "own.py").write_text(text)
    request = {"directory": str(tmp_path), "load": [["", "own:f"]], "invariants": [], "pairs": [], "mechanism": None}
    assert process._preloaded(request) == loaded
    (tmp_path / "random.py").write_text("")
    assert process._preloaded(request) == (loaded if loaded != servers.READING else servers.NOTHING)
