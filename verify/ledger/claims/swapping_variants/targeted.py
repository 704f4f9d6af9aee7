"""Targeted record swapping: its law by counts, why no finite budget holds, and the least delta on small domains."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import cache
from itertools import product
from math import floor

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.swapping.targeted_swapping import targeted_swapping
from stirred.spec.blocks.tables import Table, contingency_tables
from stirred.spec.blocks.tables import table_distance as tables_apart
from stirred.verify.engines.swapping.variant_loss import small_universes
from stirred.verify.ledger import cases, every, mutant, own, some
from stirred.verify.ledger.claims.psa.cases import unbounded
from stirred.verify.ledger.language_names import get
from stirred.verify.ledger.words import hockey_stick, table_distance

_METHOD = "R package sdcMicro, recordSwap"
_HALF, _ONE = Fraction(1, 2), Fraction(1)
_GAMMA = 10**9

# a table has the two places as its rows and the kinds as its columns; one level, one profile that takes any donor


@cache
def _followed(x: Table, k: int, rate: Fraction) -> Mapping[Table, Fraction]:
    """The law of the program, every choice of it followed."""
    records = [(place, kind) for place, row in enumerate(x) for kind, n in enumerate(row) for _ in range(n)]
    law = exact_law(targeted_swapping, records, hierarchy=(0,), similar=((),), risk=(1,), k_anonymity=k, swap_rate=rate)
    found: dict[Table, Fraction] = {}
    for released in law:
        counts = dict(released)
        table = tuple(tuple(counts.get((place, kind), 0) for kind in range(len(x[0]))) for place in range(len(x)))
        found[table] = law.numeric(released)
    return found


def _begun(sizes: tuple[int, int], rate: Fraction) -> Iterator[tuple[tuple[int, int], Fraction]]:
    """How many swaps two places begin, with probabilities."""
    half, both = sum(sizes) * rate / 2, Counter[int]()
    for total in (floor(half), -floor(-half)):
        both[total] += 1
    for total, times in both.items():
        low = tuple(floor(Fraction(size * total, sum(sizes))) for size in sizes)
        if sum(low) == total:
            yield (low[0], low[1]), times * _HALF
        else:
            yield (low[0] + 1, low[1]), times * _HALF / 2
            yield (low[0], low[1] + 1), times * _HALF / 2


@cache
def _counted(
    x: Table, k: int, rate: Fraction, risk: Callable[[int], Fraction] = lambda n: Fraction(1, n)
) -> Mapping[Table, Fraction]:
    """The same law on counts: households of one place and kind are alike, and no order of them is followed."""
    law: defaultdict[Table, Fraction] = defaultdict(Fraction)
    kinds = range(len(x[0]))

    def picks(place: int, some: tuple[int, ...], *, by_risk: bool) -> Iterator[tuple[int, Fraction]]:
        weights = [n * (risk(x[place][s]) if by_risk else _ONE) if n else Fraction(0) for s, n in enumerate(some)]
        yield from ((s, weight / sum(weights)) for s, weight in enumerate(weights) if weight)

    def place_after(place: int, left: Table, now: Table, p: Fraction, wanted: tuple[int, int]) -> None:
        if place == len(x):
            law[now] += p
            return
        sure = tuple(left[place][s] if x[place][s] < k else 0 for s in kinds)
        rest = tuple(left[place][s] - sure[s] for s in kinds)
        targets(place, sure, rest, max(0, wanted[place] - sum(sure)), left, now, p, wanted)

    def targets(
        place: int,
        sure: tuple[int, ...],
        rest: tuple[int, ...],
        more: int,
        left: Table,
        now: Table,
        p: Fraction,
        wanted: tuple[int, int],
    ) -> None:
        if not sum(sure) and not (more and sum(rest)):
            place_after(place + 1, left, now, p, wanted)
        elif sum(sure):
            for s, share in picks(place, sure, by_risk=False):
                donors(place, s, (_less(sure, s), rest, more), left, now, p * share, wanted)
        else:
            for s, share in picks(place, rest, by_risk=True):
                donors(place, s, (sure, _less(rest, s), more - 1), left, now, p * share, wanted)

    def donors(
        place: int,
        s: int,
        waiting: tuple[tuple[int, ...], tuple[int, ...], int],
        left: Table,
        now: Table,
        p: Fraction,
        wanted: tuple[int, int],
    ) -> None:
        other = 1 - place
        if not sum(left[other]):
            targets(place, *waiting, left, now, p, wanted)
        for u, share in picks(other, left[other], by_risk=True):
            unused = _moved(left, {(place, s): -1, (other, u): -1})
            after = _moved(now, {(place, s): -1, (other, s): 1})
            after = _moved(after, {(other, u): -1, (place, u): 1})
            targets(place, *waiting, unused, after, p * share, wanted)

    for wanted, p in _begun((sum(x[0]), sum(x[1])), rate):
        place_after(0, x, x, p, wanted)
    return dict(law)


_less = lambda counts, s: tuple(n - (i == s) for i, n in enumerate(counts))
_moved = lambda x, by: tuple(tuple(n + by.get((a, s), 0) for s, n in enumerate(row)) for a, row in enumerate(x))

_two_places = lambda most: [margins for margins in small_universes(most) if len(margins[0]) == 2]

_SETTINGS = tuple(product((0, 2, 3), (Fraction(0), Fraction(1, 20), _HALF, _ONE)))
_SAID = "k = 0, 2, 3; r = 0, 1/20, 1/2, 1"

both_laws = cases(f"two places, up to three kinds, n <= 4 households; {_SAID}", "followed counted uniform")(
    lambda: (
        (_followed(x, k, r), _counted(x, k, r), _counted(x, k, r, _any_donor))
        for margins in _two_places(4)
        for x in contingency_tables(*margins)
        for k, r in _SETTINGS
    )
)
_any_donor = lambda n: Fraction(n, n)

own("targeted.law", _METHOD)(
    """The program of targeted swapping has, for two places, the law that is computed on counts: targets at risk in any
    order, then others by risk until a place has begun its share of the swaps, donors of the other place by risk.""",
    every(both_laws, lambda followed, counted: followed == counted),
    mutant("donors whatever their risk", lambda followed, uniform: followed == uniform),
    reading="one level of places, one profile that takes any donor, risk by k-anonymity in the kind",
)

_universe = lambda margins, k, r, law: {x: law(x, k, r) for x in contingency_tables(*margins)}
_small = lambda said, n, k, rates, law=_followed: cases(said, "laws")(
    lambda: (
        _universe(margins, k, r, law)
        for margins in _two_places(max(n))
        if sum(margins[0]) in n and len(contingency_tables(*margins)) > 1
        for r in rates
    )
)

own("targeted.causes", _METHOD)(
    """Each of two rules alone makes the loss of targeted swapping infinite: that households at risk are swapped for
    certain (two unlike households in two places, k = 2, no rate), and that the rate fixes how many are swapped (four
    households in two places, r = 1/2, none at risk).""",
    some(_small("two households in two places, k = 2, r = 0", [2], 2, [Fraction(0)]), lambda laws: unbounded(laws)),
    mutant(
        "none at risk, swapped by a coin",
        _small("two households in two places, k = 0, r = 1/20, 1/2", [2], 0, [Fraction(1, 20), _HALF]),
    ),
    some(_small("four households in two places, k = 0, r = 1/2", [4], 0, [_HALF]), lambda laws: unbounded(laws)),
    mutant("three households", _small("three households in two places, k = 0, r = 1/2", [3], 0, [_HALF])),
    reading="two households begin no swap or one at r = 1/2, by a coin; the loss is then finite, as it is for three",
)

_one_and_rest = lambda n: (((n - 2, 1), (1, 0)), ((n - 1, 0), (0, 1)))
exchanged = cases("n = 4, ..., 12; k = 2; r = 0, 1/20, 1/2, 1; on counts, and followed for n = 4", "p q x y")(
    lambda: (
        (law(x, 2, r), law(y, 2, r), x, y)
        for n in range(4, 13)
        for x, y in [_one_and_rest(n)]
        for r in (Fraction(0), Fraction(1, 20), _HALF, _ONE)
        for law in ([_counted, _followed] if n == 4 else [_counted])
    )
)
lone = cases("the same with k = 1, where none is at risk, and r = 1/2", "p q x y")(
    lambda: ((_counted(x, 1, _HALF), _counted(y, 1, _HALF), x, y) for n in range(4, 13) for x, y in [_one_and_rest(n)])
)

own("targeted.exchanged", _METHOD)(
    """For every n >= 4, k = 2 and every rate, two data sets of n households in two places that differ by one exchange
    become each other for certain: x has one household of kind 1 beside n - 2 of kind 0, and one of kind 0 in the other
    place; x' has n - 1 of kind 0, and one of kind 1 there. The release shows which one it was: delta = 1 at every
    epsilon.""",
    every(exchanged, lambda p, q, x, y: get(p, y, 0) == 1 and get(q, x, 0) == 1 and table_distance(x, y) == 2),
    mutant("none at risk", every(lone, lambda p, q, x, y: get(p, y, 0) == 1 and get(q, x, 0) == 1)),
    every(exchanged, lambda p, q: hockey_stick(p, q, _GAMMA) == 1),
    mutant("delta below 1", lambda p, q: hockey_stick(p, q, _GAMMA) < 1),
    reading="""checked up to n = 12: in x both lone households are at risk and have no other donor to take, in x' the
    lone one exchanges with any of n - 1 alike, and then the other place has no household left that could be swapped""",
)

_NEAREST = {
    (2, 0): Fraction(0),
    (3, 0): Fraction(0),
    (4, 0): _HALF,
    (5, 0): _HALF,
    (2, 2): _ONE,
    (3, 2): _HALF,
    (4, 2): _ONE,
    (5, 2): _ONE,
    (3, 3): _HALF,
    (4, 3): _ONE,
    (5, 3): _ONE,
}
"""By the number of households and k, at r = 1/2."""


def _delta(laws: Mapping[Table, Mapping[Table, Fraction]]) -> Fraction:
    """The largest probability, from x, of outputs that are impossible from x', over pairs one exchange apart."""
    pairs = [(laws[x], laws[y]) for x in laws for y in laws if x != y and tables_apart(x, y) == 2]
    return max((sum((p[z] for z in p if z not in q), Fraction(0)) for p, q in pairs), default=Fraction(0))


least_delta = cases(
    "two places, n = 2, ..., 5 households, r = 1/2, k = 0, 2, 3; on counts, and followed for n <= 4", "found stated"
)(
    lambda: (
        (max(_delta(_universe(margins, k, _HALF, law)) for margins in _two_places(n) if sum(margins[0]) == n), stated)
        for (n, k), stated in _NEAREST.items()
        for law in ([_counted, _followed] if n <= 4 else [_counted])
    )
)

own("targeted.delta", _METHOD)(
    """At r = 1/2, between data sets of two places that differ by one exchange, the least delta at large epsilon is 0
    for two or three households none of which is at risk, and 1/2 for four or five; with k = 2 or 3 it is 1/2 for three
    households, and 1 for two, four and five.""",
    every(least_delta, lambda found, stated: found == stated),
    mutant("half of it", lambda found, stated: 2 * found == stated),
    reading="delta where e^epsilon is above every finite ratio of two probabilities; up to three kinds",
)
