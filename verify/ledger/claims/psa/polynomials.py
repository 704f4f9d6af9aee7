"""Words for polynomials by their coefficients, lowest degree first, and for what shows that one is not negative."""

from math import comb

from stirred.verify.ledger.language_names import oo

times = lambda p, q: [
    sum(p[i] * q[k - i] for i in range(len(p)) if 0 <= k - i < len(q)) for k in range(len(p) + len(q) - 1)
]
shifted = lambda p, a: [sum(p[k] * comb(k, i) * a ** (k - i) for k in range(i, len(p))) for i in range(len(p))]
reversed_of = lambda p: [p[len(p) - 1 - i] for i in range(len(p))]
stretched = lambda p, c: [p[i] * c**i for i in range(len(p))]

# p at a + t, or (1 + t)**d*p((b + a*t)/(1 + t)): where no coefficient is negative, p is not from a to b

on_cell = lambda p, a, b: shifted(p, a) if b == oo else shifted(reversed_of(stretched(shifted(p, a), b - a)), 1)
is_nonnegative = lambda p, c, square, rest, cells: (
    c > 0
    and times(times([c], times(square, square)), rest) == p
    and all(a >= 0 for i in range(len(cells) - 1) for a in on_cell(rest, cells[i], cells[i + 1]))
)
is_nonnegative_to_1 = lambda p, c, square, rest, cells: (
    cells[0] == 0 and cells[len(cells) - 1] == 1 and is_nonnegative(p, c, square, rest, cells)
)
