"""Re-checking what was found with nothing but the standard library: `replay` of witnesses, checks of certificates.

Reading order: `work`, `exact_number`; of expressions `case_values`, `case_arithmetic`, `evaluation`, `language`; of
witnesses `law_pair`, `claim_bound`, `register`, `replay`. Apart from them and from each other stand the checkers
of certificates, each one file that says what its form is and imports nothing of ours: `check` of the laws of an audited
mechanism, `sentences` of comparisons of exact numbers, `query` of what a solver has decided.
"""
