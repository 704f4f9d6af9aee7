import re
from fractions import Fraction
from pathlib import Path

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.audit.records.record_audit import read_record
from stirred.verify.evidence.files.bounded_file import MAX_BYTES
from stirred.verify.evidence.files.exact_json import NumberText, json_number, load_json
from stirred.verify.evidence.files.ini_files import load_ini
from stirred.verify.evidence.files.safe_yaml import MAX_DEPTH, MAX_NODES, load_yaml


def test_numbers_are_kept_as_written_and_are_exact():
    content = load_json("x", '{"a": 0.10, "b": 3, "c": "0.1"}')
    assert content == {"a": "0.10", "b": "3", "c": "0.1"}
    assert [type(value) for value in content.values()] == [NumberText, NumberText, str]
    assert json_number("a", content["a"]) == Fraction(1, 10)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('{"a": 1, "a": 2}', "x: duplicate key 'a'"),
        ('{"\\u001b[31m": 1}', "x: a key must hold printable characters only"),
        ('{"a": NaN}', "x: numbers must be finite; got NaN"),
        ('{"a": -Infinity}', "x: numbers must be finite; got -Infinity"),
        ('{\n"a": }', "x: line 2: invalid JSON"),
        ("[" * 100_000, "x: invalid JSON: nested too deeply"),
    ],
)
def test_malformed_json_is_refused_in_one_line(text, words):
    with pytest.raises(InputError, match=re.escape(words)):
        load_json("x", text)


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (NumberText("-0.5"), "k must be non-negative; got -0.5"),
        (NumberText("1e9999"), "k must have an exponent of at most three digits"),
        ("0.5", "k must be a number; got '0.5'"),
        (None, "k must be a number; got null"),
        ({"a": 1}, "k must be a number; got a table"),
        ([1], "k must be a number; got an array"),
        ("1" * 100, f"k must be a number; got '{'1' * 59}…"),
        (True, "k must be a number; got true"),
    ],
)
def test_what_is_no_budget_is_refused(value, words):
    with pytest.raises(InputError, match=re.escape(words)):
        json_number("k", value)


def test_values_are_read_literally():
    text = "# c\n[a]\nx = $HOME/${y}, %(z)s\ny: 2 = 3\nlong = one\n  two\nempty =\n[b]\nx = 1\n"
    ini = load_ini("f.ini", text)
    assert ini.values == {
        ("a", "x"): "$HOME/${y}, %(z)s",
        ("a", "y"): "2 = 3",
        ("a", "long"): "one two",
        ("a", "empty"): "",
        ("b", "x"): "1",
    }
    assert ini.sections == ("a", "b")
    assert ini.where("a", "x") == "f.ini: [a] x"


def test_a_key_of_default_stands_in_every_section_that_does_not_set_it():
    ini = load_ini("f.ini", "[a]\nx = 1\n[b]\n[DEFAULT]\nx = 2\ny = 3\n")
    assert [ini.get(section, "x") for section in ("a", "b", "c", "DEFAULT")] == ["1", "2", None, "2"]
    assert (ini.keys("a"), ini.keys("b"), ini.keys("c")) == (("x", "y"), ("x", "y"), ())
    assert (ini.where("a", "x"), ini.where("a", "y")) == ("f.ini: [a] x", "f.ini: [DEFAULT] y")


def test_a_key_that_stands_twice_with_one_value_is_noted():
    assert load_ini("f", "[a]\nx = 1\nx = 1").repeated == (("a", "x"),)


def test_letters_of_a_key_are_large_or_small_and_those_of_a_section_are_not():
    ini = load_ini("f.ini", "[a]\nGlobal_Scale = 1\n[DEFAULT]\nglobal_scale = 2\n[b]\n")
    assert [ini.get(section, "GLOBAL_scale") for section in ("a", "b", "A")] == ["1", "2", None]
    assert (ini.where("a", "global_scale"), ini.keys("a")) == ("f.ini: [a] Global_Scale", ("Global_Scale",))
    assert load_ini("f", "[a]\nx = 1\nX = 1").repeated == (("a", "x"),)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[a]\nx = 1\nx = 2", "f: line 3: [a] x is set twice, to '1' and '2'"),
        ("[a]\nx = 1\nX = 2", "f: line 3: [a] X is set twice, to '1' and '2'"),
        ("[a]\nx = 1\nx = 1\n 2", "f: line 3: [a] x is set twice, to '1' and '1 2'"),
        ("[a]\nx = 1\n y = 2", "f: line 3: begins with a blank, so it would continue the value of x"),
        ("[a]\nx = 1\n [b]", "f: line 3: begins with a blank, so it would continue the value of x"),
        ("[a]\n" + "".join(f"k{i} = 1\n" for i in range(2_000)), "f: must have at most 2000 keys and sections; it has"),
        ("x = 1", "f: line 1: must be a [section]; got 'x = 1'"),
        ("[a]\nword", "f: line 2: must be 'key = value'; got 'word'"),
        ("[a]\nx = \x1b[31m", "f: line 2: must hold printable characters only"),
        ("[a]\n= 1", "f: line 2: must be 'key = value'"),
        ("", "f: has no sections"),
        ("[a]\n; c\n", "f: has no sections"),
    ],
)
def test_malformed_settings_are_refused_with_the_line(text, words):
    with pytest.raises(InputError, match=re.escape(words)):
        load_ini("f", text)


def test_every_scalar_stays_its_text():
    text = "rho: 2.630\ndelta: 1e-10\nday: 2024-01-01\nyes: yes\nlist: [1, '2']\nblock: |\n  a\n  b\n"
    assert load_yaml("x", text) == {
        "rho": "2.630",
        "delta": "1e-10",
        "day": "2024-01-01",
        "yes": "yes",
        "list": ["1", "2"],
        "block": "a\nb\n",
    }


def test_an_empty_value_is_none_and_a_quoted_one_is_a_text():
    assert load_yaml("x", "a:\nb: ''\nc: null\nd: 'null'") == {"a": None, "b": "", "c": None, "d": "null"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: &b 1", "x: line 1: anchors and aliases are not accepted"),
        ("a: *b", "x: line 1: anchors and aliases are not accepted"),
        ("a: 1\nb: !!python/object/apply:os.system [ls]", "x: line 2: tags are not accepted"),
        ("!!binary aGk=", "x: line 1: tags are not accepted"),
        ("a: 1\n---\nb: 2", "x: line 2: must hold one YAML document"),
        ("a: 1\na: 2", "x: line 2: duplicate key 'a'"),
        ("[1]: 2", "x: line 1: a key must be a text"),
        ("a: [1", "x: line 1: invalid YAML"),
        ("a: b: c", "x: line 1: invalid YAML"),
        ("", "x: must hold a YAML document"),
        ("a: \x00", "x: invalid YAML"),
        ('a: "\\e[31m"', "x: line 1: control characters are not accepted"),
        ("[" * (MAX_DEPTH + 1), f"x: line 1: must be nested at most {MAX_DEPTH} deep"),
        ("[" * 100_000, f"x: line 1: must be nested at most {MAX_DEPTH} deep"),
        ("a:\n" + "- x\n" * MAX_NODES, f"must have at most {MAX_NODES} nodes"),
    ],
)
def test_what_a_plain_document_does_not_have_is_refused(text, words):
    with pytest.raises(InputError, match=re.escape(words)) as caught:
        load_yaml("x", text)
    assert "\n" not in str(caught.value)


def test_a_bomb_of_aliases_is_refused_at_its_first_anchor():
    levels = "\n".join(f"a{i}: &a{i} [{', '.join([f'*a{i - 1}'] * 9)}]" for i in range(1, 10))
    with pytest.raises(InputError, match="line 1: anchors"):
        load_yaml("x", f"a0: &a0 lol\n{levels}")


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
