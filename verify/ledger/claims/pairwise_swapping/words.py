"""Words that claims on the swapping study's statistics share."""

from stirred.verify.ledger.language_names import ln

cross = lambda x, y: len(x) * sum(a * b for a, b in zip(x, y)) - sum(x) * sum(y)
slope = lambda x, y: cross(x, y) / cross(x, x)
average = lambda v: sum(v) / len(v)
shares_of = lambda counts, k: [row[k] / sum(row) for row in counts]

# e to the persons of a region times its racial entropy
exp_entropy = lambda c: 1 / prod_of([(k / sum(c)) ** k for k in c if k > 0])
prod_of = lambda v: 1 if len(v) == 0 else v[0] * prod_of(v[1:])

# e to the sum over regions of their persons times their racial entropy
joint_entropy = lambda counts: prod_of([exp_entropy(row) for row in counts])
moved_of = lambda first, second, k: sum(abs(a[k] - b[k]) for a, b in zip(first, second))

# of each region's persons by race
entropy = lambda row: ln(sum(row)) - sum(k * ln(k) for k in row if k > 0) / sum(row)
mean_entropy = lambda counts: average([entropy(row) for row in counts])

# a law maps counts to probabilities
mean = lambda law: sum(law[c] * c for c in law)
variance = lambda law: sum(law[c] * (c - m) ** 2 for m in [mean(law)] for c in law)
half_square_difference = lambda law: sum(law[a] * law[b] * (a - b) ** 2 for a in law for b in law) / 2
relative_error = lambda a, b: 1 if a == 0 and b == 0 else (0 if b == 0 else 2 / (1 + a / b))
