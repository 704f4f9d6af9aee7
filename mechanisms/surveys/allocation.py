"""How a sample is shared out among strata: functions from the records of each stratum to its sample size."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import Any

from stirred.mechanisms.source import Source
from stirred.mechanisms.surveys.frames import sample_size
from stirred.spec.arguments import Exact, InputError, exact, integer, sampling_rate

Strata = Mapping[Any, Sequence[Any]]
"""The records of the units of each stratum, none empty."""

Allocation = Callable[[Strata], Mapping[Any, int]]
"""The sample size n_h of each stratum h."""


def fixed(sizes: Mapping[Any, int]) -> Allocation:
    """These sizes, whatever the frame."""
    given = dict(sizes)
    return lambda _: given


def proportional(size: int) -> Allocation:
    """n_h = n·N_h/N by largest remainders: rounded down, and one more where the remainder is among the largest.

    As many strata get one more as are needed to reach n; of equal remainders the stratum that comes first goes first.
    A stratum may get none.

    >>> proportional(3)({"a": (0, 0, 0), "b": (0,), "c": (0,)})
    {'a': 2, 'b': 1, 'c': 0}
    """

    def sizes(strata: Strata) -> dict[Any, int]:
        total = sum(len(records) for records in strata.values())
        number = sample_size("size", size, total)
        shares = {h: divmod(number * len(records), total) for h, records in strata.items()}
        missing = number - sum(whole for whole, _ in shares.values())
        raised = sorted(shares, key=lambda h: -shares[h][1])[:missing]
        return {h: whole + (h in raised) for h, (whole, _) in shares.items()}

    return sizes


def randomly_rounded(strata: Strata, source: Source, *, rate: Exact) -> dict[Any, int]:
    """n_h = ⌊r·N_h⌋ or one more, with expectation r·N_h, independently in each stratum.

    One record more or less in a stratum then moves the law of its size a little, not the size by a whole unit, and the
    sizes of the other strata not at all.

    Args:
        rate: r in (0, 1].

    Source: Bun, Drechsler, Gaboardi, McMillan and Sarathy (2022), the randomised rounding of a proportional
    allocation; dissertation, section 6.4.1 ("minor adjustments").
    """
    r = sampling_rate("rate", rate)
    quotas = {h: r * len(records) for h, records in strata.items()}
    return {h: floor(quota) + source.bernoulli(quota - floor(quota)) for h, quota in quotas.items()}


def variance(values: Sequence[Exact]) -> Fraction:
    """S² = Σ (y − ȳ)²/(N − 1), and 0 for one value.

    >>> variance([1, 2, 3]), variance([5])
    (Fraction(1, 1), Fraction(0, 1))
    """
    numbers = [exact("a value", value) for value in values]
    if len(numbers) < 2:
        return Fraction(0)
    squares, total = sum(number * number for number in numbers), sum(numbers, Fraction(0))
    return (squares - total * total / len(numbers)) / (len(numbers) - 1)


def neyman(size: int, *, variable: Callable[[Any], Exact]) -> Allocation:
    """Sizes proportional to N_h·S_h, as nearly as integers can: the variance Σ N_h²·S_h²/n_h is least possible.

    Each stratum gets one; then one after another goes to where it lowers that variance most, by
    N_h²·S_h²/(n_h·(n_h + 1)), while n_h < N_h. These are rational numbers, so that no root is taken and no quota
    rounded. Equal ones go to the stratum that comes first. The sizes depend on the confidential variable.

    Args:
        size: n, the units of the sample.
        variable: the value y of a record whose standard deviation in the stratum is S_h.

    Source: Neyman (1934); Wright (2012) for the integers, by the priorities N_h·S_h/√(n_h·(n_h + 1)).

    >>> neyman(4, variable=lambda y: y)({"a": (0, 2, 4), "b": (0, 1, 2), "c": (7, 7)})
    {'a': 2, 'b': 1, 'c': 1}
    """

    def sizes(strata: Strata) -> dict[Any, int]:
        if sample_size("size", size, sum(len(records) for records in strata.values())) < len(strata):
            raise InputError(f"size must be at least 1 for each of the {len(strata)} strata; got {size}")
        spread = {h: len(r) ** 2 * variance([variable(one) for one in r]) for h, r in strata.items()}
        found = dict.fromkeys(strata, 1)
        for _ in range(size - len(strata)):
            open_strata = [h for h in strata if found[h] < len(strata[h])]
            found[max(open_strata, key=lambda h: spread[h] / (found[h] * (found[h] + 1)))] += 1
        return found

    return sizes


def checked_sizes(strata: Strata, sizes: Mapping[Any, int]) -> dict[Any, int]:
    """The sample size of each stratum of the frame."""
    for h in sizes:
        if sizes[h] and h not in strata:
            raise InputError(f"sizes must be of strata with units in the frame; {h!r} has none")
    for h, records in strata.items():
        if h not in sizes:
            raise InputError(f"sizes must name every stratum of the frame; {h!r} is missing")
        if integer(f"the size of stratum {h!r}", sizes[h], minimum=0) > len(records):
            raise InputError(f"the size of stratum {h!r} must be at most its {len(records)} units; got {sizes[h]}")
    return {h: sizes[h] for h in strata}
