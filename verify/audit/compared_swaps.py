"""Two claims about swaps of records in words, side by side: roles, what each keeps exactly, sizes and budgets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stirred.mechanisms.catalogue import SWAPPING
from stirred.spec.arguments import InputError
from stirred.spec.flavors.permutation_swapping import psa_budget
from stirred.spec.numbers.enclosure import Enclosure
from stirred.verify.audit.block_comparison import ComparedFinding
from stirred.verify.audit.swap_theorems import budget_by_theorem, swap_theorem
from stirred.verify.audit.swapped.stated import LINE_BY_LINE, SwapColumns, claimed_columns
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import claimed_epsilon
from stirred.verify.laws.claim.claim import PrivacyClaim

_DIGITS = 60


@dataclass(frozen=True)
class SwapDesign:
    """One of the claims: how records are swapped.

    Attributes:
        budget: ε in nats; None where it is infinite.
        lines: whether the records themselves are released, each with all but its swapped values.
    """

    built: PrivacyClaim
    columns: SwapColumns
    budget: Enclosure | None
    lines: bool

    @property
    def kept(self) -> tuple[frozenset[str], ...]:
        """The columns whose joint counts are kept exactly."""
        columns = self.columns
        return (
            frozenset((*columns.matching, *columns.holding)),
            frozenset((*columns.matching, *columns.swapping)),
        )

    def keeps(self, names: frozenset[str], *, of_lines: bool) -> bool:
        """Whether these joint counts, or the lines of these columns, follow from what is kept."""
        if self.lines and not names & set(self.columns.swapping):
            return True
        return not of_lines and any(names <= one for one in self.kept)

    def lies_in(self, other: SwapDesign) -> bool:
        """Whether each universe of this claim lies in one of the other: it keeps all that the other keeps."""
        held, swapped = other.kept
        others_too = not other.lines or set(self.columns.swapping) <= set(other.columns.swapping)
        return others_too and self.keeps(held, of_lines=other.lines) and self.keeps(swapped, of_lines=False)


def swap_design(built: PrivacyClaim) -> SwapDesign | None:
    """A claim as a design; None where it is not about a swap of records in words."""
    mechanism = built.mechanism
    if mechanism is None or built.kind is not None or swap_theorem(built, mechanism) is None:
        return None
    columns = claimed_columns(built)
    if columns is None:
        raise InputError(f"{mechanism.place}: must name the columns by their role to be compared, as stirred swap does")
    if len(built.cases) != 1:
        raise InputError(f"{mechanism.place}: must have one swap rate to be compared; got {len(built.cases)}")
    (case,) = built.cases
    if case.budget is None:
        raise InputError(f"{built.id}: must state a budget in numbers to be compared")
    budget = _epsilon(built, case.budget)
    return SwapDesign(built, columns, budget, LINE_BY_LINE in built.words.get("multiverse", ""))


def _epsilon(built: PrivacyClaim, budget: ClaimedBudget) -> Enclosure | None:
    (case,) = built.cases
    if budget.is_formula and budget.epsilon is None and built.largest_stratum is not None:
        formula = psa_budget(built.largest_stratum, case.setting["swap_rate"])
        return None if formula.is_infinite else formula.epsilon(_DIGITS)
    infinite = budget.epsilon is None and (budget.loss is None or budget.loss.is_infinite)
    return None if infinite else claimed_epsilon(budget)


def compare_swaps(first: SwapDesign, second: SwapDesign) -> Iterator[ComparedFinding]:
    """What differs, which universes lie in which, whose budget is smaller, and whether each is met by its theorem."""
    names = first.built.id, second.built.id
    both = f"the claims {names[0]} and {names[1]}"
    unlike = first.columns.unlike(second.columns)
    said = "; ".join(f"{name}: {_roles(one)}" for name, one in zip(names, (first, second), strict=True))
    differ = f"{', '.join(unlike) or 'no column'} {'differ' if len(unlike) > 1 else 'differs'} in role"
    yield ComparedFinding("roles", Evidence(Verdict.EXHAUSTED, both, f"{differ}; {said}"))
    yield ComparedFinding("settings", Evidence(Verdict.EXHAUSTED, both, "; ".join(map(_setting, (first, second)))))
    inside = first.lies_in(second), second.lies_in(first)
    yield ComparedFinding("universes", Evidence(Verdict.EXHAUSTED, both, _universes(names, inside)))
    yield ComparedFinding("budgets", Evidence(Verdict.EXHAUSTED, both, _budgets(names, first, second)))
    yield ComparedFinding("order", _order(first, second, inside, both), decides=False, is_fact=False)
    for one in (first, second):
        (case,), mechanism = one.built.cases, one.built.mechanism
        if case.budget is not None and mechanism is not None:
            met = budget_by_theorem(one.built, mechanism, case, case.budget)
            if met is not None:
                yield ComparedFinding(f"budget.{one.built.id}", met, is_fact=False)


def _roles(one: SwapDesign) -> str:
    columns = one.columns
    parts = (("matching", columns.matching), ("holding", columns.holding), ("swapping", columns.swapping))
    lines = ", each line released" if one.lines else ""
    return ", ".join(f"{role} {' x '.join(names) or 'nothing'}" for role, names in parts) + lines


def _setting(one: SwapDesign) -> str:
    (case,), mechanism = one.built.cases, one.built.mechanism
    described = "" if mechanism is None else mechanism.described(case.setting)
    is_psa = mechanism is not None and mechanism.name == SWAPPING
    return f"{one.built.id}: {described}{f', b = {one.built.largest_stratum}' if is_psa else ''}"


def _universes(names: tuple[str, str], inside: tuple[bool, bool]) -> str:
    if inside == (True, True):
        return "both keep the same counts exactly: their universes are one"
    if any(inside):
        fine, wide = names if inside[0] else names[::-1]
        return (
            f"each universe of {fine} lies in one of {wide}: {fine} releases more exactly, and its budget speaks of "
            "fewer pairs of data sets"
        )
    return "neither keeps all that the other keeps: their budgets speak of different pairs of data sets"


def _budgets(names: tuple[str, str], first: SwapDesign, second: SwapDesign) -> str:
    texts = ["infinite" if one.budget is None else one.budget.text(8) for one in (first, second)]
    said = f"epsilon is {texts[0]} in {names[0]} and {texts[1]} in {names[1]}"
    smaller = _at_most(first, second), _at_most(second, first)
    if smaller[0] == smaller[1]:
        return said if first.budget is None else f"{said}: {'equal' if smaller[0] else f'alike to {_DIGITS} digits'}"
    return f"{said}: {names[0] if smaller[0] else names[1]} states the smaller one"


def _at_most(first: SwapDesign, second: SwapDesign) -> bool:
    """Whether the first budget is at most the second, for certain."""
    if second.budget is None or first.budget is None:
        return second.budget is None
    return first.budget == second.budget or first.budget.upper <= second.budget.lower


def _order(first: SwapDesign, second: SwapDesign, inside: tuple[bool, bool], scope: str) -> Evidence:
    """Which specification follows from the other: the same flavor but for larger universes, and no larger a budget."""
    one, other = first.built, second.built
    if (one.input_premetric, one.output_premetric) != (other.input_premetric, other.output_premetric):
        detail = "not compared: the premetrics or the units differ, and so what a budget counts"
        return Evidence(Verdict.OPEN, scope, detail)
    if inside[1] and _at_most(first, second):
        return Evidence(Verdict.EXHAUSTED, scope, f"whatever satisfies {one.id} satisfies {other.id}")
    if inside[0] and _at_most(second, first):
        return Evidence(Verdict.EXHAUSTED, scope, f"whatever satisfies {other.id} satisfies {one.id}")
    return Evidence(Verdict.OPEN, scope, "neither specification is shown to follow from the other")
