"""Mutants of sentences: which there are, and which of them cases refute."""

import pytest

from stirred.spec.laws.law import uniform_law
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger.book import claim
from stirred.verify.ledger.failures import unless
from stirred.verify.ledger.functions import text_of
from stirred.verify.ledger.mutated import mutants_of, tried
from stirred.verify.ledger.quantifiers import cases, every, some
from stirred.verify.ledger.statement import unsettled
from stirred.verify.ledger.words import hamming


@cases("x of 0, 1, 2", "x")
def few():
    return range(3)


@cases("pairs below 3", "a b")
def pairs():
    return ((a, b) for a in range(3) for b in range(3))


def told_apart(a, b):
    return a - b


def is_above(a, b):
    return told_apart(a, b) > 0


def implied(x, least):
    return not x > least or x == 7


def at_most(x, most):
    return x <= most


def mutants(says, numbers=()):
    return [one.says for one in mutants_of(says, numbers)]


@pytest.mark.parametrize(
    ("says", "expected"),
    [
        # relations: what says more where the sentence asserts it, what says less in a hypothesis
        ("a <= b", ["a < b"]),
        ("a >= b", ["a > b"]),
        ("a != b", ["a < b", "a > b"]),
        ("a < b", []),
        ("a == b", []),
        ("a <= b < c", ["a < b < c"]),
        ("not a < b", ["not a <= b"]),
        ("not a <= b", []),
        ("not a == b", ["not a <= b", "not a >= b"]),
        ("(a < b) == c", ["(a <= b) == c"]),
        # parts: each is made false that is no negation, and hypotheses go
        ("a == b or c == d", ["a == b", "c == d"]),
        ("not a == b or c == d", ["not a == b", "c == d", "not a <= b or c == d", "not a >= b or c == d"]),
        ("a == b and c == d", []),
        ("not (a in b and c in d)", ["not (c in d)", "not (a in b)"]),
        ("a == b if c in d else a == c", ["False if c in d else a == c", "a == b if c in d else False"]),
        # quantifiers and their conditions
        ("all(a == b for a in s)", ["all((False for a in s))"]),
        ("any(a == b for a in s if a in t)", ["all((a == b for a in s if a in t))"]),
        ("any(a == b for a in s)", ["all((a == b for a in s))"]),
        ("all(a == b for a in s if a in t)", ["all((False for a in s if a in t))", "all((a == b for a in s))"]),
        # numbers: the opposite operation, another extreme, one more or less
        ("a + b == c", ["a - b == c"]),
        ("a / b == c * d", ["a * b == c * d", "a / b == c / d"]),
        ("a | b == c & d", ["a & b == c & d", "a | b == c | d"]),
        ("-a == b", ["a == b"]),
        ("max(a, b) == c", ["min(a, b) == c"]),
        ("a == 2", ["a == 3", "a == 1"]),
        ("a**2 == b", ["a ** 3 == b", "a ** 1 == b"]),
        ("a**k == b", ["a ** (k + 1) == b", "a ** (k - 1) == b"]),
        ("a == True", []),
        # a word of two values
        ("told_apart(a, b) == c", ["told_apart(b, a) == c"]),
        ("told_apart(a, a) == c", []),
        ("comb(a, b) == c", []),
        ("get(a, b, 0) == c", []),
    ],
)
def test_the_mutants_of_a_sentence(says, expected):
    assert text_of(lambda a, b: told_apart(a, b) > 0) == "told_apart(a, b) > 0"  # which defines the word
    assert mutants(says) == expected


def test_a_constant_of_the_check_is_one_more_or_less():
    assert mutants("a == most", ["most"]) == ["a == most + 1", "a == most - 1"]
    assert mutants("a == most") == []


def test_a_word_that_is_true_or_false_has_mutants_by_the_sign_of_its_place():
    text = text_of(lambda a, b: not is_above(a, b))
    assert [one.says for one in mutants_of(text)][:2] == ["not is_above(b, a)", text]
    bodies = {dict(one.words)["is_above(a, b)"] for one in mutants_of(text) if one.says == text}
    assert bodies == {
        *("told_apart(a, b) >= 0", "told_apart(a, b) > 1", "told_apart(a, b) > -1", "told_apart(b, a) > 0")
    }


def test_a_word_that_is_a_number_keeps_its_meaning():
    says = text_of(lambda a, b: hamming(a, b) <= 1)
    assert {dict(one.words)["hamming(x, y)"] for one in mutants_of(says)} == {"less(x, y) if len(x) == len(y) else oo"}


def said(mutants):
    return {one.says for one in mutants}


def test_a_bound_that_is_reached():
    found = tried(every(few, lambda x: x <= 2))
    assert said(found.refuted) == {"x < 2", "x <= 1"}
    assert said(found.survivors) == {"x <= 3"}
    assert not found.outside
    assert not found.idle
    assert found.cases == 3


def test_a_bound_that_no_case_is_near_is_idle():
    found = tried(every(few, lambda x, most: x <= most, most=9))
    assert said(found.survivors) == {"x < most", "x <= most + 1", "x <= most - 1"}
    assert found.idle == ["x <= most"]


@pytest.mark.parametrize(
    ("check", "idle"),
    [
        (every(few, lambda x: not x > 5 or x == 7), ["not x > 5 or x == 7 => not x > 5", "x == 7"]),
        (every(few, lambda x: not x > 1 or x == 2), []),
        (every(few, lambda x: x < 3 or x == 7), ["x < 3 or x == 7 => x < 3", "x == 7"]),
        (every(few, lambda x: x == 7 or x < 3), []),
        (
            every(few, lambda x: x == 7 if x > 5 else x < 3),
            ["x == 7", "x == 7 if x > 5 else x < 3 => False if x > 5 else x < 3"],
        ),
        (
            every(few, lambda x: all(y == 7 for y in range(x - 2))),
            ["all((y == 7 for y in range(x - 2))) => all((False for y in range(x - 2)))", "y == 7"],
        ),
        (every(few, lambda x: all(y < 2 for y in range(x))), []),
        (every(few, lambda x: all(y <= 9 for y in range(x))), ["y <= 9"]),
        (every(few, lambda x: x >= 0 and x <= 7), ["x <= 7"]),
        (every(few, lambda x: x >= 0 and x < 7), []),
        (every(few, lambda x: implied(x, 5)), ["implied: not x > least or x == 7 => not x > least"]),
        (every(few, lambda x: at_most(x, 2)), []),
        (every(few, lambda x: at_most(x, 9)), ["x <= most"]),
        (every(few, lambda x: x >= 0 and implied(x, 5)), []),
        (some(few, lambda x: x == 7 or x < 1), []),
        (some(few, lambda x: x == 7 or x < 3), [""]),
    ],
)
def test_a_part_that_no_case_decides_is_idle(check, idle):
    assert tried(check).idle == idle


def test_more_cases_are_compared_only_where_something_would_be_idle():
    many = cases("0 <= x < 50", "x")(lambda: range(50))
    assert tried(every(many, lambda x: x <= 49), cases=5).cases == 50
    assert tried(every(many, lambda x: x >= 0), cases=5).cases == 5


def test_a_mutant_without_a_value_is_neither_refuted_nor_a_survivor():
    found = tried(every(few, lambda x: [0, 0, 0][x] == 0))
    assert "[0, 0, 0][x] == 1" in said(found.refuted)
    lists = cases("a list", "t")(lambda: [(5,)])
    assert said(tried(every(lists, lambda t: t[0] == 5)).outside) == {"t[1] == 5"}


def test_an_existence_is_compared_with_the_case_that_it_names():
    found = tried(some(pairs, lambda a, b: a + b >= 1))
    assert said(found.refuted) == {"a - b >= 1", "a + b > 1", "a + b >= 2"}
    assert found.cases == 1


def is_small(a, b) -> Witness | None:
    return unless("a + b <= 4", a=a, b=b)


def test_a_property_is_the_sentences_that_it_compares():
    found = tried(every(pairs, is_small))
    assert said(found.refuted) == {"a + b < 4", "a + b <= 3"}
    assert said(found.survivors) == {"a - b <= 4", "a + b <= 5"}


def test_laws_are_compared_as_sentences_know_them():
    laws = cases("a law", "p")(lambda: [uniform_law((0, 1))])
    assert "p[0] < p[1]" in said(tried(every(laws, lambda p: p[0] <= p[1])).refuted)


def test_what_compares_no_cases_has_no_mutants():
    assert tried(unsettled("no data")).cases == 0
    assert not tried(claim("phsafe.sensitivity.tables-added").checks[0]).idle


def test_what_takes_too_long_is_neither_refuted_nor_idle():
    found = tried(every(few, lambda x: x <= 9), seconds=0)
    assert len(found.outside) == 3
    assert not found.idle
