"""What the auditor says of a random claim otherwise than the brute-force oracle: nothing, where both are right."""

import json
import re
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import chain

from claim_texts import answer
from quality.oracle import events, exceeds, holds, hull
from quality.random_claims import RandomClaim, least_budget, needed

from stirred.verify.audit.audit import AuditRecord
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.verdict import Verdict

MARGIN = Fraction(1, 10**27)
"""The auditor may leave a claimed ρ² undecided only where the oracle's answer changes within so much of it."""

SHOWN = Fraction(1, 10**5)
"""A number is shown to six digits."""

DIAGONAL = ((0, 0), (1, 1))
LOSS = re.compile(r"ln\((?P<gamma>[0-9/]+)\)(/(?P<root>[0-9]+))? ≈ |≈ (?P<near>[0-9.]+)")


def python_text(outcome: str) -> str:
    """An output that the oracle knows by its JSON text, as the Python literal that a witness has for it."""

    def frozen(value: object) -> object:
        return tuple(map(frozen, value)) if isinstance(value, list) else value

    return repr(frozen(json.loads(outcome)))


@dataclass(frozen=True)
class Audited:
    """A random claim beside what the auditor answered."""

    claim: RandomClaim
    record: AuditRecord

    def differences(self):
        parts = self.verdict(), self.smallest_budget(), self.vacuity(), *self.witnesses()
        return [part for part in parts if part is not None]

    def verdict(self):
        claim = self.claim
        found, expected = answer(self.record, "budget").verdict, holds(claim.case, claim.kind, claim.value)
        if claim.kind == "rho_squared" and found is Verdict.OPEN:
            around = {holds(claim.case, "rho_squared", max(Fraction(0), claim.value + m)) for m in (-MARGIN, MARGIN)}
            return None if len(around) == 2 else f"OPEN; the oracle says {expected}"
        met = Verdict.ENCLOSED if claim.kind == "rho_squared" else Verdict.EXHAUSTED
        if answer(self.record, "budget").detail.count(" ≥ ") != (found is met):
            return f"{answer(self.record, 'budget').detail}; the verdict is {found}"
        return None if found is {True: met, False: Verdict.REFUTED}.get(expected) else f"{found}; expected {expected}"

    def vacuity(self):
        universes, found = self.claim.case.universes, answer(self.record, "vacuity")
        pairs, singletons = len(self.claim.case.compared()), sum(len(universe) == 1 for universe in universes)
        trivial = f"{singletons or 'none'} of them trivial"
        if 0 < singletons == len(universes):
            trivial = "trivial" if singletons == 1 else "all of them trivial"
        counts = (
            f"vacuous{', so every mechanism satisfies it' * (pairs == 0)}: "
            f"{len(universes)} universe{'s' * (len(universes) != 1)}, {trivial}; "
            f"{pairs} pair{'s' * (pairs != 1)} compared at a finite distance"
        )
        expected = Verdict.EXHAUSTED if pairs else Verdict.OPEN, f"{'not ' * (pairs > 0)}{counts}"
        return None if (found.verdict, found.detail) == expected else f"{found.detail}; expected {expected}"

    def smallest_budget(self):
        case, detail = self.claim.case, answer(self.record, "mechanism").detail
        if case.measure == "tradeoff":
            return None if detail in self.curve_sentences() else f"{detail}; expected {self.curve_sentences()}"
        least = least_budget(case)
        number, says_where, where = detail.removeprefix("the smallest budget is ").partition(", needed by ")
        if where and not any(where == self.named(x, y) and self.is_least(needed(case, x, y)) for x, y in case.pairs()):
            return f"{where} does not need {least}"
        least_gain = least[0] - 1 if isinstance(least, tuple) else least
        if case.measure != "normalized_renyi" and bool(says_where) != (least is None or least_gain > 0):
            return f"{detail}; expected a pair of data sets iff some pair needs a budget"
        if least is None or case.measure == "total_variation":
            is_right = number.removeprefix("rho^2 = ") == ("infinite" if least is None else str(least))
        elif case.measure == "normalized_renyi":
            # one number, or both ends where 12 decimals do not fix the first digits
            sign, _, shown = number.removeprefix("rho^2 ").partition(" ")
            low, *_, high = [Fraction(end) for end in re.findall(r"[0-9.]+", shown)] * 2
            is_right = {"=": low == least, "≈": low * (1 - SHOWN) <= least <= high * (1 + SHOWN)}[sign]
        else:
            is_right = is_loss(number, *least)
        return None if is_right else f"{detail}; expected {least}"

    def is_least(self, budget):
        case, least = self.claim.case, least_budget(self.claim.case)
        if budget is None or least is None or case.measure == "total_variation":
            return budget == least
        (r, d), (s, e) = budget, least
        return r ** (e.numerator * d.denominator) == s ** (d.numerator * e.denominator)

    def curve_sentences(self):
        """What may be said of the curves that pairs need: one is the largest, two cross, or one would be ∞."""
        case = self.claim.case
        compared = [(x, y) for x, y in case.pairs() if (x, y) in case.distances]
        curves = {one: hull(events(case.laws[one[0]], case.laws[one[1]])) for one in compared}
        unbounded = [one for one in compared if case.distances[one] == 0 and curves[one] != DIAGONAL]
        envelope = hull(chain(DIAGONAL, *(curve for one, curve in curves.items() if one not in unbounded)))
        largest = [one for one, curve in curves.items() if curve == envelope and one not in unbounded]
        found = [
            f"the smallest budget is infinite, needed by {self.named(*one)}, whose laws differ at distance 0"
            for one in unbounded
        ]
        if found:
            return found
        if not largest and envelope != DIAGONAL:
            return ["the curves of two pairs cross, so no curve is the smallest budget"]
        shown = " ".join(f"({a}, {f})" for a, f in envelope)
        if envelope == DIAGONAL:
            return [f"the smallest budget is the diagonal {shown}"]
        return [f"the smallest budget is the curve {shown}, needed by {self.named(*one)}" for one in largest]

    def named(self, x, y):
        first, second = (json.loads(self.claim.points[i]) for i in (x, y))
        return f"x = {_frozen(first)}, x' = {_frozen(second)}"

    def witnesses(self):
        """Every witness replays; one of an event is about the laws of two data sets that violate Equation (1)."""
        case, points = self.claim.case, [json.loads(point) for point in self.claim.points]
        for one in self.record.answers:
            witness = one.evidence.witness
            if witness is None:
                continue
            replay(json.loads(json.dumps(witness)))
            if witness["kind"] != "loss" or "x" not in witness:
                continue
            x, y = points.index(witness["x"]), points.index(witness["x_prime"])
            for key, i in (("law", x), ("law_prime", y)):
                if {t: Fraction(m) for t, m in witness[key]} != {
                    python_text(t): m for t, m in case.laws[i].items() if m
                }:
                    yield f"{key} is not that of the data set"
            alone = [
                replace(case, universes=((x, y),), distances={pair: d})
                for pair, d in case.distances.items()
                if pair in ((x, y), (y, x)) and pair in case.pairs()
            ]
            if all(holds(pair, self.claim.kind, self.claim.value) for pair in alone):
                yield "the pair of the witness satisfies Equation (1)"


def _frozen(point):
    return tuple(point) if isinstance(point, list) else point


def is_loss(text, ratio, d):
    """Whether a text says the loss ln(ratio)/d."""
    found = LOSS.match(text)
    if ratio == 1 or found is None:
        return ratio == 1 and text == "0"
    if found["near"]:
        ends = [Fraction(found["near"]) * (1 + sign * SHOWN) for sign in (-1, 1)]
        return [exceeds(ratio, Fraction(1), "epsilon", end, d) for end in ends] == [True, False]
    return Fraction(found["gamma"]) ** d.numerator == ratio ** (int(found["root"] or 1) * d.denominator)
