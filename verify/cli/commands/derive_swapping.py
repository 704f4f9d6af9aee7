"""`stirred derive psa`, `variants`, `universe` and `price`: budgets and errors of swapping; `designs`: of samples."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from stirred.spec.arguments import InputError, shown
from stirred.spec.flavors.permutation_swapping import psa_budget
from stirred.spec.numbers.enclosure import decimal_text
from stirred.spec.surveys.amplification import Compared
from stirred.verify.cli.commands.options import (
    parse_number,
    parse_rate,
    parse_seconds,
    refuse_combined,
    require,
    requires,
)
from stirred.verify.evidence.certificates.printable import one_line, printable
from stirred.verify.evidence.certificates.standard_streams import say
from stirred.verify.evidence.files.atomic import write_whole
from stirred.verify.evidence.process_control.time_limit import time_limit
from stirred.verify.evidence.reports.lines import HOLDS, UNDECIDED

if TYPE_CHECKING:
    from stirred.spec.output_premetrics import OutputPremetric
    from stirred.verify.engines.swapping.bounds import CertifiedBudget

_MAX_EPSILON = 1_000_000
"""Beyond it e^epsilon is not written out."""

_BUDGET = Fraction(2)
"""e^epsilon of the releases of a sample in the table of designs."""

_EFFECTS = ("amplified", "not amplified", "degraded")

ERRORS = {
    "absolute": "the mean change of a cell",
    "squared": "the mean squared change of a cell",
    "changed": "the probability that the table changes",
}
"""What counts as error."""

PRIORS = {"uniform": "the mean over all tables", "worst": "the worst table"}
"""What it is taken over."""


def derive_psa(arguments: argparse.Namespace) -> int:
    """Print the budget (7), at what is given of b, p and ε."""
    if arguments.plot is not None:
        refuse_combined(arguments, "--plot", ("latex",))
        from stirred.verify.cli.commands.plot import plot_psa  # noqa: PLC0415 an optional dependency

        plot_psa(arguments.plot, arguments.largest_stratum)
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
        rate = parse_rate("--swap-rate", arguments.swap_rate)
        line("budget", budget.at(rate))
        if arguments.largest_stratum is not None:
            _smaller_budgets(arguments.largest_stratum, rate)
    elif arguments.epsilon is not None:
        require(arguments, "--epsilon", ("largest_stratum",))
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


def derive_variants(_: argparse.Namespace) -> int:
    """Print the table of the variants' exact losses; under an infinite one its witness."""
    from stirred.verify.engines.swapping.variant_loss import variant_rows  # noqa: PLC0415 follows every choice of every variant

    layout = "{:<42} {:<23} {:>5}  {:<32} {}\n"
    sys.stdout.write(layout.format("variant", "universe (n_mh. x n_m.s)", "p", "exact loss", "PSA's exact loss"))
    for row in variant_rows():
        sys.stdout.write(
            layout.format(row.variant, row.universe, str(row.swap_rate), str(row.found.loss), str(row.psa.loss))
        )
        if row.found.loss.is_infinite and row.found.worst is not None:
            x, x_prime, output = row.found.worst[:3]
            cells = " ".join(f"{record[1:]}:{count}" for record, count in output)
            sys.stdout.write(f"    witness: x = {x}, x' = {x_prime}; {{{cells}}} is possible from x and not from x'\n")
    return HOLDS


def derive_designs(_: argparse.Namespace) -> int:
    """Print the table of what releases of a sample lose at most, by the design and the neighbours."""
    from stirred.spec.budgets.loss import Loss  # noqa: PLC0415
    from stirred.verify.engines.surveys.design_loss import design_table  # noqa: PLC0415 follows every choice of every design

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


def derive_universe(arguments: argparse.Namespace) -> int:
    """Print the printed budget, the certified one and, where it can be computed, the exact loss of one stratum."""
    from stirred.spec.blocks.tables import TooManyTablesError  # noqa: PLC0415
    from stirred.verify.engines.swapping.bounds import certified_budget  # noqa: PLC0415
    from stirred.verify.engines.swapping.loss import universe_loss  # noqa: PLC0415
    from stirred.verify.laws.claim.claim import universe_vacuity  # noqa: PLC0415

    rate = parse_rate("--swap-rate", arguments.swap_rate)
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
    with time_limit(parse_seconds(arguments), "the laws of all tables"):
        sys.stdout.writelines(f"{name}: {needed}\n" for name, needed in _other_measures(arguments, rate))
    if b == 0:  # then there is one table with these margins
        sys.stdout.write(f"{universe_vacuity(1)}\n")
        return UNDECIDED
    return HOLDS


def _other_measures(arguments: argparse.Namespace, rate: Fraction) -> Iterator[tuple[str, str]]:
    """The smallest budget under the output premetrics that are asked for, by the laws of all tables."""
    from stirred.mechanisms.swapping.permutation_counts import psa_law  # noqa: PLC0415 slow to load
    from stirred.spec.blocks.domain import FiniteDomain  # noqa: PLC0415
    from stirred.spec.blocks.input_premetric import InputPremetric  # noqa: PLC0415
    from stirred.spec.blocks.multiverse import vacuous  # noqa: PLC0415
    from stirred.spec.blocks.specification import Flavor  # noqa: PLC0415
    from stirred.spec.blocks.tables import contingency_tables, table_distance  # noqa: PLC0415
    from stirred.spec.output_premetrics import ApproximateMultiplicative, NormalizedRenyi, TotalVariation  # noqa: PLC0415
    from stirred.verify.audit.exhaust.claim import exhaust_laws  # noqa: PLC0415
    from stirred.verify.engines.comparison import ComparedLaws  # noqa: PLC0415

    asked: dict[str, OutputPremetric] = {}
    if arguments.delta is not None:
        delta = parse_number("--delta", arguments.delta)
        asked[f"epsilon at delta = {delta}"] = ApproximateMultiplicative(delta)
    if arguments.measure == "zcdp":
        asked["zCDP, per unit of d_HamS"] = NormalizedRenyi()
    if arguments.measure == "total-variation":
        asked["total variation, per unit of d_HamS"] = TotalVariation()
    if not asked:
        return
    domain = FiniteDomain(tuple(contingency_tables(arguments.rows, arguments.columns)))
    laws = {table: psa_law(table, rate) for table in domain}
    for name, measure in asked.items():
        flavor = Flavor(domain, vacuous(domain), InputPremetric("d_HamS", "record", table_distance), measure)
        found = exhaust_laws(ComparedLaws(laws, flavor), "")
        yield name, f"≈ {_number(found.smallest)}" if measure.name == "total_variation" else found.needed


def _write_coq(path: str, certified: CertifiedBudget | None) -> None:
    """Write the certified budget as a theorem: the whole file, or nothing."""
    from stirred.verify.audit.coq_file import check_coq_name, coqc_command  # noqa: PLC0415
    from stirred.verify.engines.swapping.bounds import coq_budget  # noqa: PLC0415

    check_coq_name(path)
    if certified is None or certified.certificate is None:
        found = "it is infinite" if certified is None else f"it is by {certified.reason}"
        raise requires("--coq", f"a budget certified for large strata; {found}")
    command = coqc_command(printable(path))
    write_whole(path, coq_budget(certified.certificate, coqc_command("FILE.v")))
    say(one_line(f"{printable(path)}: to check it, after make -C proofs: {command}"))


def derive_price(arguments: argparse.Namespace) -> int:
    """Print the errors, a line for each mechanism; returns the exit status."""
    rate = parse_rate("--swap-rate", arguments.swap_rate)
    if not 0 < rate < 1:
        raise InputError(f"--swap-rate must be between 0 and 1, exclusive, for a finite budget; got {rate}")
    from stirred.spec.blocks.tables import count_tables  # noqa: PLC0415
    from stirred.verify.engines.swapping.floor import Prior  # noqa: PLC0415
    from stirred.verify.engines.swapping.price import price  # noqa: PLC0415
    from stirred.verify.laws.claim.claim import universe_vacuity  # noqa: PLC0415

    if count_tables(arguments.rows, arguments.columns) == 1:
        sys.stdout.write(f"{universe_vacuity(1)}\n")
        return UNDECIDED
    error, prior = arguments.error or "absolute", arguments.prior or "uniform"
    with time_limit(parse_seconds(arguments), "the price"):
        found = price(arguments.rows, arguments.columns, rate, error, Prior(prior))
    lower, upper = found.floor.lower, found.floor.upper
    shown = f"{_number(lower)} (exact)" if found.floor.is_exact else f"between {_number(lower)} and {_number(upper)}"
    best = f": {found.floor.attained_by} has it" if found.floor.attained_by else ""
    budget = str(found.budget) if str(found.budget).startswith("≈") else f"= {found.budget}"
    weighted = "none: a weight is negative" if found.weighted is None else _number(found.weighted)
    sys.stdout.write(
        f"one budget for all: epsilon {budget} (the PSA's exact loss), under d_HamS and D_Mult, with the same "
        f"margins released\nerror: {ERRORS[error]}, {PRIORS[prior]}\n"
        f"PSA: {_number(found.swapping)}\n"
        f"fibre noise: {_number(found.noise)} (alpha = {_number(found.ratio)})\n"
        f"weighted mechanism: {weighted}\n"
        f"floor of all mechanisms: {shown}{best}\n"
        f"price of swapping: {_number(found.swapping / upper)} times the floor\n"
    )
    return HOLDS


def _number(value: Fraction) -> str:
    return decimal_text(value, 6)
