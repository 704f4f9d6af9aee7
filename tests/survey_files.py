"""Small survey files: a sample of people, a stratified and a Poisson sample, one to be run, with its records."""

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

RUN = """
id = "jobs"
statement = "Weighted totals by region."
[population]
schema = { region = ["north", "south"], employed = [0, 1] }
units = 2
collected = ["employed"]
[[stage]]
kind = "design"
name = "simple-random-sample"
size = 5
[[stage]]
kind = "weights"
name = "design"
depends_on = []
[[mechanism]]
label = "persons"
name = "geometric"
statistic = "count"
cells = ["region"]
largest = 10
epsilon = 2000
[[mechanism]]
label = "employed"
name = "geometric"
statistic = "total"
of = "employed"
cells = ["region"]
largest = 10
epsilon = 2000
[calibration]
counts = "persons"
totals = { region = [["north", 100], ["south", 300]] }
[protection]
starts = "sample"
invariant = "nothing"
distance = "hamming_unordered"
resolution = "person"
"""
"""Budgets so large that the noise is 0 but for a probability of 2e-12 a cell."""

RUN_RECORDS = {
    "region": ["north", "north", "south", "south", "south"],
    "weight": [10, 30, 5, 5, 10],
    "employed": [1, 1, 0, 1, 1],
}
