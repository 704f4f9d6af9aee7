"""Failures of properties: what a witness carries."""

from stirred.verify.certificates.replay import replay
from stirred.verify.ledger.failures import failure
from stirred.verify.ledger.words import symmetric_difference


def test_word_that_another_word_uses_may_have_the_name_of_a_value() -> None:
    found = failure(lambda x, less: symmetric_difference(x, less) < 1, x=("a",), less=("b",))
    assert "less(x, y)" in found["where"]
    assert "left 2" in replay(found)
