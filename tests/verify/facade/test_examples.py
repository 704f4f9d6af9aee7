"""Published mechanisms are as private as they say, no more and no less; broken variants are found at the right pair."""

import importlib
import inspect
from fractions import Fraction

import pytest

import stirred
from stirred.audits import audit_of
from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.spec import Enclosure, Loss
from stirred.stated import stated_claims
from stirred.verify.evidence.verdict import Verdict

MODULES = ("randomized_response", "counts", "selection", "swapping", "unbounded_noise", "wrong_on_purpose")
EXAMPLES = {
    name: value
    for module in MODULES
    for name, value in vars(importlib.import_module(f"stirred.examples.{module}")).items()
    if stated_claims(value)
}

BUDGETS = {
    "randomized_response": Loss(3),  # (1 - 1/4) / (1/4)
    "k_ary_randomized_response": Loss(4),  # gamma
    "basic_rappor": Loss(9),  # two bits, 3 each
    "optimized_unary_encoding": Loss(3),  # (1/2 · 3/4) / (1/2 · 1/4)
    "clamped_geometric_count": Loss(2),  # 1/ratio
    "noisy_majority": Loss(Fraction(11, 5)),  # 22/64 over 10/64
    "subsampled_count": Loss(Fraction(3, 2)),  # 1 + (2 - 1)/2
    "exponential_mechanism": Loss(Fraction(12, 5)),  # juice: 2/5 over 1/6
    "permute_and_flip": Loss(Fraction(40, 11)),
    "report_noisy_max": Loss(4),
    "swapped_table": Loss(Fraction(4, 3), 2),
    "above_threshold": Loss(Fraction(10, 3)),
    "noisy_maximum": Loss(Fraction(44, 17)),
    "noisy_count": Loss(2),  # 1/ratio
    "gaussian_count": Enclosure(Fraction(1, 8), Fraction(1, 8)),  # 1/(2 sigma^2)
}

WRONG = "histogram_wrong_on_purpose"


def audited(name, mechanism=None):
    (stated,) = stated_claims(EXAMPLES[name])
    return audit_of(mechanism or EXAMPLES[name], stated)


def test_every_example_is_listed_here():
    assert set(EXAMPLES) == {*BUDGETS, WRONG}
    assert all(inspect.getdoc(example) for example in EXAMPLES.values())


@pytest.mark.parametrize("name", BUDGETS)
def test_the_stated_budget_is_the_smallest(name):
    (found,) = stirred.check(EXAMPLES[name])
    assert found.verdict is Verdict.EXHAUSTED
    assert found.smallest == BUDGETS[name]


def test_the_swapping_example_is_the_librarys_algorithm():
    example, tables = EXAMPLES["swapped_table"], [((0, 2), (1, 0)), ((1, 1), (0, 1))]
    from stirred.mechanisms import exact_law  # noqa: PLC0415 beside what it is compared with

    for table in tables:
        law = exact_law(example, (table,), swap_rate=Fraction(1, 2))
        ours = {}
        for records, probability in law.items():
            counts = tuple(tuple(sum(r == (i, j) for r in records) for j in range(2)) for i in range(2))
            ours[counts] = ours.get(counts, 0) + probability
        assert ours == dict(psa_law(table, Fraction(1, 2)))


def test_the_wrong_one_is_refuted_with_the_pair_that_needs_most():
    with pytest.raises(stirred.NotSatisfiedError) as caught:
        stirred.check(EXAMPLES[WRONG])
    found = caught.value.result
    assert found.smallest == Loss(4)
    x, x_prime = found.witness["x"], found.witness["x_prime"]
    assert sum(a != b for a, b in zip(x, x_prime, strict=True)) == 1  # neighbours, who change two counts


BROKEN = {
    "randomized_response, first answer in clear": (
        "randomized_response",
        (
            "source.bernoulli(flip) else answer for answer in answers",
            "at and source.bernoulli(flip) else answer for at, answer in enumerate(answers)",
        ),
        [[0, 0], [1, 0]],
    ),
    "k-ary response, never the last one": (
        "k_ary_randomized_response",
        ("[source.uniform(2)]", "[0]"),
        [["blue"], ["red"]],
    ),
    "RAPPOR, one bit in clear": (
        "basic_rappor",
        ("if source.bernoulli(flip)", "if bit and source.bernoulli(flip)"),
        [["green"], ["red"]],
    ),
    "unary encoding, true bit always kept": (
        "optimized_unary_encoding",
        ("keep if value == one else add", "1 if value == one else add"),
        [["green"], ["red"]],
    ),
    "count, no noise at the largest": (
        "clamped_geometric_count",
        ("return _noisy(count, source, 4)", "return _noisy(count, source, 4) if count < 4 else 4"),
        [3, 4],
    ),
    "majority, flips no yes": (
        "noisy_majority",
        ("if source.bernoulli(flip)", "if not answer and source.bernoulli(flip)"),
        [[0, 0, 1], [0, 1, 1]],
    ),
    "subsampling, everyone is in": (
        "subsampled_count",
        ("sum(source.bernoulli(rate) for _ in people)", "len(people)"),
        [[], ["person"]],
    ),
    "exponential mechanism, squared scores": (
        "exponential_mechanism",
        ("2 ** ballots", "4 ** ballots"),
        [["tea", "juice"], ["tea", "tea"]],
    ),
    "permute and flip, in a fixed order": (
        "permute_and_flip",
        ("source.permutation(len(OPTIONS))", "range(len(OPTIONS))"),
        [["juice", "juice"], ["tea", "juice"]],
    ),
    "noisy max, one count exact": (
        "report_noisy_max",
        ("noisy.append(", "noisy.append(count if option == 'tea' else "),
        [["tea", "juice"], ["tea", "tea"]],
    ),
    "above threshold, answers in clear": (
        "above_threshold",
        ("answer + source.discrete_laplace(HALF) >= threshold", "answer >= threshold"),
        [[0, 0], [0, 1]],
    ),
    "noisy maximum, one draw for all": (
        "noisy_maximum",
        (
            "[answer + source.discrete_laplace(HALF) for answer in answers]",
            "[answer + noise for noise in (source.discrete_laplace(HALF),) for answer in answers]",
        ),
        [[0, 0], [0, 1]],
    ),
    "noisy count, twice the sensitivity": ("noisy_count", ("count + source", "2 * count + source"), [0, 1]),
    "swapping, records swap with themselves": (
        "swapped_table",
        ("if all(place != other for place, other in enumerate(order))", "if order == tuple(sorted(order))"),
        [[[[0, 2], [1, 0]]], [[[1, 1], [0, 1]]]],
    ),
}


def broken(name, old, new):
    """The example with a part of its text replaced."""
    example = EXAMPLES[name]
    text = inspect.getsource(example)
    assert text.count(old) == 1, text
    text = text[text.index("def ") :].replace(old, new)
    scope = dict(vars(inspect.getmodule(example)))
    exec(compile(text, "<string>", "exec"), scope)  # noqa: S102 a text of this tree
    return scope[name]


@pytest.mark.parametrize("variant", BROKEN)
def test_a_broken_variant_is_refuted(variant):
    name, change, pair = BROKEN[variant]
    found = audited(name, broken(name, *change))
    assert found.verdict is Verdict.REFUTED
    assert found.smallest > BUDGETS[name]
    assert sorted([found.witness["x"], found.witness["x_prime"]]) == pair
    assert "P[E | x] = " in found.because
    assert " > " in found.because
