"""Distances of any size: the smallest budget and the verdict are exact, at and beside the boundary, and are quick.

Domains beyond what every pair could be compared of: audited, or refused with an estimate.
"""

import random
import time
from fractions import Fraction
from itertools import chain, combinations

import mpmath
import pytest
from claim_texts import answer, audited

from stirred.spec import InputError
from stirred.verify.audit.audit import audit
from stirred.verify.cli.main import main
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.read import build_claim
from stirred.verify.laws.claim.text import read_claims
from stirred.verify.laws.foreign import DEFAULT_LIMITS, Limits

SIZES = ("1000000", "1e300", "1e-300", "0.000000001", "1e12", "1/3000000007", "1e900")
LAWS = '[[0, [["a", "1/3"], ["b", "2/3"]]], [1, [["a", "2/3"], ["b", "1/3"]]]]'
DIGITS = 1500


def claim(distance, budget, measure='name = "multiplicative"', laws=LAWS):
    return (
        f'id = "far"\nstatement = "A release satisfies its budget."\n[domain]\ndata_sets = [0, 1]\n'
        f'[multiverse]\ninvariants = []\n[input_premetric]\nname = "explicit"\nresolution = "dollar"\n'
        f'distances = [[0, 1, "{distance}"], [1, 0, "{distance}"]]\n[output_premetric]\n{measure}\n'
        f'[budget]\n{budget}\n[mechanism]\nname = "kernel"\nlaws = {laws}\n'
    )


def verdict(tmp_path, *parts):
    start = time.process_time()
    record = audited(tmp_path, claim(*parts))
    assert time.process_time() - start < 4
    return record.verdict, answer(record, "budget").detail


def decimal(value, digits=400):
    """A positive number as a text that a claim file takes, rounded to so many digits."""
    return mpmath.nstr(value, digits, min_fixed=1, max_fixed=0).replace("e+", "e")


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize(("step", "expected"), [("1e-20", Verdict.EXHAUSTED), ("-1e-20", Verdict.REFUTED)])
@pytest.mark.parametrize("delta", [None, "1/10"])
def test_a_budget_just_above_what_is_needed_is_met_and_one_just_below_is_not(tmp_path, size, step, expected, delta):
    measure = f'name = "approximate_multiplicative"\ndelta = "{delta}"' if delta else 'name = "multiplicative"'
    with mpmath.workdps(DIGITS):
        ratio = (mpmath.mpf(2) / 3 - (mpmath.mpf(1) / 10 if delta else 0)) * 3
        d = Fraction(size)
        needed = mpmath.log(ratio) * d.denominator / d.numerator * (1 + mpmath.mpf(step))
        if needed > 10_000:
            needed, expected = mpmath.mpf(10_000), Verdict.REFUTED
        epsilon = decimal(needed, 60)
    assert verdict(tmp_path, size, f'epsilon = "{epsilon}"', measure)[0] is expected


@pytest.mark.parametrize(("n", "k"), [(1, 1), (6, 7), (9_999, 7), (9_998, 1)])
def test_a_budget_that_is_just_what_is_needed_is_met_and_a_little_less_is_not(tmp_path, n, k):
    """ln(2)/n at the distance k·n allows the ratio 2^k."""
    one, rest = f"1/{2**k + 1}", f"{2**k}/{2**k + 1}"
    laws = f'[[0, [["a", "{one}"], ["b", "{rest}"]]], [1, [["a", "{rest}"], ["b", "{one}"]]]]'
    assert verdict(tmp_path, k * n, f'epsilon = "ln(2)/{n}"', 'name = "multiplicative"', laws)[0] is Verdict.EXHAUSTED
    found = verdict(tmp_path, k * n - Fraction(1, 10**30), f'epsilon = "ln(2)/{n}"', 'name = "multiplicative"', laws)
    assert found[0] is Verdict.REFUTED


@pytest.mark.parametrize("root", [7, 300, 10**9, 10**300])
def test_a_root_that_is_just_enough_is_met_whatever_its_degree(tmp_path, root):
    """At the distance 1/root γ allows its root: of 2^root just 2, and of 1 what no law is below."""
    assert verdict(tmp_path, Fraction(1, root), "gamma = 2")[0] is Verdict.REFUTED
    equal = '[[0, [["a", "1"]]], [1, [["a", "1"]]]]'
    assert verdict(tmp_path, Fraction(1, root), "gamma = 1", 'name = "multiplicative"', equal)[0] is Verdict.EXHAUSTED
    if root <= 300:
        assert verdict(tmp_path, Fraction(1, root), f'gamma = "{2**root}"')[0] is Verdict.EXHAUSTED
        assert verdict(tmp_path, Fraction(1, root), f'gamma = "{2**root - 1}"')[0] is Verdict.REFUTED


@pytest.mark.parametrize("size", SIZES)
def test_other_output_premetrics_are_answered_too(tmp_path, size):
    d = Fraction(size)
    variation = 'name = "total_variation"'
    least = Fraction(1, 3) / d
    expected = verdict(tmp_path, size, f'epsilon = "{min(least, 10_000)}"', variation)[0]
    assert expected is (Verdict.EXHAUSTED if least <= 10_000 else Verdict.REFUTED)
    if least <= 10_000:
        assert (
            verdict(tmp_path, size, f'epsilon = "{least * (1 - Fraction(1, 10**30))}"', variation)[0] is Verdict.REFUTED
        )
    with mpmath.workdps(60):
        low = Fraction(int(mpmath.floor(mpmath.log(2) * 10**40 / 3)), 10**40)  # KL, which D_NoR^2 is at least
    renyi = 'name = "normalized_renyi"'
    for factor, answered in ((Fraction(1, 2), Verdict.REFUTED), (Fraction(11, 5), Verdict.ENCLOSED)):
        rho = low * factor / d**2
        if len(str(rho)) < 1_000:
            assert verdict(tmp_path, size, f'rho_squared = "{rho}"', renyi)[0] is answered


def test_a_trade_off_function_has_no_multiples_and_the_message_says_so(tmp_path):
    curve = 'curve = [["0", "0"], ["1/3", "2/3"], ["1", "1"]]'
    with pytest.raises(InputError, match="distances 0, 1 and infinity only"):
        audited(tmp_path, claim("1000000", curve, 'name = "tradeoff"'))


def needed(first, second, delta):
    """e^(ε·d): the largest (P(E) − δ)/Q(E) of any event, in both directions; None for ∞."""
    events = chain.from_iterable(combinations(range(len(first)), k) for k in range(1, len(first) + 1))
    most = Fraction(1)
    for event in events:
        for p, q in ((first, second), (second, first)):
            above, below = sum(p[t] for t in event) - delta, sum(q[t] for t in event)
            if above > 0 and not below:
                return None
            if above > 0:
                most = max(most, above / below)
    return most


def check(tmp_path, seed, count):
    draw = random.Random(seed)  # noqa: S311 not for secrets
    for _ in range(count):
        rows = [[draw.randint(0, 5) for _ in "abc"] for _ in range(2)]
        laws = [
            [Fraction(m, sum(row)) for m in row] for row in ([m + (t == 0) for t, m in enumerate(row)] for row in rows)
        ]
        written = ", ".join(
            f'[{x}, [{", ".join(f"""["{t}", "{m}"]""" for t, m in zip("abc", law, strict=True) if m)}]]'
            for x, law in enumerate(laws)
        )
        delta = draw.choice((Fraction(0), Fraction(1, 20)))
        measure = f'name = "approximate_multiplicative"\ndelta = "{delta}"' if delta else 'name = "multiplicative"'
        d = Fraction(draw.randint(1, 10**6), draw.choice((1, 3, 10**6 + 3))) * Fraction(10) ** draw.randint(-12, 12)
        ratio = needed(*laws, delta)
        with mpmath.workdps(200):
            step = mpmath.mpf(10) ** -draw.choice((1, 6, 30)) * draw.choice((-1, 1))
            exact = (
                None
                if ratio is None
                else mpmath.log(mpmath.mpf(ratio.numerator) / ratio.denominator)
                / (mpmath.mpf(d.numerator) / d.denominator)
            )
            epsilon = decimal(min(mpmath.mpf(draw.randint(1, 10)) if not exact else exact * (1 + step), 10_000), 60)
            claimed = mpmath.mpf(epsilon)
            expected = exact is not None and bool(claimed >= exact)
        found, detail = verdict(tmp_path, d, f'epsilon = "{epsilon}"', measure, f"[{written}]")
        assert found is (Verdict.EXHAUSTED if expected else Verdict.REFUTED), (seed, detail)


def test_random_distances_from_a_billionth_of_a_billionth_on_agree_with_an_oracle(tmp_path):
    check(tmp_path, 28, 40)


@pytest.mark.nightly
def test_random_distances_agree_with_an_oracle_tonight(tmp_path, changing_seed):
    check(tmp_path, changing_seed, 1_500)


INCOMES = """\
id = "incomes"
statement = "A release satisfies its budget."
[domain]
data_sets = [0, 20000, 1000000, 10000000]
[multiverse]
invariants = []
[input_premetric]
name = "absolute_difference"
resolution = "dollar"
[output_premetric]
name = "multiplicative"
[budget]
{budget}
[mechanism]
name = "kernel"
laws = {laws}
"""


def test_natural_distances_between_incomes_are_answered(tmp_path):
    rows = [(0, "1/3"), (20_000, "1/3"), (1_000_000, "2/3"), (10_000_000, "2/3")]
    laws = [f'[{x}, [["a", "{p}"], ["b", "{1 - Fraction(p)}"]]]' for x, p in rows]
    for budget, expected in (('epsilon = "1"', Verdict.EXHAUSTED), ('epsilon = "7e-7"', Verdict.REFUTED)):
        record = audited(tmp_path, INCOMES.format(budget=budget, laws=f"[{', '.join(laws)}]"))
        assert record.verdict is expected
        assert "ln(2)/980000" in answer(record, "mechanism").detail


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("budget", ['epsilon = "1"', "gamma = 2"])
def test_commands_on_such_claims_answer_or_say_what_to_do(tmp_path, capsys, size, budget):
    path, other = tmp_path / "claim.toml", tmp_path / "other.toml"
    path.write_text(claim(size, budget))
    other.write_text(claim(2 * Fraction(size), budget))
    met = Fraction(size) > 1
    evidence = [str(tmp_path / "c.json"), str(tmp_path / "c.v")]
    start = time.process_time()
    assert main(["audit", str(path), "--certificate", evidence[0], "--coq", evidence[1]]) == (0 if met else 1)
    said = capsys.readouterr().err
    if met:
        assert "takes no bound of more than 100000: state distances in a larger unit" in said
        assert not (tmp_path / "c.json").exists()
    else:
        assert main(["check", evidence[0]]) == 0
        assert "CONFIRMED: exceeded" in capsys.readouterr().out
    assert main(["show", str(path)]) == 0
    capsys.readouterr()
    assert main(["infer", str(path)]) == 2
    said = capsys.readouterr().err
    assert "for a larger unit" in said or "must be integers" in said
    assert main(["compare", str(path), str(other)]) == (3 if met else 1)
    assert "compare.loss.HHCH: NOTE: the smallest budget is" in capsys.readouterr().out
    assert time.process_time() - start < 20


TEXT = """\
id = "answers"
statement = "Each answer is flipped with probability 1/4."
[domain]
schema = { answer = [0, 1] }
records = 6
order = "ordered"
[multiverse]
invariants = []
[input_premetric]
name = "hamming_ordered"
resolution = "person"
[output_premetric]
name = "multiplicative"
[budget]
gamma = 3
[mechanism]
name = "randomized-response"
flip_probability = "1/4"
"""


def built(tmp_path, *changes, limits=DEFAULT_LIMITS):
    text = TEXT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "claim.toml").write_text(text)
    return build_claim(read_claims([tmp_path / "claim.toml"])[0], limits)


def test_the_scope_says_which_pairs_were_compared_and_by_which_theorem_they_bound_the_others(tmp_path):
    record = audit(built(tmp_path))
    assert record.verdict is Verdict.EXHAUSTED
    assert record.scope == (
        "every pair in 1 universe, 64 ordered data sets, multiplicative, hamming_ordered; 192 pairs compared, which "
        "bound 1824 others by sharpening.matrix_closure; randomized-response with flip_probability = 1/4"
    )
    assert "; 2016 pairs compared at a finite distance" in answer(record, "vacuity").detail


def test_nothing_is_left_out_without_a_triangle_inequality_or_a_path_metric(tmp_path):
    approximate = ('name = "multiplicative"', 'name = "approximate_multiplicative"\ndelta = "1/100"')
    local = ('"hamming_ordered"', '"neighbors_replace_one_ordered"')
    for change in (approximate, local):
        record = audit(built(tmp_path, change))
        assert record.verdict is Verdict.EXHAUSTED
        assert "bound" not in record.scope


def test_a_domain_that_would_take_too_long_is_refused_with_an_estimate(tmp_path):
    # 2^13 data sets with 2^13 outputs each: some minutes
    with pytest.raises(InputError, match=r"the audit of answers would take about \d+ s, more than 10 s: laws, \d+ of"):
        audit(built(tmp_path, ("records = 6", "records = 13"), limits=Limits(seconds=10)))
