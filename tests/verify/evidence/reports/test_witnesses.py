"""A counterexample worked out by hand: its parts have the values that they are said to have, and the whole is false.

When and by which version a report was made; and that none has a path of the machine on which it was made.
"""

import hashlib
import json
import re
import shutil
from datetime import UTC, datetime
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from xml.etree import ElementTree

import pytest
from reported import hostile_report

from stirred.spec import Law, Loss
from stirred.spec.arguments import InputError
from stirred.verify.cli.main import main
from stirred.verify.evidence.certificates.case_values import shown_value
from stirred.verify.evidence.certificates.exact_number import WitnessError
from stirred.verify.evidence.certificates.language import value_of
from stirred.verify.evidence.reports.formats import FORMATS, rendered
from stirred.verify.evidence.reports.page_witness import WorkedStep, worked_steps
from stirred.verify.evidence.reports.provenance import made_at, shown_path, without_folders
from stirred.verify.evidence.witness import event_witness, formula_witness
from stirred.verify.ledger.failures import failure
from stirred.verify.ledger.run import run_claim

CLAIMS = (
    "derangements.nearest-integer.printed",
    "optimal.lower-density",
    "premetric.household-person",
    "psa.unit-pair.printed",
    "pure.likelihood-ratio",
    "survey.pps.formula",
    "units.household-person.printed",
)


def wrong_steps(witness):
    """The steps whose numbers do not give the value beside them; numbers that are cut are left out."""
    wrong = []
    for step in worked_steps(witness):
        try:
            found = shown_value(value_of(step.numbers, {}, {})) if step.numbers and "…" not in step.numbers else None
        except (WitnessError, TypeError):
            continue  # parts that are no numbers, such as a set of laws
        if found not in (None, step.value):
            wrong.append((step, found))
    return wrong


@pytest.mark.parametrize("name", CLAIMS)
def test_the_numbers_of_each_step_give_its_value_and_the_whole_is_false(name):
    witness = run_claim(name).as_json()["witness"]
    steps = worked_steps(witness)
    assert steps[-1].value == "False"
    assert len(steps) > 1
    assert wrong_steps(witness) == []


def test_numbers_are_put_in_part_by_part_and_the_last_step_compares_the_parts():
    witness = formula_witness("(n - 1)*p/(1 - p) <= floor(p*n)", n=4, p=Fraction(1, 3))
    assert worked_steps(witness) == (
        WorkedStep("(n - 1) * p / (1 - p)", "(4 - 1) * (1 / 3) / (1 - 1 / 3)", "3/2"),
        WorkedStep("floor(p * n)", "floor(1 / 3 * 4)", "1"),
        WorkedStep("(n - 1) * p / (1 - p) <= floor(p * n)", "3 / 2 <= 1", "False"),
    )


def test_a_decimal_stands_as_it_is_written_and_is_read_exactly():
    first, *_, last = worked_steps(formula_witness("x <= 0.10000000000000000001 + 1e-3", x=1))
    assert (first.numbers, first.value) == (
        "0.10000000000000000001 + 1e-3",
        "10100000000000000001/100000000000000000000",
    )
    assert last.value == "False"


def test_what_decides_is_shown_and_nothing_else():
    witness = failure("all(sum(x) <= n or n == 1 for n in (7, 1, 3, 2))", x=(1, 2, 3))
    assert [step.part for step in worked_steps(witness)] == [
        "the first that decides",
        "sum(x)",
        "sum(x) <= n",
        "n == 1",
        "all((sum(x) <= n or n == 1 for n in (7, 1, 3, 2)))",
    ]
    assert worked_steps(witness)[0].numbers == "n = 3"


def test_a_sum_of_many_terms_is_cut_and_says_of_how_many():
    (total, *_) = worked_steps(failure("sum(x) <= 1", x=tuple(range(40))))
    assert total.numbers.endswith("+ 11 + … (40 in all)")
    assert total.value == "780"


def test_the_probabilities_of_an_event_are_added_up():
    laws = Law({0: Fraction(1, 2), 1: Fraction(1, 4), 2: Fraction(1, 4)}), Law({0: Fraction(3, 4), 2: Fraction(1, 4)})
    witness = event_witness(laws, {1, 2}, distance=1, claimed=Loss(Fraction(3, 2)))
    assert worked_steps(witness) == (
        WorkedStep("P(E | x)", "1 / 4 + 1 / 4", "1/2"),
        WorkedStep("P(E | x')", "1 / 4", "1/4"),
    )


BESIDE = Path("tests/claims").resolve()
RECORD = Path("tests/verify/audit/records/fixtures/deployments/editor_activity.yaml").resolve()


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
    assert main(["audit", str(BESIDE / "coin.toml")]) == 2
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
    for file in (BESIDE / "geometric.toml", BESIDE / "own_mechanism.toml", BESIDE / "own_mechanisms.py", RECORD):
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
