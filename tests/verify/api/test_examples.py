"""Published mechanisms are as private as they say, no more and no less; broken variants are found at the right pair.

Mechanisms that are wrong in ways that no changed constant shows: what they publish, when they stop or fail.
"""

import importlib
import inspect
from fractions import Fraction

import pytest

import stirred
from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.spec import Enclosure, InputError, Loss
from stirred.verify.api.audits import audit_of
from stirred.verify.api.stated import stated_claims
from stirred.verify.evidence.verdict import Verdict

MODULES = ("randomized_response", "counts", "selection", "swapping", "unbounded_noise", "wrong_on_purpose")

EXAMPLES = {
    name: value
    for module in MODULES
    for name, value in vars(importlib.import_module(f"stirred.verify.api.examples.{module}")).items()
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
    # first answer in clear
    "randomized_response": (
        "source.bernoulli(flip) else answer for answer in answers",
        "at and source.bernoulli(flip) else answer for at, answer in enumerate(answers)",
        [[0, 0], [1, 0]],
    ),
    # never the last one
    "k_ary_randomized_response": ("[source.uniform(2)]", "[0]", [["blue"], ["red"]]),
    # one bit in clear
    "basic_rappor": ("if source.bernoulli(flip)", "if bit and source.bernoulli(flip)", [["green"], ["red"]]),
    # true bit always kept
    "optimized_unary_encoding": ("keep if value == one else add", "1 if value == one else add", [["green"], ["red"]]),
    # no noise at the largest
    "clamped_geometric_count": (
        "return _noisy(count, source, 4)",
        "return _noisy(count, source, 4) if count < 4 else 4",
        [3, 4],
    ),
    # flips no yes
    "noisy_majority": ("if source.bernoulli(flip)", "if not answer and source.bernoulli(flip)", [[0, 0, 1], [0, 1, 1]]),
    # everyone is in
    "subsampled_count": ("sum(source.bernoulli(rate) for _ in people)", "len(people)", [[], ["person"]]),
    # squared scores
    "exponential_mechanism": ("2 ** ballots", "4 ** ballots", [["tea", "juice"], ["tea", "tea"]]),
    # in a fixed order
    "permute_and_flip": (
        "source.permutation(len(OPTIONS))",
        "range(len(OPTIONS))",
        [["juice", "juice"], ["tea", "juice"]],
    ),
    # one count exact
    "report_noisy_max": (
        "noisy.append(",
        "noisy.append(count if option == 'tea' else ",
        [["tea", "juice"], ["tea", "tea"]],
    ),
    # answers in clear
    "above_threshold": ("answer + source.discrete_laplace(HALF) >= threshold", "answer >= threshold", [[0, 0], [0, 1]]),
    # one draw for all
    "noisy_maximum": (
        "[answer + source.discrete_laplace(HALF) for answer in answers]",
        "[answer + noise for noise in (source.discrete_laplace(HALF),) for answer in answers]",
        [[0, 0], [0, 1]],
    ),
    # twice the sensitivity
    "noisy_count": ("count + source", "2 * count + source", [0, 1]),
    # records swap with themselves
    "swapped_table": (
        "if all(place != other for place, other in enumerate(order))",
        "if order == tuple(sorted(order))",
        [[[[0, 2], [1, 0]]], [[[1, 1], [0, 1]]]],
    ),
}
"""By example: a part of its text, what replaces it, and the pair that needs most."""


def broken(name, old, new):
    """The example with a part of its text replaced."""
    example = EXAMPLES[name]
    text = inspect.getsource(example)
    assert text.count(old) == 1, text
    text = text[text.index("def ") :].replace(old, new)
    scope = dict(vars(inspect.getmodule(example)))
    exec(compile(text, "<string>", "exec"), scope)  # noqa: S102 a text of this tree
    return scope[name]


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_variant_is_refuted(name):
    *change, pair = BROKEN[name]
    found = audited(name, broken(name, *change))
    assert found.verdict is Verdict.REFUTED
    assert found.smallest > BUDGETS[name]
    assert sorted([found.witness["x"], found.witness["x_prime"]]) == pair
    assert "P[E | x] = " in found.because
    assert " > " in found.because


HALF = Fraction(1, 2)
BITS = stirred.ordered_data_sets((0, 1), [3])
SCORES = [(a, b, c) for a in range(2) for b in range(2) for c in range(2)]


def largest_change(first, second):
    return max(abs(a - b) for a, b in zip(first, second, strict=True))


def maximum_with_its_value(scores, source):
    noisy = [score + source.discrete_laplace(HALF) for score in scores]
    best = noisy.index(max(noisy))
    return best, source.clamp(noisy[best], 0, 1)


def maximum_with_its_lead(scores, source):
    noisy = [score + source.discrete_laplace(HALF) for score in scores]
    best = noisy.index(max(noisy))
    return best, source.clamp(noisy[best] - max(noisy[:best] + noisy[best + 1 :]), 0, 2)


def unequal_coins(answers, source):
    return tuple(1 - answer if source.bernoulli(Fraction(1, 8 - 4 * answer)) else answer for answer in answers)


def stops_at_the_first_yes(answers, source):
    found = []
    for answer in answers:
        found.append(answer ^ source.bernoulli(Fraction(1, 4)))
        if answer:
            break
    return tuple(found)


def draws_among_what_occurs(answers, source):
    occurring = sorted(set(answers))
    return occurring[source.uniform(len(occurring))]


def catches_what_fails(answers, source):
    try:
        return 6 // (3 - sum(answers)) * 0 + source.bernoulli(Fraction(1, 4))
    except ZeroDivisionError:
        return None


OTHER_WAYS = {
    # below 0 a step of three noisy scores is a factor of 2 for each
    "the value of the maximum": (maximum_with_its_value, SCORES, largest_change, "ln 4", Loss(8)),
    # a yes is kept with 3/4, a no becomes one with 1/8
    "unequal coins": (unequal_coins, BITS, "hamming_ordered", "ln 3", Loss(6)),
    "a length that tells": (stops_at_the_first_yes, BITS, "hamming_ordered", "ln 3", stirred.INFINITE),
    "outputs that tell what occurs": (draws_among_what_occurs, BITS, "replace-one", "1", stirred.INFINITE),
    "a failure that tells": (catches_what_fails, BITS, "replace-one", "100", stirred.INFINITE),
}


@pytest.mark.parametrize("name", OTHER_WAYS)
def test_it_is_refuted_with_its_exact_loss(name):
    mechanism, data_sets, distance, epsilon, loss = OTHER_WAYS[name]
    with pytest.raises(stirred.NotSatisfiedError) as caught:
        stirred.assert_satisfies(mechanism, data_sets=data_sets, distance=distance, epsilon=epsilon)
    found = caught.value.result
    assert (found.verdict, found.smallest) == (Verdict.REFUTED, loss)
    for part in ("x = ", "E = {", "P[E | x] = ", " > ", "P[E | x']"):
        assert part in str(caught.value)


def test_the_lead_of_the_maximum_costs_no_more_than_its_name():
    """Source: Ding, Wang, Zhang, Kifer (2019), noisy max with gap: 2·ln 2 for any number of scores."""
    found = stirred.assert_satisfies(maximum_with_its_lead, data_sets=SCORES, distance=largest_change, epsilon="2*ln 2")
    assert found.smallest <= Loss(4)


def test_an_error_on_some_data_is_an_outcome():
    found = stirred.audit(
        lambda answers, source: 1 // (3 - sum(answers)), data_sets=BITS, distance="replace-one", epsilon="1"
    )
    assert found.needed.startswith("infinite")
    assert "which data raise one is released: ZeroDivisionError: integer " in found.scope


def test_an_error_on_all_data_is_one_line_that_names_the_first():
    with pytest.raises(InputError, match=r"on the data set \(0, 0, 0\): it raised ZeroDivisionError.*\(test_.*, line "):
        stirred.smallest_budget(lambda answers, source: 1 // 0, data_sets=BITS, distance="replace-one")
