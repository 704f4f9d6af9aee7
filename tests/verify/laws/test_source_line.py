"""What a mechanism raises is told with the line of its own code, whoever's function raised it."""

import subprocess
import sys
from pathlib import Path

import pytest
from claim_texts import audited, replaced

from stirred.spec import InputError
from stirred.verify.laws.source_line import line_of_code

CLAIM = """\
id = "own"
statement = "A mechanism of my own satisfies epsilon = 1."
[domain]
data_sets = [0, 1]
[multiverse]
invariants = []
[input_premetric]
name = "absolute_difference"
resolution = "person"
[output_premetric]
name = "multiplicative"
[budget]
epsilon = 1
[mechanism]
function = "mine:FUNCTION"
"""
CODE = """\
from fractions import Fraction
def helper(n):
    return Fraction(1, n)
def divides(x, source):
    return helper(x)
def rounds(x, source):
    p = 0.5
    return source.bernoulli(p)
def inside_a_library(x, source):
    words = "one"
    return Fraction(words)
def outside_of_any_line(x, source):
    return 0.5
"""


@pytest.mark.parametrize(
    ("name", "ending"),
    [
        ("divides", "it raised ZeroDivisionError: Fraction(1, 0) (mine.py, line 3)"),
        ("rounds", "write Fraction('0.5') (mine.py, line 8)"),
        ("inside_a_library", "it raised ValueError: Invalid literal for Fraction: 'one' (mine.py, line 11)"),
        ("outside_of_any_line", "or write it as a Fraction or a text"),
    ],
)
def test_the_message_ends_with_the_file_and_line(tmp_path, name, ending):
    (tmp_path / "mine.py").write_text(CODE)
    with pytest.raises(InputError) as raised:
        audited(tmp_path, replaced(CLAIM, ("FUNCTION", name)))
    assert str(raised.value).endswith(ending)
    assert "\n" not in str(raised.value)


def test_what_no_line_of_a_users_own_raised_has_none():
    try:
        int("x")
    except ValueError as error:
        here = line_of_code(error)
    assert here.startswith("test_source_line.py, line ")
    assert line_of_code(ValueError()) == ""
    assert line_of_code(SyntaxError("x", ("/somewhere/m.py", 7, 1, "def"))) == "m.py, line 7"
    assert line_of_code(SyntaxError("x", ("<string>", 7, 1, "def"))) == ""


def test_the_installed_command_names_the_users_line_too(tmp_path):
    """An installation may be a folder of links to these files."""
    (tmp_path / "own.toml").write_text(CLAIM.replace("FUNCTION", "rounds"))
    (tmp_path / "mine.py").write_text(CODE)
    command = [str(Path(sys.executable).with_name("stirred")), "audit", "own.toml"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 2
    assert "(mine.py, line 8)" in done.stderr
