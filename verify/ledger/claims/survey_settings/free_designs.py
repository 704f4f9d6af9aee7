"""What a frame that is invariant lets be released without any loss: the design that was made from it."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from typing import Any

from stirred.verify.ledger import cases, every, state, theorem
from stirred.verify.ledger.claims.survey_settings.words import data_of, given_data, weighted_samples
from stirred.verify.ledger.words import multiplicative

_SHARES = (Fraction(1, 4), Fraction(1, 2), Fraction(2, 3))


@cases(
    f"{weighted_samples.scope}; the mechanism is a coin for each sample, with probabilities 1/4, 1/2 or 2/3", "runs p"
)
def released() -> Iterator[tuple[Any, ...]]:
    for (runs,) in weighted_samples:
        samples = sorted({run[2] for run in runs})
        for shift, step in product(range(3), (1, 2)):
            shares = [_SHARES[(shift + step * place) % 3] for place in range(len(samples))]
            yield runs, {s: {1: q, 0: 1 - q} for s, q in zip(samples, shares, strict=True)}


def design_adds_no_loss(p, universes):
    return all(
        multiplicative({(t, x[1]): p[x][t] for t in p[x]}, {(t, y[1]): p[y][t] for t in p[y]})
        == multiplicative(p[x], p[y])
        for u in universes
        for x in u
        for y in u
    )


state(
    "settings.free-design",
    "dissertation, section 7.2.2",
    claim="Where the frame is invariant, releasing what is made from the frame alone, such as the sampling design with "
    "its weights, beside the output adds nothing to the loss; else it may add any loss.",
    reading="the design is read off the sample's data set, which has the weight",
    checks=[
        every(released, lambda runs, p: design_adds_no_loss(p, given_data(runs, 1, 2))),
        theorem("settings.design_free", within="finite outputs; output premetrics that are subadditive"),
    ],
    mutants={"nothing is invariant": every(released, lambda runs, p: design_adds_no_loss(p, [data_of(runs, 2)]))},
)
