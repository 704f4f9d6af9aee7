"""Survey files: a pipeline from a population to a release, what it loses in each setting, and what may be claimed.

Reading order: `survey_file`, `stated`, `designs`, `adjustments`, `stages`; `statistics`, `release`;
`pipeline`, `survey_audit`, `claimable`. `products.survey` runs these files.
"""
