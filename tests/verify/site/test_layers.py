"""Drawings of what rests on what."""

import re

import pytest

from stirred.verify.site.proof_pages import Node, drawing, reduced

CHAIN = {"a": [], "b": ["a"], "c": ["a", "b"], "d": []}


def places(edges):
    """The left edge of each box."""
    drawn = drawing([Node(name, "closed", f"#{name}") for name in edges], edges, "x")
    return {name: int(x) for x, name in re.findall(r'<rect class="closed" x="(\d+)".*?<text[^>]*>(\w+)</text>', drawn)}


def test_a_box_stands_to_the_right_of_what_it_uses():
    found = places(CHAIN)
    assert found["a"] < found["b"] < found["c"]
    assert found["a"] == found["d"]


def test_an_arrow_that_others_imply_is_left_out():
    assert reduced(CHAIN) == {"a": set(), "b": {"a"}, "c": {"b"}, "d": set()}
    assert drawing([Node(name, "closed", "#") for name in CHAIN], CHAIN, "x").count("<path") == 2


def test_nothing_is_drawn_of_what_is_no_node():
    assert "<path" not in drawing([Node("b", "closed", "#b")], CHAIN, "x")


@pytest.mark.parametrize("edges", [{"a": ["a"]}, {"a": ["b"], "b": ["a"]}])
def test_a_circle_ends(edges):
    assert len(reduced(edges)) == len(edges)


def test_a_name_is_text():
    drawn = drawing([Node("<b>", "closed", '"><script>')], {"<b>": []}, "<i>")
    assert not re.search(r"<(b|i|script)>", drawn)
