import re

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.records.safe_yaml import MAX_DEPTH, MAX_NODES, load_yaml


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
        ("a: 1\na: 2", "x: line 2: the key 'a' stands twice"),
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
