"""The ledger: claims with their checks, mutants and theorems, and the records that come out.

A module of claims imports from here all that it is stated with. Reading order: `claim`, `statement`, `quantifiers`,
`functions`, `words`, `failures`, `compiled`; then `book`, `run`, `certificates`; the sources: `documents`,
`printed_text`, `coverage`, `pages`; last, tests of the checks themselves: `perturbed`, `mutated`.
"""

from stirred.verify.ledger.claim import Check, Mutation, Sentence
from stirred.verify.ledger.failures import failure, settled, unless
from stirred.verify.ledger.quantifiers import Cases, Property, cases, every, found_by, some
from stirred.verify.ledger.statement import (
    argued,
    false,
    incomplete,
    misprint,
    mutant,
    own,
    printed,
    query,
    state,
    theorem,
    unsettled,
)

__all__ = [
    "Cases",
    "Check",
    "Mutation",
    "Property",
    "Sentence",
    "argued",
    "cases",
    "every",
    "failure",
    "false",
    "found_by",
    "incomplete",
    "misprint",
    "mutant",
    "own",
    "printed",
    "query",
    "settled",
    "some",
    "state",
    "theorem",
    "unless",
    "unsettled",
]
