"""The audit of a registry record: its fields beside each other and the sources, and digits in its text beside them."""

import time

import pytest

from stirred.verify.audit.records.record_audit import audit_record, read_record
from stirred.verify.evidence.verdict import Verdict

RECORD = """
url_slug: {slug}
deployment:
  basic: {{name: {title}, publication_date: '{date}'}}
  dp_variant: {{variant_name: {variant}}}
  privacy_loss:
    privacy_unit: {unit}
    privacy_parameters: {{{parameters}}}
    privacy_parameters_details: |
      {details}
  accounting:
    composition: |
      {composition}
"""
DEFAULTS = {
    "slug": "a",
    "title": "A",
    "date": "2024-01-01",
    "variant": "Zero-concentrated DP",
    "unit": "x",
    "parameters": "rho: 1.00",
    "details": "none",
    "composition": "none",
}
DETAILS, COMPOSITION = "privacy_loss.privacy_parameters_details", "accounting.composition"


@pytest.fixture
def audited(tmp_path):
    """The record that differs from the default in some texts, audited."""

    def record(**texts):
        path = tmp_path / "r.yaml"
        path.write_text(RECORD.format(**{**DEFAULTS, **texts}), encoding="utf-8")
        return audit_record(read_record(path))

    return record


@pytest.fixture
def found(audited):
    """The findings of a question about such a record."""

    def findings(question, **texts):
        answers = audited(**texts).answers
        return [(a.evidence.verdict, a.evidence.detail) for a in answers if a.question == question]

    return findings


def verdicts(findings):
    return [verdict for verdict, _ in findings]


# numbers in digits beside the parameters


@pytest.mark.parametrize(
    "details",
    [
        "Total: ρ = 1.20",
        "The total privacy-loss budget is ρ = 1.20.",
        "The global budget of ρ = 1.20 (corresponding to ε = 11.71 and δ = 1e-10) holds.",
        "The total budget is about ρ = 1.20",
        "The total budget for persons is ρ = 1.20 and that for households ρ = 3",
        "The budget ρ = 1.20 is not what is spent.",
    ],
)
def test_a_number_that_differs_from_the_parameter_is_open_and_refutes_nothing(audited, details):
    record = audited(details=details)
    assert record.verdict is Verdict.OPEN
    (answer,) = (one for one in record.answers if one.question == "prose")
    assert (answer.decides, answer.evidence.verdict) == (True, Verdict.OPEN)
    assert answer.evidence.detail.startswith("rho = 1.00 in privacy_parameters; 1.20")
    assert answer.evidence.detail.endswith(f" in {DETAILS}: none of these equals the parameter")


def test_numbers_are_the_parameter_within_its_rounding_or_something_else(found):
    equal, near, others = found("prose", details="ρ = 1.00, of it ρ = 0.3", composition="with ρ = 1.004 in all")
    assert equal == (Verdict.EXHAUSTED, f"rho = 1.00 in privacy_parameters; 1.00 in {DETAILS}")
    field = "rho = 1.00 in privacy_parameters"
    assert near == (Verdict.OPEN, f"{field}; 1.004 in {COMPOSITION}: equal within rounding")
    assert others == (Verdict.OPEN, f"{field}; 0.3 in {DETAILS}: other quantities, or misprints")


def test_only_so_many_numbers_are_quoted(found):
    _, (_, others) = found("prose", details=" ".join(f"ρ = {number}," for number in range(1, 31)), parameters="rho: 1")
    assert ", 20, 21 in " in others
    assert ", and 9 more: " in others


@pytest.mark.parametrize(
    "text",
    [
        *("half of the budget", "a budget of two", "user-level for A and household-level for B", "k = 5, τ=450"),
        *("bounded neighbors for A and unbounded neighbors for B", "70% to tables; 25% to pairs; and 4% to steps"),
        *("0.5 * 2 = 1.4", "500 + 600 = 1.200", "8,237,411 households; 8,237,412 households answered"),
        *("Laplace noise with sensitivity = 1 and scale = 10", "two budgets that are split", "starting on 2020-01-01"),
    ],
)
def test_other_text_is_not_checked(found, text):
    assert found("prose", details=text) == found("numbers", details=text) == found("consistent", details=text) == []
    ((_, read),) = found("read", details=text)
    assert read.endswith("the text was not checked, apart from numbers in digits beside ε, δ or ρ")


def test_what_is_not_read_is_listed(found):
    ((_, read),) = found("read", parameters="rho: '1 to 8', delta: 1e-5", details="x" * 100_001)
    assert "not read: rho = '1 to 8' is not a number" in read
    assert f"not compared: {DETAILS}, more than 100000 characters" in read
    assert "the text has no number beside δ for delta = 1e-5" in read


@pytest.mark.parametrize(("slug", "verdict"), [("a-2024", Verdict.EXHAUSTED), ("a-2023", Verdict.OPEN)])
def test_the_year_of_the_name_stands_beside_the_publication(found, slug, verdict):
    assert found("prose", slug=slug) == [
        (verdict, f"the year {slug[-4:]} in url_slug; 2024-01-01 in basic.publication_date")
    ]


# fields beside each other and beside the sources


def test_a_published_total_is_one_of_two_printed_numbers(found):
    title = "Disclosure Avoidance System for Redistricting Data"
    for rho, verdict in (("2.63", Verdict.EXHAUSTED), ("2.6", Verdict.OPEN), ("9.99", Verdict.REFUTED)):
        ((got, detail),) = found("numbers", title=title, parameters=f"rho: {rho}")
        assert got is verdict
        assert f"rho^2 of PL: 2.63 in article, Theorem 2; {rho} in the record" in detail


def test_numbers_that_agree_within_their_rounding_are_counted_apart(audited):
    record = audited(title="Disclosure Avoidance System for Redistricting Data", parameters="rho: 2.6")
    assert record.sentence.startswith("0 of 1 printed number agrees, 1 more within their rounding; undecided: ")


# rho^2 = 1, delta = 10^-10: 1 + 2 sqrt(23.02585) = 10.597 by the printed formula, 10.034 by the smallest conversion
@pytest.mark.parametrize(
    ("epsilon", "verdict"),
    [
        *(("10.60", Verdict.ENCLOSED), ("10.03", Verdict.ENCLOSED), ("10.62", Verdict.OPEN)),
        *(("0.1", Verdict.OPEN), ("9.0", Verdict.OPEN), ("11.0", Verdict.OPEN), ("400", Verdict.OPEN)),
    ],
)
def test_parameters_side_by_side_are_a_conversion_or_open(audited, epsilon, verdict):
    (answer,) = (
        one
        for one in audited(parameters=f"rho: 1.00, epsilon: '{epsilon}', delta: 1e-10").answers
        if one.question == "numbers"
    )
    assert (answer.evidence.verdict, answer.decides) == (verdict, verdict is Verdict.ENCLOSED)
    said = "the record does not say that epsilon is converted from rho"
    assert answer.evidence.detail.endswith(said) is (verdict is Verdict.OPEN)
    assert verdict is Verdict.ENCLOSED or f"printed {epsilon}, recomputed 1" in answer.evidence.detail


def test_a_delta_in_any_form_of_a_power_of_ten_is_a_number(found):
    for delta in ("1e-10", "10^-10", "10^{-10}", "1 × 10^{-10}", "$10^{-10}$"):
        parameters = f"rho: 1, epsilon: '10.60', delta: '{delta}'"
        assert verdicts(found("numbers", parameters=parameters)) == [Verdict.ENCLOSED]
        ((_, read),) = found("read", parameters=parameters)
        assert "not read" not in read


def test_the_conversion_is_at_the_delta_of_the_parameters(found):
    for parameters, at in (
        ("rho: 1, delta: 1e-5", "at delta = 1e-5:"),
        ("rho: 1, delta: 0", "at delta = 10^-10 (chosen here"),
        ("rho: 1", "at delta = 10^-10 (chosen here"),
    ):
        ((verdict, detail),) = found("conversion", parameters=parameters, composition="δ = 1e-7")
        assert verdict is Verdict.ENCLOSED
        assert at in detail


@pytest.mark.parametrize(
    ("variant", "parameters", "details", "said"),
    [
        ("Zero-concentrated DP", "epsilon: 1", "", "Zero-concentrated DP has rho; missing as a number: rho"),
        ("Approximate DP", "epsilon: 1", "", "Approximate DP has epsilon, delta; missing as a number: delta"),
        ("Pure DP", "rho: 1", "", "Pure DP has epsilon; missing as a number: epsilon"),
        (
            "Pure DP",
            "epsilon: '1, 2, 4'",
            "",
            "Pure DP has epsilon; missing as a number: epsilon (stated: epsilon = '1, 2, 4')",
        ),
        ("Pure DP", "epsilon: 1, delta: 1e-6", "", "Pure DP has delta = 0; the record has delta = 1e-6"),
        ("Pure DP", "epsilon: 1", "δ = 1e-6", f"Pure DP has delta = 0; the record has delta = 1e-6 in {DETAILS}"),
        ("Pure DP", "epsilon: 1", "ε = 1, δ = 0", None),
        ("Approximate DP", "epsilon: 1, delta: 1e-6", "δ = 1e-6", None),
    ],
)
def test_a_variant_has_its_own_parameters(found, variant, parameters, details, said):
    findings = found("consistent", variant=variant, parameters=parameters, details=details or "none")
    assert verdicts(findings) == [Verdict.OPEN] * (said is not None)
    assert all(detail.startswith(said) for _, detail in findings)


def test_what_is_not_covered_depends_on_the_record(found):
    ((_, plain),) = found("outside")
    assert plain == (
        "Not covered: whether a mechanism satisfies the budget; the record's text; other releases of the same data"
    )
    ((_, more),) = found("outside", parameters="rho: '1 to 2'")
    assert "the record's text; parameters that are not numbers; other releases" in more


@pytest.mark.parametrize(
    "piece",
    [
        *("ε = 1, ", "ε is 1, to 1.5, ", "(1, 2)-DP ", "the privacy loss is 1, ", "5% of the budget ", "1 + "),
        *("on 2020-01-01 ", "- A: ρ = 1\n      ", "ε = 1 ", "10⁻", "1,111"),
    ],
)
def test_a_long_record_is_audited_in_linear_time(found, piece):
    start = time.process_time()
    # quadratic time would be minutes
    assert found("read", composition=piece * (30_000 // len(piece)), details=piece * (30_000 // len(piece)))
    assert time.process_time() - start < 10
