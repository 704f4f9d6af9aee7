"""Ratios and integrals of mixtures of densities against quadrature and a fine grid, which know nothing of zeros."""

import random
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import minimize_scalar

from stirred.spec.laws.piecewise_density import PiecewiseDensity
from stirred.spec.numbers.reals.exponential_quotient import ExponentialQuotient
from stirred.verify.engines.real_noise import mixture as module
from stirred.verify.engines.real_noise import quasi_polynomial
from stirred.verify.engines.real_noise.leaves import parted
from stirred.verify.engines.real_noise.mixture import excess, largest_ratio, mass_between, mixture
from stirred.verify.engines.real_noise.quasi_polynomial import TouchingError, zeros

E = ExponentialQuotient.exponential(Fraction(1))


def mixed(*parts):
    """The mixture, and its density as a function of floats, by its definition."""
    density = mixture([(Fraction(weight), parted(text)[1][0].density) for weight, text in parts])

    def plain(t):
        total = 0.0
        for weight, text in parts:
            leaf = parted(text)[1][0]
            c, s = float(leaf.centre), float(leaf.parameter)
            z = leaf.sign * (t - c) / s
            shown = {
                "laplace": lambda z=z, s=s: np.exp(-abs(z)) / (2 * s),
                "exponential": lambda z=z, s=s: np.exp(-z) / s if z >= 0 else 0.0,
                "uniform": lambda z=z, s=s: float(0 <= z <= 1) / s,
            }
            total += float(Fraction(weight)) * shown[leaf.kind]()
        return total

    return density, plain


def number(found):
    ends = found if isinstance(found, Fraction) else found.enclosure().lower
    return float(ends)


def by_grid(f, g, cuts, reach=60.0):
    """The supremum of f/g between cuts, by a grid and a search from its best point."""
    largest = 0.0
    for low, high in pairwise([-reach, *cuts, reach]):
        points = np.linspace(low + 1e-9, high - 1e-9, 1_000)
        values = [f(t) / g(t) if g(t) else np.inf * f(t) if f(t) else 0.0 for t in points]
        best = int(np.argmax(values))
        largest = max(largest, values[best])
        if 0 < best < len(points) - 1 and np.isfinite(values[best]):
            ends = points[best - 1], points[best + 1]
            found = minimize_scalar(lambda t: -f(t) / g(t), bounds=ends, method="bounded", options={"xatol": 1e-12})
            largest = max(largest, -found.fun)
    return largest


def some_pair(seed):
    chance = random.Random(seed)  # noqa: S311 reproducible

    def one(count):
        parts = []
        for _ in range(count):
            centre, scale = Fraction(chance.randint(-4, 4), 2), Fraction(chance.randint(1, 8), chance.choice([1, 2, 4]))
            kind = chance.choice(["laplace", "laplace", "exponential", "uniform"])
            parts.append((Fraction(1, count), f"{centre} + {kind}({scale})"))
        return parts

    wide = [(Fraction(1, 8), "0 + laplace(9)")]
    return one(chance.randint(1, 3)), [(w * Fraction(7, 8), text) for w, text in one(chance.randint(1, 3))] + wide


@pytest.mark.parametrize("seed", range(12))
def test_random_mixtures_against_a_grid_and_quadrature(seed):
    first, second = some_pair(seed)
    (f, plain_f), (g, plain_g) = mixed(*first), mixed(*second)
    cuts = sorted(map(float, {*f.cuts, *g.cuts}))
    assert number(largest_ratio(f, g)) == pytest.approx(by_grid(plain_f, plain_g, cuts), rel=1e-7)
    gamma = Fraction(5, 4)
    pieces = pairwise([-200.0, -20.0, *cuts, 20.0, 200.0])
    total = sum(quad(lambda t: max(plain_f(t) - 1.25 * plain_g(t), 0.0), *ends, limit=200)[0] for ends in pieces)
    assert number(excess(f, g, gamma)) == pytest.approx(total, abs=1e-7)
    assert number(mass_between(f, Fraction(-1, 3), Fraction(5))) == pytest.approx(
        sum(quad(plain_f, *ends)[0] for ends in pairwise([-1 / 3, *(c for c in cuts if -1 / 3 < c < 5), 5.0])), abs=1e-7
    )


NARROW_AND_WIDE = ("1/2", "0 + laplace(1/4)"), ("1/2", "0 + laplace(4)")


def peak():
    """Scale 1 against 1/4 and 4 mixed: at the cut 8/17, at infinity 0, and between them far above."""
    (f, plain_f), (g, plain_g) = mixed((1, "0 + laplace(1)")), mixed(*NARROW_AND_WIDE)
    assert plain_f(0.0) / plain_g(0.0) == pytest.approx(8 / 17)
    return number(largest_ratio(f, g)) == pytest.approx(by_grid(plain_f, plain_g, [0.0]), rel=1e-9)


def curve():
    (f, plain_f), (g, plain_g) = mixed((1, "0 + laplace(1)")), mixed(*NARROW_AND_WIDE)
    total = sum(quad(lambda t: max(plain_f(t) - plain_g(t), 0.0), *ends)[0] for ends in ((-50, 0), (0, 50)))
    return number(excess(f, g, Fraction(1))) == pytest.approx(total, abs=1e-7)


def limit():
    """e at infinity, which no cut shows."""
    f, g = (mixed(("1/2", f"{c} + laplace(1)"), ("1/2", f"{c} + laplace(1/2)"))[0] for c in (1, 0))
    return largest_ratio(f, g).enclosure().lower > 2.7


def growing():
    """t·e^(−t) against e^(−t)/(1 + …): a power of t that has no bound."""
    gamma = PiecewiseDensity((Fraction(0),), ({}, {(1, Fraction(-1)): Fraction(1)}))
    return largest_ratio(gamma, mixed((1, "0 + exponential(1)"))[0]) is None


def powers():
    """t·e^(−t) against e^(−t/2)/2: 2·t·e^(−t/2) is largest at t = 2, where it is 4/e."""
    gamma = PiecewiseDensity((Fraction(0),), ({}, {(1, Fraction(-1)): Fraction(1)}))
    found = largest_ratio(gamma, mixed((1, "0 + exponential(2)"))[0])
    return number(found) == pytest.approx(4 / np.e, rel=1e-12)


CHECKS = (peak, curve, limit, growing, powers)


@pytest.mark.parametrize("check", CHECKS)
def test_peaks_curves_and_limits(check):
    assert check()


MUTANTS = {
    "no zero is looked for": (module, "zeros", lambda *_: []),
    "a derivative without its power": (
        module,
        "derivative",
        lambda terms: {key: c * key[1] for key, c in terms.items() if key[1]},
    ),
    "weights are forgotten": (module, "summed", lambda *parts: parts[0][0]),
    "every sign is above 0": (quasi_polynomial, "sign_beside", lambda *_: 1),
    "infinity is left out": (module, "_limit", lambda *_: Fraction(0)),
    "no ratio is above those at cuts": (module, "_is_at_most", lambda *_: True),
    "coefficients never change their sign": (quasi_polynomial, "pairwise", lambda _: ()),
}


@pytest.mark.parametrize("name", MUTANTS)
def test_planted_faults_are_found(name, monkeypatch):
    where, attribute, fault = MUTANTS[name]
    monkeypatch.setattr(where, attribute, fault)
    outcomes = []
    for check in CHECKS:
        try:
            outcomes.append(check())
        except Exception:
            outcomes.append(False)
    assert not all(outcomes)


def test_values_at_cuts_and_infinity_are_exact():
    f, g = (mixed(("1/2", f"{c} + laplace(1)"), ("1/2", f"{c + 1} + laplace(1)"))[0] for c in (0, 1))
    assert largest_ratio(f, g) == E
    narrow, wide = (mixed((1, f"0 + exponential({scale})"))[0] for scale in (1, 2))
    assert (largest_ratio(narrow, wide), largest_ratio(wide, narrow)) == (2, None)


def test_densities_with_powers():
    """Sum of two Laplace draws, (1 + |t|)·e^(−|t|)/4, moved by 1: the ratio tends to e and stays below."""
    key = Fraction(1)
    one = PiecewiseDensity.read("0 1 1/4, 1 1 -1/4; 0: 0 -1 1/4, 1 -1 1/4")
    below = {(0, key): 1 / E / 2, (1, key): -1 / E / 4}
    above = {(1, -key): E / 4}
    two = PiecewiseDensity((key,), (dict(below), above))
    assert float(number(mass_between(two, None, None))) == pytest.approx(1)
    assert largest_ratio(one, two).enclosure().upper <= Fraction(2_718_281_829, 10**9)


@pytest.mark.parametrize("seed", range(20))
def test_zeros_of_sums_of_powers_of_e_are_those_of_polynomials(seed):
    """Π (u − root) of u = e^(t/2): positive roots are zeros, at 2·ln root; negative ones, and gaps, are none."""
    chance = random.Random(seed)  # noqa: S311 reproducible
    roots = chance.sample([Fraction(k, 6) for k in range(1, 40)], chance.randint(0, 4))
    others = [-Fraction(chance.randint(1, 30), 7) for _ in range(chance.randint(1, 4))]
    polynomial = np.polynomial.polynomial.polyfromroots(np.array([*roots, *others], dtype=object))
    terms = {(0, Fraction(place - 3, 2)): Fraction(c) for place, c in enumerate(polynomial) if c}
    low, high = Fraction(-1), Fraction(5, 2)
    found = zeros(terms, low, high)
    assert [float(box[0]) for box in found] == pytest.approx(
        sorted(zero for root in roots if low < (zero := 2 * np.log(float(root))) < high)
    )


def test_zeros_are_isolated_and_touching_ones_are_left_out_or_refused():
    e, one = Fraction(1), Fraction(0)
    product = {(0, 3 * e): Fraction(1), (0, 2 * e): Fraction(-6), (0, e): Fraction(11), (0, one): Fraction(-6)}
    found = zeros(product, None, None)  # (u − 1)(u − 2)(u − 3) of u = e^t
    assert [float(low) for low, _ in found] == pytest.approx([0, np.log(2), np.log(3)])
    assert all(high - low < Fraction(1, 10**15) for low, high in found)
    square = {(0, 2 * e): Fraction(1), (0, e): Fraction(-2), (0, one): Fraction(1)}
    assert zeros(square, None, None) == []
    with pytest.raises(TouchingError):
        zeros({(0, 2 * e): Fraction(1), (0, e): Fraction(-4), (0, one): Fraction(4)}, None, None)
