"""What the audit of a registry record says of totals, parts, δ, units and words: each case with its smallest record."""

import time

import pytest

from verify.evidence.verdict import Verdict
from verify.records.record_audit import audit_record, read_record

RECORD = """
url_slug: a
deployment:
  basic: {{name: {title}}}
  dp_variant: {{variant_name: {variant}}}
  privacy_loss:
    privacy_unit: {unit}
    privacy_unit_details: "{unit_details}"
    privacy_parameters: {{{parameters}}}
    privacy_parameters_details: |
      {details}
  accounting:
    composition: |
      {composition}
"""
DEFAULTS = {
    "title": "A",
    "variant": "Zero-concentrated DP",
    "unit": "x",
    "unit_details": "x",
    "details": "none",
    "composition": "none",
}


@pytest.fixture
def found(tmp_path):
    """The findings of a question about a record that differs from the default in some texts."""

    def audited(question, **texts):
        path = tmp_path / "r.yaml"
        path.write_text(RECORD.format(**{**DEFAULTS, "parameters": "rho: 1.00", **texts}), encoding="utf-8")
        record = audit_record(read_record(path))
        return [(a.evidence.verdict, a.evidence.detail) for a in record.answers if a.question == question]

    return audited


def verdicts(findings):
    return [verdict for verdict, _ in findings]


def split(head, *parts):
    return f"- {head}:\n" + "\n".join(f"        - {part}" for part in parts)


# the whole beside the stated budget


@pytest.mark.parametrize(
    "details",
    [
        "Total: ρ = 1.20",
        "Total budget: ρ = 1.20",
        "- Overall: ρ = 1.20",
        "The total privacy-loss budget is ρ = 1.20.",
        "A total of ρ = 1.20",
        "The global budget of ρ = 1.20 (corresponding to ε = 11 and δ = 1e-10) holds.",
        "ρ = 1.20 overall",
        "The total budget for A is ρ = 1.20",
    ],
)
def test_a_total_that_contradicts_the_stated_budget_is_refuted(found, details):
    findings = [finding for finding in found("numbers", details=details) if "whole budget" in finding[1]]
    assert verdicts(findings) == [Verdict.REFUTED]
    assert "1.20 in privacy_loss.privacy_parameters_details; 1.00 in privacy_parameters" in findings[0][1]


@pytest.mark.parametrize(
    "details",
    [
        "The total budget is about ρ = 1.20",
        "The total budget could be ρ = 1.20",
        "The total budget for persons is ρ = 1.20",
        "Total (persons): ρ = 1.20 in table 1",
        "The total budget is ρ = 1.20 for persons",
        "The total budget is ρ = 1.20 in table 1 and 3 in table 2",
        "The total budget is ρ = 1.20 for persons plus ρ = 3 for households",
        "The total budget of each table is ρ = 1.20",
        "Half the total budget is ρ = 1.20",
        "Persons: ρ = 1.20 in total",
        "The total budget is ρ = 1,005",
    ],
)
def test_a_number_that_may_be_of_something_else_contradicts_nothing(found, details):
    parameters = "rho: 1.005" if "1,005" in details else "rho: 1.00"
    assert Verdict.REFUTED not in verdicts(found("numbers", details=details, parameters=parameters))


@pytest.mark.parametrize(
    "details",
    ["The total population is invariant. We use ρ = 1.20.", "This is not the total budget ρ = 1.20", "Total ρ = 1,20"],
)
def test_words_for_a_whole_elsewhere_name_no_budget(found, details):
    assert found("numbers", details=details) == []


def test_a_total_for_a_unit_of_time_is_not_taken_for_the_stated_budget(found):
    assert verdicts(found("numbers", details="The total is ρ = 14.", unit="User-week-level")) == [Verdict.OPEN]


def test_an_epsilon_at_another_delta_contradicts_nothing(found):
    for delta, verdict in (("1e-5", Verdict.REFUTED), ("1e-9", Verdict.OPEN)):
        details = f"The total budget is ε = 3 at δ = {delta}"
        parameters = "epsilon: 1, delta: 1e-5"
        assert verdicts(found("numbers", details=details, parameters=parameters)) == [verdict]


@pytest.mark.parametrize(
    ("printed", "stated", "verdict"),
    [
        ("2.63", "2.63", Verdict.EXHAUSTED),
        ("2.630", "2.63", Verdict.EXHAUSTED),
        ("2.6", "2.63", Verdict.OPEN),  # 2.55 to 2.65 meets 2.625 to 2.635
        ("3", "2.63", Verdict.OPEN),  # 2.5 to 3.5
        ("2.5", "2.63", Verdict.REFUTED),
        ("3", "2", Verdict.REFUTED),  # whole numbers among whole numbers are exact
    ],
)
def test_two_printed_numbers_contradict_each_other_only_beyond_their_rounding(found, printed, stated, verdict):
    findings = found("numbers", details=f"Total: ρ = {printed}", parameters=f"rho: {stated}")
    assert verdicts(findings) == [verdict]
    assert "recomputed" not in findings[0][1]


def test_a_published_total_is_one_of_two_printed_numbers(found):
    title = "Disclosure Avoidance System for Redistricting Data"
    for rho, verdict in (("2.63", Verdict.EXHAUSTED), ("2.6", Verdict.OPEN), ("9.99", Verdict.REFUTED)):
        ((got, detail),) = found("numbers", title=title, parameters=f"rho: {rho}")
        assert got is verdict
        assert f"rho^2 of PL: 2.63 in article, Theorem 2; {rho} in the record" in detail
        assert "recomputed" not in detail


def test_many_totals_are_compared_up_to_a_limit(found):
    findings = found("numbers", details="- Total: ρ = 1.00\n      " * 60)
    assert verdicts(findings) == [Verdict.EXHAUSTED] * 50 + [Verdict.OPEN]


# the parts beside the whole


@pytest.mark.parametrize(
    ("details", "verdict"),
    [
        (split("The budget ρ = 1.00 is split", "A: ρ = 0.4", "B: ρ = 0.6"), Verdict.EXHAUSTED),
        (split("The budget ρ = 1.00 is split", "A: ρ = 0.33", "B: ρ = 0.33", "C: ρ = 0.33"), Verdict.OPEN),
        (split("The budget ρ = 1.00 is split", "A: ρ = 0.33", "B: ρ = 0.33"), Verdict.REFUTED),
        (split("The budget ρ = 1.00 is split, including", "A: ρ = 0.4", "B: ρ = 0.3"), Verdict.OPEN),
        (split("The budget ρ = 1.00 is split (e.g. by table)", "A: ρ = 0.4", "B: ρ = 0.3"), Verdict.OPEN),
        (split("The budget ρ = 1.00 is split", "A: ρ = 0.4", "B: ρ = 0.3", "C, the rest"), Verdict.OPEN),
        (split("The budget ρ = 1.00 is split", "A: ρ = 0.4", "B: about ρ = 0.3"), Verdict.OPEN),
        (split("The budget ρ = 1.00 is not split", "A: ρ = 1.00", "B: ρ = 1.00"), Verdict.OPEN),
        (split("The budget ρ = 1.00 can't be split", "A: ρ = 1.00", "B: ρ = 1.00"), Verdict.OPEN),
        (split("The budget ρ = 9 is split", "A: ρ = 5", "B: ρ = 3"), Verdict.REFUTED),
        (split("We split the total budget of ρ = 9", "A: ρ = 5", "B: ρ = 3"), Verdict.REFUTED),
        (split("The budget was ρ = 9, which was then split between", "A: ρ = 5", "B: ρ = 3"), Verdict.REFUTED),
        (
            split("It is ρ = 9 with δ = 1e-6 (corresponding to ε = 2), split into", "A: ρ = 5", "B: ρ = 3"),
            Verdict.REFUTED,
        ),
        (split("The data are split in two at random, with ρ = 9", "A: ρ = 5", "B: ρ = 3"), Verdict.OPEN),
        (split("The budget ρ = 9 is split, for each region", "A: ρ = 5", "B: ρ = 3"), Verdict.OPEN),
        (split("The budget ρ = 9 is split by region", "A: ρ = 9", "B: ρ = 9"), Verdict.OPEN),
        (split("The budget ρ = 3.500 is split", "A: ρ = 2,500", "B: ρ = 1,000"), Verdict.OPEN),
    ],
)
def test_parts_must_add_up_only_where_the_record_lists_them_all(found, details, verdict):
    findings = [finding for finding in found("numbers", details=details) if "sum of its parts" in finding[1]]
    assert verdicts(findings) == [verdict]


def test_parts_of_parts_are_not_added_again(found):
    part = "A: ρ = 0.6\n          - A1: ρ = 0.3\n          - A2: ρ = 0.3"
    details = split("The budget ρ = 1.00 is split", part, "B: ρ = 0.4")
    ((verdict, detail),) = [f for f in found("numbers", details=details) if "sum" in f[1]]
    assert verdict is Verdict.EXHAUSTED
    assert "(A 0.6, B 0.4)" in detail


@pytest.mark.parametrize(
    ("unit", "unit_details", "verdict"),
    [
        ("Person-level", "person-level records", Verdict.EXHAUSTED),
        ("Person-level; housing-unit-level", "person-level for A and housing-unit-level for B", Verdict.OPEN),
        ("Household-level; person-level", "x", Verdict.OPEN),
        ("Person-level", "household-level for B", Verdict.OPEN),
        ("Person-level", "unlike household-level budgets, for all", Verdict.EXHAUSTED),
    ],
)
def test_parts_of_different_units_are_not_added_to_a_verdict(found, unit, unit_details, verdict):
    texts = {"unit": unit, "unit_details": unit_details, "details": "- A: ρ = 0.4\n      - B: ρ = 0.6"}
    assert verdicts(found("numbers", **texts)) == [verdict]
    named = [detail for _, detail in found("consistent", **texts) if "names of units" in detail]
    assert len(named) == (verdict is Verdict.OPEN)


def test_many_parts_are_not_added(found):
    details = "\n      ".join(f"- P{index}: ρ = 0.01" for index in range(100))
    ((verdict, detail),) = found("numbers", details=details)
    assert verdict is Verdict.OPEN
    assert "100 labelled numbers of ρ are not added up" in detail


# δ


def test_a_delta_in_any_form_of_a_power_of_ten_is_a_number(found):
    for delta in ("1e-10", "10^-10", "10^{-10}", "1 × 10^{-10}", "'$10^{-10}$'"):
        parameters = f"rho: 1, epsilon: '10.60', delta: {delta!r}".replace("\"'", "'").replace("'\"", "'")
        assert verdicts(found("numbers", parameters=parameters)) == [Verdict.ENCLOSED]
        ((_, read),) = found("read", parameters=parameters)
        assert "not read" not in read


def test_the_conversion_is_at_the_one_delta_that_any_text_states(found):
    for composition, at in (
        ("ε = 11 at δ = 1e-7", "at delta = 1e-7:"),
        ("δ = 1e-7 and later δ = 1e-8", "at delta = 10^-10 (chosen here: "),
        ("δ = 1e-7 and later δ = 1/n", "at delta = 10^-10 (chosen here: "),
        ("none", "at delta = 10^-10 (chosen here: "),
    ):
        ((_, detail),) = found("conversion", composition=composition)
        assert at in detail
    ((_, detail),) = found("conversion", composition="δ = 1e-7", parameters="rho: 1, delta: 1e-5")
    assert "at delta = 1e-5:" in detail


def test_different_deltas_in_parameters_and_details_are_shown(found):
    ((verdict, detail),) = found("consistent", details="δ = 1e-9", parameters="rho: 1, delta: 1e-5")
    assert verdict is Verdict.OPEN
    assert "1e-5 (privacy_parameters), 1e-9 (privacy_loss.privacy_parameters_details)" in detail
    assert found("consistent", details="δ = 10^-5", parameters="rho: 1, delta: 1e-5") == []


def test_pure_dp_with_a_delta_in_the_details_is_open(found):
    texts = {"variant": "Pure DP", "parameters": "epsilon: 1"}
    ((verdict, detail),) = found("consistent", details="ε = 1 with δ = 1e-6", **texts)
    assert verdict is Verdict.OPEN
    assert "pure DP is (epsilon, 0)-DP" in detail
    assert found("consistent", details="ε = 1 with δ = 0", **texts) == []


def test_a_parameter_that_is_no_number_is_quoted(found):
    details = [detail for _, detail in found("consistent", variant="Pure DP", parameters="epsilon: '1, 2, 4'")]
    assert details == ["Pure DP has epsilon; as a number epsilon is missing (stated: epsilon = '1, 2, 4')"]


# equations and conversions


def test_a_conversion_that_is_denied_is_not_recomputed(found):
    for words, verdict in (("corresponds", [Verdict.REFUTED]), ("does not correspond", [])):
        composition = f"ρ = 1.00 {words} to ε = 40 and δ = 1e-10"
        assert verdicts(found("numbers", composition=composition)) == verdict


def test_an_equation_that_holds_with_other_signs_for_thousands_is_open(found):
    for composition, verdict in (
        ("500 + 600 = 1.100", Verdict.OPEN),
        ("500 + 600 = 1.200", Verdict.REFUTED),
        ("3,141 + 1 = 4,141", Verdict.OPEN),
        ("0.5 + 0.6 = 1.2", Verdict.REFUTED),
    ):
        assert verdicts(found("numbers", composition=composition)) == [verdict]


def test_what_is_not_read_is_listed_with_its_place(found):
    ((_, read),) = found("read", details="The total budget is ε = 2 ln 3.", composition="half of 4 + 2 = 4")
    assert "not read: 'budget is ε = 2 ln 3' (privacy_loss.privacy_parameters_details)" in read
    assert "not read: 'half of 4 + 2 = 4' (accounting.composition)" in read


def test_equations_are_recomputed_up_to_a_limit_and_the_rest_is_counted(found):
    composition = "\n      ".join(f"- {index} + 1 = {index + 1}" for index in range(1_000))
    start = time.perf_counter()
    assert len(found("numbers", composition=composition)) == 200
    assert time.perf_counter() - start < 5
    ((_, read),) = found("read", composition=composition)
    assert "not read: 800 more equations and conversions" in read


# words


@pytest.mark.parametrize(
    ("unit_details", "count"),
    [
        ("bounded DP. The number of queries is unbounded.", 0),
        ("bounded DP, not unbounded DP", 0),
        ("changing (but not adding or removing) a tuple, which is bounded DP", 0),
        ("bounded DP; adding or removing one record", 1),
        ("bounded neighbors for A and unbounded neighbors for B", 1),
    ],
)
def test_two_kinds_of_neighbours_are_named_only_where_neither_is_denied(found, unit_details, count):
    assert len([d for _, d in found("consistent", unit_details=unit_details) if "both kinds" in d]) == count


MAXIMUM = "the maximum distance between any two datasets in the data domain is one"


@pytest.mark.parametrize(
    ("unit_details", "expected"),
    [
        (f"The function is the symmetric distance, and {MAXIMUM}.", ["this distance counts records"]),
        (f"The function is the change-one distance, and {MAXIMUM}.", ["this distance counts records"]),
        (f"The distance is 0 if two data sets are equal and 1 otherwise, so {MAXIMUM}.", ["does not name"]),
        (f"It is not the symmetric distance, and {MAXIMUM}.", ["does not name"]),
        (f"The symmetric distance is one example. Of ours, {MAXIMUM}.", ["does not name"]),
        (f"It is false that {MAXIMUM}.", []),
    ],
)
def test_a_maximum_of_one_is_a_finding_and_never_the_verdict_of_a_record(found, unit_details, expected):
    findings = found("consistent", unit_details=unit_details)
    assert verdicts(findings) == [Verdict.OPEN] * len(expected)
    assert all(words in detail for words, (_, detail) in zip(expected, findings, strict=True))


def test_a_unit_that_is_denied_is_not_named(found):
    text = "Unlike user-level DP we protect less; this is not household-level, and high-level words are no unit."
    assert found("consistent", unit="Person-level", unit_details=text) == []


def test_numbers_that_differ_in_one_digit_are_listed_up_to_a_limit(found):
    numbers = " ".join(str(10_000 + 3 * step) for step in range(5_000))
    start = time.perf_counter()
    findings = found("consistent", composition=numbers)
    assert time.perf_counter() - start < 5
    assert len(findings) == 21
    assert "more numbers differ in one digit; the first 20 pairs are listed" in findings[-1][1]
