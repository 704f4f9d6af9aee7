"""A budget as a Python argument, exact or refused with what to write instead, and its conversions."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, nonnegative, parse_exact
from stirred.spec.budgets.converted import Conversions, Target, conversions
from stirred.spec.budgets.loss import INFINITE, Loss
from stirred.spec.output_premetrics import Multiplicative, OutputPremetric, check_curve
from stirred.verify.engines.printed_number import Printed
from stirred.verify.laws.claim.budget import MAX_EPSILON, ClaimedBudget, read_logarithm

Budget = str | int | Fraction | Loss
"""ε as a text ("0.8", "ln 3", "ln(9/4)/2", "2*ln 2", "infinite"), an exact number or a `Loss`; never a float."""


def read_budget(
    epsilon: Budget | None,
    rho: str | int | Fraction | None,
    curve: Sequence[Sequence[Any]] | None,
    measure: OutputPremetric,
    *,
    mu: str | int | Fraction | None = None,
) -> ClaimedBudget | None:
    """The claimed budget; None if none is given.

    ρ is Bun and Steinke's, the bound on D_α/α and the square of the distance D_NoR; a curve has the vertices (level,
    power).

    >>> from stirred.spec.output_premetrics import Multiplicative
    >>> read_budget("ln 3", None, None, Multiplicative()).loss == Loss(3)
    True
    >>> read_budget("3/2*ln 4", None, None, Multiplicative()).loss == Loss(8)
    True
    """
    given = {"epsilon": epsilon, "rho": rho, "mu": mu, "curve": curve}
    needed = {"rho_squared": "rho", "mu": "mu", "curve": "curve"}.get(measure.budgets[0], "epsilon")
    for name, value in given.items():
        if value is not None and name != needed:
            raise InputError(f"{name} is no budget for the output premetric {measure.name!r}; give {needed}")
    if curve is not None:
        return ClaimedBudget(curve=check_curve("curve", [[exact_argument("curve", n) for n in row] for row in curve]))
    if rho is not None:
        number = nonnegative("rho", exact_argument("rho", rho))
        return ClaimedBudget(rho_squared=Printed(str(rho), number), words=f"rho = {rho}")
    if mu is not None:
        return ClaimedBudget(mu=Printed(str(mu), nonnegative("mu", exact_argument("mu", mu))))
    return None if epsilon is None else _epsilon(epsilon, measure)


def _epsilon(epsilon: Budget, measure: OutputPremetric) -> ClaimedBudget:
    logarithm = read_logarithm("epsilon", epsilon)
    if logarithm is not None:
        return _loss(*logarithm, measure)
    if isinstance(epsilon, str) and epsilon.strip() == "infinite":
        epsilon = INFINITE
    if isinstance(epsilon, Loss):
        return _loss(epsilon, f"epsilon = {epsilon}", measure)
    number = nonnegative("epsilon", exact_argument("epsilon", epsilon))
    if number > MAX_EPSILON:
        raise InputError(f"epsilon must be at most {MAX_EPSILON}, or 'infinite'; got {epsilon}")
    return ClaimedBudget(epsilon=Printed(str(epsilon), number))


def _loss(loss: Loss, words: str, measure: OutputPremetric) -> ClaimedBudget:
    if "gamma" not in measure.budgets:
        raise InputError(f"epsilon must be a number for the output premetric {measure.name!r}; got a logarithm")
    return ClaimedBudget(loss=loss, words=words)


def exact_argument(name: str, value: object) -> Fraction:
    """The exact number that an argument stands for; a float is refused with what to write instead.

    >>> exact_argument("epsilon", "0.05")
    Fraction(1, 20)
    """
    if isinstance(value, float):
        raise InputError(
            f"{name} must be exact; got the float {value!r}: write the text {str(value)!r}, a Fraction, or 'ln 3' for "
            "a logarithm"
        )
    return parse_exact(name, value)


def value_in_words(value: object) -> str:
    """A number of a budget, or a curve of them, by its value; what is malformed as it is written.

    >>> value_in_words("0.10"), value_in_words("2*ln 2") == value_in_words(Loss(4)), value_in_words("much")
    ('1/10', True, 'much')
    """
    if isinstance(value, (list, tuple)):
        return f"({', '.join(map(value_in_words, value))})"
    try:
        logarithm = read_logarithm("budget", value)
        return str(exact_argument("budget", value) if logarithm is None else logarithm[0])
    except InputError:
        return str(value).strip()


Number = str | int | Fraction


def convert(
    *,
    rho: Number | None = None,
    mu: Number | None = None,
    epsilon: Budget | None = None,
    order: Number | None = None,
    delta: Number | None = None,
    level: Number | None = None,
    at_epsilon: Number | None = None,
) -> Conversions:
    """Convert a budget: pass it, and the parameters of the output premetric that you want.

    - `rho`: zCDP (Bun and Steinke's ρ), at `delta` or a Rényi `order`;
    - `mu`: Gaussian DP, at `delta`, `order`, `at_epsilon` (for δ) or the `level` of a test (for its power);
    - `epsilon`: pure DP, at `order` or `level`; with `delta` and `level` (ε, δ)-DP;
    - `epsilon`, `order` and `delta`: Rényi DP at that order.

    Raises:
        InputError: not exactly one of rho, mu and epsilon is given, no target is given, or a number is malformed.

    >>> for found in convert(rho="0.1", delta="1e-6"):
    ...     print(found)
    epsilon ≈ 2.450788000 at delta = 1/1000000 by rho + 2*sqrt(rho*ln(1/delta)) (Bun and Steinke)
    epsilon ≈ 2.141938928 at delta = 1/1000000 by the smallest over all Renyi orders (Canonne, Kamath and Steinke)
    """
    given = {"rho": rho, "mu": mu, "delta": delta, "order": order, "epsilon": at_epsilon, "level": level}
    numbers = {name: None if one is None else exact_argument(name, one) for name, one in given.items()}
    budgets = {name: numbers.pop(name) for name in ("rho", "mu")}
    return conversions(Target(**numbers), **budgets, epsilon=None if epsilon is None else _budget(epsilon))


def _budget(epsilon: Budget) -> Loss | Fraction:
    found = read_budget(epsilon, None, None, Multiplicative())
    if found is None:
        raise InputError("epsilon must be given")
    if found.epsilon is not None:
        return found.epsilon.value
    if found.loss is None or found.loss.is_infinite:
        raise InputError("epsilon must be finite; got infinite")
    return found.loss
