"""What the checkers of certificates have in common: each is one file that needs Python alone, and is called alike."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from small_certificates import ABSURD, COIN, SENTENCE, SUMS

from stirred.verify.evidence.certificates import check, query, replay, sentences

NEGATIVE = {**SENTENCE, "says": "x < 0", "names": ["x"], "cases": [[1]]}
WRONG = {
    check: (COIN, {"budget": {"epsilon": 1}}, "the inequality fails at x = ((0,),), x' = ((1,),), d = 1"),
    query: (ABSURD, {"sum": []}, "the sum "),
    sentences: (SUMS, {"sentences": [NEGATIVE]}, "'x < 0' is false of {'x': '1'}"),
}
"""For each checker what it confirms, a change of it, and what is not confirmed then."""


@pytest.fixture(params=WRONG, ids=["check", "query", "sentences"])
def checker(request):
    return request.param


def test_files_as_a_person_checks_them(checker, tmp_path, capsys):
    right, change, said = WRONG[checker]
    text = json.dumps(right)
    files = {
        "right.json": (text, 0),
        "several.json": (json.dumps([right, {**right, "claim": "x\n\x1b[2J"}]), 0),
        "wrong.json": (json.dumps({**right, **change}), 1),
        "torn.json": (text[:-1], 2),
        "twice.json": (text[:-1] + ', "claim": "other"}', 1),
        "deep.json": ("[" * 400_000, 2),
    }
    for name, (content, _) in files.items():
        (tmp_path / name).write_text(content)
    for name, (_, status) in {**files, "none.json": ("", 2)}.items():
        assert checker.main([str(tmp_path / name)]) == status, name
    out = capsys.readouterr().out
    assert "right.json: CONFIRMED: " in out
    assert out.count("several.json: CONFIRMED: ") == 2
    assert 'several.json: not compared: {"claim": "x\\n\\u001b[2J"' in out
    assert f"wrong.json: NOT CONFIRMED: {said}" in out
    assert checker.main([str(tmp_path / name) for name in ("wrong.json", "right.json")]) == 1


def test_the_file_alone_is_enough(checker, tmp_path):
    text = Path(checker.__file__).read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 405
    (tmp_path / "alone.py").write_text(text, encoding="utf-8")
    (tmp_path / "right.json").write_text(json.dumps(WRONG[checker][0]))
    command = [sys.executable, "-I", "-S", "alone.py", "right.json"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "right.json: CONFIRMED" in found.stdout


def test_what_a_stream_or_the_memory_lacks(checker, tmp_path, monkeypatch, capsys):
    (tmp_path / "a.json").write_text(json.dumps({**WRONG[checker][0], "statement": "x \u2265 0 \ud800"}))
    (tmp_path / "\u2265.json").write_text("{}")
    for name in ("a.json", "\u2265.json"):
        found = subprocess.run(
            [sys.executable, checker.__file__, name],
            cwd=tmp_path,
            capture_output=True,
            check=False,
            env={"PYTHONIOENCODING": "ascii", "LC_ALL": "C.UTF-8"},
        )
        assert b"CONFIRMED" in found.stdout
        assert b"Error" not in found.stderr

    def larger(*_, **__):
        raise MemoryError

    monkeypatch.setattr(json, "loads", larger)
    assert checker.main([str(tmp_path / "a.json")]) == 2
    assert "cannot be read" in capsys.readouterr().err


@pytest.mark.parametrize("of", [*WRONG, replay], ids=["check", "query", "sentences", "replay"])
def test_each_says_how_it_is_called(capsys, of):
    for option in ("-h", "--help"):
        assert of.main([option]) == 0
        out, err = capsys.readouterr()
        assert out.startswith(f"usage: python {'-m ' if of is replay else ''}")
        assert "\nexit status: " in out
        assert err == ""
    assert of.main([]) == 2
    assert capsys.readouterr() == ("", out)


def test_what_is_printed_of_a_scope_fits_the_stream(tmp_path):
    (tmp_path / "two.json").write_text(json.dumps({**ABSURD, "scope": "x \u2265 0 \ud800"}))
    command = [sys.executable, query.__file__, "two.json"]
    found = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, env={"PYTHONIOENCODING": "ascii"})
    assert b"[x ? 0 ?]" in found.stdout
