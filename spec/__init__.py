"""What is claimed: exact definitions of differential-privacy specifications, their symbolic forms, and the claims.

Reading order: `loss`, `law`, the five blocks (`domain`, `multiverse`, `input_premetric`, `output_premetric`,
`specification`), `permutation_swapping`, `claims`; `intervals`, pure DP in the words of imprecise probability.
Names are loaded on first use: no command loads what it does not need, and only `spec.symbolic` needs sympy.
"""

from typing import TYPE_CHECKING

from stirred.spec.first_use import on_first_use

if TYPE_CHECKING:
    from stirred.spec.arguments import InputError
    from stirred.spec.blocks.domain import FiniteDomain, Schema, multisets, ordered_data_sets, tables_with_margins
    from stirred.spec.blocks.input_premetric import (
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
    from stirred.spec.blocks.multiverse import Multiverse, at_most, induced, vacuous
    from stirred.spec.blocks.specification import ConstraintMatrix, Flavor, Specification
    from stirred.spec.blocks.tables import contingency_tables, count_tables
    from stirred.spec.budgets.loss import INFINITE, ZERO, Loss
    from stirred.spec.budgets.zcdp import zcdp_to_approximate
    from stirred.spec.flavors.permutation_swapping import (
        largest_stratum,
        psa_budget,
        swapping_flavor,
        swapping_invariants,
    )
    from stirred.spec.laws.law import Law
    from stirred.spec.numbers.enclosure import Enclosure
    from stirred.spec.numbers.rational_function import SYMBOL, RationalFunction
    from stirred.spec.output_premetrics import (
        ApproximateMultiplicative,
        ChiSquared,
        GaussianTradeoff,
        KullbackLeibler,
        Multiplicative,
        NormalizedRenyi,
        Renyi,
        SquaredHellinger,
        TotalVariation,
        Tradeoff,
        hockey_stick,
    )

__all__ = [
    "INFINITE",
    "SYMBOL",
    "ZERO",
    "ApproximateMultiplicative",
    "ChiSquared",
    "ConstraintMatrix",
    "Enclosure",
    "FiniteDomain",
    "Flavor",
    "GaussianTradeoff",
    "InputError",
    "InputPremetric",
    "KullbackLeibler",
    "Law",
    "Loss",
    "Multiplicative",
    "Multiverse",
    "Neighbors",
    "NormalizedRenyi",
    "Order",
    "RationalFunction",
    "Renyi",
    "Schema",
    "Specification",
    "SquaredHellinger",
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


_HOMES = {
    "stirred.spec.arguments": ("InputError",),
    "stirred.spec.blocks.domain": (
        "FiniteDomain",
        "Schema",
        "multisets",
        "ordered_data_sets",
        "tables_with_margins",
    ),
    "stirred.spec.numbers.enclosure": ("Enclosure",),
    "stirred.spec.blocks.input_premetric": (
        "InputPremetric",
        "Neighbors",
        "Order",
        "deletion_distance",
        "hamming_ordered",
        "hamming_unordered",
        "neighbor_premetric",
        "pull_back",
        "sharpen",
        "symmetric_difference",
    ),
    "stirred.spec.laws.law": ("Law",),
    "stirred.spec.budgets.loss": (
        "INFINITE",
        "ZERO",
        "Loss",
    ),
    "stirred.spec.blocks.multiverse": (
        "Multiverse",
        "at_most",
        "induced",
        "vacuous",
    ),
    "stirred.spec.output_premetrics": (
        "ApproximateMultiplicative",
        "ChiSquared",
        "GaussianTradeoff",
        "KullbackLeibler",
        "Multiplicative",
        "NormalizedRenyi",
        "Renyi",
        "SquaredHellinger",
        "TotalVariation",
        "Tradeoff",
        "hockey_stick",
    ),
    "stirred.spec.flavors.permutation_swapping": (
        "largest_stratum",
        "psa_budget",
        "swapping_flavor",
        "swapping_invariants",
    ),
    "stirred.spec.numbers.rational_function": (
        "SYMBOL",
        "RationalFunction",
    ),
    "stirred.spec.blocks.specification": (
        "ConstraintMatrix",
        "Flavor",
        "Specification",
    ),
    "stirred.spec.symbolic": ("symbolic",),
    "stirred.spec.blocks.tables": (
        "contingency_tables",
        "count_tables",
    ),
    "stirred.spec.budgets.zcdp": ("zcdp_to_approximate",),
}


if not TYPE_CHECKING:  # a type checker knows the names above, and refuses others
    __getattr__ = on_first_use(globals(), _HOMES)
