"""What the auditor asks of a claim; `verify.audit.audit` has the order.

About the blocks: are they stated, do they compare anything, what is outside, were records read? What decides: what is
shown of the printed numbers, the account, the mechanism and its budget? Advice, which decides nothing: the smallest
delta, and what makes a number small without more noise.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

from stirred.mechanisms.catalogue import COMPOSITION, SWAPPING
from stirred.spec.arguments import InputError
from stirred.spec.blocks.domain import RECORD_DOMAINS
from stirred.spec.blocks.specification import InputBlocks
from stirred.spec.budgets.loss import Loss
from stirred.spec.flavors.pufferfish import Pufferfish
from stirred.spec.numbers.enclosure import Enclosure
from stirred.spec.numbers.open_parameter import open_parameter
from stirred.spec.output_premetrics import ApproximateMultiplicative
from stirred.verify.audit.count_theorems import count_budget, count_theorem
from stirred.verify.audit.exhaust.claim import ClaimUnderAudit, Exhaustion, exhaust
from stirred.verify.audit.exhaust.found import ends
from stirred.verify.audit.question import Answer, AuditQuestion
from stirred.verify.audit.refutation import with_claim
from stirred.verify.audit.swap_theorems import budget_by_theorem, swap_theorem
from stirred.verify.audit.swapped.stated import claimed_columns, needs_data
from stirred.verify.audit.weakening import in_account, in_claim
from stirred.verify.audit.weakening.detector import MAX_EXAMINED, Detection, Detector, ExaminedClaim
from stirred.verify.engines.comparison import ComparedLaws
from stirred.verify.engines.smallest_delta import delta_text, needed_delta
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.reports.lines import counted
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.budget import ClaimedBudget
from stirred.verify.laws.claim.budget_cover import covers
from stirred.verify.laws.claim.claim import Case, PrivacyClaim, claim_vacuity, listed_vacuity
from stirred.verify.laws.claim.claim_numbers import account_budgets, account_steps, conversion_budgets, number_evidence
from stirred.verify.laws.claim.five_blocks import Stated, five_blocks
from stirred.verify.laws.claim.mechanism import ClaimedMechanism


def _complete(claim: ClaimUnderAudit) -> Iterator[Answer]:
    if claim.built.is_about_numbers_only:
        return
    blocks = five_blocks(claim.built)
    missing, words = blocks.named(Stated.NOT), blocks.named(Stated.IN_WORDS)
    if blocks.input_premetric.stated is not Stated.NOT and claim.built.input_premetric[1] is None:
        missing.append("the resolution of the input_premetric")
    scope = "the five blocks of the claim"
    in_words = f"; in words only: {', '.join(words)}" if words else ""
    if missing:
        yield Answer("complete", Evidence(Verdict.OPEN, scope, f"not stated: {', '.join(missing)}{in_words}"))
    elif set(words) - {"domain"}:
        yield Answer("complete", Evidence(Verdict.OPEN, scope, f"all five blocks are named{in_words}"))
    else:
        detail = f"all five blocks are stated{in_words}"
        yield Answer("complete", Evidence(Verdict.EXHAUSTED, scope, detail), decides=False)


COMPLETE = AuditQuestion("complete", _complete)


def _vacuity(claim: ClaimUnderAudit) -> Iterator[Answer]:
    built = claim.built
    if built.is_about_numbers_only:
        return
    found = claim_vacuity(built, claim.pairs)
    yield Answer("vacuity", found.evidence(_every_pair(built)), decides=found.is_vacuous is True)


def _every_pair(built: PrivacyClaim) -> str:
    if built.data is None and built.swapping_margins is None:
        return "a domain or multiverse in words cannot be listed"
    if built.pufferfish is not None:
        return f"every pair of the {counted(len(built.pufferfish.domain), 'belief')}"
    return f"every pair of the {'0' if built.kind is None else built.kind.size_text} data sets"


VACUITY = AuditQuestion("vacuity", _vacuity)


def _outside(claim: ClaimUnderAudit) -> Iterator[Answer]:
    built = claim.built
    if built.is_about_numbers_only:
        return
    parts = []
    if built.invariants:
        names = ", ".join(" x ".join(entry) if isinstance(entry, tuple) else str(entry) for entry in built.invariants)
        described = built.words["multiverse"]
        more = f", in the claim's words {described!r}" if described else ""
        parts.append(f"the invariants, which may be released exactly ({names}{more})")
    elif built.lists_universes:
        parts.append("pairs of data sets that share no universe")
    if built.pufferfish is not None:
        parts.append(_beliefs(built.pufferfish))
    if built.kind is not None:
        parts.append("data sets outside the finite domain")
    resolution = built.input_premetric[1]
    if resolution is not None and built.pufferfish is None:
        parts.append(f"contributors of several records (the unit is one {resolution})")
    if built.mechanism is not None:
        parts.append("timing")
    parts.append("other releases of the same data")
    detail = f"Not covered: {'; '.join(parts)}"
    yield Answer("outside", Evidence(Verdict.OPEN, "not part of the claim", detail), decides=False)


def _beliefs(pufferfish: Pufferfish) -> str:
    """Of whom and of what nothing is claimed."""
    said = "attackers with other priors; conjectures that no pair names"
    for attacker, conjecture in pufferfish.undefined[:1]:
        more = len(pufferfish.undefined) - 1
        others = f" and {counted(more, 'other')}" if more else ""
        said += f"; pairs with undefined conditionals ({attacker} given {conjecture}{others})"
    return said


OUTSIDE = AuditQuestion("outside", _outside)


def _data(claim: ClaimUnderAudit) -> Iterator[Answer]:
    columns = claimed_columns(claim.built)
    if columns is None or not needs_data(claim.built):
        return
    roles = {"matched": columns.matching, "held": columns.holding, "swapped": columns.swapping}
    said = "; ".join(f"{', '.join(names)} {role}" for role, names in roles.items() if names)
    detail = (
        f"no records were read: b = {claim.built.largest_stratum}, with {said}, is taken from the claim; "
        "stirred audit CLAIM --data ORIGINAL SWAPPED compares it with the records"
    )
    yield Answer("data", Evidence(Verdict.OPEN, "the claim file", detail), decides=False)


DATA = AuditQuestion("data", _data)


def _account(claim: ClaimUnderAudit) -> Iterator[Answer]:
    if claim.built.account is not None:
        yield Answer("account", account_steps(claim.built.account, claim.parts))


ACCOUNT = AuditQuestion("account", _account)


def _numbers(claim: ClaimUnderAudit) -> Iterator[Answer]:
    found = False
    for evidence in number_evidence(claim.built):
        found = True
        yield Answer("numbers", evidence)
    if not found and claim.built.account is None:
        detail = "no stated number follows from the others"
        yield Answer("numbers", Evidence(Verdict.OPEN, "the numbers of the claim", detail), decides=False)


NUMBERS = AuditQuestion("numbers", _numbers)


def _mechanism(claim: ClaimUnderAudit) -> Iterator[Answer]:
    built, mechanism = claim.built, claim.built.mechanism
    if built.is_about_numbers_only:
        return
    if mechanism is None:
        detail = "no mechanism is named, so nothing is shown about one"
        yield Answer("mechanism", Evidence(Verdict.OPEN, "the claim file", detail))
        return
    theorem = swap_theorem(built, mechanism) or count_theorem(built, mechanism)
    exhausted = [found for _, found in claim.tried if found is not None]
    if exhausted:
        # what draws show of a mechanism is never enough: whether they refute the budget decides
        for one in exhausted:
            yield Answer("mechanism", _of(one, one.finding), decides=one.settles is not Verdict.OPEN)
        if theorem is not None and mechanism.name == SWAPPING and theorem.verdict is Verdict.PROVED:
            yield Answer("mechanism", theorem, decides=False)
    elif theorem is not None and built.kind is None:
        yield Answer("mechanism", theorem)
    else:
        yield Answer("mechanism", Evidence(Verdict.OPEN, "the claim file", _why_open(built, mechanism)))


def _of(found: Exhaustion, evidence: Evidence) -> Evidence:
    """Evidence with the numbers in which it holds."""
    return replace(evidence, numbers="" if evidence.verdict is Verdict.OPEN else found.arithmetic)


def _why_open(built: PrivacyClaim, mechanism: ClaimedMechanism) -> str:
    if mechanism.name == COMPOSITION:
        return "the parts are budgets whose mechanisms are not in the claim, so nothing is shown of them"
    if mechanism.command:
        return f"{mechanism.name}: a command is a black box; stirred audit --sampled draws from it"
    if built.data is None:
        return f"{mechanism.name}: a finite domain, multiverse and input premetric are needed to exhaust it"
    return f"{mechanism.name}: an output premetric is needed to measure it"


MECHANISM = AuditQuestion("mechanism", _mechanism)


def _budget(claim: ClaimUnderAudit) -> Iterator[Answer]:
    built = claim.built
    for case, found in claim.tried:
        yield Answer("budget", with_claim(_met(built, case, found), built, case.budget))
    yield from (Answer("budget", evidence) for evidence in conversion_budgets(built))
    if built.account is not None:
        yield from (Answer("budget", evidence) for evidence in account_budgets(built.account))


def _met(built: PrivacyClaim, case: Case, found: Exhaustion | None) -> Evidence:
    budget, mechanism = case.budget, built.mechanism
    if budget is None:
        return Evidence(Verdict.OPEN, "the claim file", "no budget is stated in numbers")
    if found is not None:
        return _of(found, found.test(budget))
    by_theorem = None
    if mechanism is not None and built.kind is None:
        by_theorem = budget_by_theorem(built, mechanism, case, budget) or count_budget(built, mechanism, case, budget)
    return by_theorem or Evidence(Verdict.OPEN, "the claim file", "cannot be decided here: see the mechanism")


BUDGET = AuditQuestion("budget", _budget)


def _delta(claim: ClaimUnderAudit) -> Iterator[Answer]:
    flavor = claim.built.flavor
    if flavor is None or not isinstance(flavor.output_premetric, ApproximateMultiplicative):
        return
    if len(flavor.domain) > MAX_EXAMINED:
        return
    for case, found in claim.tried:
        if found is None or case.budget is None:
            continue
        laws, log_error = (found.laws, Fraction(0)) if found.nearby is None else found.nearby
        if laws is not None:
            compared = ComparedLaws(laws, flavor, pairs=claim.pairs)
            yield Answer("delta", _smallest(compared, case.budget, found.scope, log_error), decides=False)


def _smallest(compared: ComparedLaws, budget: ClaimedBudget, scope: str, log_error: Fraction) -> Evidence:
    number = budget.loss if budget.loss is not None or budget.epsilon is None else budget.epsilon.value
    if number is None:
        return Evidence(Verdict.OPEN, scope, "no epsilon is stated")
    needed = needed_delta(compared, number, log_error=log_error)
    smallest, pair = needed.delta, needed.pair
    place = "" if pair is None else f", needed by x = {pair[0]}, x' = {pair[1]}"
    sentence = f"the smallest delta at {budget.text} is {delta_text(smallest)}{place}"
    if needed.farthest > 1:
        sentence += (
            f"; distances up to {needed.farthest} multiply epsilon and leave delta: (epsilon, delta) for neighbours "
            "alone gives delta*(e^(k*epsilon) - 1)/(e^epsilon - 1) at distance k"
        )
    return Evidence(Verdict.ENCLOSED if isinstance(smallest, Enclosure) else Verdict.EXHAUSTED, scope, sentence)


DELTA = AuditQuestion("delta", _delta, is_advice=True)


def _weakening(claim: ClaimUnderAudit) -> Iterator[Answer]:
    flavor, account = claim.built.flavor, claim.built.account
    exhausted = [(case, found.laws) for case, found in claim.tried if found is not None and found.laws is not None]
    if flavor is not None and exhausted:
        size = counted(len(flavor.domain), "data set" if claim.built.pufferfish is None else "belief")
        if claim.built.pufferfish is not None:
            detail = "not searched: weakening is about data sets, and these are beliefs about them"
            yield Answer("weakening", Evidence(Verdict.OPEN, size, detail), decides=False)
        elif len(flavor.domain) > MAX_EXAMINED:
            detail = f"not searched: {len(flavor.domain)} data sets; at most {MAX_EXAMINED} are searched"
            yield Answer("weakening", Evidence(Verdict.OPEN, size, detail), decides=False)
        else:
            shown = [one for case, laws in exhausted for one in in_claim(ExaminedClaim(flavor, laws, case.budget))]
            yield from _lines(shown, f"every pair of {size}, exact laws, as under mechanism")
    if account is not None:
        yield from _lines(in_account(account), "the releases of the account")


def _lines(found: Iterable[tuple[Detector, Detection]], scope: str) -> Iterator[Answer]:
    """Two answers for each finding, which several settings of a mechanism may share."""
    for detector, detection in dict.fromkeys(found):
        for name, evidence in detection.lines(detector.name, scope):
            yield Answer(name, evidence, decides=False, is_remark=True)


_ONE_LAW = (
    "all compared data sets have the same law: on this domain the release does not depend on the data, and a budget "
    "of 0 says nothing about a larger domain"
)


def _size(claim: ClaimUnderAudit) -> Iterator[Answer]:
    """What the size of the domain hides: a law that does not depend on the data yet, a budget that grows."""
    for case, found in claim.tried:
        opened = open_parameter(case.setting)
        if found is None:
            continue
        with suppress(InputError):  # the mechanism may refuse data sets that are that small
            if opened is None or opened.exponent is not None:
                said = _hidden(claim.built, case, found)
            else:
                (name,) = (name for name, value in case.setting.items() if value is opened)
                value = (5 * opened.low + 3 * opened.high) / 8  # not 1/2, at which a coin may hide all
                one = replace(case, setting={**case.setting, name: value})
                examined = exhaust(claim.built, one)
                said = "" if examined is None else _hidden(claim.built, one, examined, f"at {name} = {value}, ")
            if said:
                yield Answer("size", Evidence(Verdict.EXHAUSTED, found.scope, said), decides=False, is_remark=True)


def _hidden(built: PrivacyClaim, case: Case, found: Exhaustion, at: str = "") -> str:
    if found.has_one_law:
        return f"{at}{_ONE_LAW}"
    stated = case.budget if isinstance(found.smallest, Loss) else None
    if stated is not None and covers(stated, found.smallest) is False:
        return ""
    grows = _growth(built, case, found)
    return f"{at}{grows}" if grows else ""


def _growth(built: PrivacyClaim, case: Case, found: Exhaustion) -> str:
    """That the smallest budget is smaller on data sets of one record less; empty where it is not, or there are none."""
    number = ends(found)
    if number is None or built.data is None or built.kind is None or built.pufferfish or built.lists_universes:
        return ""
    domain = built.data.domain
    if not all(isinstance(point, tuple) for point in domain):
        return ""
    sizes = {len(point) for point in domain}
    if max(sizes) < 2 or (len(sizes) == 1 and domain.name not in RECORD_DOMAINS):
        return ""
    shorter = [x[:-1] for x in domain] if len(sizes) == 1 else [x for x in domain if len(x) < max(sizes)]
    listed = replace(domain, points=tuple(dict.fromkeys(shorter)))
    kind = replace(built.kind, size=len(listed), build=lambda: listed)
    multiverse = built.multiverse_on(kind)
    premetric = None if multiverse is None else built.premetric_on(kind, multiverse)
    if multiverse is None or premetric is None:
        return ""
    data = InputBlocks(listed, multiverse, premetric)
    if listed_vacuity(data).is_vacuous:
        return ""
    fewer = exhaust(replace(built, kind=kind, data=data, symmetry=None), case)
    less = None if fewer is None else ends(fewer)
    if less is None or less.upper >= number.lower:
        return ""
    texts = f"{less.text(4)} at {counted(max(map(len, listed)), 'record')}, {number.text(4)} at {max(sizes)}"
    return f"the smallest budget grows with the data, {texts}: larger data sets may need more"


SIZE = AuditQuestion("size", _size, is_advice=True)

WEAKENING = AuditQuestion("weakening", _weakening, beside="meaning", is_advice=True)
