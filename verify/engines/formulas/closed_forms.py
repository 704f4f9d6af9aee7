"""A formula for a family of exact numbers or losses: guessed at small sizes, tested at sizes that it has not seen.

It is stated for the sizes that were compared; for all others where sympy shows it: by induction along a recurrence, or
since an expression, such as a sum, is the formula. What is settled is equality as expressions of sympy, in exact
numbers; where sympy does not find 0 nothing is claimed. A guess that fails where it is tested is refused.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import product
from math import lcm
from typing import Any

from stirred.spec.arguments import Exact, InputError, exact, integer
from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.factored_quotient import reduced_power
from stirred.spec.numbers.rational_function import SYMBOL, RationalFunction
from stirred.spec.shown_table import ShownTable, TableRow
from stirred.verify.engines.formulas.guess import Guess, Number, Point, guesses
from stirred.verify.engines.loss_function import LossFunction
from stirred.verify.evidence.finding import EngineError
from stirred.verify.evidence.pictures.rendering import GREYS, Picture, picture_of
from stirred.verify.evidence.reports.report import verdict_row
from stirred.verify.evidence.verdict import Verdict

Sizes = Mapping[str, Iterable[int]]
"""The sizes of each name; all combinations are taken."""


@dataclass(frozen=True, repr=False)
class ClosedForm(ShownTable):
    """A formula, and for which sizes it was compared with what was computed.

    Attributes:
        verdict: EXHAUSTED where every size that is named agrees, DECIDED where all sizes are shown to, else OPEN.
        expression: of sympy, in positive integers of the names and the open parameter; None where none is stated.
        scope: the sizes.
        because: how it was found, or why there is none.
        guess: the form itself; None where none is stated.
        names: of the sizes.
        points: the sizes that were compared.
    """

    verdict: Verdict
    expression: Any
    scope: str
    because: str
    guess: Guess | None
    names: tuple[str, ...] = ()
    points: tuple[Point, ...] = ()

    def __str__(self) -> str:
        """Formula, verdict and sizes on one line."""
        formula = "no formula" if self.expression is None else str(self.expression)
        return f"{formula}: {self.verdict.name}: {self.because} [{self.scope}]"

    def __repr__(self) -> str:
        return f"<ClosedForm {self}>"

    def __bool__(self) -> bool:
        raise TypeError("a formula has no truth value; ask for its verdict")

    def to_sympy(self) -> Any:
        """The expression.

        Raises:
            InputError: no formula is stated.
        """
        if self.expression is None:
            raise InputError(f"there is no formula: {self.because}")
        return self.expression

    _title = "closed form"

    def _rows(self) -> list[TableRow]:
        import sympy as sp  # noqa: PLC0415 slow to import

        latex = "" if self.expression is None else sp.latex(self.expression)
        formula = "none" if self.expression is None else str(self.expression)
        return [
            verdict_row(self.verdict, "is it the number at every size that is named?"),
            TableRow("formula", formula, latex=latex),
            TableRow("because", self.because),
            TableRow("scope", self.scope),
        ]

    def plot(self, **values: Exact) -> Picture:
        """The formula at the sizes that were compared, with values for its other symbols; there are marks, and no line.

        Raises:
            InputError: matplotlib is not installed, no formula is stated, there are several sizes, or a symbol is left.
        """
        return picture_of("formula", partial(self.draw, **values))

    def draw(self, figure: Any, **values: Exact) -> None:
        """Draw what `plot` shows into an empty figure.

        Raises:
            InputError: as `plot`.
        """
        import sympy as sp  # noqa: PLC0415 slow to import

        given = {str(name): sp.Rational(*exact(name, value).as_integer_ratio()) for name, value in values.items()}
        formula = self.to_sympy().subs({s: given[str(s)] for s in self.to_sympy().free_symbols if str(s) in given})
        size = _size(self.names[0])
        left = sorted(map(str, formula.free_symbols - {size}))
        if len(self.names) != 1 or left:
            raise InputError(
                f"only a formula of one size can be drawn; this one also depends on {', '.join(left or self.names[1:])}"
            )
        heights = [float(sp.N(formula.subs(size, n), 20)) for (n,) in self.points]
        figure.set_size_inches(7, 4)
        axes = figure.subplots()
        axes.plot([n for (n,) in self.points], heights, "o", mfc="white", mec=GREYS[0])
        axes.set(xlabel=self.names[0], ylabel=str(formula))
        axes.set_title(str(formula), fontsize="medium")


def closed_form(
    value: Any,
    sizes: Sizes,
    beyond: Sizes,
    *,
    symbol: str = "p",
    where: Callable[..., bool] | None = None,
    recurrence: Any = None,
) -> ClosedForm:
    """A formula for what a function gives at every size, guessed from some sizes and tested at others.

    Args:
        value: a function of the sizes by name: an exact number, a `RationalFunction` of the open parameter, a finite
            `Loss`, or a `LossFunction` of one piece. The formula of a loss is ε in nats. Or an expression of sympy,
            such as a sum, in symbols of these names: DECIDED where sympy shows that the formula is it for all sizes.
        sizes: what the guess may see.
        beyond: where it is tested; a name that is left out takes its sizes.
        symbol: the name of the open parameter, in the formula.
        where: which combinations of sizes there are; unless given, all.
        recurrence: an equation of sympy that the numbers are known to follow, Eq(a(n), n*a(n - 1) + (-1)**n). It is
            compared with the values; a formula that follows it is DECIDED by induction, for numbers that do.

    Raises:
        InputError: nothing is held out, fewer than three sizes are given, a value is of none of these kinds, or a
            recurrence is none of one size or not that of the values.

    >>> found = closed_form(lambda n: Fraction(n, n + 1), {"n": range(1, 6)}, {"n": (6, 7)})
    >>> print(found)
    n/(n + 1): EXHAUSTED: rational, guessed from 5 sizes, tested at 2 others [n = 1, 2, 3, 4, 5; tested n = 6, 7]
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    names = tuple(sizes)
    expression_of_all = None if callable(value) else value
    if expression_of_all is not None:
        value = partial(value_at, expression_of_all, names, symbol)
    seen = _points(names, sizes, where)
    held_out = [point for point in _points(names, {**sizes, **beyond}, where) if point not in set(seen)]
    if not held_out:
        raise InputError("beyond must contain a size that is not in sizes; it has none")
    if len(seen) < 3:
        raise InputError(f"sizes must contain at least three sizes, so that one can be held out; got {len(seen)}")
    scope = f"{_shown(names, sizes)}; tested {_shown(names, {name: beyond[name] for name in names if name in beyond})}"
    points = (*seen, *held_out)
    found = [value(**dict(zip(names, point, strict=True))) for point in points]
    try:
        numbers, over = _numbers(found)
    except _NoNumberError as error:
        return ClosedForm(Verdict.OPEN, None, scope, str(error), None)
    if recurrence is not None:
        if len(names) != 1 or over is not None or any(isinstance(one, RationalFunction) for one in numbers):
            raise InputError("recurrence requires rational values of one size")
        plain = {n: number for (n,), number in zip(points, numbers, strict=True) if isinstance(number, Fraction)}
        _check_recurrence(recurrence, names[0], plain)
    data, tests = numbers[: len(seen)], numbers[len(seen) :]
    refused = []
    for guess in guesses(seen, data):
        failed = next((p for p, v in zip(held_out, tests, strict=True) if guess.at(p) != v), None)
        expression = guess.to_sympy(names, symbol)
        if failed is None:
            _check_expression(expression, names, symbol, dict(zip(points, numbers, strict=True)))
            others = "1 other" if len(held_out) == 1 else f"{len(held_out)} others"
            because = f"{guess.family}, guessed from {len(seen)} sizes, tested at {others}"
            verdict = Verdict.EXHAUSTED
            if proof := _for_all(expression, expression_of_all, recurrence, names, points):
                verdict, because, scope = Verdict.DECIDED, f"{because}; {proof[0]}", proof[1]
            return ClosedForm(
                verdict, expression if over is None else sp.log(expression) / over, scope, because, guess, names, points
            )
        at = ", ".join(f"{name} = {size}" for name, size in zip(names, failed, strict=True))
        refused.append(f"the guess {expression} is refused: it fails at {at}")
    because = (
        "; ".join(dict.fromkeys(refused))
        or "no form of the families rational, hypergeometric, derangements has these values"
    )
    return ClosedForm(Verdict.OPEN, None, scope, because, None)


def _for_all(
    formula: Any, expression: Any, recurrence: Any, names: tuple[str, ...], points: Sequence[Point]
) -> tuple[str, str] | None:
    """How the formula is shown to be the number at all sizes, and which those are; None where it is not."""
    sizes = [_size(name) for name in names]
    if expression is not None and by_expression(expression, formula, sizes):
        return "sympy shows that the expression is the formula", ", ".join(f"all {name} >= 1" for name in names)
    if recurrence is None:
        return None
    first = by_induction(recurrence, formula, sizes[0], {n for (n,) in points})
    if first is None:
        return None
    return f"by induction, of the numbers that follow {_equation(recurrence)}", f"all {names[0]} >= {first}"


def _check_recurrence(recurrence: Any, name: str, values: Mapping[int, Fraction]) -> None:
    """Compare the recurrence with the values wherever it speaks of them alone."""
    broken = next(breaks(recurrence, _size(name), values), None)
    if broken is not None:
        raise InputError(f"recurrence must hold for the values; {_equation(recurrence)} fails at {name} = {broken}")


def _size(name: str) -> Any:
    import sympy as sp  # noqa: PLC0415 slow to import

    return sp.Symbol(name, integer=True, positive=True)


def _equation(recurrence: Any) -> str:
    return f"{recurrence.lhs} = {recurrence.rhs}"


class _NoNumberError(Exception):
    """Some value has no number that a formula could be of."""


def _points(names: Sequence[str], sizes: Sizes, where: Callable[..., bool] | None) -> list[Point]:
    lists = [[integer(name, size) for size in sizes[name]] for name in names]
    every = product(*lists)
    return [point for point in every if where is None or where(**dict(zip(names, point, strict=True)))]


def _shown(names: Sequence[str], sizes: Sizes) -> str:
    return ", ".join(f"{name} = {', '.join(map(str, sizes[name]))}" for name in names if name in sizes)


def _numbers(values: Sequence[Any]) -> tuple[list[Number], int | None]:
    """The numbers of the values; of losses γ with the distance that all of them are over."""
    if not any(isinstance(one, (Loss, LossFunction)) for one in values):
        numbers = [one if isinstance(one, RationalFunction) else exact("a value", one) for one in values]
        return [one if isinstance(one, RationalFunction) else Fraction(one) for one in numbers], None
    ratios = [_ratio(one) for one in values]
    over = lcm(*(distance.numerator for _, distance in ratios))
    powers = [over / distance for _, distance in ratios]
    if any(power.denominator != 1 for power in powers):
        raise _NoNumberError("the distances that losses are spread over have no common multiple")
    return [ratio ** int(power) for (ratio, _), power in zip(ratios, powers, strict=True)], over


def _ratio(value: Any) -> tuple[Number, Fraction]:
    """γ and d of a loss ln(γ)/d."""
    if isinstance(value, LossFunction):
        if len(value.pieces) != 1:
            ends = ", ".join(map(str, value.breakpoints))
            raise _NoNumberError(
                f"the loss changes its form at {value.symbol} = {ends}: narrow {value.symbol} to one side of that"
            )
        (piece,) = value.pieces
        if not piece.below:
            raise _NoNumberError("a loss is infinite")
        return RationalFunction(list(piece.above)) / RationalFunction(list(piece.below)), piece.distance
    if not isinstance(value, Loss):
        raise InputError(f"values must be all losses or all numbers; got {value!r} among losses")
    if value.gamma is None:
        raise _NoNumberError("a loss is infinite")
    gamma, distance = reduced_power(value.gamma, value.distance)
    return gamma, Fraction(distance)


def _check_expression(expression: Any, names: Sequence[str], symbol: str, values: Mapping[Point, Number]) -> None:
    """Compare the expression with the numbers, by sympy: what is printed is what was tested."""
    import sympy as sp  # noqa: PLC0415 slow to import

    p = sp.Symbol(symbol, positive=True)
    sizes = [_size(name) for name in names]
    for point, number in values.items():
        parts = number.integer_parts() if isinstance(number, RationalFunction) else None
        wanted = (
            sp.Rational(*Fraction(number).as_integer_ratio())  # type: ignore[arg-type]
            if parts is None
            else sp.Poly(parts[0][::-1], p).as_expr() / sp.Poly(parts[1][::-1], p).as_expr()
        )
        found = expression.subs(dict(zip(sizes, point, strict=True)))
        if sp.simplify(found - wanted) != 0:
            raise EngineError(f"the expression {expression} is not the form that was guessed at {point}")


def value_at(expression: Any, names: Sequence[str], symbol: str, **sizes: int) -> Fraction | RationalFunction:
    """The number that an expression of sympy gives at some sizes, or its rational function of the open parameter.

    >>> import sympy as sp
    >>> n, k = sp.symbols("n k", integer=True, positive=True)
    >>> value_at(sp.Sum(1 / k, (k, 1, n)), ["n"], "p", n=2)
    Fraction(3, 2)
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    if not isinstance(expression, sp.Expr):
        raise InputError(f"value must be a function of the sizes or an expression of sympy; got {expression!r}")
    strange = sorted({str(one) for one in expression.free_symbols} - {*names, symbol})
    if strange:
        raise InputError(f"value must be in {', '.join([*names, symbol])} alone; {expression} has {', '.join(strange)}")
    open_one = sp.Symbol(symbol)
    at = {one: sizes.get(str(one), open_one) for one in expression.free_symbols}
    number = sp.cancel(expression.subs(at).doit())
    if number.is_Rational:
        return Fraction(int(number.p), int(number.q))
    sides = [sp.Poly(side, open_one) for side in sp.fraction(number) if side.is_polynomial(open_one)]
    if number.free_symbols != {open_one} or len(sides) != 2 or not all(one.domain in {sp.ZZ, sp.QQ} for one in sides):
        raise InputError(f"value must give rational numbers; {expression} gives {number} at {sizes}")
    above, below = ([Fraction(int(c.p), int(c.q)) for c in one.all_coeffs()[::-1]] for one in sides)
    return _rational_function(above) / _rational_function(below)


def _rational_function(coefficients: Sequence[Fraction]) -> RationalFunction:
    return sum((c * SYMBOL**k for k, c in enumerate(coefficients)), RationalFunction([0]))


def by_expression(expression: Any, formula: Any, sizes: Sequence[Any]) -> bool:
    """Whether sympy shows that an expression, such as a sum up to n, is the formula for all sizes from 1 on.

    >>> import sympy as sp
    >>> n, k = sp.symbols("n k", integer=True, positive=True)
    >>> by_expression(sp.Sum(sp.binomial(n, k), (k, 0, n)), 2**n, [n])
    True
    >>> by_expression(sp.Sum(1 / k, (k, 1, n)), 2**n, [n])
    False
    """
    named = {str(one): one for one in (*sizes, *formula.free_symbols)}
    sides = expression.subs({one: named.get(str(one), one) for one in expression.free_symbols}), formula
    return all(is_defined(side, size, 1) for side in sides for size in sizes) and _is_zero(sides[0].doit() - formula)


def by_induction(recurrence: Any, formula: Any, size: Any, known: Collection[int]) -> int | None:
    """From which size on the formula is the sequence that a recurrence and its first numbers give, by induction.

    Args:
        recurrence: an equation of sympy, of one function at `size` plus whole numbers: Eq(a(n), 2*a(n - 1)).
        formula: an expression of `size` that has the numbers of the sequence at all sizes in `known`.
        size: the symbol.
        known: sizes at which the formula was compared with the sequence.

    Returns:
        the size from which on they are equal; None where the formula is not shown to follow the recurrence.

    >>> import sympy as sp
    >>> n, a = sp.Symbol("n", integer=True, positive=True), sp.Function("a")
    >>> by_induction(sp.Eq(a(n), n * a(n - 1)), sp.factorial(n), n, {3, 4, 5})
    3
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    shifts = _shifts(recurrence, size)
    equation = sp.expand(recurrence.lhs - recurrence.rhs)
    last = max(shifts, key=shifts.__getitem__)
    behind, ahead = -min(shifts.values()), shifts[last]
    slope = equation.diff(last)
    if slope.has(last) or sp.denom(sp.together(equation)).has(size):
        raise InputError(f"recurrence must be linear in {last}, without {size} in a denominator; got {recurrence}")
    runs = (n for n in sorted(known) if n + behind >= 1 and all(n + i in known for i in range(ahead + behind)))
    begun = next(runs, None)
    if begun is None or not _never_zero(slope, size, begun + behind) or not is_defined(formula, size, begun):
        return None
    filled = equation.subs({term: formula.subs(size, size + shift) for term, shift in shifts.items()})
    return begun if _is_zero(filled) else None


def breaks(recurrence: Any, size: Any, values: Mapping[int, Fraction]) -> Iterator[int]:
    """The sizes at which an equation speaks of known values alone, and is wrong.

    >>> import sympy as sp
    >>> n, a = sp.Symbol("n", integer=True, positive=True), sp.Function("a")
    >>> list(breaks(sp.Eq(a(n), 2 * a(n - 1)), n, {1: Fraction(1), 2: Fraction(2), 3: Fraction(5)}))
    [3]
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    shifts = _shifts(recurrence, size)
    for n in range(1, max(values) + 1):
        at = {term: values.get(n + shift) for term, shift in shifts.items()}
        if None not in at.values():
            known = {term: sp.Rational(*value.as_integer_ratio()) for term, value in at.items() if value is not None}
            if sp.expand((recurrence.lhs - recurrence.rhs).subs(known).subs(size, n)) != 0:
                yield n


def _shifts(recurrence: Any, size: Any) -> dict[Any, int]:
    """How far from the size each term of one function stands."""
    import sympy as sp  # noqa: PLC0415 slow to import
    from sympy.core.function import AppliedUndef  # noqa: PLC0415 slow to import

    terms = recurrence.atoms(AppliedUndef) if isinstance(recurrence, sp.Eq) else set()
    shifts = {term: sp.simplify(term.args[0] - size) for term in terms if len(term.args) == 1}
    others = recurrence.free_symbols - {size} if terms else set()
    one_function = len({term.func for term in terms}) == 1 and len(shifts) == len(terms)
    if others or not one_function or not all(shift.is_Integer for shift in shifts.values()):
        raise InputError(
            f"recurrence must be an equation of one function at {size} plus whole numbers, such as "
            f"Eq(a({size}), 2*a({size} - 1)), {size} being a whole number above 0; got {recurrence}"
        )
    return {term: int(shift) for term, shift in shifts.items()}


def is_defined(formula: Any, size: Any, first: int) -> bool:
    """Whether what is below the line of a formula is shown to be other than 0 at all sizes from the first on.

    >>> import sympy as sp
    >>> n = sp.Symbol("n", integer=True, positive=True)
    >>> is_defined(1 / (n - 3), n, 3), is_defined(1 / (n - 3), n, 4), is_defined(n / 3**n, n, 1)
    (False, True, True)
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    below = {power.base for power in formula.atoms(sp.Pow) if not power.exp.is_nonnegative}
    return all(_never_zero(base, size, first) for base in below)


def _never_zero(factor: Any, size: Any, first: int) -> bool:
    """Whether a factor is shown to be other than 0 at all sizes from the first on; one without a size is as given."""
    import sympy as sp  # noqa: PLC0415 slow to import

    if isinstance(factor, sp.subfactorial):  # d(1) alone is 0
        return bool((factor.args[0].subs(size, first) - 2).is_nonnegative)
    if not factor.has(size):
        return factor.is_zero is not True
    if factor.is_nonzero:
        return True
    if factor.free_symbols != {size} or not factor.is_polynomial(size):
        return False
    return all(root < first for root in sp.Poly(factor, size).ground_roots() if root.is_Integer)


def _is_zero(difference: Any) -> bool:
    """Whether sympy finds 0; subfactorials are written by the earliest one among them."""
    import sympy as sp  # noqa: PLC0415 slow to import

    for step in (sp.cancel, lambda one: sp.simplify(sp.combsimp(sp.gammasimp(one)))):
        if step(_one_subfactorial(difference)) == 0:
            return True
    return False


def _one_subfactorial(expression: Any) -> Any:
    """d(m + k) by d(m) for the earliest m: d(j) = j d(j - 1) + (-1)^j."""
    import sympy as sp  # noqa: PLC0415 slow to import

    places = {one.args[0] for one in expression.atoms(sp.subfactorial)}
    if not places:
        return expression
    any_place = next(iter(places))
    shifts = {place: sp.simplify(place - any_place) for place in places}
    if not all(shift.is_Integer for shift in shifts.values()):
        return expression
    low = min(shifts, key=shifts.__getitem__)
    before = sp.Symbol("whole")
    by_low = {sp.subfactorial(low): before}
    for step in range(1, int(max(shifts.values()) - shifts[low]) + 1):
        before = (low + step) * before + (-1) ** (low + step)
        by_low[sp.subfactorial(low + step)] = before
    return sp.powsimp(sp.expand(expression.subs(by_low)))
