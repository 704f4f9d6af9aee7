"""`stirred swap --method pairs-2010`: 2010-style swapping of a table of households, with its specification."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import fields, replace
from enum import Enum
from fractions import Fraction
from importlib.util import find_spec
from typing import TYPE_CHECKING

from stirred.mechanisms.catalogue import FIBRE_NOISE
from stirred.mechanisms.swapping.pairwise.policy import (
    HIGH_VARIANCE,
    STANDARD,
    UNIQUE_BY_TRACT,
    AboveFeasible,
    NoPartner,
    SwapPolicy,
)
from stirred.mechanisms.tables.manifest import manifest_text, randomness
from stirred.spec.arguments import InputError, probability
from stirred.verify.cli.commands.options import parse_rate, refuse_combined, require
from stirred.verify.evidence.certificates.printable import one_line, printable
from stirred.verify.evidence.files.atomic import real_path
from stirred.verify.evidence.files.bounded_file import read_table_file
from stirred.verify.evidence.process_control.time_limit import ended_by_interrupt
from stirred.verify.evidence.reports.lines import HOLDS, UNDECIDED, counted
from stirred.verify.products.specification import Distance, ReleaseSpecification, StatedMeasure
from stirred.verify.products.swap.specification import identified, undone

if TYPE_CHECKING:
    from stirred.mechanisms.tables.households import HouseholdTable

METHOD = "pairs-2010"

_SETTINGS = {"standard": STANDARD, "high-variance": HIGH_VARIANCE, "by-tract": UNIQUE_BY_TRACT}

_PSA_ONLY = ("epsilon", "hold", "count", "output", "claim", "memory", "work", "buckets")
"""Options of the PSA that have no meaning here."""

_CAUSES = (
    "households of tier 4 are swapped with probability 1",
    "partners are in another tract",
    "partners are among the {k} closest",
    "swapping stops at the swap rate",
    "a household is swapped once, and in a pair",
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the method, and the options that only 2010-style swapping has."""
    parser.add_argument(
        "--method",
        choices=("psa", METHOD, FIBRE_NOISE),
        default="psa",
        help="PSA (default), pairs of households as in 2010, or noise with the PSA's invariants",
    )
    pairs = parser.add_argument_group(
        f"--method {METHOD}",
        "Households exchange their block, the one --swap column, with others that agree on the --match columns. "
        "Requires --geography and --microdata. No finite budget holds.",
    )
    pairs.add_argument("--geography", metavar="FILE", help="blocks: the --swap column, tract, x, y (integers)")
    pairs.add_argument(
        "--flags", nargs="+", metavar="COLUMN", help="flagging variables (default: all except block, id)"
    )
    pairs.add_argument(
        "--setting", choices=tuple(_SETTINGS), default="standard", help="of the swapping study (default standard)"
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
    from stirred.mechanisms.tables.dependence import dependences  # noqa: PLC0415 slow to load
    from stirred.mechanisms.tables.households import read_households  # noqa: PLC0415
    from stirred.mechanisms.tables.writing import WholeFiles  # noqa: PLC0415

    rate = probability("--swap-rate", parse_rate("--swap-rate", arguments.swap_rate))
    policy = _policy(arguments)
    with ended_by_interrupt():
        file, geography = read_table_file(arguments.file), read_table_file(arguments.geography)
        homes = read_households(
            file,
            geography,
            key=arguments.match,
            block=arguments.swap[0],
            flags=arguments.flags,
            identifier=arguments.id,
        )
        pairs = draw_pairs(homes.state, swap_rate=rate, policy=policy, seed=arguments.seed).pairs
        households = len(homes.state.key)
        facts = _facts(file.schema.names, arguments, policy, rate)
        with WholeFiles() as files:
            moved = homes.moved(swapped_blocks(homes.state.block, pairs))
            written = files.table(arguments.microdata, homes.schema, [moved])
            manifest = manifest_text(written, file, "2010-style swapping", {**facts, "records": households})
            files.text(f"{arguments.microdata}.manifest.json", manifest)
    sys.stdout.write(f"{printable(arguments.microdata)}: {households} records, {counted(len(pairs), 'pair')} swapped\n")
    sys.stdout.write(_specification(file.schema.names, arguments, policy, rate).text() + "\n")
    kept = [name for name in file.schema.names if name not in (*arguments.match, *arguments.swap)]
    found = dependences(homes.table, arguments.match, kept, arguments.swap, lines=True)
    names = [name for name in kept if name != arguments.id and len(homes.table[name].unique()) == households > 1]
    said = (*_warnings(homes, arguments.seed is not None), *identified(names, households))
    sys.stderr.write("".join(f"stirred: {one_line(one)}\n" for one in (*said, *undone(found, arguments.swap))))
    return UNDECIDED if any(one.is_vacuous(arguments.swap) for one in found) else HOLDS


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options that contradict the method, before anything is read."""
    named = f"--method {METHOD}"
    refuse_combined(arguments, named, _PSA_ONLY)
    require(arguments, named, ("geography", "microdata", "swap_rate"))
    if len(arguments.swap) != 1:
        raise InputError(f"--swap must name one column, the block; got {' '.join(arguments.swap)}")
    if arguments.swap[0] in (*arguments.match, arguments.id):
        raise InputError(f"the column {arguments.swap[0]!r} must have one role; it has two")
    inputs = {real_path(name) for name in (arguments.file, arguments.geography)}
    target = real_path(arguments.microdata)
    if target in inputs or any(one in target.parents for one in inputs):
        raise InputError(f"--microdata and the data must be different files; got {arguments.microdata}")
    if find_spec("scipy") is None:
        raise InputError(f"{named} needs scipy: pip install scipy")


def _policy(arguments: argparse.Namespace) -> SwapPolicy:
    return replace(
        _SETTINGS[arguments.setting],
        above_feasible=AboveFeasible.SHORTEN if arguments.shorten_tiers else AboveFeasible.REFUSE,
        no_partner=NoPartner.REFUSE if arguments.every_partner else NoPartner.SKIP,
    )


def _facts(
    columns: Sequence[str], arguments: argparse.Namespace, policy: SwapPolicy, rate: Fraction
) -> dict[str, object]:
    """What the manifest says of the run, with every decision of the policy."""
    from stirred.mechanisms.tables.households import flagging_columns  # noqa: PLC0415 slow to load

    decisions = {field.name: getattr(policy, field.name) for field in fields(policy)}
    return {
        "roles": {
            "matching": arguments.match,
            "swapping": arguments.swap,
            "flags": flagging_columns(columns, arguments.swap[0], arguments.id, arguments.flags),
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


def _specification(
    columns: Sequence[str], arguments: argparse.Namespace, policy: SwapPolicy, rate: Fraction
) -> ReleaseSpecification:
    """The flavor of the PSA on these variables, in which 2010-style swapping has no finite budget."""
    (block,) = arguments.swap
    key = " x ".join(arguments.match) or "(one key)"
    others = " x ".join(name for name in columns if name not in (*arguments.match, block, arguments.id)) or "nothing"
    causes = "; ".join(cause.format(k=policy.closest) for cause in _CAUSES)
    return ReleaseSpecification(
        id="swap.pairs",
        statement="The release has no finite budget.",
        domain=f"all data sets with the variables {', '.join(columns)}; one record for each household",
        multiverse=f"invariant, so released exactly: counts of {key} x {others}, and of {key} x {block}",
        distance=Distance.REPLACED,
        resolution="household",
        measure=StatedMeasure.PURE,
        budget=f"infinite (swap rate {rate}): no finite epsilon is met on all universes; each of these rules alone is "
        f"enough for that: {causes} (stirred verify pairwise.causes)",
    )


def _warnings(homes: HouseholdTable, seeded: bool) -> Iterator[str]:
    """What stays as it is whatever is drawn, and who can undo the swap."""
    stay, alone = homes.in_one_tract, homes.alone
    total = len(homes.state.key)
    if stay:
        yield (
            f"{stay} of {counted(total, 'household')} cannot be swapped, as all households of their key are in one "
            f"tract; {alone} of them are the only one of their key"
        )
    if seeded:
        yield "swapped with a seed: whoever knows it can undo the swap"
