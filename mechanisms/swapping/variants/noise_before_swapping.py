"""Randomized response on the swapping variable, then the PSA: what the records say is noisy before it is swapped."""

from collections.abc import Hashable, Sequence
from fractions import Fraction

from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_swapping import SaturatedTable, SwapRecord, permutation_swapping
from stirred.spec.arguments import InputError, probability
from stirred.spec.laws.law import Probability


def noise_before_swapping(
    records: Sequence[SwapRecord],
    source: Source,
    *,
    categories: Sequence[Hashable],
    replace_rate: Fraction,
    swap_rate: Probability | int,
) -> SaturatedTable:
    """The PSA on records whose swapping value is, each with probability r, replaced by a uniform category.

    The margins n_mh· stay; n_m·s does not. One record's noisy value has the loss ln(1 + k·(1−r)/r) for k categories.

    Args:
        categories: the k values of the swapping variable, at least one, without repetition.
        replace_rate: r in [0, 1], exact.
        swap_rate: p in [0, 1].

    Source: article, section 6.2 (pre-swap perturbation).
    """
    if not categories or len(set(categories)) != len(categories):
        raise InputError(f"categories must be at least one, each listed once; got {categories!r}")
    rate = probability("replace_rate", replace_rate)
    noisy: list[SwapRecord] = []
    for matching, holding, swapping in records:
        replaced = source.bernoulli(rate)
        noisy.append((matching, holding, categories[source.uniform(len(categories))] if replaced else swapping))
    return permutation_swapping(noisy, source, swap_rate=swap_rate)
