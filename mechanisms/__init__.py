"""How data are released: one program per mechanism, written once against `Source`, with three interpreters.

`reading` follows the source of a function that draws otherwise, along each of its paths.
"""

from stirred.mechanisms.interpreters.exact_law import exact_law as exact_law
from stirred.mechanisms.interpreters.sampling import replay as replay
from stirred.mechanisms.interpreters.sampling import sample as sample
from stirred.mechanisms.kernel import constant as constant
from stirred.mechanisms.kernel import identity as identity
from stirred.mechanisms.kernel import kernel as kernel
from stirred.mechanisms.kernel import peeking_constant as peeking_constant
from stirred.mechanisms.kernel import release_invariants as release_invariants
from stirred.mechanisms.noise.discrete_gaussian import diagonal_discrete_gaussian as diagonal_discrete_gaussian
from stirred.mechanisms.noise.discrete_gaussian import discrete_gaussian as discrete_gaussian
from stirred.mechanisms.noise.geometric import clamped_geometric as clamped_geometric
from stirred.mechanisms.noise.geometric import truncated_geometric as truncated_geometric
from stirred.mechanisms.noise.randomized_response import randomized_response as randomized_response
from stirred.mechanisms.source import Source as Source
from stirred.mechanisms.swapping.permutation_counts import psa_law as psa_law
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping as permutation_swapping
from stirred.mechanisms.swapping.permutation_swapping import psa_law_by_choices as psa_law_by_choices
from stirred.mechanisms.swapping.permutation_swapping import saturated_table as saturated_table
from stirred.spec.laws.law import Law as Law
