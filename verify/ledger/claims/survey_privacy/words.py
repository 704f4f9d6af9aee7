"""What an attacker infers of a record, in words, and small surveys to say it of.

In a case, a data set is the tuple of its units' records; a, an attacker's prior, and p, a mechanism, are maps from data
sets to probabilities and to laws. A frame is such a tuple too; a design maps the tuple of the places that it draws to
its probability; a sample is the tuple of the records drawn; T is a mechanism on samples; g is e^epsilon.
"""

import random
from collections.abc import Callable, Hashable, Iterator, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.mechanisms import clamped_geometric, exact_law
from stirred.mechanisms.surveys.designs import poisson_sample, simple_random_sample
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.ledger import cases
from stirred.verify.ledger.engines.renyi_grid import laws_of
from stirred.verify.ledger.language_names import get
from stirred.verify.ledger.words import likelihood_ratio

Records = tuple[Hashable, ...]
Probabilities = Mapping[Any, Fraction]
Design = Mapping[tuple[int, ...], Fraction]
Kernel = Mapping[Records, Probabilities]

# data sets and their records
others_of = lambda x, i: x[:i] + x[i + 1 :]
restored = lambda rest, i, r: rest[:i] + [r] + rest[i:]
believed_records = lambda a, i: {x[i] for x in a if a[x] > 0}
releases = lambda p: {t for x in p for t in p[x] if p[x][t] > 0}
size_of = lambda p: max(len(x) for x in p)

# what a mechanism needs: e^epsilon for changes of one unit, and of any
loss_of_unit = lambda p, i: max(
    [1]
    + [
        likelihood_ratio(p[x], p[y])
        for x in p
        for y in p
        if len(x) == len(y) and i < len(x) and others_of(x, i) == others_of(y, i)
    ]
)
loss_of = lambda p: max(loss_of_unit(p, i) for i in range(size_of(p)))

# an attacker: the others' records, the record given those, what the attacker predicts, the posterior
rests = lambda a, i: {others_of(x, i) for x in a if a[x] > 0}
rest_share = lambda a, i, rest: sum(a[x] for x in a if others_of(x, i) == rest)
record_given = lambda a, i, r, rest: get(a, restored(rest, i, r), 0) / rest_share(a, i, rest)
predicted = lambda a, p, t: sum(a[x] * get(p[x], t, 0) for x in a)
record_posterior = lambda a, p, i, r, t: sum(a[x] * get(p[x], t, 0) for x in a if x[i] == r) / predicted(a, p, t)

# psample: the record of a data set's unit is drawn again, given the others' records
redrawn_share = lambda a, p, i, r, t: sum(
    a[x] * record_given(a, i, y[i], others_of(x, i)) * get(p[y], t, 0)
    for x in a
    if a[x] > 0 and x[i] == r
    for y in a
    if a[y] > 0 and others_of(x, i) == others_of(y, i)
)
redrawn_posterior = lambda a, p, i, r, t: (
    redrawn_share(a, p, i, r, t) / sum(redrawn_share(a, p, i, q, t) for q in believed_records(a, i))
)
posterior_ratio = lambda a, p, i, r, t: record_posterior(a, p, i, r, t) / redrawn_posterior(a, p, i, r, t)

# both sides of (6.2) as printed
printed_numerator = lambda a, p, i, r, t: sum(
    rest_share(a, i, rest) * record_given(a, i, r, rest) * get(p[restored(rest, i, r)], t, 0) for rest in rests(a, i)
)
printed_denominator = lambda a, p, i, r, t: sum(
    rest_share(a, i, rest)
    * record_given(a, i, r, rest)
    * sum(record_given(a, i, q, rest) * get(p[restored(rest, i, q)], t, 0) for q in believed_records(a, i))
    for rest in rests(a, i)
)
asked = lambda a, p, i: [
    (r, t) for r in believed_records(a, i) for t in releases(p) if redrawn_share(a, p, i, r, t) > 0
]
ratios_within = lambda a, p, g: all(
    1 / g <= q <= g for i in range(size_of(a)) for r, t in asked(a, p, i) for q in [posterior_ratio(a, p, i, r, t)]
)

# surveys
drawn = lambda f, s: [f[j] for j in s]
survey_law = lambda f, design, T: {t: sum(design[s] * get(T[drawn(f, s)], t, 0) for s in design) for t in releases(T)}
survey = lambda frames, design, T: {f: survey_law(f, design, T) for f in frames}
normed = lambda shares: {s: shares[s] / sum(shares[u] for u in shares) for s in shares}
design_given = lambda design, i: normed({s: design[s] for s in design if i in s})
known = lambda frames, design, T, i: survey(frames, design_given(design, i), T)
neighbor_loss = lambda frames, design, T: max(
    loss_of_unit(known(frames, design, T, i), i) for i in {j for s in design for j in s}
)
sampled = lambda a, design: (
    {
        v: sum(a[f] * design[s] for f in a for s in design if drawn(f, s) == v)
        for v in {drawn(f, s) for f in a for s in design if a[f] > 0}
    }
)


def vectors(size: int, values: Records = (0, 1)) -> tuple[Records, ...]:
    """All data sets of so many units."""
    return tuple(product(values, repeat=size))


# the laws of a program on all samples of up to so many binary records
_kernel = lambda most, program, **parameters: {
    x: _numbers(exact_law(program, x, **parameters)) for x in [x for n in range(most + 1) for x in vectors(n)]
}
_numbers = lambda law: {outcome: law.numeric(outcome) for outcome in law}
_count = lambda sample, source, *, size, ratio: clamped_geometric(sample.count(1), source, size=size + 1, ratio=ratio)


def noisy_count(size: int, gamma: Fraction) -> Kernel:
    """The number of records 1, with two-sided geometric noise, clamped: e^ε = gamma at every pair of neighbours."""
    return _kernel(size, _count, size=size, ratio=1 / gamma)


_majority = lambda sample, source, *, flip: int(2 * sample.count(1) > len(sample)) ^ source.bernoulli(flip)


def flipped_majority(size: int, gamma: Fraction) -> Kernel:
    """Whether most records are 1, flipped with probability 1/(1 + gamma)."""
    return _kernel(size, _majority, flip=1 / (1 + gamma))


def simple_random(population: int, size: int) -> Design:
    """Simple random sampling without replacement."""
    return _design(simple_random_sample, population, size=size)


def poisson(rates: tuple[Fraction, ...]) -> Design:
    """Every unit by a rate of its own, independently."""
    return _design(poisson_sample, len(rates), rates=lambda unit, _: rates[unit])


def _design(program: Callable[..., tuple[int, ...]], population: int, **parameters: Any) -> Design:
    """The law of a design that does not depend on the records."""
    return _numbers(exact_law(program, unit_data(dict.fromkeys(range(population))), **parameters))


def _prior(chosen: random.Random, points: tuple[Records, ...]) -> Probabilities:
    weights = [chosen.choice((0, 1, 3, 40)) for _ in points]
    total = sum(weights) or 1
    return (
        {x: Fraction(n, total) for x, n in zip(points, weights, strict=True)}
        if any(weights)
        else {points[0]: Fraction(1)}
    )


@cases(
    "80 fixed random attackers on two units with records 0, 1, 2 or three with 0, 1, with zeros and small shares; "
    "mechanisms of two or three outcomes in sixths, with zeros in every fourth",
    "a p",
)
def attacked() -> Iterator[tuple[Any, ...]]:
    chosen = random.Random(62)  # noqa: S311 fixed cases, not secrets
    for number in range(80):
        points = vectors(2, (0, 1, 2)) if number % 2 else vectors(3)
        outcomes = 2 + number // 2 % 2
        laws = [law for law in laws_of(outcomes, 6) if number % 4 == 0 or len(law) == outcomes]
        yield _prior(chosen, points), {x: _numbers(chosen.choice(laws)) for x in points}


def _designs() -> Iterator[tuple[int, Design]]:
    yield from ((n, simple_random(n, k)) for n, k in ((2, 1), (3, 1), (3, 2), (4, 3)))
    yield 2, poisson((Fraction(1, 3), Fraction(1, 2)))
    yield 3, poisson((Fraction(1, 10), Fraction(1, 2), Fraction(9, 10)))


@cases(
    "simple random samples without replacement of 1 of 2, 1 and 2 of 3 and 3 of 4 units, Poisson samples of 2 and 3 "
    "units; binary frames; noisy counts and flipped majorities with e^epsilon = 3/2 and 3, and 3 random mechanisms on "
    "samples with two outcomes in sixths",
    "frames design T",
)
def surveys() -> Iterator[tuple[Any, ...]]:
    chosen = random.Random(65)  # noqa: S311 fixed cases, not secrets
    laws = [law for law in laws_of(2, 6) if len(law) == 2]
    for units, design in _designs():
        sizes = sorted({len(s) for s in design})
        samples = [x for n in sizes for x in vectors(n)]
        kernels: list[Kernel] = [{x: _numbers(chosen.choice(laws)) for x in samples} for _ in range(3)]
        for gamma in (Fraction(3, 2), Fraction(3)):
            for made in (noisy_count, flipped_majority):
                whole = made(max(sizes), gamma)
                kernels.append({x: whole[x] for x in samples})
        yield from ((vectors(units), design, kernel) for kernel in kernels)


@cases("the same surveys with two fixed random priors on frames each", "a frames design T")
def surveyed() -> Iterator[tuple[Any, ...]]:
    chosen = random.Random(66)  # noqa: S311 fixed cases, not secrets
    for frames, design, kernel in surveys.listed():
        yield from ((_prior(chosen, frames), frames, design, kernel) for _ in range(2))
