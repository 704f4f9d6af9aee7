"""A formula for every size: by induction along a recurrence, or since it is the number that an expression says.

What is settled is equality as expressions of sympy, in exact numbers; where sympy does not find 0 nothing is said.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError
from stirred.spec.numbers.rational_function import SYMBOL, RationalFunction


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
        raise InputError(f"recurrence must be linear in {last} and have no {size} below a line; got {recurrence}")
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
