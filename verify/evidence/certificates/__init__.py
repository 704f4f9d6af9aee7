"""Re-checking what was found with nothing but the standard library: `replay` of witnesses, checks of certificates.

Reading order: `work`, `exact_number`; of expressions `case_values`, `case_arithmetic`, `evaluation`, `language`; of
witnesses `law_pair`, `claim_bound`, `register`, `replay`. Apart from them and from each other stand the checkers
of certificates, each one file that says what its form is and imports nothing of ours: `check` of the laws of an audited
mechanism, `sentences` of comparisons of exact numbers, `query` of what a solver has decided.

`alignment` checks budgets for every number of records. It reads the source of a function again, as the prover does:
`polynomial`, `read_values`, the grammar and what names mean in `closed_grammar`, `noise_laws`, `known_calls`,
expressions in `path_evaluation`, draws in `read_draws`, sums of integers in `counts`, statements in `straight_code`,
paths in `program_graph`; `released_index` has a rule of its own.
"""
