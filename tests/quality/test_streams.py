"""Streams that are closed, full or left: a verdict is told or the program fails."""

import re
import subprocess
import sys

import pytest
from started import ENVIRONMENT, STIRRED, WITNESS, in_shell

REFUTED = ["verify", "psa.swap-probability.printed"]
MUCH = ["verify", "--list", "--json"]
OTHERS = [
    MUCH,
    ["show"],
    ["derive", "psa", "--largest-stratum", "10"],
    ["--help"],
    ["swap", "records.csv", "--swap", "b", "--swap-rate", "1/2"],
]


class TestStreams:
    @pytest.mark.parametrize("redirection", [">&-", ">&- 2>&-", ">&- 2>&- <&-", ">/dev/full", ">/dev/full 2>/dev/full"])
    @pytest.mark.parametrize("arguments", [REFUTED, ["audit", "refuted.toml"]], ids=lambda a: a[0])
    def test_a_refutation_that_cannot_be_printed_is_a_failure(self, folder, arguments, redirection):
        done = in_shell(arguments, folder, redirection)
        assert done.returncode == 2
        assert done.stdout == ""
        assert re.fullmatch(r"(stirred: stdout: [A-Z][a-z ]+\n)?", done.stderr)
        assert bool(done.stderr) is ("2>" not in redirection)

    @pytest.mark.parametrize("arguments", OTHERS, ids=lambda a: a[0])
    def test_so_is_everything_else(self, folder, arguments):
        done = in_shell(arguments, folder, ">/dev/full")
        assert (done.returncode, done.stderr) == (2, "stirred: stdout: No space left on device\n")

    def test_a_refutation_that_is_printed_stands_without_stderr(self, folder):
        done = in_shell(REFUTED, folder, "2>&-")
        assert done.returncode == 1
        assert done.stdout.endswith("1 claim: 1 REFUTED\n")

    @pytest.mark.parametrize("redirection", ["2>&-", "2>/dev/full"])
    @pytest.mark.parametrize("arguments", [["verify", "absent"], ["absent"]])
    def test_an_error_that_cannot_be_told_is_still_one(self, folder, arguments, redirection):
        assert in_shell(arguments, folder, redirection).returncode == 2

    @pytest.mark.parametrize("read", [0, 1])
    def test_a_reader_that_leaves_ends_the_program_without_a_word(self, folder, read):
        with subprocess.Popen(
            [*STIRRED, *MUCH], cwd=folder, env=ENVIRONMENT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as started:
            assert len(started.stdout.read(read)) == read
            started.stdout.close()
            assert started.stderr.read() == b""
        assert started.returncode == 2

    def test_a_closed_descriptor_is_no_place_for_a_file(self, folder):
        arguments = ["swap", "records.csv", "--swap", "b", "--swap-rate", "1/2", "--output", "out.csv"]
        assert in_shell(arguments, folder, "<&- >&- 2>&-").returncode == 2
        assert (folder / "out.csv").read_text().startswith("a,b,count\n")

    def test_every_character_can_be_printed(self, folder):
        environment = {**ENVIRONMENT, "PYTHONIOENCODING": "ascii"}
        command = [*STIRRED, "derive", "psa", "--largest-stratum", "10"]
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, check=False)
        assert done.returncode == 0
        assert b"log(11)/2 \\u2248 1.198947636" in done.stdout

    def test_the_program_without_dependencies_does_likewise(self, folder):
        (folder / "witness.json").write_text(WITNESS)
        for redirection in (">/dev/full", ">&-"):
            command = [
                "sh",
                "-c",
                f'exec "$@" {redirection}',
                "sh",
                sys.executable,
                "-m",
                "stirred.verify.certificates.replay",
            ]
            done = subprocess.run(
                [*command, "witness.json"], cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False
            )
            assert (done.returncode, done.stderr.count("\n")) == (2, 1)
