"""Words: what properties of several concepts speak of, each defined once in the language of cases.

A witness carries the definitions of the words that it uses, so that a reader and replay see what they mean. A data set
is a tuple of records; a permutation g the tuple of its images; a table a tuple of rows; a law a map from outcomes to
probabilities; a matrix of distances a map from pairs of points, and a pair that it does not have is at distance 0 or oo
as the word says; a loss is oo or a pair (gamma, root), that is ln(gamma)/root.
"""

from collections.abc import Mapping

from stirred.verify.evidence.finding import EngineError

WORDS: dict[str, tuple[str, str]] = {}
"""By name: the head, such as "hamming(x, y)", and the body."""


def define(definitions: Mapping[str, str]) -> None:
    """Add words; a concept defines those that it alone needs in its own module.

    Args:
        definitions: "name(parameters)" to its body.

    Raises:
        EngineError: a name is defined already, with another meaning.
    """
    for head, body in definitions.items():
        name = head.split("(")[0]
        text = " ".join(body.split())
        if WORDS.get(name, (head, text)) != (head, text):
            raise EngineError(f"the word {name} is defined already")
        WORDS[name] = (head, text)


define(
    {
        # data sets
        "count(x, a)": "sum(1 for y in x if y == a)",
        "less(x, y)": "sum(max(0, count(x, a) - count(y, a)) for a in set(x))",
        "hamming(x, y)": "less(x, y) if len(x) == len(y) else oo",
        "hamming_ordered(x, y)": "sum(1 for a, b in zip(x, y) if a != b) if len(x) == len(y) else oo",
        "symmetric_difference(x, y)": "less(x, y) + less(y, x)",
        "same_records(x, y)": "less(x, y) + less(y, x) == 0",
        # permutations
        "permuted(x, g)": "[x[i] for i in g]",
        "moved(g)": "sum(1 for i, j in enumerate(g) if i != j)",
        # tables
        "row_margins(t)": "[sum(row) for row in t]",
        "column_margins(t)": "[sum(row[j] for row in t) for j in range(len(t[0]))]",
        "table_distance(t, u)": "sum(max(0, a - b) for r, s in zip(t, u) for a, b in zip(r, s))",
        # laws
        "probability(p, event)": "sum(get(p, t, 0) for t in event)",
        "outcomes(p, q)": "set(p) | set(q)",
        "is_law(p)": "all(p[t] >= 0 for t in p) and sum(p[t] for t in p) == 1",
        "same_law(p, q)": "all(get(p, t, 0) == get(q, t, 0) for t in outcomes(p, q))",
        "total_variation(p, q)": "sum(max(0, get(p, t, 0) - get(q, t, 0)) for t in outcomes(p, q))",
        "likelihood_ratio(p, q)": "max([1] + [(p[t] / q[t] if get(q, t, 0) > 0 else oo) for t in p if p[t] > 0])",
        "multiplicative(p, q)": "max(likelihood_ratio(p, q), likelihood_ratio(q, p))",
        "hockey_stick(p, q, gamma)": "sum(max(0, get(p, t, 0) - gamma * get(q, t, 0)) for t in outcomes(p, q))",
        "image(p, f)": "{u: sum(p[t] for t in p if f[t] == u) for u in set(f[t] for t in p)}",
        "reached(p, kernel)": "set(u for t in p for u in kernel[t])",
        "mixed(p, kernel)": "{u: sum(p[t] * get(kernel[t], u, 0) for t in p) for u in reached(p, kernel)}",
        # distances and multiverses
        "distance(d, x, y)": "0 if x == y else get(d, (x, y), oo)",
        "together(universes, x, y)": "any(x in u and y in u for u in universes)",
    }
)
