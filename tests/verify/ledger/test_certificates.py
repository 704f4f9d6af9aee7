"""Certificates of claims: what each kind of verdict leaves, that it is the same every time, and what leaves none."""

import json
from fractions import Fraction

import pytest

from stirred.spec import Law
from stirred.spec.budgets.loss import Loss
from stirred.verify.engines.algebra.linear_program import maximum, nonnegative_solution
from stirred.verify.engines.solver import QUERIES
from stirred.verify.evidence.certificates import language, query, sentences
from stirred.verify.evidence.certificates.case_values import decoded
from stirred.verify.evidence.certificates.work import Work
from stirred.verify.evidence.finding import EngineError, Evidence
from stirred.verify.evidence.listing import listening
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import Witness, event_witness
from stirred.verify.ledger import cases, certificates, every, settled, some
from stirred.verify.ledger import query as asked
from stirred.verify.ledger.book import claim_ids
from stirred.verify.ledger.certificates import certified, contradiction, run_certified
from stirred.verify.ledger.claim import Check, Query, Sentence, Statement, UnlistedError
from stirred.verify.ledger.failures import plain
from stirred.verify.ledger.run import Found, LedgerRecord


def confirmed(claim_id):
    """The lines of the checkers."""
    kept = certified(claim_id)
    found = [json.loads(kept.text)] * bool(kept.text) + json.loads(kept.queries or "[]")
    kinds = {sentences.FORMAT: sentences.check, query.FORMAT: query.check}
    return [line for one in found for line in kinds[one["format"]](one)]


@pytest.mark.parametrize(
    ("claim_id", "first"),
    [
        ("post-imputation.factor", "CONFIRMED: true of every one of"),
        ("domain.boundary-upstream", "CONFIRMED: true of one case"),
        ("numbers.table-4.overall-epsilon", "CONFIRMED: true of one case: printed - half_unit <= "),
        ("numbers.table-3.pl-person", "CONFIRMED: true of one case: printed - half_unit <= "),
        ("renyi.finite-where-multiplicative-infinite", "CONFIRMED: true of every one of"),
        ("invariants.nonvacuous", "CONFIRMED: false of one case"),
        ("phsafe.table-10.formula", "CONFIRMED: false of one case"),
        ("zcdp.finite-laws", "CONFIRMED: true of every one of 441 cases"),
        ("zcdp.to-approximate", "CONFIRMED: true of every one of 30 cases: excess_beyond(p, q, converted_from_below("),
    ],
)
def test_each_kind_of_verdict_leaves_a_certificate(claim_id, first):
    assert next(line for line in confirmed(claim_id) if line.startswith("CONFIRMED")).startswith(first)


def altered(sentence, **values):
    """The first case of a sentence with other values of some names."""
    case = {**dict(zip(sentence["names"], sentence["cases"][0], strict=True)), **values}
    return {**sentence, "cases": [[case[name] for name in sentence["names"]]]}


def test_orders_show_a_bound_on_all_of_them_and_too_few_do_not():
    """Between two orders a divergence is held against its bound at the larger one, over the smaller one."""
    content = json.loads(certified("zcdp.from-pure").text)
    one = content["sentences"][0]
    assert one["says"] == "squared_from_above(p, q, orders) <= ln(multiplicative(p, q)) ** 2 / divisor"
    sentences.check({**content, "sentences": [altered(one)]})
    for values in ({"orders": [1, 2]}, {"divisor": 10}):
        with pytest.raises(sentences.SentenceError, match="is false of"):
            sentences.check({**content, "sentences": [altered(one, **values)]})


SLOW = (
    "zcdp.metric",
    "zcdp.group-privacy",
    "zcdp.standard-parametrization",
    "zcdp.standard-parametrization.distances",
    "psa.exact.balanced",
    "topdown.bounded-flavors.chains",
    "zcdp.post-processing",
    "psa.budget.sketch",
)
COINS = [{"map": [[0, {"number": f"{n}/4"}], [1, {"number": f"{4 - n}/4"}]]} for n in (2, 3)]
LISTED = {
    **{name: {} for name in SLOW},
    "randomized-response.loss": {"x": [0, 0, 0]},
    "psa.swap-rate.approximate": {"n": 5},
    "psa.optimality.infimum": {"gamma": 100},
    "psa.exact.sharpened.attained": {"k": 3},
    "psa.unit-margins": {"l": 1},
    "psa.unit-pair": {"k": 3},
    "swapping.invariants.univariate": {"coded": {"map": []}},
    "gaussian.sampler": {"s": 9},
    "post-processing.iff-tradeoff.randomised": {},
    "zcdp.post-processing": {},
    "premetrics.multiplicative-stronger": {},
    "topdown.bounded-flavors.chains": {"P": COINS},
    "psa.budget.sketch": {"p": {"number": "99/100"}},
    "psa.exact.three-categories": {"cells": [-9, 0]},
    "psa.exact.balanced": {"high": [1]},
}
"""Claims whose engines say what they have found, with values of which the last sentence's last case is not so."""


@pytest.mark.parametrize(
    ("claim_id", "values"),
    [pytest.param(*one, marks=[pytest.mark.nightly] * (one[0] in SLOW)) for one in LISTED.items()],
    ids=LISTED,
)
def test_what_an_engine_finds_is_listed_and_other_values_are_refused(claim_id, values):
    found = certified(claim_id)
    assert not any("computed by the code there" in one for one in found.without)
    content = json.loads(found.text)
    one = content["sentences"][-1]
    last = {**one, "cases": one["cases"][-1:]}
    sentences.check({**content, "sentences": [last]})
    if values:
        with pytest.raises(sentences.SentenceError, match="is false of"):
            sentences.check({**content, "sentences": [altered(last, **values)]})


def test_a_query_leaves_a_sum_where_one_contradicts_it():
    assert any("by a sum of" in line for line in confirmed("phsafe.sensitivity.tables-added"))


@pytest.mark.parametrize("path", sorted(QUERIES.glob("*.smt2")), ids=lambda path: path.stem)
def test_each_query_has_a_sum_or_another_solvers_answer(path):
    """Z3 answered first: cvc5 is another program by other people."""
    pytest.importorskip("cvc5")
    text = path.read_text(encoding="utf-8")
    head = {"format": query.FORMAT, "claim": path.stem, "statement": "", "scope": "all", "without": []}
    found = contradiction(text)
    (*_, last) = query.check({**head, "query": text, "sum": found})
    assert last.startswith("CONFIRMED")
    assert ("by a sum of" if found else "by cvc5 for Python") in last


@pytest.mark.parametrize("claim_id", ["optimality.bound-function", "psa.budget.two-rates"])
def test_no_query_waits_for_a_solver(claim_id):
    pytest.importorskip("cvc5")
    assert certified(claim_id).unanswered == ()


@pytest.mark.parametrize(
    ("claim_id", "verdict", "reason"),
    [
        ("psa.proof.budget-forms", "PROVED", "a theorem, which coqc checks"),
        ("tradeoff.blackwell.standard", "ARGUED", "a proof in words"),
        ("gaussian.sum-maximal", "ENCLOSED", "computed by the code there"),
        ("numbers.massachusetts.largest-stratum", "OPEN", "nothing settles it"),
    ],
)
def test_what_no_certificate_has_is_named(claim_id, verdict, reason):
    assert any(one.startswith(f"{verdict} by ") and reason in one for one in certified(claim_id).without)


def test_statistics_have_no_certificate():
    sampled = Check(lambda: Evidence(Verdict.SAMPLED, "1,000 draws"))
    assert certificates._reason(sampled, Verdict.SAMPLED) == "statistics"


def test_the_same_every_time_and_in_every_number_of_processes():
    ids = [
        "post-imputation.factor",
        "domain.boundary-upstream",
        "tradeoff.blackwell.standard",
        "psa.proof.budget-forms",
    ]
    alone, together = ([(one.text, one.queries) for one in run_certified(ids, jobs=jobs)] for jobs in (1, 2))
    assert alone == together
    assert alone == [(certified(name).text, certified(name).queries) for name in ids]


def test_what_takes_too_much_room_is_left_out(monkeypatch):
    monkeypatch.setattr(certificates, "MOST_BYTES", 10)
    found = certified("post-imputation.factor")
    assert (found.text, found.queries) == ("", "")
    assert "its cases exceed 10 bytes" in found.without[1]


def kept_of(check, monkeypatch):
    """The certificate of a claim with this check alone."""
    monkeypatch.setattr(certificates, "claim", lambda _: type("Claim", (), {"checks": (check,)}))
    monkeypatch.setattr(certificates, "place", lambda *_: "here")
    monkeypatch.setattr(certificates, "run_claim", lambda _: _record(check.run(), "here", check.expression))
    return certified("test.claim")


small = cases("n < 3", "n")(lambda: range(3))


def squared(n, *, most, silent=None) -> Witness | None:
    return None if n == silent else settled(n * n < most, "n*n < most", lambda: {"n": n, "most": most})


def test_what_a_property_finds_is_listed(monkeypatch):
    (one,) = json.loads(kept_of(every(small, squared, most=9), monkeypatch).text)["sentences"]
    assert (one["says"], one["names"], one["cases"]) == ("n*n < most", ["n", "most"], [[0, 9], [1, 9], [2, 9]])
    assert one["scope"] == "n < 3"
    (one,) = json.loads(kept_of(some(small, squared, most=1), monkeypatch).text)["sentences"]
    assert one["cases"] == [[0, 1]]


def test_a_property_that_is_silent_about_a_case_is_not_listed(monkeypatch):
    found = kept_of(every(small, squared, most=9, silent=2), monkeypatch)
    assert (found.text, found.without) == ("", ("EXHAUSTED by here: computed by the code there",))


def test_what_fails_is_the_sentence_that_would_be_listed():
    assert every(small, squared, most=4).run().verdict is Verdict.REFUTED
    with listening() as found:
        assert squared(2, most=4)["case"] == {"n": 2, "most": 4}
    assert found == []


def test_a_map_in_another_order_is_no_other_case(monkeypatch):
    maps = cases("two", "d")(lambda: [{0: 1, 1: 2}, {1: 2, 0: 1}])
    (one,) = json.loads(kept_of(every(maps, lambda d: d[0] < d[1]), monkeypatch).text)["sentences"]
    assert one["cases"] == [[{"map": [[0, 1], [1, 2]]}]]


def linear(n) -> Witness | None:
    """The largest x with 2x <= n."""
    largest = maximum([[Fraction(2)]], [Fraction(n)], [Fraction(1)]).value
    return settled(2 * largest == n, "2*largest == n", lambda: {"largest": largest, "n": n})


@pytest.mark.parametrize(
    "check",
    [
        every(small, linear),
        every(
            cases("n < 3", "n x")(lambda: ((n, maximum([[2]], [n], [1]).value) for n in range(3))),
            lambda x, n: 2 * x == n,
        ),
    ],
)
def test_a_linear_program_leaves_its_dual_solution(check, monkeypatch):
    main, dual = json.loads(kept_of(check, monkeypatch).text)["sentences"]
    assert len(main["cases"]) == len(dual["cases"]) == 3
    assert dual["scope"] == "on the way to: n < 3"
    assert dual["names"] == ["rows", "bounds", "objective", "point", "multipliers", "value"]
    assert dual["cases"][2] == [[[2]], [2], [1], [1], [{"number": "1/2"}], 1]
    for place, other in ((3, [2]), (4, [0]), (4, [1]), (5, 2)):
        altered = [*dual["cases"][2][:place], other, *dual["cases"][2][place + 1 :]]
        values = (decoded(part, Work()) for part in altered)
        assert not language.holds(dual["says"], dict(zip(dual["names"], values, strict=True)), {})


def test_steps_that_take_too_much_room_are_left_out(monkeypatch):
    monkeypatch.setattr(certificates, "MOST_BYTES", 60)
    found = kept_of(every(small, linear), monkeypatch)
    assert len(json.loads(found.text)["sentences"]) == 1
    assert found.without == ("EXHAUSTED by here: the intermediate steps exceed 60 bytes",)


@pytest.mark.parametrize(("target", "proof"), [(3, "x >= 0"), (-1, "y * a")])
def test_equations_leave_a_solution_or_a_separator(target, proof):
    with listening() as found:
        nonnegative_solution([[Fraction(1)], [Fraction(2)]], [Fraction(target)])
    (one,) = found
    assert proof in one.says
    assert one.is_step
    assert language.holds(one.says, {name: plain(value) for name, value in one.case.items()}, {})


def test_a_sentence_that_is_not_so_is_an_engine_failure(monkeypatch):
    wrong = Check(
        lambda: Evidence(Verdict.EXHAUSTED, "n <= 3"),
        expression="n < 3",
        shown=lambda: [Sentence("n < 3", "n <= 3", ("n",), [(1,), (3,)])],
    )
    with pytest.raises(EngineError, match=r"does not check: 'n < 3' is false of \{'n': '3'\}"):
        kept_of(wrong, monkeypatch)


def test_a_witness_of_laws_has_no_sentence(monkeypatch):
    laws = (Law({0: 1}), Law({1: 1}))
    found = Evidence(Verdict.REFUTED, "all", "", event_witness(laws, [0], distance=1, claimed=Loss(2)))
    monkeypatch.setattr(certificates, "run_claim", lambda _: _record(found, "here", ""))
    with pytest.raises(EngineError, match="of kind loss"):
        certified("test.claim")


def _record(evidence, place, expression):
    stated = Statement("test.claim", ("a test",), "n <= 3.")
    found = (Found(evidence, place, expression),)
    return LedgerRecord(stated, evidence.verdict, evidence.scope, "", evidence.witness, found, (), (), 0)


@pytest.mark.parametrize(
    ("assertions", "listed"),
    [
        ("(assert (< x 2)) (assert (<= 4 (* 2 x)))", True),
        ("(assert (= x 2)) (assert (= x 3))", True),
        ("(assert (= x y)) (assert (not (<= x y)))", True),
        ("(assert (< (* x x) 0)) (assert (<= 0 (* x x)))", True),
        ("(assert (< x 2))", False),
        ("(assert (<= x y)) (assert (<= y x))", False),
        ("(assert (or (< x 2) (< y 2)))", False),
        ("(assert (< (* x x) 0))", False),
    ],
)
def test_a_sum_is_found_iff_one_contradicts(assertions, listed):
    text = f"(declare-const x Real) (declare-const y Real) {assertions}"
    found = contradiction(text)
    assert (found is not None) == listed
    if listed:
        head = {"format": query.FORMAT, "claim": "c", "statement": "s", "scope": "all", "without": []}
        assert query.check({**head, "query": text, "sum": found})[-1].startswith("CONFIRMED")


def says_nothing(n, more) -> Witness | None:
    return None


def test_checks_say_what_they_come_down_to():
    """A query is given with the changes of its check, and a sentence with its constants."""
    small = cases("n < 3", "n more")(lambda: [(n, None) for n in range(3)])
    (shown,) = every(small, lambda n, most: n * n < most, most=9).shown()
    assert (shown.says, shown.names, list(shown.cases)) == ("n * n < most", ("n", "most"), [(0, 9), (1, 9), (2, 9)])
    (first,) = some(small, lambda n, least: n * n > least, least=0).shown()
    assert list(first.cases) == [(1, 0)]
    assert every(small, lambda n, most: n < most, verdict=Verdict.SAMPLED, most=3).shown is None
    with pytest.raises(UnlistedError):
        list(every(small, says_nothing).shown())
    (text,) = asked("psa.variants.common-support", "all", changes=[("0.0", "0.5")]).shown()
    assert isinstance(text, Query)
    assert "0.5" in text.text


@pytest.mark.nightly
@pytest.mark.parametrize("claim_id", claim_ids())
def test_every_claim_leaves_a_certificate_or_says_why(claim_id):
    found = certified(claim_id)
    assert found.text or found.queries or found.without
    assert len(found.text) <= 2 * certificates.MOST_BYTES
