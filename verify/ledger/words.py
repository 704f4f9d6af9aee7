"""Words of sentences on several concepts: functions that are read, not called (see `verify.ledger.functions`).

A witness carries the definitions of the words that it uses, so that a reader and replay see what they mean. A data set
is a tuple of records; a permutation g the tuple of its images; a table a tuple of rows; a law a map from outcomes to
probabilities; a matrix of distances a map from pairs of points, and a pair that it does not have is at distance 0 or oo
as the word says; a loss is oo or a pair (gamma, root), that is ln(gamma)/root.
"""

from stirred.verify.ledger.language_names import get, oo

# data sets


def count(x, a):
    return sum(1 for y in x if y == a)


def less(x, y):
    return sum(max(0, count(x, a) - count(y, a)) for a in set(x))


def hamming(x, y):
    return less(x, y) if len(x) == len(y) else oo


def hamming_ordered(x, y):
    return sum(1 for a, b in zip(x, y) if a != b) if len(x) == len(y) else oo


def symmetric_difference(x, y):
    return less(x, y) + less(y, x)


def same_records(x, y):
    return less(x, y) + less(y, x) == 0


# permutations


def permuted(x, g):
    return [x[i] for i in g]


def moved(g):
    return sum(1 for i, j in enumerate(g) if i != j)


# tables


def row_margins(t):
    return [sum(row) for row in t]


def column_margins(t):
    return [sum(row[j] for row in t) for j in range(len(t[0]))]


def table_distance(t, u):
    return sum(max(0, a - b) for r, s in zip(t, u) for a, b in zip(r, s))


# laws


def probability(p, event):
    return sum(get(p, t, 0) for t in event)


def outcomes(p, q):
    return set(p) | set(q)


def is_law(p):
    return all(p[t] >= 0 for t in p) and sum(p[t] for t in p) == 1


def same_law(p, q):
    return all(get(p, t, 0) == get(q, t, 0) for t in outcomes(p, q))


def total_variation(p, q):
    return sum(max(0, get(p, t, 0) - get(q, t, 0)) for t in outcomes(p, q))


def likelihood_ratio(p, q):
    return max([1] + [(p[t] / q[t] if get(q, t, 0) > 0 else oo) for t in p if p[t] > 0])


def multiplicative(p, q):
    return max(likelihood_ratio(p, q), likelihood_ratio(q, p))


def hockey_stick(p, q, gamma):
    return sum(max(0, get(p, t, 0) - gamma * get(q, t, 0)) for t in outcomes(p, q))


def image(p, f):
    return {u: sum(p[t] for t in p if f[t] == u) for u in {f[t] for t in p}}


def reached(p, kernel):
    return {u for t in p for u in kernel[t]}


def mixed(p, kernel):
    return {u: sum(p[t] * get(kernel[t], u, 0) for t in p) for u in reached(p, kernel)}


# distances and multiverses


def distance(d, x, y):
    return 0 if x == y else get(d, (x, y), oo)


def together(universes, x, y):
    return any(x in u and y in u for u in universes)
