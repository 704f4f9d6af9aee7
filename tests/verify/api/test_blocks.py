"""The names of distances: what the field calls the two neighbour relations, whatever its marks between words.

Parameters of a mechanism that are called as an argument of the audit, in every function that takes a mechanism.

Output premetrics from Python: by name, as objects of `stirred.spec`, and as functions and objects of one's own.

NumPy's arrays and scalars as data sets, parameters, distances and outputs: taken as values, or refused by name.
"""

import inspect
from fractions import Fraction

import numpy as np
import pytest

import stirred
from stirred.spec import (
    ApproximateMultiplicative,
    InputError,
    Loss,
    Renyi,
    TotalVariation,
)
from stirred.spec.blocks.input_premetric import Neighbors, Order, neighbor_premetric
from stirred.spec.numbers.reals.real import order
from stirred.spec.output_premetrics import OUTPUT_PREMETRICS, PREMETRIC_KEYS
from stirred.verify.api.blocks import read_data_sets
from stirred.verify.evidence.verdict import Verdict

DATA_SETS = ((), (0,), (1,), (0, 0), (0, 1), (1, 0), (1, 1))
"""All of at most two records."""

WORDS = {
    Neighbors.REPLACE_ONE: ("bounded", "change-one", "change_one", "replace-one", "replace_one"),
    Neighbors.ADD_REMOVE: ("unbounded", "add-remove", "add_remove", "add/remove"),
}


def size(data, source):
    return len(data)


def first(data, source):
    return data[:1]


@pytest.mark.parametrize(("relation", "word"), [(one, word) for one, words in WORDS.items() for word in words])
@pytest.mark.parametrize("order", Order)
def test_a_word_is_the_relation_of_the_field(relation, word, order):
    if order is Order.ORDERED:
        domain = stirred.ordered_data_sets((0, 1), [0, 1, 2])
    else:
        domain = stirred.multisets((0, 1), [0, 1, 2])
    found = stirred.audit(size, data_sets=domain, distance=word, epsilon="infinite")
    assert neighbor_premetric(relation, order, "record").name in found.scope


def test_bounded_neighbours_have_the_same_number_of_records():
    assert stirred.smallest_budget(size, data_sets=DATA_SETS, distance="bounded") == stirred.Loss(1)
    assert stirred.smallest_budget(first, data_sets=DATA_SETS, distance="change-one").is_infinite


def test_unbounded_neighbours_have_one_record_more_or_fewer():
    found = stirred.audit(size, data_sets=DATA_SETS, distance="unbounded", epsilon=1)
    assert found.pair == "x = (), x' = (0,)"
    one_length = [point for point in DATA_SETS if len(point) == 2]
    with pytest.raises(InputError, match="vacuous"):
        stirred.smallest_budget(first, data_sets=one_length, distance="add/remove")


@pytest.mark.parametrize(("given", "hint"), [("bound", "did you mean 'bounded'?"), ("unbounde", "'unbounded'")])
def test_a_word_is_suggested(given, hint):
    with pytest.raises(InputError, match="distance must be the name of an input premetric; got '") as caught:
        stirred.smallest_budget(size, data_sets=DATA_SETS, distance=given)
    assert hint in str(caught.value)


def test_the_known_names_have_the_words():
    with pytest.raises(InputError) as caught:
        stirred.smallest_budget(size, data_sets=DATA_SETS, distance="?")
    assert "known: add-remove, unbounded, replace-one, change-one, bounded, hamming_unordered" in str(caught.value)


CLAIM = {"data_sets": (0, 1), "distance": "absolute_difference"}

OWN = {"epsilon": "1/4", "delta": 0, "rho": "r", "output": "o", "distance": 1, "limits": (2, 3)}
"""The first one is read as a number, as a parameter by keyword is."""


def answer(data, source, *, epsilon, delta, rho, output, distance, limits, flip="1"):
    assert (delta, rho, output, distance, limits) == (0, "r", "o", 1, (2, 3))
    return 1 - data if source.bernoulli(epsilon) else data


def test_they_are_given_by_a_mapping():
    assert stirred.smallest_budget(answer, **CLAIM, parameters=OWN) == Loss(3)
    assert stirred.audit(answer, **CLAIM, epsilon="ln 3", parameters=OWN, flip=Fraction(1)).holds
    assert stirred.assert_satisfies(answer, **CLAIM, epsilon=Loss(3), parameters=OWN).smallest == Loss(3)
    assert stirred.smallest_delta(answer, **CLAIM, epsilon="ln 2", parameters=OWN) == Fraction(1, 4)
    assert stirred.privacy_curve(answer, **CLAIM, parameters=OWN).lines()[0].startswith("delta = (3 - e^epsilon)/4")
    both = {"honest": CLAIM, "claimed": {**CLAIM, "distance": lambda x, y: 2 * int(x != y)}}
    assert stirred.compare(answer, **both, parameters=OWN).corners["HHCH"].budget == Loss(3, 2)


def test_a_claim_on_the_mechanism_keeps_them():
    marked = stirred.satisfies(**CLAIM, epsilon="ln 3", parameters=OWN)(answer)
    try:
        (found,) = stirred.check(marked)
    finally:
        del answer.__stirred_claims__
    assert found.mechanism.startswith(f"{__name__}:answer with ")
    assert "epsilon = 1/4" in found.mechanism
    assert found.smallest == Loss(3)


ASKED = {
    "smallest_budget": {},
    "audit": {},
    "assert_satisfies": {"epsilon": 2},
    "smallest_delta": {"epsilon": 1},
    "privacy_curve": {},
}


@pytest.mark.parametrize("name", ASKED)
def test_one_that_is_missing_has_its_remedy_in_the_message(name):
    getattr(stirred, name)(answer, **CLAIM, **ASKED[name], parameters=OWN)
    with pytest.raises(InputError) as caught:
        getattr(stirred, name)(answer, **CLAIM, **ASKED[name])
    assert str(caught.value) == (
        f"mechanism: {__name__}:answer must be given its parameter epsilon; that keyword is the claim's own: write "
        "parameters={'epsilon': …}"
    )


def test_one_that_has_a_default_may_be_left_out():
    def fair(data, source, *, epsilon=Fraction(1, 2)):
        return data if source.bernoulli(epsilon) else 1 - data

    assert stirred.smallest_budget(fair, **CLAIM) == Loss(1)


def test_the_data_and_the_source_are_no_parameters():
    def named(data_sets, limits: stirred.Source):
        return 1 - data_sets if limits.bernoulli(Fraction(1, 4)) else data_sets

    assert stirred.smallest_budget(named, **CLAIM) == Loss(3)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"parameters": {"flip": 1}, "flip": 2}, "flip must be given once: in parameters, or as a keyword; got both"),
        ({"parameters": ["epsilon"]}, "parameters must be a mapping of the mechanism's parameters by name, such as"),
        ({"parameters": {1: 2}}, "parameters must be a mapping of the mechanism's parameters by name, such as"),
        ({"parameters": {**OWN, "flip": 0.5}}, "flip must be exact; got the float 0.5"),
    ],
)
def test_a_malformed_one_is_one_line(given, message):
    with pytest.raises(InputError) as caught:
        stirred.audit(answer, **CLAIM, **given)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_every_function_that_takes_a_mechanism_has_the_option():
    for name in (*ASKED, "satisfies", "compare"):
        wanted = inspect.signature(getattr(stirred, name)).parameters
        assert wanted["parameters"].kind is inspect.Parameter.KEYWORD_ONLY, name


COIN = {"data_sets": (0, 1), "distance": "absolute_difference", "flip": "1/4"}


def one_answer(data, source, *, flip):
    return 1 - data if source.bernoulli(flip) else data


def variation(p, q):
    return sum((max(p[t] - q[t], Fraction(0)) for t in p), Fraction(0))


class Half(TotalVariation):
    """A premetric of a user: half the total variation distance."""

    name = "half"

    def distance(self, p, q):
        return variation(p, q) / 2


@pytest.mark.parametrize("name", [name for name, keys in PREMETRIC_KEYS.items() if not keys])
def test_an_object_and_an_alias_are_accepted_wherever_a_name_is(name):
    kind = OUTPUT_PREMETRICS[name]
    same = (name, name.replace("_", "-"), *kind.aliases, kind())
    assert len({str(stirred.smallest_budget(one_answer, output=one, **COIN)) for one in same}) == 1


def test_objects_with_parameters():
    tenth = ApproximateMultiplicative(Fraction(1, 10))
    assert stirred.smallest_budget(one_answer, output=tenth, **COIN) == stirred.smallest_budget(
        one_answer, delta="1/10", **COIN
    )
    assert str(stirred.smallest_budget(one_answer, output=Renyi(2), **COIN)) == "ln(7/3) ≈ 0.847298"
    assert {name for name, keys in PREMETRIC_KEYS.items() if keys} == {tenth.name, Renyi(2).name}


def test_a_function_and_an_object_of_ones_own_are_run_outside():
    assert stirred.smallest_budget(one_answer, output=variation, **COIN) == Fraction(1, 2)
    found = stirred.audit(one_answer, output=Half(), epsilon="1/4", **COIN)
    assert (found.verdict, found.smallest) == (Verdict.EXHAUSTED, Fraction(1, 4))
    assert "a function, asked for on the laws that occur" in found.scope
    closure = stirred.audit(one_answer, output=lambda p, q: 3 * variation(p, q), epsilon="1", **COIN)
    assert closure.verdict is Verdict.REFUTED
    assert closure.pair == "x = 0, x' = 1"


def test_budgets_have_their_keywords():
    found = stirred.audit(one_answer, output="gdp", mu="1.349", **COIN)
    assert found.verdict is Verdict.ENCLOSED
    assert found.claimed == "mu = 1.349"
    assert stirred.audit(one_answer, output=Renyi(2), epsilon="ln(7/3)", **COIN).holds
    assert not stirred.audit(one_answer, output="gdp", mu="1.34", **COIN).holds
    assert stirred.assert_satisfies(one_answer, output="kl", epsilon="ln(3)/2", **COIN).holds
    marked = stirred.satisfies(output="gdp", mu="1.349", **COIN)(one_answer)
    assert [one.holds for one in stirred.check(marked)] == [True]
    assert order(found.smallest, Fraction(1349, 1000)) < 0


REFUSED = {
    "renyi by name": ({"output": "renyi"}, "output 'renyi' needs its order; write stirred.spec.Renyi(order)"),
    "rho": ({"output": "kl", "rho": "1"}, "rho is no budget for the output premetric 'kullback_leibler'; give epsilon"),
    "epsilon": ({"output": "gdp", "epsilon": "1"}, "epsilon is no budget for the output premetric 'gaussian'; give mu"),
    "mu": ({"output": "pure", "mu": "1"}, "mu is no budget for the output premetric 'multiplicative'; give epsilon"),
    "float mu": ({"output": "gdp", "mu": 1.5}, "mu must be exact; got the float 1.5"),
    "a number": ({"output": 3}, "output must be a name, an output premetric or a function of two laws; got 3"),
    "delta": ({"output": Renyi(2), "delta": "1/2"}, "delta belongs to the output 'approximate'"),
    "no premetric": (
        {"output": lambda p, q: 1},
        "output: an output premetric must be 0 for equal laws; at x = 0, x' = 0",
    ),
    "a symbol": (
        {"output": "kl", "flip": "symbol"},
        "or 'total_variation'; got 'kullback_leibler'",
    ),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_does_not_fit_is_refused(name):
    keywords, message = REFUSED[name]
    with pytest.raises(InputError) as caught:
        stirred.audit(one_answer, **{**COIN, **keywords})
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def noisy_count(data, source, *, sides=4):
    return 1 - data if source.bernoulli(Fraction(1, sides)) else data


def parity(records, source):
    return int(sum(records) % 2) if source.bernoulli(Fraction(1, 2)) else source.uniform(2)


def test_integers_of_an_array_are_data_sets():
    found = stirred.audit(noisy_count, data_sets=np.arange(2), distance="absolute_difference", epsilon="ln 3")
    assert found.holds
    assert all(type(point) is int for point in read_data_sets(np.arange(2))[0])


@pytest.mark.parametrize(
    "data_sets",
    [
        np.array([[0, 1], [1, 1]]),
        [np.array([0, 1]), (1, np.int64(1))],
        [[np.int8(0), 1], np.array([1, 1], dtype=object)],
    ],
)
def test_rows_are_tuples_of_integers(data_sets):
    domain, _ = read_data_sets(data_sets)
    assert domain.points == ((0, 1), (1, 1))
    assert {type(value) for point in domain for value in point} == {int}
    assert stirred.smallest_budget(parity, data_sets=data_sets, distance="bounded") == Loss(3)


@pytest.mark.parametrize("listing", [stirred.multisets, stirred.ordered_data_sets])
def test_a_domain_of_scalars_is_one_of_their_values(listing):
    domain = listing(np.arange(2), [0, 2])
    found, _ = read_data_sets(domain)
    assert {type(value) for point in found for value in point} == {int}
    assert (found.points, found.form, found.name) == (domain.points, domain.form, domain.name)
    plain = listing((0, 1), [0, 2])
    assert read_data_sets(plain)[0] is plain


def test_texts_and_truths_are_values_too():
    assert list(map(repr, read_data_sets(np.array(["a", "b"]))[0])) == ["'a'", "'b'"]
    assert list(map(repr, read_data_sets(np.array([True, False]))[0])) == ["True", "False"]


def test_a_distance_of_integers_needs_integers():
    with pytest.raises(InputError, match="'absolute_difference' needs data sets that are integers"):
        stirred.smallest_budget(noisy_count, data_sets=np.array([0.0, 1.0]), distance="absolute_difference")


def test_a_scalar_is_a_parameter_and_a_distance():
    claim = {"data_sets": np.arange(2), "distance": lambda x, y: np.int64(2 * (x != y))}
    assert stirred.smallest_budget(noisy_count, **claim, sides=np.int64(4)) == Loss(3, 2)
    with pytest.raises(InputError, match=r"sides must be exact; got the float np.float64\(4.0\)"):
        stirred.smallest_budget(noisy_count, **claim, sides=np.float64(4))


@pytest.mark.parametrize("made", [np.int64, np.array, lambda value: (np.int8(value), "a")])
def test_a_scalar_is_an_output(made):
    def mechanism(data, source):
        return made(noisy_count(data, source))

    assert stirred.smallest_budget(mechanism, data_sets=(0, 1), distance="absolute_difference") == Loss(3)


@pytest.mark.parametrize("made", [lambda value: np.array([value]), lambda value: (np.arange(3), value)])
def test_an_array_as_output_says_what_to_write(made):
    def mechanism(data, source):
        return made(noisy_count(data, source))

    with pytest.raises(InputError, match=r"an output must be .*; got a ndarray: write tuple\(…\) of plain values"):
        stirred.smallest_budget(mechanism, data_sets=(0, 1), distance="absolute_difference")
