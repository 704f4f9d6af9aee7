"""Worked examples of weakened claims, each of at most 16 data sets, with exact losses derived by hand."""

from dataclasses import dataclass
from pathlib import Path

COMPARED = Path(__file__).parent / "claims" / "compare"


def claim(
    name: str,
    data_sets: str,
    mechanism: str,
    *,
    multiverse: str = "invariants = []",
    distances: str = 'name = "hamming_ordered"',
    resolution: str = "person",
    measure: str = 'name = "multiplicative"',
    budget: str = "gamma = 100",
) -> str:
    """A claim file on listed data sets; unless said otherwise, pure DP at a budget that is large enough."""
    return f"""\
id = "{name}"
statement = "s"
[domain]
data_sets = {data_sets}
[multiverse]
{multiverse}
[input_premetric]
{distances}
resolution = "{resolution}"
[output_premetric]
{measure}
[budget]
{budget}
[mechanism]
{mechanism}
"""


def explicit(*pairs: tuple[str, str, object]) -> str:
    """Symmetric distances as a claim file has them; other pairs are at distance infinity."""
    rows = [f"[{a}, {b}, {d}], [{b}, {a}, {d}]" for a, b, d in pairs]
    return f'name = "explicit"\ndistances = [{", ".join(rows)}]'


def laws(**rows: str) -> str:
    """A table of laws by data set; each text is the outcomes with their probabilities, as "yes 1/4, no 3/4"."""
    listed = []
    for point, text in rows.items():
        parts = (part.split() for part in text.split(", "))
        listed.append(f'["{point}", [{", ".join(f"[{outcome!r}, {share!r}]" for outcome, share in parts)}]]')
    return f'name = "kernel"\nlaws = [{", ".join(listed)}]'


BITS = "[[0], [1]]"
PAIRS = "[[0, 0], [0, 1], [1, 0], [1, 1]]"
LINE = explicit(('"a"', '"b"', 1), ('"b"', '"c"', 1), ('"a"', '"c"', 2))
STEPS = laws(a="yes 1/9, no 8/9", b="yes 1/3, no 2/3", c="yes 1/1")
"""From a to b the ratio is 3 (8/6 for no); from b to c "no" has no probability any more."""


def flipped(program: str) -> str:
    return f'function = "mechanisms_compared:{program}"\nparameters = {{ flip = "1/4" }}'


def surveys(*samples: str, membership: str = "secret") -> str:
    """An account of pure releases with epsilon = 1, 2, …, each of a sample at the rate 1/10."""
    parts = [
        f"""\
[[account.releases]]
name = "T{number}"
epsilon = {number}
conversions = [
  {{ to = "sampled", sample = "{sample}", rate = "1/10", domain = "frame", membership = "{membership}" }},
]
"""
        for number, sample in enumerate(samples, 1)
    ]
    start = 'id = "surveys"\nstatement = "s"\n[account]\ndomain = "sample"\ninvariants = []\nneighbors = "bounded"\n'
    return f'{start}unit = "person"\nprinted = "0.65"\n{"".join(parts)}'


@dataclass(frozen=True)
class Example:
    """A weakened claim, alone or beside the honest one.

    Attributes:
        detector: the name of what is to be found.
        found: what the line must say, with exact numbers.
        claimed: the weakened claim's text, or its file in `COMPARED`.
        honest: the honest one's; empty where the claim alone shows it.
        recording: the text of a recording map.
    """

    detector: str
    found: tuple[str, ...]
    claimed: str
    honest: str = ""
    recording: str = ""


_SIZES = '[["a"], ["b"], ["a", "a"], ["a", "b"], ["b", "b"]]'
_BY_SIZE = (
    'name = "kernel"\nlaws = [[["a"], [["one", 1]]], [["b"], [["one", 1]]], [["a", "a"], [["two", 1]]], '
    '[["a", "b"], [["two", 1]]], [["b", "b"], [["two", 1]]]]'
)
_LEAK = laws(a="a 1/8, - 7/8", b="b 1/8, - 7/8")
_RESPONSE = laws(a="yes 3/4, no 1/4", b="yes 1/4, no 3/4")
_NEAR = explicit(('"a"', '"b"', 1))
_TWO = '["a", "b"]'
_THREE = '["a", "b", "c"]'
_FINE = laws(a="low 3/8, mid 3/8, high 1/4", b="low 1/8, mid 3/8, high 1/2")
_COARSE = laws(a="some 3/4, high 1/4", b="some 1/2, high 1/2")
_FIRST = explicit(("[0, 0]", "[1, 0]", 1), ("[0, 1]", "[1, 1]", 1))
"""The first person's answer changes, the second one's stays."""

_ALL_RAW = '[[0, 0], [0, 1], [0, "?"], [1, 0], [1, 1], [1, "?"]]'
_IMPUTED = (
    "[[0, 0], [0, 0]], [[0, 1], [0, 1]], [[0, '?'], [0, 0]], [[1, 0], [1, 0]], [[1, 1], [1, 1]], [[1, '?'], [1, 1]]"
)

EXAMPLES = (
    # P(1 | x) = (8 - x)/16: the last step from 2/16 to 1/16, below 4 from 6/16 to 5/16
    Example("shrunk domain", ("4 of 8 data sets left out", "from ln(2)", "to ln(6/5)"), "top_coding"),
    # x = 3 and x' = 4 become one: 5/16 against 4/16; of 28 pairs those among 3, …, 7
    Example(
        "shrunk domain",
        ("8 data sets recorded as 4; 10 of 28 compared pairs become one", "x = 3, x' = 4", "D_Mult = ln(5/4)", "ln(2)"),
        "top_coding",
        recording="images = [[0, 0], [1, 1], [2, 2], [3, 3], [4, 3], [5, 3], [6, 3], [7, 3]]",
    ),
    # a missing answer is copied: one change flips two answers, 3 * 3 against 3 for one
    Example(
        "copied records",
        ("(0, '?'), x' = (1, '?') at the distance 1 become (0, 0) and (1, 1) at the distance 2", "ln(3)", "ln(9)"),
        claim("imputed", PAIRS, 'name = "randomized-response"\nflip_probability = "1/4"'),
        claim("raw", _ALL_RAW, flipped("answers_with_imputation")),
        f"images = [{_IMPUTED}]",
    ),
    # P(majority) rises from 10/64 by 22/64
    Example(
        "shattered multiverse",
        ("4 universes of 1 to 3 data sets, 2 singletons; 22 of 28 pairs lost", "ln(11/5)"),
        "invariant",
    ),
    Example(
        "shattered multiverse",
        (
            "2 universes of 1 to 2 data sets, 1 singleton; 2 of 3 pairs at a finite distance lost",
            "is ln(3)",
            "infinite",
        ),
        claim("split", _THREE, STEPS, distances=LINE, multiverse='universes = [["a", "b"], ["c"]]'),
    ),
    Example(
        "uncovered data sets",
        ("1 of 3 data sets in no universe, x = c the first", "is ln(3)", "infinite (x = ", "x' = c)"),
        claim("uncovered", _THREE, STEPS, distances=LINE, multiverse='universes = [["a", "b"]]'),
    ),
    Example(
        "uncovered data sets",
        ("1 of 3 data sets in no universe",),
        claim("uncovered", _THREE, STEPS, distances=LINE, multiverse='universes = [["a", "b"]]'),
        claim("covered", _THREE, STEPS, distances=LINE),
    ),
    # {a, b} needs ln 3, and in {b, c} "no" becomes impossible
    Example(
        "one universe's budget",
        ("the stated gamma = 3 is enough in 1 of 2 universes", "another one needs infinite (x = b, x' = c)"),
        claim(
            "quoted",
            _THREE,
            STEPS,
            distances=LINE,
            multiverse='universes = [["a", "b"], ["b", "c"]]',
            budget="gamma = 3",
        ),
    ),
    Example(
        "one universe's budget",
        ("the claimed universes are 1 of the 2 honest ones: they need ln(3)", "left out infinite"),
        claim("one", _THREE, STEPS, distances=LINE, multiverse='universes = [["a", "b"]]'),
        claim("both", _THREE, STEPS, distances=LINE, multiverse='universes = [["a", "b"], ["b", "c"]]'),
    ),
    Example(
        "determined by invariants",
        ("2 different laws on 5 data sets, and one law in each of 2 classes", "D_Mult = infinite"),
        claim("sizes", _SIZES, _BY_SIZE, distances='name = "hamming_unordered"', multiverse='invariants = ["size"]'),
    ),
    # all four laws of the majority differ by the number of ones
    Example("determined by invariants", ("4 different laws on 8 data sets", "D_Mult = ln(11/5)"), "invariant"),
    # a household of two persons: 3 * 3 at distance 1, or at distance 2
    Example(
        "finer units",
        ("one household counts as up to 2 units (person)", "at the distances 1 and 2", "ln(9)", "ln(3)"),
        "unit",
    ),
    Example(
        "hidden invariants",
        ("6 of 10 pairs that share a universe are at infinite distance", "D_Mult = infinite"),
        claim("sizes", _SIZES, _BY_SIZE, distances='name = "hamming_unordered"'),
    ),
    Example(
        "hidden invariants",
        ("2 of 3 compared pairs are at infinite distance", "from infinite (x = b, x' = c) to ln(3)"),
        claim("parted", _THREE, STEPS, distances=_NEAR),
        claim("joined", _THREE, STEPS, distances=LINE),
    ),
    # 3/4 against 1/4 at distance 100
    Example(
        "rescaled distances",
        ("no two compared data sets are closer than 100", "ln(3)/100"),
        claim("scaled", _TWO, _RESPONSE, distances=explicit(('"a"', '"b"', 100))),
    ),
    Example(
        "rescaled distances",
        ("every finite distance is 100 times the honest one", "from ln(3)", "to ln(3)/100"),
        claim("scaled", _TWO, _RESPONSE, distances=explicit(('"a"', '"b"', 100))),
        claim("unscaled", _TWO, _RESPONSE, distances=_NEAR),
    ),
    # 1/8 of the probability is a release of the data, which delta = 1/8 allows at epsilon = 0
    Example(
        "weaker output premetric",
        (
            "delta = 1/8 needs 0; multiplicative needs infinite",
            "{'a'} has probability 1/8 on x and 0 on x', x = a, x' = b",
        ),
        claim("leak", _TWO, _LEAK, distances=_NEAR, measure='name = "approximate_multiplicative"\ndelta = "1/8"'),
    ),
    Example(
        "weaker output premetric",
        ("total_variation needs 1/8; multiplicative needs infinite", "{'a'} has probability 1/8"),
        claim("leak", _TWO, _LEAK, distances=_NEAR, measure='name = "total_variation"', budget='epsilon = "1/8"'),
    ),
    Example(
        "weaker output premetric",
        ("normalized_renyi; multiplicative needs ln(3)",),
        claim(
            "response",
            _TWO,
            _RESPONSE,
            distances=_NEAR,
            measure='name = "normalized_renyi"',
            budget='rho_squared = "2"',
        ),
    ),
    Example(
        "weaker output premetric",
        ("tradeoff; multiplicative needs infinite", "{'a'} has probability 1/8 on x and 0 on x'"),
        claim(
            "curve",
            _TWO,
            _LEAK,
            distances=_NEAR,
            measure='name = "tradeoff"',
            budget='curve = [[0, "1/8"], ["7/8", 1], [1, 1]]',
        ),
    ),
    # two answers: 9/16 - 1/4 = 5 * (1/16) over distance 2; a ratio of 3 > 5^(1/2) wherever the answer is kept
    Example(
        "weaker output premetric",
        ("needs ln(5)/2", "multiplicative needs ln(3)", "of probability 3/4 on x and 1/4 on x'"),
        "delta",
    ),
    # low: 3/8 against 1/8; low and mid together: 6/8 against 4/8, where high has 2 to 1
    Example(
        "coarser events",
        ("3 outcomes seen as 2: 'low', 'mid' are one", "the honest one needs ln(3)", "this one ln(2)"),
        claim("coarse", _TWO, _COARSE, distances=_NEAR),
        claim("fine", _TWO, _FINE, distances=_NEAR),
    ),
    Example(
        "constant from the data",
        ("has 2 values on 2 data sets: ('constant', (0,)) on x, ('constant', (1,)) on x'", "budget is infinite"),
        claim("peeking", BITS, 'name = "peeking-constant"'),
    ),
    Example(
        "constant from the data",
        ("one for all 2 data sets: the honest law on 1 of them, x = b", "(D_Mult = infinite)", "needs infinite"),
        claim("constant", _TWO, laws(a="B 1/1", b="B 1/1"), distances=_NEAR),
        claim("released", _TWO, laws(a="A 1/1", b="B 1/1"), distances=_NEAR),
    ),
    # f = 1/2: 1 + (3 - 1)/2 = 2, attained where the other person's answer is 0: 1/4 against 1/2
    Example(
        "amplification by sampling",
        ("at each of 2 compared pairs", "with probability 1/2", "it needs ln(2)", "the honest one ln(3)"),
        claim("sampled", PAIRS, flipped("sampled_answer"), distances=_FIRST),
        claim("known", PAIRS, flipped("first_answer"), distances=_FIRST),
    ),
    # dissertation, section 6.5.2: ln(1 + (e^3 - 1)/10) = 1.07 together, 0.16 + 0.49 added up
    Example(
        "parts that share randomness",
        ("T1 0.158565 and T2 0.494029, 0.652594 added up, are of one sample, CPS: together they come to 1.06766",),
        surveys("CPS", "CPS"),
    ),
    Example(
        "amplification by sampling",
        ("epsilon = 0.158565, by sample CPS, simple random sample at the rate 1/10; of who is in the sample it is 1",),
        surveys("CPS"),
    ),
    Example(
        "amplification by sampling",
        ("epsilon = 1: sample CPS, simple random sample at the rate 1/10, would give 0.158565",),
        surveys("CPS", membership="known"),
    ),
    # each part ln 2; together 1 + (9 - 1)/2 = 5, attained where the other person's answer is 0: 1/16 against 5/16
    Example(
        "parts that share randomness",
        ("the stated gamma = 4 covers the 2 parts, ln(2)", "and ln(4)", "released together they need ln(5)"),
        claim("shared", PAIRS, flipped("sampled_answers"), distances=_FIRST, budget="gamma = 4"),
    ),
    Example(
        "parts that share randomness",
        ("drawn independently, which they are not", "it needs ln(4)", "the honest one ln(5)"),
        claim("independent", PAIRS, flipped("two_samples"), distances=_FIRST),
        claim("shared", PAIRS, flipped("sampled_answers"), distances=_FIRST),
    ),
)

_UNIVERSES = 'universes = [["a", "b"], ["c", "d"]]'
_FOUR = '["a", "b", "c", "d"]'
_APART = explicit(('"a"', '"b"', 1), ('"c"', '"d"', 1))
_TWICE = laws(a="yes 3/4, no 1/4", b="yes 1/4, no 3/4", c="yes 3/4, no 1/4", d="yes 1/4, no 3/4")
_RANDOMIZED = 'name = "randomized-response"\nflip_probability = "1/4"'

LOOKALIKES = (
    # the universes lose only pairs that have no finite distance anyway
    ("shattered multiverse", claim("kept", _FOUR, _TWICE, multiverse=_UNIVERSES, distances=_APART)),
    # both universes need gamma = 3
    (
        "one universe's budget",
        claim("both", _FOUR, _TWICE, multiverse=_UNIVERSES, distances=_APART, budget="gamma = 3"),
    ),
    # every data set is in a universe, one of them in two
    (
        "uncovered data sets",
        claim("covered", _THREE, STEPS, multiverse='universes = [["a", "b"], ["b", "c"]]', distances=LINE),
    ),
    # the laws differ inside the universes of equal size
    ("determined by invariants", claim("inside", PAIRS, _RANDOMIZED, multiverse='invariants = ["size"]')),
    # a constant that looks at nothing
    ("constant from the data", claim("constant", BITS, 'name = "constant"')),
    # one pair is far apart, and another one is at distance 1
    ("rescaled distances", claim("far", _THREE, STEPS, distances=explicit(('"a"', '"b"', 1), ('"b"', '"c"', 100)))),
    # two samples that are drawn apart, whose members are secret
    ("parts that share randomness", surveys("S1", "S2")),
)
"""Claims that look like a weakened one and are not: a detector, and a text in which it must find nothing."""
