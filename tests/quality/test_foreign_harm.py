"""A mechanism's code does no harm: what reaches outside is refused, floods end, and only named modules are loaded."""

import contextlib
import os
import subprocess
import sys
import time
from pathlib import Path
from textwrap import indent
from typing import Any

import pytest
from claim_texts import built
from foreign_modules import PUBLISHES, claim_text, laws, refusal, written
from started import STIRRED

from stirred.spec import InputError
from stirred.verify.audit.audit import audit
from stirred.verify.cli.main import main
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.foreign import Limits

UNCONFINED = sys.platform != "linux"

HARM = {
    "kills its parent": "import os\nos.kill(PARENT, 9)",
    "interrupts its parent": "import os, signal\nos.kill(PARENT, signal.SIGINT)",
    "kills everybody": "import os\nos.kill(-1, 9)",
    "kills the group": "import os\nos.killpg(0, 9)",
    "kills through the C library": "import ctypes\nctypes.CDLL(None).kill(PARENT, 9)",
    "writes to its parent's output": "open(f'/proc/{PARENT}/fd/1', 'w').write('forged: PROVED: met')",
    "writes to the terminal": "open('/dev/tty', 'w').write('forged')",
    "writes a file": "open(HERE + '/victim', 'w').write('forged')",
    "removes a file": "import os\nos.unlink(HERE + '/victim')",
    "removes a folder": "import shutil\nshutil.rmtree(HERE)",
    "renames a file": "import os\nos.rename(HERE + '/victim', HERE + '/gone')",
    "changes a file's mode": "import os\nos.chmod(HERE + '/victim', 0)",
    "makes a folder": "import os\nos.mkdir(HERE + '/folder')",
    "forks": "import os\nos.fork()",
    "starts a program": "import os\nos.system('touch ' + HERE + '/touched')",
    "becomes a program": "import os\nos.execv('/bin/touch', ['touch', HERE + '/touched'])",
    "opens a socket": "import socket\nsocket.create_connection(('127.0.0.1', 9))",
    "limits its parent": "import resource\nresource.prlimit(PARENT, resource.RLIMIT_CPU, (1, 1))",
    "forks below Python": "import _posixsubprocess\n_posixsubprocess.fork_exec()",
}


@pytest.mark.skipif(UNCONFINED, reason="the kernel's filter is Linux's; elsewhere a line says that it is missing")
class TestNoHarm:
    @pytest.mark.parametrize("when", ["when it is imported", "when it is called"])
    @pytest.mark.parametrize("name", HARM)
    def test_what_reaches_outside_is_refused(self, tmp_path: Path, name: str, when: str) -> None:
        (tmp_path / "victim").write_text("untouched")
        does = f"{HARM[name]}\ndef f(data, source):\n    return 0\n"
        if when == "when it is called":
            does = f"def f(data, source):\n{indent(HARM[name], '    ')}\n    return 0\n"
        text = f"PARENT, HERE = {os.getpid()}, {str(tmp_path)!r}\n{does}"
        if when == "when it is imported" and "ctypes" in does:  # which libraries use: the kernel refuses what it asks
            assert laws(tmp_path, text)
        else:
            message = refusal(tmp_path, text)
            assert "is refused" in message or "Operation not permitted" in message or "it raised" in message
        assert (tmp_path / "victim").read_text() == "untouched"
        assert sorted(path.name for path in tmp_path.iterdir()) == ["foreign.py", "victim"]

    @pytest.mark.parametrize(
        ("does", "expected"),
        [
            ("print('x' * 10**6)\n    return 0", "its process printed more than 100000 bytes"),
            ("while True: print('flood')", "its process printed more than 100000 bytes"),
            ("return bytearray(10**11)", "needs more memory than a process of foreign code may have"),
            ("x = []\n    while True: x.append(bytes(10**9))", "needs more memory"),
            ("while True: pass", "took more than 1 s: it may loop for ever"),
            ("return sum(range(10**12))", "took more than 1 s"),
            (
                "while True:\n        try:\n            while True: pass\n        except BaseException: pass",
                "took more than 1 s",
            ),
        ],
    )
    def test_floods_and_endless_runs_end(self, tmp_path: Path, does: str, expected: str) -> None:
        begin = time.monotonic()
        message = refusal(
            tmp_path, f"def f(data, source):\n    {does}\n", limits=Limits(seconds=60 if "memory" in expected else 1)
        )
        assert expected in message
        assert time.monotonic() - begin < 60

    def test_it_dies_with_its_auditor(self, tmp_path: Path) -> None:
        text = "import sys\ndef f(data, source):\n    print(MARK, file=sys.stderr, flush=True)\n    while True: pass\n"
        mark = f"mark-{os.getpid()}-{time.monotonic_ns()}"
        written(tmp_path, f"MARK = {mark!r}\n{text}")
        (tmp_path / "claim.toml").write_text(claim_text())
        command = [*STIRRED, "audit", str(tmp_path / "claim.toml"), "--seconds", "100"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as auditor:
            wait_for(lambda: len(children_of(auditor.pid)) == 2)
            children = children_of(auditor.pid)
            auditor.kill()
        wait_for(lambda: not any(is_running(child) for child in children))


def children_of(pid: int) -> list[int]:
    with contextlib.suppress(FileNotFoundError):
        return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    return []


def is_running(pid: int) -> bool:
    with contextlib.suppress(FileNotFoundError, ProcessLookupError):
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    return False


def wait_for(condition: Any) -> None:
    deadline = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.05)


class TestWhatIsLoaded:
    @pytest.mark.parametrize(
        "reference",
        [
            *("os:system", "shutil:rmtree", "subprocess:run", "builtins:print", "os.path:exists", "sys:exit"),
            "stirred.verify.cli.main:main",
        ],
    )
    @pytest.mark.parametrize("command", ["audit", "show", "compare"])
    def test_a_module_that_is_not_beside_the_file_is_not_loaded(
        self, tmp_path: Path, reference: str, command: str
    ) -> None:
        for key in ("mechanism.function", "multiverse.invariants[0]"):
            text = (
                claim_text(reference)
                if key == "mechanism.function"
                else claim_text("foreign:f", ("invariants = []", f'invariants = ["{reference}"]'))
            )
            written(tmp_path, PUBLISHES)
            if command == "show":
                assert built(tmp_path, text, None).mechanism is not None
                continue
            with pytest.raises(InputError) as caught:
                built(tmp_path, text)
            assert f"{key}: no module {reference.partition(':')[0]!r} beside the claim file" in str(caught.value)

    def test_show_runs_nothing(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        written(tmp_path, "raise SystemExit('it was run')\n")
        file = tmp_path / "claim.toml"
        file.write_text(claim_text("foreign:f", ("invariants = []", 'invariants = ["foreign:f"]')))
        assert main(["show", str(file)]) == 0
        out, err = capsys.readouterr()
        assert "invariant: foreign:f" in out
        assert err == ""

    def test_an_installed_module_is_loaded_where_it_is_named(
        self, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        file = tmp_path / "claim.toml"
        file.write_text(
            claim_text("stirred.mechanisms.kernel:identity", ("records = 2", 'records = 2\norder = "ordered"')),
            encoding="utf-8",
        )
        assert main(["audit", str(file)]) == 2
        assert main(["audit", str(file), "--import", "stirred.mechanisms.kernel"]) == 1
        assert "own: REFUTED" in capsys.readouterr().out

    def test_packages_and_modules_named_like_others_beside_the_file_are_loaded(self, tmp_path: Path) -> None:
        (tmp_path / "package").mkdir()
        (tmp_path / "package" / "__init__.py").write_text(
            "from .inner import VALUE\ndef f(data, source): return VALUE\n"
        )
        (tmp_path / "package" / "inner.py").write_text("VALUE = 7\ndef f(data, source): return VALUE\n")
        (tmp_path / "random.py").write_text("def f(data, source): return 4\n")
        (tmp_path / "spec.py").write_text("def f(data, source): return 5\n")
        for reference in ("package:f", "package.inner:f", "random:f", "spec:f"):
            record = audit(built(tmp_path, claim_text(reference)))
            assert record.verdict is Verdict.EXHAUSTED, reference

    @pytest.mark.parametrize(
        "reference", ["foreign", "foreign:", ":f", "../foreign:f", "foreign:f()", "/etc/x:f", "a..b:f"]
    )
    def test_a_reference_of_another_form_is_refused(self, tmp_path: Path, reference: str) -> None:
        written(tmp_path, PUBLISHES)
        with pytest.raises(InputError, match=r"mechanism\.function must be 'module:function'"):
            built(tmp_path, claim_text(reference))
