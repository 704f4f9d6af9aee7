"""What integer arrays call surely within a bound is within it by exact sums; little of what is within is missed.

The pairs of a universe, against every distance.
"""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_flavors import law
from strategies import laws, open_probabilities, tables

from stirred.mechanisms import exact_law, permutation_swapping
from stirred.mechanisms.interpreters.choice_follower import ChoiceBudget, follow
from stirred.mechanisms.interpreters.choice_runs import Runs
from stirred.mechanisms.interpreters.run_lister import list_runs
from stirred.mechanisms.swapping.permutation_swapping import table_records
from stirred.spec import INFINITE, InputError, Law, Loss, hockey_stick
from stirred.spec.blocks.domain import multisets, ordered_data_sets
from stirred.spec.blocks.input_premetric import (
    Neighbors,
    Order,
    deletion_distance,
    explicit,
    hamming_ordered,
    hamming_unordered,
    neighbor_premetric,
    symmetric_difference,
)
from stirred.verify.engines import likelihood
from stirred.verify.engines import universe_pairs as universe_pairs_module
from stirred.verify.engines.law_pairs import NumberedLaws
from stirred.verify.engines.law_screen import LawScreen, ScreenedBound
from stirred.verify.engines.likelihood import CheckedLaws, approximate_law, check_against, check_ratio, contained
from stirred.verify.engines.universe_pairs import universe_pairs
from stirred.verify.evidence.finding import EngineError


@given(tables(records=4), open_probabilities)
def test_the_swapping_law_has_the_same_value_at_60_digits(table, p):
    records = table_records(table)
    exact = exact_law(permutation_swapping, records, swap_rate=p)
    check_against(exact, approximate_law(permutation_swapping, records, swap_rate=p), "law")


@given(laws(3, positive=True), laws(3, positive=True))
def test_nested_attempts_and_restarts_have_the_same_value(first, second):
    weights = [[law[t] for t in range(3)] for law in (first, second)]

    def inner(source):
        value = source.choose(weights[0])
        if value == 2:
            source.restart()
        return value

    def outer(source):
        total = source.choose(weights[1]) + source.attempt(inner) + source.attempt(inner)
        if total == 0:
            source.restart()
        return total

    def mechanism(data, source):
        result = source.attempt(inner), source.attempt(outer)
        if result == (0, 1):
            source.restart()
        return result

    check_against(exact_law(mechanism, None), approximate_law(mechanism, None), "law")


def test_two_attempts_without_a_choice_between_them_are_told_apart():
    def half(source):
        if source.uniform(2):
            source.restart()
        return 0

    def third(source):
        source.attempt(half)
        if source.uniform(3):
            source.restart()
        return source.uniform(2)

    value = approximate_law(lambda data, source: source.attempt(third), None)
    assert {outcome: float(mass) for outcome, mass in value.items()} == {0: 0.5, 1: 0.5}

    assert approximate_law(lambda data, source: data, "x") == {"x": 1}  # a point mass
    check_against(exact_law(lambda data, source: source.choose((1, 0)), None), {0: Fraction(1)}, "law")


TOLERANCE = Fraction(1, 10**50)


@given(open_probabilities, st.sampled_from([-1, 1]), st.integers(1, 9), st.integers(45, 55))
def test_a_probability_may_differ_by_the_tolerance_and_no_more(p, sign, digit, places):
    """The computations agree to about 60 digits, so a difference d·10^-k is seen as soon as it is above 10^-50."""
    shift = Fraction(digit, 10**places)
    value = approximate_law(lambda data, source: source.bernoulli(p), None)
    law = Law({True: p + sign * shift, False: 1 - p - sign * shift})
    if shift == TOLERANCE:
        return
    if shift < TOLERANCE:
        check_against(law, value, "law")
    else:
        with pytest.raises(EngineError, match=r"law: the exact probability of .* and its independent value disagree"):
            check_against(law, value, "law")


def test_an_outcome_that_only_one_computation_has_is_a_disagreement():
    sure = Law({0: 1})
    with pytest.raises(EngineError, match="of 1 and its independent value"):
        check_against(sure, {**approximate_law(lambda data, source: 0, None), 1: Fraction(1, 10**40)}, "law")
    with pytest.raises(EngineError, match="of 0 and its independent value"):
        check_against(sure, {}, "law")


@pytest.mark.parametrize("places", [40, 50, 60, 1000])
def test_an_outcome_of_one_computation_alone_is_a_disagreement_however_improbable(places):
    rare = Fraction(1, 10**places)
    value = approximate_law(lambda data, source: source.choose((1 - rare, rare)), None)
    law, others = Law({0: 1 - rare, 1: rare}), {0: value[0]}
    check_against(law, value, "law")
    for one, other in ((law, others), (Law({0: 1}), {0: 1, 1: value[1]})):
        with pytest.raises(EngineError, match="of 1 and its independent value disagree"):
            check_against(one, other, "law")


@given(open_probabilities, open_probabilities, st.sampled_from([-1, 1]), st.integers(1, 5), st.integers(45, 55))
def test_a_loss_may_differ_by_the_tolerance_and_no_more(p, q, sign, distance, places):
    """|ln p − ln q| against ln(γ)/d: where γ is changed by the factor 1 ± s, ln(γ)/d is changed by about s/d."""
    high, low = max(p, q), min(p, q) / 2
    power, shift = (high / low) ** distance, Fraction(1, 10**places)
    check_ratio(high, low, Loss(power, distance), "loss")
    check_ratio(low, high, Loss(power, distance), "loss")
    wrong = Loss(power * (1 + sign * shift), distance)
    if shift / distance < TOLERANCE * Fraction(9, 10):
        check_ratio(high, low, wrong, "loss")
    elif shift / distance > TOLERANCE * Fraction(11, 10):
        with pytest.raises(EngineError, match="loss: the exact loss and its independent value disagree"):
            check_ratio(high, low, wrong, "loss")


def test_an_infinite_loss_is_one_where_a_single_probability_is_zero():
    half, none = Fraction(1, 2), Fraction(0)
    check_ratio(half, none, INFINITE, "loss")
    check_ratio(none, half, INFINITE, "loss")
    for p, q, loss in ((half, half, INFINITE), (none, none, INFINITE), (half, none, Loss(9)), (none, half, Loss(9))):
        with pytest.raises(EngineError, match="disagree about being infinite"):
            check_ratio(p, q, loss, "loss")


def biased(share, outputs):
    """Two answers by one weight."""

    def program(source):
        answer = source.attempt(lambda inner: inner.bernoulli(share))
        return outputs[answer], source.choose((share, 1 - share))

    return program


@pytest.mark.parametrize("most", [1, 2, 2_000], ids=["forgets always", "forgets often", "keeps all"])
def test_laws_are_given_and_checked_one_after_another_whatever_is_kept(monkeypatch, most):
    monkeypatch.setattr(likelihood, "_MOST_SHAPES", most)
    checked = CheckedLaws()
    for share in [Fraction(1, n) for n in (2, 3, 4, 3, 2)]:
        for outputs in ("ab", "cd", "aa"):
            program = biased(share, outputs)
            tree, runs = follow(program, ChoiceBudget(100)), list_runs(program, 100)
            law = checked.law(tree)
            assert dict(law) == dict(exact_law(lambda data, source, program=program: program(source), None))
            assert checked.exact(runs) == dict(law)
            checked.check(law, runs)
            other = Runs([row[::-1] for row in runs.weights], runs.outputs, runs.nodes)
            if share == Fraction(1, 2):
                checked.check(law, other)
                continue
            assert checked.exact(other) != dict(law)
            with pytest.raises(EngineError, match="and its independent value disagree"):
                checked.check(law, other)
            with pytest.raises(EngineError, match="and its independent value disagree"):
                checked.check(law, Runs(runs.weights, [*runs.outputs[:-1], "another"], runs.nodes))
            checked.check(law, runs)


def test_equal_numbers_of_laws_are_one_object_while_they_are_kept():
    checked = CheckedLaws()
    laws = [checked.law(follow(biased(Fraction(1, 2), outputs), ChoiceBudget(100))) for outputs in ("ab", "cd")]
    assert len({id(mass) for law in laws for mass in law.values()}) == 1


GAMMAS = [Fraction(1), Fraction(3, 2), Fraction(2), Fraction(10**9), Fraction(10**40, 3), None]


def laws_of(seed):
    draw = random.Random(seed)  # noqa: S311 a fixed sample
    size, kinds = draw.choice((2, 3, 30)), (0, 1, 1, 2, 3)
    return {x: law(*(draw.choice((*kinds, 10 ** draw.randint(1, 20))) for _ in range(size - 1)), 1) for x in range(6)}


def beyond(p, q, gamma):
    """E_γ(P‖Q) in both directions, the larger; with None the mass that has no counterpart."""
    if gamma is not None:
        return max(hockey_stick(p, q, gamma), hockey_stick(q, p, gamma))
    return max(sum((a.numeric(t) for t in a if not b.numeric(t)), Fraction(0)) for a, b in ((p, q), (q, p)))


def is_below(p, q, gamma):
    """P < γ·Q wherever P > 0, and the other way round."""
    sides = [(a.numeric(t), b.numeric(t)) for a, b in ((p, q), (q, p)) for t in a if a.numeric(t)]
    return all(b if gamma is None else a < gamma * b for a, b in sides)


@pytest.mark.parametrize("gamma", GAMMAS, ids=str)
def test_what_is_surely_within_is_within(gamma):
    within = missed = 0
    for seed in range(40):
        laws = laws_of(seed)
        numbered = NumberedLaws(laws)
        screen = LawScreen(numbered)
        for first, p in laws.items():
            numbers = [numbered.numbers[point] for point in laws]
            exact = [beyond(p, q, gamma) for q in laws.values()]
            for delta in (*{value for value in exact if value}, Fraction(1, 10)):
                said = screen.within(numbered.numbers[first], numbers, ScreenedBound(gamma, delta))
                for is_within, value in zip(said, exact, strict=True):
                    assert not is_within or value < delta
                    within, missed = within + is_within, missed + (value * (1 + Fraction(1, 10**4)) < delta > is_within)
            said = screen.within(numbered.numbers[first], numbers, ScreenedBound(gamma, None))
            assert all(is_below(p, q, gamma) for q, one in zip(laws.values(), said, strict=True) if one)
    assert within > 100
    assert missed * 20 < within or (gamma is not None and gamma > 2**25)


def test_neither_equality_nor_one_part_in_2_to_the_60_is_taken_for_less():
    for gap in (Fraction(0), Fraction(1, 2**60)):
        laws = {0: law(1, 1), 1: Law({0: Fraction(3, 4) + gap, 1: Fraction(1, 4) - gap})}
        screen = LawScreen(NumberedLaws(laws))
        for gamma, delta in ((Fraction(2), None), (Fraction(1), Fraction(1, 4)), (Fraction(3, 2), Fraction(1, 8))):
            assert screen.within(0, [1], ScreenedBound(gamma, delta)) == [False]
    assert screen.within(0, [1], ScreenedBound(Fraction(3), None)) == [True]


def test_only_few_laws_left_out_end_the_trials():
    laws = {n: law(1, 1 + n) for n in range(40)}
    screen = LawScreen(NumberedLaws(laws))
    near = [(n, n, Fraction(1)) for n in range(1, 40)]
    asked = []

    def bound(d):
        asked.append(d)
        return ScreenedBound(Fraction(1), None)

    for _ in range(60):
        assert screen.left(0, near, bound) == near
    assert 10 < len(asked) < 20
    with pytest.raises(InputError, match="gamma must be at least 1; got"):
        ScreenedBound(Fraction(1, 2), None)


ORDERED, UNORDERED = ordered_data_sets((0, 1, 2), (1, 2)).points, multisets("abcd", (1, 2, 3)).points
LOCAL = [neighbor_premetric(*parts, "record") for parts in product(Neighbors, Order)]

KNOWN = [
    (hamming_ordered("record"), ORDERED),
    (deletion_distance("record"), ORDERED),
    (hamming_unordered("record"), UNORDERED),
    (symmetric_difference("record"), UNORDERED),
    *((one, ORDERED if one.relation.order is Order.ORDERED else UNORDERED) for one in LOCAL),
]


def distances(points, premetric):
    found = {(i, j): premetric(points[i], points[j]) for i, j in permutations(range(len(points)), 2)}
    return {pair: d for pair, d in found.items() if d is not None}


def rows(row, points):
    return {(place, other): d for place in range(len(points)) for other, d in row(place)}


def check(points, premetric):
    pairs = universe_pairs(points, premetric)
    every, few = distances(points, premetric), rows(pairs.bounding_row, points)
    assert rows(pairs.row, points) == every
    assert few.items() <= every.items()
    left_out = {pair: d for pair, d in every.items() if pair not in few}
    for (x, y), d in left_out.items():
        assert any(
            every.get((x, z), 0) > 0 and every.get((z, y), 0) > 0 and every[x, z] + every[z, y] <= d
            for z in range(len(points))
        )
    assert pairs.is_bounded_by_fewer == bool(left_out)
    if left_out:
        assert pairs.least_between <= min(left_out.values())
    assert sorted(map(sorted, pairs.unordered())) == sorted(map(list, {tuple(sorted(pair)) for pair in every}))
    assert pairs.count == len({frozenset(pair) for pair in every})
    assert pairs.bounding_count == len({frozenset(pair) for pair in few})
    return pairs


@pytest.fixture(params=[64, -1], ids=["one by one", "in arrays"])
def counted(request, monkeypatch):
    monkeypatch.setattr(universe_pairs_module, "_FEW", request.param)


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize(("premetric", "points"), KNOWN, ids=lambda one: getattr(one, "name", ""))
def test_pairs_listed_by_steps_are_those_that_are_measured(premetric, points):
    stepped = check(points, premetric)
    measured = check(points, replace(premetric, relation=None))
    for row in ("row", "bounding_row"):
        assert rows(getattr(stepped, row), points) == rows(getattr(measured, row), points)
    assert stepped.is_bounded_by_fewer == (not premetric.is_local)


@pytest.mark.usefixtures("counted")
@pytest.mark.parametrize(("premetric", "points"), KNOWN, ids=lambda one: getattr(one, "name", ""))
def test_parts_of_a_domain_are_never_taken_for_complete(premetric, points):
    for step in (2, 3, 5):
        check(points[::step], premetric)


def test_data_sets_that_a_relation_sees_as_one_are_measured():
    check([("a", "b"), ("b", "a"), ("a", "a")], hamming_unordered("record"))


@pytest.mark.usefixtures("counted")
def test_records_are_told_apart_as_python_tells_them_apart():
    check([(1, "a"), (True, "a"), (1.0, "b", 0), (), ("a", 1)], symmetric_difference("record"))
    check([(1, "a"), (True, "a"), (0, False), (), ("a", 1)], hamming_ordered("record"))


@given(st.lists(laws(4), min_size=1, max_size=6), st.booleans())
def test_equal_laws_have_one_number_in_rows_of_an_array_and_without(given, is_full):
    """Of few of many outcomes no array is made."""
    points = dict(enumerate(given)) | {-1 - x: Law(dict(reversed(one.items()))) for x, one in enumerate(given)}
    if not is_full:
        points |= {f"far {x}": one.push(lambda t, x=x: (t, x)) for x, one in enumerate(given * 20)}
    numbered = NumberedLaws(points)
    for x, one in points.items():
        cells = numbered.matrix[numbered.numbers[x]]
        assert {t: numbered.values[number] for t, number in numbered.row(x).items()} == dict(one)
        assert {t: numbered.values[cells[at]] for t, at in numbered.places.items() if cells[at]} == dict(one)
        assert all((numbered.numbers[x] == numbered.numbers[y]) == (one == other) for y, other in points.items())
    assert len(numbered) == len(set(points.values()))


@given(
    st.integers(0, 6),
    st.dictionaries(
        st.tuples(st.integers(0, 5), st.integers(0, 5)), st.fractions(0, 4, max_denominator=3), max_size=30
    ),
)
def test_any_premetric_whatever_its_asymmetry_and_shortcuts(size, table):
    listed = {(x, y): d for (x, y), d in table.items() if x != y}
    check(tuple(range(size)), explicit(listed, "record"))


@pytest.mark.parametrize(
    ("points", "unit", "is_bounded"),
    [
        ((0, 1, 2), 1, True),
        ((0, 2), 1, False),  # paths outside the universe do not count
        ((0, 1, 2), 10**30, False),  # beyond machine integers nothing is left out
    ],
)
def test_only_pairs_with_a_path_between_are_left_out(points, unit, is_bounded):
    far = explicit({(0, 1): unit, (1, 2): unit, (0, 2): 2 * unit}, "record")
    assert check(points, far).is_bounded_by_fewer is is_bounded


@pytest.mark.parametrize(
    ("raised", "told"),
    [
        (ValueError("first\nsecond"), "InputError: here: it raised ValueError: first"),
        (SystemExit(), "InputError: here: it raised SystemExit"),
        (RecursionError(), "InputError: here: it recurses without end"),
        (EngineError("no law"), "EngineError: here: no law"),
    ],
)
def test_what_a_mechanism_raises_becomes_one_line(raised, told):
    with pytest.raises((InputError, EngineError)) as refused, contained("here"):
        raise raised
    assert f"{type(refused.value).__name__}: {refused.value}" == told
