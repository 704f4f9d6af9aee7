"""What the audit of a registry record says of totals, parts, δ, units and words: each case with its smallest record."""

import time

import pytest

from stirred.verify.audit.records.record_audit import audit_record, read_record
from stirred.verify.evidence.verdict import Verdict

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
        "The total privacy-loss budget is ρ = 1.20.",
        "The global budget of ρ = 1.20 (corresponding to ε = 11.71 and δ = 1e-10) holds.",
        "ρ = 1.20 overall",
        "The total budget is about ρ = 1.20",
        "The total budget for persons is ρ = 1.20 and that for households ρ = 3",
        "Over a week the total privacy loss is ρ = 1.20",
        "The total budget of the pilot was ρ = 1.20",
    ],
)
def test_a_whole_in_the_prose_beside_another_parameter_is_noticed_and_refutes_nothing(found, details):
    assert Verdict.REFUTED not in verdicts(found("numbers", details=details))
    ((verdict, words),) = found("prose", details=details)
    assert verdict is Verdict.OPEN
    assert "rho = 1.00 in privacy_parameters; the prose gives 1.20 in privacy_loss.privacy_parameters_details" in words


def test_a_number_that_rounds_to_the_parameter_is_shown_beside_one_that_is_it(found):
    equal, near = found("prose", details="The total is ρ = 1.00.", composition="with ρ = 1.004 in all")
    assert equal[0] is Verdict.EXHAUSTED
    assert (near[0], "1.004 in accounting.composition" in near[1]) == (Verdict.OPEN, True)
    assert near[1].endswith("equal to it within their rounding, or misprints")


def test_a_published_total_is_one_of_two_printed_numbers(found):
    title = "Disclosure Avoidance System for Redistricting Data"
    for rho, verdict in (("2.63", Verdict.EXHAUSTED), ("2.6", Verdict.OPEN), ("9.99", Verdict.REFUTED)):
        ((got, detail),) = found("numbers", title=title, parameters=f"rho: {rho}")
        assert got is verdict
        assert f"rho^2 of PL: 2.63 in article, Theorem 2; {rho} in the record" in detail
        assert "recomputed" not in detail


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
        (split("The budget ρ = 9 is split over disjoint groups", "A: ρ = 5", "B: ρ = 5"), Verdict.OPEN),
        (split("The budget ρ = 9 is split by advanced composition", "A: ρ = 5", "B: ρ = 5"), Verdict.OPEN),
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
        composition = f"ρ = 1.00 {words} to ε = 4 and δ = 1e-10"
        assert verdicts(found("numbers", composition=composition)) == verdict


def test_an_equation_that_numbers_within_its_rounding_or_other_signs_satisfy_is_open(found):
    for composition, verdict in (
        ("500 + 600 = 1.100", Verdict.OPEN),
        ("500 + 600 = 1.200", Verdict.REFUTED),
        ("3,141 + 1 = 4,141", Verdict.OPEN),
        ("0.5 + 0.6 = 1.2", Verdict.OPEN),  # 0.55 + 0.62 = 1.17
        ("0.5 + 0.6 = 1.3", Verdict.REFUTED),
        ("0.6931 * 2 = 1.3863", Verdict.OPEN),
        ("1.0 / 3.0 = 0.34", Verdict.OPEN),  # 1.04 / 3
        ("1.0 / 3.0 = 0.37", Verdict.REFUTED),
        ("1 / 3 = 0.34", Verdict.REFUTED),
    ):
        assert verdicts(found("numbers", composition=composition)) == [verdict]


@pytest.mark.parametrize("composition", ["It is split in 2 (0.5 + 0.5).", "We ran 10 (3 + 4) queries."])
def test_a_sum_behind_a_number_without_a_letter_is_no_equation(found, composition):
    assert found("numbers", composition=composition) == []
    for total, verdict in (("1.0", Verdict.EXHAUSTED), ("2.0", Verdict.REFUTED)):
        assert verdicts(found("numbers", composition=f"The budget is ε = {total} (0.5 + 0.5).")) == [verdict]


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


@pytest.mark.parametrize(
    ("unit", "unit_details", "period"),
    [
        ("User-day-level", "one user's data of a single month", ("day", "month")),
        ("User-month-level", "monthly data of a user", None),
        ("User-day-level", "a user's data of one day in a month", None),
        ("User-level", "one user's data of a single month", None),
        ("User-hour-level", "the data of a user", None),
    ],
)
def test_a_unit_of_one_period_that_is_explained_by_another_is_noticed(found, unit, unit_details, period):
    details = [words for _, words in found("consistent", unit=unit, unit_details=unit_details)]
    expected = period and (
        f"'{unit}' (privacy_loss.privacy_unit) names the period {period[0]}, and privacy_loss.privacy_unit_details "
        f"only {period[1]}"
    )
    assert details == ([expected] if expected else [])


def test_the_words_of_a_unit_that_nothing_explains_are_listed(found):
    ((_, read),) = found("read", unit="User-business-level", unit_details="two users of one customer")
    assert "the unit 'User-business-level': privacy_loss.privacy_unit_details has no business" in read
    ((_, read),) = found("read", unit="User-level", unit_details="two users")
    assert "the unit" not in read


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


def test_numbers_that_agree_in_another_way_are_counted_apart(tmp_path):
    """2.47 is the smallest conversion of a rho^2 that rounds to 0.07; the published record says so of two tables."""
    path = tmp_path / "r.yaml"
    details = "ρ = 0.07 corresponds to ε = 2.47 at δ = 1e-10"
    path.write_text(RECORD.format(**{**DEFAULTS, "parameters": "rho: 0.07", "details": details}), encoding="utf-8")
    sentence = audit_record(read_record(path)).sentence
    how = "by a conversion that the record does not print, of a rho^2 that rounds to the printed one"
    assert sentence.startswith(f"0 of 1 printed number agree, 1 more {how}; undecided: ")
