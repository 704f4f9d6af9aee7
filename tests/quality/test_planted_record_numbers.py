"""A privacy parameter that is altered while its number stands in the text is noticed, and so is an altered number.

The records have the forms in which records of the OpenDP Deployments Registry state their numbers. With
STIRRED_REGISTRY, a folder of such records, every one of them is altered too.
"""

import os
import re
from fractions import Fraction
from pathlib import Path
from time import process_time

import pytest

from stirred.verify.audit.records.record_audit import audit_record, read_record
from stirred.verify.audit.records.registry import LETTERS, numbers_in_text
from stirred.verify.evidence.verdict import Verdict

FOLDER = Path(__file__).parents[1] / "verify" / "audit" / "records" / "fixtures" / "deployments"
RECORDS = [
    path
    for folder in (FOLDER, *(Path(os.environ[name]) for name in ("STIRRED_REGISTRY",) if name in os.environ))
    for path in sorted(folder.glob("*.yaml"))
    if re.search(r"(?m)^deployment:\s*$", path.read_text(encoding="utf-8"))
]

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
    "of": ({"epsilon": "4.0"}, {"description": '"a budget with an epsilon of 4 for words."'}),
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
    "between parentheses": (
        {"epsilon": "2.0"},
        {"details": r"yields (\\(\epsilon=2\\))-differential privacy."},
    ),
    "plain letters": ({"rho": "0.81"}, {"composition": "only that the final privacy guarantee is rho = 0.81 zCDP."}),
    "a conversion": (
        {"rho": "1.782696", "epsilon": "9.5", "delta": "1e-5"},
        {"details": r"\\(\rho = 1.782696\\), which is converted to \\((\epsilon = 9.5, \delta = 10^{-5})\\)-DP."},
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


@pytest.fixture
def form(tmp_path, request):
    parameters, texts = FORMS[request.param]
    return written(tmp_path / "form.yaml", parameters, **texts)


def findings(path):
    record = audit_record(read_record(path))
    return [answer.evidence for answer in record.answers if answer.question in ("prose", "numbers")]


def is_noticed(path, number, keys, before):
    """Whether a new finding that does not hold names the field with its number, and a text with another one."""
    said = [one.detail for one in findings(path) if not one.verdict.is_settled_for and one.detail not in before]
    return any(f"{number} in privacy_parameters" in words and any(key in words for key in keys) for words in said)


def altered_fields(tmp_path, path):
    """Every alteration of a field whose letter has a number in the text, and whether it is noticed."""
    text, record = path.read_text(encoding="utf-8"), read_record(path)
    before, other = {evidence.detail for evidence in findings(path)}, tmp_path / "altered.yaml"
    for name in record.parameters:
        keys = {one.key for one in numbers_in_text(record, LETTERS[name])}
        field = re.search(rf"(?m)^(\s+{name}:\s*'?)([^\s']+)", text)
        for altered in alterations(field[2]) if keys else ():
            other.write_text(text[: field.start(2)] + altered + text[field.end(2) :], encoding="utf-8")
            yield name, altered, is_noticed(other, altered, keys, before)


def raised_by_one(written_as):
    """The number with another first digit; a power of ten with another exponent."""
    exponent = re.fullmatch(r"(10\D+)(\d+)(\D*)", written_as)
    if exponent:
        return f"{exponent[1]}{int(exponent[2]) + 1}{exponent[3]}"
    return f"{int(written_as[0]) + 1}{written_as[1:]}"


@pytest.mark.parametrize("form", FORMS, indirect=True)
def test_an_altered_parameter_is_noticed_beside_the_number_in_the_text(tmp_path, form):
    tried = list(altered_fields(tmp_path, form))
    assert len(tried) >= 2 * len(read_record(form).parameters)
    assert [one for one in tried if not one[2]] == []


WRITTEN = re.compile(r"10[-−–]\d+|\d+(?:\.\d+)?(?:e[-−]\d+)?")


@pytest.mark.parametrize("form", FORMS, indirect=True)
def test_an_altered_number_in_the_text_is_noticed_beside_the_parameter(tmp_path, form):
    text, record, noticed = form.read_text(encoding="utf-8"), read_record(form), []
    start, other = text.index("privacy_parameters_details"), tmp_path / "altered.yaml"
    values = {number.value: number.text for number in record.parameters.values()}
    places = [*WRITTEN.finditer(text, start), *WRITTEN.finditer(text, 0, text.index("    publication_date"))]
    before = {evidence.detail for evidence in findings(form)}
    for found in places:
        digits = re.sub("10[-−–]", "1e-", found[0]).replace("−", "-")
        if Fraction(digits) in values:
            other.write_text(text[: found.start()] + raised_by_one(found[0]) + text[found.end() :], encoding="utf-8")
            keys = read_record(form).texts
            noticed.append(is_noticed(other, values[Fraction(digits)], keys, before))
    assert noticed
    assert all(noticed)


@pytest.mark.parametrize("form", FORMS, indirect=True)
def test_an_unaltered_record_is_accused_of_nothing(form):
    found = findings(form)
    assert [one.detail for one in found if one.verdict is Verdict.REFUTED or "none of these" in one.detail] == []
    assert any(one.verdict.is_settled_for and "in privacy_parameters; " in one.detail for one in found)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_an_altered_parameter_of_a_published_record_is_noticed(tmp_path, path):
    assert [one for one in altered_fields(tmp_path, path) if not one[2]] == []


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_no_published_record_is_refuted(path):
    assert [one.detail for one in findings(path) if one.verdict is Verdict.REFUTED] == []


def derivations(path):
    answers = audit_record(read_record(path)).answers
    return [(one.evidence.verdict, one.evidence.detail) for one in answers if one.question == "derivation"]


@pytest.mark.parametrize(
    ("record", "total", "wrong", "shown"),
    [
        ("births_synthetic", "9.98", "8.98", "it equals 2 * (4 + 0.99)"),
        ("hiring_reports", "4.8", "4.9", "it equals 4 * 1.2"),
        ("editor_activity", "2.0", "2.5", "it equals 1.1 + 0.9"),
        ("search_trends", "1.68", "1.86", "it equals 1.638 + 0.042"),
    ],
)
def test_a_total_that_is_altered_everywhere_is_noticed_beside_its_parts(tmp_path, record, total, wrong, shown):
    text = (FOLDER / f"{record}.yaml").read_text(encoding="utf-8")
    before = derivations(FOLDER / f"{record}.yaml")
    assert any(verdict is Verdict.EXHAUSTED and shown in detail for verdict, detail in before), before
    other = tmp_path / "altered.yaml"
    other.write_text(re.sub(rf"(?<![0-9.]){re.escape(total)}(?![0-9])", wrong, text), encoding="utf-8")
    assert any(
        verdict is Verdict.OPEN and f"{wrong} in privacy_parameters; no sum of" in detail
        for verdict, detail in derivations(other)
    )


@pytest.mark.parametrize(
    ("said", "verdict"),
    [
        ("2 * (4 + 0.99) = 9.98.", Verdict.EXHAUSTED),
        ("the whole is 9.98 = 2 × (4 + 0.99), as printed", Verdict.EXHAUSTED),
        ("4 * 1.2 = 4.8 and 4 * 1e-10 = 4e-10", Verdict.EXHAUSTED),
        ("4 * 1.2 = 4.9.", Verdict.OPEN),  # 4·1.225
        ("0.1 + 0.1 = 0.3", Verdict.OPEN),  # both may be 0.15, before they were rounded
        ("4 * 1.2 = 5.2.", Verdict.REFUTED),
        ("2 * (4 + 0.99) = 8.98", Verdict.REFUTED),
        ("1,000 + 1,000 = 3,000 files", Verdict.REFUTED),
        *(
            (said, None)
            for said in (
                "k + 2 * 3 = 10",
                "f(2 + 3) = 10",
                "4 and 2 * 3 = 10",
                "2 * 20 = 40%",
                "n = 4 (2 + 3)",
                "4 (2 + 3) = 20",
            )
        ),
        *(
            (said, None)
            for said in ("2 * 3 = 6k", "2 * 3 = 4 + 2", "1 / 0 = 5", "2 * 3 = 10 times", "version 2.3/4 = 1e99x")
        ),
    ],
)
def test_a_printed_equation_is_recomputed_where_it_is_read(tmp_path, said, verdict):
    path = written(tmp_path / "a.yaml", {"epsilon": "1"}, composition=said)
    found = [verdict for verdict, _ in derivations(path)]
    assert set(found) == (set() if verdict is None else {verdict})


def test_many_numbers_are_searched_in_bounded_time(tmp_path):
    said = " ".join(f"epsilon = 0.{n} for {n} of" for n in range(101, 999))
    path = written(tmp_path / "a.yaml", {"epsilon": "977.01"}, composition=said, details=said)
    start = process_time()
    assert derivations(path)
    assert process_time() - start < 5
