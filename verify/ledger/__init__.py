"""The ledger: claims with their checks, mutants and theorems, and the records that come out.

Reading order: `claim`, `statement`, `quantifiers`, `failures`, `words`, `compiled`, `answers`, `theorems`, `book`,
`run`, `documents`, `pages`.
"""
