"""The survey file that `stirred survey --example` prints."""

from __future__ import annotations

__all__ = ["EXAMPLE"]

EXAMPLE = """\
id = "town.jobs"
statement = "A noisy count of the employed, from a sample of two of three persons on the list."

[population]                      # every data set of these records, one for each unit
schema = { employed = ["yes", "no", "missing"] }
units = 4
missing = "missing"               # the value that stands for no answer

[[stage]]
kind = "frame"
units = [1, 2, 3]

[[stage]]
kind = "design"
name = "simple-random-sample"
size = 2

[[stage]]
kind = "imputation"
name = "hot-deck"
variable = "employed"
otherwise = "no"                  # where nobody of the sample has answered

[mechanism]
name = "geometric"                # P(noise = k) in proportion to ratio^|k|
statistic = "count"
where = { employed = "yes" }
ratio = "1/2"

[protection]
starts = "frame"
invariant = "nothing"
distance = "hamming_unordered"
resolution = "person"
"""
"""A simple random sample, imputation by hot deck, and geometric noise on a count."""
