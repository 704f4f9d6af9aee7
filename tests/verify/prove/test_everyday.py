"""Mechanisms in everyday style: decided with the budgets that are derived on paper, and their certificates checked."""

import copy
import json
import random
import time
from fractions import Fraction

import numpy as np
import pytest
from everyday_programs import EVERYDAY, ranges
from numpy import mean as mean_of

from stirred.mechanisms.interpreters.exact_law import exact_law
from stirred.spec.arguments import InputError
from stirred.verify.evidence.certificates.alignment import AlignmentError, check
from stirred.verify.evidence.certificates.one_record import OneRecord, OneRecordError
from stirred.verify.evidence.certificates.program_graph import Graph
from stirred.verify.prove.found_function import of_function
from stirred.verify.prove.proving import proof_of
from stirred.verify.prove.stated import stated


def proved(function, neighbors, values="", measure="pure", said=None):
    claim = stated("f", of_function(function), neighbors, None, said or {}, values=values, measure=measure)
    return proof_of(claim, explains=False)


@pytest.mark.parametrize("name", EVERYDAY)
def test_least_budget(name):
    function, neighbors, least, values = EVERYDAY[name]
    if least is None:
        with pytest.raises(InputError, match=r"line \d+: "):
            proved(function, neighbors, values, said=ranges(function))
        return
    found = proved(function, neighbors, values, said=ranges(function))
    assert str(found.budget) == least
    certificate = json.loads(json.dumps(found.certificate))
    begun = time.process_time_ns()
    assert "CONFIRMED" in check(certificate)[-1]
    assert time.process_time_ns() - begun < 200_000_000
    smaller = copy.deepcopy(certificate)
    smaller["budget"] = [[str(Fraction(number) * Fraction(99, 100)), powers] for number, powers in smaller["budget"]]
    with pytest.raises(AlignmentError):
        check(smaller)


def test_a_certificate_says_which_values_records_have():
    """Without them the length of bincount tells; with fewer neighbours it would be another claim."""
    function, neighbors, _, values = EVERYDAY["histogram_bincount"]
    certificate = json.loads(json.dumps(proved(function, neighbors, values, said=ranges(function)).certificate))
    without = copy.deepcopy(certificate)
    del without["program"]["values"]
    for one in (without, {**certificate, "neighbors": "each by 1"}, {**certificate, "measure": "zcdp"}):
        with pytest.raises(AlignmentError):
            check(one)


def generator_of_python(q, rng: random.Random):
    return tuple(x if rng.random() < 0.75 else 1 - x for x in q)


def gumbel_maximum(q, rng, *, k, eps):
    return int(np.argmax(eps * np.bincount(q, minlength=k) / 2 + rng.gumbel(size=k)))


def renamed_mean(q, rng, *, eps):
    return mean_of(np.clip(q, 0, 1)) + rng.laplace(scale=1 / (len(q) * eps))


@pytest.mark.parametrize(
    ("function", "values", "least"),
    [(generator_of_python, "[0, 1]", "ln(3)"), (gumbel_maximum, "range(k)", "eps"), (renamed_mean, "", "eps")],
)
def test_other_forms(function, values, least):
    said = {"k": "whole >= 1", "eps": "positive"} if values == "range(k)" else {}
    assert str(proved(function, "one record", values, said=said).budget) == least


def root_scale(q, rng, *, eps):
    return sum(min(max(x, 0), 1) for x in q) + rng.laplace(scale=1 / np.sqrt(eps))


def floor_of_counts(q, rng, *, eps):
    out = []
    for c in range(3):
        out.append(max(q.count(c), 5) + rng.laplace(scale=2 / eps))
    return out


def clamp_then_double(q, rng, *, eps):
    return 2 * max(sum(min(max(x, 0), 1) for x in q), 3) + rng.laplace(scale=1 / eps)


def reflected(q, rng, *, eps):
    t = 0
    for x in q:
        t = max(t + min(max(x, 0), 1) - 1, 0)
    return t + rng.laplace(scale=1 / eps)


def reflected_twice(q, rng, *, eps):
    t = 0
    for x in q:
        t = 2 * max(t + min(max(x, 0), 1) - 1, 0)
    return t + rng.laplace(scale=1 / eps)


def clamp_difference(q, rng, *, eps):
    a = sum(min(max(x, 0), 1) for x in q)
    return max(a, 3) - min(a, 3) + rng.laplace(scale=1 / eps)


def two_units(q, rng, *, eps, upper):
    a = sum(min(max(x, 0), upper) for x in q) + rng.laplace(scale=upper / eps)
    b = sum(1 for x in q if x > 3) + rng.laplace(scale=1 / eps)
    return a, b


def data_scaled_up(q, rng, *, eps, upper):
    return upper * sum(1 for x in q if x > 3) + rng.laplace(scale=1 / eps)


def mixed_units(q, rng, *, eps, upper):
    return sum(min(max(x, 0), upper) for x in q) + sum(1 for x in q if x > 3) + rng.laplace(scale=1 / eps)


def negative_upper(q, rng, *, eps, shift):
    return sum(min(max(x, 0), 1) * shift for x in q) + rng.laplace(scale=1 / eps)


@pytest.mark.parametrize(
    ("function", "least"),
    [
        (root_scale, "root(eps)"),
        (floor_of_counts, "eps"),
        (clamp_then_double, "2*eps"),
        (reflected, "eps"),
        (reflected_twice, None),
        (clamp_difference, "eps"),
        (two_units, "2*eps"),
        (data_scaled_up, "eps*upper"),
        (mixed_units, None),
        (negative_upper, None),
    ],
)
def test_clamped_totals_and_units(function, least):
    """Of several units, of a sign that is not known, or of what grows in each pass nothing is shown."""
    said = {"upper": "positive"} if "upper" in function.__code__.co_varnames else {}
    found = proved(function, "one record", said=said)
    assert (None if found.budget is None else str(found.budget)) == least


def gaussian_sum(q, rng, *, upper, rho):
    return sum(np.clip(q, 0, upper)) + rng.normal(0, upper / np.sqrt(2 * rho))


def gaussian_histogram(q, rng, *, k, sigma):
    return np.bincount(q, minlength=k) + rng.normal(0, sigma, size=k)


def gaussian_adaptive(q, rng, *, sigma):
    first = sum(1 for x in q if x > 3) + rng.normal(0, sigma)
    if first > 10:
        return first, sum(1 for x in q if x > 5) + rng.normal(0, sigma)
    return first, sum(1 for x in q if x > 7) + rng.normal(0, 2 * sigma)


def gaussian_thrice(q, rng, *, sigma):
    return sum(3 * min(max(x, 0), 1) for x in q) + rng.normal(0, sigma)


def laplace_and_normal(q, rng, *, sigma, eps):
    count = sum(x > 3 for x in q)
    return count + rng.laplace(0, 1 / eps), count + rng.normal(0, sigma)


@pytest.mark.parametrize(
    ("function", "values", "rho"),
    [
        (gaussian_sum, "", "rho"),
        (gaussian_histogram, "range(k)", "1/sigma^2"),
        (gaussian_adaptive, "", "1/sigma^2"),
        (gaussian_thrice, "", "9/2/sigma^2"),
        (laplace_and_normal, "", "1/2*eps^2 + 1/2/sigma^2"),
    ],
)
def test_normal_noise_under_zcdp(function, values, rho):
    said = {name: "whole >= 1" for name in ("k",) if name in function.__code__.co_varnames}
    said |= {name: "positive" for name in ("upper",) if name in function.__code__.co_varnames}
    found = proved(function, "one record", values, "zcdp", said)
    assert str(found.budget) == rho
    assert f"rho = {rho}" in check(json.loads(json.dumps(found.certificate)))[-1]
    pure = {**json.loads(json.dumps(found.certificate))}
    del pure["measure"]
    with pytest.raises(AlignmentError):
        check(pure)
    assert proved(function, "one record", values, "pure", said).budget is None


def normal_sparse_vector(q, rng, *, sigma, N):
    """As with Laplace noise: an answer's noise moves where it is above, which is decided after it is drawn."""
    limit, count, out = rng.normal(0, sigma), 0, []
    for x in q:
        above = x + rng.normal(0, sigma) >= limit
        out.append(bool(above))
        if above:
            count += 1
            if count >= N:
                break
    return out


def one_sided(q, rng, *, eps):
    return sum(q) + rng.exponential(1 / eps)


def normal_of_two_causes(q, rng, *, sigma):
    total = sum(q)
    return [x + total + rng.normal(0, sigma) for x in q]


@pytest.mark.parametrize("function", [normal_sparse_vector, one_sided, normal_of_two_causes])
def test_no_rho(function):
    said = {"N": "whole >= 1"} if function is normal_sparse_vector else {}
    neighbors = "each by 1" if function is normal_sparse_vector else "one by 1"
    try:
        found = proved(function, neighbors, "", "zcdp", said)
    except InputError:
        return
    assert found.budget is None


def total_with_counts(q, rng, *, eps):
    total, out = 0, []
    for x in q:
        total += x
        out.append(x + rng.laplace(scale=1 / eps))
    out.append(total)
    return out


def mean_as_it_is(q, rng, *, eps):
    return sum(q) / len(q)


def two_sums(q, rng, *, eps):
    return 2 * sum(q), sum(x > 3 for x in q) + rng.laplace(scale=2 / eps)


@pytest.mark.parametrize(("function", "kept"), [(total_with_counts, "2*eps"), (mean_as_it_is, "0"), (two_sums, "eps")])
def test_a_total_that_is_kept_is_released_for_nothing(function, kept):
    """Proved where a unit moves from one count to another; without the invariant no budget is shown."""
    assert str(proved(function, "one moved").budget) == kept
    for neighbors in ("one by 1", "one record", "sum of changes 1"):
        assert proved(function, neighbors).budget is None


LOCAL = """\
from fractions import Fraction

QUARTER, TWO_THIRDS = Fraction(1, 4), Fraction(2, 3)


def f(q, source):
    out = []
    for x in q:
"""
COINS = (*["source.bernoulli(QUARTER)"] * 2, "source.bernoulli(TWO_THIRDS)", "x > 0", "x == 2")


def local(draw, depth=0):
    """Lines of one pass of a random local mechanism."""
    if depth == 3 or draw.random() < 0.2 * depth:
        return [f"out.append({draw.choice(['1', '0'] * 9 + ['x > 0', 'True'])})"]
    one, other = local(draw, depth + 1), local(draw, depth + 1)
    return [f"if {draw.choice(COINS)}:", *(f"    {x}" for x in one), "else:", *(f"    {x}" for x in other)]


def frozen(value):
    """What is released, with its types: 1 is not True."""
    return tuple((type(one).__name__, one) for one in value)


@pytest.mark.parametrize("programs", [100])
def test_one_record_needs_what_the_exact_law_says(tmp_path, programs):
    """At one record no less than the law, which merges what is released in several ways; at two the same."""
    draw, compared, tight = random.Random(0), 0, 0  # noqa: S311 no secret
    for k in range(programs):
        lines = [line for _ in range(draw.randint(1, 2)) for line in local(draw)]
        file, names = tmp_path / f"local{k}.py", {}
        file.write_text(LOCAL + "".join(f"        {x}\n" for x in lines) + "    return out\n")
        exec(compile(file.read_text(), str(file), "exec"), names)  # noqa: S102 that is how it is run
        claim = stated("f", of_function(names["f"]), "one record", None, {}, values="[0, 1, 2]")
        laws = {
            x: exact_law(lambda data, s, f=names["f"]: frozen(f(data, s)), (x,), choice_budget=999) for x in (0, 1, 2)
        }
        ratios = [
            laws[a][o] / laws[b][o] if laws[b][o] else None
            for a in laws
            for b in laws
            for o in {*laws[a], *laws[b]}
            if laws[a][o]
        ]
        try:
            least = OneRecord(Graph(claim.program), "one record").least()
        except OneRecordError:
            continue
        assert None not in ratios, lines
        gamma = Fraction(1) if least == 0 else Fraction(next(iter(least.names)).text)
        assert gamma >= max(ratios), lines
        compared, tight = compared + 1, tight + (gamma == max(ratios))
    assert compared >= 15
    assert tight >= compared - 3
