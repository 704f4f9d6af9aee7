"""The function f(b) that Theorem 4 bounds the distance of eps^(1) to eps^(inf) by."""

from __future__ import annotations

from fractions import Fraction

from verify.claims.psa.cases import THEOREM_4
from verify.ledger.answers import query
from verify.ledger.quantifiers import cases, every
from verify.ledger.statement import misprint, state
from verify.ledger.words import define
from verify.verdict import Verdict

define(
    {
        # e^(2 f(b)), and f(b)
        "square_bound(b)": "(b + 1)**2/(b*(b - 1))*(1 + exp(1)/(2*factorial(b - 2)))/(1 - exp(1)/(2*factorial(b)))",
        "bound_f(b)": "ln(square_bound(b))/2",
    }
)

_SQUARE = "(b + 1)**2/(b*(b - 1))*(1 + e/(2*u))/(1 - e/(2*b*(b - 1)*u))"
"""E^(2 f(b)) in the names of the queries: e for Euler's number, u for (b-2)!."""

_FUNCTION = (
    "optimality.bound-function",
    "all integers b >= 2: with u = (b-2)! any real u >= 1, any real b >= 2, any e in (2.7, 2.8)",
)

state(
    "optimality.bound-function",
    *THEOREM_4,
    printed="f(b) = (1/2) ln[ (b+1)^2/(b(b-1)) (1 + e/(2(b-2)!))/(1 - e/(2b!)) ], is a positive, monotonically "
    "decreasing function for b >= 2 …",
    checks=[query(*_FUNCTION)],
    mutants={
        "f(b) > ln(1.5)/2": query(
            *_FUNCTION, claimed=f"{_SQUARE} > 3/2", note="u = (b-2)!", changes=[("(> g 1)", "(> g 1.5)")]
        )
    },
)

_LIMIT = (
    "optimality.bound-function-limit",
    "all integers b >= 7: f(b) <= (g(b) - 1)/2 <= 4/b, by induction on b for (b-2)! >= b^2; any e in (2.7, 2.8)",
)

state(
    "optimality.bound-function-limit",
    *THEOREM_4,
    printed="f(b) … converges to zero …",
    reading="as b grows; f(b) <= 4/b from b = 7 is shown",
    checks=[query(*_LIMIT)],
    mutants={
        "f(b) <= 1/b": query(
            *_LIMIT, claimed=f"b*({_SQUARE} - 1) <= 2", note="u = (b-2)!", changes=[("(- g 1)) 8)", "(- g 1)) 2)")]
        )
    },
)


at_ten = cases("b = 10", "b bound")(lambda: iter([(10, Fraction("0.148"))]))

at_ten_and_eleven = cases("b = 10 and b = 11; f decreases (optimality.bound-function)", "b bound")(
    lambda: iter([(10, Fraction("0.149")), (11, Fraction("0.148"))])
)

state(
    "optimality.bound-value.printed",
    *THEOREM_4,
    printed="… and satisfies, for example, f(b) <= 0.148 for all b >= 10.",
    grade=misprint("f(10) is 0.148007…, rounded"),
    checks=[every(at_ten, "bound_f(b) <= bound", verdict=Verdict.ENCLOSED)],
)

state(
    "optimality.bound-value",
    "article, Theorem 4",
    claim="f(b) <= 0.149 for all b >= 10, and f(b) <= 0.148 for all b >= 11.",
    repairs="optimality.bound-value.printed",
    checks=[every(at_ten_and_eleven, "bound_f(b) <= bound", verdict=Verdict.ENCLOSED)],
    mutants={"0.148 at b = 10": every(at_ten, "bound_f(b) <= bound", verdict=Verdict.ENCLOSED)},
)
