"""The Laplace mechanism of a query: the scale of its noise on each class of data sets, and its exact loss."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from stirred.spec.arguments import Exact, nonnegative
from stirred.spec.blocks.multiverse import Multiverse, Universe
from stirred.spec.blocks.specification import InputBlocks
from stirred.verify.engines.surveys.sensitivity import Query, Sensitivity, norm_of_change, sensitivity

Center = Exact | tuple[Exact, ...]


def laplace_scales(
    query: Query, blocks: InputBlocks, budgets: Mapping[Universe, Exact] | None = None
) -> Mapping[frozenset[Any], Sensitivity]:
    """The scale b of Laplace noise by class of implicitly comparable data sets: with it T satisfies ε_D-DP, if b < ∞.

    It is Δ_q of the pairs in the class that share a universe. Definition 6.4.2 takes the universes that lie inside the
    data sets comparable to d instead: see claim `survey.laplace.theorem` for what that breaks.

    Args:
        query: q, with exact values.
        blocks: which data sets are compared, and how far apart they are.
        budgets: ε_D ≥ 0 by universe; without them 1 in each.

    Source: dissertation, Definitions 6.4.2 and A.1.1.

    >>> from stirred.spec import FiniteDomain, hamming_ordered, vacuous
    >>> sizes = FiniteDomain(((), (0,), (1,), (0, 5), (0, 0)))
    >>> scales = laplace_scales(sum, InputBlocks(sizes, vacuous(sizes), hamming_ordered("person")))
    >>> [str(scale.value) for scale in scales.values()]
    ['0', '1', '5']
    """
    found = {}
    for points in blocks.components():
        traces = {universe: universe & points for universe in blocks.multiverse if universe & points}
        found[points] = _of_traces(query, blocks, traces, budgets)
    return found


def _of_traces(
    query: Query,
    blocks: InputBlocks,
    traces: Mapping[Universe, Universe],
    budgets: Mapping[Universe, Exact] | None,
) -> Sensitivity:
    """Δ_q of traces of universes, of which several may be one set with different budgets."""
    least: dict[Universe, Exact] = {}
    for universe, trace in traces.items():
        budget = 1 if budgets is None else budgets[universe]
        least[trace] = min(least.get(trace, budget), budget)
    return sensitivity(query, Multiverse(least), blocks.input_premetric, least)


def laplace_distance(center: Center, scale: Exact, other_center: Center, other_scale: Exact) -> Fraction | None:
    """D_Mult of two Laplace laws, None for ∞: ‖q − q'‖₁/b with one scale b, ∞ with two scales.

    With scale 0 a law is a point mass. It is the same for discrete Laplace noise P(k) ∝ e^(−|k|/b) on integers q, q'.

    Source: dissertation, Appendix D, proof of Theorem 6.4.3.

    >>> laplace_distance(3, 2, 4, 2), laplace_distance((3, 0), 2, (4, 5), 2), laplace_distance(3, 2, 4, 1)
    (Fraction(1, 2), Fraction(3, 1), None)
    """
    b, c = nonnegative("scale", scale), nonnegative("other_scale", other_scale)
    change = norm_of_change(center, other_center)
    if b != c or (change and not b):
        return None
    return change / b if change else Fraction(0)
