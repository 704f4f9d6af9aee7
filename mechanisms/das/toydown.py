"""ToyDown, the simple variant of TopDown that the swapping study compares with: noise at every level, then consistency.

The study describes it so: noise is added to the counts of every geographic level with equal shares of ε; then, from
the top level down, the children's counts become those non-negative ones nearest to the noisy ones that sum to their
parent's. Left open, and decided here: counts are those of persons by race, each race by itself; noise is discrete
Laplace with e^(−ε_l·|y|) for a level's share ε_l, so that all measurements together have the loss ε between data sets
that differ by one person more; nearest is meant in squares; nothing is rounded, and no total is kept as it is.
"""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

from stirred.mechanisms.das.topdown.geography import Geography
from stirred.mechanisms.noise.discrete_gaussian import discrete_laplace
from stirred.mechanisms.source import Source
from stirred.spec.arguments import Exact, InputError, integer, positive

Counts = tuple[int, ...]
"""Persons by race."""

LevelNoise = Callable[[Source], int]
"""The program that draws one noise."""


def laplace_noise(epsilon: Exact, levels: int) -> LevelNoise:
    """The noise of each level: discrete Laplace of scale levels/ε."""
    total = positive("epsilon", epsilon)
    return lambda source: discrete_laplace(source, levels / total)


def toydown(
    blocks: Mapping[str, Counts], source: Source, *, geography: Geography, noise: LevelNoise
) -> dict[str, tuple[Fraction, ...]]:
    """The counts of every leaf after noise and consistency.

    Args:
        noise: what is added to each count of each node, such as `laplace_noise(epsilon, levels)`.

    Source: swapping study, section 4.1.
    """
    counts = _counts(blocks, geography)
    noisy = {node: [count + noise(source) for count in counts[node]] for node in geography.nodes}
    adjusted = {geography.root: tuple(Fraction(max(count, 0)) for count in noisy[geography.root])}
    for node in geography.nodes:
        children = geography.children(node)
        if children:
            by_race = [
                nearest_with_sum([noisy[child][race] for child in children], total)
                for race, total in enumerate(adjusted[node])
            ]
            adjusted |= dict(zip(children, zip(*by_race, strict=True), strict=True))
    return {leaf: adjusted[leaf] for leaf in geography.leaves}


def _counts(blocks: Mapping[str, Counts], geography: Geography) -> dict[str, Counts]:
    for leaf in geography.leaves:
        for count in blocks.get(leaf, ("none",)):
            integer(f"counts of {leaf}", count, minimum=0)
    lengths = {len(blocks[leaf]) for leaf in geography.leaves}
    if len(lengths) != 1:
        raise InputError(f"counts of all leaves must be of the same races; got {sorted(lengths)} numbers")
    counts = {leaf: blocks[leaf] for leaf in geography.leaves}
    for node in reversed(geography.nodes):
        if geography.children(node):
            of_children = [counts[child] for child in geography.children(node)]
            counts[node] = tuple(map(sum, zip(*of_children, strict=True)))
    return counts


def nearest_with_sum(wanted: Sequence[int], total: Fraction) -> tuple[Fraction, ...]:
    """The non-negative numbers that sum to the total and are nearest in squares to those wanted.

    They are max{w_i − τ, 0} for the one τ at which these sum to the total: of the numbers in decreasing order, the
    largest k with w_(k) > (w_(1) + … + w_(k) − total)/k are those that stay positive.

    Args:
        wanted: at least one number.
        total: ≥ 0.

    >>> nearest_with_sum([5, 1, -2], Fraction(5))
    (Fraction(9, 2), Fraction(1, 2), Fraction(0, 1))
    """
    above, shift = Fraction(0), Fraction(0)
    for place, number in enumerate(sorted(wanted, reverse=True), 1):
        above += number
        if place == 1 or number > (above - total) / place:
            shift = (above - total) / place
    return tuple(max(number - shift, Fraction(0)) for number in wanted)
