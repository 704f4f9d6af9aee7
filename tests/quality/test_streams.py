"""Streams that are closed, full or left, signals, dying workers, any folder: a verdict is told or the program fails."""

import os
import re
import resource
import signal
import subprocess
import sys
import sysconfig

import pytest
from started import ENVIRONMENT, ROOT, STIRRED, WITNESS, in_shell, linked, python, run
from tiers import few

REFUTED = ["verify", "psa.swap-probability.printed"]
MUCH = ["verify", "--list", "--json"]
SWAP = ["swap", "records.csv", "--swap", "b", "--swap-rate", "1/2"]

DERIVE = ["derive", "psa", "--largest-stratum", "10"]
OTHERS = [DERIVE, MUCH, ["show"], ["--help"], SWAP]


class TestStreams:
    @pytest.mark.parametrize(
        "redirection", few([">&- 2>&- <&-", ">/dev/full", ">&-", ">&- 2>&-", ">/dev/full 2>/dev/full"], 2)
    )
    @pytest.mark.parametrize("arguments", [REFUTED, ["audit", "refuted.toml"]], ids=lambda a: a[0])
    def test_a_refutation_that_cannot_be_printed_is_a_failure(self, folder, arguments, redirection):
        done = in_shell(arguments, folder, redirection)
        assert done.returncode == 2
        assert done.stdout == ""
        assert re.fullmatch(r"(stirred: stdout: [A-Z][a-z ]+\n)?", done.stderr)
        assert bool(done.stderr) is ("2>" not in redirection)

    @pytest.mark.parametrize("arguments", few(OTHERS), ids=lambda a: a[0])
    def test_so_is_everything_else(self, folder, arguments):
        done = in_shell(arguments, folder, ">/dev/full")
        assert (done.returncode, done.stderr) == (2, "stirred: stdout: No space left on device\n")

    def test_a_refutation_that_is_printed_stands_without_stderr(self, folder):
        done = in_shell(REFUTED, folder, "2>&-")
        assert done.returncode == 1
        assert done.stdout.endswith("1 claim: 1 REFUTED\n")

    @pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
    @pytest.mark.parametrize("arguments", few([["verify", "absent"], ["absent"]]))
    def test_an_error_that_cannot_be_told_is_still_one(self, folder, arguments, redirection):
        assert in_shell(arguments, folder, redirection).returncode == 2

    @pytest.mark.parametrize("read", few([1, 0]))
    def test_a_reader_that_leaves_ends_the_program_without_a_word(self, folder, read):
        with subprocess.Popen(
            [*STIRRED, *MUCH], cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as started:
            assert len(started.stdout.read(read)) == read
            started.stdout.close()
            assert started.stderr.read() == b""
        assert started.returncode == 2

    def test_a_closed_descriptor_is_no_place_for_a_file(self, folder):
        assert in_shell([*SWAP, "--output", "out.csv"], folder, "<&- >&- 2>&-").returncode == 2
        assert (folder / "out.csv").read_text().startswith("a,b,count\n")

    def test_every_character_can_be_printed(self, folder):
        environment = {**ENVIRONMENT, "PYTHONIOENCODING": "ascii"}
        done = subprocess.run([*STIRRED, *DERIVE], cwd=folder, env=environment, capture_output=True, check=False)
        assert done.returncode == 0
        assert b"log(11)/2 \\u2248 1.198947636" in done.stdout

    def test_the_program_without_dependencies_does_likewise(self, folder):
        (folder / "witness.json").write_text(WITNESS)
        for redirection in (">/dev/full", ">&-"):
            script = f'exec "$@" {redirection}'
            replay = [sys.executable, "-m", "stirred.verify.evidence.certificates.replay", "witness.json"]
            done = python("-c", script, "sh", *replay, folder=folder, program="sh")
            assert (done.returncode, done.stderr.count("\n")) == (2, 1)


WRITING = """
import sys, time
from stirred.verify.evidence.files import atomic
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
from stirred.verify.evidence.process_control.worker_pool import in_processes
def work(item):
    os.write(1, b"%d\\n" % os.getpid())  # in one piece: two workers share the pipe
    time.sleep(60)
if __name__ == "__main__":
    list(in_processes(work, range(4), jobs=2))
"""


@pytest.mark.usefixtures("usual_signals")
class TestSignals:
    @pytest.mark.parametrize("number", few([signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT], 2))
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
            [*SWAP, "--output", "kept"],
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

    @pytest.mark.parametrize("number", few([signal.SIGTERM, signal.SIGKILL, signal.SIGHUP, signal.SIGINT], 2))
    def test_no_worker_outlives_its_program(self, tmp_path, number):
        (tmp_path / "program.py").write_text(WORKING)
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
        command = [sys.executable, "program.py"]
        with subprocess.Popen(command, cwd=tmp_path, env=ENVIRONMENT, **streams) as started:
            workers = [int(started.stdout.readline()) for _ in range(2)]
            started.send_signal(number)
            started.wait(timeout=30)
            assert started.stdout.read() == b""  # returns when the last worker has closed it
        assert started.returncode == -number
        assert len(set(workers)) == 2

    def test_a_worker_that_ends_by_itself_is_an_engine_failure(self, tmp_path):
        (tmp_path / "program.py").write_text(WORKING.replace("time.sleep(60)", "os._exit(0)"))
        done = python("program.py", folder=tmp_path)
        assert "EngineError: a process that shares the work ended by itself" in done.stderr


class TestFolders:
    FOREIGN = ("spec", "verify", "stirred", "mechanisms", "argparse", "pickle", "random", "sympy")

    @pytest.fixture
    def foreign(self, tmp_path):
        """A folder with modules of other people that say so when they are loaded."""
        place = tmp_path / "foreign"
        place.mkdir()
        for name in self.FOREIGN:
            (place / f"{name}.py").write_text(f"open('loaded-{name}', 'w')\nraise SystemExit(97)\n")
        return place

    @pytest.fixture
    def installed(self, tmp_path):
        """Where the packages lie as an installation puts them."""
        return {**os.environ, "PYTHONPATH": str(linked(ROOT, tmp_path / "site"))}

    def test_stirred_starts_in_any_folder(self, foreign, installed):
        (foreign / "stirred.py").unlink()  # python -m itself takes it
        verify = ["stirred", "verify", "derangements", "--jobs", "2"]
        done = python("-m", *verify, folder=foreign, environment=installed)
        assert " claims: " in done.stdout.splitlines()[-1], done.stderr
        done = python("-m", "stirred.verify.cli.main", *DERIVE, folder=foreign, environment=installed)
        assert done.returncode == 0, done.stderr
        assert [path.name for path in foreign.iterdir() if path.name.startswith("loaded")] == []

    def test_the_wheel_holds_every_package(self):
        """The package is its links to the folders, and a folder of modules is found where it is a package itself."""
        links = {path.name: path.resolve() for path in (ROOT / "stirred").iterdir() if path.is_symlink()}
        assert links == {folder: ROOT / folder for folder in ("spec", "mechanisms", "verify")}
        modules = [path for folder in links.values() for path in folder.rglob("*.py")]
        assert {path.parent for path in modules if not (path.parent / "__init__.py").is_file()} == set()


@pytest.mark.parametrize("place", few([".venv", "tools/env"]))
def test_a_mechanism_beside_its_environment_is_audited(tmp_path, place):
    """The installation lies below the claim's folder, as in a project with a `.venv`, and is no code of its user."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(tmp_path / place)], check=True)
    (site,) = (tmp_path / place).glob("lib/python3*/site-packages")
    site.rmdir()
    site.symlink_to(sysconfig.get_path("purelib"))
    interpreter = tmp_path / place / "bin" / "python"
    for command in (["init", "."], ["audit", "majority.toml"]):
        done = python("-m", "stirred.verify.cli.main", *command, folder=tmp_path, program=interpreter)
        assert done.returncode == 0, done.stderr
    assert "1 hold" in done.stdout
