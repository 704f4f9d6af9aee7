"""A registry record that may be right is not refuted: prose that looks like a contradiction and need not be one.

Every text below has numbers that differ from the parameter, from their sum or from a conversion for a reason that prose
has: parts, other units and times, rounding, parallel and advanced composition, pure DP, or words that only look alike.
"""

import pytest

from stirred.verify.evidence.verdict import Verdict
from stirred.verify.records.record_audit import audit_record, read_record

RECORD = """
url_slug: a-thing-2024
deployment:
  basic: {{name: A Thing, publication_date: '2024-01-01'}}
  privacy_loss:
    privacy_unit: User-level
    privacy_parameters: {{{parameters}}}
    privacy_parameters_details: |
{details}
"""

WHOLES = (
    "The total privacy budget is ε = 2 for the first release, of ε = 1 for the second.",
    "The total budget of the pilot was ε = 7.",
    "A total budget of ε = 14 per week follows, ε = 2 a day.",
    "Over a week the total privacy loss is ε = 14.",
    "The overall privacy loss over seven days is ε = 14.",
    "- The total budget ε = 14 (seven days).",
    "- Total: ε = 14",
    "- Overall ε = 3 if both are seen.",
    "The total budget was ε = 3 until 2023.",
)
SPLITS = tuple(
    f"- The total budget ε = 2 is split {how}:\n  - A: ε = {a}\n  - B: ε = {b}"
    for how, a, b in (
        ("between two tables, each of half the data", 2, 2),
        ("between disjoint groups", 2, 1),
        ("between tables (parallel composition within states)", 2, 1),
        ("by advanced composition between", 1.5, 1.5),
        ("between several, including", 0.5, 0.5),
        ("between two, about", 0.9, 0.9),
    )
)
EQUATIONS = (
    "Each query costs 0.33, so 3 * 0.33 = 1.",
    "The cost is 1/3 = 0.33 each.",
    "The budget is split in 2 (0.5 + 0.5).",
    "We ran 10 (3 + 4) queries.",
    "In round 3 (1 + 1) users are asked.",
    "So 1,5 + 2,5 = 4.",
    "So 1.100 + 2.200 = 3300 records.",
    "It is 0.1 * 3 * 2 = 0.6; 0.6 / 2 = 0.3.",
    "The ratio is 24/7 = 3.43.",
    "At 99% + 1% = 100%.",
    "So 2 + 2 = 4 * 1.",
    "So 5 + 5 = 10 000 in thousands.",
    "That is 500,000 + 500,000 = 1 million.",
    "That is 2 + 3 = 5x.",
    "Then 1e-6 * 10 = 1e-5.",
    "Then 10−6 * 10 = 10−5.",
    "Then 0.6931 * 2 = 1.3863.",
    "Then 3.3 + 3.3 + 3.3 = 10.",
    "Then 1.1 * 1.1 = 1.2.",
    "That is 365 / 12 = 30.4 days.",
    "So 7 / 2 = 4, rounded up.",
)
CONVERSIONS = (
    "ρ = 0.5 corresponds to ε = 5 and δ = 10^-5",
    "ρ = 0.5 corresponds to ε = 4.4 and δ = 10^-5 by the numerical accountant",
    "ρ = 0.5 corresponds to ε = 100 and δ = 10^-5, which is rounded up",
    "Randomized response has ρ = 0.5, equivalent to ε = 1 and δ = 10^-9",
    "For Laplace noise, ρ = 0.5, corresponding to ε = 1 (δ = 10^-10 for the rest)",
    "ε-DP implies zCDP: ρ = 0.5 corresponding to ε = 1 with δ = 0.",
)
PROSE = (
    *(("epsilon: 2", text) for text in (*WHOLES, *SPLITS, *EQUATIONS)),
    *(("rho: 0.5", text) for text in CONVERSIONS),
    ("epsilon: 2, delta: 1e-5", "The total budget is ε = 1 at δ = 1e-9"),
    (
        "rho: 0.0728, epsilon: 1.453, delta: 1e-5",
        r"the total reduces to \\(\epsilon\\) = 1.453 and \\(\rho\\) = 0.0728",
    ),
)

# the same forms with numbers that no such reason explains
CONTRADICTIONS = (
    ("epsilon: 2", "- The total budget ε = 2 is split between two tables:\n  - A: ε = 0.5\n  - B: ε = 0.4"),
    ("epsilon: 2", "Each query costs 0.33, so 3 * 0.33 = 2."),
    ("epsilon: 2", "The budget is ε = 3.0 (0.5 + 0.5)."),
    ("rho: 0.5", "ρ = 0.5 corresponds to ε = 2 and δ = 10^-5"),
)


def refuted(tmp_path, parameters, text):
    path = tmp_path / "r.yaml"
    details = "\n".join(f"      {line}" for line in text.splitlines())
    path.write_text(RECORD.format(parameters=parameters, details=details), encoding="utf-8")
    answers = audit_record(read_record(path)).answers
    return [one.evidence.detail for one in answers if one.evidence.verdict is Verdict.REFUTED]


@pytest.mark.parametrize(("parameters", "text"), PROSE)
def test_prose_that_may_be_right_refutes_no_record(tmp_path, parameters, text):
    assert refuted(tmp_path, parameters, text) == []


@pytest.mark.parametrize(("parameters", "text"), CONTRADICTIONS)
def test_prose_that_contradicts_itself_refutes_its_record(tmp_path, parameters, text):
    assert len(refuted(tmp_path, parameters, text)) == 1
