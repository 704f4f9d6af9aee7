"""The mechanisms that a claim file may name: each row has the program, its parameters, and how it reads a data set."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Any

from stirred.mechanisms.kernel import constant, identity, kernel, peeking_constant, release_invariants
from stirred.mechanisms.noise.cell_key import cell_key
from stirred.mechanisms.noise.fibre_noise import fibre_noise
from stirred.mechanisms.noise.geometric import clamped_geometric, truncated_geometric
from stirred.mechanisms.noise.random_rounding import random_rounding
from stirred.mechanisms.noise.randomized_response import randomized_response
from stirred.mechanisms.swapping.permutation_counts import swapped_law
from stirred.mechanisms.swapping.permutation_swapping import SwapRecord, permutation_swapping
from stirred.mechanisms.swapping.targeted_swapping import targeted_swapping
from stirred.spec.arguments import InputError
from stirred.spec.laws.law import Law

SWAPPING = "permutation-swapping"
FIBRE_NOISE = "fibre-noise"
PAIRS = "pairs-2010"
TARGETED = "targeted-swapping"
KERNEL = "kernel"
CELL_KEY = "cell-key"
ROUNDING = "random-rounding"
COMPOSITION = "composition"

ROLES = ("matching", "holding", "swapping")
"""What a variable may be in a swap."""


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
    P_TABLE = "a file beside the claim: a p-table as it is published"
    PROFILES = "lists of variables, the profiles in turn"
    NUMBER = "an integer of at least 0"
    NONNEGATIVE = "a number of at least 0"
    OPTIONS = "options of the command, without their dashes"
    QUERIES = "the variables of the schema that each table is by, [] for the total; without it data sets are counts"


def as_it_is(data: Any) -> Any:
    """The reader of programs that take a claim's data sets as they are."""
    return data


def answers(data: Any) -> tuple[Any, ...]:
    """One answer per record, whether a record is an answer or has it as its only variable."""
    if not isinstance(data, tuple):
        raise InputError(f"data set must be a tuple of answers; got {data!r}")
    return tuple([record[0] if isinstance(record, tuple) and len(record) == 1 else record for record in data])


def counted_records(data: Any) -> tuple[SwapRecord, ...]:
    """The records (m, h, s) that tables of counts by stratum stand for."""
    return tuple(
        (stratum, row, column)
        for stratum, table in enumerate(data)
        for row, cells in enumerate(table)
        for column, count in enumerate(cells)
        for _ in range(count)
    )


@dataclass(frozen=True)
class RecordsByRole:
    """Reads a data set over a schema as records (m, h, s), by the variables in each role; tables without a schema."""

    roles: Mapping[str, Sequence[str]] | None
    variables: Sequence[str] | None

    def __call__(self, data: Any) -> tuple[Any, ...]:
        if self.roles is None or self.variables is None:
            return counted_records(data)
        places = [[self.variables.index(name) for name in self.roles[role]] for role in ROLES]
        return tuple(tuple(tuple(record[place] for place in part) for part in places) for record in data)


@dataclass(frozen=True)
class Named:
    """A mechanism by its name in a claim file.

    Attributes:
        program: a function of what is read, a source and the parameters; None for what only adds budgets up.
        takes: the data sets that it takes, in words.
        parameters: by name.
        read: from a data set of the claim to what the program takes; raises `InputError` where it takes no such.
        read_roles: the same for a program on records with roles, from the variables in each role and all variables.
        takes_invariants: whether the program's parameter `invariants` is the claim's invariants, as one function.
        is_record_wise: whether its output is a tuple with one entry per record, each drawn independently.
        counted: its law on what is read in closed form, for a program whose output is the `saturated_table` of records
            whose swapping values it has exchanged, drawn without regard to any value but the matching ones.
    """

    program: Callable[..., Any] | None
    takes: str
    parameters: Mapping[str, Parameter] = field(default_factory=dict)
    read: Callable[[Any], Any] = as_it_is
    read_roles: Callable[[Any, Any], Callable[[Any], Any]] | None = None
    takes_invariants: bool = False
    is_record_wise: bool = False
    counted: Callable[..., Law[Any]] | None = None


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
        read_roles=RecordsByRole,
        counted=swapped_law,
    ),
    FIBRE_NOISE: Named(
        fibre_noise,
        "tables of counts",
        {"root": Parameter.PROBABILITY, **dict.fromkeys(ROLES, Parameter.VARIABLES)},
        read=counted_records,
    ),
    PAIRS: Named(
        None,
        "households with blocks on a map, in words",
        {
            **dict.fromkeys(ROLES, Parameter.VARIABLES),
            "geography": Parameter.TEXT,
            "flags": Parameter.VARIABLES,
            "setting": Parameter.TEXT,
            "options": Parameter.OPTIONS,
            "swap_rate": Parameter.PROBABILITY,
        },
    ),
    TARGETED: Named(
        targeted_swapping,
        "households with a schema, or in words",
        {
            "hierarchy": Parameter.VARIABLES,
            "similar": Parameter.PROFILES,
            "risk": Parameter.VARIABLES,
            "carry": Parameter.VARIABLES,
            "holding": Parameter.VARIABLES,
            "k_anonymity": Parameter.NUMBER,
            "risk_column": Parameter.TEXT,
            "risk_above": Parameter.NONNEGATIVE,
            "swap_rate": Parameter.PROBABILITY,
        },
    ),
    "randomized-response": Named(
        randomized_response,
        "answers 0 and 1",
        {"flip_probability": Parameter.PROBABILITY},
        read=answers,
        is_record_wise=True,
    ),
    "truncated-geometric": Named(
        truncated_geometric, "integers from 0", {"size": Parameter.SIZE, "ratio": Parameter.PROBABILITY}
    ),
    "clamped-geometric": Named(
        clamped_geometric, "integers from 0", {"size": Parameter.SIZE, "ratio": Parameter.PROBABILITY}
    ),
    ROUNDING: Named(random_rounding, "integers from 0", {"base": Parameter.SIZE}),
    CELL_KEY: Named(
        cell_key,
        "records with a schema; without queries integers from 0, or tuples of them",
        {"table": Parameter.P_TABLE, "queries": Parameter.QUERIES},
    ),
    "identity": Named(identity, "any data sets"),
    "constant": Named(constant, "any data sets", {"value": Parameter.VALUE}),
    "peeking-constant": Named(peeking_constant, "any data sets"),
    "release-invariants": Named(
        release_invariants, "any data sets, with the invariants of the claim", takes_invariants=True
    ),
    KERNEL: Named(kernel, "a finite domain", {"laws": Parameter.LAWS}),
    COMPOSITION: Named(None, "budgets rho^2 that add up", {"parts": Parameter.BUDGETS}),
}
"""By name, in the order in which help and messages list them."""
