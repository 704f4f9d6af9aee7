"""Whether one formula is at most another for all values of their symbols: decided by a solver, or refuted by values.

Formulas are rational functions of their symbols, logarithms of such with rational factors, sums of logarithms and of
symbols that stand for budgets, or the largest of several. Powers with a symbol above, and e^1, are left open.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.budgets.loss import Loss
from stirred.spec.shown_table import ShownTable, TableRow
from stirred.verify.engines.solver import ask
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.reports.report import verdict_row

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
        left: an expression of sympy, exact; `Max` of several at the top.
        right: likewise.
        where: inequalities of sympy between rational functions, beside what symbols say of themselves (positive,
            nonnegative, integer). The arguments of logarithms are positive, too.

    Raises:
        InputError: a formula holds a float.

    >>> import sympy as sp
    >>> b, p = sp.Symbol("b", positive=True, integer=True), sp.Symbol("p", positive=True)
    >>> at_most(sp.log(b / p), sp.log((b + 1) / p)).verdict.name
    'DECIDED'
    >>> at_most(sp.log(b / p), sp.log(2), [p < 1]).verdict.name
    'REFUTED'
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    one, other = (sp.sympify(side) for side in (left, right))
    if one.has(sp.Float) or other.has(sp.Float):
        raise InputError(f"a formula must be exact; got {one} and {other}: use sympy.Rational")
    sentence = f"{one} <= {other}"
    symbols = sorted((one - other).free_symbols.union(*(w.free_symbols for w in where)), key=str)
    conditions = (*(_assumption(symbol) for symbol in symbols), *map(str, where))
    lefts, rights = ((*side.args,) if isinstance(side, sp.Max) else (side,) for side in (one, other))
    queries: list[str] = []
    try:
        for part in lefts:
            found = _Question(part, rights, symbols, where).answer(queries)
            if found is not None:
                words = ", ".join(f"{name} = {value}" for name, value in found.items())
                because = f"at {words} the left side is larger"
                return OrderAnswer(Verdict.REFUTED, sentence, conditions, because, found, tuple(queries))
    except _OpenError as error:
        return OrderAnswer(Verdict.OPEN, sentence, conditions, str(error), None, tuple(queries))
    because = "Z3: no values make the left side larger"
    return OrderAnswer(Verdict.DECIDED, sentence, conditions, because, None, tuple(queries))


def _assumption(symbol: Any) -> str:
    sign = " > 0" if symbol.is_positive else " >= 0" if symbol.is_nonnegative else ""
    return f"{symbol}{sign}{' integer' if symbol.is_integer else '' if sign else ' real'}"


class _Question:
    """Values at which one formula is larger than each of some others."""

    def __init__(self, left: Any, rights: Sequence[Any], symbols: Sequence[Any], where: Sequence[Any]) -> None:
        import sympy as sp  # noqa: PLC0415 slow to import

        self._sp = sp
        differences = [sp.expand_log(left - right, force=False) for right in rights]
        are_logarithms = any(one.has(sp.log) for one in differences)
        self._budgets = self._symbols_of_budgets(differences) if are_logarithms else {}
        ratios = [self._ratio(one) if are_logarithms else one for one in differences]
        bound = 1 if are_logarithms else 0
        self._above = [sp.together(ratio - bound) for ratio in ratios]
        self._true: list[tuple[Any, str]] = []
        for symbol in symbols:
            used, least = self._budgets.get(symbol, symbol), 1 if symbol in self._budgets else 0
            if symbol.is_positive or symbol.is_nonnegative:
                self._true.append((used - least, ">" if symbol.is_positive else ">="))
            elif symbol in self._budgets:
                raise _OpenError(f"{symbol} stands beside a logarithm as a budget does, and may be negative")
        logs = set().union(*(one.atoms(sp.log) for one in (left, *rights, *differences)))
        arguments = sorted((log.args[0] for log in logs if log.args[0].free_symbols), key=str)
        self._true += [(sp.together(one), ">") for one in arguments]  # where a logarithm has a value
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
                raise _OpenError(f"{term} is no rational multiple of a logarithm or of a budget")
            base = self._budgets[rest] if rest.is_Symbol else rest.args[0]
            if any(symbol in base.free_symbols for symbol in self._budgets):
                raise _OpenError(f"a budget stands inside of {rest} and beside it")
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
        if type(relation) not in signs:
            raise InputError(f"where must be inequalities of sympy; got {relation!r}")
        sign, word = signs[type(relation)]
        term = sp.together(sign * (relation.lhs - relation.rhs))
        if term.free_symbols & set(self._budgets):
            raise _OpenError(f"the condition {relation} is on a budget that stands beside a logarithm")
        return term, word

    def answer(self, queries: list[str]) -> dict[str, Fraction | Loss] | None:
        """The values, by the names of the symbols; None where there are none.

        Raises:
            _OpenError: the solver does not know, or its values are not exact.
        """
        reals = self._asked(queries, is_whole=False)
        if reals is None:
            return None
        if any(name.is_integer for name in self._names) and not self._breaks(reals):
            wholes = self._asked(queries, is_whole=True)
            if wholes is None:
                return None
            reals = wholes
        if not self._breaks(reals):
            raise _OpenError("the solver's values are irrational, and no exact ones were found")
        back = {exponential: symbol for symbol, exponential in self._budgets.items()}
        return {str(back.get(name, name)): Loss(value) if name in back else value for name, value in reals.items()}

    def _asked(self, queries: list[str], *, is_whole: bool) -> dict[Any, Fraction] | None:
        places = {name: f"v{place}" for place, name in enumerate(self._names)}
        whole = {name for name in self._names if is_whole and name.is_integer}
        lines = [f"(declare-const {v} {'Int' if name in whole else 'Real'})" for name, v in places.items()]
        written = {name: f"(to_real {v})" if name in whole else v for name, v in places.items()}
        for term, word in [*((one, ">") for one in self._above), *self._true]:
            top, bottom = self._sp.fraction(self._sp.together(term))
            first, second = self._text(top, written), self._text(bottom, written)
            lines.append(f"(assert ({word} (* {first} {second}) 0.0))")
            lines.append(f"(assert (not (= {second} 0.0)))")
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
            raise _OpenError(f"{polynomial} is no polynomial with rational coefficients") from None
        parts = []
        for powers, coefficient in terms:
            if not coefficient.is_Rational:
                raise _OpenError(f"{coefficient} is no rational number")
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
        terms = [(term.subs(numbers), word) for term, word in [*((one, ">") for one in self._above), *self._true]]
        if not all(term.is_Rational for term, _ in terms):
            return False
        return all(term > 0 or (word == ">=" and term == 0) for term, word in terms)


def _whole(number: int) -> str:
    return f"{number}.0" if number >= 0 else f"(- {-number}.0)"
