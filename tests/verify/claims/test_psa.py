"""The PSA's claims: what is refuted, by which case, and that the laws compared are what they are said to be."""

import re
from fractions import Fraction
from pathlib import Path

import pytest

import stirred.verify.claims.psa
from stirred.mechanisms.permutation_counts import psa_law
from stirred.spec.loss import Loss
from stirred.spec.permutation_swapping import psa_budget
from stirred.spec.rational_function import RationalFunction
from stirred.verify.certificates.language import holds
from stirred.verify.claims.psa import bounds, budget  # noqa: F401 the first for the words of f(b)
from stirred.verify.claims.psa.cases import enough_rates, permutation_law
from stirred.verify.claims.psa_exact.growth import mean_quotient
from stirred.verify.engines.swapping.loss import universe_loss
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger.book import claim, claim_ids
from stirred.verify.ledger.quantifiers import every
from stirred.verify.ledger.words import WORDS

MODULES = Path(stirred.verify.claims.psa.__file__).parent.glob("*.py")
STATED = sorted(one for path in MODULES for one in re.findall(r'state\(\s*"([^"]+)"', path.read_text(encoding="utf-8")))

REFUTED = {
    "psa.swap-probability.printed": ("misprint", {"n": 2, "p": {"number": "1/2"}}),
    "psa.swap-probability.constant.printed": ("incomplete", {"sizes": [2, 3]}),
    "psa.selected-records.printed": ("incomplete", {"x": [[0, 0], [0, 1], [1, 0]], "z": [[0, 0], [0, 1], [1, 0]]}),
    "psa.swap-key.printed": ("misprint", {"x": [0, 0, 1], "y": [0, 1, 0]}),
    "psa.proof.maximum.printed": ("incomplete", {"n": 3, "D": 2}),
    "psa.full-swapping.proof-step": ("incomplete", {"x": [[1, 0, 0], [0, 1, 0], [0, 0, 1]]}),
    "psa.unit-pair.printed": ("incomplete", None),
    "psa.budget.necessary.printed": ("incomplete", {"b": 2, "p": {"number": "1/2"}}),
    "optimality.bound-value.printed": ("misprint", {"b": 10}),
}
"""The grade of each refuted claim, and what its case holds; None where the witness is a formula."""


@pytest.mark.parametrize("claim_id", sorted(REFUTED))
def test_each_refuted_claim_has_its_grade_its_case_and_a_repair(claim_id, checked):
    record = checked(claim_id)
    grade, case = REFUTED[claim_id]
    assert (record.verdict, record.claim.grade.word) == (Verdict.REFUTED, grade)
    assert case is None or record.witness["case"].items() >= case.items()
    assert claim_id in {claim(one).repairs for one in claim_ids()}


@pytest.mark.parametrize("claim_id", [one for one in STATED if one not in REFUTED])
def test_every_other_claim_is_settled_and_its_mutants_are_refuted(claim_id, checked):
    record = checked(claim_id)
    assert record.verdict.is_settled_for
    assert record.mutants


@pytest.mark.parametrize("claim_id", ["psa.exact.threshold", "psa.exact.many-categories"])
def test_how_the_loss_grows_with_a_stratum_is_proved(claim_id, checked):
    record = checked(claim_id)
    assert record.verdict is Verdict.PROVED
    assert record.mutants


def test_an_exchange_in_four_rows_of_one_record_each_has_its_quotient_by_the_law():
    """x is the diagonal, E says that the first two records stay: in x that is e = 0 or 2 of the others, in x' e + 2."""
    identity = tuple(tuple(int(i == j) for j in range(4)) for i in range(4))
    swapped = (identity[1], identity[0], *identity[2:])
    p = Fraction(1, 3)
    event = [z for z in psa_law(identity, p) if z[:2] == identity[:2]]
    here, there = (sum(psa_law(x, p)[z] for z in event) for x in (identity, swapped))
    assert mean_quotient(4, 1, p) == here / there


@pytest.mark.parametrize(
    ("change", "records", "distance"),
    [
        ("b - 1 for b + 1", 6, 2),
        ("ln(b + 1) without - ln o at p < 1/2", 2, 2),
        ("the upper branch ln o below its threshold", 3, 2),
        ("p for o", 2, 2),
        ("the smallest stratum for the largest", 7, 2),
    ],
)
def test_each_mutant_of_theorem_1_has_its_smallest_witness(change, records, distance, checked):
    mutants = {mutant.change: mutant.evidence for mutant in checked("psa.budget.theorem").mutants}
    witness = mutants[change].witness
    assert sum(count for table in witness["x"] for row in table for count in row) == records
    assert Fraction(witness["distance"]) == distance


def test_theorem_1_has_evidence_of_four_kinds(checked):
    scopes = " ".join(piece.scope for piece in checked("psa.budget.theorem").supporting)
    for words in ("one stratum with up to 6 records", "p = 0 1", "two strata", "the program permutation_swapping"):
        assert words in scopes


def test_the_product_laws_of_two_strata_violate_half_of_e_to_the_budget(monkeypatch):
    def halved(size, rate):
        return Loss(max(psa_budget(size, rate).gamma / 2, Fraction(1)))

    monkeypatch.setattr(budget, "psa_budget", halved)
    evidence = every(budget.strata_and_rates, budget.product_laws).run()
    assert evidence.verdict is Verdict.REFUTED
    assert len(evidence.witness["x"]) == 2


def test_proposition_9_fails_first_at_eight_records(checked):
    witness = checked("psa.unit-pair.printed").witness
    assert witness["values"]["b"] == "8"
    assert "((3, 3, 1, 1), (2, 2, 2, 1, 1))" in witness["note"]


def test_the_exact_loss_that_refutes_proposition_9_is_below_its_bound_at_every_rate_tried():
    """The bound is 0.5 ln(d(8)/d(6)) - ln o with d(8) = 14833 and d(6) = 265."""
    for rate in (Fraction(1, 100), Fraction(1, 2), Fraction(3, 4)):
        loss = universe_loss((3, 3, 1, 1), (2, 2, 2, 1, 1), rate)
        assert loss.distance == 2
        assert loss.gamma < Fraction(14833, 265) / (rate / (1 - rate)) ** 2


def test_f_at_ten_lies_between_0_14800_and_0_14801():
    words = dict(WORDS[name] for name in ("bound_f", "square_bound"))
    values = {"low": Fraction("0.14800"), "high": Fraction("0.14801")}
    assert holds("low < bound_f(10) < high", values, words)


@pytest.mark.parametrize("sizes", [(1,), (2,), (3,), (4,), (2, 3), (1, 3), (2, 4)])
def test_probabilities_of_permutations_are_quotients_of_polynomials_of_degree_n(sizes):
    """So sums of them, and products of two such sums, agree with such a quotient if they do at 2n + 1 rates."""
    n = sum(sizes)
    for probability in permutation_law(*sizes).values():
        if isinstance(probability, RationalFunction):
            assert max(probability.numerator.degree(), probability.denominator.degree()) <= n
    rates = [rate for rate, _ in enough_rates(sizes)]
    assert len(set(rates)) == 2 * n + 1
    assert rates[0] == Fraction(1, 2)
    assert all(0 < rate < 1 for rate in rates)


def test_the_law_of_the_permutation_gives_the_law_of_the_table():
    """Three records (0, 0), (1, 1), (2, 2): each permutation gives a table of its own, of the same probability."""
    rate, law = next(enough_rates([3]))
    identity = tuple(tuple(int(i == j) for j in range(3)) for i in range(3))
    assert sorted(law.values()) == sorted(q for _, q in psa_law(identity, rate).items() if q)
