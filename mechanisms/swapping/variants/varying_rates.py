"""Swapping with a swap rate of its own for each record: by the record's value, or by its place in the list."""

from collections.abc import Callable, Sequence

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import SaturatedTable, SwapRecord
from stirred.mechanisms.swapping.variants.strata_permutation import select_independently, swap_strata
from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Probability


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
