"""What a record states in two places or ways: each relation with its smallest record, right and altered."""

import time

import pytest

from stirred.verify.audit.records.record_audit import audit_record, read_record
from stirred.verify.evidence.verdict import Verdict

RECORD = """
url_slug: {slug}
deployment:
  basic: {{name: A, publication_date: '{date}'}}
  dp_variant:
    unprotected_quantities: |
      {quantities}
  privacy_loss:
    privacy_unit: {unit}
    privacy_parameters: {{{parameters}}}
    privacy_parameters_details: |
      {details}
  deployment_model:
    release_type_details: |
      {release}
  accounting:
    composition: |
      {composition}
"""
DEFAULTS = {
    "slug": "a",
    "date": "2024-01-01",
    "quantities": "none",
    "unit": "x",
    "parameters": "epsilon: 1.68",
    "details": "none",
    "release": "none",
    "composition": "none",
}


@pytest.fixture
def found(tmp_path):
    def audited(*questions, **texts):
        path = tmp_path / "r.yaml"
        path.write_text(RECORD.format(**{**DEFAULTS, **texts}), encoding="utf-8")
        answers = audit_record(read_record(path)).answers
        return [(a.evidence.verdict, a.evidence.detail) for a in answers if a.question in (questions or ("prose",))]

    return audited


EQUAL, DIFFERENT = Verdict.EXHAUSTED, Verdict.OPEN


@pytest.mark.parametrize(
    ("text", "verdict"),
    [
        ("Laplace noise yields ε = 0.1 (sensitivity = 1, noise scale = 10).", EQUAL),
        ("Laplace noise is added (ε=0.9; sensitivity = 1, noise scale = 10).", DIFFERENT),
        ("Laplace noise: ε = 2, sensitivity of 4, scale of 2.", EQUAL),
        ("Gaussian noise with ρ = 0.5, sensitivity = 2, scale = 2", EQUAL),
        ("Gaussian noise with ρ = 1.5, sensitivity = 2, scale = 2", DIFFERENT),
        ("Laplace noise was rejected. Gaussian noise with ρ = 0.5, sensitivity = 2, scale = 2", EQUAL),
        ("Laplace noise was rejected. Gaussian noise with ρ = 1.5, sensitivity = 2, scale = 2", DIFFERENT),
    ],
)
def test_a_budget_is_compared_with_its_sensitivity_and_scale(found, text, verdict):
    ((got, detail),) = [one for one in found(composition=text) if "sensitivity" in one[1]]
    assert got is verdict
    assert "accounting" in detail or "noise" in detail


@pytest.mark.parametrize(
    "text",
    [
        "Noise with ε = 0.9, sensitivity = 1, scale = 10.",
        "Laplace noise with ε = 0.9 for A and ε = 0.8 for B, sensitivity = 1, scale = 10.",
        "Laplace or Gaussian noise with ε = 0.9, sensitivity = 1, scale = 10.",
        "Laplace noise with ε = 0.9. The scale = 10 and sensitivity = 1 are of another.",
    ],
)
def test_numbers_of_noise_that_may_not_belong_together_are_not_compared(found, text):
    assert [one for one in found(composition=text) if "which give" in one[1]] == []


@pytest.mark.parametrize(("last", "verdict"), [("5", EQUAL), ("4", DIFFERENT)])
def test_the_shares_of_what_is_divided_are_a_hundred_percent(found, last, verdict):
    text = f"The budget is divided as follows: 70% to 4,574 tables; 25% to pairs; and {last}% to steps."
    ((got, detail),) = [one for one in found(composition=text) if "%" in one[1]]
    assert got is verdict
    assert f"70% + 25% + {last}%" in detail


@pytest.mark.parametrize(("part", "verdict"), [("1.638", EQUAL), ("1.738", DIFFERENT)])
def test_a_share_of_the_budget_is_compared_with_its_number(found, part, verdict):
    text = f"Counts (Total ε = {part}): This accounts for 97.5% of the total budget."
    ((got, detail),) = [one for one in found(composition=text) if "%" in one[1]]
    assert got is verdict
    assert "97.5% of the stated 1.68 is 1.638" in detail


@pytest.mark.parametrize(("part", "verdict"), [("1.1", EQUAL), ("1.2", DIFFERENT)])
def test_a_list_is_added_up_under_its_stated_total_in_every_text(found, part, verdict):
    parts = "".join(f"\n        - Level {at}: ε_{at} = {number}" for at, number in enumerate(("0.168", "0.37", part)))
    ((got, detail),) = found("numbers", composition=f"- Counts (Total ε = 1.638), allocated to levels:{parts}")
    assert got is verdict
    assert f"Level 2 {part}): printed 1.638" in detail


def test_another_letter_with_different_numbers_in_two_texts_is_shown_with_both(found):
    ((verdict, detail),) = found(quantities="τ=450 and τ=3500", composition="τ=450, then τ=2500")
    assert verdict is Verdict.OPEN
    assert "3500 ('τ=450 and τ=3500') in dp_variant.unprotected_quantities" in detail
    assert "in accounting.composition" in detail
    assert found(quantities="τ=450 and τ=3500", composition="τ=450") == []


@pytest.mark.parametrize(("slug", "verdict"), [("a-2024", EQUAL), ("a-2023", DIFFERENT)])
def test_the_year_of_the_name_stands_beside_the_publication(found, slug, verdict):
    ((got, detail),) = found(slug=slug)
    assert got is verdict
    assert slug[-4:] in detail
    assert "2024-01-01 in basic.publication_date" in detail


def test_dates_behind_the_same_words_in_two_texts_are_compared(found):
    texts = {"release": "Each day starting on 2020-01-01", "composition": "starting on 2020-02-01"}
    ((verdict, detail),) = found(**texts)
    assert verdict is Verdict.OPEN
    assert "starting on 2020-01-01 in deployment_model.release_type_details" in detail
    assert "starting on 2020-02-01 in accounting.composition" in detail
    assert found(**{**texts, "composition": "starting on 2020-01-01"}) == []


def test_a_number_for_another_period_than_the_units_is_shown(found):
    texts = {"parameters": "epsilon: 4.2", "details": "ε = 4.2 per day"}
    assert [verdict for verdict, _ in found(unit="User-day-level", **texts)] == [EQUAL]
    (equal, (verdict, detail)) = found(unit="User-month-level", **texts)
    assert (equal[0], verdict) == (EQUAL, DIFFERENT)
    assert "two periods for one budget" in detail


@pytest.mark.parametrize("date", ["2024-01-01", "2024-07-01"])
@pytest.mark.parametrize(("slug", "compared"), [("a-2024", " but for its year"), ("a", "")])
def test_a_date_of_which_the_name_has_the_year_at_most_is_listed(found, slug, compared, date):
    ((_, read),) = found("read", slug=slug, date=date)
    assert f"with nothing to compare it with: {date} (basic.publication_date){compared};" in read


def test_numbers_in_words_and_names_are_listed(found):
    ((_, read),) = found("read", composition="At most four L_2 bounded records of COVID-19, each at one place.")
    assert "the numbers four, L_2, covid-19 (accounting.composition)" in read.lower().replace("l_2", "L_2")


def test_every_number_is_read_or_listed(found):
    ((_, read),) = found(
        "read", composition="In 2020, 331 million people (17%) and 135M rows; with k = 5 and ε = 1.68."
    )
    assert "the numbers 2020, 331 million, 17%, 135M (accounting.composition)" in read
    assert "read, with nothing to compare it with: k = 5 (accounting.composition)" in read
    ((_, read),) = found("read")
    assert "epsilon = 1.68 stands nowhere in the prose" in read


def test_a_conversion_is_recomputed_only_where_words_connect_its_numbers(found):
    cells = "with cells corresponding to streets: ρ = 1.00, ε = 400 and δ = 1e-10"
    assert found("numbers", composition=cells) == []
    ((verdict, _),) = found("numbers", composition="ρ = 1.00, which is converted to (ε = 4, δ = 1e-10)-DP")
    assert verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    "piece",
    [
        *("ε = 1, ", "ε is 1, to 1.5, ", "(1, 2)-DP ", "scale = 2, ", "Laplace scale = 2, sensitivity = 1, ε = 3, "),
        *(
            "the privacy loss is 1, ",
            "5% of the budget ",
            "two tables ",
            "k = 1, ",
            "on 2020-01-01 ",
            "- A: ε = 1\n      ",
        ),
        "- total ε = 1 split\n        - A: ε = 2\n        - B: ε = 3\n      ",
    ],
)
def test_a_long_record_is_audited_in_linear_time(found, piece):
    start = time.process_time()
    # quadratic time would be minutes
    assert found("read", composition=piece * (30_000 // len(piece)), details=piece * (30_000 // len(piece)))
    assert time.process_time() - start < 10
