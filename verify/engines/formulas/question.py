"""Values at which formulas are above 0, asked of a solver in polynomials; every answer is checked on the formulas.

Of a symbol ε that stands in exponents or beside logarithms the solver is asked by E = e^ε: a sum of logarithms and such
symbols is above 0 iff the product of what stands in them is above 1. Roots, `Max`, `Min` and constants have symbols of
their own, with what defines or encloses them. Where ε stands both inside of an exponential and outside of it, and where
a logarithm is multiplied, no question is asked.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm, prod
from types import MappingProxyType
from typing import Any

import flint

from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.ball import Ball, ball_of, ends_of, precision
from stirred.verify.engines.formulas.read_formula import fits
from stirred.verify.engines.solver import STEPS, ask

_EXPONENT = 64
"""The largest exponent that is written out."""
_BITS = 256
_BY_NAME = ("exp", "log", "tanh", "sinh", "cosh", "erf")

Values = dict[str, Fraction | Loss]
"""Exact values by the names of the symbols; a symbol that stands for a budget has a `Loss`."""


class OpenError(Exception):
    """The formulas are of a kind that the solver is not asked about, or it gave no answer."""


class VacuousError(OpenError):
    """No values satisfy the conditions."""


def ball_value(number: Any, at: Mapping[Any, Fraction] = MappingProxyType({})) -> Ball:
    """A ball around the value of an expression of sympy at rational values of its symbols, in the present precision.

    >>> import sympy as sp
    >>> ball_value(sp.sqrt(2) * sp.log(3) - sp.Rational(31, 20)) > 0
    True
    """
    name = type(number).__name__
    if number.is_Rational:
        return ball_of(Fraction(int(number.p), int(number.q)))
    if name in ("Exp1", "Pi"):
        return flint.arb(1).exp() if name == "Exp1" else flint.arb.pi()
    if number.is_Symbol:
        return ball_of(at[number])
    parts = [ball_value(one, at) for one in number.args]
    if name in ("Add", "Mul"):
        return sum(parts, flint.arb(0)) if name == "Add" else prod(parts, start=flint.arb(1))
    if name in ("Max", "Min"):
        best = parts[0]
        for one in parts[1:]:
            best = best.max(one) if name == "Max" else best.min(one)
        return best
    if name == "Pow":
        base, exponent = parts
        if number.exp.is_Integer:
            return base ** int(number.exp)
        return base.sqrt() if number.exp * 2 == 1 else (base.log() * exponent).exp()
    if name not in _BY_NAME:
        raise OpenError(f"{number} has no value here")
    return getattr(parts[0], name)()


def is_above(number: Any, *, or_equal: bool = False) -> bool:
    """Whether an expression without symbols is shown to be above 0, or at least 0."""
    if number.is_Rational:
        return bool(number > 0 or (or_equal and number == 0))
    if number.free_symbols or number.has(*infinities()):
        return False
    with precision(_BITS):
        return bool(ball_value(number) > 0)


def infinities() -> tuple[Any, ...]:
    """What is no real number, for sympy."""
    import sympy as sp  # noqa: PLC0415 slow to import

    return sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I


def may_be_above(formula: Any, at: Mapping[Any, Fraction]) -> bool:
    """Whether a formula is above 0 by a short ball."""
    try:
        return bool(ball_value(formula, at) > 0)
    except (OpenError, ZeroDivisionError):
        return False


def has_value(formula: Any, at: Mapping[Any, Fraction]) -> bool:
    """Whether a formula has a real value, shown by a short ball."""
    try:
        return bool(ball_value(formula, at).is_finite())
    except (OpenError, ZeroDivisionError):
        return False


def difference(relation: Any) -> tuple[Any, str]:
    """The formula and the sign, ">" or ">=", by which an inequality compares it with 0."""
    import sympy as sp  # noqa: PLC0415 slow to import

    signs = {sp.Gt: (1, ">"), sp.Ge: (1, ">="), sp.Lt: (-1, ">"), sp.Le: (-1, ">=")}
    sign, word = signs[type(relation)]
    return sign * (relation.lhs - relation.rhs), word


def breaks(meant: Mapping[Any, Any], above: Sequence[Any], where: Sequence[Any]) -> bool:
    """Whether exact values satisfy the conditions and make every formula larger than 0."""
    if not all(fits(symbol, value) for symbol, value in meant.items()):
        return False
    conditions = [(one, word == ">=") for one, word in map(difference, where)]
    return all(
        is_above(one.subs(meant), or_equal=or_equal)
        for one, or_equal in (*((one, False) for one in above), *conditions)
    )


def without_hyperbolic(formula: Any) -> Any:
    """The formula with exponentials for tanh, sinh and cosh, and a `Max` for an absolute value."""
    import sympy as sp  # noqa: PLC0415 slow to import
    from sympy.functions.elementary.hyperbolic import HyperbolicFunction  # noqa: PLC0415 slow to import

    plain = formula.replace(lambda one: isinstance(one, HyperbolicFunction), lambda one: one.rewrite(sp.exp))
    return plain.replace(sp.Abs, lambda one: sp.Max(one, -one))


class PolynomialQuestion:
    """Values at which all formulas of a list are above 0 (or, by `word`, at least 0), under conditions.

    Args:
        above: the formulas.
        where: inequalities of sympy.
        formulas: whose logarithms and roots must have a value.
        is_by_logarithms: whether a sum with a logarithm in it is compared by products; else a logarithm of a number is
            a number like others.
        steps: the solver's limit.
    """

    def __init__(
        self,
        above: Sequence[Any],
        where: Sequence[Any],
        formulas: Sequence[Any] = (),
        *,
        word: str = ">",
        is_by_logarithms: bool = True,
        steps: int = STEPS,
    ) -> None:
        import sympy as sp  # noqa: PLC0415 slow to import

        self._sp, self._asked_above, self._where, self._is_by_logarithms = sp, above, where, is_by_logarithms
        self._steps = steps
        self._facts: list[tuple[Any, str]] = []
        self._own: dict[Any, Any] = {}
        terms = [(self._expanded(one), word) for one in above]
        bounds = [(self._expanded(one), sign) for one, sign in map(difference, where)]
        stated = [without_hyperbolic(one) for one in (*formulas, *(side for one in where for side in one.args))]
        every = [*(one for one, _ in (*terms, *bounds)), *stated]
        self._symbols = sorted(set().union(*(one.free_symbols for one in (*above, *formulas, *where))), key=str)
        self._find_budgets(every, [one for one, _ in (*terms, *bounds)])
        self._true: list[tuple[Any, str]] = []
        for symbol in self._symbols:
            used, least = (self._budgets[symbol][0], 1) if symbol in self._budgets else (symbol, 0)
            if symbol.is_positive or symbol.is_nonnegative:
                self._true.append((used - least, ">" if symbol.is_positive else ">="))
            elif symbol in self._budgets:
                raise OpenError(f"{symbol} is added to a logarithm, as a budget is, but may be negative")
        logs = set().union(*(one.atoms(sp.log) for one in every))
        arguments = sorted((log.args[0] for log in logs if log.args[0].free_symbols), key=str)
        self._true += [(self._plain(one), ">") for one in arguments]  # where a logarithm has a value
        powers = set().union(*(one.atoms(sp.Pow) for one in stated))
        bases = {one.base for one in powers if not one.exp.is_integer and one.base.free_symbols}
        self._true += [(self._plain(one), ">=") for one in sorted(bases, key=str)]  # where a root is real
        self._true += [(self._term(one), sign) for one, sign in bounds]
        self._above = [(self._term(one), sign) for one, sign in terms]
        self._true += self._facts
        used = (term.free_symbols for term, _ in (*self._above, *self._true))
        self._names = sorted(set().union(*used), key=str)

    def _expanded(self, formula: Any) -> Any:
        return self._sp.expand_log(without_hyperbolic(formula), force=False)

    def _find_budgets(self, formulas: Sequence[Any], compared: Sequence[Any]) -> None:
        """The symbols in exponents or added to logarithms: each with the symbol of e^(ε/L), and L."""
        sp = self._sp
        scale: dict[Any, int] = {}
        for exponential in sorted(set().union(*(one.atoms(sp.exp) for one in formulas)), key=str):
            for term in sp.Add.make_args(sp.expand(exponential.args[0])):
                factor, rest = term.as_coeff_Mul()
                if rest.is_Symbol and factor.is_Rational:
                    scale[rest] = lcm(scale.get(rest, 1), int(factor.q))
        waiting, is_new = list(compared), True
        while is_new:
            is_new = False
            for one in list(waiting):
                bare = {rest for rest in (t.as_coeff_Mul()[1] for t in self._parts(one)) if rest.is_Symbol}
                if (self._is_by_logarithms and one.has(sp.log)) or bare & set(scale):
                    waiting.remove(one)
                    is_new = True
                    scale.update((symbol, 1) for symbol in bare - set(scale))
        self._budgets = {s: (sp.Symbol(f"e^{s}", positive=True), over) for s, over in scale.items()}
        self._by_products = [one for one in compared if one not in waiting]

    def _parts(self, formula: Any) -> tuple[Any, ...]:
        return tuple(term for term in self._sp.Add.make_args(self._sp.expand(formula)) if term != 0)

    def _term(self, formula: Any) -> Any:
        """A rational function with the sign of the formula."""
        sp = self._sp
        if formula not in self._by_products:
            return sp.together(self._plain(formula))
        parts = []
        for term in self._parts(formula):
            factor, rest = term.as_coeff_Mul()
            if not factor.is_Rational or not (rest.is_Symbol or rest == 1 or isinstance(rest, sp.log)):
                raise OpenError(f"{term} is not a rational multiple of a logarithm or a budget")
            over = 1
            if rest == 1:
                base = self._constant(sp.E)
            elif rest.is_Symbol:
                base, over = self._budgets[rest]
            else:
                base = self._plain(rest.args[0], f"{rest} and outside it")
            parts.append((base, Fraction(int(factor.p), int(factor.q)) * over))
        scale = lcm(*(factor.denominator for _, factor in parts))
        ratio = sp.Integer(1)
        for base, factor in parts:
            if abs(exponent := int(factor * scale)) > _EXPONENT:
                raise OpenError(f"the exponent {exponent} is above {_EXPONENT}")
            ratio *= base**exponent
        return sp.together(ratio - 1)

    def _plain(self, one: Any, place: str = "an exponential and outside it") -> Any:
        """A formula as a rational function of symbols that the solver knows."""
        sp = self._sp
        if one.is_Symbol and one in self._budgets:
            raise OpenError(f"a budget occurs inside {place}")
        if one.is_Rational or one.is_Symbol:
            return one
        if one.is_Add or one.is_Mul:
            return one.func(*(self._plain(part, place) for part in one.args))
        if isinstance(one, sp.Pow) and one.exp.is_Integer:
            return self._plain(one.base, place) ** one.exp
        if isinstance(one, sp.Pow) and one.exp.is_Rational and abs(one.exp.p) <= _EXPONENT >= one.exp.q:
            return self._root(one.base, int(one.exp.q), place) ** int(one.exp.p)
        if not one.free_symbols:
            return self._constant(one)
        if isinstance(one, (sp.Max, sp.Min)):
            return self._extreme(one, place)
        if isinstance(one, sp.exp):
            return sp.Mul(*(self._power(term) for term in self._parts(one.args[0])))
        raise OpenError(f"{one} is not a polynomial with rational coefficients")

    def _power(self, exponent: Any) -> Any:
        factor, rest = exponent.as_coeff_Mul()
        if not rest.free_symbols:
            return self._constant(self._sp.exp(exponent))
        if not factor.is_Rational or rest not in self._budgets:
            raise OpenError(f"exp({exponent}) is not a polynomial with rational coefficients")
        base, over = self._budgets[rest]
        if abs(factor * over) > _EXPONENT:
            raise OpenError(f"the exponent {factor * over} is above {_EXPONENT}")
        return base ** int(factor * over)

    def _symbol(self, one: Any) -> tuple[Any, bool]:
        """The symbol of a part, and whether it is new."""
        is_new = one not in self._own
        return self._own.setdefault(one, self._sp.Symbol(f"v{len(self._own)}", real=True)), is_new

    def _root(self, base: Any, degree: int, place: str) -> Any:
        symbol, is_new = self._symbol((base, degree))
        if is_new:
            self._facts += [(symbol, ">="), (self._sp.together(symbol**degree - self._plain(base, place)), "=")]
        return symbol

    def _extreme(self, one: Any, place: str) -> Any:
        symbol, is_new = self._symbol(one)
        if is_new:
            sign = 1 if isinstance(one, self._sp.Max) else -1
            gaps = [self._sp.together(symbol - self._plain(part, place)) for part in one.args]
            self._facts += [*((sign * gap, ">=") for gap in gaps), (self._sp.together(self._sp.Mul(*gaps)), "=")]
        return symbol

    def _constant(self, one: Any) -> Any:
        symbol, is_new = self._symbol(one)
        if is_new:
            with precision(_BITS):
                ends = ends_of(ball_value(one))
            if ends is None:
                raise OpenError(f"{one} has no value here")
            low, high = (self._sp.Rational(*end.as_integer_ratio()) for end in ends)
            self._facts += [(symbol - low, ">="), (high - symbol, ">=")]
        return symbol

    def check_satisfied(self, queries: list[str], vacuous: str) -> None:
        """Ask whether any values satisfy the conditions: of none nothing is said."""
        is_whole = any(name.is_integer for name in self._names)
        if self._true and self._asked(queries, self._true, is_whole=is_whole) is None:
            raise VacuousError(vacuous)

    def answer(self, queries: list[str]) -> Values | None:
        """The values; None where there are none."""
        terms = [*self._above, *self._true]
        reals = self._asked(queries, terms, is_whole=False)
        if reals is None:
            return None
        found = self._values(reals)
        if found is None and any(name.is_integer for name in self._names):
            wholes = self._asked(queries, terms, is_whole=True)
            if wholes is None:
                return None
            found = self._values(wholes)
        if found is None:
            raise OpenError(
                "the solver's values are irrational or break an assumption on a symbol; no exact ones were found"
            )
        return found

    def _values(self, model: Mapping[Any, Fraction]) -> Values | None:
        """The values of a model where they break what is asked, exactly."""
        sp, values, meant = self._sp, Values(), dict[Any, Any]()
        for symbol in self._symbols:
            name, over = self._budgets.get(symbol, (symbol, 0))
            value = model.get(name, Fraction(1))
            values[str(symbol)] = Loss(value).times(over) if over and value >= 1 else value
            number = sp.Rational(*value.as_integer_ratio())
            meant[symbol] = over * sp.log(number) if over else number
        return values if breaks(meant, self._asked_above, self._where) else None

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
        for term in (term for term, _ in (*self._above, *terms)):
            bottom = self._text(self._sp.fraction(self._sp.together(term))[1], written)
            lines.append(f"(assert (not (= {bottom} 0.0)))")
        query = "\n".join(lines)
        queries.append(query)
        found = ask(query, steps=self._steps)
        if found.status == "unknown":
            raise OpenError(f"Z3 gave no answer: {found.reason}")
        if found.status == "unsat":
            return None
        return {name: found.model.get(v, Fraction(0)) for name, v in places.items()}

    def _text(self, polynomial: Any, written: Mapping[Any, str]) -> str:
        sp = self._sp
        names = list(written) if polynomial.free_symbols else []
        try:
            terms = sp.Poly(polynomial, *names, domain="QQ").terms() if names else [((), sp.sympify(polynomial))]
        except (sp.PolynomialError, sp.CoercionFailed):
            raise OpenError(f"{polynomial} is not a polynomial with rational coefficients") from None
        parts = []
        for powers, coefficient in terms:
            if not coefficient.is_Rational:
                raise OpenError(f"{coefficient} is not a rational number")
            number = f"(/ {_whole(int(coefficient.p))} {int(coefficient.q)}.0)"
            factors = [
                name for name, power in zip(map(written.__getitem__, names), powers, strict=True) for _ in range(power)
            ]
            parts.append(f"(* {' '.join([number, *factors])})" if factors else number)
        return f"(+ {' '.join(parts)})" if len(parts) > 1 else parts[0]


def _whole(number: int) -> str:
    return f"{number}.0" if number >= 0 else f"(- {-number}.0)"
