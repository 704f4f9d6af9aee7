"""Two claims about a coin, and accounts of what is released."""

COIN = """\
[[claim]]
id = "coin.{name}"
statement = "A coin."
[claim.domain]
schema = {{ a = [0, 1] }}
records = 2
[claim.multiverse]
invariants = []
[claim.input_premetric]
name = "hamming_unordered"
resolution = "person"
[claim.output_premetric]
name = "multiplicative"
[claim.budget]
gamma = 3
[claim.mechanism]
name = "kernel"
laws = [
  [[[0], [0]], [["a", "3/4"], ["b", "1/4"]]],
  [[[0], [1]], [["a", "1/2"], ["b", "1/2"]]],
  [[[1], [1]], [["a", "1/4"], ["b", "3/4"]]],
]
"""
FIRST, SECOND = COIN.format(name="one"), COIN.format(name="two")


def account(*parts, head='total = "2.2"'):
    releases = "".join(f"[[claim.account.releases]]\n{part}\n" for part in parts)
    return f'[[claim]]\nid = "both"\nstatement = "Both coins."\n[claim.account]\n{head}\n{releases}'
