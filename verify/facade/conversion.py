"""Conversions between budgets: what one of them gives under other output premetrics, as certified enclosures."""

from fractions import Fraction

from stirred.budget import Budget, exact_argument, read_budget
from stirred.spec.arguments import InputError
from stirred.spec.budgets.converted import Conversions, Target, conversions
from stirred.spec.budgets.loss import Loss
from stirred.spec.output_premetrics import Multiplicative

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
    """What a budget gives: pass the budget, and where the others are asked for.

    - `rho`: zCDP (Bun and Steinke's ρ), at `delta` or a Rényi `order`;
    - `mu`: Gaussian DP, at `delta`, `order`, `at_epsilon` (for δ) or the `level` of a test (for its power);
    - `epsilon`: pure DP, at `order` or `level`; with `delta` and `level` (ε, δ)-DP;
    - `epsilon`, `order` and `delta`: Rényi DP at that order.

    Raises:
        InputError: not exactly one of rho, mu and epsilon is given, nothing is asked for, or a number is malformed.

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
