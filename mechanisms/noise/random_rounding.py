"""Random rounding of counts to a base: to one of the two nearest multiples, without bias."""

from fractions import Fraction

from stirred.mechanisms.source import Source
from stirred.spec.arguments import integer, positive_integer


def random_rounding(count: int, source: Source, *, base: int) -> int:
    """A count n = qb + r, 0 ≤ r < b, released as (q + 1)b with probability r/b, else as qb; multiples of b stay.

    Counts n < n' have total variation (n' − n)/b if no multiple of b lies strictly between them, max(m − n, n' − m)/b
    if one, m, does, and 1 if more do. One record more or less needs δ = 1/b, with ε = 0; no ε has a smaller δ, since
    from a multiple of b to the next count an outcome appears with probability 1/b.

    Source: Stats NZ, random rounding to base 3; Statistics Canada, to base 5.
    """
    low, rest = divmod(integer("count", count, minimum=0), positive_integer("base", base))
    return base * (low + source.bernoulli(Fraction(rest, base))) if rest else count
