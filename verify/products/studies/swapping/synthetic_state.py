"""A synthetic state with the traits that swapping responds to, the same for the same seed on every machine.

Household sizes follow Table 5 of the swapping study; tracts are segregated: each has a leading race and a share of it;
some tracts are small, and there are more blocks to a tract where the county is rural; some households have members of
several races. Every branch of the algorithm is met: one county is a single tract far from the others; a key of one
household (36 persons) has no partner; blocks share coordinates, so that distances are equal; some blocks are empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from stirred.mechanisms.fast.random_words import Words, random_permutation, random_words
from stirred.spec.arguments import InputError, integer
from stirred.verify.products.studies.swapping.race_counts import RACES

if TYPE_CHECKING:
    from stirred.mechanisms.fast.pairwise_swapping import StateCodes

Codes = NDArray[np.int64]

SIZE_SHARES = {
    **dict(zip(range(1, 9), (2632, 3559, 1520, 1414, 534, 184, 63, 24), strict=True)),
    **dict(zip(range(9, 17), (26, 7, 5, 4, 1, 26, 0, 0), strict=True)),
    36: 0,
}
"""Households of each size among 10,000: swapping study, Table 5, total percentage. One of 36 persons is added."""

_STATE_RACES = (69, 26, 1, 1, 1, 1, 1)
"""Persons by race among 100, roughly: the other races lead no tract and are found in all of them."""

_MIXED_IN_1000 = 25
"""Households of multiple races among 1,000: swapping study, Table 2."""

_HOUSEHOLDS_OF_TRACT = 400
_TRACTS_OF_COUNTY = 8
_SUPPORT = (38, 91, 55, 60, 55, 60, 58)
"""Votes for the candidate among 100 adults of each race."""


@dataclass(frozen=True)
class SyntheticState:
    """Households, and where their blocks are.

    Attributes:
        block: its block, an index of the following three.
        x: its coordinate, in metres.
        rural_urban: the class of each county, 1 (very urban) to 9 (very rural).
        votes: by tract, the votes for the candidate, of as many as there are adults.
    """

    persons: Codes
    hispanic: Codes
    adults: Codes
    block: Codes
    tract: Codes
    x: Codes
    y: Codes
    county: Codes
    rural_urban: Codes
    votes: Codes

    @property
    def size(self) -> Codes:
        """The number of persons of each household."""
        sizes: Codes = self.persons.sum(axis=1)
        return sizes

    @property
    def key(self) -> Codes:
        """The key of 2010 as one code: persons and adults."""
        return 1000 * self.size + self.adults

    @property
    def held(self) -> Codes:
        """What of each household is held by the PSA, as one code: its persons by race, and how many are Hispanic."""
        others = np.column_stack((self.persons, self.hispanic))
        return np.unique(others, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)

    def codes(self) -> StateCodes:
        """The arrays that pairwise swapping asks for; flags are races, Hispanic persons, persons and adults."""
        from stirred.mechanisms.fast.pairwise_swapping import StateCodes  # noqa: PLC0415 it needs scipy

        flagging = np.column_stack((self.persons, self.hispanic, self.adults))
        flags = np.unique(flagging, axis=0, return_inverse=True)[1].reshape(-1)
        return StateCodes(self.key, flags, self.block, self.tract, self.x, self.y)


def synthetic_state(households: int, seed: int) -> SyntheticState:
    """A state of so many households.

    Source: swapping study, section 4.1 (which uses Alabama and four other states) and Appendix C, Table 5.
    """
    if integer("households", households) < 2_000:
        raise InputError(f"households must be at least 2000, for several counties; got {households}")
    words = random_words(integer("seed", seed, minimum=0))
    tracts = max(2 * _TRACTS_OF_COUNTY, households // _HOUSEHOLDS_OF_TRACT)
    county = np.arange(tracts) // _TRACTS_OF_COUNTY
    county[-1] = county[-2] + 1
    counties = int(county[-1]) + 1
    rural_urban = 1 + _below(words, counties, 9)
    blocks_of_tract = 12 + 2 * rural_urban[county] + _below(words, tracts, 8)
    tract = np.repeat(np.arange(tracts), blocks_of_tract)
    x, y = _places(words, county, tract, rural_urban)
    block = _blocks(words, households, tract, tracts)
    size = _sizes(words, households)
    persons = _races(words, size, tract[block], tracts)
    adults = 1 + np.minimum(_below(words, households, 2) + _below(words, households, 3), size - 1)
    hispanic = np.where(_below(words, households, 12) == 0, size, 0)
    votes = _votes(words, persons, adults, tract[block], tracts)
    return SyntheticState(persons, hispanic, adults, block, tract, x, y, county, rural_urban, votes)


def _below(words: Words, number: int, bound: int) -> Codes:
    """Integers from 0, …, bound − 1, uniform up to 2^-50 for the bounds used here: data, not a release."""
    return (words(number) % np.uint64(bound)).astype(np.int64)


def _choose(words: Words, number: int, weights: Sequence[int] | Codes) -> Codes:
    """Places of a list, with probabilities in proportion to their weights."""
    ends = np.cumsum(weights)
    return np.searchsorted(ends, _below(words, number, int(ends[-1])), side="right").astype(np.int64)


def _places(words: Words, county: Codes, tract: Codes, rural_urban: Codes) -> tuple[Codes, Codes]:
    """Blocks on a coarse grid around their tract, tracts on a grid within their county; the last county is remote."""
    of_block = county[tract]
    spread = 200 * rural_urban[of_block]
    coordinates = []
    for axis in (0, 1):
        county_at = (of_block // 4 if axis else of_block % 4) * 60_000
        tract_at = (tract % _TRACTS_OF_COUNTY // 3 if axis else tract % _TRACTS_OF_COUNTY % 3) * 10 * spread
        jitter = spread * _below(words, len(tract), 10)
        coordinates.append(county_at + tract_at + jitter + 500_000 * (of_block == of_block.max()))
    return coordinates[0], coordinates[1]


def _blocks(words: Words, households: int, tract: Codes, tracts: int) -> Codes:
    """A block for each household: a tract, large or small, then one of its blocks but the first, which stays empty."""
    first = np.searchsorted(tract, np.arange(tracts))
    number = np.bincount(tract)
    of_household = _choose(words, households, 1 + _below(words, tracts, 30))
    offset = words(households) % (number[of_household] - 1).astype(np.uint64)
    return first[of_household] + 1 + offset.astype(np.int64)


def _sizes(words: Words, households: int) -> Codes:
    """Household sizes in the shares of Table 5, in a uniform order, and one of 36 persons."""
    names = np.array(list(SIZE_SHARES))
    ends = np.cumsum(list(SIZE_SHARES.values()))
    places = np.arange(households) * int(ends[-1]) // households
    sizes = names[np.searchsorted(ends, places, side="right")]
    sizes[-1] = 36
    mixed: Codes = sizes[random_permutation(households, words)]
    return mixed


def _races(words: Words, size: Codes, tract: Codes, tracts: int) -> Codes:
    """The persons of each race: most households are of their tract's leading race, few have several races."""
    leading = _choose(words, tracts, (70, 30))
    share = 600 + _below(words, tracts, 390)
    follows = _below(words, len(size), 1000) < share[tract]
    race = np.where(follows, leading[tract], _choose(words, len(size), _STATE_RACES))
    persons = np.zeros((len(size), len(RACES)), dtype=np.int64)
    persons[np.arange(len(size)), race] = size
    for household in np.flatnonzero((_below(words, len(size), 1000) < 2 * _MIXED_IN_1000) & (size > 1)):
        persons[household] = np.bincount(
            np.append(race[household], _choose(words, int(size[household]) - 1, _STATE_RACES)), minlength=len(RACES)
        )
    return persons


def _votes(words: Words, persons: Codes, adults: Codes, tract: Codes, tracts: int) -> Codes:
    """The votes for a candidate in each tract: each race's support among its adults, and a shift of the tract."""
    size = persons.sum(axis=1)
    support = (persons @ np.array(_SUPPORT)) * adults // size
    total = np.bincount(tract, weights=adults, minlength=tracts).astype(np.int64)
    votes = np.bincount(tract, weights=support, minlength=tracts).astype(np.int64) // 100
    return np.clip(votes + total * (_below(words, tracts, 13) - 6) // 100, 0, total)
