"""Files are written whole or not at all, and what they replace keeps its place and its permissions."""

import os
import stat
import threading

import pytest

from stirred.spec import InputError
from stirred.verify.files.atomic import write_whole


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
