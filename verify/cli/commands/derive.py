"""`stirred derive`: budgets by their parameters, losses of claims, universes, variants and samples, and formulas."""

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from stirred.spec.arguments import InputError, nonnegative, open_probability, probability
from stirred.spec.budgets.composed import RULES, ComposedBudgets
from stirred.spec.budgets.converted import Target, conversions
from stirred.spec.numbers.enclosure import decimal_text
from stirred.spec.output_premetrics import ApproximateMultiplicative
from stirred.verify.cli.commands.derive_cell_key import NEEDED as OF_A_TABLE
from stirred.verify.cli.commands.derive_cell_key import OPTIONS as TABLE_OPTIONS
from stirred.verify.cli.commands.derive_cell_key import add_options, derive_cell_key
from stirred.verify.cli.commands.derive_swapping import (
    ERRORS,
    PRIORS,
    derive_designs,
    derive_price,
    derive_psa,
    derive_universe,
    derive_variants,
)
from stirred.verify.cli.commands.help_text import declare
from stirred.verify.cli.commands.options import (
    add_number,
    cannot_combine,
    option_name,
    parse_count,
    parse_number,
    parse_seconds,
    refuse_combined,
    require,
    requires,
)
from stirred.verify.evidence.certificates.printable import printable
from stirred.verify.evidence.process_control.time_limit import time_limit
from stirred.verify.evidence.reports.lines import HOLDS, UNDECIDED, exit_status
from stirred.verify.laws.foreign import DEFAULT_LIMITS


def derive_mechanism(arguments: argparse.Namespace) -> int:
    """Print the exact loss of each claim's mechanism, at each of its settings."""
    if not arguments.files:
        raise requires("derive mechanism", "claim files")
    from stirred.verify.audit.exhaust.claim import exhaust  # noqa: PLC0415
    from stirred.verify.engines.comparison import ComparedLaws  # noqa: PLC0415
    from stirred.verify.engines.loss_cases import LossByCases  # noqa: PLC0415
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
                if isinstance(needed, LossByCases):
                    functions.append(needed)
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


def _plot(path: str, curves: Sequence[tuple[str, Any]], functions: Sequence[Any]) -> None:
    """Draw the curves of claims of approximate privacy, or the one loss by an open parameter."""
    from stirred.verify.engines.loss_cases import draw_loss  # noqa: PLC0415
    from stirred.verify.engines.smallest_delta import draw_deltas  # noqa: PLC0415 an optional dependency
    from stirred.verify.evidence.pictures.rendering import write_picture  # noqa: PLC0415

    if not curves and len(functions) != 1:
        needed = f"claims of approximate_multiplicative, or one with a parameter 'symbol'; got {len(functions)}"
        raise requires("--plot", needed)
    write_picture("--plot", path, partial(draw_deltas, curves) if curves else partial(draw_loss, functions[0]))


def derive_family(arguments: argparse.Namespace) -> int:
    """Print the smallest budget of a claim's mechanism as a formula of one size in it; returns the exit status."""
    if len(arguments.files) != 1:
        raise requires("derive family", f"one claim file; got {len(arguments.files)}")
    require(arguments, "derive family", _FAMILY)
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
        from stirred.verify.evidence.pictures.rendering import write_picture  # noqa: PLC0415 an optional dependency

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
        raise requires("derive order", f"two formulas; got {len(arguments.files)}")
    from stirred.verify.engines.formulas.order import at_most  # noqa: PLC0415
    from stirred.verify.engines.formulas.read_formula import read_formula, read_inequality  # noqa: PLC0415

    whole = arguments.whole or ()
    left, right = (read_formula(text, whole) for text in arguments.files)
    found = at_most(left, right, [read_inequality(text, whole) for text in arguments.where or ()])
    sys.stdout.write(f"{found.to_latex() if arguments.latex else printable(str(found))}\n")
    return exit_status([found.verdict])


_EPILOG = """\
examples:
  stirred derive psa                              the budget (7) in b and p
  stirred derive psa --largest-stratum 10         its minimum over p
  stirred derive psa --largest-stratum 10 --epsilon 3
      every swap rate with exactly this budget
  stirred derive psa --largest-stratum 264331 --swap-rate 1/2
      the printed budget, the sharp and the certified one
  stirred derive psa --plot psa.svg               needs the group "plot"
  stirred derive variants                         exact losses of variants
  stirred derive designs                          what sampling designs amplify
  stirred derive universe --rows 435805 708619 --columns 572212 572212 --swap-rate 1/2
      budgets of one stratum with these margins; --coq writes a theorem
  stirred derive price --rows 8 8 --columns 8 8 --swap-rate 1/2
      the error of the PSA, and the least error with its invariants and budget
  stirred derive cell-key --deviation 5 --variance 3 --forbidden 2
      a p-table by maximum entropy, and what it promises
  stirred derive mechanism claim.toml             its exact loss
  stirred derive family claim.toml --vary domain.records --sizes 1 2 3 4 5 --beyond 6 7
      the loss as a formula in one size, guessed, then tested at other sizes
  stirred derive order "ln(b)" "ln(b + 1)/2" --whole b --where "b >= 4"
      whether one formula is at most another
  stirred derive conversion --rho 0.1 --delta 1e-10
  stirred derive conversion --mu 1 --at-epsilon 1
  stirred derive conversion --epsilon 1 --order 8 --delta 1e-6
  stirred derive composition --epsilon 0.1 --times 100 --delta 1e-6
      what a hundred releases come to, by each rule of an account

With flip = "symbol" as a parameter of the mechanism, mechanism and family give the loss for all its values.

exit status: 0 printed; 1 order: refuted by values; 2 usage or engine failure; 3 family, order: undecided; universe, \
price, mechanism: vacuous, since no two data sets are compared.
"""


def add_parser(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = declare(
        subparsers,
        "derive",
        run,
        description="Derive budgets and losses exactly: of the Permutation Swapping Algorithm (article, (7)), its "
        "variants and single universes, of sampling designs, of a mechanism of your own; compare formulas; convert a "
        "budget to another output premetric.",
        epilog=_EPILOG,
    )
    parser.add_argument("mechanism", choices=tuple(_DERIVATIONS), metavar="WHAT", help=", ".join(_DERIVATIONS))
    parser.add_argument("files", nargs="*", metavar="CLAIM", help="mechanism, family: claim files; order: two formulas")
    parser.add_argument("--largest-stratum", type=parse_count, metavar="B", help="largest stratum, at least 2")
    asked = parser.add_mutually_exclusive_group()
    asked.add_argument("--swap-rate", metavar="P", help="swap rate in (0, 1): 1/20, 0.05 or 5%%")
    asked.add_argument("--epsilon", metavar="E", help="budget; psa requires --largest-stratum")
    asked.add_argument("--plot", metavar="FILE", help="draw the result as .svg or .png")
    for name, what in (("rows", "holding"), ("columns", "swapping")):
        parser.add_argument(
            f"--{name}", nargs="+", type=parse_count, metavar="N", help=f"universe, price: counts by {what} category"
        )
    add_number(parser, "--seconds", "universe, price: processor seconds", DEFAULT_LIMITS.seconds)
    parser.add_argument(
        "--measure", choices=("zcdp", "total-variation"), help="universe: the smallest budget in this measure, too"
    )
    parser.add_argument("--coq", metavar="FILE.v", help="universe: write the certified budget as a Coq theorem")
    for name, letter, what in (
        ("rho", "R", "from zCDP; rho of Bun and Steinke, rho^2 of D_NoR"),
        ("mu", "M", "from Gaussian DP"),
        ("delta", "D", "to (epsilon, delta)-DP; universe: the smallest epsilon at it"),
        ("order", "A", "to RDP of this order; with --delta, from it"),
        ("level", "L", "to the largest power of a test (f-DP)"),
        ("at-epsilon", "E", "with --mu, to delta at this epsilon; composition: the smallest delta at it"),
    ):
        parser.add_argument(f"--{name}", metavar=letter, help=f"conversion: {what}")
    parser.add_argument("--times", type=parse_count, metavar="K", help="composition: how many releases of --epsilon")
    parser.add_argument("--part-delta", metavar="D", help="composition: the delta of each release (default 0)")
    parser.add_argument(
        "--error", choices=tuple(ERRORS), metavar="KIND", help=f"price: {', '.join(ERRORS)} (default absolute)"
    )
    parser.add_argument(
        "--prior", choices=tuple(PRIORS), metavar="TABLES", help=f"price: {', '.join(PRIORS)} (default uniform)"
    )
    parser.add_argument("--vary", metavar="KEY", help="family: the key that is the size, such as domain.records")
    parser.add_argument("--sizes", nargs="+", type=parse_count, metavar="N", help="family: sizes to guess from")
    parser.add_argument("--beyond", nargs="+", type=parse_count, metavar="N", help="family: sizes to test at")
    parser.add_argument("--where", nargs="+", metavar="COND", help="order: conditions, such as 'p < 1'")
    parser.add_argument("--whole", nargs="+", metavar="NAME", help="order: symbols that are integers")
    add_options(parser)
    parser.add_argument("--latex", action="store_true", help="print LaTeX")


def run(arguments: argparse.Namespace) -> int:
    """Print the answer; returns the exit status."""
    what = arguments.mechanism
    derivation = _DERIVATIONS[what]
    if arguments.files and "files" not in derivation.takes:
        raise cannot_combine(f"derive {what}", "CLAIM")
    refuse_combined(arguments, f"derive {what}", (name for name in _OPTIONS if name not in derivation.takes))
    require(arguments, f"derive {what}", derivation.needs)
    return derivation.run(arguments)


def _convert(arguments: argparse.Namespace) -> int:
    """Print what the budget gives under other output premetrics, a line for each rule."""
    numbers = {
        name: None if getattr(arguments, name) is None else parse_number(option_name(name), getattr(arguments, name))
        for name in (*_CONVERSION, "epsilon")
    }
    at = Target(numbers["delta"], numbers["order"], numbers["at_epsilon"], numbers["level"])
    found = conversions(at, rho=numbers["rho"], mu=numbers["mu"], epsilon=numbers["epsilon"])
    sys.stdout.write("".join(f"{one}\n" for one in found))
    return HOLDS


def _compose(arguments: argparse.Namespace) -> int:
    """Print what equal releases come to together, a line for each rule."""
    if (arguments.delta is None) == (arguments.at_epsilon is None):
        raise requires("derive composition", "one of --delta and --at-epsilon")
    epsilon = nonnegative("--epsilon", parse_number("--epsilon", arguments.epsilon))
    slack = probability("--part-delta", parse_number("--part-delta", arguments.part_delta or "0"))
    together = ComposedBudgets([(epsilon, slack)] * arguments.times)
    of = f"{arguments.times} releases of ({decimal_text(epsilon, 6)}, {decimal_text(slack, 6)})"
    if arguments.at_epsilon is not None:
        at = parse_number("--at-epsilon", arguments.at_epsilon)
        found = together.optimal_delta(at).relation(10)
        lines = [f"delta {found} at epsilon = {arguments.at_epsilon} by optimal, of {of}"]
    else:
        delta = open_probability("--delta", parse_number("--delta", arguments.delta))
        lines = [
            f"epsilon {compute(together, delta).relation(10)} at delta = {arguments.delta} by {rule}, of {of}"
            for rule, (compute, _) in RULES.items()
        ]
    sums = f"epsilon = {decimal_text(epsilon * arguments.times, 10)}"
    lines.append(f"{sums} at delta = {decimal_text(slack * arguments.times, 10)} by adding, of {of}")
    sys.stdout.write("".join(f"{line}\n" for line in lines))
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
    *("coq", "measure", *_FAMILY, "where", "whole", "error", "prior", *_CONVERSION, "times", "part_delta"),
    *TABLE_OPTIONS,
    *("largest_stratum", "swap_rate", "epsilon", "plot", "rows", "columns", "latex"),
)
_DERIVATIONS: Mapping[str, _Derivation] = {
    "psa": _Derivation(derive_psa, ("largest_stratum", "swap_rate", "epsilon", "plot", "latex")),
    "variants": _Derivation(derive_variants),
    "designs": _Derivation(derive_designs),
    "universe": _Derivation(derive_universe, (*_UNIVERSE, "coq", "measure", "delta"), _UNIVERSE),
    "price": _Derivation(derive_price, (*_UNIVERSE, "error", "prior"), _UNIVERSE),
    "cell-key": _Derivation(derive_cell_key, (*TABLE_OPTIONS, "plot"), OF_A_TABLE),
    "mechanism": _Derivation(derive_mechanism, ("files", "plot", "latex")),
    "family": _Derivation(derive_family, ("files", *_FAMILY, "plot", "latex")),
    "order": _Derivation(derive_order, ("files", "where", "whole", "latex")),
    "conversion": _Derivation(_convert, (*_CONVERSION, "epsilon")),
    "composition": _Derivation(
        _compose, ("epsilon", "times", "delta", "part_delta", "at_epsilon"), ("epsilon", "times")
    ),
}
