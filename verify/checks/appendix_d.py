"""Evidence for article, Appendix D: budgets carried over from a multiverse to a refinement of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import lru_cache, reduce
from itertools import product
from operator import and_, or_
from typing import Any

from spec.input_premetric import Distance
from spec.law import Law, point_mass
from spec.loss import Loss
from spec.multiverse import Universe
from spec.output_premetrics import ApproximateMultiplicative, Multiplicative, OutputPremetric, TotalVariation
from verify.engines.algebra.small_domains import (
    DISTANCES,
    LOSSES,
    BudgetedMultiverses,
    domain_of,
    multiplicative_witness,
    refused_witness,
    universes,
    zero_budget,
)
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import formula_witness
from verify.ledger import checks, refutes

_SCOPE = (
    "all multiverses on three data sets (the empty one and the empty universe included), budgets in "
    "{0, ln 2, ln 4, oo}; every mechanism, input premetric and output premetric with distances in {0, 1, 2, oo} and "
    "D_Pr in {0, ln 2, ln 4, oo} (a violation at one D' is one for the refinement {D'}); multiverses are finite"
)

Admissible = frozenset[int]
"""The budgets, by position in LOSSES, at which Equation (1) holds."""


@lru_cache(maxsize=1)
def _pair_cases() -> dict[Admissible, tuple[Loss, Distance]]:
    """What Equation (1) can ask of the budget at two data sets, each with its first cause (D_Pr, d)."""
    measure = Multiplicative()
    cases: dict[Admissible, tuple[Loss, Distance]] = {}
    for value, distance in product(LOSSES, DISTANCES):
        holds = frozenset(
            j for j, budget in enumerate(LOSSES) if measure.at_most(value, measure.bound(budget, distance))
        )
        cases.setdefault(holds, (value, distance))
    both_ways = {first & second for first in cases for second in cases}
    if both_ways - cases.keys():
        raise EngineError("one direction of a pair must already show every case")
    return cases


@lru_cache(maxsize=1)
def _every() -> BudgetedMultiverses:
    return BudgetedMultiverses(universes(domain_of(3)), LOSSES)


def _mechanisms() -> Iterator[tuple[dict[Universe, Admissible], dict[tuple[int, int], Admissible]]]:
    """All that Equation (1) can ask of the budgets of all universes of three data sets."""
    pairs = ((0, 1), (0, 2), (1, 2))
    anything = frozenset(range(len(LOSSES)))
    for choice in product(_pair_cases(), repeat=3):
        asked = dict(zip(pairs, choice, strict=True))
        by_universe = {
            universe: anything.intersection(*(asked[x, y] for x, y in pairs if {x, y} <= universe))
            for universe in _every().universes
        }
        yield by_universe, asked


Hypothesis = Callable[[Universe, Loss], int]
"""The multiverses with budgets for which a statement's hypothesis holds at (D', ε'_D')."""


def _carries_over(hypothesis: Hypothesis) -> Evidence:
    """Whether the hypothesis makes Equation (1) carry over to D' with ε'_D', for every mechanism."""
    every = _every()
    assumed = {(finer, j): hypothesis(finer, LOSSES[j]) for finer in every.universes for j in range(len(LOSSES))}
    for by_universe, asked in _mechanisms():
        satisfied = every.everything
        for position, universe in enumerate(every.universes):
            satisfied &= every.where(position, [0, *(j + 1 for j in by_universe[universe])])
        for (finer, j), cases in assumed.items():
            if j not in by_universe[finer] and satisfied & cases:
                return _refutation(finer, j, every.first(satisfied & cases), asked)
    return Evidence(Verdict.EXHAUSTED, _SCOPE, f"{every.count} multiverses with budgets, 8 universes D', 4 budgets")


def _refutation(
    finer: Universe, j: int, budgets: dict[Universe, Loss], asked: dict[tuple[int, int], Admissible]
) -> Evidence:
    """Two laws and a distance that meet Equation (1) on the multiverse, and break it on D' at the budget."""
    x, y = next((x, y) for (x, y), holds in asked.items() if {x, y} <= finer and j not in holds)
    value, distance = _pair_cases()[asked[x, y]]
    ratio = value.gamma if value.gamma is not None else Fraction(1)
    first, second = (Law({0: share, 1: 1 - share}) for share in (ratio / (ratio + 1), 1 / (ratio + 1)))
    shown = ", ".join(f"{sorted(universe)}: {budget}" for universe, budget in budgets.items())
    return Evidence(
        Verdict.REFUTED,
        _SCOPE,
        f"Equation (1) holds for {{{shown}}}, fails on D' = {sorted(finer)} at eps' = {LOSSES[j]}",
        multiplicative_witness({x: first, y: second}, x, y, distance, LOSSES[j]),
    )


def _around(finer: Universe) -> list[int]:
    """The positions of the universes that hold D'."""
    return [position for position, universe in enumerate(_every().universes) if finer <= universe]


def _union(parts: Iterable[int]) -> int:
    return reduce(or_, parts, 0)


def _refined(finer: Universe) -> int:
    """The multiverses that {D'} refines."""
    return _union(map(_every().present, _around(finer)))


@checks("refinement.budget-within")
def budget_within() -> Evidence:
    """Proposition 5, first half: every universe around D' has at most the budget of D'."""
    return _carries_over(lambda finer, budget: _refined(finer) & _at_most_within(finer, budget))


def _at_most_within(finer: Universe, claimed: Loss) -> int:
    every = _every()
    allowed = [0, *(j + 1 for j, budget in enumerate(LOSSES) if budget <= claimed)]
    return reduce(and_, (every.where(position, allowed) for position in _around(finer)), every.everything)


@refutes("refinement.budget-within", "D'-multiverse need not be a refinement")
def budget_within_anything() -> Evidence:
    """The mutant without the hypothesis of refinement."""
    return _carries_over(_at_most_within)


@refutes("refinement.budget-within", "eps_D <= 2 inf{eps'_D'}")
def budget_within_twice() -> Evidence:
    """The mutant with twice the infimum."""
    return _carries_over(lambda finer, budget: _refined(finer) & _at_most_within(finer, budget.times(2)))


def _infimum_at_most(finer: Universe, claimed: Loss) -> int:
    """The multiverses with inf{ε_D : D ⊃ D'} at most a budget; the infimum of nothing is ∞."""
    every = _every()
    found = _union(every.with_budget(position, lambda budget: budget <= claimed) for position in _around(finer))
    return found | (every.everything ^ _refined(finer) if claimed.is_infinite else 0)


@checks("refinement.budget-above")
def budget_above() -> Evidence:
    """Proposition 5, second half: D' has at least the infimum of the budgets around it."""
    return _carries_over(lambda finer, budget: _refined(finer) & _infimum_at_most(finer, budget))


@refutes("refinement.budget-above", "eps'_D' >= inf{eps_D}/2")
def budget_above_half() -> Evidence:
    """The mutant with half the infimum."""
    return _carries_over(lambda finer, budget: _refined(finer) & _infimum_at_most(finer, budget.times(2)))


def _fewer_constraints(slack: Fraction, around: Callable[[Universe, Universe], bool]) -> Evidence:
    """Lemma 1 with e^δ at its infimum `slack` (1: for all δ > 0) and a relation of D' to D."""
    every = _every()

    def hypothesis(finer: Universe, claimed: Loss) -> int:
        limit = claimed if claimed.gamma is None else Loss(claimed.gamma * slack)
        return _union(
            every.with_budget(position, lambda budget: budget <= limit)
            for position, universe in enumerate(every.universes)
            if around(finer, universe)
        )

    return _carries_over(hypothesis)


@checks("refinement.fewer-constraints")
def fewer_constraints() -> Evidence:
    """Lemma 1; in a finite multiverse "for all δ > 0 some D" is "some D with ε_D ≤ ε'_D'"."""
    return _fewer_constraints(Fraction(1), lambda finer, universe: finer <= universe)


@refutes("refinement.fewer-constraints", "for delta = ln 2 instead of for all delta > 0")
def fewer_constraints_with_slack() -> Evidence:
    """The mutant that asks for one δ only."""
    return _fewer_constraints(Fraction(2), lambda finer, universe: finer <= universe)


@refutes("refinement.fewer-constraints", "D' meets D instead of D' is a subset of D")
def fewer_constraints_on_overlap() -> Evidence:
    """The mutant in which D need only overlap D'."""
    return _fewer_constraints(Fraction(1), lambda finer, universe: bool(finer & universe))


Bound = Callable[[OutputPremetric, Any, Distance], Any]
"""The right-hand side ε·d of Equation (1)."""


def _bounds_nothing(bound: Bound) -> Evidence:
    """Whether ε·d leaves laws with disjoint supports alone wherever d = ∞ or ε = ∞."""
    rationals = (Fraction(0), Fraction(1, 3), None)
    cases: tuple[tuple[OutputPremetric, tuple[Any, ...]], ...] = (
        (Multiplicative(), LOSSES),
        (ApproximateMultiplicative(Fraction(1, 4)), LOSSES),
        (TotalVariation(), rationals),
    )
    scope = (
        "D_Mult, D_Mult^(1/4) and D_TV of disjoint laws; d in {0, 1, 2, oo}; eps = 0, two finite ones (D_TV: one), oo"
    )
    first, second = point_mass(0), point_mass(1)
    for measure, budgets in cases:
        for budget, distance in product(budgets, DISTANCES):
            unbounded = distance is None or budget == budgets[-1]
            claimed = bound(measure, budget, distance)
            if unbounded and not measure.at_most(measure.distance(first, second), claimed):
                detail = f"{measure.name}, eps = {budget}, d = {distance}: the bound is {claimed}"
                note = "an event under two laws that Equation (1) does not restrict"
                if isinstance(claimed, Loss):
                    witness = refused_witness(first, second, claimed, note)
                else:
                    witness = formula_witness("p <= q + bound", p=first[0], q=second[0], bound=claimed, note=note)
                return Evidence(Verdict.REFUTED, scope, detail, witness)
    return Evidence(Verdict.EXHAUSTED, scope)


@checks("specification.zero-times-infinity")
def zero_times_infinity() -> Evidence:
    """The convention, as the right-hand side of Equation (1) computes it."""
    return _bounds_nothing(lambda measure, budget, distance: measure.bound(budget, distance))


@refutes("specification.zero-times-infinity", "0 x oo = 0, as in measure theory")
def zero_times_infinity_is_zero() -> Evidence:
    """The mutant with the other convention."""
    return _bounds_nothing(
        lambda measure, budget, distance: (
            zero_budget(measure) if budget == zero_budget(measure) or distance == 0 else measure.bound(budget, distance)
        )
    )
