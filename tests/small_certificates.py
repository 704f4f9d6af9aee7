"""The smallest certificate of each kind: the laws of a coin, a query by a sum, sentences about sums."""

COIN = {
    "format": "stirred certificate 1",
    "claim": "coin",
    "statement": "A coin.",
    "mechanism": "m:coin",
    "data_sets": ["((0,),)", "((1,),)"],
    "universes": [[0, 1]],
    "distance": {"name": "hamming_ordered"},
    "output_premetric": {"name": "multiplicative"},
    "budget": {"gamma": 3, "root": 1},
    "outputs": ["0", "1"],
    "weights": [["3/4", "1/4"]],
    "laws": [{"tree": [0, 1, 5], "rows": [0], "results": [0, 1]}, {"tree": [0, 5, 1], "rows": [0], "results": [0, 1]}],
    "verdict": {"met": True},
}

QUERY = """; "two" comparisons | of one number
(declare-const x Int)
(define-fun twice ((y Int)) Int (* 2 y))
(assert (and (<= 4 (twice x)) (not (>= x 2))))
"""
ABSURD = {
    "format": "stirred query 1",
    "claim": "two",
    "statement": "x >= 2 where 2x >= 4.",
    "scope": "all x",
    "query": QUERY,
    "sum": [[0, "1/2"], [1, 1]],
    "without": ["PROVED by a theorem"],
}

SENTENCE = {"says": "less(x, y) <= d", "is": True, "scope": "two", "names": ["x", "y", "d"]}
SUMS = {
    "format": "stirred sentences 1",
    "claim": "sums",
    "statement": "x is at most d below y.",
    "words": {"less(x, y)": "sum(y) - sum(x)"},
    "sentences": [{**SENTENCE, "cases": [[[0, 1], [1, 1], 1], [[0], [{"number": "1/2"}], {"number": "1/2"}]]}],
    "without": ["PROVED by a theorem"],
}
