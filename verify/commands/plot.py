"""The picture of the PSA's budget: article, Figure 2, and the printed budget beside the exact loss as n grows."""

from __future__ import annotations

from fractions import Fraction
from io import BytesIO
from math import log
from pathlib import Path
from typing import Any

from spec.arguments import InputError
from spec.permutation_swapping import psa_budget
from verify.engines.swapping.bounds import certified_budget
from verify.engines.swapping.loss import universe_loss
from verify.outside.atomic import write_whole

__all__ = ["plot_psa"]

_STRATA = (2, 10, 100, 1_000, 10_000, 100_000, 1_000_000, 11_000_000)
_RATES = tuple(Fraction(k, 1000) for k in range(1, 1000)) + tuple(1 - Fraction(k, 10**5) for k in range(99, 4, -1))
_EXACT_SIZES = (*range(4, 31, 2), 40, 50, 70)
_BOUND_SIZES = (*_EXACT_SIZES, 100, 300, 1_000, 3_000, 10_000, 12_000, 14_000, 16_000, 30_000, 100_000, 1_000_000)
_HALF = Fraction(1, 2)


def plot_psa(path: str) -> None:
    """Draw both panels into an SVG or PNG file.

    Left: ε of article, (7) against the swap rate p for several b, with the smallest budget of each b marked. Right, at
    p = 1/2: in the universes with row and column margins (n/2, n/2), the printed budget, the exact loss up to n = 70,
    and the certified budget of `verify.engines.swapping.bounds` up to a million records.

    Raises:
        InputError: matplotlib is not installed, the suffix is neither .svg nor .png, or the file cannot be written.
    """
    target = Path(path)
    if target.suffix not in (".svg", ".png"):
        raise InputError(f"--plot must name a file that ends in .svg or .png; got {path!r}")
    try:
        from matplotlib.figure import Figure  # noqa: PLC0415 an optional dependency
    except ImportError:
        raise InputError("--plot needs matplotlib: pip install 'stirred[plot]'") from None
    figure = Figure(figsize=(12, 5), layout="constrained")
    left, right = figure.subplots(1, 2)
    _budgets(left)
    _losses(right)
    picture = BytesIO()
    figure.savefig(picture, format=target.suffix[1:], dpi=150)
    write_whole(path, picture.getvalue())


def _budgets(axes: Any) -> None:
    for stratum in _STRATA:
        budgets = [float(psa_budget(stratum, rate)) for rate in _RATES]
        (line,) = axes.plot([float(rate) for rate in _RATES], budgets, label=f"b = {stratum:,}")
        side = (stratum + 1) ** 0.5
        axes.plot([side / (side + 1)], [log(stratum + 1) / 2], "D", mfc="none", color=line.get_color())
    axes.set(xlabel="swap rate p", ylabel="ε", title="Budget of article, (7); diamonds: the smallest for each b")
    axes.legend(fontsize="small")


def _losses(axes: Any) -> None:
    def margins(size: int) -> tuple[int, int]:
        return size // 2, size // 2

    printed = [float(psa_budget(size, _HALF)) for size in _BOUND_SIZES]
    certified = [float(certified_budget(margins(size), margins(size), _HALF)) for size in _BOUND_SIZES]
    exact = [float(universe_loss(margins(size), margins(size), _HALF)) for size in _EXACT_SIZES]
    axes.semilogx(_BOUND_SIZES, printed, "--", label="printed budget, ln(n + 1)")
    axes.semilogx(_BOUND_SIZES, certified, ".-", label="certified budget of this universe")
    axes.semilogx(_EXACT_SIZES, exact, "o", ms=4, label="exact loss")
    axes.set(xlabel="records n", ylabel="ε", title="Universe with margins (n/2, n/2) on both sides, p = 1/2")
    axes.legend(fontsize="small")
