"""The line that a process of foreign code answers with is read as data that may be forged."""

import os

import pytest

from stirred.spec import InputError
from stirred.verify.outside.answers import counting, outcome, read_answer

NONCE = "0123456789abcdef"


@pytest.mark.parametrize(
    "line",
    [
        b'{"values": []}\n',
        b'fedcba9876543210{"values": []}\n',
        NONCE.encode(),
        NONCE.encode() + b'{"values": []}',
        NONCE.encode() + b'{"values": []}\n{}\n',
        NONCE.encode() + b"[]\n",
        NONCE.encode() + b'{"a": 0.5}\n',
        NONCE.encode() + b'{"a": NaN}\n',
        NONCE.encode() + b"[" * 100_000 + b"\n",
        b"x" + NONCE.encode() + b"{}\n",
    ],
)
def test_anything_but_one_answer_with_the_nonce_is_refused(line):
    with pytest.raises(InputError, match="wrote something else than its answer"):
        read_answer(NONCE, line)
    assert read_answer(NONCE, NONCE.encode() + b'{"values": []}\n') == {"values": []}


def test_what_a_task_raises_is_told_apart_from_what_it_returns():
    def needs_memory():
        raise MemoryError

    def refused():
        raise InputError("as it was said")

    assert outcome(lambda: "as it was said") == (True, "as it was said")
    assert outcome(refused) == (False, "as it was said")
    assert outcome(needs_memory) == (False, "the mechanism needs more memory than a process of foreign code may have")


def test_a_dot_is_written_for_each_data_set_while_somebody_reads():
    read, write = os.pipe()
    done = counting(write)
    done()
    done()
    assert os.read(read, 9) == b".."
    for end in (read, write):
        os.close(end)
    done()
