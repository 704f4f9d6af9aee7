"""Files are written whole or not at all, and what they replace keeps its place and its permissions.

Files from elsewhere: pipes are read once and serve twice, and what is too large or no file is one line. The line of a
key is that of its statement, whatever the statement is made of.
"""

import os
import stat
import subprocess
import sys
import threading

import pytest
from claim_texts import SOUND
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import InputError
from stirred.verify.cli.main import main
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.evidence.files.bounded_file import MAX_BYTES, read_bounded, read_text
from stirred.verify.evidence.files.toml_text import key_lines


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def test_a_new_file_has_the_usual_permissions(tmp_path):
    before = os.umask(0o022)
    try:
        write_whole(str(tmp_path / "new.txt"), "a")
    finally:
        os.umask(before)
    assert (tmp_path / "new.txt").read_text() == "a"
    assert mode(tmp_path / "new.txt") == 0o644


def test_a_replaced_file_keeps_its_permissions_and_a_link_stays_one(tmp_path):
    target, link = tmp_path / "target.txt", tmp_path / "link.txt"
    target.write_text("old")
    target.chmod(0o640)
    link.symlink_to(target)
    write_whole(str(link), b"new")
    assert link.is_symlink()
    assert (target.read_text(), mode(target)) == ("new", 0o640)


def test_a_pipe_is_written_to(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(str(pipe), "through")
    reader.join(timeout=10)
    assert read == [b"through"]
    assert stat.S_ISFIFO(pipe.stat().st_mode)


def test_what_cannot_be_written_is_one_line_and_leaves_nothing(tmp_path):
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path, tmp_path / "absent" / "file", tmp_path / "loop"):
        with pytest.raises(InputError, match="cannot be written: "):
            write_whole(str(path), "text")
    assert [path.name for path in tmp_path.iterdir()] == ["loop"]


def test_an_interrupted_write_leaves_the_old_file(tmp_path, monkeypatch):
    target = tmp_path / "kept.txt"
    target.write_text("old")

    def interrupt(*arguments):
        raise KeyboardInterrupt

    monkeypatch.setattr("pathlib.Path.replace", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_whole(str(target), "new")
    assert [path.name for path in tmp_path.iterdir()] == ["kept.txt"]
    assert target.read_text() == "old"


def test_a_claim_may_come_through_a_pipe(tmp_path, capsys):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(SOUND))
    writer.start()
    assert main(["audit", str(pipe)]) == 0
    writer.join(timeout=10)
    assert "swap.small: EXHAUSTED" in capsys.readouterr().out


def test_a_dash_is_standard_input():
    command = [sys.executable, "-m", "stirred.verify.cli.main", "audit", "-"]
    done = subprocess.run(command, input=SOUND, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "swap.small: EXHAUSTED" in done.stdout


def test_what_is_too_large_or_no_text_is_refused(tmp_path):
    large, binary = tmp_path / "large", tmp_path / "binary"
    large.write_bytes(b"a" * (MAX_BYTES + 1))
    binary.write_bytes(b"ab\xff")
    with pytest.raises(InputError, match=f"must have at most {MAX_BYTES} bytes; it has more"):
        read_bounded(large)
    with pytest.raises(InputError, match="line 1, column 3 must be UTF-8; it is not"):
        read_text(binary)
    with pytest.raises(InputError, match="is a directory; name a file in it"):
        read_bounded(tmp_path)


TEXT = '''\
# a comment
id = "one"
statement = """
[budget] is no table here
epsilon = "no key"
"""

[domain]            # who?
schema = {
 answer = [0, 1] }
data_sets = [
  [1, 2],
  "[numbers]",
]
[budget]
epsilon = "0.8"
[mechanism.parameters]
flip = "1/4"
[[numbers]]
what = "first"
[[numbers]]
what = "second"
where.x = "1"
'''.replace("schema = {\n answer = [0, 1] }", "schema = { answer = [\n0, 1] }")


def test_each_key_has_the_first_line_of_its_statement():
    lines = key_lines(TEXT)
    assert {path: line for path, line in lines.items() if path[0] != "domain"} == {
        ("id",): 2,
        ("statement",): 3,
        ("budget",): 15,
        ("budget", "epsilon"): 16,
        ("mechanism", "parameters"): 17,
        ("mechanism", "parameters", "flip"): 18,
        ("numbers", 0): 19,
        ("numbers", 0, "what"): 20,
        ("numbers", 1): 21,
        ("numbers", 1, "what"): 22,
        ("numbers", 1, "where"): 23,
        ("numbers", 1, "where", "x"): 23,
    }
    assert (lines["domain",], lines["domain", "schema"], lines["domain", "data_sets"]) == (8, 9, 11)


def test_tables_of_an_array_are_told_apart():
    text = "[[claim]]\nid = 'a'\n[claim.budget]\ngamma = 2\n[[claim.numbers]]\nwhat = 'n'\n" * 2
    lines = key_lines(text)
    for index in (0, 1):
        start = 6 * index
        assert lines["claim", index] == start + 1
        assert lines["claim", index, "budget", "gamma"] == start + 4
        assert lines["claim", index, "numbers", 0, "what"] == start + 6


@given(st.lists(st.sampled_from(["", "# a = 1", "[t]", "b = 'x'", "c = [\n1,\n2]", 'd = """\n[u]\n"""']), max_size=8))
def test_every_line_number_points_at_the_key_or_table(parts):
    kept = list(dict.fromkeys(parts))
    text = "\n".join(kept)
    for path, line in key_lines(text).items():
        shown = text.splitlines()[line - 1]
        assert shown.startswith((f"[{path[-1]}]", f"{path[-1]} ="))
