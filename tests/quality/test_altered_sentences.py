"""Certificates of the ledger's claims, altered in one place: what is confirmed is so by the ledger's own engines."""

import copy
import json
import random
from functools import cache

import pytest
from quality.test_altered_certificates import altered

from stirred.spec.arguments import InputError
from stirred.verify.engines.solver import ask
from stirred.verify.evidence.certificates import language, query, sentences
from stirred.verify.evidence.certificates.case_values import decoded
from stirred.verify.evidence.certificates.work import Work
from stirred.verify.ledger.certificates import certified

CLAIMS = {
    "every case": ("post-imputation.factor", "multiplicative.densities", "composition.adaptive"),
    "some case": ("domain.boundary-upstream", "das.flavors-not-nested"),
    "enclosures": ("numbers.table-4.overall-epsilon", "numbers.table-3.pl-person", "optimality.bound-value"),
    "signs": ("renyi.finite-where-multiplicative-infinite", "gaussian.not-pure"),
    "counterexamples": ("invariants.nonvacuous", "phsafe.table-10.formula", "optimality.bound-value.printed"),
    "dual solutions": ("survey.sampling.unit-order", "testing.sharpest"),
    "properties": ("psa.budget.reportable", "tradeoff.blackwell.finite"),
    "queries": ("phsafe.sensitivity.tables-added",),
}
MOST_CASES = 5
CHARACTERS = "0123456789/-+*<>=!(), "


@cache
def short(kind, name):
    """The certificates of a claim, of a few cases each."""
    found = certified(name)
    kept = json.loads(found.queries) if kind == "queries" else [json.loads(found.text)]
    for certificate in kept:
        for sentence in certificate.get("sentences", []):
            sentence["cases"] = sentence["cases"][:MOST_CASES]
    return kept


def confirmed(certificate):
    """Whether it is confirmed, and, where it is, whether the ledger's own engines say the same."""
    checker, error = (
        (query, query.QueryError) if certificate["format"] == query.FORMAT else (sentences, sentences.SentenceError)
    )
    try:
        checker.check(certificate)
    except error:
        return False, False
    if certificate["format"] == query.FORMAT:
        try:
            return True, ask(certificate["query"]).status == "unsat"
        except InputError:
            return True, False
    return True, all(
        language.holds(one["says"], _case(one, case), certificate["words"]) is one["is"]
        for one in certificate["sentences"]
        for case in one["cases"]
    )


def _case(sentence, case):
    return {name: decoded(value, Work()) for name, value in zip(sentence["names"], case, strict=True)}


def wrong_and_refused(kind, times, seed):
    """The altered certificates that are confirmed although they are not so, and how many are refused."""
    draw = random.Random(seed)  # noqa: S311 not for secrets
    wrong, refused = [], 0
    for name in CLAIMS[kind]:
        for certificate in short(kind, name):
            assert confirmed(certificate) == (True, True)
            for _ in range(times):
                other = altered(certificate, draw, CHARACTERS)
                if other == certificate:
                    continue
                is_confirmed, is_so = confirmed(copy.deepcopy(other))
                refused += not is_confirmed
                if is_confirmed and not is_so:
                    wrong.append(other)
    return wrong, refused


@pytest.mark.parametrize("kind", CLAIMS)
def test_an_altered_certificate_is_confirmed_only_if_it_is_so(kind):
    wrong, refused = wrong_and_refused(kind, 25, 1)
    assert wrong == []
    assert refused > 15


@pytest.mark.nightly
@pytest.mark.parametrize("kind", CLAIMS)
@pytest.mark.parametrize("batch", range(4))
def test_a_hundred_thousand_altered_certificates(kind, batch):
    wrong, refused = wrong_and_refused(kind, 1_800, 100 + batch)
    assert wrong == []
    assert refused > 1_000
