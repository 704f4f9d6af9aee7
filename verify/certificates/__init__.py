"""Re-checking witnesses with nothing but the standard library; `replay` is the command.

Reading order: `work`, `exact_number`, `formula`, `law_pair`, `claim_bound`, `distances`, `renyi`, `register`; of cases
`case_values`, `case_arithmetic`, `case_functions`, `language`.
"""
