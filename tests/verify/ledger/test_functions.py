"""Sentences as functions: what they are read as, and what is refused."""

from fractions import Fraction
from itertools import permutations

import pytest

from stirred.verify.evidence.finding import EngineError
from stirred.verify.ledger.failures import unless, words_of
from stirred.verify.ledger.functions import text_of
from stirred.verify.ledger.language_names import get, ln, oo
from stirred.verify.ledger.words import hamming
from stirred.verify.ledger.words import moved as moved_points

HALF = Fraction(1, 2)
LEAST = -1
KINDS = ("a", ("b",))
LIST = [1, 2]


def twice(x):
    """Of a number."""
    return x + x


def steps(n):
    return 0 if n == 0 else 1 + steps(n - 1)


def other_words():
    def twice(x):
        return x * 2

    return lambda x: twice(x) + 0


def typed(x: int) -> int:
    return x


def at(rate):
    return lambda p: p <= rate


@pytest.mark.parametrize(
    ("sentence", "text"),
    [
        (lambda k, more: k + more >= LEAST, "k + more >= (-1)"),
        (lambda p: get(p, 0, oo) < HALF, "get(p, 0, oo) < (1/2)"),
        (lambda k: k in KINDS, "k in ('a', ('b',))"),
        (lambda g: moved_points(g) == len(list_of(g)), "moved(g) == len(list_of(g))"),
        (
            lambda x: all(hamming(x, y) >= 0 for y in permutations(x)),
            "all(hamming(x, y) >= 0 for y in permutations(x))",
        ),
        (twice, "x + x"),
        (at(Fraction(1, 3)), "p <= (1/3)"),
        (at(2), "p <= 2"),
    ],
)
def test_what_a_sentence_says(sentence, text):
    assert text_of(sentence) == text


def list_of(x):
    return [y for y in x if y in x]


def test_an_expression_of_many_lines_is_shown_on_one():
    says = text_of(
        lambda x: (
            x,
        )
        != max(
            0,
            len("a  b"),  # two blanks
        )
    )  # fmt: skip
    assert says == '(x,) != max(0, len("a  b"))'


def test_lambdas_of_one_line_are_told_apart():
    first, second = [lambda x: x + 1, lambda x: x + 1 + 0]
    outer = lambda y: lambda x: x * y
    assert [text_of(first), text_of(second), text_of(outer(3))] == ["x + 1", "x + 1 + 0", "x * 3"]


def test_words_are_defined_with_those_that_they_use():
    assert unless(lambda n: steps(n) == n, n=5) is None
    assert words_of(text_of(lambda x, y: twice(hamming(x, y)) == 0)).keys() >= {
        "twice(x)",
        "hamming(x, y)",
        "less(x, y)",
    }
    assert unless(lambda n: steps(n) == n + 1, n=2)["where"] == {"steps(n)": "0 if n == 0 else 1 + steps(n - 1)"}


@pytest.mark.parametrize(
    ("sentence", "reason"),
    [
        (lambda x: x.real, "not in the language of cases: Attribute"),
        (lambda x: f"{x}", "not in the language of cases"),
        (lambda x: max(x, key=len), "not in the language of cases: keyword"),
        (lambda x: typed(x) > 0, "typed is neither a function of the language"),
        (lambda x: print(x) == 0, "print is neither a function of the language"),
        (lambda x: x in LIST, "LIST is neither a function of the language nor a word nor a constant"),
        (lambda x: unheard_of(x) > 0, "unheard_of is not defined here"),  # noqa: F821
        (lambda moved: moved_points(moved) == 0, "moved names both a word and a value here"),
        (at([1]), "rate must be a number, a text or a tuple"),
        (typed, "must be a function that is one expression"),
        (pytest.raises, "must be a function that is one expression"),
        (other_words, "cannot read a one-expression function here"),
    ],
)
def test_what_is_outside_is_refused(sentence, reason):
    with pytest.raises(EngineError, match=reason):
        text_of(sentence)


def doubled(x):
    return x * 2


def test_a_word_has_one_meaning(monkeypatch):
    text_of(lambda x: twice(x) + 0)
    monkeypatch.setattr(doubled, "__name__", "twice")
    with pytest.raises(EngineError, match="the word twice is defined twice"):
        text_of(lambda x: doubled(x) + 1)


def test_a_function_around_a_sentence_gives_it_no_words():
    with pytest.raises(EngineError, match="twice must be a number"):
        text_of(other_words())


def test_names_of_the_language_are_not_called():
    with pytest.raises(TypeError, match="read and not called"):
        ln(2)
