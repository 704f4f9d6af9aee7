"""Surveys as runs in the language of cases, and the small surveys on which statements about settings are tried.

In a case, runs are the runs of a survey, each a tuple of a data set for each stage (0 the population, 1 the
frame, 2 the sample, 3 the responding sample, 4 the processed data); k is the stage at which the mechanism starts; the
universes are of its data sets, and d has their distances (a pair that it does not have is at distance oo).
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, pairwise, permutations, product
from typing import Any

from stirred.verify.ledger import cases
from stirred.verify.ledger.claims.multiverse.words import Distances, explicitly_comparable
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import distance, together

Runs = tuple[tuple[Any, ...], ...]

# the primitive multiverse of stage k given stage j, and that of all steps up to j
data_of = lambda runs, k: {r[k] for r in runs}
given_data = lambda runs, j, k: {{r[k] for r in runs if r[j] == x} for x in data_of(runs, j)}
given_steps = lambda runs, j, k: {{r[k] for r in runs if r[: j + 1] == w} for w in {r[: j + 1] for r in runs}}
every_pair = lambda points: {(x, y): 1 for x in points for y in points if x != y}

# the completion, and Definition 6.3.3
reached_in = lambda u, d, x: {y for y in u if distance(d, x, y) < oo}
completed_by = lambda universes, d: {reached_in(u, d, x) for u in universes for x in u}
lie_in = lambda parts, coarse: all(any(part <= u for u in coarse) for part in parts)
invariant_at = lambda runs, j, k, universes, d: lie_in(completed_by(universes, d), given_data(runs, j, k))
invariances = lambda runs, k, universes, d: [
    lie_in(parts, given_data(runs, j, k)) for parts in [completed_by(universes, d)] for j in range(k)
]

# the text after it
all_compared_share = lambda runs, j, k, universes, d: all(
    together(given_data(runs, j, k), x, y)
    for u in universes
    for x in u
    for y in u
    if explicitly_comparable(universes, d, x, y)
)

# all relations in which everything leads on and everything comes from something
_relations = lambda first, second: (
    frozenset(chosen)
    for pairs in [tuple(product(range(first), range(second)))]
    for size in range(max(first, second), len(pairs) + 1)
    for chosen in combinations(pairs, size)
    if len({a for a, _ in chosen}) == first and len({b for _, b in chosen}) == second
)


@cache
def surveys_of(*sizes: int) -> tuple[Runs, ...]:
    """All surveys with so many data sets at each stage whose steps look one stage back, but for their names."""
    found: dict[Runs, Runs] = {}
    names = list(product(*(permutations(range(size)) for size in sizes)))
    for steps in product(*(_relations(a, b) for a, b in pairwise(sizes))):
        runs = tuple(
            run for run in product(*map(range, sizes)) if all(run[i : i + 2] in step for i, step in enumerate(steps))
        )
        if runs not in found:
            for renamed in names:
                found[tuple(sorted(tuple(renamed[i][x] for i, x in enumerate(run)) for run in runs))] = runs
    return tuple(dict.fromkeys(found.values()))


def multiverses_of(points: Sequence[Any]) -> Iterator[frozenset[frozenset[Any]]]:
    """All sets of universes of two data sets or more: smaller ones compare nothing."""
    universes = [frozenset(u) for size in range(2, len(points) + 1) for u in combinations(points, size)]
    for number in range(len(universes) + 1):
        yield from map(frozenset, combinations(universes, number))


def _distances(points: Sequence[int]) -> Iterator[Distances]:
    """All premetrics with values 1 and oo on two data sets; on three a path, two ways of going one way, and a class."""
    if len(points) < 3:
        pairs = tuple(permutations(points, 2))
        for size in range(len(pairs) + 1):
            yield from (dict.fromkeys(chosen, 1) for chosen in combinations(pairs, size))
        return
    path = ((0, 1), (1, 0), (1, 2), (2, 1))
    for links in (path, (*path, (0, 2), (2, 0)), path[:2], path[::2], (path[1], path[2])):
        yield dict.fromkeys(links, 1)


_flavors = lambda data, premetrics, *sizes: cases(
    f"{data}, any steps that look one stage back; each level, all multiverses but for universes of one, {premetrics} "
    "{1, oo}",
    "runs k universes d",
)(
    lambda: (
        (runs, k, universes, d)
        for runs in surveys_of(*sizes)
        for k, size in enumerate(sizes)
        for universes, d in product(multiverses_of(range(size)), _distances(range(size)))
    )
)
flavors = _flavors("two populations, frames, samples and responding samples", "d in", 2, 2, 2, 2)
three_samples = _flavors("two populations, two frames, three samples", "five premetrics in", 2, 2, 3)


@cases(
    "a simple random sample of one from a frame that has two of three persons; every two samples compared",
    "runs k universes d",
)
def one_of_two() -> list[tuple[Any, ...]]:
    """Frames a survey may have, and a flavor of its samples that takes nothing as invariant."""
    runs = tuple(("all", frame, (person,)) for frame in combinations("abc", 2) for person in frame)
    samples = tuple((person,) for person in "abc")
    return [(runs, 2, {frozenset(samples)}, dict.fromkeys(permutations(samples, 2), 1))]


_TOWN: Runs = tuple(
    (population, frame, (person,), answer, coded)
    for population in (tuple("abc"), tuple("abd"))
    for frame in combinations(population, 2)
    for person in frame
    for answer in ((), (person,))
    for coded in ([((person, code),) for code in (0, 1)] if answer else [()])
)
town = cases(
    "two populations of three persons, two of whom are in both; frames that miss one person; samples of one, who may "
    "not respond; the answer is coded 0 or 1 by someone's judgment",
    "runs",
)(lambda: [_TOWN])

_AGE = {"a": "young", "b": "old", "c": "young", "d": "old"}
unnamed_town = cases(
    "two populations of three persons, two of whom are in both; frames that miss one person; samples of one, who may "
    "not respond; the processed data have the age, young or old, without the name",
    "runs",
)(lambda: [tuple((*run[:4], tuple(_AGE[person] for person in run[3])) for run in _TOWN)])

# two populations of three persons, frames of two or all of them, samples of one size, weighted or not
_samples = lambda size, *, weighted: tuple(
    (people, frame, (drawn, Fraction(number, size)) if weighted else drawn)
    for people in (tuple("abc"), tuple("abd"))
    for number in (2, 3)
    for frame in combinations(people, number)
    for drawn in combinations(frame, size)
)

_FULL = "two populations of three persons; frames that miss one or nobody; a simple random sample of"
full_frames = cases(f"{_FULL} one, or of two", "runs")(lambda: (_samples(n, weighted=False) for n in (1, 2)))
weighted_samples = cases(f"{_FULL} one, or of two, with its design weight", "runs")(
    lambda: (_samples(n, weighted=True) for n in (1, 2))
)
systematic_samples = cases(
    "four persons; frames of two or of all of them; two drawn systematically, in the order of their names", "runs"
)(
    lambda: [
        tuple(
            ("abcd", frame, frame[start :: number // 2])
            for number in (2, 4)
            for frame in combinations("abcd", number)
            for start in range(number // 2)
        )
    ]
)

_SIZES: Runs = tuple(
    ("all", frame, (who,), (who,), (who, len(frame)))
    for size in (2, 3)
    for frame in combinations("abc", size)
    for who in frame
)
weighted_town = cases(
    "frames of two or three of three persons; a simple random sample of one, who responds and gets the design weight 2 "
    "or 3, the size of the frame",
    "runs",
)(lambda: [_SIZES])


@cases(f"{weighted_town.scope}; the processed data of one responding sample are compared", "runs k universes d")
def weighted_answers() -> Iterator[tuple[Any, ...]]:
    """A flavor of the processed data."""
    parts = [tuple(product(who, (2, 3))) for who in "abc"]  # in order: sets of texts have another one in each process
    distances = dict.fromkeys((pair for part in parts for pair in permutations(part, 2)), 1)
    yield _SIZES, 4, set(map(frozenset, parts)), distances
