"""Exact linear programs, kernels between pairs of laws, what implies what; and sign certificates in whole numbers."""

from fractions import Fraction
from itertools import permutations, product
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stirred.spec import INFINITE, ZERO, ConstraintMatrix, FiniteDomain, Loss, Multiplicative, TotalVariation
from stirred.spec.arguments import InputError
from stirred.spec.blocks.multiverse import Multiverse, induced
from stirred.spec.blocks.specification import Flavor
from stirred.spec.laws.law import Law, point_mass, uniform_law
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


def test_a_wrong_certificate_is_an_engine_failure():
    columns, target = [(Fraction(1),)], [Fraction(1)]
    with pytest.raises(EngineError):
        _check(columns, target, Solution((Fraction(2),)))
    with pytest.raises(EngineError):
        _check(columns, target, Infeasible((Fraction(1),)))


def test_columns_of_another_length_are_refused():
    with pytest.raises(InputError, match="every column must have 2 entries"):
        nonnegative_solution([(Fraction(1),)], [Fraction(1), Fraction(1)])


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


def test_a_maximum_that_is_none_is_refused():
    with pytest.raises(EngineError, match="finite maximum"):
        maximum([(Fraction(-1),)], [Fraction(1)], (Fraction(1),))
    with pytest.raises(InputError, match="must not be negative"):
        maximum([(Fraction(1),)], [Fraction(-1)], (Fraction(1),))


def coin(head):
    return Law({0: Fraction(head), 1: 1 - Fraction(head)})


def test_a_kernel_that_was_applied_is_found_again():
    p, q = Law({t: Fraction(k, 6) for t, k in enumerate((1, 2, 3))}), uniform_law((0, 1, 2))
    noisy = {0: coin("1/3"), 1: coin("3/4"), 2: point_mass(1)}.__getitem__
    found = post_processing(p, q, p.bind(noisy), q.bind(noisy))
    assert isinstance(found, PostProcessing)
    assert p.bind(found.kernel.__getitem__) == p.bind(noisy)
    assert q.bind(found.kernel.__getitem__) == q.bind(noisy)


def test_no_kernel_makes_a_fair_coin_tell():
    found = post_processing(coin("1/2"), coin("1/2"), coin("1/3"), coin("2/3"))
    assert found == NoKernel(Fraction(2, 3), Fraction(2, 3), Fraction(5, 6)) or isinstance(found, NoKernel)
    assert found.wanted > found.power


def test_crossing_curves_have_no_kernel_either_way():
    first, second = (coin("1/2"), coin("1/10")), (Law({0: Fraction(1, 5), 1: Fraction(4, 5)}), point_mass(1))
    assert isinstance(post_processing(*first, *second), NoKernel)
    assert isinstance(post_processing(*second, *first), NoKernel)


def test_disagreement_with_the_curves_is_an_engine_failure(monkeypatch):
    monkeypatch.setattr(blackwell, "tradeoff_curve", lambda p, q: tradeoff_curve(point_mass(0), point_mass(0)))
    with pytest.raises(EngineError, match="no kernel exists although"):
        post_processing(coin("1/2"), coin("1/2"), coin("1/3"), coin("2/3"))


THREE = FiniteDomain((0, 1, 2))
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


def test_pure_bounds_imply_total_variation_bounds():
    """D_Mult ≤ ln 3 gives D_TV ≤ (3 − 1)/(3 + 1) = 1/2, and nothing smaller."""
    two = FiniteDomain((0, 1))
    pure = ConstraintMatrix(two, Multiplicative(), {(0, 1): Loss(Fraction(3))})
    half = ConstraintMatrix(two, TotalVariation(), {(0, 1): Fraction(1, 2)})
    less = ConstraintMatrix(two, TotalVariation(), {(0, 1): Fraction(49, 100)})
    assert stronger(pure, half).answer is Decision.YES
    assert stronger(pure, less).answer is Decision.NO


def test_irrational_bounds_are_separated_by_rational_mechanisms():
    two = FiniteDomain((0, 1))
    root = ConstraintMatrix(two, Multiplicative(), {(0, 1): Loss(Fraction(2), 2)})
    below = ConstraintMatrix(two, Multiplicative(), {(0, 1): Loss(Fraction(7, 5))})
    above = ConstraintMatrix(two, Multiplicative(), {(0, 1): Loss(Fraction(3, 2))})
    assert stronger(root, below).answer is Decision.NO
    assert stronger(root, above).answer is Decision.YES


def test_premetrics_without_an_engine_stay_undecided():
    two = FiniteDomain((0, 1))
    large, small = (ConstraintMatrix(two, NormalizedRenyi(), {(0, 1): Fraction(n)}) for n in (2, 1))
    assert stronger(large, small).answer is Decision.UNDECIDED
    assert stronger(small, large).answer is Decision.YES


def test_unconnected_data_sets_separate_under_every_premetric():
    two = FiniteDomain((0, 1))
    nothing = ConstraintMatrix(two, NormalizedRenyi(), {})
    something = ConstraintMatrix(two, NormalizedRenyi(), {(0, 1): Fraction(5)})
    assert stronger(nothing, something).answer is Decision.NO


def test_an_answer_has_no_truth_value():
    with pytest.raises(TypeError):
        bool(Decision.YES)


def test_other_domains_are_refused_with_the_way_out():
    one, two = (ConstraintMatrix(FiniteDomain(points), Multiplicative(), {}) for points in ((0, 1), (0, 1, 2)))
    with pytest.raises(InputError, match="pull one back along a recording map"):
        stronger(one, two)


LAWS = [
    Law({t: Fraction(k, 6) for t, k in enumerate(counts)}) for counts in product(range(7), repeat=3) if sum(counts) == 6
]

MEASURES = [Multiplicative(), TotalVariation(), *(ApproximateMultiplicative(Fraction(1, n)) for n in (2, 6, 7, 10))]


@pytest.mark.parametrize("measure", MEASURES, ids=repr)
def test_integers_agree_with_the_premetrics_on_all_pairs(measure):
    distances = IntegerDistances(LAWS, measure)
    for (i, p), (j, q) in product(enumerate(LAWS), repeat=2):
        assert distances.between(i, j) == measure.distance(p, q)


def test_keys_sort_as_the_premetric_compares():
    measure = Multiplicative()
    values = sorted({measure.distance(p, q) for p, q in product(LAWS, repeat=2)}, key=by_size)
    assert values == sorted(values)


def test_premetrics_without_exact_distances_are_refused():
    with pytest.raises(InputError, match="must have exact distances"):
        IntegerDistances(LAWS, NormalizedRenyi())


@pytest.mark.parametrize("size", [1, 2, 3])
def test_there_are_2_to_the_2_to_the_n_multiverses_and_all_differ(size):
    every = list(small.multiverses(small.domain_of(size)))
    assert len(every) == 2**2**size
    assert len({frozenset(multiverse) for multiverse in every}) == len(every)


def test_the_empty_multiverse_and_the_empty_universe_are_listed():
    every = list(small.multiverses(small.domain_of(2)))
    assert Multiverse(()) in every
    assert Multiverse((frozenset(),)) in every


@pytest.mark.parametrize(("size", "bell"), [(1, 1), (2, 2), (3, 5), (4, 15)])
def test_invariants_are_the_partitions_once_each(size, bell):
    domain = small.domain_of(size)
    partitions = {frozenset(induced(domain, c.__getitem__)) for c in small.invariants(domain)}
    assert len(partitions) == len(list(small.invariants(domain))) == bell


@pytest.mark.parametrize(("size", "shapes"), [(1, 1), (2, 2), (3, 3), (4, 5)])
def test_invariant_shapes_are_the_partitions_of_an_integer(size, shapes):
    assert len(small.invariant_shapes(small.domain_of(size))) == shapes


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
    listed = []
    for choice in product([None, *small.LOSSES], repeat=2):
        listed.append({u: budget for u, budget in zip(subsets, choice, strict=True) if budget is not None})
    decoded = [every.first(1 << number) for number in range(every.count)]
    assert every.count == 25
    assert all(one in decoded for one in listed)


def test_sets_of_bits_are_what_their_predicate_says():
    subsets = small.universes(small.domain_of(1))
    every = small.BudgetedMultiverses(subsets, small.LOSSES)
    chosen = every.with_budget(1, lambda budget: budget <= Loss(Fraction(2)))
    for number in range(every.count):
        budgets = every.first(1 << number)
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
