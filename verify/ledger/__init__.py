"""The ledger: claims with their checks, mutants and theorems, and the records that come out.

Reading order: `claim`, `statement`, `quantifiers`, `failures`, `words`, `theorems`, `answers`, `book`, `run`.
"""

from verify.ledger.legacy import checks, refutes

__all__ = ["checks", "refutes"]
