"""Premetrics of one's own, in a claim file: run outside, compared, and tested for what a premetric is."""

import pytest
from claim_texts import built

from stirred.spec import InputError
from stirred.verify.audit.audit import audit
from stirred.verify.evidence.certificates.replay import replay
from stirred.verify.evidence.verdict import Verdict
from stirred.verify.laws.claim.five_blocks import five_blocks
from stirred.verify.laws.foreign import DEFAULT_LIMITS

CLAIM = """\
id = "own"
statement = "Randomized response."
domain = {{ schema = {{ answer = [0, 1, 2] }}, records = 1, order = "ordered" }}
multiverse = {{ invariants = [] }}
input_premetric = {{ {metric} }}
output_premetric = {{ {measure} }}
budget = {{ {budget} }}
mechanism = {{ function = "mine:noisy"{symmetry} }}
"""
MODULE = """\
import random
from fractions import Fraction
from stirred.spec import Enclosure, KullbackLeibler, Loss

def noisy(data, source):
    ((answer,),) = data
    return (answer + source.uniform(2)) % 3

def total_variation(p, q):
    return sum((max(p[t] - q[t], Fraction(0)) for t in p), Fraction(0))

def wasserstein(p, q):
    ends = sorted({*p, *q})
    parts = [(b - a) * abs(sum(p[t] - q[t] for t in ends if t <= a)) for a, b in zip(ends, ends[1:])]
    return sum(parts, Fraction(0))

def half_always(p, q):
    return Fraction(1, 2)

def negative(p, q):
    return Fraction(-1, 2) if p != q else 0

def inexact(p, q):
    return 0.5

def true(p, q):
    return True

def fails(p, q):
    return 1 // len(set(p) & set(q) - {0})

def divergence(p, q):
    return None if set(p) != set(q) else Loss(1)

def between(p, q):
    return 0 if p == q else Enclosure(Fraction(1, 2), Fraction(2, 3))

def drawn(p, q):
    return 0 if p == q else Fraction(random.randrange(1, 10**9))

CALLS = []

def remembers(p, q):
    CALLS.append(p)
    return len(CALLS) if p != q else 0

def apart(x, y):
    return abs(x[0][0] - y[0][0])

def upwards(x, y):
    return y[0][0] - x[0][0] if y[0][0] >= x[0][0] else None

def never_zero(x, y):
    return 1

def of_firsts(x, y):
    return abs(x[0][0] - y[0][0])

def of_sums(x, y):
    return abs(sum(a for a, in x) - sum(a for a, in y))

def below_zero(x, y):
    return -abs(x[0][0] - y[0][0])
"""
HAMMING = 'name = "hamming_ordered", resolution = "person"'


def stated(tmp_path, measure, budget, metric=HAMMING, *, symmetry="", limits=DEFAULT_LIMITS):
    (tmp_path / "mine.py").write_text(MODULE)
    return built(tmp_path, CLAIM.format(measure=measure, budget=budget, metric=metric, symmetry=symmetry), limits)


def answers(tmp_path, *arguments, **keywords):
    return {one.question: one.evidence for one in audit(stated(tmp_path, *arguments, **keywords)).answers}


def own(name):
    return f'function = "mine:{name}"'


def test_a_function_decides_as_the_premetric_of_that_name(tmp_path):
    for budget, verdict in (("1/2", Verdict.EXHAUSTED), ("0.49", Verdict.REFUTED)):
        by_name = answers(tmp_path, 'name = "total_variation"', f'epsilon = "{budget}"')
        by_function = answers(tmp_path, own("total_variation"), f'epsilon = "{budget}"')
        assert by_name["budget"].verdict is by_function["budget"].verdict is verdict
        assert "the smallest budget is 1/2, needed by" in by_function["mechanism"].detail


def test_outcomes_reach_a_function_as_they_are_and_are_not_merged(tmp_path):
    """Of ½δ₀ + ½δ₁ and ½δ₂ + ½δ₀ the mass of ½ at 1 moves to 2, of δ₁, δ₂ against δ₀, δ₂ by 1 too; 1 is the most."""
    found = answers(tmp_path, own("wasserstein"), 'epsilon = "0.9"')
    assert found["mechanism"].detail.startswith("the smallest budget is 1, needed by x = ((0,),), x' = ((1,),)")
    assert found["budget"].verdict is Verdict.REFUTED
    assert "mine:wasserstein" in found["budget"].scope
    assert "weakening" not in found  # nothing is known of what it is weaker than
    assert replay(found["budget"].witness) == "false at D = 1: D <= 9/10 (left 1, right 9/10)"


def test_infinite_and_enclosed_values(tmp_path):
    infinite = answers(tmp_path, own("divergence"), "gamma = 2")
    assert "the smallest budget is infinite" in infinite["mechanism"].detail
    assert infinite["budget"].verdict is Verdict.REFUTED
    assert replay(infinite["budget"].witness) == "false at p = 1/2, q = 0: q > 0 (left 0, right 0)"
    verdicts = [
        answers(tmp_path, own("between"), f'epsilon = "{one}"')["budget"].verdict for one in ("0.4", "0.6", "0.7")
    ]
    assert verdicts == [Verdict.REFUTED, Verdict.OPEN, Verdict.ENCLOSED]
    assert "in [0.5, 0.666667]" in answers(tmp_path, own("between"), 'epsilon = "0.7"')["mechanism"].detail


PAIR = "x = ((0,),), x' = ((1,),)"
REFUSED = {
    "half_always": "must be 0 for equal laws; at x = ((0,),), x' = ((0,),) it is 1/2",
    "negative": f"must be at least 0; at {PAIR} it is -1/2",
    "inexact": "a Fraction, a Loss, an Enclosure, or None for infinity; got the float 0.5",
    "true": "got the bool True",
    "fails": 'on the laws of "x = ((0,),), x\' = ((2,),)": it raised ZeroDivisionError',
    "drawn": "random.randrange is refused",
    "remembers": "an output premetric must",
    "missing": "'mine' has no 'missing'",
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_function_that_is_no_premetric_is_refused_with_the_pair(name, tmp_path):
    with pytest.raises(InputError) as caught:
        answers(tmp_path, own(name), "epsilon = 1")
    message = str(caught.value)
    assert message.startswith(f"{tmp_path / 'claim.toml'}: output_premetric.function: ")
    assert REFUSED[name] in message
    assert "\n" not in message


def test_a_distance_of_ones_own(tmp_path):
    found = answers(tmp_path, 'name = "multiplicative"', "epsilon = 1", f'{own("apart")}, resolution = "step"')
    assert "mine:apart" in found["mechanism"].scope
    one_way = answers(tmp_path, own("total_variation"), 'epsilon = "1/2"', f'{own("upwards")}, resolution = "step"')
    assert one_way["budget"].verdict is Verdict.EXHAUSTED
    blocks = five_blocks(stated(tmp_path, own("total_variation"), "epsilon = 1", own("apart"), limits=None))
    assert blocks.input_premetric.text == "mine:apart"
    assert blocks.output_premetric.text == "mine:total_variation"


def test_the_witness_of_a_distance_of_ones_own_holds_it(tmp_path):
    (tmp_path / "claim.toml").touch()
    found = answers(tmp_path, 'name = "total_variation"', 'epsilon = "0.2"', f'{own("apart")}, resolution = "step"')
    assert found["budget"].verdict is Verdict.REFUTED
    assert "d = 1 by explicit" in replay(found["budget"].witness)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("never_zero", "a distance must be 0 from a data set to itself; at ((0,),) it is 1"),
        ("below_zero", "a distance must be non-negative; got -1"),
        ("missing", "'mine' has no 'missing'"),
    ],
)
def test_a_distance_that_is_no_premetric_is_refused(name, message, tmp_path):
    with pytest.raises(InputError) as caught:
        stated(tmp_path, 'name = "multiplicative"', "epsilon = 1", own(name))
    assert "claim.toml: input_premetric.function: " in str(caught.value)
    assert message in str(caught.value)


def test_a_distance_of_unordered_data_sets_is_asked_for_in_other_orders(tmp_path, monkeypatch):
    unordered = CLAIM.replace('records = 1, order = "ordered"', 'records = 2, order = "unordered"')
    monkeypatch.setitem(globals(), "CLAIM", unordered)
    with pytest.raises(
        InputError, match="must not depend on the order of records in an unordered domain; this one does, from"
    ):
        stated(tmp_path, 'name = "multiplicative"', "epsilon = 1", own("of_firsts"))
    found = stated(tmp_path, 'name = "multiplicative"', "epsilon = 1", own("of_sums"))
    assert found.data.input_premetric(((0,), (0,)), ((1,), (2,))) == 3


def test_what_stands_twice_or_elsewhere_is_refused(tmp_path):
    with pytest.raises(InputError, match="cannot be combined with name"):
        stated(tmp_path, own("total_variation"), "epsilon = 1", f"{HAMMING}, {own('apart')}")
    with pytest.raises(InputError, match="must be 'module:function'"):
        stated(tmp_path, 'function = "mine"', "epsilon = 1")
    with pytest.raises(InputError, match="no module 'elsewhere' beside the claim file"):
        stated(tmp_path, 'function = "elsewhere:d"', "epsilon = 1")
    with pytest.raises(InputError, match="cannot be combined with an output premetric that distinguishes outputs"):
        answers(tmp_path, own("total_variation"), "epsilon = 1", symmetry=', symmetry = ["values"]')
