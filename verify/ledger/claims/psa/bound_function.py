"""f(b) of Theorem 4, which bounds how far eps^(1) is from the smallest budget (article, Appendix F)."""

from fractions import Fraction
from math import factorial

from stirred.verify.evidence.verdict import Verdict
from stirred.verify.ledger import cases, every, misprint, mutant, own, query, state
from stirred.verify.ledger.claims.psa.cases import THEOREM_4, changed_query
from stirred.verify.ledger.language_names import exp, ln

# e^(2 f(b)), and f(b)
square_bound = lambda b: (
    (b + 1) ** 2 / (b * (b - 1)) * (1 + exp(1) / (2 * factorial(b - 2))) / (1 - exp(1) / (2 * factorial(b)))
)
bound_f = lambda b: ln(square_bound(b)) / 2

_FUNCTION = (
    "optimality.bound-function",
    "all integers b >= 2: with z = e/(2 (b-2)!) any real z in (0, 1.4), any real b >= 2",
)

state("optimality.bound-function", *THEOREM_4)(
    """f(b) = (1/2) ln[ (b+1)^2/(b(b-1)) (1 + e/(2(b-2)!))/(1 - e/(2b!)) ], is a positive, monotonically decreasing
    function for b >= 2 …""",
    query(*_FUNCTION),
    mutant(
        "f(b) > ln(1.5)/2",
        changed_query(
            *(_FUNCTION, "(b + 1)**2*(1 + z)/(b*(b - 1) - z) > 3/2", "z = e/(2 (b-2)!)", "(> g 1)", "(> g 1.5)")
        ),
    ),
)

# e^(2 f(b)) in the names of the query: e for Euler's number, u for (b-2)!
_SQUARE = "(b + 1)**2/(b*(b - 1))*(1 + e/(2*u))/(1 - e/(2*b*(b - 1)*u))"
_LIMIT = (
    "optimality.bound-function-limit",
    "all integers b >= 7: f(b) <= (g(b) - 1)/2 <= 4/b, by induction on b for (b-2)! >= b^2; any e in (2.7, 2.8)",
)

state("optimality.bound-function-limit", *THEOREM_4)(
    "f(b) … converges to zero …",
    query(*_LIMIT),
    mutant("f(b) <= 1/b", changed_query(_LIMIT, f"b*({_SQUARE} - 1) <= 2", "u = (b-2)!", "(- g 1)) 8)", "(- g 1)) 2)")),
    reading="as b grows; f(b) <= 4/b from b = 7 is shown",
)

_at = lambda scope, bounds: every(
    cases(scope, "b bound", lambda: bounds.items()), lambda b, bound: bound_f(b) <= bound, verdict=Verdict.ENCLOSED
)
_AT_TEN = _at("b = 10", {10: Fraction("0.148")})

state("optimality.bound-value.printed", *THEOREM_4)(
    "… and satisfies, for example, f(b) <= 0.148 for all b >= 10.",
    _AT_TEN,
    grade=misprint("f(10) is 0.148007…, rounded"),
)

own("optimality.bound-value", "article, Theorem 4")(
    "f(b) <= 0.149 for all b >= 10, and f(b) <= 0.148 for all b >= 11.",
    _at("b = 10 and b = 11; f decreases (optimality.bound-function)", {10: Fraction("0.149"), 11: Fraction("0.148")}),
    mutant("0.148 at b = 10", _AT_TEN),
    repairs="optimality.bound-value.printed",
)
