"""What the claims on processing compute in Python is what their expressions say of the same case.

What the claims on Pufferfish compute in words is what `spec` computes.
"""

from fractions import Fraction
from itertools import islice, permutations, product

import pytest

from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics.approximate_multiplicative import ApproximateMultiplicative
from stirred.spec.output_premetrics.multiplicative import Multiplicative
from stirred.verify.evidence.finding import EngineError
from stirred.verify.ledger.claims.processing.finite_premetrics import (
    FLAVORS,
    HALVES,
    THREE,
    beside_coin,
    changes,
    does_not_grow,
    immune,
    is_immune,
    maps_of,
    named,
    never_grows,
    outer_product,
)
from stirred.verify.ledger.claims.processing.inequalities import premetrics
from stirred.verify.ledger.claims.processing.noise import premetrics as randomised_premetrics
from stirred.verify.ledger.claims.pufferfish import words
from stirred.verify.ledger.claims.pufferfish.words import belief_distance, belief_steps, keeps_pufferfish, mult_of
from stirred.verify.ledger.claims.zcdp import divergences
from stirred.verify.ledger.claims.zcdp.divergences import approximate_multiplicative, rate_from_above, rate_from_below
from stirred.verify.ledger.engines.renyi_grid import enclosed, laws_of
from stirred.verify.ledger.failures import says_so, unless

_FEW = FLAVORS[6:9]


@pytest.mark.parametrize("kind", ["functions", "injective", "randomised"])
def test_immunity_and_growth_are_those_of_the_expressions(kind):
    listed = islice(randomised_premetrics if kind == "randomised" else premetrics, 0, 1800, 150)
    answers = set()
    for (world,) in listed:
        maps = maps_of(kind, 2)
        case = {"d": world.distances, "laws": world.laws, "maps": maps}
        kept, below = immune(world, changes(world, kind), _FEW), does_not_grow(world, kind)
        answers.add(kept)
        more = {"flavors": _FEW, "budgets": world.budgets}
        assert (
            says_so(lambda d, laws, maps, flavors, budgets: is_immune(d, laws, maps, flavors, budgets), **case, **more)
            == kept
        )
        assert says_so(lambda d, laws, maps: never_grows(d, laws, maps), **case) == below
    assert answers == {True, False}


def test_immunity_is_what_the_definition_asks_of_a_premetric_that_randomness_increases():
    (counted,) = named(THREE[:2], (*THREE, (4, 4, 4)), ("outcomes times D_TV",))
    assert does_not_grow(counted, "functions")
    assert immune(counted, changes(counted, "functions"), FLAVORS)


def test_a_fair_coin_beside_an_outcome_is_an_independent_draw():
    assert beside_coin((1, 3)) == outer_product((1, 3), (1, 1)) == (1, 1, 3, 3)
    assert [sum(beside_coin(p)) for p in HALVES] == [8, 8, 8]


ORDERS = [Fraction(k, 4) for k in (4, 5, 6, 8, 12)]

FULL = [law for law in laws_of(3, 5) if len(law) == 3]


@pytest.mark.parametrize("p", FULL)
@pytest.mark.parametrize("q", FULL)
def test_the_bounds_that_replay_computes_enclose_the_normalized_renyi_distance(p, q):
    found = enclosed(p, q)
    for first, second in ((p, q), (q, p)):
        assert not unless(
            lambda p, q, orders, upper: rate_from_below(p, q, orders) <= upper,
            p=first,
            q=second,
            orders=ORDERS,
            upper=found.upper,
        )
    assert not unless(
        lambda lower, p, q, orders: any(
            lower <= one for one in [rate_from_above(p, q, orders), rate_from_above(q, p, orders)]
        ),
        p=p,
        q=q,
        orders=ORDERS,
        lower=found.lower,
    )


@pytest.mark.parametrize("delta", [Fraction(0), Fraction(1, 8), Fraction(1, 2)])
def test_the_printed_supremum_over_events_is_the_closed_form(delta):
    closed = ApproximateMultiplicative(delta).distance if delta else Multiplicative().distance
    for p, q in divergences.but_for_names(3, 4):
        assert not unless(
            lambda p, q, delta, g: approximate_multiplicative(p, q, delta) == g,
            p=p,
            q=q,
            delta=delta,
            g=closed(p, q).gamma,
        )


def test_laws_but_for_the_names_of_outcomes_are_all_laws_up_to_their_names():
    laws, chosen = laws_of(3, 4), set(divergences.but_for_names(3, 4))
    renamed = {tuple(p.push(names.__getitem__) for p in pair) for pair in chosen for names in permutations(range(3))}
    assert renamed == set(product(laws, repeat=2))
    assert len(chosen) < len(laws) ** 2 / 4


def test_a_failure_that_no_order_shows_is_a_fault_of_the_tool():
    p, q, _ = divergences.PATH
    with pytest.raises(EngineError, match="must fail where the engines say so"):
        divergences.false_of(
            lambda p, q, orders: rate_from_below(p, q, orders) <= rate_from_above(p, q, orders), p=p, q=q
        )


SAMPLE = list(islice(words.instantiations, 0, None, 23))


def law_of(belief, size):
    return tuple(belief.numeric(x) for x in range(size))


def test_the_steps_between_beliefs_are_those_of_the_specification():
    claimed = lambda D, S, b, c, n: belief_distance(belief_steps(D, S), b, c) == n
    for attackers, pairs, kernel, _ in SAMPLE:
        found = words.instantiation(attackers, pairs)
        for one, other in permutations(found.beliefs, 2):
            b, c = (law_of(found.beliefs[name], len(kernel)) for name in (one, other))
            values = {"D": attackers, "S": pairs, "b": b, "c": c, "n": found.premetric(one, other)}
            assert says_so(claimed, **values)


def test_a_mechanism_keeps_the_smallest_budget_and_none_below():
    claimed = lambda D, S, M, gamma: keeps_pufferfish(D, S, M, gamma)
    for attackers, pairs, kernel, _ in SAMPLE:
        smallest = words.smallest_gamma(attackers, pairs, kernel)
        if smallest is not None:
            for gamma in {smallest, (smallest + 1) / 2}:
                values = {"D": attackers, "S": pairs, "M": kernel, "gamma": gamma}
                assert says_so(claimed, **values) == (gamma == smallest)


def test_the_distance_of_two_laws_in_words_is_that_of_the_output_premetric():
    claimed = lambda p, q, n: mult_of(p, q) == n
    laws = words.kernel_laws(2, 3)
    for p, q in permutations(laws, 2):
        one, other = (Law(dict(enumerate(law))) for law in (p, q))
        values = {"p": p, "q": q, "n": Multiplicative().distance(one, other).gamma}
        assert says_so(claimed, **values)
