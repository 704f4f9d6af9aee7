"""`stirred swap --method targeted`: targeted record swapping of a table of households, with its specification."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from stirred.mechanisms.catalogue import TARGETED
from stirred.mechanisms.swapping.targeted_swapping import TargetedPolicy, anonymity_threshold
from stirred.mechanisms.tables.manifest import randomness
from stirred.spec.arguments import InputError, integer
from stirred.verify.cli.commands.households_swap import (
    HouseholdRelease,
    check_households,
    check_options,
    release_households,
    swapped_columns,
)
from stirred.verify.cli.commands.options import cannot_combine, parse_number, parse_rate, refuse_combined, require
from stirred.verify.evidence.files.bounded_file import read_table_file
from stirred.verify.evidence.process_control.time_limit import ended_by_interrupt
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.laws.claim.mechanism import RATE_BY_PLACE
from stirred.verify.products.swap.request import claim_id
from stirred.verify.products.swap.unbounded import UnboundedSwap

if TYPE_CHECKING:
    from stirred.mechanisms.fast.targeted_swapping import DrawnTargets
    from stirred.mechanisms.tables.reading import TableFile

METHOD = "targeted"

_AT_RISK, _BY_RATE = "households at risk are swapped for certain", "the swap rate fixes how many begin a swap"
_ONLY = ("similar", "risk", "k_anonymity", "risk_column", "risk_above", "rates", "carry", "no_donor")
"""Options that only this method has."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the options that only targeted swapping has."""
    own = parser.add_argument_group(
        f"--method {METHOD}",
        "Households exchange their places, the --swap columns from the largest to the smallest, with donors that agree "
        "on the --match columns and, in turn, on a --similar profile. Requires --microdata. No finite budget holds.",
    )
    own.add_argument(
        "--similar", nargs="+", action="append", default=[], metavar="COLUMN", help="a profile; repeat it for the next"
    )
    own.add_argument("--risk", nargs="+", default=[], metavar="COLUMN", help="key by which persons are counted")
    own.add_argument("--k-anonymity", type=int, metavar="K", help="swap households with fewer than K alike in a place")
    own.add_argument("--risk-column", metavar="COLUMN", help="a risk of at least 0 instead, at each level of places")
    own.add_argument("--risk-above", metavar="R", help="swap households whose --risk-column is above R")
    own.add_argument("--rates", metavar="FILE", help='swap rates by place: the --swap columns and "rate"')
    own.add_argument("--carry", nargs="+", default=[], metavar="COLUMN", help="further columns that move with places")
    own.add_argument("--no-donor", metavar="FILE", help="write the households for which no donor was left")


def refuse_options(arguments: argparse.Namespace) -> None:
    """Refuse this method's options with another method."""
    refuse_combined(arguments, f"--method {arguments.method}", _ONLY)


def run(arguments: argparse.Namespace) -> int:
    """Swap, write and print the specification; returns the exit status."""
    _check(arguments)
    from stirred.mechanisms.fast.targeted_swapping import draw_swaps  # noqa: PLC0415 slow to load
    from stirred.mechanisms.tables.targeted import TargetedColumns, placed_households, read_rates  # noqa: PLC0415

    policy = _policy(arguments)
    profiles = [list(dict.fromkeys((*arguments.match, *profile))) for profile in arguments.similar or [[]]]
    risk, given = arguments.risk or ([] if arguments.risk_column else arguments.match), arguments.risk_column
    moving = [*arguments.swap, *arguments.carry]
    with ended_by_interrupt():
        file = read_table_file(arguments.file)
        rates_file = None if arguments.rates is None else read_table_file(arguments.rates)
        households = check_households(
            arguments, file, [*moving, *(name for one in profiles for name in one)], [*risk, *filter(None, [given])]
        )
        table, persons = households.table, households.persons
        columns = TargetedColumns(arguments.swap, profiles, risk, given)
        placed = placed_households(file, table, columns, persons)
        rate = policy.rate(()) if rates_file is None else read_rates(rates_file, table, arguments.swap, parse_rate)
        drawn = draw_swaps(placed, swap_rate=rate, threshold=policy.threshold, seed=arguments.seed)
        common = [name for name in profiles[0] if all(name in profile for profile in profiles)]
        identifier = arguments.by or arguments.id
        said = UnboundedSwap(
            claim_id(arguments.id_prefix, arguments.claim, arguments.microdata),
            file.schema.names,
            common,
            moving,
            identifier,
            ((_BY_RATE,) if policy.threshold is None else (_AT_RISK, _BY_RATE), "targeted.causes"),
            {
                "name": TARGETED,
                "hierarchy": arguments.swap,
                "similar": profiles,
                **({} if given else {"risk": risk}),
                **({"carry": arguments.carry} if arguments.carry else {}),
                "holding": [name for name in file.schema.names if name not in (*common, *moving, identifier)],
                **_risk_rule(arguments, policy),
                "swap_rate": _rate_text(rate),
            },
            f"swap rate {_rate_text(rate)}",
            persons is not None,
        )
        moved = swapped_columns(table, moving, drawn.partners(len(table)))
        release = HouseholdRelease(
            "targeted record swapping",
            said,
            moved,
            _facts(arguments, said, policy, rate),
            [*_assumed(arguments, risk), *_without_donor(arguments, drawn)],
            counted(len(drawn.pairs), "pair"),
            None if arguments.no_donor is None else _log(table, arguments, file, drawn),
        )
        return release_households(arguments, households, release)


def _check(arguments: argparse.Namespace) -> None:
    named = f"--method {METHOD}"
    check_options(arguments)
    require(arguments, named, ("microdata",))
    rates = [name for name in ("swap_rate", "rates") if getattr(arguments, name) is not None]
    if len(rates) != 1:
        raise InputError(f"{named} requires either --swap-rate or --rates")
    if arguments.k_anonymity is not None:
        integer("--k-anonymity", arguments.k_anonymity, minimum=0)
    by_count, by_column = arguments.k_anonymity is not None, arguments.risk_column is not None
    if by_count and by_column:
        raise cannot_combine("--k-anonymity", "--risk-column")
    if by_column and (arguments.risk or arguments.risk_above is None):
        raise InputError("--risk-column requires --risk-above, and cannot be combined with --risk")
    if arguments.risk_above is not None and not by_column:
        raise InputError("--risk-above requires --risk-column")


def _policy(arguments: argparse.Namespace) -> TargetedPolicy:
    rate = Fraction(0) if arguments.swap_rate is None else parse_rate("--swap-rate", arguments.swap_rate)
    if not 0 <= rate <= 1:
        raise InputError(f"--swap-rate must be between 0 and 1; got {rate}")
    if arguments.risk_column is not None:
        threshold: Fraction | None = parse_number("--risk-above", arguments.risk_above)
    else:
        threshold = anonymity_threshold(arguments.k_anonymity or 0)
    return TargetedPolicy(rate, threshold)


def _risk_rule(arguments: argparse.Namespace, policy: TargetedPolicy) -> dict[str, object]:
    """Who is at risk, as a claim states it."""
    if arguments.risk_column is None:
        return {"k_anonymity": arguments.k_anonymity or 0}
    return {"risk_column": arguments.risk_column, "risk_above": str(policy.threshold)}


def _rate_text(rate: Fraction | Sequence[Fraction]) -> str:
    return str(rate) if isinstance(rate, Fraction) else f"{RATE_BY_PLACE}{max(rate)}"


def _facts(
    arguments: argparse.Namespace, said: UnboundedSwap, policy: TargetedPolicy, rate: Fraction | Sequence[Fraction]
) -> dict[str, object]:
    """What the manifest says of the run."""
    columns = said.mechanism.get("risk", [arguments.risk_column])
    return {
        "roles": {"places": arguments.swap, "carried": arguments.carry, "similar": said.mechanism["similar"]},
        "risk": {"columns": columns, "above": str(policy.threshold), "k": arguments.k_anonymity},
        "budget": {"epsilon": "infinite", "source": "stirred verify targeted.causes"},
        "swap_rate": _rate_text(rate),
        "randomness": randomness(arguments.seed),
    }


def _assumed(arguments: argparse.Namespace, risk: Sequence[str]) -> Iterator[str]:
    """What was taken where the options say nothing of risk."""
    if arguments.risk_column is not None:
        return
    if not arguments.risk:
        yield f"no --risk: risk is counted by the --match columns, {' x '.join(risk) or 'none'}"
    if arguments.k_anonymity is None:
        yield "no --k-anonymity: K = 0, so no household is at risk; risk only orders the draws"


def _without_donor(arguments: argparse.Namespace, drawn: DrawnTargets) -> Iterator[str]:
    if len(drawn.without_donor):
        named = f": {arguments.no_donor} lists them" if arguments.no_donor else ": --no-donor FILE lists them"
        yield f"no donor was left for {counted(len(drawn.without_donor), 'household')}{named}"


def _log(
    table: Any, arguments: argparse.Namespace, file: TableFile, drawn: DrawnTargets
) -> tuple[str, Any, Sequence[Any]]:
    """The households without a donor: their ids, or the numbers of their records, and their places."""
    import pyarrow as pa  # noqa: PLC0415 slow to load

    places = pa.array(drawn.without_donor)
    name = arguments.by or arguments.id
    ids = table[name].take(places) if name else pa.array(drawn.without_donor + 1)
    kind = file.schema.field(name).type if name else pa.int64()
    schema = pa.schema([pa.field(name or "record", kind), *(file.schema.field(one) for one in arguments.swap)])
    columns = [ids, *(table[one].take(places) for one in arguments.swap)]
    return arguments.no_donor, schema, [pa.table(columns, names=schema.names).cast(schema)]
