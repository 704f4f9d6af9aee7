import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from spec.arguments import InputError
from verify.records.record_audit import read_record

FIXTURES = Path(__file__).parent / "fixtures"


def written(tmp_path, name, content):
    path = tmp_path / name
    path.write_text(content if isinstance(content, str) else json.dumps(content), encoding="utf-8")
    return path


def test_safetab_p_splits_the_runs_and_adds_exactly():
    setting = read_record(FIXTURES / "safetab_p.json")
    assert [(run.name, run.total) for run in setting.runs] == [
        ("US", Fraction("4.944")),
        ("Puerto Rico", Fraction(5, 4)),
    ]
    assert setting.runs[0].published.product == "DDHC-A"
    assert setting.runs[1].published is None
    assert any("not read: color" in words for words in setting.unread)


def test_safetab_h_knows_its_tables():
    setting = read_record(FIXTURES / "safetab_h.json")
    assert setting.runs[0].total == Fraction("8.895")
    assert setting.runs[0].published.product == "DDHC-B"


def test_phsafe_that_spends_nothing_on_the_nation_has_no_published_total():
    us, island = (read_record(FIXTURES / f"phsafe_{name}.json") for name in ("us", "island"))
    assert (us.runs[0].name, island.runs[0].name) == ("US", "Puerto Rico")
    assert (us.runs[0].total, us.runs[0].published.product) == (Fraction("1.2575"), "S-DHC")
    assert (island.runs[0].total, island.runs[0].published) == (Fraction(5, 8), None)


def test_topdown_scale_gives_rho_squared():
    setting = read_record(FIXTURES / "town_default.ini")
    assert setting.runs[0].total == 4  # 1/(1/2)^2
    assert setting.stated["multiverse"] == "invariants by level: Town: tot"


def test_topdown_shares_go_from_the_top_down():
    setting = read_record(FIXTURES / "town_person.ini")
    assert setting.shares == {"Town": Fraction(1, 3), "District": Fraction(2, 3)}
    assert setting.runs == ()
    assert any("INCLUDE default.ini is not followed" in words for words in setting.unread)


def test_a_pure_setting_has_no_published_zcdp_total(tmp_path):
    content = {"privacy_budget": {"PH2": {"usa_*": 1}}, "privacy_defn": "puredp"}
    setting = read_record(written(tmp_path, "s.json", content))
    assert (setting.letter, setting.runs[0].published) == ("epsilon", None)


def test_an_unknown_noise_mechanism_leaves_the_scale_unread(tmp_path):
    setting = read_record(written(tmp_path, "s.ini", "[budget]\nglobal_scale = 1/2\ndp_mechanism = geometric\n"))
    assert setting.runs == ()
    assert "not read: dp_mechanism = geometric" in setting.unread[0]


SAFETAB = {"privacy_budget_p_level_1_usa": 1, "privacy_defn": "zcdp"}
PHSAFE = {"privacy_budget": {"PH2": {"usa_*": 1}}, "privacy_defn": "zcdp"}


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({**SAFETAB, "privacy_defn": "renyi"}, "privacy_defn must be one of ['puredp', 'zcdp']; got 'renyi'"),
        ({"privacy_budget_p_level_1_usa": 1}, "privacy_defn must be one of"),
        ({**SAFETAB, "privacy_budget_p_level_1_usa": -1}, "privacy_budget_p_level_1_usa must be non-negative; got -1"),
        ({**SAFETAB, "privacy_budget_p_level_1_usa": "1"}, "privacy_budget_p_level_1_usa must be a number; got '1'"),
        ({**SAFETAB, "privacy_budget_p_level_1_moon": 1}, "privacy_budget_p_level_1_moon: unknown geography 'moon'"),
        ({**SAFETAB, "privacy_budget_p_extra": 1}, "privacy_budget_p_extra: unknown key"),
        ({**SAFETAB, "privacy_budget_": 1}, "privacy_budget_: unknown key"),
        ({**SAFETAB, "privacy_budget_h_t3_level_1_usa": 1}, "must be of SafeTab-P or of SafeTab-H, not of both"),
        ({**SAFETAB, "privacy_budget_p_stage_1_fraction": 2}, "stage_1_fraction must be between 0 and 1; got 2"),
        ({**SAFETAB, "run_us": "yes"}, "run_us must be true or false; got 'yes'"),
        ({**SAFETAB, "run_us": False}, "run_us: must be true where there are budgets to run"),
        (
            {"privacy_budget_h_t9_level_1_usa": 1, "privacy_defn": "zcdp"},
            "privacy_budget_h_t9_level_1_usa: unknown table 't9'; known: t3, t4",
        ),
        ({**PHSAFE, "privacy_budget": {"PH9": {"usa_*": 1}}}, "privacy_budget.PH9: unknown table; did you mean"),
        ({**PHSAFE, "privacy_budget": {"PH2": {"usa": 1}}}, "privacy_budget.PH2.usa: unknown population-group level"),
        ({**PHSAFE, "privacy_budget": {"PH2": 1}}, "privacy_budget.PH2 must be a table of budgets"),
        ({**PHSAFE, "privacy_budget": {}}, "privacy_budget must have budgets; it has none"),
        ({**PHSAFE, "tau": {"PH9": 1}}, "tau.PH9: unknown table"),
        ({**PHSAFE, "tau": {"PH2": 1.5}}, "tau.PH2 must be an integer; got '1.5'"),
        ({**PHSAFE, "tau": 3}, "tau must be a table of thresholds"),
        ({**PHSAFE, "privacy_defn": 1}, "privacy_defn must be one of"),
        ({"colors": 1, "shapes": 2}, "privacy_budget: missing key"),
        ({}, "the keys found are none"),
        ("[1]", "must be a setting, a JSON object; got list"),
    ],
)
def test_an_unknown_or_malformed_json_setting_is_refused_with_file_and_key(tmp_path, content, words):
    path = written(tmp_path, "s.json", content)
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        read_record(path)
    assert str(caught.value).startswith(str(path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[a]\nb = c", "[budget] global_scale or geolevel_budget_prop: missing key"),
        (
            "[budget]\ngeolevel_budget_prop = 1/2, 1/3",
            "[budget] geolevel_budget_prop must have fractions that sum to 1; they sum to 5/6",
        ),
        (
            "[geodict]\ngeolevel_names = A,B,C\n[budget]\ngeolevel_budget_prop = 1/2, 1/2",
            "[budget] geolevel_budget_prop must have one fraction for each of the 3 levels; got 2",
        ),
        ("[budget]\ngeolevel_budget_prop = 3/2, -1/2", "[budget] geolevel_budget_prop must be positive; got -1/2"),
        ("[budget]\ngeolevel_budget_prop = half, half", "[budget] geolevel_budget_prop must be an exact number"),
        ("[budget]\nglobal_scale = 0", "[budget] global_scale must be positive; got 0"),
        ("[budget]\nglobal_scale = $SCALE", "[budget] global_scale must be an exact number"),
    ],
)
def test_a_malformed_topdown_setting_is_refused_with_file_and_key(tmp_path, text, words):
    with pytest.raises(InputError, match=re.escape(words)):
        read_record(written(tmp_path, "s.ini", text))


@pytest.mark.parametrize("levels", [{"state_*": 1}, {"state_*": 1, "usa_*": 0}])
def test_a_run_without_the_nation_is_compared_with_no_published_total(tmp_path, levels):
    phsafe = {"privacy_budget": {"PH2": levels}, "privacy_defn": "zcdp"}
    assert read_record(written(tmp_path, "a.json", phsafe)).runs[0].published is None
    safetab = {f"privacy_budget_p_level_1_{key.removesuffix('_*')}": value for key, value in levels.items()}
    assert read_record(written(tmp_path, "b.json", {**safetab, "privacy_defn": "zcdp"})).runs[0].published is None
