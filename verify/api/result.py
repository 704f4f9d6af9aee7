"""The result of an audit from Python: verdict, smallest budget, witness, and their display in notebooks."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import pairwise
from typing import Any

from stirred.spec.arguments import InputError, parse_exact, probability
from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics.tradeoff import Tradeoff, shown_curve
from stirred.spec.shown_table import ShownTable, TableRow, as_booktabs
from stirred.verify.audit.audit import AuditRecord
from stirred.verify.evidence.certificates.printable import one_line
from stirred.verify.evidence.pictures.rendering import GREYS, Picture, picture_of
from stirred.verify.evidence.reports.report import strength, verdict_row
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.five_blocks import FiveBlocks

_TITLE = "the largest power of a test, by its level"


def short(number: Fraction) -> str:
    """A number as a notebook shows it: a short fraction exactly, else rounded and marked ≈.

    >>> short(Fraction(3, 8)), short(Fraction(123456789, 987654321))
    ('3/8', '≈ 0.125000')
    """
    text = str(number)
    return text if len(text) <= 12 else Enclosure(number, number).relation()


class PowerCurve(ShownTable, tuple[tuple[Fraction, Fraction], ...]):
    """A piecewise linear trade-off function: the tuple of its vertices (level, power), which displays itself.

    >>> PowerCurve([(Fraction(0), Fraction(0)), (Fraction(1, 4), Fraction(3, 4)), (Fraction(1), Fraction(1))])[1]
    (Fraction(1, 4), Fraction(3, 4))
    """

    __slots__ = ()

    _title = _TITLE

    def __call__(self, level: Fraction | int | str) -> Fraction:
        """The largest power of a test of a level, exact."""
        return Tradeoff.at(self, probability("level", parse_exact("level", level)))

    def __str__(self) -> str:
        return shown_curve(self)

    def _rows(self) -> list[TableRow]:
        return [
            TableRow(
                f"level {short(level)}",
                f"power {short(power)}",
                exact="" if short(level) == str(level) and short(power) == str(power) else f"({level}, {power})",
            )
            for level, power in self
        ]

    def to_sympy(self) -> Any:
        """The power as a sympy `Piecewise` in the level, the symbol alpha."""
        import sympy as sp  # noqa: PLC0415 slow to import

        alpha = sp.Symbol("alpha", nonnegative=True)
        points = [tuple(sp.Rational(*n.as_integer_ratio()) for n in vertex) for vertex in self]
        rows = [(f + (g - f) / (b - a) * (alpha - a), alpha <= b) for (a, f), (b, g) in pairwise(points) if b > a]
        return sp.Piecewise(*rows)

    def plot(self) -> Picture:
        """Plot the power against the level, beside the power of guessing.

        Raises:
            InputError: matplotlib is not installed.
        """

        def draw(figure: Any) -> None:
            figure.set_size_inches(5, 5)
            axes = figure.subplots()
            axes.plot(*zip(*self, strict=True), "-", color=GREYS[0], label="this mechanism")
            axes.plot([0, 1], [0, 1], ":", color=GREYS[2], label="guessing")
            axes.set(xlabel="level", ylabel="power", xlim=(0, 1), ylim=(0, 1))
            axes.set_title(_TITLE, fontsize="medium")
            axes.legend(fontsize="small")

        return picture_of(_TITLE, draw)


def budget_text(budget: Any) -> str:
    """A smallest budget in words.

    >>> budget_text(None)
    'infinite'
    """
    if budget is None:
        return "infinite"
    if isinstance(budget, tuple):
        return " ".join(f"({level}, {power})" for level, power in budget)
    return budget.text(10) if isinstance(budget, Enclosure) else str(budget)


def budget_row(name: str, budget: Any) -> TableRow:
    """A smallest budget as a row of a notebook's table: rounded, with the exact value on demand.

    >>> budget_row("needed", Fraction(123456789, 987654321)).value
    '≈ 0.125000'
    """
    if isinstance(budget, Fraction):
        value = short(budget)
        return TableRow(name, value, exact="" if value == str(budget) else f"exactly {budget}")
    if isinstance(budget, Enclosure) and budget.lower < budget.upper:
        return TableRow(name, budget.relation(), exact=f"enclosed: at least {budget.lower}, at most {budget.upper}")
    if isinstance(budget, tuple):
        value = " ".join(f"({short(level)}, {short(power)})" for level, power in budget)
        return TableRow(name, value, exact="" if value == budget_text(budget) else budget_text(budget))
    latex = budget.to_latex() if hasattr(budget, "to_latex") else ""
    exact = f"exactly ln({budget.gamma})/({budget.distance})" if isinstance(budget, Loss) and budget.is_rounded else ""
    return TableRow(name, budget_text(budget), exact=exact, latex=latex)


@dataclass(frozen=True, repr=False)
class AuditResult(ShownTable):
    """The auditor's answers about a mechanism. It has no truth value: ask whether it `holds`.

    Attributes:
        record: the answers, as `stirred audit` has them.
        smallest: the smallest budget, as `smallest_budget` returns it.
        blocks: the five blocks in words.
        claimed: the claimed budget in words; empty if there is none.
        mechanism: its name.
    """

    record: AuditRecord = field(repr=False)
    smallest: Any
    blocks: FiveBlocks = field(repr=False)
    claimed: str
    mechanism: str

    @property
    def verdict(self) -> Verdict:
        """EXHAUSTED or ENCLOSED if the claim holds, REFUTED if not, OPEN if undecided."""
        return self.record.verdict

    @property
    def holds(self) -> bool:
        """Whether the claim is shown, within its scope."""
        return self.verdict.is_settled_for

    @property
    def witness(self) -> Mapping[str, Any] | None:
        """The counterexample, in the form that `stirred replay` checks."""
        return self.record.witness

    @property
    def scope(self) -> str:
        """What was compared, and what is assumed."""
        return one_line(self.record.scope)

    @property
    def because(self) -> str:
        """The auditor's reason; for a refuted claim with pair, event and inequality, to check by hand."""
        return one_line(self.record.sentence)

    @property
    def pair(self) -> str:
        """The two data sets of the witness in words; empty if it names none."""
        if self.witness is None or "x" not in self.witness:
            return ""
        return f"x = {_frozen(self.witness['x'])}, x' = {_frozen(self.witness['x_prime'])}"

    def __str__(self) -> str:
        """Verdict, then claimed, needed, because and scope."""
        return "\n".join(f"{name}: {text}" for name, text in self._lines())

    def __repr__(self) -> str:
        """Verdict, mechanism, and both budgets on one line."""
        claimed = f", claimed {self.claimed}" if self.claimed else ""
        needed = self.needed if self.smallest is None else budget_text(self.smallest)
        return f"<AuditResult {self.verdict.name}: {self.mechanism}{claimed}, needed {needed}>"

    def __bool__(self) -> bool:
        raise TypeError("a result has no truth value; ask whether it holds, or for its verdict")

    def _repr_pretty_(self, printer: Any, is_cycle: bool) -> None:
        printer.text(repr(self) if is_cycle else str(self))

    def _lines(self) -> list[tuple[str, str]]:
        lines = [
            (
                strength(self.verdict, self.record.numbers),
                f"{self.mechanism}{' satisfies' if self.holds and self.claimed else ''}",
            )
        ]
        if self.claimed:
            lines.append(("claimed", self.claimed))
        lines.append(("needed", self.needed))
        lines.append(("because", self.because))
        lines += [(one.question, one.evidence.detail) for one in self.record.answers if one.question == "size"]
        return [*lines, ("scope", self.scope)]

    @property
    def needed(self) -> str:
        """The smallest budget in words, with a pair that needs it if one is known."""
        if self.pair and self.smallest is not None and not isinstance(self.smallest, Enclosure):
            return f"{budget_text(self.smallest)}, by {self.pair}"
        return one_line(self.record.needed).replace("rho^2 ", "rho ", 1)  # as Bun and Steinke have it, and `rho=`

    @property
    def _title(self) -> str:
        return self.mechanism

    def _rows(self) -> list[TableRow]:
        blocks = [TableRow(one.block, one_line(one.answer), one.question) for one in self.blocks.questions()]
        reasons = (TableRow(name, text) for name, text in self._lines()[1:])
        return [verdict_row(self.verdict, "what is shown?", self.record.numbers), *reasons, *blocks]

    def to_latex(self) -> str:
        """Verdict, budgets and blocks as a booktabs table."""
        verdict, *blocks = (row for row in self._rows() if row.name not in ("because", "size", "scope", "needed"))
        needed = TableRow("needed", self.needed) if self.smallest is None else budget_row("needed", self.smallest)
        return as_booktabs(self.mechanism, [verdict, needed, *blocks])

    def to_sympy(self) -> Any:
        """The smallest budget as a sympy expression.

        Raises:
            InputError: it has no closed form.
        """
        if isinstance(self.smallest, Fraction):
            import sympy as sp  # noqa: PLC0415 slow to import

            return sp.Rational(*self.smallest.as_integer_ratio())
        if not hasattr(self.smallest, "to_sympy"):
            raise InputError(f"the smallest budget has no closed form; it is {self.needed}")
        return self.smallest.to_sympy()

    def plot(self) -> Picture:
        """Plot a smallest budget that is a function: of the open parameter, or of the level.

        Raises:
            InputError: it is a number, or matplotlib is not installed.
        """
        if not hasattr(self.smallest, "plot"):
            raise InputError(f"only a function can be plotted: leave a parameter open; the budget is {self.needed}")
        picture: Picture = self.smallest.plot()
        return picture


def _frozen(value: Any) -> Any:
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


class NotSatisfiedError(AssertionError):
    """A mechanism does not satisfy its claim, or is not shown to; `result` has the audit."""

    __module__ = "stirred"  # the name that its reader knows

    def __init__(self, result: AuditResult) -> None:
        self.result = result
        verb = "does not satisfy" if result.verdict is Verdict.REFUTED else "is not shown to satisfy"
        lines = [f"{result.mechanism} {verb} {result.claimed or 'anything: no budget is claimed'}"]
        lines += [f"  {name}: {text}" for name, text in (("because", result.because), ("needed", result.needed))]
        lines.append(f"  scope: {result.scope}")
        super().__init__("\n".join(lines))
