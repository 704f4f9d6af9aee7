"""What a witness says and how it is re-checked, with nothing but the standard library; `verify.replay` is its command.

Reading order: `work`, `exact_number`, `formula`, `law_pair`, `claim_bound`, `distances`, `renyi`, `register`; of cases
`case_values`, `case_arithmetic`, `case_functions`, `language`.
"""
