import json
import time
from pathlib import Path

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.audit.records.record_audit import audit_record, read_record, read_records
from stirred.verify.audit.records.record_kind import record_kind
from stirred.verify.cli.main import main
from stirred.verify.evidence.verdict import Verdict

FIXTURES = Path(__file__).parent / "fixtures"
ALL = sorted(path for path in FIXTURES.iterdir() if path.suffix in (".yaml", ".ini", ".json"))


def audited(name, *others):
    records = read_records([FIXTURES / name, *(FIXTURES / other for other in others)])
    return audit_record(records[0])


def findings(record, question):
    return [(a.evidence.verdict, a.evidence.detail) for a in record.answers if a.question == question]


def details(record, question, verdict):
    return [detail for found, detail in findings(record, question) if found is verdict]


def test_a_consistent_record_is_undecided_only_for_its_prose():
    record = audited("library_loans.yaml")
    assert record.verdict is Verdict.OPEN
    assert details(record, "numbers", Verdict.REFUTED) == []
    assert any("in prose only: domain, multiverse, input_premetric" in d for _, d in findings(record, "complete"))


def test_contradictions_are_found():
    record = audited("contradictory_survey.yaml")
    (total,) = details(record, "numbers", Verdict.REFUTED)
    assert total == "rho^2 of PL: 2.63 in article, Theorem 2; 9.99 in the record: a contradiction"
    assert details(record, "consistent", Verdict.OPEN) == ["Pure DP has delta = 0; the record has delta = 1e-6"]


@pytest.mark.parametrize(
    ("old", "new", "meant"),
    [
        ("dp_variant:", "dp_variants:", "dp_variant"),
        ("privacy_unit:", "privacy_units:", "privacy_loss.privacy_unit"),
        ("composition:", "compositions:", "accounting.composition"),
    ],
)
def test_a_misspelt_key_of_a_registry_record_is_named_with_what_may_be_meant(tmp_path, old, new, meant):
    path = tmp_path / "record.yaml"
    path.write_text((FIXTURES / "library_loans.yaml").read_text().replace(old, new, 1))
    ((_, read),) = findings(audit_record(read_record(path)), "read")
    assert f"which the registry's schema does not have (did you mean {meant}?)" in read


def test_an_unfamiliar_record_says_what_could_not_be_read():
    record = audited("unfamiliar_release.yaml")
    assert record.verdict is Verdict.OPEN
    ((_, read),) = findings(record, "read")
    for words in ("epsilon = '1 to 8, by query' is not a number", "quantum_protection", "dp_variant.output_space"):
        assert f"not read: {words}" in read


def test_group_privacy_explains_the_factor_four():
    (found,) = [d for d in details(audited("safetab_p.json"), "numbers", Verdict.EXHAUSTED) if "DDHC-A" in d]
    assert "the factor 4 is explained by a change from unbounded to bounded neighbours by group privacy" in found


def test_the_factor_two_is_proved_for_phsafe_and_open_for_safetab():
    (proved,) = [d for d in details(audited("phsafe_us.json"), "numbers", Verdict.EXHAUSTED) if "S-DHC" in d]
    assert "the factor 2 is explained by" in proved
    (undecided,) = details(audited("safetab_h.json"), "numbers", Verdict.OPEN)
    assert "the sources prove this factor for PHSafe, not for SafeTab-H" in undecided


def test_a_factor_that_no_change_of_neighbours_explains_is_refused(tmp_path):
    content = json.loads((FIXTURES / "safetab_p.json").read_text())
    content["privacy_budget_p_level_2_usa"] = 5.648  # 3 * 6.592 = 19.776
    path = tmp_path / "s.json"
    path.write_text(json.dumps(content))
    record = audit_record(read_record(path))
    (found,) = details(record, "numbers", Verdict.REFUTED)
    assert "no known change of neighbours explains it (4 times 26.368, 2 times 13.184)" in found


def test_shares_become_budgets_only_with_the_one_included_file():
    alone = details(audited("town_person.ini"), "numbers", Verdict.EXHAUSTED)
    assert alone == ["the 2 shares sum to exactly 1: Town 1/3, District 2/3"]
    both = audited("town_person.ini", "town_default.ini")
    assert details(both, "numbers", Verdict.EXHAUSTED) == alone
    (found,) = details(both, "numbers", Verdict.OPEN)
    assert found == (
        "with rho^2 = 4 of town_default.ini, if that is the included default.ini: Town 1.33333, District 2.66667"
    )


def test_an_included_name_is_matched_whole_or_after_an_underscore(tmp_path):
    budget = "[budget]\ndp_mechanism = discrete_gaussian_mechanism\nglobal_scale = "
    shares = "[DEFAULT]\nINCLUDE = ../default.ini\n[budget]\ngeolevel_budget_prop = 1/4, 3/4\n"
    for name, text in (
        ("a.ini", shares),
        ("nondefault.ini", f"{budget}1"),
        ("default.ini", f"{budget}1/2"),
        ("x_default.ini", f"{budget}1/3"),
        ("y_default.ini", f"{budget}1/4"),
    ):
        (tmp_path / name).write_text(text)

    def undecided(*others):
        records = read_records([tmp_path / "a.ini", *(tmp_path / name for name in others)])
        return details(audit_record(records[0]), "numbers", Verdict.OPEN)

    assert undecided("nondefault.ini") == []
    assert undecided("x_default.ini", "y_default.ini") == []
    assert "with rho^2 = 9 of x_default.ini" in undecided("x_default.ini", "nondefault.ini")[0]
    assert "with rho^2 = 4 of default.ini" in undecided("x_default.ini", "default.ini")[0]


def test_both_conversions_stand_side_by_side():
    ((verdict, found),) = findings(audited("town_default.ini"), "conversion")
    assert verdict is Verdict.ENCLOSED
    assert "epsilon ≈ 23.1941 by rho^2 + 2 rho sqrt(-ln delta), ≈ 22.3289 by the smallest" in found


def test_no_record_is_reported_as_holding():
    records = read_records(ALL)
    assert {audit_record(record).verdict for record in records} <= {Verdict.OPEN, Verdict.REFUTED}


def test_one_name_for_two_records_is_refused(tmp_path):
    copy = tmp_path / "phsafe_us.json"
    copy.write_bytes((FIXTURES / "phsafe_us.json").read_bytes())
    with pytest.raises(InputError, match="the name 'phsafe_us' is used twice"):
        read_records([FIXTURES / "phsafe_us.json", copy])


def test_the_command_line_reads_records_by_their_extension(capsys):
    status = main(["audit", *map(str, ALL)])
    lines = capsys.readouterr().out.splitlines()
    assert status == 1
    assert lines[-1].startswith(f"{len(ALL)} claims: 0 hold, 1 refuted")
    assert any(line.startswith("phsafe_us.numbers: EXHAUSTED: S-DHC") for line in lines)


def test_an_undecided_record_has_exit_status_3(capsys):
    assert main(["audit", str(FIXTURES / "library_loans.yaml")]) == 3
    capsys.readouterr()


@pytest.mark.parametrize("function", ["audit_record", "read_records"])
def test_a_record_has_the_time_limit_of_a_claim(capsys, monkeypatch, function):
    def endless(*_):
        while True:
            pass

    monkeypatch.setattr(f"stirred.verify.audit.records.record_audit.{function}", endless)
    assert main(["audit", "--seconds", "1", str(FIXTURES / "library_loans.yaml")]) == 2
    output = capsys.readouterr()
    assert output.out == ""
    assert "took more than 1 s" in output.err


def test_json_records_have_every_finding(capsys):
    main(["audit", "--json", str(FIXTURES / "phsafe_us.json")])
    (record,) = json.loads(capsys.readouterr().out)
    assert {finding["id"] for finding in record["findings"]} == {
        f"phsafe_us.{question}" for question in ("read", "complete", "numbers", "conversion", "outside")
    }


def test_a_malformed_file_hides_no_result_of_the_others(tmp_path, capsys):
    bad, absent = tmp_path / "bad.yaml", tmp_path / "absent.yaml"
    bad.write_text("type: object\n")
    assert main(["audit", str(bad), str(FIXTURES / "phsafe_us.json"), str(absent)]) == 2
    output = capsys.readouterr()
    assert "phsafe_us.numbers: EXHAUSTED: S-DHC" in output.out
    assert output.out.endswith("1 claim: 0 hold, 0 refuted, 1 undecided, 2 not audited\n")
    first, second = output.err.splitlines()
    assert first.startswith(f"stirred: {bad}: url_slug: missing key")
    assert second.startswith(f"stirred: {absent}: ")
    assert main(["audit", "--json", str(bad), str(FIXTURES / "phsafe_us.json")]) == 2
    assert [record["id"] for record in json.loads(capsys.readouterr().out)] == ["phsafe_us"]


def test_files_of_which_none_can_be_read_give_their_lines_and_nothing_else(tmp_path, capsys):
    files = [tmp_path / "a.yaml", tmp_path / "b.json"]
    for file in files:
        file.write_text("[1]\n")
    for tried in (files, files[:1]):
        assert main(["audit", *map(str, tried)]) == 2
        output = capsys.readouterr()
        assert output.out == ""
        assert output.err.count("\n") == len(tried)


def test_all_fixtures_are_audited_within_a_second():
    start = time.perf_counter()
    records = read_records(ALL)
    for record in records:
        audit_record(record)
    assert time.perf_counter() - start < 1


@pytest.mark.parametrize(
    ("fixture", "kind"), [("phsafe_us.json", "json"), ("library_loans.yaml", "yaml"), ("town_default.ini", "ini")]
)
def test_a_record_without_its_extension_is_known_by_its_content(tmp_path, fixture, kind):
    path = tmp_path / "published.txt"
    path.write_bytes((FIXTURES / fixture).read_bytes())
    assert record_kind(path) == kind
    assert audit_record(read_record(path)).answers


def test_a_claim_file_is_no_record_whatever_its_extension(tmp_path):
    for name in ("a.toml", "claim.txt", "missing.txt"):
        path = tmp_path / name
        if not name.startswith("missing"):
            path.write_text('id = "a"\nstatement = "{"\n')
        assert record_kind(path) is None


def test_a_noise_scale_gives_both_numbers_that_the_article_prints(tmp_path):
    # 1/(339/542)^2 = 2.5562..., and 17.9002 by the printed formula (article, Table 3: 2.56 and 17.90)
    path = tmp_path / "persons.ini"
    path.write_text(
        "[reader]\nprivacy_table = Person\n[schema]\nschema = PL94_2020_SCHEMA\n[budget]\nglobal_scale = 339/542\n"
        "dp_mechanism = discrete_gaussian_mechanism\n"
    )
    record = audit_record(read_record(path))
    rho, epsilon = (detail for _, detail in findings(record, "numbers"))
    assert "PL person (article, Table 3)" in rho
    assert "printed 2.56, recomputed 2.56 (2.556225581)" in rho
    assert "printed 17.90, recomputed 17.90 (17.90018455)" in epsilon
