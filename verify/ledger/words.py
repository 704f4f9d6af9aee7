"""Words of sentences on several concepts: functions that are read, not called (see `verify.ledger.functions`).

A witness carries the definitions of the words that it uses, so that a reader and replay see what they mean. A data set
is a tuple of records; a permutation g the tuple of its images; a table a tuple of rows; a law a map from outcomes to
probabilities; a matrix of distances a map from pairs of points, and a pair that it does not have is at distance 0 or oo
as the word says; a loss is oo or a pair (gamma, root), that is ln(gamma)/root.
"""

from stirred.verify.ledger.language_names import get, oo

# data sets


count = lambda x, a: sum(1 for y in x if y == a)
less = lambda x, y: sum(max(0, count(x, a) - count(y, a)) for a in set(x))
hamming = lambda x, y: less(x, y) if len(x) == len(y) else oo
hamming_ordered = lambda x, y: sum(1 for a, b in zip(x, y) if a != b) if len(x) == len(y) else oo
symmetric_difference = lambda x, y: less(x, y) + less(y, x)
same_records = lambda x, y: less(x, y) + less(y, x) == 0

# permutations

permuted = lambda x, g: [x[i] for i in g]
moved = lambda g: sum(1 for i, j in enumerate(g) if i != j)

# tables

row_margins = lambda t: [sum(row) for row in t]
column_margins = lambda t: [sum(row[j] for row in t) for j in range(len(t[0]))]
table_distance = lambda t, u: sum(max(0, a - b) for r, s in zip(t, u) for a, b in zip(r, s))

# laws

probability = lambda p, event: sum(get(p, t, 0) for t in event)
outcomes = lambda p, q: set(p) | set(q)
is_law = lambda p: all(p[t] >= 0 for t in p) and sum(p[t] for t in p) == 1
same_law = lambda p, q: all(get(p, t, 0) == get(q, t, 0) for t in outcomes(p, q))
total_variation = lambda p, q: sum(max(0, get(p, t, 0) - get(q, t, 0)) for t in outcomes(p, q))
likelihood_ratio = lambda p, q: max([1] + [(p[t] / q[t] if get(q, t, 0) > 0 else oo) for t in p if p[t] > 0])
multiplicative = lambda p, q: max(likelihood_ratio(p, q), likelihood_ratio(q, p))
hockey_stick = lambda p, q, gamma: sum(max(0, get(p, t, 0) - gamma * get(q, t, 0)) for t in outcomes(p, q))
image = lambda p, f: {u: sum(p[t] for t in p if f[t] == u) for u in {f[t] for t in p}}
reached = lambda p, kernel: {u for t in p for u in kernel[t]}
mixed = lambda p, kernel: {u: sum(p[t] * get(kernel[t], u, 0) for t in p) for u in reached(p, kernel)}

# distances and multiverses

distance = lambda d, x, y: 0 if x == y else get(d, (x, y), oo)
together = lambda universes, x, y: any(x in u and y in u for u in universes)
