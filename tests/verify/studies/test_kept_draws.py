"""The draws that a study keeps: one run at a time, nothing read that a study did not write."""

import pytest

from stirred.spec import InputError
from stirred.verify.studies.kept_draws import KeptDraws

SETTINGS = {"seed": 1}
ROWS = [{"run": "1", "error": "0.5"}]


def test_what_was_kept_is_there_again(tmp_path):
    with KeptDraws(tmp_path / "new", SETTINGS) as kept:
        assert kept.draws == {}
        kept.keep("run 1", ROWS)
    with KeptDraws(tmp_path / "new", SETTINGS) as kept:
        assert kept.draws == {"run 1": ROWS}


def test_two_runs_cannot_write_into_one_folder(tmp_path):
    with KeptDraws(tmp_path, SETTINGS), pytest.raises(InputError, match="another run is writing here"):
        KeptDraws(tmp_path, SETTINGS)
    with KeptDraws(tmp_path, SETTINGS) as kept:
        assert kept.draws == {}


@pytest.mark.parametrize(("old", "new"), [(b"0.5", b"0.6"), (b"error", b"terror"), (b'"run 1"', b'"run 2"')])
def test_a_draw_that_was_altered_is_refused(tmp_path, old, new):
    with KeptDraws(tmp_path, SETTINGS) as kept:
        kept.keep("run 1", ROWS)
    content = (tmp_path / "draws.jsonl").read_bytes()
    assert old in content
    (tmp_path / "draws.jsonl").write_bytes(content.replace(old, new))
    with pytest.raises(InputError, match="line 2 must be what a study kept"):
        KeptDraws(tmp_path, SETTINGS)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "line 1 must be the settings of a study"),
        (b'{"seed": 1', "line 1 must be the settings of a study"),
        (b'{"seed": 2}\n', "holds draws with seed = 2, not 1: name another folder"),
        (b"[1]\n", "holds draws with seed = None, not 1"),
        (b'{"seed": 1, "runs": 3}\n', "holds draws with runs = 3, not None"),
        (b'{"seed": 1}\nnot a draw\n', "line 2 must be what a study kept"),
        (b'{"seed": 1}\n["run 1", [3]]\n', "line 2 must be what a study kept"),
        (b'{"seed": 1}\n["run 1", [], ""]\n', "line 2 must be what a study kept"),
        (b'{"seed": 1}\n[[], [], ""]\n', "line 2 must be what a study kept"),
        (b'{"seed": 1}\n\xff\n', "line 2 must be what a study kept"),
    ],
)
def test_what_no_study_wrote_is_refused_and_stays(tmp_path, content, message):
    (tmp_path / "draws.jsonl").write_bytes(content)
    with pytest.raises(InputError) as caught:
        KeptDraws(tmp_path, SETTINGS)
    assert message in str(caught.value)
    assert (tmp_path / "draws.jsonl").read_bytes() == content
