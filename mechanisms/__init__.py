"""How data are released: one program per mechanism, written once against `Source`, with three interpreters."""

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.interpreters.sampling import replay, sample
from stirred.mechanisms.kernel import constant, identity, kernel, peeking_constant, release_invariants
from stirred.mechanisms.noise.discrete_gaussian import diagonal_discrete_gaussian, discrete_gaussian
from stirred.mechanisms.noise.geometric import clamped_geometric, truncated_geometric
from stirred.mechanisms.noise.randomized_response import randomized_response
from stirred.mechanisms.source import Source
from stirred.mechanisms.swapping.permutation_counts import psa_law
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping, psa_law_by_choices, saturated_table
from stirred.spec.laws.law import Law

__all__ = [
    "Law",
    "Source",
    "clamped_geometric",
    "constant",
    "diagonal_discrete_gaussian",
    "discrete_gaussian",
    "exact_law",
    "identity",
    "kernel",
    "peeking_constant",
    "permutation_swapping",
    "psa_law",
    "psa_law_by_choices",
    "randomized_response",
    "release_invariants",
    "replay",
    "sample",
    "saturated_table",
    "truncated_geometric",
]
