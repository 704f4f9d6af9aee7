"""The budget that the noise of a release spends, from its variances."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError, parse_exact
from stirred.verify.released.folder import ReleasedAnswers, ReleasedFolder, UnconfirmedError


def spent_at(measured: Sequence[ReleasedAnswers], level: int) -> Fraction:
    """ρ² = Σ Δ²/(2σ²) of the queries of a level, with Δ² = 2.

    A record is in one answer of a query at most, and counts 1 there. One that is replaced, its node included, leaves
    one answer and enters another one, at the same node or at two: squares of 1 and 1.
    """
    return sum((1 / one.variance for one in measured if one.level == level), Fraction(0))


def checked_budget(release: ReleasedFolder) -> str:
    """What the noise spends, in words, where it is no more than the specification promises.

    Raises:
        InputError: the specification has no budget.
        UnconfirmedError: the noise spends more at a level, or in all.
    """
    try:
        budget = _exact("budget.rho_squared", release.specification["budget"]["rho_squared"])
        parts = dict(release.specification["mechanism"]["parts"])
    except (KeyError, TypeError, ValueError):
        raise InputError("specification.toml: must have budget.rho_squared and mechanism.parts") from None
    earlier = _exact("earlier-release", parts.pop("earlier-release", "0"))
    total = Fraction(0)
    for level, name in enumerate(release.names):
        spent = spent_at(release.measured, level)
        stated = _exact(f"level-{level}", parts.pop(f"level-{level}", "0"))
        if spent > stated:
            raise UnconfirmedError(f"{name}: the noise must spend at most rho^2 = {stated}; it spends {spent}")
        total += spent
    if parts:
        raise UnconfirmedError(f"specification.toml: a part must be a level or the earlier release; got {min(parts)!r}")
    if total + earlier > budget:
        raise UnconfirmedError(f"the noise must spend at most rho^2 = {budget}; it spends {total + earlier}")
    more = f", with {earlier} of the earlier release" if earlier else ""
    return f"the noise spends at most rho^2 = {total + earlier}{more}; specification.toml promises {budget}"


def _exact(name: str, value: Any) -> Fraction:
    if not isinstance(value, str):
        raise InputError(f"specification.toml: {name} must be an exact number in quotes; got {value!r}")
    return parse_exact(f"specification.toml: {name}", value)
