"""Survey files: a pipeline from a population to a release, what it loses in each setting, and what may be claimed.

Reading order: `survey_file`, `designs`, `forms`, `adjustments`, `stages`; `statistics`, `stated`, `release`;
`pipeline`, `survey_audit`, `claimable`. `products.survey` runs what these files say.
"""
