"""Events of dp-accounting as an account: each mechanism's exact budget, as the `[account]` of a claim file has it.

A Gaussian event with noise multiplier σ has ρ² = 1/(2σ²), one of Laplace noise ε = 1/σ; budgets are those of the
neighbours that the event's multiplier is for. What has no such budget here (sampling, trees, events that are not
private) is refused: no number is made up for it.
"""

import json
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError

_MOST = 1_000
"""Releases of one account."""


def account_of(
    event: Any, *, name: str, domain: str, unit: str, neighbors: str = "unbounded", total: str | None = None
) -> str:
    """The claim file of an event: its releases under one flavor, to be added up by `stirred audit`.

    Args:
        event: a Gaussian, Laplace, zCDP or composed event of dp-accounting.
        name: the claim's id.
        domain: who is in the data, in words.
        unit: what one neighbour differs by, in words.
        neighbors: "bounded" or "unbounded".
        total: the budget of all of them that is claimed, where one is.
    """
    releases = list(_releases(event, 1))
    if not releases:
        raise InputError("event contains no mechanism")
    measures = sorted({measure for measure, _ in releases})
    if len(measures) > 1:
        raise InputError(f"event must have budgets of one measure; it has {' and '.join(measures)}")
    stated = {"domain": domain, "neighbors": neighbors, "unit": unit, **({} if total is None else {"total": total})}
    lines = [f"id = {json.dumps(name)}", f"statement = {json.dumps(f'The releases of {name}.')}", "", "[account]"]
    lines += ["invariants = []", *(f"{key} = {json.dumps(text, ensure_ascii=False)}" for key, text in stated.items())]
    for number, (measure, budget) in enumerate(releases, 1):
        lines += ["", "[[account.releases]]", f'name = "release {number}"', f'{measure} = "{budget}"']
    return "\n".join(lines) + "\n"


def _releases(event: Any, times: int) -> Iterator[tuple[str, Fraction]]:
    """The budgets of an event that is repeated, each with the measure's key."""
    kind = type(event).__name__
    if times > _MOST:
        raise InputError(f"event must hold at most {_MOST} releases; it has more")
    if kind == "ComposedDpEvent":
        for part in event.events:
            yield from _releases(part, times)
    elif kind == "SelfComposedDpEvent":
        yield from _releases(event.event, times * event.count)
    elif kind == "GaussianDpEvent" and event.noise_multiplier > 0:
        yield from [("rho_squared", 1 / (2 * Fraction(event.noise_multiplier) ** 2))] * times
    elif kind == "LaplaceDpEvent" and event.noise_multiplier > 0:
        yield from [("epsilon", 1 / Fraction(event.noise_multiplier))] * times
    elif kind == "ZCDpEvent" and not event.xi:
        yield from [("rho_squared", Fraction(event.rho))] * times
    elif kind != "NoOpDpEvent":
        raise InputError(f"event must be made of Gaussian, Laplace and zCDP events; got {event!r}")
