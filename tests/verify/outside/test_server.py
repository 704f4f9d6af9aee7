"""Interpreters that are copied instead of started: as isolated as new ones, and gone with whoever asked for them."""

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

from foreign_modules import laws, refusal, written

from stirred.verify.laws.foreign import Limits
from stirred.verify.outside import server as servers

KEEPS = (
    "import string\nstring.kept = getattr(string, 'kept', 0) + 1\nK = string.kept\ndef f(data, source):\n    return K\n"
)

ASKS = """
import sys
from pathlib import Path
from stirred.verify.outside import server as servers
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
