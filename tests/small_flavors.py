"""Laws by whole weights, and flavors of a few data sets by the distances between them."""

from fractions import Fraction

from stirred.spec.blocks.domain import FiniteDomain
from stirred.spec.blocks.input_premetric import explicit
from stirred.spec.blocks.multiverse import Multiverse, vacuous
from stirred.spec.blocks.specification import Flavor
from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import Multiplicative


def law(*weights):
    """The law on 0, 1, … with these weights; an outcome of weight 0 is none."""
    return Law({t: Fraction(weight, sum(weights)) for t, weight in enumerate(weights) if weight})


def flavor(distances, measure=None, *, points=None, universes=None):
    """The data sets of the distances unless `points` are given, in one universe unless several are.

    A pair that is not listed is at distance ∞; the output premetric is D_Mult unless given.
    """
    domain = FiniteDomain(tuple(points or sorted({x for pair in distances for x in pair})))
    multiverse = vacuous(domain) if universes is None else Multiverse(universes)
    return Flavor(domain, multiverse, explicit(distances, "record"), measure or Multiplicative())


def both_ways(distances):
    """The distances, and those of the same pairs the other way round."""
    return {**distances, **{(y, x): d for (x, y), d in distances.items()}}
