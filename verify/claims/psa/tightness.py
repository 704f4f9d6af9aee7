"""Three notions of a tight budget, which Theorem 1's eps^(1) is held against (article, Appendix F)."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from spec.permutation_swapping import Margins, largest_stratum
from verify.claims.psa.cases import AFTER_THEOREM_4, kernel
from verify.ledger.answers import argued, unsettled
from verify.ledger.quantifiers import Cases, cases, every
from verify.ledger.statement import state
from verify.ledger.words import define

define(
    {
        # for all x, x' and z; for all x and x'; for some x and x' that differ
        "tight_output(laws, gamma)": "all(laws[x][z] == laws[y][z]*gamma**table_distance(x, y) "
        "for x in laws for y in laws for z in laws)",
        "tight_data(laws, gamma)": "all(multiplicative(laws[x], laws[y]) == gamma**table_distance(x, y) "
        "for x in laws for y in laws)",
        "tight_universe(laws, gamma)": "any(multiplicative(laws[x], laws[y]) == gamma**table_distance(x, y) "
        "for x in laws for y in laws if x != y)",
    }
)


def _at(universe: Margins, *rates: str) -> Cases:
    scope = f"one stratum with the margins {universe}, p = {', '.join(rates)}"
    b = largest_stratum([universe])
    return cases(scope, "b p laws")(lambda: ((b, p, kernel(universe, p)) for p in map(Fraction, rates)))


_THREE = _at(((2, 1), (2, 1)), "1/20", "1/4", "1/2", "3/5", "2/3", "3/4", "19/20")
_TWO_UNITS = _at(((1, 1), (1, 1)), "2/3", "3/4", "19/20")
_THREE_UNITS = _at(((1, 1, 1), (1, 1, 1)), "2/3", "3/4", "19/20")

state(
    "psa.optimality.weaker",
    *AFTER_THEOREM_4,
    printed="A budget eps_D can be tight at the level of the output (in the sense that P_x(C(sigma)(x) = z) / "
    "P_x'(C(sigma)(x') = z) = exp[eps_D d_HamS(x, x')] for all x, x' in D, all z and all D); or at the level of the "
    "data (in the sense that D_Mult(P_x, P_x') = eps_D d_HamS(x, x') for all x, x' in D and all D); or at the level "
    "of the universe (in the sense that D_Mult(P_x, P_x') = eps_D d_HamS(x, x') for some x, x' in D, and all D …). "
    "The optimality of Theorem 1 is weaker than any of these notions …",
    reading="eps^(1) is not tight at the level of the universe, with x != x': on some universe no pair attains it. "
    "Each notion asks for what the next one asks for, and the last one for more than the optimality shown",
    checks=[every(_THREE, "not tight_universe(laws, psa_budget(b, p))")],
    mutants={"two records": every(_TWO_UNITS, "not tight_universe(laws, psa_budget(b, p))")},
)

state(
    "psa.tightness.levels",
    "article, Appendix F (after Theorem 4)",
    claim="For p above the threshold eps^(1) is tight at the level of the data, not of the output, on a universe of "
    "two different records, and at the level of the universe, not of the data, on one of three that share no category.",
    checks=[
        every(_TWO_UNITS, "tight_data(laws, psa_budget(b, p)) and not tight_output(laws, psa_budget(b, p))"),
        every(_THREE_UNITS, "tight_universe(laws, psa_budget(b, p)) and not tight_data(laws, psa_budget(b, p))"),
    ],
    mutants={
        "of the output too": every(_TWO_UNITS, "tight_output(laws, psa_budget(b, p))"),
        "of the data too": every(_THREE_UNITS, "tight_data(laws, psa_budget(b, p))"),
    },
)


@cases("two laws on two outcomes with probabilities i/6, e^(eps d) = 1, 3/2, 2, 3, oo excluded", "p q gamma")
def two_laws() -> Iterator[tuple[Any, ...]]:
    laws = [{0: Fraction(i, 6), 1: Fraction(6 - i, 6)} for i in range(7)]
    return product(laws, laws, map(Fraction, ("1", "3/2", "2", "3")))


_EQUAL = "get(p, t, 0) == gamma*get(q, t, 0) for t in outcomes(p, q)"

state(
    "psa.tightness.output",
    "article, Appendix F (after Theorem 4)",
    claim="A budget is tight at the level of the output only where it is 0, on any universe with two data sets at a "
    "positive finite distance: whatever the mechanism, P_x(z) = exp[eps d] P_x'(z) for all z gives exp[eps d] = 1.",
    checks=[
        every(two_laws, f"gamma == 1 or not all({_EQUAL})"),
        argued(
            "every mechanism with countably many outputs, every finite budget",
            proof="Summing P_x(z) = exp[eps d] P_x'(z) over all z gives 1 = exp[eps d], so eps d = 0, and eps = 0 as d "
            "> 0.",
        ),
    ],
    mutants={"for some z": every(two_laws, f"gamma == 1 or not any({_EQUAL})")},
)

state(
    "psa.exact.threshold",
    "article, Theorem 4 and its closing remark",
    claim="For fixed 0 < t < 1/2 and p in (0, 1), in the universes with row and column margins (n - floor(tn), "
    "floor(tn)), the loss of the PSA stays bounded as n grows if t > (1-p)(1-t), and it grows like (1/2) ln n if t < "
    "(1-p)(1-t).",
    checks=[unsettled("the half on growth has no proof")],
)
