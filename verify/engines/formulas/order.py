"""Whether one formula is at most another for all values of their symbols: decided, or refuted by exact values.

A solver decides what `question` can ask it. For the rest, such as 1 − e^(−ε) ≤ ε, derivatives are taken: a function
that is at least 0 at the left end of an interval and does not fall is at least 0 on it. Values that refute are checked
on the formulas in ball arithmetic. What is said of no values is left open.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import islice, product
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import Loss
from stirred.spec.shown_table import ShownTable, TableRow
from stirred.verify.engines.formulas.question import (
    OpenError,
    PolynomialQuestion,
    VacuousError,
    Values,
    breaks,
    difference,
    has_value,
    infinities,
    may_be_above,
    without_hyperbolic,
)
from stirred.verify.engines.formulas.read_formula import check_names, expression, fits, inequalities
from stirred.verify.evidence.reports.report import verdict_row
from stirred.verify.evidence.verdict import Verdict

_DEPTH = 6
"""How often derivatives are taken, one of another."""

_TRIED = tuple(Fraction(n, 300) for n in (300, 150, 600, 30, 3000, 3, 30000, 0, -150, -300, -3000, 100, 900, 270))
_MOST_TRIED, _MOST_QUERIES, _FEW_STEPS = 300, 80, 1_000_000


@dataclass(frozen=True, repr=False)
class OrderAnswer(ShownTable):
    """Whether an inequality holds for all values of its symbols.

    Attributes:
        verdict: DECIDED where a solver shows it for all, REFUTED with values that break it, else OPEN.
        sentence: the inequality, in words.
        conditions: what the symbols are assumed to satisfy.
        because: why.
        counterexample: the values that break it, exact; a symbol that stands for a budget has a `Loss`.
        queries: what the solver was asked, as SMT-LIB text.
    """

    verdict: Verdict
    sentence: str
    conditions: tuple[str, ...]
    because: str
    counterexample: Mapping[str, Fraction | Loss] | None = None
    queries: tuple[str, ...] = ()

    def __str__(self) -> str:
        """The verdict, the sentence, its conditions and the reason on one line."""
        under = f" for all {', '.join(self.conditions)}" if self.conditions else ""
        return f"{self.verdict.name}: {self.sentence}{under}: {self.because}"

    def __repr__(self) -> str:
        return f"<OrderAnswer {self}>"

    def __bool__(self) -> bool:
        raise TypeError("an answer has no truth value; ask for its verdict")

    _title = "formulas compared"

    def _rows(self) -> list[TableRow]:
        return [
            verdict_row(self.verdict, "does it hold for all values?"),
            TableRow("statement", self.sentence),
            TableRow("for all", ", ".join(self.conditions) or "no symbol"),
            TableRow("because", self.because),
        ]


def at_most(left: Any, right: Any, where: Sequence[Any] = ()) -> OrderAnswer:
    """Whether left ≤ right for all values of the symbols.

    Args:
        left: an expression of sympy, or its text; exact; of exp, log, tanh, roots, `Max` and `Min`.
        right: likewise.
        where: inequalities or equations of sympy or texts, or an `Or` of such, beside what symbols say of themselves
            (positive, nonnegative, integer; else any real number). The formulas have a value, too: what stands in a
            logarithm is positive, and what stands below a line is not 0.

    Raises:
        InputError: a formula holds a float, is infinite or complex, a condition is no inequality, or where some
            are texts, one is about other symbols than the formulas.

    >>> import sympy as sp
    >>> b, p = sp.Symbol("b", positive=True, integer=True), sp.Symbol("p", positive=True)
    >>> at_most(sp.log(b / p), sp.log((b + 1) / p)).verdict.name
    'DECIDED'
    >>> at_most(sp.log(b / p), sp.log(2), [p < 1]).verdict.name
    'REFUTED'
    >>> at_most("1 - exp(-epsilon)", "epsilon").verdict.name
    'DECIDED'
    """
    one, other, read = expression("left", left), expression("right", right), inequalities(where)
    if any(isinstance(one, str) for one in (where if isinstance(where, Sequence) else [where])):
        _check_about(one.free_symbols | other.free_symbols, read)
    where = read
    answers = [_compared(one, other, case) for case in _cases(where)]
    said = [answer for answer in answers if not answer.because.startswith(_VACUOUS)] or answers[:1]
    if len(answers) == 1:
        return answers[0]
    found = min(said, key=lambda answer: (Verdict.REFUTED, Verdict.OPEN, Verdict.DECIDED).index(answer.verdict))
    queries = tuple(query for answer in answers for query in answer.queries)
    return replace(found, conditions=tuple(map(str, where)), queries=queries)


def _check_about(symbols: set[Any], where: Sequence[Any]) -> None:
    """Refuse a condition that no chain of conditions links to a formula: in a text, mostly a name is misspelt."""
    reached, left = set(symbols), list(where)
    while linked := [one for one in left if not one.free_symbols or one.free_symbols & reached]:
        reached = reached.union(*(one.free_symbols for one in linked))
        left = [one for one in left if one not in linked]
    if left:
        names = " and ".join(sorted(map(str, symbols))) or "no symbol"
        raise InputError(f"where must be about the symbols of left and right, {names}; got {left[0]}")


def _cases(where: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The conditions without `Or`: each way to choose one of its parts."""
    return [
        inequalities(case) for case in product(*(one.args if one.func.__name__ == "Or" else (one,) for one in where))
    ]


def _compared(one: Any, other: Any, where: Sequence[Any]) -> OrderAnswer:
    import sympy as sp  # noqa: PLC0415 slow to import

    sentence = f"{one} <= {other}"
    symbols = sorted(one.free_symbols.union(other.free_symbols, *(w.free_symbols for w in where)), key=str)
    check_names(symbols)
    defined = _defined((one, other, *where))
    stated = tuple(dict.fromkeys((*map(str, where), *map(" ".join, defined))))
    conditions = (*map(assumption, symbols), *stated)
    if sp.false in where:
        return OrderAnswer(Verdict.OPEN, sentence, conditions, _vacuous(stated))
    asked = _Asked((one, other), where, _vacuous(stated), [])
    reasons: dict[str, None] = {}
    try:
        for least, most in product(_parts(one, sp.Max), _parts(other, sp.Min)):
            found, reason = asked.broken([a - b for a, b in product(_parts(least, sp.Min), _parts(most, sp.Max))])
            if found is not None:
                words = ", ".join(f"{name} = {value}" for name, value in found.items())
                because = f"at {words} the left side is larger"
                return OrderAnswer(Verdict.REFUTED, sentence, conditions, because, found, tuple(asked.queries))
            reasons[reason] = None
    except OpenError as error:
        return OrderAnswer(Verdict.OPEN, sentence, conditions, str(error), None, tuple(asked.queries))
    return OrderAnswer(Verdict.DECIDED, sentence, conditions, "; ".join(reasons), None, tuple(asked.queries))


def _parts(formula: Any, kind: Any) -> tuple[Any, ...]:
    return tuple(formula.args) if isinstance(formula, kind) else (formula,)


_VACUOUS = "vacuous: no values satisfy"


def _vacuous(stated: Sequence[str]) -> str:
    return f"{_VACUOUS} {', '.join(stated) or 'what is assumed of the symbols'}"


def _defined(formulas: Sequence[Any]) -> list[tuple[str, str, str]]:
    """What must be so for formulas to have a real value, where their symbols do not say it."""
    return sorted({(str(one), sign, "0") for one, sign in _needs(formulas)})


def _needs(formulas: Sequence[Any]) -> list[tuple[Any, str]]:
    import sympy as sp  # noqa: PLC0415 slow to import

    needs = []
    for one in formulas:
        needs += [(log.args[0], ">") for log in one.atoms(sp.log) if not log.args[0].is_positive]
        for base, exponent in (power.as_base_exp() for power in one.atoms(sp.Pow)):
            if exponent.is_negative is not False and not base.is_nonzero:
                needs.append((base, "!="))
            if not exponent.is_integer and not base.is_nonnegative:
                needs.append((base, ">="))
    return needs


def assumption(symbol: Any) -> str:
    """What is assumed of a symbol, in words."""
    signs = {"positive": "> 0", "nonnegative": ">= 0", "negative": "< 0", "nonpositive": "<= 0"}
    sign = next((f" {text}" for name, text in signs.items() if getattr(symbol, f"is_{name}")), "")
    kinds = [name for name in ("prime", "even", "odd", "integer") if getattr(symbol, f"is_{name}")]
    return f"{symbol}{sign}{f' {kinds[0]}' if kinds else '' if sign else ' real'}"


class _Asked:
    """Whether differences can all be above 0 under conditions."""

    def __init__(self, formulas: Sequence[Any], where: Sequence[Any], vacuous: str, queries: list[str]) -> None:
        self._formulas, self._where, self._vacuous, self.queries = formulas, where, vacuous, queries

    def broken(self, above: Sequence[Any]) -> tuple[Values | None, str]:
        """Values at which all differences are above 0, or None and why there are none.

        Raises:
            OpenError: neither is shown.
        """
        reasons: list[OpenError] = []
        for by_logarithms in _modes((*above, *self._where)):
            try:
                question = PolynomialQuestion(above, self._where, self._formulas, is_by_logarithms=by_logarithms)
                question.check_satisfied(self.queries, self._vacuous)
                return question.answer(self.queries), "Z3: no values make the left side larger"
            except VacuousError:
                raise
            except OpenError as error:
                reasons.append(error)
        if (values := _tried_values(above, self._where, self._formulas)) is not None:
            return values, ""
        if self._is_satisfied():
            for one in above:
                if why := self._shown(-one, self._where, _DEPTH) or self._on_each_side(-one, self._where):
                    return None, why
        raise reasons[0]

    def _is_satisfied(self) -> bool:
        """Whether some values are known to satisfy the conditions, and the formulas have a value there."""
        return _tried_values((), self._where, self._formulas) is not None

    def _shown(self, formula: Any, where: Sequence[Any], depth: int) -> str:
        """How a formula is shown to be at least 0 under conditions, which may hold nowhere; empty where it is not."""
        core = _without_positive_factors(formula)
        if core == 1:
            return "right - left is a product of what is at least 0"
        if self._has_none([-core], where):
            return "Z3: no values make the left side larger"
        if not depth or _tried_values((-core,), where, (core,)) is not None:
            return ""
        named = sorted(core.free_symbols, key=lambda one: (not _is_inside(core, one), str(one)))
        return next(filter(None, (self._along(core, one, where, depth - 1) for one in named)), "")

    def _along(self, formula: Any, symbol: Any, where: Sequence[Any], depth: int) -> str:
        """The same by derivatives in one symbol, between the ends that the conditions have for it."""
        import sympy as sp  # noqa: PLC0415 slow to import

        smooth = (sp.exp, sp.log, sp.erf, sp.tanh, sp.sinh, sp.cosh)
        if formula.has(sp.Max, sp.Min, sp.Piecewise) or not all(
            isinstance(f, smooth) for f in formula.atoms(sp.Function)
        ):
            return ""
        low, high = _ends(symbol, where)
        rest = [one for one in where if symbol not in one.free_symbols]
        if low is None or (high is not None and high <= low):
            return ""
        step = sp.Dummy(str(symbol), positive=True)
        inside = [*rest, *((step < high - low,) if high is not None else ())]
        moved = formula.subs(symbol, low + step)
        slope = moved.diff(step)
        if not self._have_values([moved, slope], inside):
            return ""
        left, right = (end is not None and self._shown_at(formula, symbol, end, rest, depth) for end in (low, high))
        if left and self._shown(slope, inside, depth):
            return f"it holds at {symbol.name} = {low}, and right - left does not fall in {symbol.name}"
        if right and self._shown(-slope, inside, depth):
            return f"it holds at {symbol.name} = {high}, and right - left does not rise in {symbol.name}"
        bend = slope.diff(step)
        if left and right and self._have_values([bend], inside) and self._shown(-bend, inside, depth):
            return f"it holds at {symbol.name} = {low} and {high}, between which right - left is concave"
        return ""

    def _shown_at(self, formula: Any, symbol: Any, end: Any, where: Sequence[Any], depth: int) -> bool:
        """Whether a formula has a value at an end of an interval, at least 0; it is continuous where it has values."""
        there = formula.subs(symbol, end)
        return (
            not there.has(*infinities())
            and self._have_values([there], where)
            and bool(self._shown(there, where, depth))
        )

    def _on_each_side(self, formula: Any, where: Sequence[Any]) -> str:
        """The same for each side of one value of a symbol: of 1, or of 0 where it may be negative."""
        import sympy as sp  # noqa: PLC0415 slow to import

        for symbol in sorted(formula.free_symbols, key=str):
            if symbol.is_nonnegative:
                sides = [(formula, [*inequalities([*where, one])]) for one in (symbol <= 1, symbol >= 1)]
            else:
                step = sp.Dummy(str(symbol), nonnegative=True)
                sides = [
                    (
                        formula.subs(symbol, sign * step),
                        [*inequalities([one.subs(symbol, sign * step) for one in where])],
                    )
                    for sign in (-1, 1)
                ]
            whys = [self._shown(one, bounds, _DEPTH) for one, bounds in sides if sp.false not in bounds]
            if all(whys):
                return (
                    f"on each side of {symbol} = {1 if symbol.is_nonnegative else 0}: {'; '.join(dict.fromkeys(whys))}"
                )
        return ""

    def _have_values(self, formulas: Sequence[Any], where: Sequence[Any]) -> bool:
        """Whether formulas have real values wherever the conditions hold."""
        against = {">": ((-1,), ">="), ">=": ((-1,), ">"), "!=": ((1, -1), ">=")}
        return all(
            self._has_none([sign * one for sign in against[need][0]], where, against[need][1])
            for one, need in _needs(formulas)
        )

    def _has_none(self, above: Sequence[Any], where: Sequence[Any], word: str = ">") -> bool:
        for by_logarithms in _modes((*above, *where)):
            with suppress(OpenError):
                question = PolynomialQuestion(above, where, word=word, is_by_logarithms=by_logarithms, steps=_FEW_STEPS)
                if len(self.queries) < _MOST_QUERIES and question.answer(self.queries) is None:
                    return True
        return False


def _modes(formulas: Sequence[Any]) -> tuple[bool, ...]:
    """Whether to compare by logarithms; and not to, where logarithms of numbers may be numbers like others."""
    import sympy as sp  # noqa: PLC0415 slow to import

    logs = set().union(*(one.atoms(sp.log) for one in formulas))
    return (True, False) if logs and not any(log.free_symbols for log in logs) else (True,)


def _is_inside(formula: Any, symbol: Any) -> bool:
    """Whether a symbol stands in a function or under a root."""
    import sympy as sp  # noqa: PLC0415 slow to import

    roots = (power for power in formula.atoms(sp.Pow) if not power.exp.is_integer)
    return any(symbol in one.free_symbols for one in (*formula.atoms(sp.Function), *roots))


def _ends(symbol: Any, where: Sequence[Any]) -> tuple[Any, Any]:
    """Rationals below and above a symbol, by what is assumed of it and by conditions on it alone; None for none."""
    lows = [1 if symbol.is_integer and symbol.is_positive else 0] if symbol.is_nonnegative else []
    highs: list[Any] = []
    for one, _ in map(difference, where):
        slope = one.diff(symbol)
        start = one - slope * symbol
        if slope.is_Rational and slope and (end := -start.expand() / slope).is_Rational:
            (lows if slope > 0 else highs).append(end)
    return max(lows, default=None), min(highs, default=None)


def _without_positive_factors(formula: Any) -> Any:
    """A formula that is at least 0 wherever, and only if, this one is: without denominators and factors above 0."""
    import sympy as sp  # noqa: PLC0415 slow to import

    top, bottom = sp.fraction(sp.together(without_hyperbolic(formula)))
    if not bottom.is_positive:
        return formula
    try:
        factors = sp.Mul.make_args(sp.factor(top))
    except sp.PolynomialError:
        return formula
    return sp.Mul(*(one for one in factors if not one.is_nonnegative))


def _tried_values(above: Sequence[Any], where: Sequence[Any], formulas: Sequence[Any]) -> Values | None:
    """The first of some rational values that satisfy the conditions and make all differences larger than 0."""
    import sympy as sp  # noqa: PLC0415 slow to import

    symbols = sorted(set().union(*(one.free_symbols for one in (*above, *where, *formulas))), key=str)
    few = len(_TRIED) if len(symbols) < 3 else 6 if len(symbols) == 3 else 3
    lists = [[v for v in _TRIED if fits(symbol, sp.Rational(*v.as_integer_ratio()))][:few] for symbol in symbols]
    for point in islice(product(*lists), _MOST_TRIED):
        at = dict(zip(symbols, point, strict=True))
        if not all(may_be_above(one, at) for one in above) or not all(has_value(one, at) for one in formulas):
            continue
        if breaks({name: sp.Rational(*value.as_integer_ratio()) for name, value in at.items()}, above, where):
            return {str(name): value for name, value in at.items()}
    return None
