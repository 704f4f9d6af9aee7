"""Files and numbers that are not as one would wish: one line says so, in bounded time and memory."""

import ast
import os
import re
import subprocess
import time

import pytest
from claim_texts import SOUND
from started import ENVIRONMENT, ROOT, STIRRED, WITNESS, python, run
from tiers import few

from stirred.spec import InputError
from stirred.verify.cli.main import main
from stirred.verify.evidence.certificates.bounded_read import UnreadableError, read_whole
from stirred.verify.evidence.files.toml_text import load_toml

READERS = {
    "audit": lambda path: ["audit", path],
    "show": lambda path: ["show", path],
    "replay": lambda path: ["replay", path],
    "swap": lambda path: ["swap", path, "--swap", "a", "--swap-rate", "1/2"],
}
"""How some commands are made to read a file; of all of them tests/verify/cli/commands/test_links_and_folders.py."""

DOTTED = "a" + ".a" * 20_000 + "=1"

MEASURED = {
    "a dotted key": (DOTTED, "line 1: a key must have at most 10 parts"),
    "a dotted header": ("x = 1\n[a" + " . 'a'" * 20_000 + "]", "line 2: a key must have at most 10 parts"),
    "a dotted key in an inline table": ("x = {" + DOTTED + "}", "at most 10 parts"),
    "a dotted key behind texts": ('x = """"\n"" # """\n' + DOTTED, "line 3: a key"),
    "a dotted key behind a quote in a comment": ("# '''\n" + DOTTED, "line 2: a key"),
    "a dotted key behind quotes": ("x = \"\"\"\\\"\"\"\"\"\"\ny = ''''\n'''''\n" + DOTTED, "line 4: a key"),
    "deep arrays": ("x = " + "[" * 100_000, "must be nested at most 20 deep"),
    "deep inline tables": ("x = " + "{x = " * 50_000, "must be nested at most 20 deep"),
    "a long integer": ("x = " + "9" * 400_000, "without quotes must have at most 5000 characters"),
    "a long hexadecimal": ("x = 0x" + "f" * 400_000, "without quotes must have at most 5000 characters"),
    "a text without end": ('x = """' + "x" * 400_000, "invalid TOML: Unterminated string"),
    "many headers": ("".join(f"[t{i}]\n" for i in range(45_000)), None),
    "deep headers": ("".join(f"[a.b.c.d.e.f.g.h.t{i}]\n" for i in range(20_000)), None),
    "a long array": ("x = [" + "1," * 240_000 + "]", None),
    "a long text": ('x = "' + "\\n" * 240_000 + '"', None),
}

HOSTILE = {
    "dotted.toml": DOTTED,
    "long.yaml": "a: " + "x\n  " * 120_000,
    "aliases.yaml": "a: &a [x]\nb: [*a, *a]\n",
    "deep.yaml": "[" * 100_000,
    "deep.json": "[" * 400_000,
    "wide.json": "[" + "[]," * 150_000 + "[]]",
    "continued.ini": "[a]\nk=v\n" + " x\n" * 160_000,
    "interpolated.ini": "[a]\nk = %(k)s\n",
}

READING = {"read_text", "read_bytes", "open", "loads", "load"}
MAY_READ = {
    "verify/evidence/certificates/bounded_read.py": "the reader",
    "verify/evidence/certificates/standard_streams.py": "opens the null device",
    "verify/evidence/files/toml_text.py": "parses what was read",
    "verify/evidence/files/exact_json.py": "parses what was read",
    "verify/evidence/certificates/replay.py": "parses what was read",
    "verify/cli/commands/kept_records.py": "parses what was read",
    "verify/ledger/failures.py": "a witness of its own",
    "verify/ledger/book.py": "the text of the claims' modules",
    "verify/ledger/pages.py": "a run of its own",
    "verify/audit/audit.py": "a witness of its own",
    "verify/audit/swapped/found.py": "the digests of a table's files, a piece at a time",
    "verify/cli/commands/replay.py": "a witness of its own",
    "verify/evidence/process_control/processor_time.py": "lines of the kernel",
    "verify/laws/sandbox/confinement.py": "a line of the kernel",
    "verify/laws/sandbox/forked.py": "opens its own output",
    "verify/laws/sandbox/within_limits.py": "opens its own output",
    "verify/cli/commands/init.py": "creates files",
    "verify/products/topdown/dhc_example.py": "the published settings, which come along",
    "verify/products/phsafe/example.py": "the published settings, which come along",
    "verify/laws/sent_function.py": "objects of its own parent",
    "verify/laws/p_table_file.py": "the start of a file, by which it is known",
    "verify/products/studies/study.py": "its own draws",
    "verify/products/topdown/run.py": "its own nodes",
    "verify/evidence/certificates/alignment.py": "parses what was read",
    "verify/prove/proving.py": "a certificate of its own",
    "verify/evidence/certificates/check.py": "the independent checker, which shares nothing, reads at most 200 MB",
    "verify/evidence/certificates/sentences.py": "as the checker beside it",
    "verify/evidence/certificates/query.py": "as the checker beside it",
    "verify/cli/commands/check.py": "parses what was read, and certificates of its own",
    "verify/ledger/certificates.py": "a certificate of its own",
    "verify/ledger/claims/phsafe/table_10.py": "parses the published settings, which come along",
    "verify/products/release_checks/folder.py": "parses what was read",
    "verify/laws/sandbox/answers.py": "what its own child wrote",
    "verify/laws/worker.py": "what its own parent wrote",
    "verify/laws/sandbox/copies.py": "what its own child wrote",
    "verify/laws/sandbox/process.py": "writes to its own child",
    "verify/audit/black_box/commands.py": "what its own child wrote",
    "verify/audit/black_box/workers.py": "opens its own output",
    "verify/audit/black_box/interim_analyses.py": "its own looks",
    "verify/evidence/certificates/law_pair.py": "texts that were read",
    "verify/evidence/certificates/register.py": "the committed digests",
    "verify/engines/solver.py": "a query of its own",
    "verify/evidence/reports/page.py": "the frame of the page, which comes along",
    "verify/cli/guide/__init__.py": "the pages that come along",
    "verify/cli/commands/verify.py": "records of its own",
    "verify/cli/commands/site.py": "a run of its own",
    "verify/cli/site/losses.py": "losses of its own",
    "verify/cli/site/gallery.py": "what its own children drew",
    "verify/cli/site/build.py": "the style and the script that come along",
    "verify/cli/site/coq_files.py": "the committed proofs, and what Coq wrote beside them",
    "verify/cli/site/kept_run.py": "digests of the sources that come along",
    "verify/cli/site/source_pages.py": "the sources that come along",
}
"""Modules that read or parse what no other module has read for them, each with its reason."""


def reads(code):
    """The calls of a module that read or parse a file."""
    calls = [node.func for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
    methods = {call.attr for call in calls if isinstance(call, ast.Attribute)}
    return (methods | {call.id for call in calls if isinstance(call, ast.Name) and call.id == "open"}) & READING


class TestReading:
    @pytest.mark.parametrize("reader", few(["audit", "replay", "swap"]))
    def test_a_name_that_is_no_text_is_one_line(self, folder, reader):
        done = run(READERS[reader]("\udcff.toml"), folder)
        assert done.returncode == 2
        assert done.stderr.removeprefix(b"stirred: ") == b"\\udcff.toml: cannot be read: No such file or directory\n"

    def test_a_pipe_without_a_writer_is_given_up(self, tmp_path):
        os.mkfifo(tmp_path / "pipe")
        with pytest.raises(UnreadableError, match="must end within 1 s; its writers have not closed it"):
            read_whole(str(tmp_path / "pipe"), 10, seconds=1)

    def test_the_seconds_bound_reading_too(self, folder):
        os.mkfifo(folder / "pipe")
        started = time.monotonic()
        done = run(["audit", "pipe", "--seconds", "1"], folder, text=True)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("stirred: reading the files took more than 1 s")
        assert time.monotonic() - started < 30

    @pytest.mark.parametrize("reader", READERS)
    def test_a_pipe_of_a_shell_is_read(self, folder, reader):
        contents = {"swap": "a,b\nx,1\ny,2\n", "replay": WITNESS}
        (folder / "content").write_text(contents.get(reader, SOUND))
        command = ["bash", "-c", 'exec "$@" <(cat content)', "bash", *STIRRED, *READERS[reader]("/dev/null")]
        command.remove("/dev/null")
        if reader == "swap":  # the file comes last
            command = [*command[:4], *STIRRED, "swap", "--swap-rate", "1/2", "--swap", "a", "--"]
        done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, check=False)
        assert done.returncode == (1 if reader == "replay" else 0), done.stderr

    def test_an_endless_pipe_is_cut_off(self, folder):
        read, write = os.pipe()
        with subprocess.Popen(["cat", "/dev/zero"], stdout=write, stderr=subprocess.DEVNULL) as writer:
            os.close(write)
            done = run(["audit", "-"], folder, stdin=read, text=True)
            os.close(read)
            writer.wait()
        assert (done.returncode, done.stderr) == (2, "stirred: -: must have at most 500000 bytes; it has more\n")

    @pytest.mark.parametrize(("text", "refusal"), MEASURED.values(), ids=MEASURED)
    def test_toml_is_refused_or_read_in_bounded_time(self, text, refusal):
        before = time.process_time()
        if refusal is None:
            load_toml("x", text, parse_float=str)
        else:
            with pytest.raises(InputError, match=re.escape(refusal)):
                load_toml("x", text, parse_float=str)
        assert time.process_time() - before < 5, "2 s on an idle machine"

    def test_hostile_files_take_little_memory_and_time(self, folder):
        for name, content in HOSTILE.items():
            (folder / name).write_text(content)
        code = (
            "import sys, time; from stirred.verify.cli.main import main\n"
            "for name in sys.argv[1:]:\n"
            "    begin, status = time.process_time(), main(['audit', name])\n"
            "    print(time.process_time() - begin, status)\n"
            "print(int(open('/proc/self/status').read().partition('VmHWM:')[2].split()[0]) // 1024)"
        )
        done = python("-c", code, *HOSTILE, folder=folder)
        *answers, megabytes = done.stdout.splitlines()
        assert [answer.split()[1] for answer in answers] == ["2"] * len(HOSTILE)
        assert [line.split(":")[1] for line in done.stderr.splitlines()] == [f" {name}" for name in HOSTILE]
        assert int(megabytes) < 200
        assert max(float(answer.split()[0]) for answer in answers) < 5, "2 s on an idle machine"

    def test_a_wide_table_and_large_counts_are_read_in_bounded_time(self, folder, capsys):
        names = [f"c{i}" for i in range(20_000)]
        (folder / "wide.csv").write_text("\n".join([",".join(names), *(",".join(one for _ in names) for one in "12")]))
        (folder / "counts.csv").write_text("a,b,n\nx,1,25000000\ny,2,25000000\n")
        before = time.process_time()
        assert main(["swap", str(folder / "wide.csv"), "--swap", "c0", "--swap-rate", "1/2"]) == 0
        assert capsys.readouterr().err.endswith("\nstirred: the same holds for 19980 more columns\n")
        counts = ["swap", str(folder / "counts.csv"), "--swap", "b", "--count", "n", "--swap-rate", "1/2"]
        assert main(counts) == 3  # a determines b
        assert time.process_time() - before < 5

    def test_a_long_quotation_is_cut(self, folder, capsys):
        (folder / "claim.toml").write_text(SOUND.replace('id = "', 'id = "' + "!" * 100_000, 1))
        assert main(["audit", str(folder / "claim.toml")]) == 2
        assert len(capsys.readouterr().err) < 2_100

    def test_files_are_read_in_one_place(self):
        modules = {path.relative_to(ROOT).as_posix(): path.read_text() for path in (ROOT / "verify").rglob("*.py")}
        assert {name for name, code in modules.items() if reads(code)} == set(MAY_READ)

    def test_the_exemptions_are_needed_and_a_reader_is_found(self):
        assert [name for name in MAY_READ if not reads((ROOT / name).read_text())] == []
        assert reads("Path(name).read_text()") == {"read_text"}
        assert reads("with open(name) as file:\n    pass") == {"open"}
        assert not reads("read_text(path, most)")


class TestNumbers:
    @pytest.mark.parametrize(
        ("arguments", "said"),
        [
            ("psa --largest-stratum 10 --epsilon 1e-20", "no swap rate has this budget: the smallest is log(11)/2"),
            ("psa --largest-stratum 10 --epsilon 1e-999", "no swap rate has this budget: the smallest is log(11)/2"),
            ("psa --largest-stratum 1000000000000000000 --epsilon 1000000", "exp(1000000)/(1 + exp(1000000)) ≈ 1.0"),
            ("psa --largest-stratum 10 --epsilon 1e999", "--epsilon must be at most 1000000; got a number of about"),
            (f"psa --largest-stratum 10 --swap-rate 0.{'1' * 50_000}", "--swap-rate must have at most 1000 digits"),
            (f"psa --largest-stratum 10 --swap-rate 0.{'1' * 900}e-900", "--swap-rate must have at most 3400 bits"),
            ("psa --largest-stratum 10 --swap-rate 1e-999", "budget: log("),
            (f"psa --largest-stratum 1{'0' * 5_000}", "must be at most 10^30; got a number of about 10^5000"),
            (
                f"universe --rows {'1 ' * 2_000}--columns {'2 ' * 1_000}--swap-rate 1/2",
                "exact loss: not computed, the universe is too large",
            ),
            (f"universe --rows {'3 ' * 60}--columns {'3 ' * 60}--swap-rate 1/2", "the universe is too large"),
            (
                "universe --rows 1000000000000000000 7 --columns 7 1000000000000000000 --swap-rate 1/3",
                "exact loss: not computed, the universe is too large",
            ),
            (
                "universe --rows 400 400 --columns 400 400 --swap-rate 999/1000 --seconds 1",
                "the exact loss took more than 1 s",
            ),
        ],
        ids=lambda text: text[:45],
    )
    def test_a_derivation_takes_seconds_or_says_what_is_possible(self, capsys, arguments, said):
        begin = time.process_time()
        assert main(["derive", *arguments.split()]) in (0, 2)
        assert time.process_time() - begin < 10, "2 s on an idle machine"
        assert said in "".join(capsys.readouterr())
