"""`stirred derive`: budgets by their parameters, losses of claims, universes, variants and samples, and formulas."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.budgets.converted import Target, conversions
from stirred.spec.output_premetrics import ApproximateMultiplicative
from stirred.verify.cli.commands.derive_swapping import (
    ERRORS,
    PRIORS,
    derive_designs,
    derive_price,
    derive_psa,
    derive_universe,
    derive_variants,
)
from stirred.verify.cli.commands.limits import add_number, parse_count, parse_number, parse_seconds
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.process_control.time_limit import time_limit
from stirred.verify.evidence.reports.lines import HOLDS, UNDECIDED, exit_status
from stirred.verify.laws.foreign import DEFAULT_LIMITS


def derive_mechanism(arguments: argparse.Namespace) -> int:
    """Print the exact loss of each claim's mechanism, at each of its settings."""
    if not arguments.files:
        raise InputError("mechanism must come with claim files; got none")
    from stirred.verify.audit.exhaust.claim import exhaust  # noqa: PLC0415
    from stirred.verify.engines.comparison import ComparedLaws  # noqa: PLC0415
    from stirred.verify.engines.loss_function import LossFunction, SplitLossFunction  # noqa: PLC0415
    from stirred.verify.engines.smallest_delta import delta_curves  # noqa: PLC0415
    from stirred.verify.laws.claim.claim import claim_vacuity  # noqa: PLC0415
    from stirred.verify.laws.claim.read import build_claim  # noqa: PLC0415 only this derivation audits
    from stirred.verify.laws.claim.text import read_claims  # noqa: PLC0415

    limits = replace(DEFAULT_LIMITS, seconds=parse_seconds(arguments))
    lines, curves, functions, status = [], [], [], HOLDS
    for claim in read_claims([Path(file) for file in arguments.files]):
        with time_limit(limits.seconds, f"the loss of {claim.id}"):
            built = build_claim(claim, limits)
            for case in built.cases:
                found = exhaust(built, case)
                if found is None:
                    raise InputError(f"{claim.id}: a loss needs a mechanism on finite blocks, and an output premetric")
                if (vacuity := claim_vacuity(built)).is_vacuous:
                    lines.append(f"{printable(f'{claim.id}: {vacuity}')}\n")
                    status = UNDECIDED
                    continue
                needed = found.smallest
                is_function = isinstance(needed, (LossFunction, SplitLossFunction))
                if is_function:
                    functions.append((needed.symbol, getattr(needed, "parts", (needed,))))
                text = _as_latex(needed) if arguments.latex else found.needed
                lines.append(f"{printable(f'{claim.id}: {text}')}\n")
                if isinstance(built.output_premetric, ApproximateMultiplicative) and found.laws and built.flavor:
                    curve = delta_curves(ComparedLaws(found.laws, built.flavor))
                    curves.append((claim.id, curve.by_distance))
                    shown = curve.lines(is_latex=arguments.latex)
                    lines += [f"{printable(f'{claim.id}: {line}')}\n" for line in shown]
    if arguments.plot is not None:
        _plot(arguments.plot, curves, functions)
        lines.append(f"{printable(arguments.plot)}: written\n")
    sys.stdout.write("".join(lines))
    return status


def _as_latex(needed: Any) -> str:
    """A smallest budget as LaTeX, where it has a form of its own; else in words."""
    if hasattr(needed, "latex"):
        return str(needed.latex())
    return str(needed.to_latex()) if hasattr(needed, "to_latex") else str(needed)


def _plot(path: str, curves: Sequence[tuple[str, Any]], functions: Sequence[tuple[str, Any]]) -> None:
    """Draw the curves of claims of approximate privacy, or the one loss by an open parameter."""
    from stirred.verify.engines.loss_cases import draw_loss  # noqa: PLC0415
    from stirred.verify.engines.smallest_delta import draw_deltas  # noqa: PLC0415 an optional dependency
    from stirred.verify.products.studies.picture import write_picture  # noqa: PLC0415

    if not curves and len(functions) != 1:
        raise InputError(
            "--plot must come with claims of approximate_multiplicative, or with one whose parameter is 'symbol'; got "
            f"{'none' if not functions else len(functions)}"
        )
    write_picture("--plot", path, partial(draw_deltas, curves) if curves else partial(draw_loss, *functions[0]))


def derive_family(arguments: argparse.Namespace) -> int:
    """Print the smallest budget of a claim's mechanism as a formula of one size in it; returns the exit status."""
    if len(arguments.files) != 1:
        raise InputError(f"family must come with one claim file; got {len(arguments.files)}")
    for option in ("vary", "sizes", "beyond"):
        if getattr(arguments, option) is None:
            raise InputError(f"family must come with --{option}; got none")
    from stirred.verify.engines.formulas.closed_forms import closed_form  # noqa: PLC0415
    from stirred.verify.laws.claim.text import read_toml  # noqa: PLC0415

    path = Path(arguments.files[0])
    data, name = read_toml(path), arguments.vary.rpartition(".")[2]
    varied = partial(_needed, path, data, arguments.vary.split("."), parse_seconds(arguments))
    symbol = _open_name(data)
    if symbol == name:
        raise InputError(f"--vary must name another key than the parameter that is left open; got {arguments.vary!r}")
    found = closed_form(
        lambda **size: varied(size[name]), {name: arguments.sizes}, {name: arguments.beyond}, symbol=symbol
    )
    lines = [found.to_latex() if arguments.latex else printable(str(found))]
    if arguments.plot is not None:
        from stirred.verify.products.studies.picture import write_picture  # noqa: PLC0415 an optional dependency

        write_picture("--plot", arguments.plot, found.draw)
        lines.append(f"{printable(arguments.plot)}: written")
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    return exit_status([found.verdict])


def _open_name(data: Any) -> str:
    """The name of the mechanism's parameter that is left open; "p" where none is."""
    mechanism = data.get("mechanism", {}) if isinstance(data.get("mechanism", {}), dict) else {}
    given = {**mechanism, **mechanism["parameters"]} if isinstance(mechanism.get("parameters"), dict) else mechanism
    return next((key for key, value in given.items() if isinstance(value, str) and value.startswith("symbol")), "p")


def _needed(path: Path, data: Any, keys: list[str], seconds: int, size: int) -> Any:
    """The smallest budget of the claim with a size in place of a number at a key."""
    from stirred.verify.audit.exhaust.claim import exhaust  # noqa: PLC0415
    from stirred.verify.laws.claim.claim import claim_vacuity  # noqa: PLC0415
    from stirred.verify.laws.claim.read import build_claim  # noqa: PLC0415
    from stirred.verify.laws.claim.table import Block  # noqa: PLC0415
    from stirred.verify.laws.claim.text import claim_of  # noqa: PLC0415

    changed = deepcopy(data)
    place = changed
    for key in keys[:-1]:
        place = place.get(key) if isinstance(place, dict) else None
    if not isinstance(place, dict) or keys[-1] not in place:
        raise InputError(f"--vary must name a key of {path}; got {'.'.join(keys)!r}")
    place[keys[-1]] = str(size) if isinstance(place[keys[-1]], str) else size
    limits = replace(DEFAULT_LIMITS, seconds=seconds)
    with time_limit(seconds, f"the loss at size {size}"):
        built = build_claim(claim_of(path, Block(f"{path}:", changed)), limits)
        if len(built.cases) != 1:
            raise InputError(f"{path}: must have one setting of its parameters; got {len(built.cases)}")
        found = exhaust(built, built.cases[0])
    if found is None:
        raise InputError(f"{path}: a loss needs a mechanism on finite blocks, and an output premetric")
    if (vacuity := claim_vacuity(built)).is_vacuous:
        raise InputError(f"{path}: at size {size}: {vacuity}")
    return found.smallest


def derive_order(arguments: argparse.Namespace) -> int:
    """Print whether one formula is at most another for all values of their symbols; returns the exit status."""
    if len(arguments.files) != 2:
        raise InputError(f"order must come with two formulas; got {len(arguments.files)}")
    from stirred.verify.engines.formulas.order import at_most  # noqa: PLC0415
    from stirred.verify.engines.formulas.read_formula import read_formula, read_inequality  # noqa: PLC0415

    whole = arguments.whole or ()
    left, right = (read_formula(text, whole) for text in arguments.files)
    found = at_most(left, right, [read_inequality(text, whole) for text in arguments.where or ()])
    sys.stdout.write(f"{found.to_latex() if arguments.latex else printable(str(found))}\n")
    return exit_status([found.verdict])


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
    add_number(parser, "--seconds", "with universe, price: time", DEFAULT_LIMITS.seconds)
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
