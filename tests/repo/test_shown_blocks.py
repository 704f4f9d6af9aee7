"""The runner of shown blocks finds what differs, and only that."""

import sys
from pathlib import Path

import pytest
from shown_blocks import agrees, commands, differences, fences, shown_file

HERE = Path(sys.executable).parent
PAGE = """\
The file `words.txt`:

```text
one
two
```

```console
$ cat words.txt
one
…
$ cat absent; echo \\
  said
{shown}
```

```console tables
$ echo other
```
"""


def test_a_file_is_shown_by_the_line_before_it():
    blocks = list(fences(PAGE))
    assert [shown_file(block) for block in blocks] == ["words.txt", None, None]
    assert [block.line for block in blocks] == [4, 9, 18]


def test_what_is_shown_is_compared_on_every_line(tmp_path):
    right = PAGE.format(shown="said\ncat: … No such file or directory")
    assert differences(right, HERE, tmp_path, installed=()) == []
    wrong = PAGE.format(shown="told\ncat: … No such file or directory")
    (found,) = differences(wrong, HERE, tmp_path, installed=())
    assert found.command.line == 12
    assert "shown:\ntold" in str(found)
    assert "printed:\nsaid" in str(found)


def test_what_a_block_needs_decides_whether_it_runs(tmp_path):
    page = PAGE.format(shown="…")
    assert differences(page, HERE, tmp_path, installed=("plot",)) == []
    assert [one.printed for one in differences(page, HERE, tmp_path, installed=("tables",))] == ["other\n"]
    assert [one.printed for one in differences(page, HERE, tmp_path)] == ["other\n"]


def test_the_status_of_a_command_is_that_of_the_one_before(tmp_path):
    assert differences("```console\n$ (exit 3)\n$ echo $?\n3\n$ echo $?\n0\n```\n", HERE, tmp_path) == []


def test_dots_hide_no_failure(tmp_path):
    (found,) = differences("```console\n$ stirred audit absent.toml\n…\n```\n", HERE, tmp_path)
    assert "absent.toml" in found.printed
    assert differences("```console\n$ stirred audit absent.toml\nstirred: absent.toml: …\n```\n", HERE, tmp_path) == []


def test_a_command_sees_a_terminal_of_80_columns(tmp_path):
    page = "```console\n$ test -t 1 && echo $COLUMNS\n80\n$ test -t 2 || echo pipe\npipe\n```\n"
    assert differences(page, HERE, tmp_path) == []


@pytest.mark.parametrize(
    ("shown", "printed", "expected"),
    [
        ("a\n", "a\n", True),
        ("a\n", "a  \n\n", True),
        ("a\n", "a\nb\n", False),
        ("a\n…\n", "a\n", True),
        ("a\n…\nd\n", "a\nb\nc\nd\n", True),
        ("a\n…\nd\n", "a\nb\nc\n", False),
        ("a … c\n", "a b c\n", True),
        ("a … c\n", "a b\nc\n", False),
        ("", "a\n", False),
        ("(a|b).*\n", "a\n", False),
    ],
)
def test_dots_stand_for_lines_or_for_text(shown, printed, expected):
    assert agrees(shown, printed) is expected


def test_a_block_begins_with_a_command():
    with pytest.raises(ValueError, match="line 2: a console block must begin with a command"):
        list(commands(next(fences("```console\nsaid\n```\n"))))
