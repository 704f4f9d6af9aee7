"""What is asked of output premetrics: 0 between equal laws, and oo between disjoint ones."""

from fractions import Fraction
from itertools import product

from stirred.spec.laws.law import Law
from stirred.spec.output_premetrics import ApproximateMultiplicative, OutputPremetric, total_variation
from stirred.verify.evidence.witness import Witness
from stirred.verify.ledger import cases, every, mutant, own, settled, state, theorem
from stirred.verify.ledger.claims.specifications.words import PURE, VARIATION, measured, named
from stirred.verify.ledger.language_names import oo
from stirred.verify.ledger.words import total_variation as total_variation_word

_quarters = lambda outcomes: [
    Law({t: Fraction(part, 4) for t, part in enumerate(parts) if part})
    for parts in product(range(5), repeat=outcomes)
    if sum(parts) == 4
]
equal_laws = cases(
    "D_Mult, D_Mult^(1/8), D_TV; all laws on three outcomes in quarters",
    "measure p",
    lambda: product(("D_Mult", Fraction(1, 8), "D_TV"), _quarters(3)),
)
zero = lambda measure, p, shift: measured(measure, p, {t + shift: p[t] for t in p}) == (0 if measure == "D_TV" else 1)

state("output-premetrics.zero-on-equal", "dissertation, Definition 2.4.16")(
    """A probability premetric D_Pr is a function P x P -> [0, oo] satisfying D_Pr(P, Q) = 0 if P = Q; and … Most
    distances and divergences encountered in statistics and probability theory (including the total variation distance,
    …) are probability premetrics.""",
    every(equal_laws, zero, shift=0),
    mutant("laws that are equal up to the names of outcomes", {"shift": 1}),
    reading="""that D_Mult, D_Mult^delta and the total variation distance are 0 between equal laws; all laws that are
    compared are on one measurable space, so that what is said of two spaces never applies""",
)

_INFINITE = (PURE, *(ApproximateMultiplicative(delta) for delta in (Fraction(0), Fraction(1, 4), Fraction(9, 10))))
_pairs = lambda shown, measures: cases(
    f"all pairs of laws on four outcomes with probabilities in quarters; {shown}",
    "measure p q",
    lambda: product(measures, _quarters(4), _quarters(4)),
)


def far(measure: OutputPremetric, p: Law[int], q: Law[int], *, least: Fraction) -> Witness | None:
    """D_Pr(P, Q) = oo where the total variation distance is at least so much."""
    return settled(
        total_variation(p, q) < least or measure.distance(p, q) == measure.no_bound,
        lambda measure, p, q, least: total_variation_word(p, q) < least or measured(measure, p, q) == oo,
        lambda: {"measure": named(measure), "p": p, "q": q, "least": least},
    )


own("output-premetrics.infinite-when-disjoint", "article, Proposition 1")(
    """For laws on a finite set, D_Mult and D_Mult^delta (0 <= delta < 1) are infinite whenever the total variation
    distance is one.""",
    every(_pairs("D_Mult, D_Mult^(0), D_Mult^(1/4), D_Mult^(9/10)", _INFINITE), far, least=Fraction(1)),
    mutant("D_TV too", _pairs("D_TV", (VARIATION,))),
    mutant("at total variation 3/4 already", {"least": Fraction(3, 4)}),
    theorem("invariant_multiverse.mult_far", "invariant_multiverse.approximate_far"),
    reading='the article says that its assumption "is satisfied by most common choices of D_Pr"',
)
