"""`stirred run topdown` interrupted: it goes on with its own noise, and takes nothing from another run."""

import subprocess
import sys

import pytest
from topdown_town import run

from stirred.mechanisms.tables.run_folder import RunFolder
from stirred.spec.arguments import InputError
from stirred.verify.products.topdown.run import KeptNodes


@pytest.fixture
def command(capsys, town):
    """What `run` needs, where a test has more parameters."""
    return capsys, town


def interrupted(capsys, town, monkeypatch, *more):
    """The nodes that a run kept which was interrupted in the third level."""
    keep = KeptNodes.keep

    def kept(self, level, parent, children):
        keep(self, level, parent, children)
        if level == 2:
            raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(KeptNodes, "keep", kept)
        status, _, errors, output = run(capsys, town, *more)
    assert (status, errors) == (2, "stirred: interrupted\n")
    assert not output.exists()
    return town.parent / "released.parts" / "nodes.jsonl"


def test_a_run_goes_on_with_its_own_noise(capsys, town, monkeypatch):
    interrupted(capsys, town, monkeypatch, "--format", "csv")
    parts = town.parent / "released.parts"
    keep = KeptNodes.keep
    kept = (parts / "nodes.jsonl").read_bytes()
    assert oct((parts / "key").stat().st_mode & 0o777) == "0o600"
    with (parts / "nodes.jsonl").open("a") as file:
        file.write('[3, "north 1", {"nor')  # a line that was not finished
    copy = (parts / "key").read_bytes()
    told = []
    monkeypatch.setattr(KeptNodes, "keep", lambda self, *found: (told.append(found[1]), keep(self, *found)))
    status, *_, output = run(capsys, town, "--format", "csv")
    assert status == 0
    assert told == ["south", "north 1", "north 2", "south 1"]
    assert len(kept.splitlines()) == 3
    first = (output / "persons.csv").read_text()
    # the same key alone, from the beginning, gives the same output
    output.rename(town.parent / "first")
    monkeypatch.setattr("stirred.verify.products.topdown.run.run_key", lambda seed: copy)
    run(capsys, town, "--format", "csv")
    assert (output / "persons.csv").read_text() == first


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (lambda kept: b"[0, null, {}]\n", 1),
        (lambda kept: kept.replace(b'"north 2": [[', b'"north 2": [[1, 1], ['), 3),
        (lambda kept: kept + b"\xff\n", 4),
        (lambda kept: kept + b"\n" + kept, 4),
        (lambda kept: kept.replace(b"\n", b"\r\n"), 1),
    ],
)
def test_nodes_that_another_hand_wrote_are_refused_with_file_and_line(command, monkeypatch, change, line):
    capsys, town = command
    nodes = interrupted(capsys, town, monkeypatch)
    content = change(nodes.read_bytes())
    nodes.write_bytes(content)
    status, out, errors, output = run(capsys, town)
    assert (status, out) == (2, "")
    assert errors == (
        f"stirred: {nodes}: line {line}: must be as this run wrote it; remove the file, and its nodes are "
        "estimated again from the same measurements\n"
    )
    assert nodes.read_bytes() == content
    assert not output.exists()
    nodes.unlink()
    assert run(capsys, town)[0] == 0


def test_nodes_of_another_run_with_the_same_seed_are_refused(capsys, town, monkeypatch):
    nodes = interrupted(capsys, town, monkeypatch, "--seed", 1)
    kept = nodes.read_bytes()
    nodes.unlink()
    assert run(capsys, town, "--seed", 1)[0] == 0
    (town.parent / "released").rename(town.parent / "first")
    assert interrupted(capsys, town, monkeypatch, "--seed", 1, "--weights", "equal").read_bytes() != kept
    nodes.write_bytes(kept)
    status, _, errors, _ = run(capsys, town, "--seed", 1, "--weights", "equal")
    assert status == 2
    assert "line 1: must be as this run wrote it" in errors


def test_another_run_may_not_go_on_from_it(capsys, town):
    (town.parent / "released.parts").mkdir()
    (town.parent / "released.parts" / "run.json").write_text("{}")
    (town.parent / "released.parts" / "key").write_bytes(bytes(32))
    status, _, errors, output = run(capsys, town)
    assert status == 2
    assert "must be the folder of the same run" in errors
    assert not output.exists()


CODE = """
import sys
from stirred.mechanisms.tables.run_folder import RunFolder
RunFolder(sys.argv[1], {"run": 1}, bytes(31) + b"k")
print("in", flush=True)
sys.stdin.read()
"""


def test_two_processes_do_not_use_one_folder_at_once(capsys, town):
    """The lock ends with the process that has it, however it ends; the folder is then gone on from."""
    folder = town.parent / "released.parts"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", CODE, str(folder)], stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdout.readline() == "in\n"
        before = {path.name: path.read_bytes() for path in folder.iterdir()}
        status, out, errors, output = run(capsys, town)
        assert (status, out) == (2, "")
        assert "released.parts: must be used by one run at a time; another one is at work: wait until it" in errors
        assert errors.count("\n") == 1
        assert not output.exists()
        with pytest.raises(InputError, match="must be used by one run at a time"):
            RunFolder(str(folder), {"run": 1}, bytes(32))
        assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
        other.kill()
    assert RunFolder(str(folder), {"run": 1}, bytes(32)).key == bytes(31) + b"k"
