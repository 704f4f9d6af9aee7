"""Closed forms of amplification: each is what an exact program finds for its design."""

from fractions import Fraction

import pytest

from stirred.mechanisms.surveys.designs import (
    bernoulli_sample,
    cluster_sample,
    random_order,
    sample_with_replacement,
    simple_random_sample,
    stratified_sample,
    systematic_sample,
)
from stirred.spec.surveys.amplification import COVERED, Compared, amplification
from stirred.spec.surveys.unit_data import unit_data
from stirred.verify.engines.surveys.design_loss import amplified_loss


def clustered(record):
    return record[0]


def of_two_strata(strata):
    return dict.fromkeys(strata, 1)


FOUR = dict.fromkeys(range(4), "z")
PAIRS = {u: (u // 2, "z") for u in range(4)}
EXAMPLES = {
    "simple random sample": (FOUR, simple_random_sample, {"size": 2}, {"size": 2, "frame_size": 4}),
    "Poisson sample": (FOUR, bernoulli_sample, {"rate": Fraction(1, 3)}, {"rate": Fraction(1, 3)}),
    "sample with replacement": (FOUR, sample_with_replacement, {"size": 2}, {"draws": 2, "chance": Fraction(1, 4)}),
    "cluster sample": (
        PAIRS,
        cluster_sample,
        {"cluster": clustered, "number": 1},
        {"number": 1, "clusters": 2, "cluster_size": 2},
    ),
    "systematic sample in a fixed order": (FOUR, systematic_sample, {"step": 2}, {"step": 2, "frame_size": 4}),
    "systematic sample in a random order": (
        FOUR,
        systematic_sample,
        {"step": 2, "order": random_order},
        {"step": 2, "frame_size": 4},
    ),
    "stratified sample of fixed sizes": (
        {**PAIRS, 4: (1, "z")},
        stratified_sample,
        {"stratum": clustered, "sizes": of_two_strata},
        {"rate": Fraction(1, 2)},
    ),
}


def changed(record):
    return (record[0], "a") if isinstance(record, tuple) else "a"


NOTHING_ASKED = {(design, Compared.SAME_UNITS) for design in EXAMPLES} | {("Poisson sample", Compared.REPLACED)}
"""Where releases may tell so much that the form is e^ε itself."""


@pytest.mark.parametrize("gamma", [Fraction(3, 2), Fraction(4)])
@pytest.mark.parametrize(("design", "compared"), COVERED)
def test_every_form_is_what_an_exact_program_finds(design, compared, gamma):
    records, program, settings, parameters = EXAMPLES[design]
    frame = unit_data(records)
    other = frame[1:] if compared is Compared.ADDED else unit_data({**records, 0: changed(records[0])})
    asked = {} if (design, compared) in NOTHING_ASKED else parameters
    found = amplified_loss(lambda data, source: program(data, source, **settings), [(frame, other)], compared, gamma)
    assert found.gamma == amplification(design, gamma, compared, **asked).gamma
