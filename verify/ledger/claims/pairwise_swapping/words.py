"""Words that claims on the swapping study's statistics share."""

from stirred.verify.ledger.language_names import ln


def cross(x, y):
    return len(x) * sum(a * b for a, b in zip(x, y)) - sum(x) * sum(y)


def slope(x, y):
    return cross(x, y) / cross(x, x)


def average(v):
    return sum(v) / len(v)


def shares_of(counts, k):
    return [row[k] / sum(row) for row in counts]


# e to the persons of a region times its racial entropy


def exp_entropy(c):
    return 1 / prod_of([(k / sum(c)) ** k for k in c if k > 0])


def prod_of(v):
    return 1 if len(v) == 0 else v[0] * prod_of(v[1:])


# e to the sum over regions of their persons times their racial entropy


def joint_entropy(counts):
    return prod_of([exp_entropy(row) for row in counts])


def moved_of(first, second, k):
    return sum(abs(a[k] - b[k]) for a, b in zip(first, second))


# of each region's persons by race


def entropy(row):
    return ln(sum(row)) - sum(k * ln(k) for k in row if k > 0) / sum(row)


def mean_entropy(counts):
    return average([entropy(row) for row in counts])


# a law maps counts to probabilities


def mean(law):
    return sum(law[c] * c for c in law)


def variance(law):
    return sum(law[c] * (c - m) ** 2 for m in [mean(law)] for c in law)


def half_square_difference(law):
    return sum(law[a] * law[b] * (a - b) ** 2 for a in law for b in law) / 2


def relative_error(a, b):
    return 1 if a == 0 and b == 0 else (0 if b == 0 else 2 / (1 + a / b))
