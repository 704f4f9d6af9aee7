"""`stirred derive conversion`: what one budget gives under other output premetrics, as certified enclosures."""

import argparse
import sys

from stirred.spec.budgets.converted import Target, conversions
from stirred.verify.commands.limits import parse_number
from stirred.verify.reports.lines import HOLDS

OPTIONS = ("rho", "mu", "delta", "order", "level", "at_epsilon")


def add_options(parser: argparse.ArgumentParser) -> None:
    """Declare the numbers that a conversion is from and at."""
    for name, letter, what in (
        ("rho", "R", "from zCDP: Bun and Steinke's rho, the rho^2 of D_NoR"),
        ("mu", "M", "from Gaussian DP: mu"),
        ("delta", "D", "at this delta"),
        ("order", "A", "at this Renyi order; beside --epsilon and --delta: from RDP at this order"),
        ("level", "L", "the largest power of a test of this level (f-DP)"),
        ("at-epsilon", "E", "with --mu: the delta at this epsilon"),
    ):
        parser.add_argument(f"--{name}", metavar=letter, help=f"with conversion: {what}")


def convert(arguments: argparse.Namespace) -> int:
    """Print what the budget gives, a line for each rule; returns the exit status."""
    names = (*OPTIONS, "epsilon")
    given = {name: getattr(arguments, name) for name in names}
    numbers = {
        name: None if text is None else parse_number(f"--{name.replace('_', '-')}", text)
        for name, text in given.items()
    }
    at = Target(numbers["delta"], numbers["order"], numbers["at_epsilon"], numbers["level"])
    found = conversions(at, rho=numbers["rho"], mu=numbers["mu"], epsilon=numbers["epsilon"])
    sys.stdout.write("".join(f"{one}\n" for one in found))
    return HOLDS
