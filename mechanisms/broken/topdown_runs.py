"""Faulty variants of two runs of the TopDown Algorithm, each of which breaks a promise about both together.

The promises: the second run reproduces what the first published, P; given P, the measurements and the invariants, its
estimate costs nothing more.
"""

from collections.abc import Iterable, Sequence

from stirred.mechanisms.das.topdown.algorithm import Noise, Published, topdown
from stirred.mechanisms.das.topdown.design import Design, KeptTotal
from stirred.mechanisms.das.topdown.two_runs import Run, tabulate
from stirred.mechanisms.source import Source

Output = tuple[Run, tuple[tuple[int, ...], ...], Run]
Records = Iterable[tuple[str, str]]


def independent_runs(
    data: Records, source: Source, *, first: Design, second: Design, aggregates: Sequence[KeptTotal], noise: Noise
) -> Output:
    """The second run does not look at what the first published."""
    records = tuple(data)
    earlier = topdown(records, source, design=first, noise=noise)
    values = tuple(tabulate(first, earlier[1], one) for one in aggregates)
    return earlier, values, topdown(records, source, design=second, noise=noise)


def published_from_the_data(
    data: Records, source: Source, *, first: Design, second: Design, aggregates: Sequence[KeptTotal], noise: Noise
) -> Output:
    """The second run is held to the totals of the confidential data, in place of those that were published."""
    records = tuple(data)
    earlier = topdown(records, source, design=first, noise=noise)
    values = tuple(tabulate(first, earlier[1], one) for one in aggregates)
    exact = tuple(second.histograms(records).items())
    leaves = tuple((node, counts) for node, counts in exact if node in second.geography.leaves)
    held = [Published(one, tabulate(second, leaves, one)) for one in aggregates]
    return earlier, values, topdown(records, source, design=second, published=held, noise=noise)
