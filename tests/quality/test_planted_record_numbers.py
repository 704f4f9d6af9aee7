"""A privacy parameter that is altered while its old number stands in the prose is noticed, with both places.

The records below have the forms in which records of the OpenDP Deployments Registry state their numbers. With
STIRRED_REGISTRY, a folder of such records, every one of them is altered too.
"""

import os
import re
from fractions import Fraction
from pathlib import Path

import pytest

from stirred.verify.evidence.verdict import Verdict
from stirred.verify.records.record_audit import audit_record, read_record
from stirred.verify.records.registry import LETTERS
from stirred.verify.records.registry_fields import values_in_prose

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
    "between parentheses": (
        {"epsilon": "2.0"},
        {"details": r"yields (\\(\epsilon=2\\))-differential privacy."},
    ),
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
    "tau beside it": (
        {"epsilon": "1.0"},
        {"composition": r"With \\(\tau=450\\) and \\(\epsilon=1\\), once."},
    ),
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
