"""`stirred site` and `stirred verify --open`: what is written, said and refused."""

import json
import tempfile

import pytest
from site_links import broken_links

from stirred.verify.cli.commands import verify as verify_command
from stirred.verify.cli.main import main
from stirred.verify.cli.site import build
from stirred.verify.cli.site.build import site_files

FEW = ["derangements.nearest-integer.printed", "hamming.half-l1"]


@pytest.fixture
def records(tmp_path, capsys):
    """The file of a run of a few claims."""
    main(["verify", *FEW, "--json"])
    path = tmp_path / "ledger.json"
    path.write_text(capsys.readouterr().out)
    return path


def test_the_site_of_a_run_is_written_whole(records, tmp_path, capsys, monkeypatch):
    """The whole one is asked for, and the ledger's pages are written: the others are read in the tests of the site."""
    folder, asked = tmp_path / "pages", {}

    def of_the_ledger(found, **chosen):
        asked.update(chosen)
        return site_files(found, **{**chosen, "whole": False})

    monkeypatch.setattr(build, "site_files", of_the_ledger)
    assert main(["site", str(folder), "--records", str(records), "--no-pictures"]) == 0
    assert (asked["whole"], asked["pictures"]) == (True, ())
    assert {"randomized-response", "permutation-swapping"} <= set(asked["losses"])
    said = capsys.readouterr().out
    files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    assert said.startswith(f"{folder}/index.html: 2 claims, ")
    assert broken_links(files) == []
    assert b"the records in ledger.json, whose digest begins with" in files["index.html"]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda found: found[0].update(statement="x"), "must have the statement of this version"),
        (lambda found: found[0].pop("scope"), "record 0 has no scope"),
        (lambda found: found[0].update(id="no.such"), "no claim has the id 'no.such'"),
    ],
)
def test_records_of_something_else_are_one_line_and_nothing_is_written(records, tmp_path, capsys, change, said):
    found = json.loads(records.read_text())
    change(found)
    records.write_text(json.dumps(found))
    assert main(["site", str(tmp_path / "pages"), "--records", str(records), "--no-pictures"]) == 2
    captured = capsys.readouterr()
    assert said in captured.err
    assert (captured.out, captured.err.count("\n")) == ("", 1)
    assert [path.name for path in tmp_path.iterdir()] == ["ledger.json"]


def test_a_folder_of_other_files_is_refused_before_the_ledger_runs(tmp_path, capsys):
    (tmp_path / "mine.txt").write_text("mine")
    assert main(["site", str(tmp_path)]) == 2
    assert capsys.readouterr().err == f"stirred: {tmp_path}: must be a new or empty folder, or an earlier site\n"


class TestOpen:
    @pytest.fixture
    def opened(self, monkeypatch, tmp_path):
        """The addresses that a browser is asked to open; pages are written into the folder of the test."""
        asked = []
        monkeypatch.setattr(verify_command.webbrowser, "open", asked.append)
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        return asked

    def test_the_page_of_the_claim_is_opened_and_its_path_is_said(self, opened, tmp_path, capsys):
        assert main(["verify", FEW[0], "--open"]) == 1
        (page,) = tmp_path.glob(f"stirred-*/pages/ledger/{FEW[0]}.html")
        assert opened == [page.as_uri()]
        captured = capsys.readouterr()
        assert captured.err.splitlines()[-1] == str(page)
        assert captured.out.splitlines()[-1] == "1 claim: 1 REFUTED"
        assert "false at k = 0" in page.read_text()

    def test_a_whole_id_is_meant_although_others_begin_so(self, opened):
        assert main(["verify", "derangements.nearest-integer", "--open"]) == 1
        assert [address.rpartition("/")[2] for address in opened] == ["derangements.nearest-integer.html"]

    def test_several_claims_are_refused_before_they_are_checked(self, opened, capsys):
        assert main(["verify", "derangements.", "--open"]) == 2
        captured = capsys.readouterr()
        assert captured.err.startswith("stirred: --open requires a single claim; got ")
        assert (captured.out, opened) == ("", [])
