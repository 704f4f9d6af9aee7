"""`stirred derive price`: the PSA's error beside those of fibre noise and of the best mechanism with its budget."""

import argparse
import sys
from fractions import Fraction

from stirred.spec.arguments import InputError
from stirred.spec.numbers.enclosure import decimal_text
from stirred.verify.commands.limits import parse_number, parse_seconds
from stirred.verify.reports.lines import HOLDS, UNDECIDED
from stirred.verify.running.time_limit import time_limit

PRICE_OPTIONS = ("error", "prior")

_ERRORS = {
    "absolute": "the mean change of a cell",
    "squared": "the mean squared change of a cell",
    "changed": "the probability that the table changes",
}
_PRIORS = {"uniform": "the mean over all tables", "worst": "the worst table"}


def add_price_options(parser: argparse.ArgumentParser) -> None:
    """Declare what the error is, and what it is taken over."""
    parser.add_argument("--error", choices=tuple(_ERRORS), help="with price: what counts as error (default absolute)")
    parser.add_argument("--prior", choices=tuple(_PRIORS), help="with price: over which tables (default uniform)")


def derive_price(arguments: argparse.Namespace) -> int:
    """Print the errors, a line for each mechanism; returns the exit status."""
    for option in ("rows", "columns", "swap_rate"):
        if getattr(arguments, option) is None:
            raise InputError(f"price must come with --{option.replace('_', '-')}; got none")
    rate = parse_number("--swap-rate", arguments.swap_rate)
    if not 0 < rate < 1:
        raise InputError(f"--swap-rate must be between 0 and 1, exclusive, for a finite budget; got {rate}")
    from stirred.spec.blocks.tables import count_tables  # noqa: PLC0415
    from stirred.verify.audit.vacuity import universe_vacuity  # noqa: PLC0415
    from stirred.verify.engines.swapping.floor import Prior  # noqa: PLC0415
    from stirred.verify.engines.swapping.price import price  # noqa: PLC0415

    if count_tables(arguments.rows, arguments.columns) == 1:
        sys.stdout.write(f"{universe_vacuity(1)}\n")
        return UNDECIDED
    error, prior = arguments.error or "absolute", arguments.prior or "uniform"
    with time_limit(parse_seconds(arguments), "the price"):
        found = price(arguments.rows, arguments.columns, rate, error, Prior(prior))
    lower, upper = found.floor.lower, found.floor.upper
    shown = f"{_number(lower)} (exact)" if found.floor.is_exact else f"between {_number(lower)} and {_number(upper)}"
    best = f": {found.floor.attained_by} has it" if found.floor.attained_by else ""
    weighted = "none: a weight is negative" if found.weighted is None else _number(found.weighted)
    sys.stdout.write(
        f"one budget for all: epsilon = {found.budget} (the PSA's exact loss), under d_HamS and D_Mult, with the same "
        f"margins released\nerror: {_ERRORS[error]}, {_PRIORS[prior]}\n"
        f"PSA: {_number(found.swapping)}\n"
        f"fibre noise: {_number(found.noise)} (alpha = {_number(found.ratio)})\n"
        f"weighted mechanism: {weighted}\n"
        f"floor of all mechanisms: {shown}{best}\n"
        f"price of swapping: {_number(found.swapping / upper)} times the floor\n"
    )
    return HOLDS


def _number(value: Fraction) -> str:
    return decimal_text(value, 6)
