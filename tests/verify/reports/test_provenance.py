"""When and by which version a report was made; and that none has a path of the machine on which it was made."""

import hashlib
import json
import re
import shutil
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree

import pytest
from reported import hostile_report

from stirred.spec.arguments import InputError
from stirred.verify.cli import main
from stirred.verify.reports.formats import FORMATS, rendered
from stirred.verify.reports.provenance import made_at, shown_path, without_folders

CLAIMS = Path("tests/claims").resolve()
RECORD = Path("tests/verify/records/fixtures/deployments/editor_activity.yaml").resolve()


def test_the_time_is_now_in_utc_unless_it_is_set(monkeypatch):
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    before = datetime.now(UTC).replace(microsecond=0)
    assert before <= made_at() <= datetime.now(UTC)
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86399")
    assert made_at() == datetime(1970, 1, 1, 23, 59, 59, tzinfo=UTC)


@pytest.mark.parametrize("value", ["yesterday", "-1", "1.5", "9" * 30, "٣"])
def test_a_time_that_is_none_is_refused_in_one_line(monkeypatch, value, capsys):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", value)
    with pytest.raises(InputError, match="SOURCE_DATE_EPOCH must be a whole number of seconds since 1970"):
        made_at()
    assert main(["audit", str(CLAIMS / "coin.toml")]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_a_page_and_the_files_of_ci_carry_the_date_and_the_version(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")  # 2001-09-09T01:46:40Z
    report, ours = hostile_report(), version("stirred")
    assert f"Made by stirred {ours} on 2001-09-09 (UTC), in exact arithmetic." in rendered(report, "html")
    (run,) = json.loads(rendered(report, "sarif"))["runs"]
    assert run["invocations"][0]["endTimeUtc"] == "2001-09-09T01:46:40Z"
    assert run["tool"]["driver"]["version"] == ours
    for suite in ElementTree.fromstring(rendered(report, "junit")):  # noqa: S314 our own text
        assert suite.get("timestamp") == "2001-09-09T01:46:40"
        assert suite.find("properties/property").attrib == {"name": "stirred", "value": ours}


@pytest.mark.parametrize("form", FORMATS)
def test_the_same_report_is_the_same_text_at_any_time(monkeypatch, form):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "0")
    assert rendered(hostile_report(), form) == rendered(hostile_report(), form)


@pytest.mark.parametrize("form", FORMATS)
@pytest.mark.parametrize("is_inside", [True, False])
def test_no_format_has_an_absolute_path(form, is_inside, tmp_path, monkeypatch, capsys):
    folder, here = tmp_path / "work" / "claims", tmp_path / ("work" if is_inside else "elsewhere")
    here.mkdir(parents=True, exist_ok=True)
    folder.mkdir(parents=True, exist_ok=True)
    for file in (CLAIMS / "geometric.toml", CLAIMS / "own_mechanism.toml", CLAIMS / "own_mechanisms.py", RECORD):
        shutil.copy(file, folder)
    (folder / "broken.toml").write_text("id = 1\n")
    monkeypatch.chdir(here)
    files = [str(folder / name) for name in ("geometric.toml", "own_mechanism.toml", RECORD.name, "broken.toml")]
    assert main(["audit", *files, "--format", form]) == 2
    out = capsys.readouterr().out
    assert str(tmp_path) not in out
    assert "file://" not in out
    prefix = "claims/" if is_inside else ""
    if form == "github":
        assert f"file={prefix}geometric.toml,line=" in out
        assert f"::error title=not audited::{prefix}broken.toml: " in out
    elif form == "sarif":
        uris = set(re.findall(r'"uri": "([^"]*)"', out))
        assert f"{prefix}geometric.toml" in uris
        assert not any(one.startswith("/") for one in uris)
    elif form == "html":
        assert f"stirred audit {prefix}geometric.toml {prefix}own_mechanism.toml" in out
        for name in ("geometric.toml", "own_mechanisms.py"):
            digest = hashlib.sha256((folder / name).read_bytes()).hexdigest()
            assert f'<th scope="row">{prefix}{name}</th><td><code>{digest}</code>' in out


@pytest.mark.parametrize("form", FORMATS)
def test_no_answer_about_a_swapped_file_has_an_absolute_path(form, tmp_path, capsys):
    records = tmp_path / "records.csv"
    records.write_text("county,tract,color\n" + "".join(f"a,{n % 3},{n % 2}\n" for n in range(6)))
    swapped, claim = tmp_path / "swapped.csv", tmp_path / "claim.toml"
    roles = ["--match", "county", "--swap", "tract", "--hold", "color", "--swap-rate", "1/2", "--resolution", "person"]
    files = ["--output", str(tmp_path / "table.csv"), "--microdata", str(swapped), "--claim", str(claim)]
    assert main(["swap", str(records), *roles, *files]) == 0
    capsys.readouterr()
    for asked in ([str(swapped)], [str(claim), "--data", str(records), str(swapped)]):
        assert main(["audit", *asked, "--format", form]) in (0, 3)
        out = capsys.readouterr().out
        assert str(tmp_path) not in out
        assert form in ("github", "sarif") or "swapped.csv" in out


def test_a_file_elsewhere_is_named_by_its_name_and_what_is_typed_as_relative_stays(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    monkeypatch.chdir(tmp_path / "a")
    inside, outside = tmp_path / "a" / "b" / "c.toml", tmp_path / "d.toml"
    assert (shown_path(inside), shown_path(outside)) == ("b/c.toml", "d.toml")
    text = f"{inside}: and {outside}: and ../d.toml"
    assert without_folders(text, [inside, outside, "../d.toml"]) == "b/c.toml: and d.toml: and ../d.toml"
