"""Which distances two data sets of one universe of a claim have: bounds at any other distance speak of nobody."""

from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations

from stirred.mechanisms.catalogue import SWAPPING
from stirred.spec.blocks.specification import InputBlocks
from stirred.verify.claim.claim import PrivacyClaim

_MOST_TABLES = 5_000
_MOST_PAIRS = 20_000
"""Of data sets whose distance is measured; a universe's first data set is compared with all others first."""

_HAMMING = ("hamming_ordered", "hamming_unordered")


@dataclass(frozen=True)
class Attained:
    """The distances between two different data sets of one universe, as far as they are known.

    Attributes:
        seen: positive integers at which there are two, in order.
        is_all: whether there is none at any other.
        least: an integer below which there is none.
    """

    seen: tuple[int, ...]
    is_all: bool
    least: int = 1

    def excludes(self, distance: int) -> bool:
        """Whether no two data sets of one universe are certainly at this distance."""
        return distance < self.least or (self.is_all and distance not in self.seen)


def attained_distances(built: PrivacyClaim) -> Attained:
    """The distances of a claim: of data sets that are listed they are measured, up to a number of pairs.

    Under the swapping invariants, and between tables with the same margins, a record that alone is another one changes
    a margin: two different data sets are at least 2 apart, counted in the records that are swapped.

    Raises:
        InputError: a block of the claim is malformed.
    """
    listed = built.with_listed_tables(_MOST_TABLES)
    if listed.data is not None:
        return _measured(listed.data)
    metric, resolution = built.input_premetric
    mechanism = built.mechanism
    is_swapped = (
        "swapping" in built.invariants
        and mechanism is not None
        and mechanism.name == SWAPPING
        and mechanism.resolution in (None, resolution)
    )
    has_margins = built.kind is not None and built.kind.margins is not None
    return Attained((), is_all=False, least=2 if metric in _HAMMING and (is_swapped or has_margins) else 1)


def _measured(data: InputBlocks) -> Attained:
    seen, left = set[Fraction | int](), _MOST_PAIRS
    for universe in data.multiverse:
        for x, y in permutations(data.domain.ordered(universe), 2):
            if not left:
                return Attained(_whole(seen), is_all=False)
            left -= 1
            d = data.input_premetric(x, y)
            if d:
                seen.add(d)
    return Attained(_whole(seen), is_all=True)


def _whole(seen: set[Fraction | int]) -> tuple[int, ...]:
    return tuple(sorted(int(d) for d in seen if Fraction(d).denominator == 1))
