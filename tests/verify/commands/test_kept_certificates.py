"""`stirred verify --certificates` writes a file for each claim that can leave one; `stirred check` confirms them."""

import json

from started import stirred

from stirred.verify.certificates import query
from stirred.verify.commands.kept_certificates import KeptCertificates
from stirred.verify.ledger.certificates import certified

IDS = ("domain.boundary-upstream", "phsafe.privacy.thresholds", "tradeoff.blackwell.standard", "invariants.nonvacuous")


def test_a_new_user_keeps_and_checks_certificates(tmp_path):
    kept = tmp_path / "kept"
    kept.mkdir()
    (kept / "tradeoff.blackwell.standard.json").write_text("of an earlier run")
    done = stirred("verify", *IDS, "--certificates", str(kept), cwd=tmp_path)
    assert done.returncode == 1  # invariants.nonvacuous is refuted
    plain = stirred("verify", *IDS, cwd=tmp_path)
    assert done.stdout == plain.stdout
    names = sorted(path.name for path in kept.iterdir())
    assert "domain.boundary-upstream.json" in names
    assert "phsafe.privacy.thresholds.query.json" in names
    assert "tradeoff.blackwell.standard.json" not in names
    assert "tradeoff.blackwell.standard: no certificate: ARGUED by " in done.stderr
    assert "waits for another solver" not in done.stderr  # cvc5 is installed with the tests
    assert f"certificates of {len(names)} claims" in done.stderr  # none of these leaves two files
    first = {path.name: path.read_bytes() for path in kept.iterdir()}
    stirred("verify", *IDS, "--certificates", str(kept), "--jobs", "1", cwd=tmp_path)
    assert {path.name: path.read_bytes() for path in kept.iterdir()} == first
    found = stirred("check", str(kept / "domain.boundary-upstream.json"), str(kept / "invariants.nonvacuous.json"))
    assert found.returncode == 0
    assert "invariants.nonvacuous.json: CONFIRMED: false of one case: " in found.stdout
    assert 'invariants.nonvacuous.json: not compared: {"claim": "invariants.nonvacuous", ' in found.stdout
    found = stirred("check", str(kept / "phsafe.privacy.thresholds.query.json"))
    assert found.returncode == 0
    assert "CONFIRMED: no values satisfy the " in found.stdout
    assert " assertions, by cvc5 for Python [" in found.stdout


def test_a_query_that_no_solver_answers_is_named(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(query, "SOLVERS", {})
    found = certified("phsafe.privacy.thresholds")
    KeptCertificates(str(tmp_path)).keep(found)
    assert "phsafe.privacy.thresholds: its query waits for another solver [" in capsys.readouterr().err
    assert (tmp_path / "phsafe.privacy.thresholds.query.json").read_text() == found.queries


def test_a_folder_that_cannot_be_made_is_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    done = stirred("verify", IDS[0], "--certificates", str(tmp_path / "file"), cwd=tmp_path)
    assert done.returncode == 2
    assert "cannot be made a folder: File exists" in done.stderr
    assert done.stdout == ""


def test_what_is_no_certificate_is_said(tmp_path):
    files = {"form.json": {"format": "another", "claim": "c"}, "list.json": [], "text.json": "x", "name.json": [{}]}
    for name, content in files.items():
        (tmp_path / name).write_text(json.dumps(content))
    for name in files:
        done = stirred("check", name, cwd=tmp_path)
        assert done.returncode == 1
        assert done.stdout.startswith(f"{name}: NOT CONFIRMED: format must be one of 'stirred certificate 1'")
    (tmp_path / "torn.json").write_text("{")
    torn = stirred("check", "torn.json", "none.json", cwd=tmp_path)
    assert (torn.returncode, torn.stdout) == (2, "")
    assert [line.split(":")[1] for line in torn.stderr.splitlines()] == [" cannot be read", " cannot be read"]
