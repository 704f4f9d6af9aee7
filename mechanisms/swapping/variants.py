"""Variants of the Permutation Swapping Algorithm (article, Appendix C.2 and section 6.2), each as a program.

`swap_strata` is what most share: in each stratum select records, permute their swapping values, tabulate.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from itertools import permutations

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import (
    SaturatedTable,
    SwapRecord,
    derangement,
    permutation_swapping,
    saturated_table,
    strata,
)
from stirred.spec.arguments import InputError, integer, open_probability, probability
from stirred.spec.laws.law import Probability

Select = Callable[[Source, Sequence[int]], tuple[int, ...]]
"""Draws the records to move among the indices of one stratum; it may restart."""

Derange = Callable[[Sequence[int], Source], tuple[int, ...]]
"""Draws, for the selected indices, those whose swapping values they receive; it may restart."""


def select_independently(source: Source, stratum: Sequence[int], rates: Sequence[Probability | int]) -> tuple[int, ...]:
    """Each record with its own probability; begun again if exactly one is selected."""
    selected = tuple(index for index, rate in zip(stratum, rates, strict=True) if source.bernoulli(rate))
    if len(selected) == 1:
        source.restart()
    return selected


def swap_strata(
    records: Sequence[SwapRecord], source: Source, select: Select, derange: Derange = derangement
) -> SaturatedTable:
    """The fully saturated table after one selection and one derangement in each stratum of two records or more.

    Source: article, Algorithm 1, lines 2 to 20.
    """
    swapped = list(records)
    for stratum in strata(records).values():
        if len(stratum) < 2:
            continue
        selected, moves = source.attempt(partial(_draw, stratum, select, derange))
        for record, other in zip(selected, moves, strict=True):
            swapped[record] = (*records[record][:2], records[other][2])
    return saturated_table(swapped)


def _draw(
    stratum: Sequence[int], select: Select, derange: Derange, source: Source
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    selected = select(source, stratum)
    return selected, source.attempt(partial(derange, selected))


def capped_swapping(
    records: Sequence[SwapRecord], source: Source, *, cap: int, swap_rate: Probability | int
) -> SaturatedTable:
    """The PSA where selection begins again if more than `cap` records of a stratum are selected.

    A table at a distance above the cap is impossible from x and possible from a nearer x': no finite budget holds in
    a universe with two such tables.

    Args:
        cap: the largest number of records selected in a stratum, ≥ 0.
        swap_rate: p in [0, 1).

    Source: article, section 3.3 (before Theorem 1) and Appendix C.1, (2).
    """
    integer("cap", cap, minimum=0)

    def select(inner: Source, stratum: Sequence[int]) -> tuple[int, ...]:
        selected = select_independently(inner, stratum, [swap_rate] * len(stratum))
        if len(selected) > cap:
            inner.restart()
        return selected

    return swap_strata(records, source, select)


def swapping_with_rates_by_value(
    records: Sequence[SwapRecord], source: Source, *, rate: Callable[[SwapRecord], Probability]
) -> SaturatedTable:
    """The PSA where a record is selected with a probability that depends on its categories alone.

    Args:
        rate: the swap rate of a record, in [0, 1].

    Source: article, Appendix C.2 (variable swapping probabilities), for rates that depend on the record's value.
    """
    return swap_strata(
        records,
        source,
        lambda inner, stratum: select_independently(inner, stratum, [rate(records[i]) for i in stratum]),
    )


def swapping_with_rates_by_place(
    records: Sequence[SwapRecord], source: Source, *, rates: Sequence[Probability]
) -> SaturatedTable:
    """The PSA where the i-th record of the list is selected with the i-th probability.

    Two lists with the same records in another order are at distance 0 under d_HamS, and their laws differ.

    Args:
        rates: one swap rate for each record.

    Source: article, Appendix C.2 (variable swapping probabilities), read as printed: p_i for record i.
    """
    if len(rates) != len(records):
        raise InputError(f"rates must be as many as records; got {len(rates)} for {len(records)}")
    return swap_strata(
        records, source, lambda inner, stratum: select_independently(inner, stratum, [rates[i] for i in stratum])
    )


def nonuniform_swapping(
    records: Sequence[SwapRecord],
    source: Source,
    *,
    weight: Callable[[SwapRecord, SwapRecord], Fraction | int],
    swap_rate: Probability | int,
) -> SaturatedTable:
    """The PSA where a derangement is drawn in proportion to the product of the weights of its moves.

    Args:
        weight: how much a move that gives the first record the second one's swapping value is favoured, > 0.
        swap_rate: p in [0, 1].

    Source: article, Appendix C.2 (nonuniform permutations).
    """

    def derange(selected: Sequence[int], inner: Source) -> tuple[int, ...]:
        options = [moves for moves in permutations(selected) if all(map(int.__ne__, selected, moves))]
        weights = [_product(records, weight, selected, moves) for moves in options]
        total = sum(weights, Fraction(0))
        return options[inner.choose([value / total for value in weights])]

    def select(inner: Source, stratum: Sequence[int]) -> tuple[int, ...]:
        return select_independently(inner, stratum, [swap_rate] * len(stratum))

    return swap_strata(records, source, select, derange)


def _product(
    records: Sequence[SwapRecord],
    weight: Callable[[SwapRecord, SwapRecord], Fraction | int],
    selected: Sequence[int],
    moves: tuple[int, ...],
) -> Fraction:
    product = Fraction(1)
    for record, other in zip(selected, moves, strict=True):
        product *= weight(records[record], records[other])
    return product


def probabilistic_matching(
    records: Sequence[SwapRecord], source: Source, *, across: Fraction, swap_rate: Probability | int
) -> SaturatedTable:
    """The PSA over all strata at once, where a move inside a stratum weighs 1 − α and one across strata weighs α.

    The derangement of the selected records is drawn in proportion to the product of the weights of its moves. The
    margins n_mh· and n_··s stay; n_m·s does not.

    Args:
        across: α in (0, 1), exact.
        swap_rate: p in [0, 1].

    Source: article, section 6.2 (probabilistic unit matching).
    """
    open_probability("across", across)
    categories: dict[Hashable, tuple[Hashable, Hashable]] = {(m, h): (m, h) for m, h, _ in records}
    pooled: list[SwapRecord] = [(0, (matching, holding), swapping) for matching, holding, swapping in records]

    def weight(record: SwapRecord, other: SwapRecord) -> Fraction:
        return 1 - across if categories[record[1]][0] == categories[other[1]][0] else across

    released = nonuniform_swapping(pooled, source, weight=weight, swap_rate=swap_rate)
    return saturated_table([(*categories[record[1]], record[2]) for record, count in released for _ in range(count)])


def nonvacuous_swapping(
    records: Sequence[SwapRecord], source: Source, *, swap_rate: Probability | int
) -> SaturatedTable:
    """The PSA where selection and derangement begin again if some records were selected and the table is as before.

    So P_x(x) is the probability that no record is selected, given that the outcome is allowed.

    Args:
        swap_rate: p in [0, 1).

    Source: article, Appendix C.2 (prohibiting vacuous swaps).
    """
    released: list[SwapRecord] = []
    for places in strata(records).values():
        stratum = [records[place] for place in places]
        released += source.attempt(partial(_change, stratum, swap_rate)) if len(stratum) > 1 else stratum
    return saturated_table(released)


def _change(stratum: Sequence[SwapRecord], rate: Probability | int, source: Source) -> tuple[SwapRecord, ...]:
    places = range(len(stratum))
    selected = select_independently(source, places, [rate] * len(stratum))
    moves = dict(zip(selected, source.attempt(partial(derangement, selected)), strict=True))
    changed = tuple((*stratum[i][:2], stratum[moves.get(i, i)][2]) for i in places)
    if selected and saturated_table(changed) == saturated_table(stratum):
        source.restart()
    return changed


def swapping_without_imputed_records(
    records: Sequence[SwapRecord],
    source: Source,
    *,
    imputed: Callable[[SwapRecord], bool],
    swap_rate: Probability | int,
) -> SaturatedTable:
    """The PSA on the records that are not imputed, beside the imputed ones.

    Args:
        imputed: whether a record is imputed; it must be so by its categories, for the table has nothing else.
        swap_rate: p in [0, 1].

    Source: article, Appendix C.2 (prohibiting imputed records from being swapped).
    """
    fixed = [record for record in records if imputed(record)]
    swapped = permutation_swapping([r for r in records if not imputed(r)], source, swap_rate=swap_rate)
    return saturated_table([*fixed, *(record for record, count in swapped for _ in range(count))])


def noise_before_swapping(
    records: Sequence[SwapRecord],
    source: Source,
    *,
    categories: Sequence[Hashable],
    replace_rate: Fraction,
    swap_rate: Probability | int,
) -> SaturatedTable:
    """The PSA on records whose swapping value is, each with probability r, replaced by a uniform category.

    The margins n_mh· stay; n_m·s does not. One record's noisy value has the loss ln(1 + k·(1−r)/r) for k categories.

    Args:
        categories: the k values of the swapping variable, at least one, without repetition.
        replace_rate: r in [0, 1], exact.
        swap_rate: p in [0, 1].

    Source: article, section 6.2 (pre-swap perturbation).
    """
    if not categories or len(set(categories)) != len(categories):
        raise InputError(f"categories must be at least one, each listed once; got {categories!r}")
    rate = probability("replace_rate", replace_rate)
    noisy: list[SwapRecord] = []
    for matching, holding, swapping in records:
        replaced = source.bernoulli(rate)
        noisy.append((matching, holding, categories[source.uniform(len(categories))] if replaced else swapping))
    return permutation_swapping(noisy, source, swap_rate=swap_rate)


PerturbationTable = Callable[[int], Mapping[int, Fraction]]
"""The law of the released count of a cell, for each positive count."""


def one_more_or_less(count: int) -> Mapping[int, Fraction]:
    """The released count is count − 1, count or count + 1 with probabilities 1/4, 1/2 and 1/4.

    >>> one_more_or_less(1)[0]
    Fraction(1, 4)
    """
    return {count - 1: Fraction(1, 4), count: Fraction(1, 2), count + 1: Fraction(1, 4)}


def cell_key_after_swapping(
    records: Sequence[SwapRecord], source: Source, *, perturbation: PerturbationTable, swap_rate: Probability | int
) -> SaturatedTable:
    """The PSA's fully saturated table where each positive count is perturbed, independently of the others.

    A cell's key is the sum modulo 1 of its records' keys. The record keys are independent and uniform and no record
    is in two cells, so the keys of the positive cells are independent and uniform; an empty cell has the key 0 and
    stays empty.

    Args:
        perturbation: the law of the released count for each positive count.
        swap_rate: p in [0, 1].

    Source: article, section 6.2 (the cell key method after swapping), for one table and keys drawn afresh.
    """
    released = []
    for record, count in permutation_swapping(records, source, swap_rate=swap_rate):
        law = perturbation(count)
        shown = tuple(law)[source.choose(tuple(law.values()))]
        if shown:
            released.append((record, shown))
    return tuple(released)
