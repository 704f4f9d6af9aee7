"""The populations of the study of TopDown, each the same for the same seed on every machine.

One has the sizes of article, Table 1: the dwellings of Massachusetts in 1940 by county and tenure, divided here into
tracts and blocks in which one tenure prevails; most counts are large. The other is the synthetic state of the study of
swapping, with persons by race in segregated tracts; most of its counts are 0 or small.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words, random_words
from stirred.spec.arguments import integer
from stirred.verify.studies.massachusetts_1940 import dwellings
from stirred.verify.studies.swapping.race_counts import race_counts
from stirred.verify.studies.swapping.synthetic_state import synthetic_state
from stirred.verify.studies.topdown.release import Population

__all__ = ["massachusetts", "segregated"]

Codes = NDArray[np.int64]

_DWELLINGS_OF_TRACT = 8_000
_BLOCKS_OF_TRACT = 16


def segregated(households: int, seed: int) -> Population:
    """Persons by block and race of a synthetic state, with one housing unit for each household.

    Args:
        households: at least 2,000.
        seed: an int ≥ 0.

    Raises:
        InputError: there are too few households, or the seed is no int ≥ 0.
    """
    state = synthetic_state(households, seed)
    blocks = len(state.tract)
    counts = race_counts(state.block, state.persons, blocks)
    parents = (state.tract, state.county, np.zeros_like(state.rural_urban))
    return Population(counts, parents, np.bincount(state.block, minlength=blocks))


def massachusetts(seed: int) -> Population:
    """Dwellings by block and tenure, whose counties have exactly the counts of article, Table 1.

    Args:
        seed: an int ≥ 0; what the division of the counties into blocks depends on.

    Raises:
        InputError: the seed is no int ≥ 0.

    >>> massachusetts(1).levels[0].tolist()
    [[435805, 708619]]
    """
    words = random_words(integer("seed", seed, minimum=0))
    by_county: dict[object, list[int]] = {}
    for (_, _, name), number in dwellings().items():
        by_county.setdefault(name, []).append(number)
    tracts = [1 + sum(numbers) // _DWELLINGS_OF_TRACT for numbers in by_county.values()]
    counts = [
        _divided(numbers, _BLOCKS_OF_TRACT * number, words)
        for numbers, number in zip(by_county.values(), tracts, strict=True)
    ]
    county = np.repeat(np.arange(len(tracts)), tracts)
    tract = np.repeat(np.arange(len(county)), _BLOCKS_OF_TRACT)
    return Population(np.concatenate(counts), (tract, county, np.zeros(len(tracts), dtype=np.int64)))


def _divided(numbers: list[int], blocks: int, words: Words) -> Codes:
    """The two numbers divided among blocks: large and small ones, one of the two prevailing in each."""
    size = (1 + (words(blocks) % np.uint64(30)).astype(np.int64)) ** 2
    lead = 60 + (words(blocks) % np.uint64(40)).astype(np.int64)
    first = np.where(words(blocks) % np.uint64(2) == 0, lead, 100 - lead)
    columns = []
    for number, share in zip(numbers, (first, 100 - first), strict=True):
        ends = np.cumsum(size * share)
        columns.append(np.diff(number * ends // ends[-1], prepend=0))
    return np.column_stack(columns)
