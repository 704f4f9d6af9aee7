"""What a swap is asked, on one machine and on a cluster alike; what it refuses to write; and what it did."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, Literal
from unicodedata import normalize

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
        persons: the file of the persons who are carried along with their households, which are the records.
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
    persons: str | None = None
    by: str | None = None
    persons_output: str | None = None
    id_prefix: str | None = None

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
        check_persons(self)
        if self.persons and (self.memory not in (None, "all") or self.count):
            raise InputError(f"--persons cannot be combined with {'--count' if self.count else '--memory'}")
        if self.persons and self.id not in (None, self.by):
            raise InputError(f"--id and --by must be one column; got {self.id} and {self.by}")
        if self.writes and self.swap_rate is None and self.epsilon is None:
            raise InputError("--output and --microdata require --swap-rate or --epsilon")

    @property
    def unit(self) -> str:
        """What one record is: a household, where persons are carried along, unless it is said."""
        return "household" if self.persons and self.resolution == "record" else self.resolution

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
            identifier=self.id or self.by,
            count=self.count,
        )

    def setting(self) -> dict[str, object]:
        """The swap rate, or ε, as it is stated."""
        return {"swap_rate": str(self.swap_rate)} if self.epsilon is None else {"epsilon": str(self.epsilon)}

    def stated(self) -> dict[str, object]:
        """What the manifest says of the run beside its data."""
        drawn = {"resolution": self.unit, "nulls": self.nulls, "randomness": randomness(self.seed)}
        return {**self.setting(), **drawn}

    def refuse_release(self, facts: SwapFacts) -> None:
        """Refuse to write records as they are, and what no finite budget covers, where something is written."""
        if not self.writes:
            return
        for one in facts.dependences:
            if self.persons is None and one.is_of_households(self.swap):
                raise InputError(
                    f"{self.file}: {one.columns[0]} determines {' x '.join(self.swap)} in groups of few records, as "
                    "the id of a household does among its persons: swap a table with a line for each household, and "
                    f"carry these along: --persons {self.file} --by {one.columns[0]}"
                )
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


def check_persons(request: Any) -> None:
    """Refuse some of the options of persons without the others."""
    given = {option: getattr(request, option) for option in ("persons", "by", "persons_output")}
    if any(given.values()):
        needed = [f"--{option.replace('_', '-')}" for option, value in given.items() if not value]
        needed += [] if request.microdata else ["--microdata"]
        if needed:
            raise InputError(f"persons are carried along only with {', '.join(needed)}")


def claim_id(prefix: str | None, *files: str | None) -> str:
    """The id of the claim about a release: by the prefix, else by the name of the first file that is given.

    >>> claim_id(None, None, "out/homes 2021.csv"), claim_id("office", "swap.toml")
    ('homes-2021.release', 'office.release')
    >>> claim_id(None, "échange.toml")
    'echange.release'
    """
    named = prefix or next((Path(file).stem for file in files if file), "swap")
    letters = normalize("NFKD", named).encode("ascii", "ignore").decode() if prefix is None else named
    words = re.findall("[A-Za-z0-9]+(?:[._-][A-Za-z0-9]+)*", letters)
    if prefix is not None and words != [prefix]:
        raise InputError(f"--id-prefix must be letters and digits with '.', '_' and '-' between them; got {prefix!r}")
    return f"{'-'.join(words) or 'claim'}.release"


@dataclass(frozen=True)
class SwapOutcome:
    """What a swap did.

    Attributes:
        written: the files, each with the cells of a table where they were counted.
        persons: how many were carried along.
    """

    request: SwapRequest
    facts: SwapFacts
    specification: ReleaseSpecification
    written: Mapping[str, int | None]
    identifying: Sequence[str] = ()
    persons: int = 0

    def warnings(self) -> Iterator[str]:
        """What a person should know."""
        if self.written and self.request.seed is not None:
            yield "swapped with a seed: whoever knows it can undo the swap"
        yield from warnings(self.facts, self.identifying)
