import re
from pathlib import Path

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.files.bounded_file import MAX_BYTES
from stirred.verify.records.record_audit import read_record

FIXTURES = Path(__file__).parent / "fixtures"
RECORD = "url_slug: a-b\ndeployment:\n  basic:\n    name: A\n"
PARAMETERS = "  privacy_loss:\n    privacy_parameters:\n"


def written(tmp_path, text):
    path = tmp_path / "r.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_numbers_keep_their_printed_form():
    record = read_record(FIXTURES / "library_loans.yaml")
    assert (record.slug, record.title) == ("loans-city-library-2024", "Loans per Branch")
    assert record.parameters["rho"].text == "0.50"
    assert record.formulas == {}
    assert record.unknown == ()
    assert record.text("basic.data_curators") == "A City Library"


def test_what_the_schema_does_not_have_is_named_and_not_guessed():
    record = read_record(FIXTURES / "unfamiliar_release.yaml")
    assert record.parameters == {}
    assert record.formulas == {"epsilon": "1 to 8, by query", "delta": "1/n^2"}
    assert set(record.unknown) == {
        "dp_variant.output_space",
        "privacy_loss.privacy_parameters.mu",
        "quantum_protection",
    }


def test_a_text_that_says_that_nothing_is_known_says_nothing():
    record = read_record(FIXTURES / "contradictory_survey.yaml")
    assert not record.says_something("dp_variant.unprotected_quantities")
    assert record.says_something("dp_variant.data_domain")
    assert not record.says_something("accounting.post_processing")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("- a\n- b", "must be a deployment record"),
        ("text", "must be a deployment record"),
        (
            "description: a schema\ntype: object",
            "url_slug: missing key; a deployment record must have it; the file has",
        ),
        ("url_slug: a", "deployment: missing key"),
        ("url_slug: a b\ndeployment: {basic: {name: A}}", "url_slug must be letters, digits"),
        ("url_slug: a\ndeployment: {basic: {}}", "deployment.basic.name: missing key"),
        ("url_slug: a\ndeployment: {}", "deployment.basic: missing key"),
        ("url_slug: a\ndeployment: [1]", "deployment must be a table"),
        (RECORD + "  dp_variant: words\n", "deployment.dp_variant must be a table; got 'words'"),
        (
            RECORD + PARAMETERS + "      rho: -1\n",
            "privacy_parameters.rho must be a number|privacy_parameters.rho must be",
        ),
        (
            RECORD + PARAMETERS + "      delta: 1.5\n",
            "privacy_parameters.delta must be at least 0 and below 1; got 1.5",
        ),
        (
            RECORD + PARAMETERS + "      epsilon: .inf\n",
            "privacy_parameters.epsilon must be a finite number; got '.inf'",
        ),
        (RECORD + PARAMETERS + "      epsilon: [1]\n", "privacy_parameters.epsilon must be a number; got a list"),
    ],
)
def test_a_file_that_is_no_record_is_refused_with_file_and_key(tmp_path, text, words):
    path = written(tmp_path, text)
    pattern = "|".join(re.escape(part) for part in words.split("|"))
    with pytest.raises(InputError, match=pattern) as caught:
        read_record(path)
    assert str(caught.value).startswith(str(path))
    assert "\n" not in str(caught.value)


def test_a_parameter_without_a_value_is_no_parameter(tmp_path):
    record = read_record(written(tmp_path, RECORD + PARAMETERS + "      epsilon:\n"))
    assert record.parameters == {}


def test_an_oversized_file_is_refused(tmp_path):
    path = written(tmp_path, RECORD + "# " + "x" * 1_000_000)
    with pytest.raises(InputError, match=f"must have at most {MAX_BYTES} bytes"):
        read_record(path)


@pytest.mark.parametrize("slug", ["office-of-korea--2021", "a", "A.b_c-", "x" * 200])
def test_a_slug_may_have_any_letters_digits_and_joints(tmp_path, slug):
    assert read_record(written(tmp_path, RECORD.replace("a-b", slug))).slug == slug


@pytest.mark.parametrize("text", ["N/A", "- N/A", "n/a.", "None", "Unknown", "Not specified", "No details provided."])
def test_words_for_nothing_say_nothing(tmp_path, text):
    record = read_record(written(tmp_path, RECORD + f"  dp_variant:\n    data_domain: |\n      {text}\n"))
    assert not record.says_something("dp_variant.data_domain")
