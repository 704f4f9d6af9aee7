"""The second way to the probability of a region: it agrees with closed forms, and notices faults of the first."""

from fractions import Fraction

import pytest

from stirred.mechanisms.reading import component, elimination, pieces, region
from stirred.mechanisms.reading.base_laws import BaseLaw
from stirred.mechanisms.reading.exact import Exact
from stirred.mechanisms.reading.region import Halfspace, Region
from stirred.mechanisms.reading.second_integral import DOUBLES, FINE, ROUGH, DisagreementError, check

L, E, U = BaseLaw.LAPLACE, BaseLaw.EXPONENTIAL, BaseLaw.UNIFORM
N, G, T = BaseLaw.NORMAL, BaseLaw.GUMBEL, BaseLaw.LOGISTIC


def half(bound, *coefficients):
    terms = {draw: Exact(Fraction(c)) for draw, c in enumerate(coefficients) if c}
    return Halfspace(terms, Exact(Fraction(bound)))


def drawn(laws, halves):
    found = Region()
    for law in laws:
        found, _ = found.drawn(law)
    return found.within(halves)


SYSTEMS = {
    "a threshold": ([L], [half(-1, 1)]),
    "two": ([L, L], [half(1, 2, -1)]),
    "a star": ([L, E, U, L], [half(0, 2, -1), half(1, 1, 0, -2), half(-1, 1, 0, 0, -1)]),
    "a chain": ([L, L, L], [half(0, 1, -1), half("1/2", 0, 1, -1)]),
    "a sum": ([U, U, U], [half(1, 1, 1, 1)]),
    "a strip": ([E, L], [half(2, 1, -1), half(-1, -1, 1)]),
    "a circle": ([L, L, L], [half(0, 1, -1), half(1, 0, 1, -1), half(1, 1, 0, -1), half(2, -1, 0, -1)]),
}


@pytest.mark.parametrize("name", SYSTEMS)
def test_both_ways_agree(name):
    laws, halves = SYSTEMS[name]
    given = drawn(laws, halves)
    exact = given.probability.number
    assert check(dict(enumerate(laws)), given.rows, exact, [ROUGH])
    assert check(dict(enumerate(laws)), given.rows, exact)
    if name not in ("a sum", "a circle"):  # more than 200,000 values
        assert check(dict(enumerate(laws)), given.rows, exact, [FINE])


@pytest.mark.parametrize(
    ("law", "bound", "probability"),
    [(N, 0, "1/2"), (T, 0, "1/2"), (N, 60, "1"), (G, 60, "1"), (T, -60, "0")],
)
def test_laws_of_which_shares_are_enclosed(law, bound, probability):
    assert check({0: law}, drawn([law], [half(bound, 1)]).rows, Fraction(probability), [DOUBLES])


@pytest.mark.parametrize("law", [N, G, T, L, E, U])
def test_one_of_two_like_draws_is_larger_half_of_the_time(law):
    rows = drawn([law, law], [half(0, 1, -1)]).rows
    assert check({0: law, 1: law}, rows, Fraction(1, 2), [FINE])
    with pytest.raises(DisagreementError, match=r"0\.50001, and 0\.5 by quadrature"):
        check({0: law, 1: law}, rows, Fraction(50001, 100_000), [DOUBLES])


def off_by_a_little(function):
    def changed(*given):
        return {key: c * (1 + pieces.flint.fmpq(1, 10**6)) for key, c in function(*given).items()}

    return changed


FAULTS = {
    "products": (pieces, "multiplied", off_by_a_little),
    "antiderivatives": (pieces, "antiderivative", off_by_a_little),
    "scalars": (elimination, "times", off_by_a_little),
    "bounds": (
        elimination.Elimination,
        "_indicators",
        lambda f: lambda self, given: f(self, [(form, b + 1) for form, b in given]),
    ),
    "densities": (
        pieces.PieceAlgebra,
        "density",
        lambda f: lambda self, law: f(self, E if law is L else law),
    ),
    "cases": (elimination.Elimination, "_cases_of", lambda f: lambda self, given: [*f(self, given)][1:]),
    "numbering": (
        component,
        "form_of",
        lambda f: lambda terms: f({draw if draw > 1 else 1 - draw: c for draw, c in terms.items()}),
    ),
    "signs": (component, "leading", lambda f: lambda form: (abs(f(form)[0]), f(form)[1])),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_noticed(fault, monkeypatch):
    where, name, planted = FAULTS[fault]
    component.probability.cache_clear()
    component._algebra.cache_clear()
    monkeypatch.setattr(region, "LOOKED_AT", {})
    monkeypatch.setattr(where, name, planted(getattr(where, name)))
    noticed = 0
    for laws, halves in SYSTEMS.values():
        try:
            drawn(laws, []).shares([halves, [half(3, 1)]])
        except ArithmeticError as error:
            noticed += isinstance(error, DisagreementError)
    component.probability.cache_clear()
    component._algebra.cache_clear()
    assert noticed
