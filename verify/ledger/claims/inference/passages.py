"""What chapters 2 and 5 of the dissertation say in passing on attackers: dependent records, and nuisance parameters."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, mutant, state
from stirred.verify.ledger.claims.inference.models import (
    all_outcomes,
    released_share,
    responses,
    second_posterior,
    smallest_gamma,
)

clamped = lambda x, low, high: max(low, min(high, x))
reach_of = lambda values: max(abs(a - b) for a in values for b in values)

# randomised response of so many records that are copies of one answer, and the two models of that answer
_copies = lambda *sizes: cases(
    f"randomised response, e^eps = 3 and 3/2, of {', '.join(map(str, sizes))} equal records; prior 1/10", "p d w v q"
)(
    lambda: (
        (*responses((n,), flip), {(0,) * n: Fraction(1)}, {(1,) * n: Fraction(1)}, Fraction(1, 10))
        for n, flip in product(sizes, map(Fraction, ("1/4", "2/5")))
    )
)
more = lambda p, v, w, q, d: any(
    released_share(p, v, t) > gamma * released_share(p, w, t) and second_posterior(p, w, v, q, t) > gamma * q
    for t in all_outcomes(p)
    for gamma in [smallest_gamma(p, d)]
)

state("testing.strong-adversary", "dissertation, section 2.3.2")(
    """In fact, regardless of how one measures the adversary's knowledge-gain from observing a DP output T (e.g.
    according to the power of the adversary's hypothesis test relative to its size; or the increase in their posterior
    relative to their prior, or relative to a counterfactual posterior where the target unit did not contribute to the
    data; or their improvement in reconstructing the target unit's record …), a GSA assumption is necessary to ensure
    that pure epsilon-DP bounds the attacker's knowledge-gain by the nominal level exp(epsilon).""",
    every(_copies(2, 3), more),
    mutant("no other record depends on the target's", _copies(1)),
    reading="""without one, where the target's record is also another unit's, as in a family, the power over the size
    and the posterior over the prior of its value exceed exp(epsilon); to delete the target's data counterfactually is
    itself one of the GSA assumptions of the paragraph before""",
)

_model = lambda value, m, others, weights: {
    (*(value,) * m, *rest): Fraction(n, sum(weights)) for rest, n in zip(others, weights, strict=True)
}
# models of the first m records, x or x' in all of them, with a law of the others that is alike under both or reversed
_nuisance = lambda *, alike: cases(
    "randomised response with e^eps = 3 of two or three bits, the first or two of them tested; weights 0, 1, 3 of "
    "the others",
    "p d w v m",
)(
    lambda: (
        (p, d, _model(0, m, others, weights), _model(1, m, others, weights if alike else weights[::-1]), m)
        for n, m in ((2, 1), (3, 1), (3, 2))
        for p, d in [responses((n,))]
        for others in [tuple(product((0, 1), repeat=n - m))]
        for weights in product((1, 0, 3), repeat=len(others))
        if any(weights)
    )
)
power = lambda p, v, w, d, m, steps_left_out: all(
    released_share(p, v, t) <= gamma ** (m - steps_left_out) * released_share(p, w, t)
    for t in all_outcomes(p)
    for gamma in [smallest_gamma(p, d)]
)

state("testing.nuisance", "dissertation, section 5.5, footnote 6")(
    """Without loss of generality, suppose x_m+1:n are nuisance parameters when testing x_1:m against x'_1:m. By
    assigning a probability on x_m+1:n satisfying pi(x_m+1:n | x_1:m) = pi(x_m+1:n | x'_1:m), the nuisance parameters
    can be integrated out in (5.9). This gives the same power bound alpha exp(d_** epsilon), except now with d_** = sup
    over x_m+1:n of d([x_1:m, x_m+1:n], [x'_1:m, x_m+1:n]), which is typically equal to m, as before.""",
    every(_nuisance(alike=True), power, steps_left_out=0),
    mutant("d_** = m - 1", {"steps_left_out": 1}),
    mutant("another law of the nuisance parameters under x'", _nuisance(alike=False)),
    reading="every test is so bounded iff every outcome is; d = d_Ham, so that d_** = m",
)

_POINTS = tuple({x: Fraction(1)} for x in range(3))
released_exactly = cases("three data sets, released as they are; all models that are sure of one", "p models")(
    lambda: [({x: {x: Fraction(1)} for x in range(3)}, _POINTS)]
)
released_with_noise = cases("three data sets, one of them or another given with probabilities 1/2 and 1/4", "p models")(
    lambda: [({x: {t: Fraction(1 + (t == x), 4) for t in range(3)} for x in range(3)}, _POINTS)]
)

trivial = lambda p, models: all(
    any(released_share(p, w, t) == 0 for w in models) and any(released_share(p, w, t) == 1 for w in models)
    for t in all_outcomes(p)
)

state("predicted.density.private-alone", "dissertation, section 5.6, after Theorem 5.6.2")(
    """Non-trivial bounds on p(t) are not possible in general; in this case they are a consequence of the data T being
    epsilon-DP.""",
    every(released_exactly, trivial),
    mutant("a private mechanism", released_with_noise),
    reading="for a mechanism that is not private p(t) may be 0 and may be 1 at each t; the bounds are Theorem 5.6.2's",
)

ends = cases("a_0 < a_1 from 0 to 6; statistics from -3 to 10", "low high")(
    lambda: ((low, high) for low in range(6) for high in range(low + 1, 7))
)

reach_is_reduced = lambda low, high: (
    reach_of([clamped(x, low, high) for x in range(-3, 11)]) == high - low < reach_of(range(-3, 11))
)
reach_is_reduced_from_below = lambda low, high: (
    reach_of([clamped(x, low, 100) for x in range(-3, 11)]) == high - low < reach_of(range(-3, 11))
)

state("figures.count.clamped", "dissertation, Example 5.6.5", "dissertation, section 4.3")(
    "Under clamping, the sensitivity is reduced to Delta(q) = a_1 - a_0.",
    every(ends, reach_is_reduced),
    mutant("clamped from below alone", reach_is_reduced_from_below),
    reading="any value may change to any other one, as a count of one record may; without clamping there is no bound",
)
