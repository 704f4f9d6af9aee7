"""Files from elsewhere: pipes are read once and serve twice, and what is too large or no file is one line."""

import os
import subprocess
import sys
import threading

import pytest
from claim_texts import SOUND

from stirred.spec import InputError
from stirred.verify.cli import main
from stirred.verify.files.bounded_file import MAX_BYTES, read_bounded, read_text


def test_a_claim_may_come_through_a_pipe(tmp_path, capsys):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_text(SOUND))
    writer.start()
    assert main(["audit", str(pipe)]) == 0
    writer.join(timeout=10)
    assert "swap.small: EXHAUSTED" in capsys.readouterr().out


def test_a_dash_is_standard_input():
    command = [sys.executable, "-m", "stirred.verify.cli", "audit", "-"]
    done = subprocess.run(command, input=SOUND, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "swap.small: EXHAUSTED" in done.stdout


def test_what_is_too_large_or_no_text_is_refused(tmp_path):
    large, binary = tmp_path / "large", tmp_path / "binary"
    large.write_bytes(b"a" * (MAX_BYTES + 1))
    binary.write_bytes(b"ab\xff")
    with pytest.raises(InputError, match=f"must have at most {MAX_BYTES} bytes; it has more"):
        read_bounded(large)
    with pytest.raises(InputError, match="must be UTF-8; byte 2 is not"):
        read_text(binary)
    with pytest.raises(InputError, match="is a directory; name a file in it"):
        read_bounded(tmp_path)
