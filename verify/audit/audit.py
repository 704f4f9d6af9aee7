"""The auditor: what can be said of a claim, in the order in which an auditor asks.

1 `complete`: are all five blocks stated? 2 `vacuity`: are any data sets compared at all? 3 `numbers`: do the printed
numbers agree with each other? 4 `mechanism`: what is proved or exhausted about it? 5 `budget`: is the claimed budget
met, exceeded, or not decidable here? 6 `outside`: what does the claim not cover? The verdict of a claim is the weakest
of the answers that decide it; answers 2 and 6 say what the claim means, and decide only where a claim compares nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from mechanisms.catalogue import COMPOSITION, SWAPPING
from spec.output_premetrics import Multiplicative
from spec.permutation_swapping import psa_budget
from verify.audit.account_file import account_budgets, account_steps
from verify.audit.budget_cover import covers, shortfall
from verify.audit.claim_blocks import BuiltClaim, Case, FiniteAudit
from verify.audit.claim_budget import THEOREM, ClaimedBudget
from verify.audit.claim_exhaustion import Exhaustion, exhaust
from verify.audit.claim_mechanism import ClaimedMechanism
from verify.audit.claim_numbers import conversion_budgets, number_evidence
from verify.audit.claim_witness import with_claim, with_stated_claim
from verify.certificates.replay import WitnessError, replay
from verify.evidence.finding import EngineError, Evidence
from verify.evidence.verdict import Verdict
from verify.evidence.witness import Witness
from verify.ledger.book import proofs_of
from verify.outside.foreign import DEFAULT_LIMITS, Limits
from verify.outside.time_limit import time_limit
from verify.reports.lines import counted

__all__ = ["Answer", "AuditRecord", "audit", "replayed"]

_BLOCKS = ("domain", "multiverse", "input_premetric", "output_premetric", "budget")


@dataclass(frozen=True)
class Answer:
    """One answer of the auditor.

    Attributes:
        question: `complete`, `vacuity`, `account`, `numbers`, `mechanism`, `budget` or `outside`; for a published
            record `read`, `complete`, `numbers`, `consistent`, `conversion` or `outside`.
        evidence: the verdict, with its sentence as the detail.
        decides: whether the claim's verdict depends on it.
    """

    question: str
    evidence: Evidence
    decides: bool = True


@dataclass(frozen=True)
class AuditRecord:
    """A claim with the auditor's answers, in order.

    Attributes:
        id: the claim's.
        source: where it is made.
        statement: in words.
        answers: in the order in which an auditor asks.
        claimed: the budget of each setting in words, where one is stated.
        needed: the smallest budget of each setting, with the pair that needs it, where it was computed.
    """

    id: str
    source: str
    statement: str
    answers: tuple[Answer, ...]
    claimed: str = ""
    needed: str = ""

    @cached_property
    def weakest(self) -> Answer:
        """The weakest answer that decides the claim: the first where it fails, the last where everything holds."""
        deciding = [answer for answer in self.answers if answer.decides]
        lowest = min(answer.evidence.verdict for answer in deciding)
        tied = [answer for answer in deciding if answer.evidence.verdict is lowest]
        return tied[-1] if lowest.is_settled_for else tied[0]

    @property
    def verdict(self) -> Verdict:
        """The verdict on the claim."""
        return self.weakest.evidence.verdict

    @property
    def scope(self) -> str:
        """The scope of the verdict."""
        numbers = sum(answer.question == "numbers" for answer in self.answers)
        if self.weakest.question == "numbers" and self.verdict.is_settled_for and numbers > 1:
            return f"the {numbers} printed numbers, each recomputed and compared at its printed precision"
        return self.weakest.evidence.scope

    @property
    def sentence(self) -> str:
        """How many printed numbers agree, and what decides the verdict."""
        numbers = [answer for answer in self.answers if answer.question == "numbers" and answer.decides]
        agreeing = sum(answer.evidence.verdict.is_settled_for for answer in numbers)
        counted = f"{agreeing} of {len(numbers)} printed numbers agree" if numbers else ""
        if self.weakest in numbers:
            return counted
        kind = "undecided: " if self.verdict is Verdict.OPEN else ""
        return f"{counted}{'; ' if counted else ''}{kind}{self.weakest.evidence.detail}"

    @property
    def witness(self) -> Witness | None:
        """The first counterexample."""
        return next((a.evidence.witness for a in self.answers if a.evidence.witness is not None), None)

    def as_json(self) -> dict[str, Any]:
        """The record as `--json` prints it."""
        return {
            "id": self.id,
            "source": self.source,
            "statement": self.statement,
            "verdict": self.verdict.name,
            "scope": self.scope,
            "detail": self.sentence,
            "witness": self.witness,
            "findings": [
                {
                    "id": f"{self.id}.{answer.question}",
                    "verdict": answer.evidence.verdict.name,
                    "detail": answer.evidence.detail,
                    "scope": answer.evidence.scope,
                    "decides": answer.decides,
                    "witness": answer.evidence.witness,
                }
                for answer in self.answers
            ],
        }


def audit(built: BuiltClaim, limits: Limits = DEFAULT_LIMITS) -> AuditRecord:
    """The answers about one claim.

    Args:
        built: the claim.
        limits: under which a mechanism runs, and how long the audit may take.

    Raises:
        InputError: the mechanism fails on a data set, or the time is up.
        EngineError: an exact computation disagrees with its independent value, or a witness does not replay.
    """
    claim = built.claim
    found: list[Exhaustion | None] = []
    with time_limit(limits.seconds, f"the audit of {claim.id}"):
        if claim.is_about_numbers_only:
            answers = [*_account(built), *_numbers(built), *_account_budgets(built)]
        else:
            found = [exhaust(built, case, limits) for case in built.cases]
            answers = [_complete(built), _vacuity(built), *_account(built), *_numbers(built)]
            answers += [*_mechanism(built, found), *_budgets(built, found)]
            answers += [*_account_budgets(built), _outside(built)]
    bound = tuple(
        replace(answer, evidence=with_stated_claim(answer.evidence, claim.id, claim.statement)) for answer in answers
    )
    claimed = "; ".join(case.budget.text for case in built.cases if case.budget is not None)
    needed = "; ".join(one.needed for one in found if one is not None)
    record = AuditRecord(claim.id, claim.source, claim.statement, bound, claimed, needed)
    for answer in record.answers:
        if answer.evidence.witness is not None:
            replayed(record, answer.evidence.witness)
    return record


def replayed(record: AuditRecord, witness: Witness) -> None:
    """Re-check a witness as a reader would, from its JSON text.

    Raises:
        EngineError: it does not replay.
    """
    try:
        replay(json.loads(json.dumps(witness)))
    except WitnessError as error:
        raise EngineError(f"{record.id}: a witness does not replay: {error}") from None


def _complete(built: BuiltClaim) -> Answer:
    blocks = built.claim.blocks
    missing = [name for name in _BLOCKS if name not in blocks]
    name, resolution = built.input_premetric
    if "input_premetric" in blocks and resolution is None:
        missing.append("the resolution of the input_premetric")
    multiverse = blocks.get("multiverse")
    parts: dict[str, object] = {
        "domain": built.kind,
        "multiverse": None
        if multiverse is None
        else multiverse.values.get("invariants", multiverse.values.get("universes")),
        "input_premetric": name,
        "output_premetric": built.output_premetric,
        "budget": built.cases if built.states_budget else None,
    }
    words = [block for block in _BLOCKS if block in blocks and parts[block] is None]
    scope = "the five blocks of the claim file"
    in_words = f"; in words only: {', '.join(words)}" if words else ""
    if missing:
        return Answer("complete", Evidence(Verdict.OPEN, scope, f"not stated: {', '.join(missing)}{in_words}"))
    if set(words) - {"domain"}:
        return Answer("complete", Evidence(Verdict.OPEN, scope, f"all five blocks are named{in_words}"))
    return Answer(
        "complete", Evidence(Verdict.EXHAUSTED, scope, f"all five blocks are stated{in_words}"), decides=False
    )


def _vacuity(built: BuiltClaim) -> Answer:
    if built.swapping_margins is not None and built.kind is not None:
        size = built.kind.size
        counts = (1, int(size == 1), size * (size - 1) // 2)
    elif built.finite is not None:
        counts = _compared(built.finite)
    else:
        scope = "a domain or multiverse in words cannot be listed"
        detail = "not decidable: which data sets share a universe is not given as a finite list"
        return Answer("vacuity", Evidence(Verdict.OPEN, scope, detail), decides=False)
    universes, singletons, pairs = counts
    scope = f"every pair of the {built.kind.size_text if built.kind else 0} data sets"
    detail = (
        f"{counted(universes, 'universe')}, {singletons} of one data set only; "
        f"{counted(pairs, 'pair')} compared at a finite distance"
    )
    if pairs == 0:
        return Answer("vacuity", Evidence(Verdict.OPEN, scope, f"vacuous, so every mechanism satisfies it: {detail}"))
    return Answer("vacuity", Evidence(Verdict.EXHAUSTED, scope, f"not vacuous: {detail}"), decides=False)


def _compared(finite: FiniteAudit) -> tuple[int, int, int]:
    """How many universes, singletons, and pairs that share a universe at a finite distance."""
    distance = finite.input_premetric
    pairs: set[frozenset[Any]] = set()
    for universe in finite.multiverse:
        points = sorted(universe, key=finite.domain.index)
        for index, x in enumerate(points):
            for y in points[index + 1 :]:
                if distance(x, y) is not None or distance(y, x) is not None:
                    pairs.add(frozenset((x, y)))
    return len(finite.multiverse), finite.multiverse.singletons(), len(pairs)


def _account(built: BuiltClaim) -> Iterator[Answer]:
    """How the claim's account comes to its total."""
    if built.account is not None:
        yield Answer("account", account_steps(built.account))


def _account_budgets(built: BuiltClaim) -> Iterator[Answer]:
    """Whether the numbers that an account claims as budgets cover what it comes to."""
    if built.account is not None:
        yield from (Answer("budget", evidence) for evidence in account_budgets(built.account))


def _numbers(built: BuiltClaim) -> Iterator[Answer]:
    """Every printed number that others determine."""
    found = False
    for evidence in number_evidence(built):
        found = True
        yield Answer("numbers", evidence)
    if not found and built.account is None:
        detail = "nothing to recompute: no stated number is determined by the others"
        yield Answer("numbers", Evidence(Verdict.OPEN, "the numbers of the claim file", detail), decides=False)


def _mechanism(built: BuiltClaim, found: Sequence[Exhaustion | None]) -> Iterator[Answer]:
    """What is shown of the mechanism at each of its settings."""
    mechanism = built.mechanism
    if mechanism is None:
        detail = "no mechanism is named, so nothing is shown about one"
        yield Answer("mechanism", Evidence(Verdict.OPEN, "the claim file", detail))
        return
    theorem = _theorem(built, mechanism) if mechanism.name == SWAPPING else None
    exhausted = [one for one in found if one is not None]
    if exhausted:
        yield from (Answer("mechanism", one.finding) for one in exhausted)
        if theorem is not None and theorem.verdict is Verdict.PROVED:
            yield Answer("mechanism", theorem, decides=False)
    elif theorem is not None and built.kind is None:
        yield Answer("mechanism", theorem)
    else:
        yield Answer("mechanism", Evidence(Verdict.OPEN, "the claim file", _why_open(built, mechanism)))


def _why_open(built: BuiltClaim, mechanism: ClaimedMechanism) -> str:
    if mechanism.name == COMPOSITION:
        return "the parts are budgets whose mechanisms are not in the claim, so nothing is shown of them"
    if built.finite is None:
        return f"{mechanism.name}: a finite domain, multiverse and input premetric are needed to exhaust it"
    return f"{mechanism.name}: an output premetric is needed to measure it"


def _theorem(built: BuiltClaim, mechanism: ClaimedMechanism) -> Evidence:
    """What the ledger's proofs say of swapping, where the claim has the theorem's flavor."""
    name, resolution = built.input_premetric
    differs = []
    if built.output_premetric != Multiplicative():
        differs.append("the output premetric is multiplicative")
    if name != "hamming_unordered":
        differs.append("the input premetric is hamming_unordered")
    if "swapping" not in built.invariants:
        differs.append("'swapping' is among the invariants")
    if mechanism.resolution is not None and mechanism.resolution != resolution:
        differs.append(f"the resolution is that of the swapped records, {mechanism.resolution}")
    if differs:
        return Evidence(Verdict.OPEN, f"{THEOREM}", f"{THEOREM} holds only where {'; '.join(differs)}")
    proofs = proofs_of(THEOREM)
    if not proofs:
        return Evidence(
            Verdict.OPEN,
            THEOREM,
            f"{THEOREM}, which gives (7), has no proof in this installation",
        )
    return Evidence(Verdict.PROVED, proofs[0].scope, f"{THEOREM}: (7) is a budget of permutation swapping")


def _budgets(built: BuiltClaim, found: Sequence[Exhaustion | None]) -> Iterator[Answer]:
    """Whether the budget of each setting is met; every answer decides."""
    for case, exhausted in zip(built.cases, found, strict=True):
        yield Answer("budget", with_claim(_budget(built, case, exhausted), built, case.budget))
    yield from (Answer("budget", evidence) for evidence in conversion_budgets(built))


def _budget(built: BuiltClaim, case: Case, found: Exhaustion | None) -> Evidence:
    budget, mechanism = case.budget, built.mechanism
    if budget is None:
        return Evidence(Verdict.OPEN, "the claim file", "no budget is stated in numbers")
    if found is not None:
        return found.test(budget)
    if mechanism is None or mechanism.name != SWAPPING or built.kind is not None:
        return Evidence(Verdict.OPEN, "the claim file", "not decidable here: see the mechanism")
    return _by_theorem(built, mechanism, case.setting["swap_rate"], budget)


def _by_theorem(built: BuiltClaim, mechanism: ClaimedMechanism, rate: Fraction, budget: ClaimedBudget) -> Evidence:
    """Whether the claimed budget, as the number that it is, covers the theorem's."""
    theorem, b = _theorem(built, mechanism), built.largest_stratum
    if theorem.verdict is not Verdict.PROVED or b is None:
        return Evidence(Verdict.OPEN, theorem.scope, f"not decidable here: {theorem.detail}")
    formula, at = psa_budget(b, rate), f"at b = {b}, p = {rate}"
    if budget.is_formula and budget.epsilon is None:
        return Evidence(Verdict.PROVED, theorem.scope, f"met: the claimed budget is (7) itself, {formula}, {at}")
    covered = covers(budget, formula)
    if covered:
        verdict = Verdict.ENCLOSED if budget.loss is None else Verdict.PROVED
        return Evidence(verdict, theorem.scope, f"met: the claimed {budget.text} covers (7), {formula}, {at}")
    if covered is None:
        return Evidence(Verdict.OPEN, theorem.scope, f"{budget.text} and (7), {formula}, {at}, agree to 48 digits")
    below = f"is below (7), {formula}, {at}, by {shortfall(budget, formula)}"
    return Evidence(Verdict.OPEN, theorem.scope, f"not shown: the claimed {budget.text} {below}")


def _outside(built: BuiltClaim) -> Answer:
    parts = []
    if built.invariants:
        names = ", ".join(" x ".join(entry) if isinstance(entry, tuple) else str(entry) for entry in built.invariants)
        parts.append(f"nothing is claimed about the invariants, which may be released exactly: {names}")
    elif "multiverse" in built.claim.blocks and "universes" in built.claim.blocks["multiverse"]:
        parts.append("data sets that share no universe are not compared")
    if built.kind is not None:
        parts.append("data sets outside the finite domain were not tried")
    resolution = built.input_premetric[1]
    if resolution is not None:
        parts.append(f"the unit is one {resolution}: whoever contributes more than one is not covered at this budget")
    parts.append("other releases from the same data add to the loss")
    return Answer("outside", Evidence(Verdict.OPEN, "not part of the claim", "; ".join(parts)), decides=False)
