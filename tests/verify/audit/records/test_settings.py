import json
import re
from fractions import Fraction
from pathlib import Path

import pytest

from stirred.mechanisms.das.topdown.strategies import DHC_STRATEGIES
from stirred.mechanisms.fast.phsafe_settings import LEVELS
from stirred.spec.arguments import InputError
from stirred.verify.audit.records.record_audit import audit_record, read_record
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.verdict import Verdict

FIXTURES = Path(__file__).parent / "fixtures"
SAFETAB = {"privacy_budget_p_level_1_usa": 1, "privacy_defn": "zcdp"}
STAGE_1 = "privacy_budget_p_stage_1_fraction"
PHSAFE = {"privacy_budget": {"PH2": {"usa_*": 1}}, "privacy_defn": "zcdp"}


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


def test_topdown_numbers_say_for_which_neighbours_they_hold():
    setting = read_record(FIXTURES / "town_default.ini")
    assert setting.runs[0].name == "persons, for one replaced record"
    for answer in audit_record(setting).answers:
        if answer.question == "numbers":
            assert "(sqrt 2)^2/(2 s^2) for one replaced record, half of it for one added" in answer.evidence.scope


@pytest.mark.parametrize("where", ["[budget]", "[DEFAULT]"])
def test_a_scale_without_a_mechanism_is_no_budget(tmp_path, where):
    text = f"[budget]\ngeolevel_budget_prop = 1/2, 1/2\n{where}\nglobal_scale = 3\n"
    setting = read_record(written(tmp_path, "s.ini", text))
    assert setting.runs == ()
    assert setting.unread[0].startswith(f"{where} global_scale = 3 gives no budget: dp_mechanism")
    assert not any("no global_scale" in words for words in setting.unread)


def test_a_scale_and_its_mechanism_may_stand_under_default(tmp_path):
    text = "[DEFAULT]\nglobal_scale = 1/2\ndp_mechanism = discrete_gaussian_mechanism\n[budget]\n"
    assert read_record(written(tmp_path, "s.ini", text)).runs[0].total == 4


def test_every_key_that_is_not_read_is_listed(tmp_path):
    text = (
        "[budget]\nglobal_scale = 1\ndp_mechanism = discrete_gaussian_mechanism\nepsilon = 4\nunit = household\n"
        "[reader]\nprivacy_table = Unit\nUnit.histogram = size\nUnit.path = p\nprivacy_unit = x\n[gurobi]\na = 1\n"
    )
    setting = read_record(written(tmp_path, "s.ini", text))
    assert setting.unread == (
        "not read: [budget] epsilon = 4",
        "not read: [budget] unit = household",
        "not read: keys of other sections ([reader] 2, [gurobi] 1)",
    )


DHC = """
[budget]
dp_mechanism = {mechanism}
geolevel_budget_prop = 1/2,1/2
global_scale = 254/485
privacy_framework = zcdp
strategy = {strategy}
[geodict]
geolevel_names = {levels}
"""


def dhc_setting(tmp_path, **changed):
    names = {"mechanism": "discrete_gaussian_mechanism", "strategy": "", "levels": ""} | changed
    return read_record(written(tmp_path, "dhc.ini", DHC.format(**names)))


@pytest.mark.parametrize("strategy", DHC_STRATEGIES)
def test_where_levels_are_left_empty_the_budgets_are_those_of_the_published_strategy(tmp_path, strategy):
    """Table 3 prints 4.96 and 7.70 for the DHC; the scale in the file gives 3.65."""
    (run,) = dhc_setting(tmp_path, strategy=strategy).runs
    is_of_persons = DHC_STRATEGIES[strategy].record == "person"
    assert run.total == (Fraction("4.9622") if is_of_persons else Fraction("7.7005"))
    assert run.published.product == ("DHC person" if is_of_persons else "DHC household")
    assert run.published.rho_squared.text == ("4.96" if is_of_persons else "7.70")
    assert list(run.budgets)[-3:] == ["Tract_Subset", "Block_Group", "Block"]
    assert len(run.budgets) == 7 + ("US" in run.budgets) == (7 if "_pr_" in strategy else 8)


def test_strategies_have_a_budget_only_for_the_noise_and_the_levels_that_they_are_of(tmp_path):
    strategy = next(iter(DHC_STRATEGIES))
    assert dhc_setting(tmp_path, strategy="another").runs == ()
    assert dhc_setting(tmp_path, strategy=strategy, mechanism="geometric").runs == ()
    assert dhc_setting(tmp_path, strategy=strategy, levels="Block,US").runs[0].total == Fraction(485, 254) ** 2


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


STATES = [f"{code:02}" for code in range(1, 57) if code not in (3, 7, 14, 43, 52)]


@pytest.mark.parametrize(
    ("states", "words"),
    [
        (["72"], "state_filter names Puerto Rico only, yet budget is spent on the nation: PH2.usa_*"),
        (STATES[1:], "state_filter leaves out 1 of 51 states (01), yet budget is spent on the nation: PH2.usa_*"),
        ([], "state_filter leaves out 51 of 51 states"),
        ([*STATES, "72"], "state_filter names Puerto Rico beside the states, yet budget is spent on the nation"),
    ],
)
def test_a_national_budget_beside_a_filter_of_some_states_is_a_contradiction(tmp_path, states, words):
    setting = read_record(written(tmp_path, "s.json", {**PHSAFE, "state_filter": states}))
    assert setting.runs[0].name != "US"
    assert setting.runs[0].published is None
    (found,) = (answer.evidence for answer in audit_record(setting).answers if answer.question == "consistent")
    assert (found.verdict, found.detail[: len(words)]) == (Verdict.OPEN, words)


def test_a_filter_of_all_states_is_the_run_for_the_us(tmp_path):
    setting = read_record(written(tmp_path, "s.json", {**PHSAFE, "state_filter": STATES}))
    assert (setting.runs[0].name, setting.contradictions) == ("US", ())


def test_phsafe_says_which_tables_and_levels_are_not_set(tmp_path):
    tables = {table: dict.fromkeys(levels, 1) for table, levels in LEVELS.items()}
    whole = read_record(written(tmp_path, "a.json", {"privacy_budget": tables, "privacy_defn": "zcdp"}))
    assert (len(whole.runs[0].budgets), whole.missing) == (46, ())  # PHSafe, Table 10 has 46 rows
    del tables["PH3"], tables["PH1_num"]["state_*"]
    tables["PH2"]["county_*"] = 1
    part = read_record(written(tmp_path, "b.json", {"privacy_budget": tables, "privacy_defn": "zcdp"}))
    assert part.missing == ("table PH3", "PH1_num.state_*")
    assert "not in PHSafe, Table 10: PH2.county_*" in part.unread
    read, *_, numbers = (a.evidence.detail for a in audit_record(part).answers if a.question in ("read", "numbers"))
    assert "not set: table PH3, PH1_num.state_*" in read
    assert "the file does not set table PH3, PH1_num.state_*" in numbers


@pytest.mark.parametrize(("letter", "tables"), [("p", ("",)), ("h", ("t3_", "t4_"))])
def test_safetab_says_which_levels_are_not_set(tmp_path, letter, tables):
    us, island = (
        ("usa", "state", "county", "tract", "place", "aiannh"),
        ("pr_state", "pr_county", "pr_tract", "pr_place"),
    )
    keys = [f"privacy_budget_{letter}_{t}level_{n}_{g}" for t in tables for g in (*us, *island) for n in (1, 2)]
    content = {**dict.fromkeys(keys, 1), "privacy_defn": "zcdp"}
    assert read_record(written(tmp_path, "a.json", content)).missing == ()
    without = {key: value for key, value in content.items() if key != keys[0]}
    assert read_record(written(tmp_path, "b.json", without)).missing == (keys[0],)
    national = {key: value for key, value in content.items() if "_pr_" not in key}
    assert read_record(written(tmp_path, "c.json", national)).missing == ("all budgets of the run Puerto Rico",)
    assert read_record(written(tmp_path, "d.json", {**national, "run_pr": False})).missing == ()
    more = {**content, keys[0].replace("level_1", "level_3"): 1}
    assert any(
        "not in the published settings" in words for words in read_record(written(tmp_path, "e.json", more)).unread
    )


def test_budgets_of_a_run_that_is_off_are_named(tmp_path):
    content = {**SAFETAB, "privacy_budget_p_level_1_pr_state": 1, "run_pr": False}
    setting = read_record(written(tmp_path, "s.json", content))
    assert [run.name for run in setting.runs] == ["US"]
    assert "run_pr is false: 1 budgets of Puerto Rico belong to no run" in setting.unread


def test_a_fraction_of_hundreds_of_digits_is_shown_rounded(tmp_path):
    content = {**PHSAFE, "privacy_budget": {"PH2": {"usa_*": 0.001, "state_*": "TINY"}}}
    path = written(tmp_path, "s.json", json.dumps(content).replace('"TINY"', "1E-400"))
    for answer in audit_record(read_record(path)).answers:
        assert "0" * 100 not in answer.evidence.detail + answer.evidence.scope


def test_the_delta_of_a_conversion_is_said_to_be_chosen():
    answers = audit_record(read_record(FIXTURES / "town_default.ini")).answers
    (conversion,) = (answer.evidence.detail for answer in answers if answer.question == "conversion")
    assert "at delta = 10^-10 (chosen here: the parameters do not state one)" in conversion


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ({**SAFETAB, "privacy_defn": "renyi"}, "privacy_defn must be 'zcdp' or 'puredp'; got 'renyi'"),
        ({"privacy_budget_p_level_1_usa": 1}, "privacy_defn: missing key; it must be 'zcdp' or 'puredp'"),
        ({**SAFETAB, "privacy_defn": None}, "privacy_defn must be 'zcdp' or 'puredp'; got null"),
        ({**SAFETAB, "privacy_budget_p_level_1_usa": None}, "privacy_budget_p_level_1_usa must be a number; got null"),
        ({**SAFETAB, "privacy_budget_p_level_1_usa": -1}, "privacy_budget_p_level_1_usa must be non-negative; got -1"),
        ({**SAFETAB, "privacy_budget_p_level_1_usa": "1"}, "privacy_budget_p_level_1_usa must be a number; got '1'"),
        ({**SAFETAB, "privacy_budget_p_level_1_moon": 1}, "privacy_budget_p_level_1_moon: unknown geography 'moon'"),
        ({**SAFETAB, "privacy_budget_p_extra": 1}, "privacy_budget_p_extra: unknown key"),
        ({**SAFETAB, "privacy_budget_": 1}, "privacy_budget_: unknown key"),
        ({**SAFETAB, "privacy_budget_h_t3_level_1_usa": 1}, "must be of SafeTab-P or of SafeTab-H, not of both"),
        ({**SAFETAB, "privacy_budget_p_stage_1_fraction": "1"}, "stage_1_fraction must be a number; got '1'"),
        ({**SAFETAB, "run_us": "yes"}, "run_us must be true or false; got 'yes'"),
        ({**SAFETAB, "run_us": False}, "set run_us or run_pr to true: budgets are given but nothing runs"),
        (
            {"privacy_budget_h_t9_level_1_usa": 1, "privacy_defn": "zcdp"},
            "privacy_budget_h_t9_level_1_usa: unknown table 't9'; known: t3, t4",
        ),
        ({**PHSAFE, "privacy_budget": {"PH9": {"usa_*": 1}}}, "privacy_budget.PH9: unknown table; did you mean"),
        ({**PHSAFE, "privacy_budget": {"PH2": {"usa": 1}}}, "privacy_budget.PH2.usa: unknown population-group level"),
        ({**PHSAFE, "privacy_budget": {"PH2": 1}}, "privacy_budget.PH2 must be a table of budgets"),
        ({**PHSAFE, "privacy_budget": {}}, "privacy_budget must have budgets; it has none"),
        ({**PHSAFE, "tau": {"PH9": 1}}, "tau.PH9: unknown table"),
        ({**PHSAFE, "tau": {"PH2": 1.5}}, "tau.PH2 must be an integer; got 1.5"),
        ({**PHSAFE, "tau": 3}, "tau must be a table of thresholds"),
        ({**PHSAFE, "privacy_defn": 1}, "privacy_defn must be 'zcdp' or 'puredp'; got 1"),
        ({"privacy_budget": {"PH2": {"usa_*": 1}}}, "privacy_defn: missing key"),
        ({**PHSAFE, "privacy_budget": 0.5}, "privacy_budget must be a table of tables; got 0.5"),
        ({**PHSAFE, "privacy_budget": None}, "privacy_budget must be a table of tables; got null"),
        ({**PHSAFE, "privacy_budget": {"PH2": {}}}, "privacy_budget.PH2 must have budgets; it has none"),
        ({**PHSAFE, "state_filter": "72"}, "state_filter must be an array of FIPS codes; got '72'"),
        (
            {**PHSAFE, "state_filter": ["72", "99"]},
            "state_filter[1] must be the FIPS code of a state or of Puerto Rico",
        ),
        ({**PHSAFE, "state_filter": [72]}, "such as '01' or '72'; got 72"),
        ({**PHSAFE, **SAFETAB}, "privacy_budget: must not stand beside privacy_budget_p_* or privacy_budget_h_*"),
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
        ("[budget]\ngeolevel_budget_prop = half, half", "[budget] geolevel_budget_prop must be an exact number"),
        ("[budget]\nglobal_scale = 0", "[budget] global_scale must be positive; got 0"),
        ("[budget]\nglobal_scale = $SCALE", "[budget] global_scale must be an exact number"),
        ("[budget]\n[DEFAULT]\nglobal_scale = 0", "[DEFAULT] global_scale must be positive; got 0"),
        ("[DEFAULT]\nglobal_scale = 1", "[DEFAULT] global_scale: is read in [budget], which this file has not"),
    ],
)
def test_a_malformed_topdown_setting_is_refused_with_file_and_key(tmp_path, text, words):
    with pytest.raises(InputError, match=re.escape(words)):
        read_record(written(tmp_path, "s.ini", text))


@pytest.mark.parametrize("scale", ["", "\nglobal_scale = 1/2\ndp_mechanism = discrete_gaussian_mechanism"])
@pytest.mark.parametrize(("shares", "total"), [("1/2, 1/3", "5/6"), ("2/3, 1/2", "7/6"), ("1/2, 0.51", "101/100")])
def test_shares_of_one_total_that_do_not_sum_to_one_are_refuted_with_a_witness(tmp_path, shares, total, scale):
    path = written(tmp_path, "s.ini", f"[budget]\ngeolevel_budget_prop = {shares}{scale}")
    record = audit_record(read_record(path))
    assert record.verdict is Verdict.REFUTED
    (found,) = [answer.evidence for answer in record.answers if answer.evidence.verdict is Verdict.REFUTED]
    assert f"the 2 shares of one total sum to {total} instead of 1" in found.detail
    assert "== 1" in replay(found.witness)


GEODICT = "[geodict]\ngeolevel_names = Block,Tract,US\n"


@pytest.mark.parametrize("scale", ["", "\nglobal_scale = 1/2\ndp_mechanism = discrete_gaussian_mechanism"])
@pytest.mark.parametrize(
    ("text", "words"),
    [
        (GEODICT + "[budget]\ngeolevel_budget_prop = 1/2, 1/2", ["2 shares for 3 levels: level 1 1/2, level 2 1/2"]),
        ("[budget]\ngeolevel_budget_prop = 3/2, -1/2", ["the share of level 2 is negative: level 1 3/2, level 2 -1/2"]),
        (
            GEODICT + "[budget]\ngeolevel_budget_prop = 1/2, -1/4, 0",
            ["the share of Tract is negative", "the 3 shares of one total sum to 1/4 instead of 1"],
        ),
    ],
)
def test_shares_that_cannot_be_those_of_one_total_are_refuted_with_a_witness(tmp_path, text, words, scale):
    record = audit_record(read_record(written(tmp_path, "s.ini", text + scale)))
    found = [answer.evidence for answer in record.answers if answer.evidence.verdict is Verdict.REFUTED]
    assert [one.detail.startswith(start) for one, start in zip(found, words, strict=True)] == [True] * len(words)
    assert all("false" in replay(one.witness) for one in found)


@pytest.mark.parametrize(
    ("fraction", "words", "claimed"),
    [
        ("2", "of one total 2 is spent before stage 2, which has the rest: stage 1 2", "2 <= 1"),
        ("1.0001", "of one total 10001/10000 is spent before stage 2", "10001/10000 <= 1"),
        ("-0.1", "the share of stage 1 is negative: stage 1 -1/10", "share >= 0"),
    ],
)
def test_a_fraction_of_stage_1_that_leaves_no_stage_2_is_refuted_with_a_witness(tmp_path, fraction, words, claimed):
    text = f'{{"privacy_budget_p_level_1_state": 1, "{STAGE_1}": {fraction}, "privacy_defn": "zcdp"}}'
    record = audit_record(read_record(written(tmp_path, "s.json", text)))
    assert record.verdict is Verdict.REFUTED
    (found,) = [answer.evidence for answer in record.answers if answer.evidence.verdict is Verdict.REFUTED]
    assert found.detail.startswith(words)
    assert found.witness["claimed"] == claimed
    assert "false" in replay(found.witness)


@pytest.mark.parametrize(("fraction", "left"), [(0, "1"), (0.1, "9/10"), (1, "0")])
def test_what_stage_1_leaves_is_said(tmp_path, fraction, left):
    content = {**SAFETAB, STAGE_1: fraction}
    answers = audit_record(read_record(written(tmp_path, "s.json", content))).answers
    assert any(one.evidence.detail.endswith(f", which leaves {left} for stage 2") for one in answers)


def test_a_level_without_a_share_is_no_contradiction(tmp_path):
    text = GEODICT + "[budget]\ngeolevel_budget_prop = 1/2, 0, 1/2"
    answers = audit_record(read_record(written(tmp_path, "s.ini", text))).answers
    assert any("the 3 shares sum to exactly 1: US 1/2, Tract 0, Block 1/2" in one.evidence.detail for one in answers)


@pytest.mark.parametrize("levels", [{"state_*": 1}, {"state_*": 1, "usa_*": 0}])
def test_a_run_without_the_nation_is_compared_with_no_published_total(tmp_path, levels):
    phsafe = {"privacy_budget": {"PH2": levels}, "privacy_defn": "zcdp"}
    assert read_record(written(tmp_path, "a.json", phsafe)).runs[0].published is None
    safetab = {f"privacy_budget_p_level_1_{key.removesuffix('_*')}": value for key, value in levels.items()}
    assert read_record(written(tmp_path, "b.json", {**safetab, "privacy_defn": "zcdp"})).runs[0].published is None


@pytest.mark.parametrize(
    ("name", "old", "new", "meant"),
    [
        ("phsafe_us.json", '"tau"', '"state_filtr": [], "tau"', "state_filter"),
        ("phsafe_us.json", '"privacy_defn"', '"privacy_defns"', "privacy_defn"),
        ("phsafe_us.json", '"tau"', '"taus"', "tau"),
        ("phsafe_us.json", '"usa_*"', '"us_*"', "usa_*"),
        ("safetab_p.json", '"run_us"', '"run_uss"', "run_us"),
        (
            "safetab_p.json",
            '"privacy_budget_p_level_1_usa"',
            '"privacybudget_p_level_1_usa"',
            "privacy_budget_p_level_1_usa",
        ),
        ("safetab_h.json", '"privacy_defn"', '"Privacy_Defn"', "privacy_defn"),
    ],
)
def test_a_misspelt_key_of_a_published_setting_is_refused(tmp_path, name, old, new, meant):
    text = (FIXTURES / name).read_text()
    assert old in text
    with pytest.raises(InputError, match=re.escape(f"did you mean {meant!r}?")):
        read_record(written(tmp_path, name, text.replace(old, new, 1)))
