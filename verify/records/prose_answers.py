"""Answers about what a record says in several places: an agreement, a remark that decides nothing, or a difference.

None of them refutes: nothing but likeness says that the places speak of one thing. A difference leaves the record
undecided until someone has read both.
"""

from stirred.verify.audit.question import Answer
from stirred.verify.evidence.finding import Evidence
from stirred.verify.evidence.verdict import Verdict

_QUESTION = "prose"


def agreement(scope: str, detail: str) -> Answer:
    """Two places that say the same."""
    return Answer(_QUESTION, Evidence(Verdict.EXHAUSTED, scope, detail), decides=False)


def remark(scope: str, detail: str) -> Answer:
    """Places that need not say the same: parts, roundings, sums."""
    return Answer(_QUESTION, Evidence(Verdict.OPEN, scope, detail), decides=False, is_remark=True)


def difference(scope: str, detail: str) -> Answer:
    """Places that say something else of what may be one thing."""
    return Answer(_QUESTION, Evidence(Verdict.OPEN, scope, detail))
