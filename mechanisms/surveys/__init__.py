"""A survey from its population to its release: designs, non-response, weights, imputation, and how they compose.

Reading order: `designs`, `sampford` and `multistage`, with `allocation` and `inclusion` beside them; `response`;
`weights` and `calibration`; `imputation` and `noisy_table`; `estimates`; `pipeline`, where they become one program.
"""
