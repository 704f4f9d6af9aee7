"""A survey from its population to its release: designs, non-response, weights, imputation, estimates.

Reading order: `designs`, with `allocation` and `inclusion` beside them; `response`; `weights` and `calibration`;
`imputation` and `noisy_table`; `estimates`.
"""
