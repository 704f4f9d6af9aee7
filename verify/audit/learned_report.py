"""The bounds of a claim as a report shows them."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from stirred.spec.arguments import InputError
from stirred.verify.audit.inference import MOST, infer
from stirred.verify.audit.learned import Asked, Inference, Interval, Limit
from stirred.verify.claim.claim import PrivacyClaim
from stirred.verify.engines.inference.posterior_region import posterior_region, sharpest_posterior_region
from stirred.verify.engines.inference.power import roc_region
from stirred.verify.reports.learned_page import FINEST, Learned, Panel, outward
from stirred.verify.reports.lines import shortened

__all__ = ["as_json", "as_learned", "learned_from"]

_LONGEST = 72
_KINDS = ("printed", "sharpest")


def learned_from(built: PrivacyClaim) -> tuple[Learned, ...]:
    """What the budget of a claim lets someone learn, at each setting of its mechanism; nothing where none is bounded.

    Raises:
        EngineError: an exact computation disagrees with its independent value.
    """
    found = []
    for case in built.cases:
        try:
            found.append(as_learned(infer(built.with_listed_tables(MOST), case, Asked())))
        except InputError:  # no budget of pure differential privacy, an infinite one, or a mechanism that fails
            continue
    return tuple(found)


def as_learned(inference: Inference) -> Learned:
    """The bounds rounded outward, and the pictures for the smallest and the largest distance."""
    powers = tuple(
        Panel(f"tests, distance {d}", "false positive rate", "true positive rate", roc_region(one), roc_region(sharp))
        for d, (one, sharp) in inference.curves.items()
    )
    posteriors = tuple(_posterior(inference.gamma, d) for d in inference.curves)
    rows = tuple(_row(inference.name, one) for one in inference.limits)
    return Learned(inference.budget, rows, inference.notes, powers + posteriors)


def _row(name: str, limit: Limit) -> tuple[str, str, str, str, str]:
    exact = "not listed" if limit.exact is None else outward(*limit.exact)
    return (
        f"{name}.{limit.name}",
        shortened(limit.what, _LONGEST),
        outward(*limit.printed),
        outward(*limit.sharpest),
        exact,
    )


def _posterior(gamma: Fraction, d: int) -> Panel:
    """The regions of priors and posteriors."""
    regions = posterior_region(gamma, d), sharpest_posterior_region(gamma, d, FINEST)
    return Panel(f"posteriors, distance {d}", "prior", "posterior", *regions)


def as_json(inference: Inference) -> dict[str, Any]:
    """The bounds with exact fractions."""
    return {
        "id": inference.name,
        "budget": inference.budget,
        "gamma": str(inference.gamma),
        "alpha": str(inference.asked.alpha),
        "prior": str(inference.asked.share),
        "limits": [
            {
                "name": one.name,
                "what": one.what,
                "printed": _texts(one.printed),
                "sharpest": _texts(one.sharpest),
                "exact": None if one.exact is None else _texts(one.exact),
            }
            for one in inference.limits
        ],
        "roc": {
            str(d): {
                "printed": [_texts(v) for v in roc_region(one)],
                "sharpest": [_texts(v) for v in roc_region(sharp)],
            }
            for d, (one, sharp) in inference.curves.items()
        },
        "notes": list(inference.notes),
    }


def _texts(numbers: Interval) -> list[str]:
    return [str(number) for number in numbers]
