"""`stirred swap --method pairs-2010`: 2010-style swapping of a table of households, with its specification."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from enum import Enum
from fractions import Fraction
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from stirred.mechanisms.catalogue import PAIRS
from stirred.mechanisms.swapping.pairwise.policy import SETTINGS, AboveFeasible, NoPartner, SwapPolicy
from stirred.mechanisms.tables.manifest import randomness
from stirred.spec.arguments import InputError, probability
from stirred.verify.cli.commands.households_swap import (
    HouseholdRelease,
    Households,
    check_options,
    persons_of,
    release_households,
)
from stirred.verify.cli.commands.options import parse_rate, require
from stirred.verify.evidence.files.bounded_file import read_table_file
from stirred.verify.evidence.process_control.time_limit import ended_by_interrupt
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.laws.claim.mechanism import PAIRS_OPTIONS
from stirred.verify.products.swap.request import claim_id
from stirred.verify.products.swap.unbounded import UnboundedSwap

if TYPE_CHECKING:
    from stirred.mechanisms.tables.households import HouseholdTable

METHOD = PAIRS

_CAUSES = (
    "households of tier 4 are swapped with probability 1",
    "partners are in another tract",
    "partners are among the {k} closest",
    "swapping stops at the swap rate",
    "a household is swapped once, and in a pair",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options that only 2010-style swapping has."""
    pairs = parser.add_argument_group(
        f"--method {METHOD}",
        "Households exchange their block, the one --swap column, with others that agree on the --match columns. "
        "Requires --geography and --microdata. No finite budget holds.",
    )
    pairs.add_argument("--geography", metavar="FILE", help="blocks: the --swap column, tract, x, y (integers)")
    pairs.add_argument(
        "--flags", nargs="+", metavar="COLUMN", help="flagging variables (default: all except block, ids)"
    )
    pairs.add_argument(
        "--setting", choices=tuple(SETTINGS), default="standard", help="of the swapping study (default standard)"
    )
    pairs.add_argument(
        "--shorten-tiers", action="store_true", help="allow swap rates that exceed the number of households"
    )
    pairs.add_argument(
        "--every-partner", action="store_true", help="refuse data in which a household to be swapped has no partner"
    )


def run(arguments: argparse.Namespace) -> int:
    """Swap, write and print the specification; returns the exit status."""
    _check(arguments)
    from stirred.mechanisms.fast.pairwise_swapping import draw_pairs, swapped_blocks  # noqa: PLC0415 it needs scipy
    from stirred.mechanisms.tables.coded_column import check_nulls  # noqa: PLC0415 slow to load
    from stirred.mechanisms.tables.households import flagging_columns, read_households  # noqa: PLC0415

    rate = probability("--swap-rate", parse_rate("--swap-rate", arguments.swap_rate))
    policy = _policy(arguments)
    (block,) = arguments.swap
    with ended_by_interrupt():
        file, geography = read_table_file(arguments.file), read_table_file(arguments.geography)
        flags = flagging_columns(file.schema.names, (block, arguments.id, arguments.by), arguments.flags)
        homes = read_households(file, geography, key=arguments.match, block=block, flags=flags, identifier=arguments.id)
        if arguments.nulls == "refuse":
            read = dict.fromkeys((*arguments.match, *flags))
            check_nulls(file.path, [(name, homes.table[name].null_count) for name in read])
        persons = persons_of(arguments, file, homes.table, [block])
        pairs = draw_pairs(homes.state, swap_rate=rate, policy=policy, seed=arguments.seed).pairs
        others = (*arguments.match, block, arguments.by or arguments.id)
        options = [name for name in PAIRS_OPTIONS if getattr(arguments, name.replace("-", "_"))]
        held = [name for name in file.schema.names if name not in others]
        said = UnboundedSwap(
            claim_id(arguments.id_prefix, arguments.claim, arguments.microdata),
            file.schema.names,
            arguments.match,
            [block],
            arguments.by or arguments.id,
            ([cause.format(k=policy.closest) for cause in _CAUSES], "pairwise.causes"),
            {
                "name": PAIRS,
                "matching": arguments.match,
                "holding": held,
                "swapping": [block],
                "geography": Path(arguments.geography).name,
                "flags": flags,
                "setting": arguments.setting,
                **({"options": options} if options else {}),
                "swap_rate": str(rate),
            },
            f"swap rate {rate}",
            persons is not None,
        )
        release = HouseholdRelease(
            "2010-style swapping",
            said,
            {block: homes.named(swapped_blocks(homes.state.block, pairs))},
            _facts(flags, arguments, policy, rate),
            list(_warnings(homes)),
            counted(len(pairs), "pair"),
        )
        return release_households(arguments, Households(file, homes.table, persons), release)


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options that contradict the method, before anything is read."""
    named = f"--method {METHOD}"
    check_options(arguments)
    require(arguments, named, ("geography", "microdata", "swap_rate"))
    if len(arguments.swap) != 1:
        raise InputError(f"--swap must name one column, the block; got {' '.join(arguments.swap)}")
    if arguments.swap[0] in (*arguments.match, arguments.id, arguments.by):
        raise InputError(f"the column {arguments.swap[0]!r} must have one role; it has two")
    if find_spec("scipy") is None:
        raise InputError(f"{named} needs scipy: pip install scipy")


def _policy(arguments: argparse.Namespace) -> SwapPolicy:
    return replace(
        SETTINGS[arguments.setting],
        above_feasible=AboveFeasible.SHORTEN if arguments.shorten_tiers else AboveFeasible.REFUSE,
        no_partner=NoPartner.REFUSE if arguments.every_partner else NoPartner.SKIP,
    )


def _facts(
    flags: Sequence[str], arguments: argparse.Namespace, policy: SwapPolicy, rate: Fraction
) -> dict[str, object]:
    """What the manifest says of the run, with every decision of the policy."""
    decisions = {field.name: getattr(policy, field.name) for field in fields(policy)}
    return {
        "roles": {
            "matching": arguments.match,
            "swapping": arguments.swap,
            "flags": flags,
            "id": arguments.id,
        },
        "budget": {"epsilon": "infinite", "source": "stirred verify pairwise.guarantee"},
        "swap_rate": str(rate),
        "policy": {name: _stated(decision) for name, decision in decisions.items()},
        "randomness": randomness(arguments.seed),
    }


def _stated(decision: object) -> object:
    if isinstance(decision, Enum):
        return decision.value
    if isinstance(decision, tuple):
        return [_stated(one) for one in decision]
    return str(decision) if isinstance(decision, Fraction) else decision


def _warnings(homes: HouseholdTable) -> Iterator[str]:
    """What stays as it is whatever is drawn."""
    stay, alone = homes.in_one_tract, homes.alone
    total = len(homes.state.key)
    if stay:
        yield (
            f"{stay} of {counted(total, 'household')} cannot be swapped, as all households of their key are in one "
            f"tract; {alone} of them are the only one of their key"
        )
