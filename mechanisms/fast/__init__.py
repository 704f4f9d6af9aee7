"""Array implementations for data of real size; each is tied to its program by exact agreement on replayed choices."""

from stirred.mechanisms.fast.inversion import discrete_gaussian
from stirred.mechanisms.fast.permutation_swapping import permutation_swapping

__all__ = ["discrete_gaussian", "permutation_swapping"]
