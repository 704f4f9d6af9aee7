"""A privacy parameter that is altered while its old number stands in the prose is noticed, with both places.

The records below have the forms in which records of the OpenDP Deployments Registry state their numbers. With
STIRRED_REGISTRY, a folder of such records, every one of them is altered too. A registry record that may be right is
not refuted: prose that looks like a contradiction and need not be one. Every text below has numbers that differ from
the parameter, from their sum or from a conversion for a reason that prose has: parts, other units and times, rounding,
parallel and advanced composition, pure DP, or words that only look alike.
"""

import os
import re
from fractions import Fraction
from pathlib import Path

import pytest

from stirred.verify.audit.records.record_audit import audit_record, read_record
from stirred.verify.audit.records.registry import LETTERS
from stirred.verify.audit.records.registry_fields import values_in_prose
from stirred.verify.evidence.verdict import Verdict

REGISTRY = (
    sorted(
        path
        for path in Path(os.environ["STIRRED_REGISTRY"]).glob("*.yaml")
        if re.search(r"(?m)^deployment:\s*$", path.read_text(encoding="utf-8"))
    )
    if "STIRRED_REGISTRY" in os.environ
    else []
)

RECORD = """\
url_slug: a-form-2024
deployment:
  basic:
    name: A
    description: |
      {description}
    publication_date: '2024-01-01'
  dp_variant:
    variant_name: Custom
  privacy_loss:
    privacy_unit: {unit}
    privacy_parameters:
{parameters}
    privacy_parameters_details: |
      {details}
  accounting:
    composition: |
      {composition}
"""

FORMS = {
    "an equation in LaTeX": ({"epsilon": "4.0"}, {"composition": r"Set are \\(\epsilon = 4\\) and m = 1024."}),
    "a letter and its equation apart": ({"rho": "0.015"}, {"composition": r"with fixed \\(\rho\\) =0.015 a day."}),
    "the whole budget": ({"rho": "2.63"}, {"details": r"- The final global budget for A was \\(\rho\\)  = 2.63."}),
    "no letter": ({"epsilon": "0.2"}, {"composition": "By sequential composition, the total privacy loss is 0.2."}),
    "a list of parts": (
        {"epsilon": "2.64"},
        {"details": "- Visits: ε = 1.76\n      - Homes: ε = 0.44\n      - Work: ε = 0.44"},
    ),
    "parts in one sentence": (
        {"epsilon": "10.0"},
        {"details": r'"It is set as follows: • \\(\epsilon = 4\\) for C • \\(\epsilon = 2\\) for E • ε = 4 for S."'},
    ),
    "a count of a part": ({"epsilon": "8.0"}, {"description": "It uses epsilon of 4, with two donations per day."}),
    "of": ({"epsilon": "4.0"}, {"description": '"a budget with an epsilon of 4 for words."'}),
    "value of": ({"epsilon": "2.0"}, {"details": '"a total differential privacy epsilon value of 2.0."'}),
    "the name of a flavor": ({"rho": "12.058"}, {"details": '"and the total rho-zCDP privacy loss budget is 12.058."'}),
    "a pair before DP": (
        {"epsilon": "34.9", "delta": "7.0e-09"},
        {"details": '"we get a final (34.9, 7 × 10−9)-DP monthly guarantee."'},
    ),
    "a pair of letters": ({"epsilon": "4", "delta": "1e-5"}, {"details": "so that (ε, δ) = (4, 10^-5) holds"}),
    "a lost superscript": (
        {"epsilon": "2.19", "delta": "1.0e-05"},
        {"details": r'"(\\(\epsilon, \delta\\))-DP for \\(\epsilon\\) = 2.19 and \\(\delta\\) = 10−5."'},
    ),
    "less than": (
        {"epsilon": "4.0", "delta": "1.0e-07"},
        {"details": r'"with (\\(\epsilon\\)=4, \\(\delta\\)< 10-7)."'},
    ),
    "a scaled power": (
        {"epsilon": "0.66", "delta": "2.1e-29"},
        {"details": r"of \\(\epsilon = 0.66\\) and \\(\delta = 2.1 × 10−29\\), which is strong."},
    ),
    "a prime": ({"epsilon": "1.672"}, {"details": r"\\(epsilon \dprime\\)-DP, where \\(epsilon \dprime\\) = 1.672."}),
    "a second number": (
        {"epsilon": "1.453", "rho": "0.0728"},
        {
            "details": r"It falls from an epsilon of 1.844 (see above) to about 1.453. Under \\(\rho\\)-zCDP, "
            r"\\(\rho_{user}\\) remains at 0.0052 for a column and remains at 0.0728 across the set."
        },
    ),
    "between parentheses": ({"epsilon": "2.0"}, {"details": r"yields (\\(\epsilon=2\\))-differential privacy."}),
    "plain letters": ({"rho": "0.81"}, {"composition": "only that the final privacy guarantee is rho = 0.81 zCDP."}),
    "a conversion": (
        {"rho": "1.782696", "epsilon": "10.0", "delta": "1e-5"},
        {"details": r"\\(\rho = 1.782696\\), which is converted to \\((\epsilon = 10, \delta = 10^{-5})\\)-DP."},
    ),
    "a sum in parentheses": ({"epsilon": "5.0"}, {"composition": r"the budget is \\(\epsilon\\) = 5.0 (2.5 + 2.5)."}),
    "for a period": ({"epsilon": "4.2"}, {"details": "The privacy budget is ε = 4.2 per day."}),
    "a hyphen that breaks no line": ({"epsilon": "4"}, {"details": "The release satisfies 4‑differential privacy."}),
    "a minus sign in an exponent": ({"epsilon": "4", "delta": "1e-5"}, {"details": "ε = 4 and δ = 1e−5."}),
    "an abbreviation": ({"epsilon": "4"}, {"details": "The noise has eps = 4 per user."}),
    "chosen": ({"epsilon": "4"}, {"details": "Here ε was chosen as 4, after tests."}),
    "tau beside it": ({"epsilon": "1.0"}, {"composition": r"With \\(\tau=450\\) and \\(\epsilon=1\\), once."}),
}


def written(path, parameters, unit="Person-level", **texts):
    lines = "\n".join(f"      {name}: {value}" for name, value in parameters.items())
    texts = {"description": "none", "details": "none", "composition": "none", **texts}
    path.write_text(RECORD.format(parameters=lines, unit=unit, **texts), encoding="utf-8")
    return path


def alterations(text):
    """The field raised by one, ten times as large, and with two digits exchanged."""
    mantissa, _, exponent = text.partition("e")
    tail = f"e{exponent}" if exponent else ""
    whole, point, decimals = mantissa.partition(".")
    yield f"{int(whole) + 1}{point}{decimals}{tail}"
    ten = Fraction(mantissa) * 10
    places = max(len(decimals) - 1, 1)
    yield f"{float(ten):.{places}f}{tail}"
    digits = whole + decimals
    place = next((at for at in range(len(digits) - 1) if digits[at] != digits[at + 1]), None)
    if place is not None:
        turned = digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :]
        if len(whole) == 1 or turned[0] != "0":
            yield f"{turned[: len(whole)]}{point}{turned[len(whole) :]}{tail}"


def findings(path):
    record = audit_record(read_record(path))
    return [answer.evidence for answer in record.answers if answer.question in ("prose", "numbers")]


def is_noticed(path, altered, keys, before):
    """Whether a new finding that does not hold names the field with its number, and a text with another number."""
    for evidence in findings(path):
        words = evidence.detail
        is_new = not evidence.verdict.is_settled_for and words not in before
        if is_new and f"{altered} in privacy_parameters" in words and any(key in words for key in keys):
            return True
    return False


def planted(tmp_path, path):
    """Every alteration of a field that also stands in the prose, and whether it is noticed."""
    text = path.read_text(encoding="utf-8")
    record = read_record(path)
    before = {evidence.detail for evidence in findings(path)}
    for name in record.parameters:
        keys = {value.key for value in values_in_prose(record, LETTERS[name])}
        field = re.search(rf"(?m)^(\s+{name}:\s*)(\S+)", text)
        if not keys or field is None:
            continue
        for altered in alterations(field[2]):
            other = tmp_path / "altered.yaml"
            other.write_text(text[: field.start(2)] + altered + text[field.end(2) :], encoding="utf-8")
            yield name, altered, is_noticed(other, altered, keys, before)


def raised_by_one(written_as):
    """The number with another first digit; a power of ten with another exponent."""
    exponent = re.fullmatch(r"(10\D+)(\d+)(\D*)", written_as)
    if exponent:
        return f"{exponent[1]}{int(exponent[2]) + 1}{exponent[3]}"
    return f"{int(written_as[0]) + 1}{written_as[1:]}"


def planted_in_prose(tmp_path, path):
    """Every number of the prose that is a parameter, raised by one, and whether that is noticed."""
    text = path.read_text(encoding="utf-8")
    record = read_record(path)
    before = {evidence.detail for evidence in findings(path)}
    for name, stated in record.parameters.items():
        for value in values_in_prose(record, LETTERS[name]):
            token = value.item.tokens[value.quantity.last]
            written_as = value.item.text[token.start : token.end]
            words = value.item.text[max(0, token.start - 12) : token.start].split(" ")
            place = re.compile(r"\s+".join(map(re.escape, words)) + re.escape(written_as))
            if value.number.value == stated.value and len(place.findall(text)) == 1:
                raised = raised_by_one(written_as)
                end = place.search(text).end()
                other = tmp_path / "altered.yaml"
                other.write_text(text[: end - len(written_as)] + raised + text[end:], encoding="utf-8")
                found = [one.detail for one in findings(other) if not one.verdict.is_settled_for]
                is_new = [words for words in found if words not in before and stated.text in words]
                yield name, raised, any(value.key in words for words in is_new)


@pytest.mark.parametrize("form", FORMS)
def test_an_altered_number_in_the_prose_is_noticed_beside_the_parameter(tmp_path, form):
    parameters, texts = FORMS[form]
    tried = list(planted_in_prose(tmp_path, written(tmp_path / "form.yaml", parameters, **texts)))
    assert [one for one in tried if not one[2]] == []


@pytest.mark.parametrize("form", FORMS)
def test_an_altered_parameter_is_noticed_beside_the_number_in_the_prose(tmp_path, form):
    parameters, texts = FORMS[form]
    tried = list(planted(tmp_path, written(tmp_path / "form.yaml", parameters, **texts)))
    assert len(tried) >= 2 * len(parameters)
    assert [one for one in tried if not one[2]] == []


@pytest.mark.parametrize("form", FORMS)
def test_an_unaltered_record_is_accused_of_nothing(tmp_path, form):
    parameters, texts = FORMS[form]
    found = findings(written(tmp_path / "form.yaml", parameters, **texts))
    assert [one.detail for one in found if one.verdict is Verdict.REFUTED or "none of them" in one.detail] == []
    assert any(one.verdict.is_settled_for or "it is the sum" in one.detail or "times" in one.detail for one in found)


@pytest.mark.parametrize("path", REGISTRY, ids=lambda path: path.stem)
def test_an_altered_parameter_of_a_published_record_is_noticed(tmp_path, path):
    tried = list(planted(tmp_path, path))
    print(f"{path.stem}: {sum(one[2] for one in tried)} of {len(tried)} noticed")
    assert [one for one in tried if not one[2]] == []


@pytest.mark.parametrize("path", REGISTRY, ids=lambda path: path.stem)
def test_an_altered_number_of_a_published_record_is_noticed(tmp_path, path):
    tried = list(planted_in_prose(tmp_path, path))
    print(f"{path.stem}: {sum(one[2] for one in tried)} of {len(tried)} in prose noticed")
    assert [one for one in tried if not one[2]] == []


@pytest.mark.parametrize("path", REGISTRY, ids=lambda path: path.stem)
def test_a_published_record_has_no_parameter_that_its_prose_contradicts(path):
    assert [one.detail for one in findings(path) if "none of them" in one.detail] == []


RIGHT = """
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
    path.write_text(RIGHT.format(parameters=parameters, details=details), encoding="utf-8")
    answers = audit_record(read_record(path)).answers
    return [one.evidence.detail for one in answers if one.evidence.verdict is Verdict.REFUTED]


@pytest.mark.parametrize(("parameters", "text"), PROSE)
def test_prose_that_may_be_right_refutes_no_record(tmp_path, parameters, text):
    assert refuted(tmp_path, parameters, text) == []


@pytest.mark.parametrize(("parameters", "text"), CONTRADICTIONS)
def test_prose_that_contradicts_itself_refutes_its_record(tmp_path, parameters, text):
    assert len(refuted(tmp_path, parameters, text)) == 1
