"""Small survey files: a sample of people, a stratified and a Poisson sample."""

STRATA = """
id = "strata.income"
statement = "A weighted total of income from a stratified sample."
[population]
schema = { region = [1, 2], income = [0, 1] }
units = 3
collected = ["income"]
[[stage]]
kind = "design"
name = "stratified"
by = "region"
proportional = 2
[[stage]]
kind = "weights"
name = "design"
depends_on = ["region"]
[mechanism]
name = "geometric"
statistic = "total"
of = "income"
unit = "1/2"
ratio = "1/2"
[protection]
starts = "population"
invariant = "nothing"
distance = "hamming_unordered"
resolution = "person"
"""

PEOPLE = """
id = "p"
statement = "s"
[population]
schema = { old = [0, 1] }
units = 4
[[stage]]
kind = "design"
name = "simple-random-sample"
size = 2
[mechanism]
name = "geometric"
statistic = "total"
of = "old"
ratio = "1/3"
[protection]
starts = "population"
invariant = "nothing"
distance = "hamming_unordered"
resolution = "person"
"""


RATES = """
id = "rates"
statement = "A total of income from a Poisson sample at rates by region."
[population]
schema = { region = [1, 2], income = [0, 1] }
units = 2
collected = ["income"]
[[stage]]
kind = "frame"
[[stage]]
kind = "design"
name = "poisson"
by = "region"
rates = [[1, "1/2"], [2, "1/3"]]
[mechanism]
name = "geometric"
statistic = "total"
of = "income"
ratio = "1/2"
[protection]
starts = "frame"
invariant = "nothing"
distance = "hamming_unordered"
resolution = "person"
"""
