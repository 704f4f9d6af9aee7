"""What an exhaustive audit has found: the smallest budget of a mechanism on a finite domain."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from stirred.mechanisms.interpreters.choice_tree import ChoiceTree
from stirred.spec.laws.law import Law
from stirred.verify.claim.budget import ClaimedBudget
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict


@dataclass(frozen=True)
class Exhaustion(ABC):
    """The smallest budget of a mechanism on a finite domain, found by comparing every pair in every universe.

    Attributes:
        smallest: the smallest budget that covers every universe.
        where: the pair of data sets that needs it, in words.
        scope: what was compared.
        settles: the verdict on the smallest budget: `ENCLOSED` where it is known between two ends only.
    """

    settles: ClassVar[Verdict] = Verdict.EXHAUSTED
    smallest: Any
    where: str
    scope: str

    @property
    def finding(self) -> Evidence:
        """The smallest budget as evidence."""
        place = f", needed by {self.where}" if self.where else ""
        return Evidence(self.settles, self.scope, f"the smallest budget is {self._number}{place}")

    @property
    def needed(self) -> str:
        """The smallest budget, and the pair that needs it, in words."""
        return f"{self._number}{', by ' if self.where else ''}{self.where}"

    @property
    def _number(self) -> str:
        return "infinite" if self.smallest is None else str(self.smallest)

    @property
    def compared(self) -> ComparedLaws | None:
        """The exact laws of every data set, compared pair by pair; None where the budget follows from less."""
        return None

    @property
    def laws(self) -> Mapping[Any, Law[Any]] | None:
        """The law of every data set; None where the budget follows from less."""
        return None if self.compared is None else self.compared.laws

    @property
    def trees(self) -> Callable[[Any], ChoiceTree] | None:
        """The choice tree of each data set's law, where the mechanism is the user's own and was followed."""
        return None

    @property
    def needing(self) -> tuple[Any, Any] | None:
        """The pair of data sets that needs the smallest budget, where an event shows it."""
        return None

    @abstractmethod
    def test(self, budget: ClaimedBudget) -> Evidence:
        """Whether the claimed budget is met: settled, or REFUTED with a witness; else OPEN."""
