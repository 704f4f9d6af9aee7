"""`stirred derive`: budgets by their parameters, what one universe needs, losses of variants and of samples."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from stirred.spec.arguments import InputError, shown
from stirred.spec.flavors.permutation_swapping import psa_budget
from stirred.spec.output_premetrics import ApproximateMultiplicative
from stirred.spec.surveys.amplification import Compared
from stirred.verify.certificates.printable import one_line, printable
from stirred.verify.certificates.standard_streams import say
from stirred.verify.commands.conversion import OPTIONS, add_options, convert
from stirred.verify.commands.derive_formula import (
    FORMULA_OPTIONS,
    add_formula_options,
    derive_family,
    derive_order,
)
from stirred.verify.commands.derive_price import PRICE_OPTIONS, add_price_options, derive_price
from stirred.verify.commands.limits import parse_count, parse_number, parse_seconds
from stirred.verify.files.atomic import write_whole
from stirred.verify.laws.foreign import DEFAULT_LIMITS
from stirred.verify.reports.lines import HOLDS, UNDECIDED
from stirred.verify.running.time_limit import time_limit

if TYPE_CHECKING:
    from stirred.verify.engines.swapping.bounds import CertifiedBudget

_MAX_EPSILON = 1_000_000
"""Beyond it e^epsilon is not written out."""

_BUDGET = Fraction(2)
"""e^epsilon of the releases of a sample in the table of designs."""

_EFFECTS = ("amplified", "not amplified", "degraded")

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
    parser.add_argument("mechanism", choices=[*_DERIVATIONS, "conversion"], help="what to derive")
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
    add_options(parser)
    add_price_options(parser)
    add_formula_options(parser)
    parser.add_argument("--latex", action="store_true", help="print expressions as LaTeX")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Print the answer; returns the exit status."""
    if arguments.mechanism != "universe":
        _refuse_others(arguments, arguments.mechanism, ("coq",))
    if arguments.mechanism not in ("family", "order"):
        _refuse_others(arguments, arguments.mechanism, FORMULA_OPTIONS)
    if arguments.mechanism != "price":
        _refuse_others(arguments, arguments.mechanism, PRICE_OPTIONS)
    if arguments.mechanism == "conversion":
        _refuse_others(
            arguments, "conversion", ("files", "largest_stratum", "swap_rate", "plot", "rows", "columns", "latex")
        )
        return convert(arguments)
    _refuse_others(arguments, arguments.mechanism, OPTIONS)
    if arguments.mechanism in ("family", "order"):
        _refuse_others(arguments, arguments.mechanism, ("largest_stratum", "swap_rate", "epsilon", "rows", "columns"))
        unused = ("where", "whole") if arguments.mechanism == "family" else ("vary", "sizes", "beyond", "plot")
        _refuse_others(arguments, arguments.mechanism, unused)
    elif arguments.mechanism != "mechanism":
        _refuse_others(arguments, arguments.mechanism, ("files",))
    return _DERIVATIONS[arguments.mechanism](arguments)


def _psa(arguments: argparse.Namespace) -> int:
    """Print the budget (7), at what is given of b, p and ε."""
    _refuse_others(arguments, "psa", ("rows", "columns"))
    if arguments.plot is not None:
        _refuse_others(arguments, "a plot", ("largest_stratum", "latex"))
        from stirred.verify.commands.plot import plot_psa  # noqa: PLC0415 an optional dependency

        plot_psa(arguments.plot)
        sys.stdout.write(f"{printable(arguments.plot)}: written\n")
        return HOLDS
    import sympy  # noqa: PLC0415 slow to import, and only derivations need it

    from stirred.spec import symbolic  # noqa: PLC0415

    show = sympy.latex if arguments.latex else str
    budget = symbolic.PSABudget(symbolic.b if arguments.largest_stratum is None else arguments.largest_stratum)

    def line(label: str, expression: Any) -> None:
        value = "" if expression.free_symbols or expression.has(sympy.Piecewise) else f" ≈ {sympy.N(expression, 10)}"
        sys.stdout.write(f"{label}: {show(expression)}{value}\n")

    if arguments.swap_rate is not None:
        rate = parse_number("--swap-rate", arguments.swap_rate)
        line("budget", budget.at(rate))
        if arguments.largest_stratum is not None:
            _smaller_budgets(arguments.largest_stratum, rate)
    elif arguments.epsilon is not None:
        if arguments.largest_stratum is None:
            raise InputError("--epsilon must come with --largest-stratum; got none")
        epsilon = parse_number("--epsilon", arguments.epsilon)
        if epsilon > _MAX_EPSILON:
            raise InputError(f"--epsilon must be at most {_MAX_EPSILON}; got {shown(epsilon)}")
        rates = budget.rates(epsilon)
        if not rates:
            sys.stdout.write(f"no swap rate has this budget: the smallest is {show(budget.minimum()[0])}\n")
        for rate in rates:
            line("swap rate", rate)
    else:
        line("budget", budget.expression)
        smallest, attained = budget.minimum()
        line("smallest budget", smallest)
        line("attained at swap rate", attained)
    return HOLDS


def _smaller_budgets(largest_stratum: int, rate: Fraction) -> None:
    """Print what may stand in place of the printed budget at one b and p."""
    from stirred.verify.engines.swapping.bounds import certified_two_category_budget, sharpened_budget  # noqa: PLC0415

    if largest_stratum >= 4:  # from there on it is proved
        sharp = sharpened_budget(largest_stratum, rate)
        sys.stdout.write(f"sharp budget: {sharp} (the smallest that b and p alone allow, rounded up for b > 100)\n")
    certified = certified_two_category_budget(largest_stratum, rate)
    sys.stdout.write(
        f"certified budget: {certified} (where every stratum has at most two holding or two swapping categories; "
        f"{certified.reason}; for given counts see stirred derive universe)\n"
    )


def _variants(arguments: argparse.Namespace) -> int:
    """Print the table of the variants' exact losses; under an infinite one its witness."""
    _refuse_others(
        arguments, "variants", ("largest_stratum", "swap_rate", "epsilon", "plot", "rows", "columns", "latex")
    )
    from stirred.verify.engines.swapping.variant_table import variant_rows  # noqa: PLC0415 follows every choice of every variant

    layout = "{:<42} {:<23} {:>5}  {:<32} {}\n"
    sys.stdout.write(layout.format("variant", "universe (n_mh. x n_m.s)", "p", "exact loss", "PSA's exact loss"))
    for row in variant_rows():
        sys.stdout.write(
            layout.format(row.variant, row.universe, str(row.swap_rate), str(row.found.loss), str(row.psa.loss))
        )
        if row.found.loss.is_infinite and row.found.worst is not None:
            x, x_prime, output, _ = row.found.worst
            cells = " ".join(f"{record[1:]}:{count}" for record, count in output)
            sys.stdout.write(f"    witness: x = {x}, x' = {x_prime}; {{{cells}}} is possible from x and not from x'\n")
    return HOLDS


def _designs(arguments: argparse.Namespace) -> int:
    """Print the table of what releases of a sample lose at most, by the design and the neighbours."""
    _refuse_others(
        arguments, "designs", ("largest_stratum", "swap_rate", "epsilon", "plot", "rows", "columns", "latex")
    )
    from stirred.spec.budgets.loss import Loss  # noqa: PLC0415
    from stirred.verify.engines.surveys.design_table import design_table  # noqa: PLC0415 follows every choice of every design

    layout = "{:<44} {:<11} {:<26} {:<13} {:<12} {}\n"
    sys.stdout.write(
        f"the largest loss over all releases of the sample with budget {Loss(_BUDGET)} and all neighbouring frames of "
        "a small population,\nand its share of a small budget; on other frames it may be larger;\n"
        "of a unit that is known to be in the sample nothing is amplified (dissertation, section 6.5.1)\n"
    )
    sys.stdout.write(layout.format("design", "neighbours", "largest loss", "", "small budget", "printed"))
    for row in design_table(_BUDGET):
        relation = row.compared.name.lower().replace("_", " ")
        share = "oo" if row.small_budget is None else str(row.small_budget)
        effect = _EFFECTS[0 if row.gamma is not None and row.gamma < _BUDGET else 1 if row.gamma == _BUDGET else 2]
        sys.stdout.write(layout.format(row.design, relation, str(Loss(row.gamma)), effect, share, row.printed))
    sys.stdout.write("".join(f"{one.name.lower().replace('_', ' ')}: {one.value}\n" for one in Compared))
    return HOLDS


def _mechanism(arguments: argparse.Namespace) -> int:
    """Print the exact loss of each claim's mechanism, at each of its settings."""
    _refuse_others(arguments, "mechanism", ("largest_stratum", "swap_rate", "epsilon", "rows", "columns"))
    if not arguments.files:
        raise InputError("mechanism must come with claim files; got none")
    from stirred.verify.audit.exhaust.claim import exhaust  # noqa: PLC0415
    from stirred.verify.audit.vacuity import claim_vacuity  # noqa: PLC0415
    from stirred.verify.claim.read import build_claim  # noqa: PLC0415 only this derivation audits
    from stirred.verify.claim.text import read_claims  # noqa: PLC0415
    from stirred.verify.engines.comparison import ComparedLaws  # noqa: PLC0415
    from stirred.verify.engines.loss_function import LossFunction  # noqa: PLC0415
    from stirred.verify.engines.smallest_delta import delta_curves  # noqa: PLC0415
    from stirred.verify.engines.split_loss import SplitLossFunction  # noqa: PLC0415

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
    from stirred.verify.engines.delta_picture import draw_deltas  # noqa: PLC0415 an optional dependency
    from stirred.verify.engines.loss_cases import draw_loss  # noqa: PLC0415
    from stirred.verify.studies.picture import write_picture  # noqa: PLC0415

    if not curves and len(functions) != 1:
        raise InputError(
            "--plot must come with claims of approximate_multiplicative, or with one whose parameter is 'symbol'; got "
            f"{'none' if not functions else len(functions)}"
        )
    write_picture("--plot", path, partial(draw_deltas, curves) if curves else partial(draw_loss, *functions[0]))


def _universe(arguments: argparse.Namespace) -> int:
    """Print the printed budget, the certified one and, where it can be computed, the exact loss of one stratum."""
    _refuse_others(arguments, "universe", ("largest_stratum", "epsilon", "plot", "latex"))
    for option in ("rows", "columns", "swap_rate"):
        if getattr(arguments, option) is None:
            raise InputError(f"universe must come with --{option.replace('_', '-')}; got none")
    from stirred.spec.blocks.tables import TooManyTablesError  # noqa: PLC0415
    from stirred.verify.audit.vacuity import universe_vacuity  # noqa: PLC0415
    from stirred.verify.engines.swapping.bounds import certified_budget  # noqa: PLC0415
    from stirred.verify.engines.swapping.loss import universe_loss  # noqa: PLC0415

    rate = parse_number("--swap-rate", arguments.swap_rate)
    certified = None if rate in (0, 1) else certified_budget(arguments.rows, arguments.columns, rate)
    if arguments.coq is not None:
        _write_coq(arguments.coq, certified)
    size = sum(arguments.rows)
    b = size if size > 1 and min(sum(map(bool, arguments.rows)), sum(map(bool, arguments.columns))) > 1 else 0
    sys.stdout.write(f"printed budget: {psa_budget(b, rate)} (article, Theorem 1, b = {b})\n")
    if certified is not None:
        sys.stdout.write(f"certified budget: {certified} ({certified.reason})\n")
    try:
        with time_limit(parse_seconds(arguments), "the exact loss"):
            loss = universe_loss(arguments.rows, arguments.columns, rate)
    except TooManyTablesError:
        sys.stdout.write("exact loss: not computed, the universe is too large; at most the certified budget\n")
        return HOLDS
    sys.stdout.write(f"exact loss: {loss}\n")
    if loss.witness is not None:
        sys.stdout.write("    witness: x = {}, x' = {}, z = {}\n".format(*loss.witness))
    if b == 0:  # then there is one table with these margins
        sys.stdout.write(f"{universe_vacuity(1)}\n")
        return UNDECIDED
    return HOLDS


def _price(arguments: argparse.Namespace) -> int:
    """Print what the PSA's error costs on one stratum."""
    _refuse_others(arguments, "price", ("largest_stratum", "epsilon", "plot", "latex"))
    return derive_price(arguments)


def _write_coq(path: str, certified: CertifiedBudget | None) -> None:
    """Write the certified budget as a theorem: the whole file, or nothing."""
    from stirred.verify.audit.coq_file import check_coq_name, coqc_command  # noqa: PLC0415
    from stirred.verify.engines.swapping.coq_budget import coq_budget  # noqa: PLC0415

    check_coq_name(path)
    if certified is None or certified.certificate is None:
        found = "it is infinite" if certified is None else f"it is by {certified.reason}"
        raise InputError(f"--coq must come with a certified budget that a certificate of large strata gives; {found}")
    command = coqc_command(printable(path))
    write_whole(path, coq_budget(certified.certificate, coqc_command("FILE.v")))
    say(one_line(f"{printable(path)}: to check it, after make -C proofs: {command}"))


_DERIVATIONS: Mapping[str, Callable[[argparse.Namespace], int]] = {
    "psa": _psa,
    "variants": _variants,
    "designs": _designs,
    "universe": _universe,
    "price": _price,
    "mechanism": _mechanism,
    "family": derive_family,
    "order": derive_order,
}


def _refuse_others(arguments: argparse.Namespace, what: str, options: tuple[str, ...]) -> None:
    """Refuse options that mean nothing here."""
    for option in options:
        value = getattr(arguments, option)
        if value is not None and value is not False and value != []:
            got = "it" if value is True else value
            name = "files" if option == "files" else f"--{option.replace('_', '-')}"
            raise InputError(f"{what} must come without {name}; got {got}")
