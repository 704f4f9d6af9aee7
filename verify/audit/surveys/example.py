"""The survey file that `stirred survey --example` prints."""

from __future__ import annotations

__all__ = ["EXAMPLE"]

EXAMPLE = """\
id = "town.jobs"
statement = "A noisy count of the employed in a sample of two of three persons."

[population]                      # all data sets of these records, one for each unit
schema = { employed = ["yes", "no", "missing"] }
units = 3
missing = "missing"               # the value that stands for no answer

[[stage]]
kind = "frame"

[[stage]]
kind = "design"
name = "simple-random-sample"
size = 2

[[stage]]
kind = "imputation"
name = "hot-deck"
variable = "employed"
otherwise = "no"                  # where nobody has answered

[mechanism]
name = "geometric"                # P(noise = k) in proportion to ratio^|k|
statistic = "count"
where = { employed = "yes" }
ratio = "1/2"

[protection]
starts = "frame"                  # the data that the mechanism takes; what follows is inside it
invariant = "nothing"
distance = "hamming_unordered"
resolution = "person"
"""
"""A simple random sample, imputation by hot deck, and geometric noise on a count."""
