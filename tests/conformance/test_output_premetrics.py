"""What every output premetric must do: one class, and one line for each premetric with how its budgets are drawn."""

import sys
from fractions import Fraction

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from strategies import gammas, laws

from stirred.spec import (
    ApproximateMultiplicative,
    ChiSquared,
    GaussianTradeoff,
    InputError,
    KullbackLeibler,
    Law,
    Loss,
    Multiplicative,
    NormalizedRenyi,
    Renyi,
    SquaredHellinger,
    TotalVariation,
    Tradeoff,
    hockey_stick,
    output_premetrics,
)
from stirred.spec.laws.law import point_mass, uniform_law
from stirred.spec.laws.law import product as joint
from stirred.spec.numbers.reals.real import Real, UndecidedOrderError, order
from stirred.spec.output_premetrics import DIAGONAL, OUTPUT_PREMETRICS, Composition, tradeoff_curve
from stirred.spec.output_premetrics.base import Exceeding, mass
from stirred.spec.output_premetrics.real_valued import real_bound

FRACTIONS = st.fractions(0, 1, max_denominator=9)
LOSSES = st.one_of(st.builds(Loss, gammas, st.integers(1, 3)), st.just(Loss(None)))
CURVES = st.one_of(st.just(DIAGONAL), st.builds(tradeoff_curve, laws(3), laws(3)))
DISTANCES = st.one_of(st.none(), st.integers(0, 3), st.fractions(0, 3, max_denominator=3))
SKEWED = (Law({0: Fraction(1, 2), 1: Fraction(1, 2)}), Law({0: Fraction(1, 4), 1: Fraction(3, 4)}))


class Conformance:
    """The interface of `spec.output_premetrics.base.OutputPremetric`."""

    measure = None
    budgets = LOSSES

    @given(data=st.data())
    def test_order_and_multiples(self, data):
        """at_most is a partial order between zero and no_bound; ε·d grows with d; 0·∞ = ∞; ε is enough for itself."""
        measure = self.measure
        low, high = data.draw(self.budgets), data.draw(self.budgets)
        assert measure.at_most(measure.zero, low)
        assert measure.at_most(low, measure.no_bound)
        assert measure.at_most(low, low)
        if measure.at_most(low, high) and measure.at_most(high, low):
            assert low == high
        if measure.has_largest_budget:
            assert measure.at_most(low, high) or measure.at_most(high, low)
        distances = DISTANCES if measure.distances is None else st.sampled_from(measure.distances)
        d = data.draw(distances)
        assert measure.bound(measure.zero, None) == measure.no_bound
        assert measure.at_most(measure.bound(low, d), measure.bound(low, None))
        needed = measure.smallest_budget(low, d)
        assert measure.at_most(low, measure.bound(needed, d))
        if measure.at_most(low, measure.bound(high, d)):
            assert measure.at_most(needed, high)

    @given(p=laws())
    def test_equal_laws_are_at_no_distance(self, p):
        assert self.measure.distance(p, p) == self.measure.zero

    def test_it_is_known_by_its_name_and_states_its_budgets(self):
        measure = self.measure
        assert OUTPUT_PREMETRICS[measure.name] is type(measure)
        assert measure.budgets
        assert measure.described().startswith(measure.name)
        assert all(key in measure.described() for key in measure.parameters)
        assert measure._repr_latex_().startswith(r"$D_{\mathrm{")
        assert "_" not in measure._repr_latex_()[4:]

    @given(data=st.data())
    def test_bounds_add_or_say_that_they_do_not(self, data):
        measure = self.measure
        a, b, c = (data.draw(self.budgets) for _ in range(3))
        if not (measure.has_triangle_inequality and measure.is_exact) and not measure.has_losses:
            with pytest.raises(InputError, match="bounds that add"):
                measure.add(a, b)
            return
        both = measure.add(a, b)
        assert both == measure.add(b, a)
        assert measure.at_most(a, both)
        assert measure.add(a, measure.zero) == a
        assert measure.add(a, measure.no_bound) == measure.no_bound
        assert measure.add(both, c) == measure.add(a, measure.add(b, c))


class Computed(Conformance):
    """Of premetrics whose distances are computed."""

    skewed = SKEWED

    def at_most(self, first, second):
        return self.measure.at_most(first, second)

    def differ(self, first, second):
        return first != second

    def combined(self, value):
        """A distance as a bound that combines with others."""
        return value

    @given(p=laws(), q=laws())
    def test_declared_symmetry_holds(self, p, q):
        if self.measure.is_symmetric:
            one, other = self.measure.distance(p, q), self.measure.distance(q, p)
            assert one == other or (self.at_most(one, other) and self.at_most(other, one))

    def test_undeclared_symmetry_fails(self):
        p, q = self.skewed
        assert self.measure.is_symmetric or self.differ(self.measure.distance(p, q), self.measure.distance(q, p))

    @given(p=laws(), q=laws(), kernel=st.lists(laws(3), min_size=4, max_size=4))
    def test_post_processing_increases_no_distance(self, p, q, kernel):
        processed = self.measure.distance(p.bind(kernel.__getitem__), q.bind(kernel.__getitem__))
        assert self.measure.is_immune_to_post_processing
        assert self.at_most(processed, self.measure.distance(p, q))

    def test_laws_without_a_common_outcome_are_at_infinity_as_declared(self):
        measure = self.measure
        value = measure.distance(point_mass(0), point_mass(1))
        assert measure.is_infinite_at_total_variation_one == (value == measure.no_bound)
        assert value == measure.largest

    @given(p=laws(2), q=laws(2), r=laws(2), s=laws(2))
    @example(Law({0: 1}), Law({0: Fraction(1, 4), 1: Fraction(3, 4)}), Law({1: 1}), uniform_law((0, 1)))
    def test_independent_releases_compose(self, p, q, r, s):
        measure = self.measure
        if measure.composition is Composition.JOINT_CURVE_ONLY:
            with pytest.raises(InputError, match="bounds that combine"):
                measure.composed_with(measure)
            return
        first, second = (self.combined(measure.distance(*pair)) for pair in ((p, q), (r, s)))
        whole, bound = measure.composed_with(measure), measure.composed_bound(first, second)
        for pair in ((first, measure.no_bound), (measure.no_bound, first), (measure.no_bound, measure.no_bound)):
            assert measure.composed_bound(*pair) == measure.no_bound
        assert whole.at_most(whole.distance(joint(p, r), joint(q, s)), bound)


class ExactConformance(Computed):
    """Of premetrics whose distances are exact."""

    @given(p=laws(), q=laws(), r=laws())
    def test_a_declared_triangle_inequality_holds(self, p, q, r):
        measure = self.measure
        if measure.has_triangle_inequality:
            assert measure.at_most(measure.distance(p, r), measure.add(measure.distance(p, q), measure.distance(q, r)))

    @given(p=laws(), q=laws())
    def test_no_event_exceeds_the_distance_and_no_distance_the_largest(self, p, q):
        measure = self.measure
        value = measure.distance(p, q)
        assert measure.at_most(value, measure.largest)
        assert measure.exceeding_event(p, q, value) is None

    @given(p=laws(3), q=laws(3), data=st.data())
    def test_an_event_exceeds_a_bound_exactly_where_the_distance_does(self, p, q, data):
        measure, bound = self.measure, data.draw(self.budgets)
        found = measure.exceeding_event(p, q, bound)
        assert (found is None) == measure.at_most(measure.distance(p, q), bound)
        if found is None:
            return
        high, low = (mass(law, found.event) for law in ((q, p) if found.is_swapped else (p, q)))
        loss = bound if measure.has_losses else Loss(1)
        beyond = high - found.delta
        assert loss.gamma is not None
        assert beyond > 0
        assert beyond**loss.distance > loss.gamma * low**loss.distance

    @given(p=laws(3), q=laws(3), data=st.data())
    def test_the_form_by_events_decides(self, p, q, data):
        measure, bound = self.measure, data.draw(self.budgets)
        if measure.at_most(measure.no_bound, bound) or measure.event_form(measure.zero) is None:
            return
        loss, delta = measure.event_form(bound)
        assume(loss.distance == 1)
        within = all(hockey_stick(*pair, loss.gamma) <= delta for pair in ((p, q), (q, p)))
        assert within == measure.at_most(measure.distance(p, q), bound)

    def test_equal_laws_have_no_attaining_event(self):
        assert self.measure.attaining_event(SKEWED[0], SKEWED[0]) == ()

    @given(p=laws(3), q=laws(3))
    def test_an_attaining_event_attains(self, p, q):
        measure = self.measure
        event = measure.attaining_event(p, q)
        if not event:
            assert measure.event_form(measure.zero) is None or measure.distance(p, q) == measure.zero
            return
        a, b = mass(p, event), mass(q, event)
        value = measure.distance(p, q)
        if not measure.has_losses:
            assert abs(a - b) == value
            return
        beyond, reference = max(a, b) - measure.parameters.get("delta", 0), min(a, b)
        assert beyond > 0
        assert beyond == value.gamma * reference if value.gamma is not None else reference == 0 < beyond


class TestMultiplicative(ExactConformance):
    measure = Multiplicative()


class TestApproximateMultiplicative(ExactConformance):
    measure = ApproximateMultiplicative(Fraction(1, 10))


class TestTotalVariation(ExactConformance):
    measure = TotalVariation()
    budgets = st.one_of(st.none(), FRACTIONS)


class TestTradeoff(ExactConformance):
    measure = Tradeoff()
    budgets = st.one_of(st.none(), CURVES)


class TestNormalizedRenyi(Conformance):
    measure = NormalizedRenyi()
    budgets = st.one_of(st.none(), FRACTIONS)

    def test_its_distance_is_enclosed_elsewhere(self):
        assert not self.measure.is_exact
        with pytest.raises(InputError, match="enclosure"):
            self.measure.distance(point_mass(0), point_mass(1))
        assert self.measure.exceeding_event(point_mass(0), point_mass(1), Fraction(1)) is None
        assert self.measure.composed_bound(Fraction(1), Fraction(2)) == 3


class RealConformance(Computed):
    """Of premetrics whose distances are reals that are compared exactly."""

    budgets = st.one_of(st.none(), FRACTIONS)
    skewed = (SKEWED[0], Law({0: Fraction(1, 10), 1: Fraction(9, 10)}))

    def at_most(self, first, second):
        """Equal values of two computations may be undecided, and are then no counterexample."""
        try:
            return self.measure.at_most(first, second)
        except UndecidedOrderError:
            return True

    def differ(self, first, second):
        return order(first, second) != 0

    @given(p=laws(), q=laws())
    def test_it_is_not_negative_and_0_for_equal_laws_alone(self, p, q):
        assert self.measure.at_most(Fraction(0), self.measure.distance(p, q))
        assert (p == q) == self.measure.at_most(self.measure.distance(p, q), Fraction(0))

    @given(p=laws(2), q=laws(2), r=laws(2))
    def test_a_declared_triangle_inequality_holds(self, p, q, r):
        direct, first, second = (self.measure.distance(*pair) for pair in ((p, r), (p, q), (q, r)))
        if self.measure.has_triangle_inequality and first is not None and second is not None:
            ends = [real.enclosure() if isinstance(real, Real) else None for real in (direct, first, second)]
            sizes = [
                (real, real) if end is None else (end.lower, end.upper)
                for real, end in zip((direct, first, second), ends, strict=True)
            ]
            assert sizes[0][0] <= sizes[1][1] + sizes[2][1]

    def test_no_event_is_said_to_show_it(self):
        assert self.measure.attaining_event(*SKEWED) == ()
        assert self.measure.exceeding_event(*SKEWED, Fraction(0)) is self.measure.event_form(Fraction(0)) is None


class TestKullbackLeibler(RealConformance):
    measure = KullbackLeibler()


class TestRenyiOfAWholeOrder(RealConformance):
    measure = Renyi(Fraction(3))


class TestRenyiOfAnotherOrder(RealConformance):
    measure = Renyi(Fraction(3, 2))


class TestChiSquared(RealConformance):
    measure = ChiSquared()


class TestSquaredHellinger(RealConformance):
    measure = SquaredHellinger()


class TestGaussianTradeoff(RealConformance):
    measure = GaussianTradeoff()

    def combined(self, value):
        """A rational above it: μ is irrational."""
        return value and value.enclosure(6).upper


def test_budgets_of_real_premetrics_may_be_losses():
    measure = KullbackLeibler()
    half = measure.distance(SKEWED[1], Law({0: Fraction(3, 4), 1: Fraction(1, 4)}))
    assert order(half, real_bound(Loss(3, 2))) == 0
    assert measure.at_most(half, measure.bound(Loss(3, 2), 1))
    assert not measure.at_most(half, measure.bound(Loss(Fraction(299, 100), 2), 1))
    assert measure.bound(Loss(None), 1) is measure.no_bound
    with pytest.raises(InputError, match="non-negative"):
        real_bound(Fraction(-1))


def test_an_event_of_delta_alone_attains_nothing_and_exceeds_no_bound():
    """{0} has P(E) = δ and Q(E) = 0; the loss ln 5 is attained at {1}, where (6/10 − δ)/(1/10) = 5."""
    p = Law({0: Fraction(1, 10), 1: Fraction(1, 10), 2: Fraction(8, 10)})
    q = Law({1: Fraction(6, 10), 2: Fraction(4, 10)})
    measure = ApproximateMultiplicative(Fraction(1, 10))
    assert measure.distance(p, q) == Loss(5)
    assert measure.attaining_event(p, q) == measure.attaining_event(q, p) == (1,)
    assert measure.exceeding_event(p, q, Loss(5)) is None is measure.exceeding_event(q, p, Loss(5))
    assert measure.exceeding_event(p, q, Loss(4)) == Exceeding((1,), is_swapped=True, delta=Fraction(1, 10))


def test_the_triangle_inequality_is_declared_where_it_holds():
    declared = {name for name, kind in OUTPUT_PREMETRICS.items() if kind.has_triangle_inequality}
    assert declared == {"multiplicative", "total_variation", "normalized_renyi", "gaussian"}


def test_every_output_premetric_has_its_line():
    bases = (Conformance, ExactConformance, RealConformance)
    kinds = [kind for base in bases for kind in base.__subclasses__() if kind.measure]
    assert {kind.measure.name for kind in kinds} == set(OUTPUT_PREMETRICS)


HALVED = """\
from stirred.spec.output_premetrics.variation import TotalVariation

class Halved(TotalVariation):
    name = "halved"

    def distance(self, p, q):
        return super().distance(p, q) / 2
"""


def test_a_file_of_the_folder_is_known_by_its_name(tmp_path, monkeypatch):
    (tmp_path / "halved.py").write_text(HALVED)
    monkeypatch.setattr(output_premetrics, "__path__", [*output_premetrics.__path__, str(tmp_path)])
    try:
        assert [one.name for one in output_premetrics._named()] == [*OUTPUT_PREMETRICS, "halved"]
    finally:
        sys.modules.pop(f"{output_premetrics.__name__}.halved")
        del output_premetrics.halved


def test_different_premetrics_combine_where_their_bounds_do():
    tenth = ApproximateMultiplicative(Fraction(1, 10))
    assert tenth.composed_with(tenth) == ApproximateMultiplicative(Fraction(1, 5))
    assert Multiplicative().composed_with(tenth) == tenth.composed_with(Multiplicative()) == tenth
    nothing = ApproximateMultiplicative(Fraction(0))
    assert nothing.composed_with(nothing) == Multiplicative().composed_with(nothing) == Multiplicative()
    for first, second in (
        (TotalVariation(), Multiplicative()),
        (tenth, NormalizedRenyi()),
        (Tradeoff(), Tradeoff()),
        (ChiSquared(), KullbackLeibler()),
    ):
        for pair in ((first, second), (second, first)):
            with pytest.raises(InputError, match="bounds that combine"):
                pair[0].composed_with(pair[1])
    with pytest.raises(InputError, match="delta must be"):
        ApproximateMultiplicative(Fraction(1, 2)).composed_with(ApproximateMultiplicative(Fraction(1, 2)))
