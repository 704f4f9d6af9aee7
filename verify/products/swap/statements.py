"""What a swap says of itself, on one machine and on a cluster: its setting and warnings, and what it refuses."""

import argparse
from collections.abc import Iterator
from fractions import Fraction

from stirred.mechanisms.tables.manifest import randomness
from stirred.spec.arguments import InputError
from stirred.verify.products.swap.specification import SwapFacts
from stirred.verify.reports.lines import counted

Setting = tuple[Fraction | None, Fraction | None]
"""The swap rate of the PSA or None, and ε of fibre noise or None."""


def stated_setting(setting: Setting) -> dict[str, object]:
    """The swap rate, or ε."""
    rate, epsilon = setting
    return {"swap_rate": str(rate)} if epsilon is None else {"epsilon": str(epsilon)}


def how_of(arguments: argparse.Namespace, setting: Setting) -> dict[str, object]:
    """What the manifest says of the run beside its data."""
    return {
        **stated_setting(setting),
        "resolution": arguments.resolution,
        "nulls": arguments.nulls,
        "randomness": randomness(arguments.seed),
    }


def warnings(facts: SwapFacts, identifying: list[str]) -> Iterator[str]:
    """What a person should know before these records are swapped: what stays as it is, and what identifies."""
    total, kept = facts.records, facts.determined_records
    if kept == total:
        yield "the invariants determine the data: no record can change, whatever the budget"
    elif kept:
        yield f"{kept} of {counted(total, 'record')} stand in strata that the invariants determine: they cannot change"
    for name in identifying:
        yield (
            f"the column {name!r} has another value in each of {total} records: it identifies them, and its values "
            "are released exactly"
        )


def refuse_release(arguments: argparse.Namespace, facts: SwapFacts) -> None:
    """Refuse to write records as they are, and to write what no finite budget covers, where something is written."""
    if not (arguments.output or arguments.microdata):
        return
    rate = facts.rate
    if rate is not None and facts.budget.is_infinite:
        how = "no record moves" if rate == 0 else "every record moves"
        raise InputError(
            f"--swap-rate must be between 0 and 1, exclusive, for a release; got {rate}, where {how} and the loss is "
            "infinite: the tables ((1, 0), (0, 1)) and ((0, 1), (1, 0)) of one universe have no output in common"
        )
    if facts.determined_records == facts.records and not arguments.allow_determined:
        raise InputError(
            f"{arguments.file}: must have a stratum of two holding and two swapping categories to be swapped; here the "
            f"invariants determine the data in each of {facts.strata} strata, and the output would be the input: match "
            "fewer columns, or say --allow-determined"
        )
