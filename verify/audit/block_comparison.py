"""Two claims about one mechanism, block by block: which blocks make the nominal budget smaller, and by how much."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

from stirred.spec.algebra.recording import lipschitz_factor
from stirred.spec.blocks.specification import Flavor, InputBlocks, Specification
from stirred.spec.budgets.loss import Loss
from stirred.spec.numbers.enclosure import decimal_text
from stirred.spec.output_premetrics import Multiplicative
from stirred.verify.audit.compared_claims import (
    ComparedClaims,
    budget_met,
    middle,
    reading,
    shown,
    transferred,
)
from stirred.verify.audit.weakening import in_pair
from stirred.verify.audit.weakening.detector import ExaminedPair
from stirred.verify.engines.algebra.comparison import MAX_PROGRAM, Decision, stronger
from stirred.verify.engines.algebra.corners import BLOCKS, CLAIMED, HONEST, Corner, average_changes, corner_losses
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.reports import report
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.evidence.witness import jsonable
from stirred.verify.laws.claim.claim import listed_vacuity
from stirred.verify.laws.claim.five_blocks import universes_text

_FILES = {HONEST: "honest", CLAIMED: "claimed"}


@dataclass(frozen=True)
class ComparedFinding:
    """One line of the comparison.

    Attributes:
        decides: whether the exit status depends on it; what a number means decides nothing.
        is_fact: whether it is neither good nor bad: what is so of blocks and losses. Not that a stated budget is met or
            exceeded, that one specification follows from the other, or that this is undecided.
    """

    name: str
    evidence: Evidence
    decides: bool = True
    is_fact: bool = True

    @property
    def finding(self) -> report.Finding:
        """The same as reports have it."""
        evidence, rule = self.evidence, self.name.partition(".")[0]
        return report.Finding(
            f"compare.{self.name}",
            rule,
            evidence.verdict,
            evidence.detail,
            evidence.scope,
            evidence.witness,
            self.decides,
            is_fact=self.is_fact,
        )


def compare(claims: ComparedClaims, corners: dict[str, Corner] | None = None) -> Iterator[ComparedFinding]:
    """All findings, in the order in which an auditor asks: kernel, losses, blocks, sizes, weakenings, budgets."""
    yield _kernel(claims)
    if corners is None:
        corners = corner_losses(claims.sides, claims.measures, claims.differing)
    for corner in corners.values():
        yield ComparedFinding(f"loss.{corner.name}", _corner_evidence(claims, corner))
    if claims.changed:
        yield _changed_kernel(claims, corners)
    yield from _attribution(claims, corners)
    yield from _sizes(claims, corners)
    yield from _order(claims)
    yield from _weakenings(claims, corners)
    yield from _budgets(claims, corners)


def _exhausted(claims: ComparedClaims, sentence: str) -> Evidence:
    return Evidence(Verdict.EXHAUSTED, _scope(claims), sentence)


def _scope(claims: ComparedClaims) -> str:
    honest, claimed = (claims.sides[letter].domain for letter in (HONEST, CLAIMED))
    claimed_size = f", {len(claimed)} claimed" if "domain" in claims.differing else ""
    return f"every pair of {len(honest)} data sets{claimed_size}, exact laws"


def _kernel(claims: ComparedClaims) -> ComparedFinding:
    shared = len(claims.sides[CLAIMED].domain if claims.is_part else claims.sides[HONEST].domain)
    differ = f"the blocks differ in {', '.join(claims.differing)}" if claims.differing else "no block differs"
    if not claims.changed:
        what = f"the kernel is identical on all {shared} data sets"
        return ComparedFinding("kernel", _exhausted(claims, f"{what}: any drop is purely nominal; {differ}"))
    example = claims.changed[0]
    sentence = f"the kernel changed on {len(claims.changed)} of {shared} data sets, {example!r} the first; {differ}"
    return ComparedFinding("kernel", _exhausted(claims, sentence))


def _corner_evidence(claims: ComparedClaims, corner: Corner) -> Evidence:
    words = ", ".join(
        f"{block.replace('_', ' ')} {_FILES[letter]}"
        for block, letter in zip(BLOCKS, corner.name, strict=True)
        if block in claims.differing
    )
    if not corner.is_defined:
        return _exhausted(claims, f"undefined: the blocks have no meaning together ({words})")
    pair = _needing(claims, corner)
    return _exhausted(claims, f"the smallest budget is {shown(corner.budget)}{pair}{words and ' (' + words + ')'}")


def _needing(claims: ComparedClaims, corner: Corner) -> str:
    """The pair that needs a corner's budget, or that there are no pairs."""
    if corner.pair is not None:
        return f", needed by x = {corner.pair[0]}, x' = {corner.pair[1]}"
    side, universes, premetric = claims.sides[corner.name[0]], corner.name[1], corner.name[2]
    vacuity = listed_vacuity(InputBlocks(side.domain, side.multiverses[universes], side.input_premetrics[premetric]))
    return f", {vacuity}" if vacuity.is_vacuous else ""


def _with_claimed_kernel(claims: ComparedClaims, corners: dict[str, Corner]) -> Corner:
    """The corner in which every block is the claimed one, under the claimed file's kernel."""
    name = _name(frozenset(claims.differing))
    if not claims.changed or "domain" in claims.differing:
        return corners[name]
    sides = dict.fromkeys((HONEST, CLAIMED), claims.sides[CLAIMED])
    return corner_losses(sides, claims.measures, claims.differing, only=name)[name]


def _changed_kernel(claims: ComparedClaims, corners: dict[str, Corner]) -> ComparedFinding:
    """Under the claimed blocks: the honest kernel's loss, and the claimed one's."""
    after = shown(_with_claimed_kernel(claims, corners).budget)
    if "domain" in claims.differing:
        sentence = f"on the claimed domain every corner is that of the claimed kernel, which needs {after}"
    else:
        before = shown(corners[_name(frozenset(claims.differing))].budget)
        sentence = f"under the claimed blocks the honest kernel needs {before}, the claimed one {after}"
    return ComparedFinding("loss.claimed-kernel", _exhausted(claims, sentence))


def _name(exchanged: frozenset[str]) -> str:
    return "".join(CLAIMED if block in exchanged else HONEST for block in BLOCKS)


def _attribution(claims: ComparedClaims, corners: dict[str, Corner]) -> Iterator[ComparedFinding]:
    """What each block does to the nominal budget: exchanged alone, exchanged last, averaged over all orders."""
    blocks = claims.differing
    every = frozenset(blocks)
    for block in blocks:
        alone, rest = corners[_name(frozenset({block}))], corners[_name(every - {block})]
        parts = [
            f"alone: {shown(corners[_name(frozenset())].budget)} to {reading(alone)}",
            f"last: {reading(rest)} to {reading(corners[_name(every)])}",
        ]
        average = _average(claims, corners, block)
        if average is not None:
            parts.append(f"averaged over all orders: {average} nats")
        yield ComparedFinding(f"attribution.{block}", _exhausted(claims, "; ".join(parts)))


def _average(claims: ComparedClaims, corners: dict[str, Corner], block: str) -> str | None:
    """The change averaged over all orders to six digits; None where a corner is infinite or has another unit."""
    blocks = claims.differing
    subsets = [frozenset(chosen) for size in range(len(blocks) + 1) for chosen in combinations(blocks, size)]
    middles = {}
    for chosen in subsets:
        budget = corners[_name(chosen)].budget
        if not isinstance(budget, Loss) or budget.is_infinite:
            return None
        middles[chosen] = middle(budget)
    change = average_changes(middles, blocks)[block]
    return f"{'-' if change < 0 else ''}{decimal_text(abs(change), 6)}"


def _sizes(claims: ComparedClaims, corners: dict[str, Corner]) -> Iterator[ComparedFinding]:
    """Sizes that a person can weigh, block by block; no score."""
    side = claims.sides[HONEST]
    if "domain" in claims.differing:
        sentence = f"{len(side.domain)} data sets honest, {len(claims.sides[CLAIMED].domain)} claimed"
        yield ComparedFinding("sizes.domain", _exhausted(claims, sentence))
    if "multiverse" in claims.differing and CLAIMED in side.multiverses:
        honest, claimed = side.multiverses[HONEST], side.multiverses[CLAIMED]
        lost = sum(honest.compares(x, y) and not claimed.compares(x, y) for x, y in combinations(side.domain.points, 2))
        compared = honest.compared_pairs()
        both = f"honest: {universes_text(honest)}; claimed: {universes_text(claimed)}"
        sentence = f"{both}; {lost} of {compared} compared pairs lost"
        yield ComparedFinding("sizes.multiverse", _exhausted(claims, sentence))
    if "input_premetric" in claims.differing and CLAIMED in side.input_premetrics:
        ours, theirs = side.input_premetrics[HONEST], side.input_premetrics[CLAIMED]
        pairs = [(x, y) for universe in side.multiverses[HONEST] for x in universe for y in universe if x != y]
        up, down = lipschitz_factor(ours, theirs, pairs), lipschitz_factor(theirs, ours, pairs)
        sentence = (
            f"d_claimed <= {_factor(up)} d_honest and d_honest <= {_factor(down)} d_claimed in the honest universes"
        )
        yield ComparedFinding("sizes.input_premetric", _exhausted(claims, sentence))
    yield from _pure_beside(claims, corners)


def _factor(value: Any) -> str:
    return "infinity *" if value is None else f"{value} *"


def _pure_beside(claims: ComparedClaims, corners: dict[str, Corner]) -> Iterator[ComparedFinding]:
    """D_Mult beside every weaker output premetric, under the rest of the same file's blocks."""
    for letter, whole in ((HONEST, frozenset[str]()), (CLAIMED, frozenset(claims.differing))):
        measure = claims.measures[letter]
        if measure == Multiplicative() or (letter == CLAIMED and "output_premetric" not in claims.differing):
            continue
        name = _name(whole)
        both = {HONEST: Multiplicative(), CLAIMED: Multiplicative()}
        pure = corner_losses(claims.sides, both, claims.differing, only=name)[name]
        sentence = f"{measure.described()} needs {reading(corners[name])}; multiplicative needs {reading(pure)}"
        yield ComparedFinding(f"sizes.output_premetric.{_FILES[letter]}", _exhausted(claims, sentence))


def _order(claims: ComparedClaims) -> Iterator[ComparedFinding]:
    """Which flavor asks for more at one and the same budget, on a common domain."""
    side, measures = claims.sides[HONEST], claims.measures
    kinds = {not measure.has_losses for measure in measures.values()}
    is_small = len(side.domain) <= MAX_PROGRAM
    if "domain" in claims.differing or kinds != {False} or not is_small or not claims.differing:
        return
    honest, claimed = (
        Specification.constant(
            Flavor(side.domain, side.multiverses[letter], side.input_premetrics[letter], measures[letter]),
            Loss(Fraction(2)),
        )
        for letter in (HONEST, CLAIMED)
    )
    for name, first, second in (("honest-to-claimed", honest, claimed), ("claimed-to-honest", claimed, honest)):
        found = stronger(first, second)
        sentence = f"at epsilon = ln 2: {found.answer.value}: {found.reason}"
        verdict = Verdict.OPEN if found.answer is Decision.UNDECIDED else Verdict.EXHAUSTED
        if found.mechanism is not None and found.pair is not None:
            laws = {str(x): [[jsonable(t), str(q)] for t, q in found.mechanism[x].items()] for x in found.pair}
            sentence = f"{sentence}; it breaks the second at {json.dumps(laws)}"
        evidence = Evidence(verdict, f"{len(side.domain)} data sets", sentence)
        yield ComparedFinding(f"order.{name}", evidence, is_fact=found.answer is Decision.NO)


def _weakenings(claims: ComparedClaims, corners: dict[str, Corner]) -> Iterator[ComparedFinding]:
    """The ways in which the claimed budget is smaller without more noise, in two lines each."""
    for detector, detection in in_pair(ExaminedPair(claims, corners)):
        for name, evidence in detection.lines(detector.name, _scope(claims)):
            yield ComparedFinding(f"{name}.{detector.name.replace(' ', '-')}", evidence, decides=False)


def _budgets(claims: ComparedClaims, corners: dict[str, Corner]) -> Iterator[ComparedFinding]:
    """Whether each file's budget is met under its own blocks, and the claimed one under the honest blocks."""
    honest, claimed = corners[_name(frozenset())], _with_claimed_kernel(claims, corners)
    for name, letter, corner in (("budget.honest", HONEST, honest), ("budget.claimed", CLAIMED, claimed)):
        budget = claims.budgets[letter]
        if budget is None:
            evidence = Evidence(Verdict.OPEN, _scope(claims), f"the {_FILES[letter]} file states no budget")
        else:
            evidence = budget_met(claims, budget, corner, letter, _scope(claims))
        yield ComparedFinding(name, evidence, is_fact=False)
    yield ComparedFinding("budget.transferred", transferred(claims, honest, _scope(claims)), is_fact=False)
