"""Random rounding of counts to a base: to one of the two nearest multiples, without bias."""

from fractions import Fraction

from stirred.mechanisms.source import Source
from stirred.spec.arguments import integer, positive_integer


def random_rounding(count: int, source: Source, *, base: int) -> int:
    """A count n = qb + r, 0 ≤ r < b, released as (q + 1)b with probability r/b, else as qb; multiples of b stay.

    Total variation is min(1, |n − n'|/b) for every two counts. No ε has a δ below 1/b: from a multiple of b to its
    neighbour, probability 1/b falls on an outcome that was impossible. At δ = 1/b one record more or less needs ε = 0.

    Source: Stats NZ, random rounding to base 3; Statistics Canada, to base 5.
    """
    low, rest = divmod(integer("count", count, minimum=0), positive_integer("base", base))
    return base * (low + source.bernoulli(Fraction(rest, base))) if rest else count
