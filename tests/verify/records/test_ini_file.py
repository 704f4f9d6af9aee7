import re

import pytest

from stirred.spec.arguments import InputError
from stirred.verify.records.ini_file import load_ini


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
        ("[a]\nx = 1\nx = 2", "f: line 3: [a] x stands twice, with '1' and '2'"),
        ("[a]\nx = 1\nX = 2", "f: line 3: [a] X stands twice, with '1' and '2'"),
        ("[a]\nx = 1\nx = 1\n 2", "f: line 3: [a] x stands twice, with '1' and '1 2'"),
        ("[a]\nx = 1\n y = 2", "f: line 3: begins with a blank, so it would continue the value of x"),
        ("[a]\nx = 1\n [b]", "f: line 3: begins with a blank, so it would continue the value of x"),
        ("[a]\n" + "".join(f"k{i} = 1\n" for i in range(2_000)), "f: must have at most 2000 keys and sections; it has"),
        ("x = 1", "f: line 1: must be a [section]; got 'x = 1'"),
        ("[a]\nword", "f: line 2: must be 'key = value'; got 'word'"),
        ("[a]\nx = \x1b[31m", "f: line 2: must hold printable characters only"),
        ("[a]\n= 1", "f: line 2: must be 'key = value'"),
        ("", "f: must have sections"),
        ("[a]\n; c\n", "f: must have sections"),
    ],
)
def test_malformed_settings_are_refused_with_the_line(text, words):
    with pytest.raises(InputError, match=re.escape(words)):
        load_ini("f", text)
