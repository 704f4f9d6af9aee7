"""`stirred verify --against`: a kept ledger that differs in any one row is noticed, and the row is named."""

import contextlib
import io
import json

import pytest

from stirred.verify.cli import main

PREFIX = "derangements.r"  # a few claims that are checked at once


@pytest.fixture(scope="module")
def kept():
    """The rows of the ledger under the prefix, as they were kept."""
    with contextlib.redirect_stdout(io.StringIO()) as out:
        main(["verify", PREFIX, "--json"])
    rows = json.loads(out.getvalue())
    assert len(rows) >= 3
    return rows


def against(tmp_path, capsys, rows):
    file = tmp_path / "ledger.json"
    file.write_text(json.dumps(rows))
    status = main(["verify", PREFIX, "--json", "--against", str(file)])
    return status, capsys.readouterr().err


def test_the_same_rows_in_any_order_are_no_change(tmp_path, capsys, kept):
    assert against(tmp_path, capsys, kept) == (0, "")
    assert against(tmp_path, capsys, kept[::-1]) == (0, "")


@pytest.mark.parametrize("position", [0, 1, -1])
def test_a_row_that_was_not_kept_is_a_change(tmp_path, capsys, kept, position):
    rows = list(kept)
    missing = rows.pop(position)
    status, err = against(tmp_path, capsys, rows)
    assert status == 1
    assert err.startswith(f"{missing['id']}: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("position", [0, -1])
def test_a_row_that_is_no_longer_in_the_ledger_is_a_change(tmp_path, capsys, kept, position):
    rows = list(kept)
    rows.insert(position, {**kept[0], "id": "derangements.removed"})
    status, err = against(tmp_path, capsys, rows)
    assert status == 1
    assert err.startswith("derangements.removed: ")
    assert err.count("\n") == 1


@pytest.mark.parametrize("position", [0, 1, -1])
def test_a_row_with_another_verdict_is_a_change(tmp_path, capsys, kept, position):
    rows = list(kept)
    was = "OPEN" if rows[position]["verdict"] != "OPEN" else "PROVED"
    rows[position] = {**rows[position], "verdict": was}
    status, err = against(tmp_path, capsys, rows)
    assert status == 1
    assert err.startswith(f"{rows[position]['id']}: ")
    assert was in err
    assert err.count("\n") == 1


def test_every_changed_row_is_named(tmp_path, capsys, kept):
    rows = [{**row, "id": f"derangements.removed-{i}"} for i, row in enumerate(kept)]
    status, err = against(tmp_path, capsys, rows)
    assert status == 1
    named = {line.partition(": ")[0] for line in err.splitlines()}
    assert named == {row["id"] for row in (*rows, *kept)}
