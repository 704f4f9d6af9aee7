"""What a frame that is invariant lets be released without any loss: the design that was made from it."""

from fractions import Fraction
from itertools import product

from stirred.verify.ledger import cases, every, mutant, own, theorem
from stirred.verify.ledger.claims.survey_settings.words import data_of, given_data, weighted_samples
from stirred.verify.ledger.words import multiplicative

_SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(2, 3))

released = cases(
    f"{weighted_samples.scope}; the mechanism is a coin for each sample, with probabilities 1/4, 1/2 or 2/3",
    "runs p",
    lambda: (
        (runs, {s: {1: q, 0: 1 - q} for s, q in zip(samples, shares, strict=True)})
        for (runs,) in weighted_samples
        for samples in [sorted({run[2] for run in runs})]
        for shift, step in product(range(3), (1, 2))
        for shares in [[_SHARES[(shift + step * place) % 3] for place in range(len(samples))]]
    ),
)

design_adds_no_loss = lambda p, universes: all(
    multiplicative({(t, x[1]): p[x][t] for t in p[x]}, {(t, y[1]): p[y][t] for t in p[y]}) == multiplicative(p[x], p[y])
    for u in universes
    for x in u
    for y in u
)

own("settings.free-design", "dissertation, section 7.2.2")(
    """Where the frame is invariant, releasing what is made from the frame alone, such as the sampling design with its
    weights, beside the output adds nothing to the loss; else it may add any loss.""",
    every(released, lambda runs, p: design_adds_no_loss(p, given_data(runs, 1, 2))),
    mutant("nothing is invariant", lambda runs, p: design_adds_no_loss(p, [data_of(runs, 2)])),
    theorem("settings.design_free", within="finite outputs; output premetrics that are subadditive"),
    reading="the design is read off the sample's data set, which has the weight",
)
