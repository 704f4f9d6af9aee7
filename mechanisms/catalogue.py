"""The mechanisms that a claim file may name, with their programs and parameters; help and checks read this table."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from stirred.mechanisms.kernel import constant, identity, kernel, peeking_constant, release_invariants
from stirred.mechanisms.noise.fibre_noise import fibre_noise
from stirred.mechanisms.noise.geometric import clamped_geometric, truncated_geometric
from stirred.mechanisms.noise.randomized_response import randomized_response
from stirred.mechanisms.swapping.permutation_swapping import permutation_swapping

SWAPPING = "permutation-swapping"
FIBRE_NOISE = "fibre-noise"
KERNEL = "kernel"
COMPOSITION = "composition"


class Parameter(Enum):
    """What a parameter is."""

    PROBABILITY = "a number from 0 to 1"
    PROBABILITIES = "numbers from 0 to 1, one for each case"
    SIZE = "an integer of at least 1"
    VALUE = "a plain value; unless given, a text"
    VARIABLES = "names of variables of the schema; of a domain in words, columns of the records"
    COLUMN = "of a domain in words, the column that says how many records a line stands for"
    TEXT = "a text"
    LAWS = "for each data set [data set, [[output, probability], ...]]"
    BUDGETS = "budgets rho^2 by name"


@dataclass(frozen=True)
class Named:
    """A mechanism by its name in a claim file.

    Attributes:
        program: a function of a data set, a source and the parameters; None for what only adds budgets up.
        is_record_wise: whether its output is the tuple of what it says of each record, drawn for each on its own.
        moves_records: whether its output is the `saturated_table` of records whose swapping values it has exchanged,
            drawn without regard to any value but the matching ones.
    """

    program: Callable[..., Any] | None
    takes: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    is_record_wise: bool = False
    moves_records: bool = False


CATALOGUE: Mapping[str, Named] = {
    SWAPPING: Named(
        permutation_swapping,
        "records with a role for each variable, or tables of counts",
        {
            "swap_rate": Parameter.PROBABILITIES,
            "largest_stratum": Parameter.SIZE,
            "matching": Parameter.VARIABLES,
            "holding": Parameter.VARIABLES,
            "swapping": Parameter.VARIABLES,
            "count": Parameter.COLUMN,
            "resolution": Parameter.TEXT,
        },
        moves_records=True,
    ),
    FIBRE_NOISE: Named(fibre_noise, "tables of counts", {"root": Parameter.PROBABILITY}),
    "randomized-response": Named(
        randomized_response, "answers 0 and 1", {"flip_probability": Parameter.PROBABILITY}, is_record_wise=True
    ),
    "truncated-geometric": Named(
        truncated_geometric, "integers from 0", {"size": Parameter.SIZE, "ratio": Parameter.PROBABILITY}
    ),
    "clamped-geometric": Named(
        clamped_geometric, "integers from 0", {"size": Parameter.SIZE, "ratio": Parameter.PROBABILITY}
    ),
    "identity": Named(identity, "any data sets"),
    "constant": Named(constant, "any data sets", {"value": Parameter.VALUE}),
    "peeking-constant": Named(peeking_constant, "any data sets"),
    "release-invariants": Named(release_invariants, "any data sets, with the invariants of the claim"),
    KERNEL: Named(kernel, "a finite domain", {"laws": Parameter.LAWS}),
    COMPOSITION: Named(None, "budgets rho^2 that add up", {"parts": Parameter.BUDGETS}),
}
"""By name, in the order in which help and messages list them."""
