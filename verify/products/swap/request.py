"""What a swap is asked, on one machine and on a cluster alike; what it refuses to write; and what it did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from stirred.mechanisms.tables.manifest import randomness
from stirred.mechanisms.tables.roles import Roles, assign_roles
from stirred.spec.arguments import InputError, exact, integer, positive_integer, probability, shown
from stirred.verify.products.fields import check_fields
from stirred.verify.products.specification import ReleaseSpecification
from stirred.verify.products.swap.specification import SwapFacts, warnings

LEAST_EPSILON, MOST_EPSILON = Fraction(1, 1000), 1000
"""The ε of fibre noise that a run takes."""


@dataclass(frozen=True)
class SwapRequest:
    """What a swap is asked: the options of `stirred swap`, which its help explains, by the same names.

    Attributes:
        memory: bytes within which the records are swapped in parts, or all of them; None for the cheaper way.
    """

    file: str
    swap: Sequence[str]
    swap_rate: Fraction | None = None
    epsilon: Fraction | None = None
    match: Sequence[str] = ()
    hold: Sequence[str] | None = None
    id: str | None = None
    count: str | None = None
    nulls: Literal["refuse", "category"] = "refuse"
    resolution: str = "record"
    output: str | None = None
    microdata: str | None = None
    claim: str | None = None
    certify: bool = False
    allow_determined: bool = False
    memory: int | Literal["all"] | None = None
    work: str | None = None
    buckets: int | None = None
    master: str | None = None
    bucket_records: int | None = None
    seed: int | None = None

    def __post_init__(self) -> None:
        check_fields(self)
        if not self.swap:
            raise InputError("--swap must name at least one column; got none")
        if self.swap_rate is not None:
            probability("--swap-rate", self.swap_rate)
        if self.epsilon is not None and not LEAST_EPSILON <= exact("--epsilon", self.epsilon) <= MOST_EPSILON:
            raise InputError(f"--epsilon must be from {LEAST_EPSILON} to {MOST_EPSILON}; got {shown(self.epsilon)}")
        if self.seed is not None:
            integer("--seed", self.seed, minimum=0)
        for option in ("buckets", "bucket_records", "memory"):
            if isinstance(value := getattr(self, option), int):
                positive_integer(f"--{option.replace('_', '-')}", value)
        for is_wrong, one, other in (
            (self.swap_rate is not None and self.epsilon is not None, "--swap-rate", "--epsilon"),
            (self.certify and self.epsilon is not None, "--certify", "--epsilon"),
            (self.microdata and self.count, "--microdata", "--count"),
        ):
            if is_wrong:
                raise InputError(f"{one} cannot be combined with {other}")
        if self.writes and self.swap_rate is None and self.epsilon is None:
            raise InputError("--output and --microdata require --swap-rate or --epsilon")

    @property
    def writes(self) -> bool:
        """Whether records or their table are to be written."""
        return bool(self.output or self.microdata)

    def roles(self, names: Sequence[str]) -> Roles:
        """The roles of the columns with these names; a column that cannot have its role is refused."""
        return assign_roles(
            self.file,
            names,
            matching=self.match,
            swapping=self.swap,
            holding=self.hold,
            identifier=self.id,
            count=self.count,
        )

    def setting(self) -> dict[str, object]:
        """The swap rate, or ε, as it is stated."""
        return {"swap_rate": str(self.swap_rate)} if self.epsilon is None else {"epsilon": str(self.epsilon)}

    def stated(self) -> dict[str, object]:
        """What the manifest says of the run beside its data."""
        drawn = {"resolution": self.resolution, "nulls": self.nulls, "randomness": randomness(self.seed)}
        return {**self.setting(), **drawn}

    def refuse_release(self, facts: SwapFacts) -> None:
        """Refuse to write records as they are, and what no finite budget covers, where something is written."""
        if not self.writes:
            return
        if facts.rate is not None and facts.budget.is_infinite:
            how = "no record moves" if facts.rate == 0 else "every record moves"
            raise InputError(
                f"--swap-rate must be between 0 and 1, exclusive, for a release; got {facts.rate}, where {how} and the "
                "loss is infinite: the tables ((1, 0), (0, 1)) and ((0, 1), (1, 0)) of one universe have no output in "
                "common"
            )
        if facts.determined_records == facts.records and not self.allow_determined:
            raise InputError(
                f"{self.file}: must have a stratum of two holding and two swapping categories to be swapped; here the "
                f"invariants determine the data in each of {facts.strata} strata, and the output would be the input: "
                "match fewer columns, or say --allow-determined"
            )


@dataclass(frozen=True)
class SwapOutcome:
    """What a swap did.

    Attributes:
        written: the files, each with the cells of a table where they were counted.
    """

    request: SwapRequest
    facts: SwapFacts
    specification: ReleaseSpecification
    written: Mapping[str, int | None]
    identifying: Sequence[str] = ()

    def warnings(self) -> Iterator[str]:
        """What a person should know."""
        if self.written and self.request.seed is not None:
            yield "swapped with a seed: whoever knows it can undo the swap"
        yield from warnings(self.facts, self.identifying)
