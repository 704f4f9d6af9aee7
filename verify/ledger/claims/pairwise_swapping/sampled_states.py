"""Synthetic states swapped once each, on which sampled tendencies are compared, and words for their statistics."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from stirred.mechanisms.interpreters.sampling import sample
from stirred.mechanisms.swapping.pairwise.policy import BlockLocation
from stirred.mechanisms.swapping.pairwise.program import exchange, swap_pairs
from stirred.verify.ledger.language_names import ln
from stirred.verify.ledger.quantifiers import cases

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

# words that claims on the swapping study's statistics share

cross = lambda x, y: len(x) * sum(a * b for a, b in zip(x, y)) - sum(x) * sum(y)
slope = lambda x, y: cross(x, y) / cross(x, x)
average = lambda v: sum(v) / len(v)
shares_of = lambda counts, k: [row[k] / sum(row) for row in counts]

# e to the persons of a region times its racial entropy
exp_entropy = lambda c: 1 / prod_of([(k / sum(c)) ** k for k in c if k > 0])
prod_of = lambda v: 1 if len(v) == 0 else v[0] * prod_of(v[1:])

# e to the sum over regions of their persons times their racial entropy
joint_entropy = lambda counts: prod_of([exp_entropy(row) for row in counts])
moved_of = lambda first, second, k: sum(abs(a[k] - b[k]) for a, b in zip(first, second))

# of each region's persons by race
entropy = lambda row: ln(sum(row)) - sum(k * ln(k) for k in row if k > 0) / sum(row)
mean_entropy = lambda counts: average([entropy(row) for row in counts])

# a law maps counts to probabilities
mean = lambda law: sum(law[c] * c for c in law)
variance = lambda law: sum(law[c] * (c - m) ** 2 for m in [mean(law)] for c in law)
half_square_difference = lambda law: sum(law[a] * law[b] * (a - b) ** 2 for a in law for b in law) / 2
relative_error = lambda a, b: 1 if a == 0 and b == 0 else (0 if b == 0 else 2 / (1 + a / b))

# synthetic states swapped once each, with exact counts: what sampled tendencies are compared on

_SEEDS, _HOMES = 8, 6000
_SCOPE = (
    f"synthetic states of {_HOMES} households with seeds 1 to {_SEEDS}, each swapped once in the standard setting, by "
    "seed 1 to 8; were either direction as probable as the other, all eight would agree with probability 2/2^8 < 1%"
)

Counts = tuple[tuple[int, ...], ...]
"""Persons by region and race."""


class SampledState(NamedTuple):
    """A state before and after swapping.

    Attributes:
        before: by tract.
        targets_left: by tract, when the targets have left.
        all_left: when their partners have left too.
        targets_arrived: when the targets have arrived.
        after: when their partners have arrived too.
        votes: by tract, the share of adults who vote for the candidate.
        counties: by county, before.
        swapped: by county, after.
    """

    before: Counts
    targets_left: Counts
    all_left: Counts
    targets_arrived: Counts
    after: Counts
    votes: tuple[Fraction, ...]
    counties: Counts
    swapped: Counts


# the states swapped at a rate, of each the parts that are named
sampled_cases = lambda rate, names: cases(f"{_SCOPE}; r = {rate}", names)(
    lambda: (tuple(getattr(one, name) for name in names.split()) for one in _states(rate))
)
# by tract, each state before, and swapped at either rate
sampled_at_two_rates = lambda low, high: cases(f"{_SCOPE}; r = {low} and {high}", "before low high")(
    lambda: ((a.before, a.after, b.after) for a, b in zip(_states(low), _states(high), strict=True))
)
_states = cache(lambda rate: tuple(_swapped(seed, rate) for seed in range(1, _SEEDS + 1)))


def _swapped(seed: int, rate: Fraction) -> SampledState:
    import numpy as np  # noqa: PLC0415 NumPy, which few claims need

    from stirred.verify.products.studies.swapping.race_counts import race_counts  # noqa: PLC0415
    from stirred.verify.products.studies.swapping.synthetic_state import synthetic_state  # noqa: PLC0415

    here = synthetic_state(_HOMES, seed)
    flags = list(map(tuple, np.column_stack((here.persons, here.hispanic, here.adults)).tolist()))
    records = tuple(zip(here.key.tolist(), flags, here.block.tolist(), strict=True))
    places = enumerate(zip(here.tract.tolist(), here.x.tolist(), here.y.tolist(), strict=True))
    geography = {block: BlockLocation(*place) for block, place in places}
    pairs = sample(swap_pairs, records, seed=seed, geography=geography, swap_rate=rate, flags=flags)
    moved = np.array([block for _, _, block in exchange(records, pairs)])
    targets, partners = np.array(pairs).T
    everyone = np.arange(_HOMES)
    stayed = np.setdiff1d(everyone, [targets, partners])

    def table(*groups: tuple[NDArray[np.int64], NDArray[np.int64]]) -> Counts:
        """By tract, of households and the blocks that they are in."""
        tracts = ((here.tract[block[homes]], here.persons[homes]) for homes, block in groups)
        return _table(sum(race_counts(tract, persons, len(here.county)) for tract, persons in tracts))

    adults = np.bincount(here.tract[here.block], weights=here.adults, minlength=len(here.county)).astype(int)
    return SampledState(
        before=table((everyone, here.block)),
        targets_left=table((stayed, here.block), (partners, here.block)),
        all_left=table((stayed, here.block)),
        targets_arrived=table((stayed, here.block), (targets, moved)),
        after=table((everyone, moved)),
        votes=tuple(Fraction(a, b) for a, b in zip(here.votes.tolist(), adults.tolist(), strict=True)),
        counties=_table(race_counts(here.county[here.tract[here.block]], here.persons, len(here.rural_urban))),
        swapped=_table(race_counts(here.county[here.tract[moved]], here.persons, len(here.rural_urban))),
    )


_table = lambda counts: tuple(map(tuple, counts.tolist()))
