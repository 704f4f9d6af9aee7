"""What is known of counts of any size, for claims on a domain in words: the smallest δ of one record, at every ε.

A table of disjoint cells is meant: a record that is added or removed changes one count by one, and cells are changed
independently, by draws or by the sums of independent uniform keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from stirred.mechanisms.catalogue import CELL_KEY, ROUNDING
from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.mechanisms.noise.random_rounding import random_rounding
from stirred.spec.laws.law import Law
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.output_premetrics import ApproximateMultiplicative, Multiplicative, OutputPremetric
from stirred.verify.audit.exhaust.found import claimed
from stirred.verify.audit.refutation import WorstPair, worst_pair
from stirred.verify.engines.cell_key import count_curve, curve_text, shown_delta
from stirred.verify.engines.smallest_delta import delta_text
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.theorems import cited, proved
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import claimed_epsilon, loss_bounds
from stirred.verify.laws.claim.claim import Case, PrivacyClaim
from stirred.verify.laws.claim.mechanism import ClaimedMechanism

_RECORD = "rounding.one-record"
_PROVING = ("random_rounding.rounding_record", "random_rounding.rounding_least")
_PREMETRIC = "neighbors_add_remove_unordered"
_CELLS = "one table of disjoint cells; assumes that which cells are listed does not depend on the records"
_EVERY_COUNT = f"every count: the rows of the p-table are finitely many; {_CELLS}"


def count_theorem(built: PrivacyClaim, mechanism: ClaimedMechanism) -> Evidence | None:
    """What is known of the counts; OPEN in another flavor; None of other mechanisms."""
    if mechanism.name not in _NEEDED:
        return None
    differs = []
    if not isinstance(built.output_premetric, (ApproximateMultiplicative, Multiplicative)):
        differs.append("the output premetric is approximate_multiplicative")
    if built.input_premetric[0] != _PREMETRIC:
        differs.append(f"the input premetric is {_PREMETRIC}")
    if differs:
        return Evidence(Verdict.OPEN, _CELLS, f"what one record needs is known only where {'; '.join(differs)}")
    return _NEEDED[mechanism.name](built.cases[0].setting).evidence


def count_budget(
    built: PrivacyClaim, mechanism: ClaimedMechanism, case: Case, budget: ClaimedBudget
) -> Evidence | None:
    """Whether the claimed ε and δ are enough for one record; None of other mechanisms."""
    known = count_theorem(built, mechanism)
    if known is None or known.verdict is Verdict.OPEN:
        return known
    measure = built.output_premetric
    delta = measure.delta if isinstance(measure, ApproximateMultiplicative) else Fraction(0)
    if budget.loss is not None and budget.loss.is_infinite:
        return Evidence(Verdict.EXHAUSTED, known.scope, f"{claimed(budget)} bounds nothing")
    needing = _NEEDED[mechanism.name](case.setting)
    needed = needing.smallest(claimed_epsilon(budget))
    shown = shown_delta(needed.lower if needed.lower == needed.upper else needed)
    said = f"delta = {delta_text(delta)} at the {claimed(budget)}"
    if needed.upper <= delta:
        return Evidence(known.verdict, known.scope, f"{said} is enough: one record needs delta {shown}")
    if needed.lower <= delta:
        return Evidence(Verdict.OPEN, known.scope, f"{said} and what is needed, {shown}, agree to 20 digits")
    detail = f"{said}, where one record needs delta {shown}"
    if built.invariants or not built.gives_universes or built.lists_universes or built.words["multiverse"]:
        remedy = "two counts refute it only where the multiverse is invariants = [] and no words"
        return Evidence(Verdict.OPEN, known.scope, f"not shown: {detail}; {remedy}")
    for low in needing.counts:
        pair = _neighbours(low, needing.law, ApproximateMultiplicative(delta))
        loss = pair.measure.distance(*pair.laws)
        for _, bound in loss_bounds(budget):
            if loss > bound:
                scope = f"{known.scope}, and that a cell can hold {low} records and {low + 1}{needing.others}"
                return Evidence(
                    Verdict.REFUTED, scope, f"{detail}; {pair.sentence(bound, budget)}", pair.witness(bound)
                )
    return Evidence(Verdict.OPEN, known.scope, f"not shown: {detail}")


def _neighbours(low: int, law: Callable[[int], Law[int]], measure: OutputPremetric) -> WorstPair:
    """One cell with so many records, and with one more."""
    counts = [(("a record",),) * count for count in (low, low + 1)]
    return worst_pair({cell: law(len(cell)) for cell in counts}, measure, (counts[0], counts[1]), lambda *_: 1)


@dataclass(frozen=True)
class _Needed:
    """What one record needs, of counts of any size.

    Attributes:
        smallest: the smallest δ at ε.
        counts: the smaller one of each pair of neighbours that can need it.
        law: of what is released of a count.
        others: further neighbours that need the same, in words: one of these pairs must be in the domain.
    """

    smallest: Callable[[Enclosure], Enclosure]
    evidence: Evidence
    counts: Iterable[int]
    law: Callable[[int], Law[int]]
    others: str = ""


def _of_p_table(setting: Mapping[str, Any]) -> _Needed:
    table = setting["table"]
    counts = count_curve(table)

    def smallest(epsilon: Enclosure) -> Enclosure:
        ends = [counts.curve.delta_at(end) for end in (epsilon.upper, epsilon.lower)]
        return Enclosure(ends[0].lower, ends[1].upper)

    found = Evidence(Verdict.DECIDED, _EVERY_COUNT, f"one count needs {curve_text(counts)}")
    return _Needed(smallest, found, counts.curves, table.law)


def _of_rounding(setting: Mapping[str, Any]) -> _Needed:
    base = setting["base"]
    least = Fraction(1, base)
    scope = f"{proved(cited(_RECORD, _PROVING), 'all bases and counts').scope}; {_CELLS}"
    found = Evidence(Verdict.PROVED, scope, f"{_RECORD}: one record needs delta = {least} at every epsilon")
    others = f", or another multiple of {base} and one record more or fewer"
    return _Needed(
        lambda _: Enclosure(least, least),
        found,
        (0,),
        lambda count: exact_law(random_rounding, count, base=base),
        others,
    )


_NEEDED: Mapping[str, Callable[[Mapping[str, Any]], _Needed]] = {CELL_KEY: _of_p_table, ROUNDING: _of_rounding}
