"""The methods of generators that are read: their arguments, and what they draw; the standard library alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stirred.verify.evidence.certificates.polynomial import Polynomial, Symbol, parsed
from stirred.verify.evidence.certificates.read_values import SHARED


@dataclass(frozen=True)
class DrawMethod:
    """A method of a generator.

    Attributes:
        arguments: their names, in order.
        kind: of the draw, as `NoiseDraw` has it.
        shape: the argument that says how wide it is: "scale", "ratio" (weights fall by it at each step) or "p" (NumPy's
            geometric numbers, from 1 on); of shared draws "coin" or "".
    """

    arguments: tuple[str, ...]
    kind: str
    shape: str = ""


LAWS: Mapping[str, Mapping[str, DrawMethod]] = {
    "numpy": {
        "laplace": DrawMethod(("loc", "scale", "size"), "laplace", "scale"),
        "exponential": DrawMethod(("scale", "size"), "exponential", "scale"),
        "geometric": DrawMethod(("p", "size"), "geometric", "p"),
        "normal": DrawMethod(("loc", "scale", "size"), SHARED),
        "random": DrawMethod(("size",), SHARED),
        "uniform": DrawMethod(("low", "high", "size"), SHARED),
    },
    "source": {
        "discrete_laplace": DrawMethod(("ratio",), "discrete laplace", "ratio"),
        "geometric": DrawMethod(("ratio",), "geometric", "ratio"),
        "bernoulli": DrawMethod(("p",), SHARED, "coin"),
    },
}


def ratio_rate(ratio: Polynomial) -> Polynomial:
    """ln(1/ratio), as a polynomial of the parameters: of exp(x) it is -x, else a symbol.

    Raises:
        ValueError: it is a number that is not between 0 and 1.
    """
    if ratio.number is not None and not 0 < ratio.number < 1:
        raise ValueError("a ratio must be between 0 and 1")
    if len(ratio.terms) != 1:
        return Polynomial.name(Symbol("ln", f"1/({ratio})"))
    (name, *others) = ratio.names or (Symbol("size"),)
    if not others and name.kind == "exp" and ratio == Polynomial.name(name):
        return -parsed(name.text)
    return Polynomial.name(Symbol("ln", str(ratio.inverse())))
