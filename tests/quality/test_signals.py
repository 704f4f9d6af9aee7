"""Signals, full disks and dying workers: the old file stays, nothing is left running."""

import os
import resource
import signal
import subprocess
import sys

import pytest
from started import ENVIRONMENT, STIRRED, run

WRITING = """
import sys, time
from stirred.verify.files import atomic
go_on, calls = atomic._go_on, []
def slow(arrived):
    calls.append(1)
    if len(calls) == 2:
        print("half", flush=True)
        time.sleep(2)
    go_on(arrived)
atomic._go_on = slow
atomic.write_whole("kept", b"n" * (3 << 20))
print("whole", flush=True)
"""

WORKING = """
import os, sys, time
from stirred.verify.running.worker_pool import in_processes
def work(item):
    os.write(1, b"%d\\n" % os.getpid())  # in one piece: two workers share the pipe
    time.sleep(60)
if __name__ == "__main__":
    list(in_processes(work, range(4), jobs=2))
"""


@pytest.mark.usefixtures("usual_signals")
class TestSignals:
    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT])
    def test_a_signal_while_writing_leaves_the_old_file_and_ends_the_program(self, tmp_path, number):
        (tmp_path / "kept").write_text("old")
        command = [sys.executable, "-c", WRITING]
        with subprocess.Popen(
            command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        ) as started:
            assert started.stdout.readline() == b"half\n"
            started.send_signal(number)
        assert started.returncode == -number
        assert [path.name for path in tmp_path.iterdir() if path.name != "core"] == ["kept"]
        assert (tmp_path / "kept").read_text() == "old"

    def test_an_ignored_signal_stays_ignored(self, tmp_path):
        command = ["sh", "-c", 'trap "" HUP; exec "$@"', "sh", sys.executable, "-c", WRITING]
        with subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, stdout=subprocess.PIPE) as started:
            assert started.stdout.readline() == b"half\n"
            started.send_signal(signal.SIGHUP)
            assert started.stdout.read() == b"whole\n"
        assert started.returncode == 0

    def test_ctrl_c_is_one_line_and_ends_the_program_by_its_signal(self, folder):
        os.mkfifo(folder / "pipe")
        command = [*STIRRED, "audit", "pipe"]
        with (
            subprocess.Popen(command, cwd=folder, env=ENVIRONMENT, stderr=subprocess.PIPE) as started,
            (folder / "pipe").open("w"),  # opened as soon as the program reads
        ):
            started.send_signal(signal.SIGINT)
            assert started.stderr.read() == b"stirred: interrupted\n"
        assert started.returncode == -signal.SIGINT

    @pytest.mark.parametrize(
        "arguments",
        [
            ["swap", "records.csv", "--swap", "b", "--swap-rate", "1/2", "--output", "kept"],
            ["audit", "refuted.toml", "--witness", "kept"],
        ],
    )
    def test_a_full_disk_is_one_line_and_leaves_the_old_file(self, folder, arguments):
        (folder / "kept").write_text("old")
        before = sorted(folder.iterdir())

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (5, 5))

        done = run(arguments, folder, text=True, preexec_fn=limit)
        assert (done.returncode, done.stderr) == (2, "stirred: kept: cannot be written: File too large\n")
        assert (folder / "kept").read_text() == "old"
        assert sorted(folder.iterdir()) == before

    def test_an_output_may_be_a_pipe_of_the_shell(self, folder):
        done = run(["audit", "refuted.toml", "--witness", "/dev/stdout"], folder, text=True)
        assert done.returncode == 1
        assert '"claimed": ' in done.stdout

    @pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGKILL])
    def test_no_worker_outlives_its_program(self, tmp_path, number):
        (tmp_path / "program.py").write_text(WORKING)
        with subprocess.Popen(
            [sys.executable, "program.py"],
            cwd=tmp_path,
            env=ENVIRONMENT,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        ) as started:
            workers = [int(started.stdout.readline()) for _ in range(2)]
            started.send_signal(number)
            started.wait(timeout=30)
            assert started.stdout.read() == b""  # returns when the last worker has closed it
        assert started.returncode == -number
        assert len(set(workers)) == 2

    def test_a_worker_that_ends_by_itself_is_an_engine_failure(self, tmp_path):
        (tmp_path / "program.py").write_text(WORKING.replace("time.sleep(60)", "os._exit(0)"))
        done = subprocess.run(
            [sys.executable, "program.py"], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, text=True, check=False
        )
        assert "EngineError: a process that shares the work ended by itself" in done.stderr
