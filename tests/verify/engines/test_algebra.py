"""Exact linear programs, kernels between pairs of laws, what implies what; and sign certificates in whole numbers."""

from fractions import Fraction
from itertools import permutations, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_flavors import law

from stirred.spec import INFINITE, ZERO, ConstraintMatrix, FiniteDomain, Loss, Multiplicative, TotalVariation
from stirred.spec.arguments import InputError
from stirred.spec.blocks.multiverse import Multiverse, induced
from stirred.spec.blocks.specification import Flavor
from stirred.spec.laws.law import point_mass
from stirred.spec.output_premetrics import ApproximateMultiplicative, NormalizedRenyi, tradeoff_curve
from stirred.verify.engines.algebra.comparison import Decision, _by_programs, broken_pairs, stronger
from stirred.verify.engines.algebra.corners import IntegerDistances, by_size
from stirred.verify.engines.algebra.linear_program import (
    Infeasible,
    Solution,
    _check,
    implied,
    maximum,
    nonnegative_solution,
)
from stirred.verify.engines.exhaustive import universe_losses
from stirred.verify.engines.sign_certificate import SignCertificate, evaluate_polynomial
from stirred.verify.evidence.finding import EngineError
from stirred.verify.ledger.engines import blackwell
from stirred.verify.ledger.engines import small_domains as small
from stirred.verify.ledger.engines.blackwell import NoKernel, PostProcessing, post_processing

SMALL = st.integers(-3, 3).map(Fraction)


@given(st.lists(st.tuples(SMALL, SMALL), min_size=1, max_size=5), st.tuples(SMALL, SMALL))
def test_every_answer_carries_a_certificate(columns, target):
    answer = nonnegative_solution(columns, target)
    if isinstance(answer, Solution):
        sums = [sum(x * column[i] for x, column in zip(answer.values, columns, strict=True)) for i in range(2)]
        assert sums == list(target)
        assert min(answer.values) >= 0
    else:
        y = answer.separator
        assert sum(a * b for a, b in zip(y, target, strict=True)) > 0
        assert all(sum(a * b for a, b in zip(y, column, strict=True)) <= 0 for column in columns)


@given(
    st.lists(st.tuples(SMALL, SMALL, SMALL), min_size=1, max_size=5),
    st.lists(st.integers(0, 3), min_size=5, max_size=5),
)
def test_what_has_a_solution_gets_one(columns, weights):
    target = [sum((w * column[i] for w, column in zip(weights, columns, strict=False)), Fraction(0)) for i in range(3)]
    assert isinstance(nonnegative_solution(columns, target), Solution)


def test_degenerate_pivots_end():
    """Beale's example, on which the largest-coefficient rule cycles."""
    columns = [
        (Fraction(1, 4), Fraction(1, 2), Fraction(0)),
        (Fraction(-60), Fraction(-90), Fraction(0)),
        (Fraction(-1, 25), Fraction(-1, 50), Fraction(1)),
        (Fraction(9), Fraction(3), Fraction(0)),
        *(tuple(Fraction(i == j) for i in range(3)) for j in range(3)),
    ]
    assert isinstance(nonnegative_solution(columns, [Fraction(0), Fraction(0), Fraction(1)]), Solution)


ONE, MINUS_ONE = (Fraction(1),), (Fraction(-1),)


@pytest.mark.parametrize(
    ("error", "message", "ask"),
    [
        (EngineError, "does not check", lambda: _check([ONE], ONE, Solution((Fraction(2),)))),
        (EngineError, "does not check", lambda: _check([ONE], ONE, Infeasible(ONE))),
        (InputError, "every column must have 2 entries", lambda: nonnegative_solution([ONE], [*ONE, *ONE])),
        (EngineError, "finite maximum", lambda: maximum([MINUS_ONE], ONE, ONE)),
        (InputError, "must not be negative", lambda: maximum([ONE], MINUS_ONE, ONE)),
    ],
)
def test_false_certificates_and_programs_without_an_answer_are_refused(error, message, ask):
    with pytest.raises(error, match=message):
        ask()


BOX = ([(1, 0), (-1, 0), (0, 1), (0, -1)], [1, 0, 1, 0])


@pytest.mark.parametrize(("row", "bound", "holds"), [((1, 1), 2, True), ((1, 1), 1, False), ((1, -1), 1, True)])
def test_implications_over_a_square(row, bound, holds):
    rows, bounds = [tuple(map(Fraction, r)) for r in BOX[0]], list(map(Fraction, BOX[1]))
    found = implied(rows, bounds, tuple(map(Fraction, row)), Fraction(bound))
    assert (found.point is None) == holds
    assert (found.multipliers is not None) == holds
    if found.point is not None:
        assert sum(a * b for a, b in zip(row, found.point, strict=True)) > bound


@given(st.lists(st.tuples(SMALL, SMALL), max_size=4), st.lists(st.integers(0, 3), min_size=4, max_size=4), SMALL, SMALL)
def test_a_maximum_is_attained_and_implied(rows, limits, c, d):
    ones, bounds = (Fraction(1), Fraction(1)), [*map(Fraction, limits[: len(rows)]), Fraction(5)]
    found = maximum([*rows, ones], bounds, (c, d))
    assert c * found.point[0] + d * found.point[1] == found.value
    below = [(Fraction(-1), Fraction(0)), (Fraction(0), Fraction(-1))]
    inequalities = [*rows, ones, *below], [*bounds, Fraction(0), Fraction(0)]
    assert implied(*inequalities, (c, d), found.value).point is None
    assert implied(*inequalities, (c, d), found.value - Fraction(1, 9)).multipliers is None


CROSSING = (law(1, 1), law(1, 9), law(1, 4), law(0, 1))


def test_a_kernel_that_was_applied_is_found_again():
    p, q = law(1, 2, 3), law(1, 1, 1)
    noisy = {0: law(1, 2), 1: law(3, 1), 2: law(0, 1)}.__getitem__
    found = post_processing(p, q, p.bind(noisy), q.bind(noisy))
    assert isinstance(found, PostProcessing)
    assert p.bind(found.kernel.__getitem__) == p.bind(noisy)
    assert q.bind(found.kernel.__getitem__) == q.bind(noisy)


@pytest.mark.parametrize(
    "laws",
    [
        *(CROSSING, CROSSING[2:] + CROSSING[:2]),
        (law(1, 1), law(1, 1), law(1, 2), law(2, 1)),  # a fair coin tells nothing
    ],
)
def test_what_is_easier_to_tell_apart_has_no_kernel(laws):
    found = post_processing(*laws)
    assert isinstance(found, NoKernel)
    assert found.wanted > found.power


def test_disagreement_with_the_curves_is_an_engine_failure(monkeypatch):
    monkeypatch.setattr(blackwell, "tradeoff_curve", lambda p, q: tradeoff_curve(point_mass(0), point_mass(0)))
    with pytest.raises(EngineError, match="no kernel exists although"):
        post_processing(law(1, 1), law(1, 1), law(1, 2), law(2, 1))


TWO, THREE = FiniteDomain((0, 1)), FiniteDomain((0, 1, 2))
LOSSES = (ZERO, Loss(Fraction(3, 2)), Loss(Fraction(2)), Loss(Fraction(4)), INFINITE)
VARIATIONS = (Fraction(0), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), None)


def matrices(measure):
    values = VARIATIONS if isinstance(measure, TotalVariation) else LOSSES
    pairs = tuple(permutations(range(3), 2))
    return st.tuples(*(st.sampled_from(values) for _ in pairs)).map(
        lambda chosen: ConstraintMatrix(THREE, measure, dict(zip(pairs, chosen, strict=True)))
    )


def check(found, first, second):
    if found.answer is Decision.NO:
        assert next(broken_pairs(found.mechanism, first), None) is None
        assert found.pair in set(broken_pairs(found.mechanism, second))


@pytest.mark.parametrize("measure", [Multiplicative(), TotalVariation()])
@given(st.data())
def test_closures_and_linear_programs_agree(measure, data):
    first, second = data.draw(matrices(measure)), data.draw(matrices(measure))
    by_closure, by_programs = stronger(first, second), _by_programs(first, second)
    assert by_closure.answer is by_programs.answer
    check(by_closure, first, second)
    check(by_programs, first, second)


MIXED = st.sampled_from([Multiplicative(), TotalVariation(), ApproximateMultiplicative(Fraction(1, 4))])


@given(st.data())
def test_any_mixture_of_premetrics_is_decided(data):
    first, second = (data.draw(MIXED.flatmap(matrices)) for _ in range(2))
    found = stronger(first, second)
    assert found.answer is not Decision.UNDECIDED
    check(found, first, second)


def bound(measure, value=None):
    """One bound between two data sets, in one direction; without a value none."""
    return ConstraintMatrix(TWO, measure, {} if value is None else {(0, 1): value})


@pytest.mark.parametrize(
    ("first", "second", "answer"),
    [
        # D_Mult ≤ ln 3 gives D_TV ≤ (3 − 1)/(3 + 1) = 1/2, and nothing smaller
        (bound(Multiplicative(), Loss(3)), bound(TotalVariation(), Fraction(1, 2)), Decision.YES),
        (bound(Multiplicative(), Loss(3)), bound(TotalVariation(), Fraction(49, 100)), Decision.NO),
        # an irrational bound, √2, beside 7/5 and 3/2
        (bound(Multiplicative(), Loss(2, 2)), bound(Multiplicative(), Loss(Fraction(7, 5))), Decision.NO),
        (bound(Multiplicative(), Loss(2, 2)), bound(Multiplicative(), Loss(Fraction(3, 2))), Decision.YES),
        # a premetric without an engine: by the bounds themselves, or where data sets are not connected
        (bound(NormalizedRenyi(), Fraction(2)), bound(NormalizedRenyi(), Fraction(1)), Decision.UNDECIDED),
        (bound(NormalizedRenyi(), Fraction(1)), bound(NormalizedRenyi(), Fraction(2)), Decision.YES),
        (bound(NormalizedRenyi()), bound(NormalizedRenyi(), Fraction(5)), Decision.NO),
    ],
)
def test_single_bounds_are_compared(first, second, answer):
    assert stronger(first, second).answer is answer


def test_an_answer_has_no_truth_value():
    with pytest.raises(TypeError):
        bool(Decision.YES)


def test_other_domains_are_refused_with_the_way_out():
    with pytest.raises(InputError, match="pull one back along a recording map"):
        stronger(bound(Multiplicative()), ConstraintMatrix(THREE, Multiplicative(), {}))


LAWS = [law(*counts) for counts in product(range(7), repeat=3) if sum(counts) == 6]

MEASURES = [Multiplicative(), TotalVariation(), *(ApproximateMultiplicative(Fraction(1, n)) for n in (2, 6, 7, 10))]


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_integers_agree_with_the_premetrics_on_all_pairs(measure):
    distances = IntegerDistances(LAWS, measure)
    for (i, p), (j, q) in product(enumerate(LAWS), repeat=2):
        assert distances.between(i, j) == measure.distance(p, q)


def test_keys_sort_as_the_premetric_compares():
    values = sorted({Multiplicative().distance(p, q) for p, q in product(LAWS, repeat=2)}, key=by_size)
    assert values == sorted(values)


def test_premetrics_without_exact_distances_are_refused():
    with pytest.raises(InputError, match="must have exact distances"):
        IntegerDistances(LAWS, NormalizedRenyi())


@pytest.mark.parametrize("size", [1, 2, 3])
def test_there_are_2_to_the_2_to_the_n_multiverses_and_all_differ(size):
    every = list(small.multiverses(small.domain_of(size)))
    assert len(every) == 2**2**size
    assert len({frozenset(multiverse) for multiverse in every}) == len(every)

    assert {Multiverse(()), Multiverse((frozenset(),))} <= set(every)


@pytest.mark.parametrize(("size", "bell", "shapes"), [(1, 1, 1), (2, 2, 2), (3, 5, 3), (4, 15, 5)])
def test_invariants_are_the_partitions_once_each_and_their_shapes_those_of_an_integer(size, bell, shapes):
    domain = small.domain_of(size)
    partitions = {frozenset(induced(domain, c.__getitem__)) for c in small.invariants(domain)}
    assert len(partitions) == len(list(small.invariants(domain))) == bell
    assert len(small.invariant_shapes(domain)) == shapes


def test_premetrics_include_asymmetric_ones_and_zeros_between_different_points():
    tables = list(small.premetric_tables(small.domain_of(2)))
    assert len(tables) == 16
    assert {(0, 1): 0, (1, 0): None} in tables


@pytest.mark.parametrize("size", [0, 5, True, 2.0])
def test_domains_too_large_to_list_are_refused(size):
    with pytest.raises(InputError, match="size must be"):
        small.domain_of(size)


@pytest.mark.parametrize("measure", [Multiplicative(), TotalVariation()])
def test_smallest_budgets_agree_with_the_exhaustive_engine(measure):
    domain = small.domain_of(3)
    needed = small.SmallestBudgets(measure)
    multiverse = Multiverse(small.universes(domain))
    table = {(0, 1): 0, (1, 0): 2, (0, 2): 1, (2, 0): None, (1, 2): 2, (2, 1): 1}
    for kernel in small.kernels(domain):
        laws = {point: small.LAWS[i] for point, i in enumerate(kernel)}
        flavor = Flavor(domain, multiverse, small.premetric(table), measure)
        for loss in universe_losses(laws, flavor):
            assert needed.values[needed.of(loss.universe, kernel, table)] == loss.budget


def test_smallest_budgets_rank_increasingly():
    values = small.SmallestBudgets(Multiplicative()).values
    assert list(values) == sorted(set(values))
    assert values[0] == ZERO
    assert values[-1] == INFINITE


def test_bits_are_the_multiverses_with_budgets_in_mixed_radix():
    subsets = small.universes(small.domain_of(1))
    every = small.BudgetedMultiverses(subsets, small.LOSSES)
    choices = product([None, *small.LOSSES], repeat=2)
    listed = [{u: one for u, one in zip(subsets, choice, strict=True) if one is not None} for choice in choices]
    decoded = [every.first(1 << number) for number in range(every.count)]
    assert every.count == 25
    assert all(one in decoded for one in listed)
    chosen = every.with_budget(1, lambda budget: budget <= Loss(Fraction(2)))
    for number, budgets in enumerate(decoded):
        inside = subsets[1] in budgets and budgets[subsets[1]] <= Loss(Fraction(2))
        assert bool(chosen >> number & 1) == inside
        assert bool(every.present(0) >> number & 1) == (subsets[0] in budgets)


def test_kernels_up_to_relabelling_cover_all_kernels():
    domain = small.domain_of(3)
    covered = {tuple(kernel[i] for i in order) for kernel in small.kernels(domain) for order in permutations(range(3))}
    assert covered == set(product(range(len(small.LAWS)), repeat=3))


POINTS = st.fractions(0, 9, max_denominator=6)
POLYNOMIALS = st.lists(st.integers(-9, 9), min_size=1, max_size=6).map(tuple)


def moved_to_infinity(polynomial, start):
    """T(start + t) by the binomial theorem."""
    found = [Fraction(0)] * len(polynomial)
    for power, coefficient in enumerate(polynomial):
        for j in range(power + 1):
            found[j] += coefficient * comb(power, j) * start ** (power - j)
    return found


def moved_between(polynomial, left, right):
    """(1+t)^d·T((left + right·t)/(1+t)) by the binomial theorem, twice."""
    degree = len(polynomial) - 1
    found = [Fraction(0)] * (degree + 1)
    for power, coefficient in enumerate(polynomial):
        for j in range(power + 1):
            for i in range(degree - power + 1):
                value = comb(power, j) * left ** (power - j) * right**j * comb(degree - power, i)
                found[i + j] += coefficient * value
    return found


def passes(polynomial, *cells):
    try:
        SignCertificate(polynomial, Fraction(1), (1,), polynomial, cells).check()
    except EngineError as error:
        if "proves nothing" not in str(error):
            raise
        return False
    return True


@given(POLYNOMIALS, POINTS, POINTS)
def test_a_cell_passes_iff_no_moved_coefficient_is_negative(polynomial, left, width):
    assert passes(polynomial, left, None) == all(c >= 0 for c in moved_to_infinity(polynomial, left))
    if width:
        expected = all(c >= 0 for c in moved_between(polynomial, left, left + width))
        assert passes(polynomial, left, left + width) == expected


@given(POLYNOMIALS, st.fractions(-9, 9, max_denominator=6))
def test_a_value_is_that_of_the_powers(polynomial, point):
    assert evaluate_polynomial(polynomial, point) == sum(c * point**k for k, c in enumerate(polynomial))
