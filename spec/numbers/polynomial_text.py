"""How a polynomial with integer coefficients, a quotient of two, or a function by cases is written."""

from collections.abc import Sequence
from fractions import Fraction


def polynomial_text(coefficients: Sequence[int], symbol: str = "p", *, latex: bool = False) -> str:
    """The polynomial, highest power first; lowest first where that avoids a sign in front.

    >>> polynomial_text((-1, 0, -1, 2)), polynomial_text((1, -1)), polynomial_text((0, 1, 3), latex=True)
    ('2*p^3 - p^2 - 1', '1 - p', '3 p^{2} + p')
    """
    powers = [power for power, factor in enumerate(coefficients) if factor]
    if powers and not coefficients[powers[-1]] < 0 < coefficients[powers[0]]:
        powers.reverse()
    text = ""
    for power in powers:
        factor = coefficients[power]
        raised = f"^{{{power}}}" if latex else f"^{power}"
        monomial = f"{symbol}{raised if power > 1 else ''}" if power else ""
        size = "" if abs(factor) == 1 and monomial else str(abs(factor))
        sign = (" - " if factor < 0 else " + ") if text else ("-" if factor < 0 else "")
        text += f"{sign}{size}{(' ' if latex else '*') if size and monomial else ''}{monomial}"
    return text or "0"


def quotient_text(above: Sequence[int], below: Sequence[int], symbol: str = "p") -> str:
    """The quotient of two polynomials.

    >>> quotient_text((1, -1), (0, 1)), quotient_text((0, 3), (1,))
    ('(1 - p)/p', '3*p')
    """
    top, bottom = (polynomial_text(part, symbol) for part in (above, below))
    if bottom == "1":
        return top
    return f"{f'({top})' if ' ' in top else top}/{f'({bottom})' if ' ' in bottom or '*' in bottom else bottom}"


def latex_fraction(above: object, below: int = 1) -> str:
    r"""A numerator over a denominator, or a `Fraction`; the numerator alone over 1.

    >>> latex_fraction("3 - g", 4), latex_fraction(Fraction(1, 2)), latex_fraction(2)
    ('\\frac{3 - g}{4}', '\\frac{1}{2}', '2')
    """
    if isinstance(above, Fraction):
        above, below = above.numerator, above.denominator * below
    return str(above) if below == 1 else rf"\frac{{{above}}}{{{below}}}"


def latex_cases(rows: Sequence[str]) -> str:
    """Rows as the cases of one function."""
    return r"\begin{cases} " + r" \\ ".join(rows) + r" \end{cases}"
