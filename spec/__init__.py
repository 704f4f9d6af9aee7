"""What is claimed: exact definitions of differential-privacy specifications, their symbolic forms, and the claims.

Reading order: `loss`, `law`, the five blocks (`domain`, `multiverse`, `input_premetric`, `output_premetric`,
`specification`), `permutation_swapping`, `claims`; `intervals`, pure DP in the words of imprecise probability.
`spec.symbolic` needs sympy and is imported on first use.
"""

from importlib import import_module
from typing import Any

from spec.arguments import InputError
from spec.domain import FiniteDomain, Schema, multisets, ordered_data_sets, tables_with_margins
from spec.enclosure import Enclosure
from spec.input_premetric import (
    InputPremetric,
    Neighbors,
    Order,
    deletion_distance,
    hamming_ordered,
    hamming_unordered,
    neighbor_premetric,
    pull_back,
    sharpen,
    symmetric_difference,
)
from spec.law import Law
from spec.loss import INFINITE, ZERO, Loss
from spec.multiverse import Multiverse, at_most, induced, vacuous
from spec.output_premetrics import (
    ApproximateMultiplicative,
    Multiplicative,
    NormalizedRenyi,
    TotalVariation,
    Tradeoff,
    hockey_stick,
)
from spec.permutation_swapping import largest_stratum, psa_budget, swapping_flavor, swapping_invariants
from spec.rational_function import SYMBOL, RationalFunction
from spec.specification import ConstraintMatrix, Flavor, Specification
from spec.tables import contingency_tables, count_tables
from spec.zcdp import zcdp_to_approximate

__all__ = [
    "INFINITE",
    "SYMBOL",
    "ZERO",
    "ApproximateMultiplicative",
    "ConstraintMatrix",
    "Enclosure",
    "FiniteDomain",
    "Flavor",
    "InputError",
    "InputPremetric",
    "Law",
    "Loss",
    "Multiplicative",
    "Multiverse",
    "Neighbors",
    "NormalizedRenyi",
    "Order",
    "RationalFunction",
    "Schema",
    "Specification",
    "TotalVariation",
    "Tradeoff",
    "at_most",
    "contingency_tables",
    "count_tables",
    "deletion_distance",
    "hamming_ordered",
    "hamming_unordered",
    "hockey_stick",
    "induced",
    "largest_stratum",
    "multisets",
    "neighbor_premetric",
    "ordered_data_sets",
    "psa_budget",
    "pull_back",
    "sharpen",
    "swapping_flavor",
    "swapping_invariants",
    "symbolic",
    "symmetric_difference",
    "tables_with_margins",
    "vacuous",
    "zcdp_to_approximate",
]


def __getattr__(name: str) -> Any:
    if name == "symbolic":
        return import_module("spec.symbolic")
    raise AttributeError(f"module 'spec' has no attribute {name!r}")
