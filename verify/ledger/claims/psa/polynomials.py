"""Words for polynomials by their coefficients, lowest degree first, and for what shows that one is not negative."""

from math import comb

from stirred.verify.ledger.language_names import oo


def times(p, q):
    return [sum(p[i] * q[k - i] for i in range(len(p)) if 0 <= k - i < len(q)) for k in range(len(p) + len(q) - 1)]


def shifted(p, a):
    return [sum(p[k] * comb(k, i) * a ** (k - i) for k in range(i, len(p))) for i in range(len(p))]


def reversed_of(p):
    return [p[len(p) - 1 - i] for i in range(len(p))]


def stretched(p, c):
    return [p[i] * c**i for i in range(len(p))]


# p at a + t, or (1 + t)**d*p((b + a*t)/(1 + t)): where no coefficient is negative, p is not from a to b


def on_cell(p, a, b):
    return shifted(p, a) if b == oo else shifted(reversed_of(stretched(shifted(p, a), b - a)), 1)


def is_nonnegative(p, c, square, rest, cells):
    return (
        c > 0
        and times(times([c], times(square, square)), rest) == p
        and all(a >= 0 for i in range(len(cells) - 1) for a in on_cell(rest, cells[i], cells[i + 1]))
    )


def is_nonnegative_to_1(p, c, square, rest, cells):
    return cells[0] == 0 and cells[len(cells) - 1] == 1 and is_nonnegative(p, c, square, rest, cells)
