"""Mechanisms that violate what is claimed of them: each module holds a program and its claimed specification.

They are the planted faults that the engines of `verify` must find, with the smallest witness.
"""

from stirred.mechanisms.broken.disjoint_pairs import disjoint_pairs
from stirred.mechanisms.broken.fixed_number_of_swaps import fixed_number_of_swaps

__all__ = ["disjoint_pairs", "fixed_number_of_swaps"]
