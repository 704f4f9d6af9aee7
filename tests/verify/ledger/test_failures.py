"""Failures of properties: what a witness carries."""

from stirred.verify.certificates.replay import replay
from stirred.verify.ledger.failures import failure


def test_value_may_have_the_name_of_a_word() -> None:
    """`moved` is a word that counts the moved points of a permutation, and here also a number."""
    found = failure("moved + moved(g) < 3", moved=1, g=(1, 0))
    assert list(found["where"]) == ["moved(g)"]
    assert "left 3" in replay(found)


def test_word_that_another_word_uses_may_have_the_name_of_a_value() -> None:
    found = failure("symmetric_difference(x, less) < 1", x=("a",), less=("b",))
    assert "less(x, y)" in found["where"]
    assert "left 2" in replay(found)
