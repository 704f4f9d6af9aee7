"""The engine: it enumerates, counts, finds the first case that fails, and its witness carries that case.

Checks that no perturbed case can make fail are found, and no others.
"""

from fractions import Fraction

import pytest

from stirred.spec.laws.law import uniform_law
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger.failures import failure, unless
from stirred.verify.ledger.perturbed import can_fail
from stirred.verify.ledger.quantifiers import cases, every, found_by, some
from stirred.verify.ledger.statement import argued, printed, unsettled
from stirred.verify.ledger.words import hamming


@cases("1 <= n <= 9", "n")
def small():
    return range(1, 10)


@cases("pairs below 3", "a b")
def pairs():
    return ((a, b) for a in range(3) for b in range(3))


@cases("nothing", "n")
def nothing():
    return ()


def bounded(n, *, most=9) -> Witness | None:
    return unless("n <= most", n=n, most=most) if most == 9 else unless("n + 0 <= most", n=n, most=most)


def test_every_case_is_counted():
    evidence = every(small, bounded).run()
    assert (evidence.verdict, evidence.scope, evidence.detail) == (Verdict.EXHAUSTED, "1 <= n <= 9", "9 cases")
    assert every(small, bounded, verdict=Verdict.ENCLOSED).run().verdict is Verdict.ENCLOSED


def test_the_first_failing_case_is_the_witness():
    evidence = every(small, lambda n, most: n * n <= most, most=20).run()
    assert evidence.verdict is Verdict.REFUTED
    assert evidence.witness["case"] == {"n": 5, "most": 20}
    assert "n = 5" in replay(evidence.witness)


def test_a_constant_makes_the_mutant():
    assert every(small, bounded, most=4).run().witness["case"]["n"] == 5


def test_a_case_with_parts_goes_to_the_names():
    evidence = every(pairs, lambda a, b: a * b <= 1).run()
    assert evidence.witness["case"] == {"a": 1, "b": 2}


def test_no_case_shows_nothing():
    for check in (every(nothing, lambda n: n + 0 <= 1), some(nothing, lambda n: n + 0 <= 1)):
        with pytest.raises(EngineError, match="no case"):
            check.run()


def test_some_case_is_named_or_all_are_the_witness():
    found = some(pairs, lambda a, b: a * b == 4).run()
    assert (found.verdict, found.detail) == (Verdict.EXHAUSTED, "a = 2, b = 2")
    none = some(pairs, lambda a, b: a * b == 3).run()
    assert none.verdict is Verdict.REFUTED
    assert len(none.witness["case"]["cases"]) == 9
    assert "any(a * b == 3 for a, b in cases)" in replay(none.witness)


def other_for_each(n) -> Witness | None:
    return unless(f"n + {n} == 0", n=n)


def test_some_needs_one_expression():
    with pytest.raises(EngineError, match="must fail by the same expression"):
        some(small, other_for_each).run()


def test_a_property_that_reports_no_failure_is_found_out():
    def wrong(n) -> Witness | None:
        return {**failure("n*n == 0", n=n), "claimed": "n*n == n*n"}

    with pytest.raises(EngineError, match="does not fail on replay"):
        every(small, wrong).run()


@pytest.mark.parametrize(
    ("claimed", "case", "said"),
    [
        ("broken == 0", {"broken": 1}, "compares bare constants"),
        ("a <= b", {"a": 2, "b": 1}, "compares bare constants"),
        ("0 == 1", {}, "compares bare constants"),
        ("holds == True", {"holds": False}, "compares bare constants"),
        ("n*n == 0", {"n": 1, "m": 2}, "must use the values of its case"),
        ("n*m == 0", {"n": 1}, "must use the values of its case"),
    ],
)
def test_a_witness_that_would_show_nothing_is_refused(claimed, case, said):
    with pytest.raises(EngineError, match=said):
        failure(claimed, **case)


def test_what_cannot_be_decided_is_an_engine_failure():
    with pytest.raises(EngineError, match="cannot be decided"):
        unless("sqrt(n)*sqrt(n) == n", n=2)


def test_a_witness_defines_the_words_that_it_uses_and_no_others():
    witness = failure(lambda x, y: hamming(x, y) <= 0, x=(0,), y=(1,))
    assert {head.split("(")[0] for head in witness["where"]} == {"hamming", "less", "count"}


def test_other_answers_say_what_they_are():
    assert argued("all x", proof="As\n  follows.").run() == Evidence(Verdict.ARGUED, "all x", "As follows.")
    assert unsettled("nothing reaches it").run().verdict is Verdict.OPEN
    engine = found_by(lambda n: Evidence(Verdict.EXHAUSTED, f"n = {n}"), 3)
    assert engine.run().scope == "n = 3"
    assert every(small, bounded).place.endswith("test_quantifiers.py::bounded")


def test_an_expression_leaves_parts_of_a_case_out_but_no_constant():
    assert every(pairs, lambda a, most: a + 0 <= most, most=1).run().witness["case"] == {"a": 2, "most": 1}
    with pytest.raises(EngineError, match="every constant"):
        every(pairs, lambda a: a + 0 <= 5, most=1)
    with pytest.raises(EngineError, match="must use parts of the case"):
        every(pairs, lambda a, c: a <= c)


numbers = cases("a and b", "a b")(lambda: [(Fraction(a), Fraction(b)) for a in range(4) for b in range(4)])
laws = cases("laws of three outcomes", "p q")(
    lambda: [({0: Fraction(1, 2), 1: Fraction(1, 2)}, {0: Fraction(1, 4), 1: Fraction(3, 4)})]
)
same = cases("a, and a again", "a b")(lambda: [(a, a) for a in range(5)])


def is_sum(a, b) -> Witness | None:
    return unless("c == a + b", a=a, b=b, c=a + b)


def is_small(a, b) -> Witness | None:
    return unless("a + b <= 6", a=a, b=b)


IDENTITIES = [
    every(numbers, lambda a, b: max(a, b) >= a),
    every(numbers, lambda a: (a - (a + 1)) ** 2 == 1),
    every(numbers, lambda a, b: 1 * a == a and (a + b) ** 2 == a**2 + 2 * a * b + b**2),
    every(
        laws, lambda p, q: sum(p[t] for t in p) - sum(q[t] for t in q) == sum(p[t] for t in p) - sum(q[t] for t in q)
    ),
    every(numbers, is_sum),
    some(numbers, lambda a: a - a == 0),
]
WITH_CONTENT = [
    every(same, lambda a, b: a == b),
    every(numbers, lambda a, b: a + b <= 6),
    every(laws, lambda p: sum(p[t] for t in p) == 1),
    every(laws, lambda p: all(t in [0, 1] for t in p)),
    every(numbers, is_small),
    some(laws, lambda p, q: p[0] > q[0]),
    every(cases("a law", "p")(lambda: [uniform_law((0, 1))]), lambda p: p[0] == p[1]),
]


@pytest.mark.parametrize(
    ("check", "expected"), [*((one, False) for one in IDENTITIES), *((one, True) for one in WITH_CONTENT)]
)
def test_a_planted_identity_cannot_fail_and_a_check_with_content_can(check, expected):
    assert can_fail(check) is expected


def test_what_compares_no_cases_is_not_asked():
    assert can_fail(unsettled("no data")) is None
    assert can_fail(printed([], "no rows")) is None
    assert can_fail(every(cases("one case without parts", "")(lambda: [()]), lambda: 1 + 1 == 2)) is None
