"""`stirred derive`: budgets by their parameters, what one universe needs, losses of variants and of samples."""

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.budgets.converted import Target, conversions
from stirred.verify.commands.derive_mechanism import derive_family, derive_mechanism, derive_order
from stirred.verify.commands.derive_swapping import (
    ERRORS,
    PRIORS,
    derive_designs,
    derive_price,
    derive_psa,
    derive_universe,
    derive_variants,
)
from stirred.verify.commands.limits import parse_count, parse_number
from stirred.verify.laws.foreign import DEFAULT_LIMITS
from stirred.verify.reports.lines import HOLDS

_EPILOG = """\
examples:
  stirred derive psa                                        the budget (7) as an expression in b and p
  stirred derive psa --largest-stratum 10                   its smallest value over p, and where
  stirred derive psa --largest-stratum 10 --epsilon 3       every swap rate with exactly this budget
  stirred derive psa --largest-stratum 264331 --swap-rate 1/2   the printed budget, the sharp and the certified one
  stirred derive psa --latex
  stirred derive psa --plot psa.svg                         needs the group "plot"
  stirred derive variants                                   exact losses of swapping's variants on small universes
  stirred derive designs                                    what the designs of samples amplify, on small frames
  stirred derive mechanism claim.toml                       the exact loss of your own mechanism; with
                                                            flip = "symbol" for all values of flip at once
  stirred derive universe --rows 435805 708619 --columns 572212 572212 --swap-rate 1/2
                                                            the budgets of one stratum with these margins;
                                                            --coq Budget.v: the certified one as a theorem of Coq
  stirred derive price --rows 8 8 --columns 8 8 --swap-rate 1/2
                                                            the PSA's error on this universe beside the least error
                                                            of any mechanism with the same invariants and budget
  stirred derive mechanism claim.toml --plot delta.svg      of an (epsilon, delta) claim: delta at every epsilon
  stirred derive mechanism claim.toml --plot loss.svg       with flip = "symbol": the loss by it
  stirred derive family claim.toml --vary domain.records --sizes 1 2 3 4 5 --beyond 6 7
                                                            the loss as a formula of the number of records, guessed
                                                            from some sizes and tested at others
  stirred derive order "ln(b)" "ln(b + 1)/2" --whole b --where "b >= 4"
                                                            whether a formula is at most another, for all values
  stirred derive conversion --rho 0.1 --delta 1e-10         zCDP to (epsilon, delta), as printed and the least
  stirred derive conversion --mu 1 --at-epsilon 1           Gaussian DP to delta, zCDP, RDP, the power of a test
  stirred derive conversion --epsilon 1 --order 8           pure DP to zCDP and RDP; with --level 0.05 to f-DP
  stirred derive conversion --epsilon 1 --order 8 --delta 1e-6
                                                            RDP at one order to (epsilon, delta)

exit status: 0 it is printed; 1 of order: values refute it; 2 usage or engine failure; 3 of family and order: nothing is
shown; of universe, price and mechanism: vacuous, so every mechanism
satisfies it: no two data sets are compared, and no budget says anything of them.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = subparsers.add_parser(
        "derive",
        description="Derive the budget of the Permutation Swapping Algorithm (article, (7)) exactly, list the exact "
        "losses of its variants (article, Appendix C.2 and section 6.2) or of samples by their designs (dissertation, "
        "section 6.4.1), or show what one universe needs: the budget may depend on the margins, because they are "
        "invariants. Or derive the loss of a mechanism of your own, and what a budget gives under another output "
        "premetric.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("mechanism", choices=tuple(_DERIVATIONS), help="what to derive")
    parser.add_argument(
        "files", nargs="*", metavar="CLAIM", help="with mechanism, family: claim files; with order: two formulas"
    )
    parser.add_argument("--largest-stratum", type=parse_count, metavar="B", help="b, an integer of at least 2")
    asked = parser.add_mutually_exclusive_group()
    asked.add_argument("--swap-rate", metavar="P", help="p in (0, 1), exact: 1/20 or 0.05")
    asked.add_argument("--epsilon", metavar="E", help="a budget, exact; psa needs --largest-stratum")
    asked.add_argument("--plot", metavar="FILE", help="draw the budget, and the exact loss beside it: .svg or .png")
    for name, what in (("rows", "holding"), ("columns", "swapping")):
        parser.add_argument(
            f"--{name}",
            nargs="+",
            type=parse_count,
            metavar="N",
            help=f"with universe, price: its counts by {what} category",
        )
    parser.add_argument(
        "--seconds",
        type=int,
        default=DEFAULT_LIMITS.seconds,
        metavar="N",
        help="with universe, price: time (default %(default)s)",
    )
    parser.add_argument(
        "--coq", metavar="FILE.v", help="with universe: write a Coq file whose theorem is the certified budget"
    )
    for name, letter, what in (
        ("rho", "R", "from zCDP: Bun and Steinke's rho, the rho^2 of D_NoR"),
        ("mu", "M", "from Gaussian DP: mu"),
        ("delta", "D", "at this delta"),
        ("order", "A", "at this Renyi order; beside --epsilon and --delta: from RDP at this order"),
        ("level", "L", "the largest power of a test of this level (f-DP)"),
        ("at-epsilon", "E", "with --mu: the delta at this epsilon"),
    ):
        parser.add_argument(f"--{name}", metavar=letter, help=f"with conversion: {what}")
    parser.add_argument("--error", choices=tuple(ERRORS), help="with price: what counts as error (default absolute)")
    parser.add_argument("--prior", choices=tuple(PRIORS), help="with price: over which tables (default uniform)")
    parser.add_argument("--vary", metavar="KEY", help="with family: the claim's key that is the size: domain.records")
    parser.add_argument(
        "--sizes", nargs="+", type=parse_count, metavar="N", help="with family: the sizes that the guess may see"
    )
    parser.add_argument(
        "--beyond", nargs="+", type=parse_count, metavar="N", help="with family: the sizes that it is tested at"
    )
    parser.add_argument("--where", nargs="+", metavar="INEQUALITY", help="with order: conditions, such as 'p < 1'")
    parser.add_argument("--whole", nargs="+", metavar="NAME", help="with order: names that are integers")
    parser.add_argument("--latex", action="store_true", help="print expressions as LaTeX")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the answer; returns the exit status.

    Raises:
        InputError: an option means nothing for what is derived, or one that it needs is missing.
    """
    what = arguments.mechanism
    derivation = _DERIVATIONS[what]
    for option in _OPTIONS:
        value = getattr(arguments, option)
        if option not in derivation.takes and value is not None and value is not False and value != []:
            raise InputError(f"{what} must come without {_typed(option)}; got {'it' if value is True else value}")
    for option in derivation.needs:
        if getattr(arguments, option) is None:
            raise InputError(f"{what} must come with {_typed(option)}; got none")
    return derivation.run(arguments)


def _typed(option: str) -> str:
    """An option as it is typed."""
    return option if option == "files" else f"--{option.replace('_', '-')}"


def _convert(arguments: argparse.Namespace) -> int:
    """Print what the budget gives under other output premetrics, a line for each rule."""
    numbers = {
        name: None if getattr(arguments, name) is None else parse_number(_typed(name), getattr(arguments, name))
        for name in (*_CONVERSION, "epsilon")
    }
    at = Target(numbers["delta"], numbers["order"], numbers["at_epsilon"], numbers["level"])
    found = conversions(at, rho=numbers["rho"], mu=numbers["mu"], epsilon=numbers["epsilon"])
    sys.stdout.write("".join(f"{one}\n" for one in found))
    return HOLDS


@dataclass(frozen=True)
class _Derivation:
    """What prints a derivation, the options that mean something for it, and those without which there is none."""

    run: Callable[[argparse.Namespace], int]
    takes: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()


_UNIVERSE = ("rows", "columns", "swap_rate")
_FAMILY = ("vary", "sizes", "beyond")
_CONVERSION = ("rho", "mu", "delta", "order", "level", "at_epsilon")
_OPTIONS = (
    *("coq", *_FAMILY, "where", "whole", "error", "prior", *_CONVERSION),
    *("files", "largest_stratum", "swap_rate", "epsilon", "plot", "rows", "columns", "latex"),
)
_DERIVATIONS: Mapping[str, _Derivation] = {
    "psa": _Derivation(derive_psa, ("largest_stratum", "swap_rate", "epsilon", "plot", "latex")),
    "variants": _Derivation(derive_variants),
    "designs": _Derivation(derive_designs),
    "universe": _Derivation(derive_universe, (*_UNIVERSE, "coq"), _UNIVERSE),
    "price": _Derivation(derive_price, (*_UNIVERSE, "error", "prior"), _UNIVERSE),
    "mechanism": _Derivation(derive_mechanism, ("files", "plot", "latex")),
    "family": _Derivation(derive_family, ("files", *_FAMILY, "plot", "latex")),
    "order": _Derivation(derive_order, ("files", "where", "whole", "latex")),
    "conversion": _Derivation(_convert, (*_CONVERSION, "epsilon")),
}
