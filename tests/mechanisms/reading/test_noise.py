"""Noise of the reals that is compared, rounded or released: laws by hand."""

import math
from collections import defaultdict
from fractions import Fraction

import pytest
from quality import noise_functions as noise
from quality.read_laws import law_of, loaded, powers

from stirred import audit
from stirred.spec.arguments import InputError

HALF, QUARTER = Fraction(1, 2), Fraction(1, 4)


def e(power, factor=1):
    """The number factor·e^power."""
    return powers({power: factor}, {0: 1})


CLAMPED = {"0": e("-1/4", HALF), "1": 1 - e("-1/4"), "2": e("-1/4", HALF)}
"""round(1 + Laplace(2)) between 0 and 2: P(X < −1/2) = e^(−1/4)/2."""

ALPHA = e(-1)

LAWS = {
    "clamped": CLAMPED,
    "by_hand": CLAMPED,
    "above": {"True": HALF, "False": HALF},
    "waiting": {"True": e(-1), "False": 1 - e(-1)},
    "rate": {"True": e(-1), "False": 1 - e(-1)},
    "is_three": {"True": (e("-3/2") - e("-5/2")) * HALF, "False": 1 - (e("-3/2") - e("-5/2")) * HALF},
    "tenths": {"0.0": e("-1/5", HALF), "0.1": (e("-1/10") - e("-1/5")) * HALF, "0.2": 1 - e("-1/10", HALF)},
    "in_text": {"'n = 0'": HALF, "'n = 1'": HALF},
    "first_success": {"1": QUARTER, "2": Fraction(3, 16), "3": Fraction(9, 16)},
    "geometric_difference": {
        "0 + discrete_reflected_geometric(exp(-1))": ALPHA / (1 + ALPHA),
        "1": (1 - ALPHA) / (1 + ALPHA),
        "2 + discrete_geometric(exp(-1))": ALPHA / (1 + ALPHA),
    },
    "rounded": {
        "0 + discrete_reflected_geometric(exp(-1/2))": e("-1/4", HALF),
        "1": 1 - e("-1/4"),
        "2 + discrete_geometric(exp(-1/2))": e("-1/4", HALF),
    },
    "twice": {
        "('combinations [[1, 0], [1, 1]] of', (0 + discrete_reflected_geometric(exp(-1)), 1))": e("-1/2", HALF),
        "('combinations [[1, 0], [1, 1]] of', (1, 1))": 1 - e("-1/2"),
        "('combinations [[1, 0], [1, 1]] of', (2 + discrete_geometric(exp(-1)), 1))": e("-1/2", HALF),
    },
    "down_to_zero": {"0": e("-1/4", HALF), "1": 1 - e("-1/4"), "2 + discrete_geometric(exp(-1/2))": e("-1/4", HALF)},
    "real": {"1/2 + laplace(2)": Fraction(1)},
    "gaussian_pair": {"(1 + normal(9), 1 + normal(9))": Fraction(1)},
    "summed_gaussian": {"1 + normal(5)": Fraction(1)},
    "difference_of_exponentials": {"1 + laplace(2)": Fraction(1)},
    "late_exponential": {"1 + exponential(2)": Fraction(1)},
    "prefix_sums": {"('combinations [[2, 0], [2, 2]] of', (1/2 + laplace(1), 1/2 + laplace(1)))": Fraction(1)},
    "beside": {"(1 + laplace(1), '1*number 0 + -1')": Fraction(1)},
    "mixed_sum": {
        "('combinations [[1, 0], [1, 1]] of', (1 + laplace(1), 0 + laplace(1), '-1*number 0 + 2*number 1 + 3'))": 1
    },
    "clipped": {
        "0.0": e(-1, HALF),
        "density('; 0: 0 1 e(0:-1)/(0:1 1:-2); 1: 0 -1 e(2:-1)/(0:1 1:-2)')": 1 - e(-1, HALF),
    },
    "cut_normal": {"between('1 + normal(4)', '1', None)": HALF, "None": HALF},
    "rounded_normal": {"rounded('1/2 + normal(9)', 'nearest', '1', 2, 3)": Fraction(1)},
    "rounded_logistic": {"0": HALF, "rounded(\"between('1 + logistic(2)', '1', None)\", 'floor', '1', 1, 0)": HALF},
    "softmax": {"0": e(1) / (e(1) + 2), "1": 1 / (e(1) + 2), "2": 1 / (e(1) + 2)},
    "softmax_of_ln_3": {"0": Fraction(3, 5), "1": Fraction(1, 5), "2": Fraction(1, 5)},
    # e^(t−1)/4 below the centre, (2t − 1)·e^(1−t)/4 above
    "total": {
        "density('0 1 e(-1:1/4)/(0:1); 1: 0 -1 e(1:-1/4)/(0:1), 1 -1 e(1:1/2)/(0:1)')": Fraction(1),
    },
    # of L₂ − L₁ of scales 4 and 2: (4·e^(−t/4) − 2·e^(−t/2))/12 for t ≥ 0, twice that given t ≥ 0
    "noisy_gap": {"None": HALF, "density('; 0: 0 -1/2 -1/6, 0 -1/4 1/3')": HALF},
    "of_dice": {str(k): Fraction(1, 6) for k in range(6)},
    "counted": {"1": HALF, "2": QUARTER, "3": QUARTER},
    "logged": {"1": HALF, "2": QUARTER, "3": QUARTER},
    "stale": {"0": HALF, "1": QUARTER, "2": QUARTER},
    # 1/2 of 1 − 1/2·e^−1 for a number that is at least 0
    "above_zero": {"True": HALF / (1 - e(-1, HALF)), "False": (HALF - e(-1, HALF)) / (1 - e(-1, HALF))},
    # ½·¼·½^k for k > 0, and ½·½ for 0, of 3/4 in all
    "signed_coins": {
        "1 + discrete_geometric(1/2)": Fraction(2, 3),
        "0 + discrete_reflected_geometric(1/2)": Fraction(1, 3),
    },
    "failures": {"1 + discrete_geometric(3/4)": Fraction(1)},
    "looked_at": {"0": HALF, "1": QUARTER, "2": QUARTER},
    "second_loop": {"True": (e(-1) + e(-2)) * HALF, "False": 1 - (e(-1) + e(-2)) * HALF},
    "repeated": {"2": Fraction(1)},
    "tries": {f"({late}, {high})": Fraction(9 if late else 7, 32) for late in (True, False) for high in (True, False)},
    # 1 + L − (2 + L′/2)/2 is above 0 with 1/2; where the size is below 0, as with e^−4/2, it has to be below, as with
    # ∫ e^(2s − 4)·e^(s/2 − 1)/2 ds over s < 0
    "noisy_mean": {"True": HALF - e(-4, HALF) + e(-5, "2/5"), "False": HALF + e(-4, HALF) - e(-5, "2/5")},
    "clipped_mean": {"0": HALF, "1": HALF},
    "shares": {"None": e(-1, QUARTER), "[0.0, 1.0]": e(-1, "5/8"), "[1.0, 0.0]": 1 - e(-1, "7/8")},
    "softmax_by_hand": {"0": e(1) / (e(1) + 2), "1": 1 / (e(1) + 2), "2": 1 / (e(1) + 2)},
    "mixed": {
        "{'n': 1, 'noise': 'none'}": QUARTER,
        "{'n': 1 + exponential(1/2), 'noise': 'exponential'}": 3 * QUARTER,
    },
}


@pytest.mark.parametrize("name", LAWS)
def test_a_law_is_the_one_by_hand(name):
    assert law_of(noise, name, 1) == LAWS[name]


@pytest.mark.parametrize(
    ("name", "outcome", "expected"),
    [
        ("normal_maximum", "0", 0.4825928708),  # ∫ φ(t)·Φ(t + 1/2)² dt
        ("ln_3", "True", 1 - (0.5 + math.log(3) / 4) / 3),  # 1 − (1/2 + t/4)·e^−t
    ],
)
def test_other_probabilities_are_enclosed_narrowly(name, outcome, expected):
    ends = law_of(noise, name, 1)[outcome].number.enclosure()
    assert ends.upper - ends.lower < Fraction(1, 10**30)
    assert abs(float(ends.lower) - expected) < 1e-9


def test_a_rejected_draw_is_one_given_that_it_is_accepted():
    law = law_of(noise, "truncated", 1)
    inside = 1 - e(-1, HALF) - e(-2, HALF)
    assert law["0"] == (e("-1/2", HALF) - e(-1, HALF)) / inside
    assert sum(law.values(), Fraction(0)) == 1


@pytest.mark.parametrize("step", [1, -2])
@pytest.mark.parametrize("order", ["{count}; {leave}", "{leave}; {count}"])
@pytest.mark.parametrize("coin", ["random.random() < {p}", "random.randrange(8) >= 8 - 8 * {p}", "own({p})"])
def test_a_counter_is_as_far_as_its_passes_bring_it(tmp_path, step, order, coin):
    lines = {"count": f"k {'+-'[step < 0]}= {abs(step)}", "leave": f"if not {coin.format(p='0.625')}: break"}
    body = "".join(f"        {line.strip()}\n" for line in order.format(**lines).split(";"))
    own = "import random\n\ndef own(p):\n    return random.random() < p\n\n"
    text = f"{own}def counts(n):\n    k = n\n    while True:\n{body}    return max(-6, min(k, 6))\n"
    module = loaded(tmp_path / "counting.py", text)
    expected = defaultdict(Fraction)
    share, k = Fraction(1), 3 + step * order.startswith("{count}")
    while abs(k) < 6:
        expected[str(k)] = share * Fraction(3, 8)
        share, k = share * Fraction(5, 8), k + step
    expected[str(max(-6, min(k, 6)))] += share
    assert law_of(module, "counts", 3) == expected


def test_laws_of_scipy_are_those_of_numpy(tmp_path):
    text = "\n".join(
        [
            "from scipy import stats",
            "def released(n): return n + stats.laplace.rvs(scale=2)",
            "def discrete(n): return n + stats.dlaplace.rvs(1.0)",
            "def coin(n): return n ^ stats.bernoulli.rvs(0.25)",
            "def several(n): return (n + stats.norm.rvs(0, 2, size=2)).tolist()",
            "def kept(n): return n + stats.laplace.rvs(scale=2, random_state=1)",
        ]
    )
    module = loaded(tmp_path / "of_scipy.py", text)
    assert law_of(module, "released", 1) == {"1 + laplace(2)": 1}
    assert law_of(module, "discrete", 1) == LAWS["geometric_difference"]
    assert law_of(module, "coin", 1) == {"1": 3 * QUARTER, "0": QUARTER}
    assert law_of(module, "several", 1) == {"[1 + normal(4), 1 + normal(4)]": 1}
    with pytest.raises(InputError, match=r"stats\.laplace\.rvs with loc or random_state is not read"):
        law_of(module, "kept", 1)


@pytest.mark.parametrize(
    ("name", "data", "zeros"),
    [
        *(("zero_of_an_integer", place, {"0.0": 1 - e("-1/2")}) for place in range(4)),
        ("zero_without_sign", 0, {"0.0": 1 - e("-1/2")}),
        ("zero_with_sign", 0, {"0.0": (1 - e("-1/2")) * HALF, "-0.0": (1 - e("-1/2")) * HALF}),
    ],
)
def test_a_zero_has_a_sign_where_it_was_a_float_from_the_start(name, data, zeros):
    law = law_of(noise, name, data)
    assert {key.removeprefix("np.float64(").rstrip(")"): p for key, p in law.items() if "0.0" in key} == zeros


def test_a_parity_is_the_sum_of_its_values():
    odd = sum(((e(-k) - e(-k - 1)) for k in (0, 2, 4, 6)), Fraction(0)) + e(-8)
    assert law_of(noise, "parity", 1) == {"1": odd, "0": 1 - odd}


ENDLESS = (
    "a loop has made 33 passes in which draws decide, one path for each: give it a last pass, or let it accept or "
    "reject what one pass draws"
)

REFUSED = {
    "two_gaps": "2 numbers are released that are tied by comparisons: release one of them, or use --sampled",
    "three_draws": "2 numbers are released that are made of 3 draws: release one of them, or use --sampled",
    "rounded_gap": "an integer is released whose law is not known (a draw is compared with others both as a real "
    "number and rounded: round it first): clamp it",
    "held": ENDLESS,
    "tied_to_limit": ENDLESS,
    "mean_itself": "a quotient of two numbers that are drawn is released, of which the law is not known: return both "
    "numbers, which need at least as much, clip and round it, or use --sampled",
    "negative_float": "an integer times a negative float, where 0 becomes -0.0: use an integer",
    "product": "mul of two numbers that are drawn is not read",
    "equal": "a number that is drawn is asked whether it equals another: real numbers never do, doubles can",
    "of_logarithm": "the logarithm of a number that is drawn is read where it is uniform on (0, m)",
    "unclamped": "mod of an integer or a rounded number that has infinitely many values is not read: clamp it first",
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_has_no_law_here_is_refused_by_its_line(name):
    with pytest.raises(InputError) as refusal:
        law_of(noise, name, 1)
    line, _, said = str(refusal.value).partition(": ")
    code = getattr(noise, name).__code__
    assert line.startswith("noise_functions.py, line ")
    assert code.co_firstlineno <= int(line.rpartition(" ")[2]) <= max(end for *_, end in code.co_lines() if end)
    assert said == REFUSED[name]


def test_laws_of_rational_numbers_and_of_powers_of_e_are_compared():
    found = audit(noise.one_limit, data_sets=[0, 1], distance="absolute_difference", epsilon=1, numerics="real")
    assert (found.verdict.name, str(found.smallest)) == ("REFUTED", "infinite")


@pytest.mark.parametrize("rounding", ["math.ceil", "math.floor", "round", "int"])
@pytest.mark.parametrize("bound", ["> 0.5", "> -1.25", "> 3", "< 0.75", "< -2", "< -2.5"])
def test_a_step_that_a_bound_cuts_is_no_part_of_a_tail(tmp_path, rounding, bound):
    """The law of a rounding of 1 + Z beyond a bound, Z from a Laplace law, from its distribution function."""
    body = f"noisy = 1 + np.random.laplace()\n    return {rounding}(noisy) if noisy {bound} else 'none'"
    text = f"import math\nimport numpy as np\ndef f(data):\n    {body}\n"
    module = loaded(tmp_path / f"cut_{len(rounding)}_{bound.encode().hex()}.py", text)
    found = defaultdict(float)
    for outcome, weight in law_of(module, "f", []).items():
        start, _, tail = outcome.partition(" + ")
        mass = float(weight.enclosure(30).lower if hasattr(weight, "enclosure") else weight)
        sign = -1 if "reflected" in tail else 1
        for k in range(60 if tail else 1):
            found[int(start) + sign * k if start != "'none'" else None] += mass * (
                math.exp(-k) * (1 - math.exp(-1)) if tail else 1
            )
    step = eval(rounding, {"math": math, "round": round, "int": int})  # noqa: S307 one of four
    end, width = float(bound[1:]), 1 / 64
    for k in range(-6, 9):
        cells = [k - 1 + (place + 0.5) * width for place in range(128)]
        inside = [x for x in cells if step(x) == k and (x > end if bound[0] == ">" else x < end)]
        mass = sum(below(x + width / 2) - below(x - width / 2) for x in inside)
        assert found[k] == pytest.approx(mass, abs=1e-12)


def test_what_is_cut_to_an_integer_has_a_wide_cell_at_zero(tmp_path):
    """int(3 + Z), Z from a Laplace law: P(0) = P(−4 < Z < −2), and (e^−2 − e^−4)/2."""
    text = "import numpy as np\ndef f(data):\n    return int(3 + np.random.laplace())\n"
    found = law_of(loaded(tmp_path / "cut_to_an_integer.py", text), "f", [])
    assert found["0"] == powers({-2: HALF, -4: -HALF}, {0: 1})
    assert found["-1 + discrete_reflected_geometric(exp(-1))"] == e(-4, HALF)


def below(x):
    """The probability that 1 + Z is below x."""
    return math.exp(x - 1) / 2 if x < 1 else 1 - math.exp(1 - x) / 2
