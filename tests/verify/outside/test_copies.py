"""What a mechanism does on one data set reaches no other: each batch is met by a copy of the process that loaded it."""

import string
from pathlib import Path

import pytest
from foreign_modules import laws, refusal

from stirred.spec import InputError
from stirred.verify.outside.copies import batches, in_copy

POINTS = tuple((digit,) for digit in range(40))

REMEMBERS = """
import string
def f(data, source):
    last, string.last = getattr(string, "last", data), data
    return last == data
"""


def test_nothing_flows_from_one_data_set_to_the_next(tmp_path: Path) -> None:
    """The library's module is looked at by nobody; a process that met two data sets would answer otherwise."""
    assert {tuple(law) for law in laws(tmp_path, REMEMBERS, POINTS[:8]).laws.values()} == {("True",)}
    assert "two computations of its law, in two processes, differ" in refusal(tmp_path, REMEMBERS, points=POINTS)


def test_batches_are_all_data_sets_in_their_order() -> None:
    for size in range(60):
        found = list(batches(POINTS[:size]))
        assert [point for batch in found for point in batch] == list(POINTS[:size])
        assert len(found) <= 8
        assert all(len(batch) == 1 for batch in found[:4])


def test_a_copy_changes_nothing_here_and_says_what_it_found() -> None:
    def task() -> int:
        string.last = 1  # type: ignore[attr-defined]
        return 7

    assert in_copy(task) == 7
    assert not hasattr(string, "last")
    with pytest.raises(InputError, match="as it was said"):
        in_copy(lambda: (_ for _ in ()).throw(InputError("as it was said")))
