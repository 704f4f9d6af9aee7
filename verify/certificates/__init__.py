"""Re-checking what was found with nothing but the standard library: `replay` of witnesses, `check` of certificates.

Reading order: `work`, `exact_number`, `formula`, `law_pair`, `claim_bound`, `distances`, `renyi`, `register`; of cases
`case_values`, `case_arithmetic`, `case_functions`, `language`. `check` imports none of them, nor anything else of ours.
"""
