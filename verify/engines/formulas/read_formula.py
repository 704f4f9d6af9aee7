"""Formulas and inequalities as a person types or builds them, read into sympy; nothing of a text is run."""

import ast
import operator
import re
from collections.abc import Collection, Iterable
from typing import Any

from stirred.spec.arguments import InputError, parse_exact, shown

_LONGEST = 500
_LARGEST_EXPONENT = 64
_MOST_BITS = 256
_FUNCTIONS = ("ln", "log", "exp", "sqrt", "tanh", "max", "min")
_BUDGETS = ("epsilon", "rho", "delta")


def read_formula(text: str, whole: Collection[str] = ()) -> Any:
    """The expression of sympy that a text stands for.

    Names that begin with epsilon, rho or delta are at least 0, others above 0; there are + - * / ^ and `ln`, `exp`,
    `sqrt`, `tanh`, `max`, `min`.

    The text has at most 500 characters; `whole` names the integers.

    >>> print(read_formula("ln((b + 1)/o)", whole=["b"]), read_formula("0.05*p^2"))
    log((b + 1)/o) p**2/20
    """
    return _Reader(text, whole).value(_parsed(text))


def read_inequality(text: str, whole: Collection[str] = ()) -> Any:
    """The inequality of sympy that a text such as "p < 1" or "b >= 4" stands for.

    >>> print(read_inequality("p^2 <= 1/2"))
    p**2 <= 1/2
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    node = _parsed(text)
    signs = {ast.Lt: sp.Lt, ast.LtE: sp.Le, ast.Gt: sp.Gt, ast.GtE: sp.Ge, ast.Eq: sp.Eq}
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or type(node.ops[0]) not in signs:
        raise InputError(f"a condition must be one inequality, such as 'p < 1'; got {shown(text)}")
    reader = _Reader(text, whole)
    found = signs[type(node.ops[0])](reader.value(node.left), reader.value(node.comparators[0]))
    if found in (sp.true, sp.false):
        raise InputError(f"a condition must depend on its symbols; {shown(text)} is {str(found).lower()}")
    return found


def expression(name: str, value: Any) -> Any:
    """A real expression of sympy: given as one, as an exact number, a loss, or a text such as "ln 3" or "epsilon/2".

    >>> print(expression("budget", "ln 3"), expression("budget", "epsilon/2"))
    log(3) epsilon/2
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    found = read_formula(re.sub(r"\b(ln|log)\s+([0-9./]+)", r"\1(\2)", value)) if isinstance(value, str) else value
    try:
        found = sp.sympify(found, strict=True)
    except sp.SympifyError:
        found = None
    if not isinstance(found, sp.Expr):
        raise InputError(f"{name} must be an exact number, an expression of sympy or a text; got {value!r}")
    if found.has(sp.Float):
        raise InputError(f"{name} must be exact; got {value!r}: use sympy.Rational")
    is_finite = not found.has(sp.nan, sp.zoo, sp.oo, -sp.oo, sp.I) and found.is_extended_real is not False
    if not is_finite or any(symbol.is_extended_real is False for symbol in found.free_symbols):
        raise InputError(f"{name} must be real and finite; got {found}")
    check_names(found.free_symbols)
    return found


def inequalities(where: Any) -> tuple[Any, ...]:
    """Conditions as inequalities of sympy, given as those or as texts, one or several; what is true anyway is left out.

    >>> inequalities("p < 1")
    (p < 1,)
    """
    import sympy as sp  # noqa: PLC0415 slow to import
    from sympy.logic.boolalg import BooleanAtom  # noqa: PLC0415 slow to import

    listed = where if isinstance(where, (list, tuple, set, frozenset)) else (where,)
    parts = [part for one in listed for part in (one.args if isinstance(one, sp.And) else (one,))]
    read = [read_inequality(one) if isinstance(one, str) else one for one in parts]
    equal = [(sp.Le(one.lhs, one.rhs), sp.Ge(one.lhs, one.rhs)) if isinstance(one, sp.Eq) else (one,) for one in read]
    found = [part for both in equal for part in both]
    for one in found:
        if isinstance(one, sp.Or):
            inequalities(one.args)
        is_plain = isinstance(one, (sp.Gt, sp.Ge, sp.Lt, sp.Le, sp.Or, bool, BooleanAtom))
        if not is_plain or (isinstance(one, sp.Basic) and one.has(sp.Float, sp.nan, sp.zoo, sp.I)):
            raise InputError(f"where must be inequalities or equations of sympy or texts, such as 'p < 1'; got {one!r}")
    return tuple(dict.fromkeys(sp.sympify(one) for one in found if one != True))  # noqa: E712 sympy's


def check_names(symbols: Iterable[Any]) -> None:
    """Refuse two symbols with one name: other assumptions make another symbol."""
    known: dict[str, Any] = {}
    for symbol in symbols:
        if known.setdefault(str(symbol), symbol) != symbol:
            raise InputError(
                f"{symbol} names two symbols with different assumptions: make it once, with explore.budgets, "
                "rates or sizes"
            )


def fits(symbol: Any, value: Any) -> bool:
    """Whether a value is shown to be all that is assumed of a symbol."""
    return all(getattr(value, f"is_{name}", None) is is_so for name, is_so in symbol.assumptions0.items())


def _parsed(text: str) -> ast.expr:
    if len(text) > _LONGEST:
        raise InputError(f"a formula must have at most {_LONGEST} characters; it has {len(text)}")
    try:
        return ast.parse(text.replace("^", "**").strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise InputError(f"a formula must be written with + - * / ^ and parentheses; got {shown(text)}") from None


class _Reader:
    def __init__(self, text: str, whole: Collection[str]) -> None:
        import sympy as sp  # noqa: PLC0415 slow to import

        self._sp, self._text, self._whole = sp, text, whole

    def value(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            number = parse_exact("a number", ast.get_source_segment(self._source, node) or "")
            return self._sp.Rational(*number.as_integer_ratio())
        if isinstance(node, ast.Name):
            if node.id in _FUNCTIONS:
                raise self._refused()
            is_budget = node.id.startswith(_BUDGETS)
            signs = {"nonnegative": True} if is_budget else {"positive": True}
            return self._sp.Symbol(node.id, **signs, **({"integer": True} if node.id in self._whole else {}))
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return -self.value(node.operand)
        if isinstance(node, ast.BinOp):
            return self._combined(node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            return self._called(node.func.id, node.args)
        raise self._refused()

    @property
    def _source(self) -> str:
        return self._text.replace("^", "**").strip()

    def _combined(self, node: ast.BinOp) -> Any:
        left, right = self.value(node.left), self.value(node.right)
        if isinstance(node.op, ast.Pow):
            if right.is_number and not (right.is_Rational and abs(right) <= _LARGEST_EXPONENT):
                raise InputError(f"an exponent must be a rational number of at most {_LARGEST_EXPONENT}; got {right}")
            if left.is_Rational and right.is_number and int(max(abs(left.p), left.q)).bit_length() > _MOST_BITS:
                raise InputError(f"a power must be of a number of at most {_MOST_BITS} bits; got {shown(self._text)}")
            return left**right
        if isinstance(node.op, ast.Div) and right == 0:
            raise InputError(f"a formula must not divide by 0; got {shown(self._text)}")
        operators = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
        if type(node.op) not in operators:
            raise self._refused()
        return operators[type(node.op)](left, right)

    def _called(self, name: str, nodes: list[ast.expr]) -> Any:
        sp = self._sp
        given = [self.value(node) for node in nodes]
        if name in ("max", "min") and len(given) > 1:
            return (sp.Max if name == "max" else sp.Min)(*given)
        functions = {"ln": sp.log, "log": sp.log, "exp": sp.exp, "sqrt": sp.sqrt, "tanh": sp.tanh}
        if name not in functions or len(given) != 1:
            raise self._refused()
        if name in ("ln", "log") and given[0].is_number and given[0].is_positive is not True:
            raise InputError(f"a logarithm must be of a positive number; got {given[0]}")
        return functions[name](given[0])

    def _refused(self) -> InputError:
        return InputError(
            f"a formula must be made of numbers, names, + - * / ^, {', '.join(_FUNCTIONS)}; got {shown(self._text)}"
        )
