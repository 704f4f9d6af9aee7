"""Two runs of the TopDown Algorithm on the same data: the second reproduces what the first one published."""

from collections.abc import Iterable, Sequence
from typing import Any

from stirred.mechanisms.das.topdown.algorithm import Estimate, Measurements, Noise, Published, topdown
from stirred.mechanisms.das.topdown.design import Design, KeptTotal
from stirred.mechanisms.noise.discrete_gaussian import discrete_gaussian
from stirred.mechanisms.source import Source

Run = tuple[Measurements, Estimate]
"""The noisy measurements and the privacy-protected data of one run."""


def two_runs(
    data: Iterable[tuple[str, str]],
    source: Source,
    *,
    first: Design,
    second: Design,
    aggregates: Sequence[KeptTotal],
    noise: Noise = discrete_gaussian,
    **options: Any,
) -> tuple[Run, tuple[tuple[int, ...], ...], Run]:
    """The first run, what it publishes P = H(Z), and the second run under H(Z) = P.

    Args:
        data: the records (leaf, cell) of every part.
        source: the source of randomness; the second run draws new noise.
        second: the design of the second run, on the same geography and cells.
        aggregates: H, the totals that the first run publishes at every node of a level.
        noise: the program that adds noise by σ².
        **options: of `topdown`.

    Source: article, section 4.
    """
    records = tuple(data)
    earlier = topdown(records, source, design=first, noise=noise, **options)
    published = tuple(Published(one, tabulate(first, earlier[1], one)) for one in aggregates)
    later = topdown(records, source, design=second, published=published, noise=noise, **options)
    return earlier, tuple(one.values for one in published), later


def tabulate(design: Design, estimate: Estimate, total: KeptTotal) -> tuple[int, ...]:
    """A total of the privacy-protected data at every node of its level."""
    counts = dict(estimate)
    return tuple(
        sum(
            entry * count
            for leaf in design.geography.below([node])
            if leaf in counts
            for entry, count in zip(total.row, counts[leaf], strict=True)
        )
        for node in design.geography.levels[total.level]
    )
