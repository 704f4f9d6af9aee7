"""What a product states of its release: five blocks, as it prints them, and the same as a claim file for an audit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

import tomli_w

from stirred.verify.laws.claim.five_blocks import FiveBlocks, StatedBlock


class StatedMeasure(Enum):
    """An output premetric with what a claim calls it, and its budget in an account."""

    PURE = "multiplicative", "D_Mult (pure differential privacy)", "epsilon"
    CONCENTRATED = "normalized_renyi", "D_NoR (zero-concentrated differential privacy)", "rho_squared"

    @property
    def key(self) -> str:
        """The key of a budget in an account."""
        return self.value[2]


class Distance(Enum):
    """An input premetric with its symbol, and what an account calls its neighbours."""

    REPLACED = "hamming_unordered", "d_HamS", "bounded"
    ADDED = "symmetric_difference", "d_SymDiff", "unbounded"
    CHANGED = "changed_units", "changed units", "bounded"


@dataclass(frozen=True)
class AccountClaim:
    """The claim that parts with budgets of their own add up."""

    invariants: Sequence[str]
    total: str
    releases: Mapping[str, str]
    post_processed: Sequence[str] = ()


@dataclass(frozen=True)
class BlocksClaim:
    """The claim of a mechanism that the auditor knows."""

    multiverse: Mapping[str, object]
    budget: Mapping[str, object]
    mechanism: Mapping[str, object]


@dataclass(frozen=True)
class ReleaseSpecification:
    """The specification of a release."""

    id: str
    statement: str
    domain: str
    multiverse: str
    distance: Distance
    resolution: str
    measure: StatedMeasure
    budget: str
    claim: AccountClaim | BlocksClaim | None = None
    note: str = ""

    @property
    def blocks(self) -> FiveBlocks:
        """The five blocks."""
        note = f" ({self.note})" if self.note else ""
        return FiveBlocks(
            domain=StatedBlock(self.domain),
            multiverse=StatedBlock(self.multiverse),
            input_premetric=StatedBlock(f"{self.distance.value[1]}, resolution: {self.resolution}{note}"),
            output_premetric=StatedBlock(self.measure.value[1]),
            budget=StatedBlock(self.budget),
        )

    def text(self) -> str:
        """One line for each block."""
        return self.blocks.text()

    def claim_text(self) -> str:
        """A claim file that says the same for `stirred audit`."""
        head = {"id": self.id, "statement": self.statement}
        tables = self._account(self.claim) if isinstance(self.claim, AccountClaim) else self._tables()
        return tomli_w.dumps(head | tables)

    def _account(self, account: AccountClaim) -> dict[str, object]:
        key = self.measure.key
        return {
            "account": {
                "domain": self.domain,
                "invariants": list(account.invariants),
                "neighbors": self.distance.value[2],
                "unit": self.resolution,
                **({"post_processed": list(account.post_processed)} if account.post_processed else {}),
                "total": account.total,
                "releases": [{"name": name, key: budget} for name, budget in account.releases.items()],
            }
        }

    def _tables(self) -> dict[str, object]:
        claim = self.claim if isinstance(self.claim, BlocksClaim) else BlocksClaim({}, {}, {})
        return {
            "domain": {"description": self.domain},
            "multiverse": claim.multiverse,
            "input_premetric": {"name": self.distance.value[0], "resolution": self.resolution},
            "output_premetric": {"name": self.measure.value[0]},
            "budget": claim.budget,
            "mechanism": claim.mechanism,
        }
