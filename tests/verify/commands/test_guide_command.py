"""`stirred guide`: a page, the list, and what is not there."""

import re

import pytest

from stirred.verify.cli import main
from stirred.verify.guide import pages


def test_without_a_topic_it_lists_all_with_a_line_each(capsys):
    assert main(["guide"]) == 0
    listed = [line.split(maxsplit=1) for line in capsys.readouterr().out.splitlines()]
    assert listed == [[topic, one.summary] for topic, one in pages().items()]
    assert all(re.fullmatch(r"[A-Z].*\.", summary) for _, summary in listed)


@pytest.mark.parametrize("topic", pages())
def test_a_topic_prints_its_page(capsys, topic):
    assert main(["guide", topic]) == 0
    assert capsys.readouterr().out == pages()[topic].text


@pytest.mark.parametrize(
    ("topic", "hint"),
    [("survey", "did you mean 'surveys'?"), ("Getting Started", "did you mean 'getting-started'?"), ("x", "known: ")],
)
def test_an_unknown_topic_is_one_line(capsys, topic, hint):
    assert main(["guide", topic]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
    assert hint in captured.err
