"""What a budget with symbols gives under another output premetric: a formula for neighbours, and the rule for it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class SymbolicRule:
    """A conversion.

    Attributes:
        formula: from the `budget`, the δ that it `had`, and what is asked (`delta`, `order`, `epsilon`), to the new
            budget; for "approximate" to ε and δ.
        words: why it holds.
        needs: what must be asked.
        holds_where: inequalities that it takes for granted.
    """

    formula: Callable[..., Any]
    words: str
    needs: tuple[str, ...] = ()
    holds_where: Callable[..., tuple[Any, ...]] = lambda _: ()


def normal_probability(x: Any) -> Any:
    """Φ(x), by the error function of sympy."""
    import sympy as sp  # noqa: PLC0415 slow to import

    return (1 + sp.erf(x / sp.sqrt(2))) / 2


def gaussian_delta(mu: Any, epsilon: Any) -> Any:
    """δ(ε) = Φ(μ/2 − ε/μ) − e^ε·Φ(−μ/2 − ε/μ) of two normal laws.

    Source: Dong, Roth and Su (2022), Corollary 2.13.
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    first, second = (normal_probability(sign * mu / 2 - epsilon / mu) for sign in (1, -1))
    return first - sp.exp(epsilon) * second


def power_of(output: str, budget: Any, delta: Any, level: Any) -> Any:
    """The largest power of a test of a level; None where no formula is known here.

    Source: Wasserman and Zhou (2010); Dong, Roth and Su (2022), Proposition 2.5 and (6).
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    if output == "gdp":
        return normal_probability(sp.sqrt(2) * sp.erfinv(2 * level - 1) + budget)
    if output not in ("pure", "approximate"):
        return None
    left = 1 - delta - level if delta == 0 else sp.Max(0, 1 - delta - level)
    return sp.Min(1, sp.exp(budget) * level + delta, 1 - sp.exp(-budget) * left)


def rules() -> dict[tuple[str, str], SymbolicRule]:
    """The conversions by the two output premetrics.

    >>> import sympy as sp
    >>> from types import SimpleNamespace
    >>> rules()["gdp", "zcdp"].formula(SimpleNamespace(budget=sp.Symbol("mu")))
    mu**2/2
    """
    import sympy as sp  # noqa: PLC0415 slow to import

    exp, log, sqrt, tanh = sp.exp, sp.log, sp.sqrt, sp.tanh
    normal = "of two normal laws (Dong, Roth and Su)"
    return {
        ("pure", "zcdp"): SymbolicRule(
            lambda q: q.budget * tanh(q.budget / 2), "epsilon*tanh(epsilon/2), the smallest for all laws"
        ),
        ("pure", "approximate"): SymbolicRule(lambda q: (q.budget, q.delta), "delta is at least 0"),
        ("pure", "renyi"): SymbolicRule(
            lambda q: (
                log((exp(q.order * q.budget) + exp((1 - q.order) * q.budget)) / (1 + exp(q.budget))) / (q.order - 1)
            ),
            "randomized response, the smallest for all laws",
            ("order",),
        ),
        ("pure", "gdp"): SymbolicRule(
            lambda q: 2 * sqrt(2) * sp.erfinv(tanh(q.budget / 2)), "randomized response, the smallest for all laws"
        ),
        ("pure", "total-variation"): SymbolicRule(
            lambda q: tanh(q.budget / 2), "randomized response, the smallest for all laws"
        ),
        ("approximate", "total-variation"): SymbolicRule(
            lambda q: (exp(q.budget) - 1 + 2 * q.had) / (exp(q.budget) + 1),
            "the most that two laws within (epsilon, delta) allow",
        ),
        ("zcdp", "renyi"): SymbolicRule(lambda q: q.order * q.budget, "alpha*rho", ("order",)),
        ("zcdp", "approximate"): SymbolicRule(
            lambda q: (q.budget + 2 * sqrt(q.budget * log(1 / q.delta)), q.delta),
            "rho + 2*sqrt(rho*ln(1/delta)) (Bun and Steinke)",
            ("delta",),
        ),
        ("gdp", "zcdp"): SymbolicRule(lambda q: q.budget**2 / 2, "mu^2/2"),
        ("gdp", "renyi"): SymbolicRule(lambda q: q.order * q.budget**2 / 2, "alpha*mu^2/2", ("order",)),
        ("gdp", "approximate"): SymbolicRule(
            lambda q: (q.epsilon, gaussian_delta(q.budget, q.epsilon)),
            f"delta(epsilon) {normal}",
            ("epsilon",),
            lambda q: (q.budget > 0,),
        ),
        ("gdp", "total-variation"): SymbolicRule(
            lambda q: sp.erf(q.budget / (2 * sqrt(2))), f"total variation {normal}"
        ),
        ("renyi", "approximate"): SymbolicRule(
            lambda q: (
                sp.Max(0, q.budget + log(1 - 1 / q.order) - log(q.order * q.delta) / (q.order - 1)),
                q.delta,
            ),
            "one order (Canonne, Kamath and Steinke, Proposition 12)",
            ("delta",),
        ),
    }
