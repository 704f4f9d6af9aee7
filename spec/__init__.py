"""What is claimed: exact definitions of differential-privacy specifications, and their symbolic forms.

Reading order: `budgets.loss`, `laws.law`, the five blocks (`blocks`, `output_premetrics`), `flavors`; `intervals`, pure
DP in the words of imprecise probability.
Names are loaded on first use: no command loads what it does not need, and only `spec.symbolic` needs sympy.
"""

from typing import TYPE_CHECKING

from stirred.spec.first_use import on_first_use

if TYPE_CHECKING:
    from stirred.spec.arguments import InputError as InputError
    from stirred.spec.blocks.domain import FiniteDomain as FiniteDomain
    from stirred.spec.blocks.domain import Schema as Schema
    from stirred.spec.blocks.domain import multisets as multisets
    from stirred.spec.blocks.domain import ordered_data_sets as ordered_data_sets
    from stirred.spec.blocks.domain import tables_with_margins as tables_with_margins
    from stirred.spec.blocks.input_premetric import InputPremetric as InputPremetric
    from stirred.spec.blocks.input_premetric import Neighbors as Neighbors
    from stirred.spec.blocks.input_premetric import Order as Order
    from stirred.spec.blocks.input_premetric import deletion_distance as deletion_distance
    from stirred.spec.blocks.input_premetric import hamming_ordered as hamming_ordered
    from stirred.spec.blocks.input_premetric import hamming_unordered as hamming_unordered
    from stirred.spec.blocks.input_premetric import neighbor_premetric as neighbor_premetric
    from stirred.spec.blocks.input_premetric import pull_back as pull_back
    from stirred.spec.blocks.input_premetric import sharpen as sharpen
    from stirred.spec.blocks.input_premetric import symmetric_difference as symmetric_difference
    from stirred.spec.blocks.multiverse import Multiverse as Multiverse
    from stirred.spec.blocks.multiverse import at_most as at_most
    from stirred.spec.blocks.multiverse import induced as induced
    from stirred.spec.blocks.multiverse import vacuous as vacuous
    from stirred.spec.blocks.specification import ConstraintMatrix as ConstraintMatrix
    from stirred.spec.blocks.specification import Flavor as Flavor
    from stirred.spec.blocks.specification import Specification as Specification
    from stirred.spec.blocks.tables import contingency_tables as contingency_tables
    from stirred.spec.blocks.tables import count_tables as count_tables
    from stirred.spec.budgets.loss import INFINITE as INFINITE
    from stirred.spec.budgets.loss import ZERO as ZERO
    from stirred.spec.budgets.loss import Loss as Loss
    from stirred.spec.budgets.zcdp import zcdp_to_approximate as zcdp_to_approximate
    from stirred.spec.flavors.permutation_swapping import largest_stratum as largest_stratum
    from stirred.spec.flavors.permutation_swapping import psa_budget as psa_budget
    from stirred.spec.flavors.permutation_swapping import swapping_flavor as swapping_flavor
    from stirred.spec.flavors.permutation_swapping import swapping_invariants as swapping_invariants
    from stirred.spec.laws.law import Law as Law
    from stirred.spec.numbers.enclosure import Enclosure as Enclosure
    from stirred.spec.numbers.rational_function import SYMBOL as SYMBOL
    from stirred.spec.numbers.rational_function import RationalFunction as RationalFunction
    from stirred.spec.output_premetrics import ApproximateMultiplicative as ApproximateMultiplicative
    from stirred.spec.output_premetrics import ChiSquared as ChiSquared
    from stirred.spec.output_premetrics import GaussianTradeoff as GaussianTradeoff
    from stirred.spec.output_premetrics import KullbackLeibler as KullbackLeibler
    from stirred.spec.output_premetrics import Multiplicative as Multiplicative
    from stirred.spec.output_premetrics import NormalizedRenyi as NormalizedRenyi
    from stirred.spec.output_premetrics import Renyi as Renyi
    from stirred.spec.output_premetrics import SquaredHellinger as SquaredHellinger
    from stirred.spec.output_premetrics import TotalVariation as TotalVariation
    from stirred.spec.output_premetrics import Tradeoff as Tradeoff
    from stirred.spec.output_premetrics import hockey_stick as hockey_stick
else:
    __getattr__, __dir__, __all__ = on_first_use(globals())
