"""Whether one formula is at most another for all values of their symbols: decided by a solver, or refuted by values.

Formulas are rational functions of their symbols, logarithms of such with rational factors, sums of logarithms and of
symbols that stand for budgets, or the largest of several. Powers with a symbol above, and e^1, are left open. So is
what is said of no values: the solver is asked first whether the conditions have any.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from stirred.spec.budgets.loss import Loss
from stirred.spec.shown_table import ShownTable, TableRow
from stirred.verify.engines.formulas.read_formula import check_names, expression, fits, inequalities
from stirred.verify.engines.solver import ask
from stirred.verify.evidence.reports.report import verdict_row
from stirred.verify.evidence.verdict import Verdict

_EXPONENT = 64
"""The largest exponent that is written out."""


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


class _OpenError(Exception):
    """The formulas are of a kind that the solver is not asked about."""


def at_most(left: Any, right: Any, where: Sequence[Any] = ()) -> OrderAnswer:
    """Whether left ≤ right for all values of the symbols.

    Args:
        left: an expression of sympy, or its text; exact; `Max` of several at the top.
        right: likewise.
        where: inequalities of sympy or texts, between rational functions or logarithms of such, beside what symbols say
            of themselves (positive, nonnegative, integer; else any real number). The formulas have a value, too: what
            stands in a logarithm is positive, and what stands below a line is not 0.

    Raises:
        InputError: a formula holds a float, is infinite or complex, or a condition is no inequality.

    >>> import sympy as sp
    >>> b, p = sp.Symbol("b", positive=True, integer=True), sp.Symbol("p", positive=True)
    >>> at_most(sp.log(b / p), sp.log((b + 1) / p)).verdict.name
    'DECIDED'
    >>> at_most(sp.log(b / p), sp.log(2), [p < 1]).verdict.name
    'REFUTED'
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    one, other, where = expression("left", left), expression("right", right), inequalities(where)
    sentence = f"{one} <= {other}"
    symbols = sorted(one.free_symbols.union(other.free_symbols, *(w.free_symbols for w in where)), key=str)
    check_names(symbols)
    defined = _defined((one, other, *where))
    stated = tuple(dict.fromkeys((*map(str, where), *defined)))
    conditions = (*map(assumption, symbols), *stated)
    lefts, rights = ((*side.args,) if isinstance(side, sp.Max) else (side,) for side in (one, other))
    queries: list[str] = []
    if sp.false in where:
        return OrderAnswer(Verdict.OPEN, sentence, conditions, _vacuous(stated))
    try:
        for part in lefts:
            question = _Question(part, rights, symbols, where, (one, other))
            question.check_satisfied(queries, stated)
            found = question.answer(queries)
            if found is not None:
                words = ", ".join(f"{name} = {value}" for name, value in found.items())
                because = f"at {words} the left side is larger"
                return OrderAnswer(Verdict.REFUTED, sentence, conditions, because, found, tuple(queries))
    except _OpenError as error:
        return OrderAnswer(Verdict.OPEN, sentence, conditions, str(error), None, tuple(queries))
    because = "Z3: no values make the left side larger"
    return OrderAnswer(Verdict.DECIDED, sentence, conditions, because, None, tuple(queries))


def _vacuous(stated: Sequence[str]) -> str:
    return f"vacuous: no values satisfy {', '.join(stated) or 'what is assumed of the symbols'}"


def _defined(formulas: Sequence[Any]) -> tuple[str, ...]:
    """What must be so for formulas to have a real value, where their symbols do not say it."""
    import sympy as sp  # noqa: PLC0415 slow to import

    needs = []
    for one in formulas:
        needs += [f"{log.args[0]} > 0" for log in one.atoms(sp.log) if not log.args[0].is_positive]
        for base, exponent in (power.as_base_exp() for power in one.atoms(sp.Pow)):
            if exponent.is_negative is not False and not base.is_nonzero:
                needs.append(f"{base} != 0")
            if not exponent.is_integer and not base.is_nonnegative:
                needs.append(f"{base} >= 0")
    return tuple(sorted(needs))


def assumption(symbol: Any) -> str:
    """What is assumed of a symbol, in words."""
    sign = " > 0" if symbol.is_positive else " >= 0" if symbol.is_nonnegative else ""
    return f"{symbol}{sign}{' integer' if symbol.is_integer else '' if sign else ' real'}"


class _Question:
    """Values at which one formula is larger than each of some others."""

    def __init__(
        self, left: Any, rights: Sequence[Any], symbols: Sequence[Any], where: Sequence[Any], both: Sequence[Any]
    ) -> None:
        import sympy as sp  # noqa: PLC0415 slow to import

        self._sp = sp
        differences = [sp.expand_log(left - right, force=False) for right in rights]
        bounds = [sp.expand_log(w.lhs - w.rhs, force=False) for w in where if w.has(sp.log)]
        logarithms = [one for one in (*differences, *bounds) if one.has(sp.log)]
        self._symbols, self._budgets = symbols, self._symbols_of_budgets(logarithms)
        are_logarithms = any(one.has(sp.log, *self._budgets) for one in differences)
        if are_logarithms:
            self._budgets |= self._symbols_of_budgets(differences)
        ratios = [self._ratio(one) if are_logarithms else one for one in differences]
        bound = 1 if are_logarithms else 0
        self._above = [sp.together(ratio - bound) for ratio in ratios]
        self._true: list[tuple[Any, str]] = []
        for symbol in symbols:
            used, least = self._budgets.get(symbol, symbol), 1 if symbol in self._budgets else 0
            if symbol.is_positive or symbol.is_nonnegative:
                self._true.append((used - least, ">" if symbol.is_positive else ">="))
            elif symbol in self._budgets:
                raise _OpenError(f"{symbol} is added to a logarithm, as a budget is, but may be negative")
        logs = set().union(*(one.atoms(sp.log) for one in (*both, *differences, *where)))
        arguments = sorted((log.args[0] for log in logs if log.args[0].free_symbols), key=str)
        self._true += [(sp.together(one), ">") for one in arguments]  # where a logarithm has a value
        powers = set().union(*(one.atoms(sp.Pow) for one in (*both, *where)))
        bases = {one.base for one in powers if not one.exp.is_integer and one.base.free_symbols}
        self._true += [(sp.together(one), ">=") for one in sorted(bases, key=str)]  # where a root is real
        for relation in where:
            self._true.append(self._relation(relation))
        terms = [*self._above, *(term for term, _ in self._true)]
        self._names = sorted(set().union(*(term.free_symbols for term in terms)), key=str)

    def _symbols_of_budgets(self, differences: Sequence[Any]) -> dict[Any, Any]:
        """Symbols that are added to logarithms, each with the symbol of its exponential."""
        sp, found = self._sp, dict[Any, Any]()
        for one in differences:
            for term in sp.Add.make_args(sp.expand(one)):
                _, rest = term.as_coeff_Mul()
                if rest.is_Symbol:
                    found[rest] = sp.Symbol(f"e^{rest}", positive=True)
        return found

    def _ratio(self, difference: Any) -> Any:
        """R with difference = ln(R)/L for some L > 0."""
        sp = self._sp
        parts = []
        for term in sp.Add.make_args(sp.expand(difference)):
            factor, rest = term.as_coeff_Mul()
            if term == 0:
                continue
            if not factor.is_Rational or not (rest.is_Symbol or isinstance(rest, sp.log)):
                raise _OpenError(f"{term} is not a rational multiple of a logarithm or a budget")
            base = self._budgets[rest] if rest.is_Symbol else rest.args[0]
            if any(symbol in base.free_symbols for symbol in self._budgets):
                raise _OpenError(f"a budget occurs inside {rest} and outside it")
            parts.append((base, Fraction(int(factor.p), int(factor.q))))
        scale = lcm(*(factor.denominator for _, factor in parts))
        ratio = sp.Integer(1)
        for base, factor in parts:
            exponent = int(factor * scale)
            if abs(exponent) > _EXPONENT:
                raise _OpenError(f"the exponent {exponent} is above {_EXPONENT}")
            ratio *= base**exponent
        return ratio

    def _relation(self, relation: Any) -> tuple[Any, str]:
        sp = self._sp
        signs = {sp.Gt: (1, ">"), sp.Ge: (1, ">="), sp.Lt: (-1, ">"), sp.Le: (-1, ">=")}
        sign, word = signs[type(relation)]
        if relation.has(sp.log):
            return sp.together(self._ratio(sp.expand_log(sign * (relation.lhs - relation.rhs), force=False)) - 1), word
        term = sp.together(sign * (relation.lhs - relation.rhs))
        if term.free_symbols & set(self._budgets):
            raise _OpenError(f"the condition {relation} involves a budget that is added to a logarithm")
        return term, word

    def check_satisfied(self, queries: list[str], stated: Sequence[str]) -> None:
        """Ask whether any values satisfy the conditions: of none nothing is said."""
        if (
            self._true
            and self._asked(queries, self._true, is_whole=any(name.is_integer for name in self._names)) is None
        ):
            raise _OpenError(_vacuous(stated))

    def answer(self, queries: list[str]) -> dict[str, Fraction | Loss] | None:
        """The values, by the names of the symbols; None where there are none."""
        terms = [*((one, ">") for one in self._above), *self._true]
        reals = self._asked(queries, terms, is_whole=False)
        if reals is None:
            return None
        if any(name.is_integer for name in self._names) and not self._breaks(reals):
            wholes = self._asked(queries, terms, is_whole=True)
            if wholes is None:
                return None
            reals = wholes
        if not self._breaks(reals):
            raise _OpenError(
                "the solver's values are irrational or break an assumption on a symbol; no exact ones were found"
            )
        back = {exponential: symbol for symbol, exponential in self._budgets.items()}
        return {str(back.get(name, name)): Loss(value) if name in back else value for name, value in reals.items()}

    def _asked(
        self, queries: list[str], terms: Sequence[tuple[Any, str]], *, is_whole: bool
    ) -> dict[Any, Fraction] | None:
        places = {name: f"v{place}" for place, name in enumerate(self._names)}
        whole = {name for name in self._names if is_whole and name.is_integer}
        lines = [f"(declare-const {v} {'Int' if name in whole else 'Real'})" for name, v in places.items()]
        written = {name: f"(to_real {v})" if name in whole else v for name, v in places.items()}
        for term, word in terms:
            top, bottom = self._sp.fraction(self._sp.together(term))
            first, second = self._text(top, written), self._text(bottom, written)
            lines.append(f"(assert ({word} (* {first} {second}) 0.0))")
        for term in (*self._above, *(term for term, _ in terms)):
            bottom = self._text(self._sp.fraction(self._sp.together(term))[1], written)
            lines.append(f"(assert (not (= {bottom} 0.0)))")
        query = "\n".join(lines)
        queries.append(query)
        found = ask(query)
        if found.status == "unknown":
            raise _OpenError(f"Z3 gave no answer: {found.reason}")
        if found.status == "unsat":
            return None
        return {name: found.model.get(v, Fraction(0)) for name, v in places.items()}

    def _text(self, polynomial: Any, written: Mapping[Any, str]) -> str:
        sp = self._sp
        names = list(written) if polynomial.free_symbols else []
        try:
            terms = sp.Poly(polynomial, *names, domain="QQ").terms() if names else [((), sp.sympify(polynomial))]
        except (sp.PolynomialError, sp.CoercionFailed):
            raise _OpenError(f"{polynomial} is not a polynomial with rational coefficients") from None
        parts = []
        for powers, coefficient in terms:
            if not coefficient.is_Rational:
                raise _OpenError(f"{coefficient} is not a rational number")
            number = f"(/ {_whole(int(coefficient.p))} {int(coefficient.q)}.0)"
            factors = [
                name for name, power in zip(map(written.__getitem__, names), powers, strict=True) for _ in range(power)
            ]
            parts.append(f"(* {' '.join([number, *factors])})" if factors else number)
        return f"(+ {' '.join(parts)})" if len(parts) > 1 else parts[0]

    def _breaks(self, values: Mapping[Any, Fraction]) -> bool:
        """Whether exact values satisfy the conditions and make the left side larger."""
        sp = self._sp
        numbers = {name: sp.Rational(*value.as_integer_ratio()) for name, value in values.items()}
        if any(name.is_integer and value.denominator != 1 for name, value in values.items()):
            return False
        meant = {**numbers, **{symbol: sp.log(numbers[e]) for symbol, e in self._budgets.items() if e in numbers}}
        if not all(fits(symbol, meant[symbol]) for symbol in self._symbols if symbol in meant):
            return False
        terms = [(term.subs(numbers), word) for term, word in [*((one, ">") for one in self._above), *self._true]]
        if not all(term.is_Rational for term, _ in terms):
            return False
        return all(term > 0 or (word == ">=" and term == 0) for term, word in terms)


def _whole(number: int) -> str:
    return f"{number}.0" if number >= 0 else f"(- {-number}.0)"
