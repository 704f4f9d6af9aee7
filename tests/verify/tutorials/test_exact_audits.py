"""Mechanisms as tutorials write them are audited as they stand: exactly where that can be, else a line says why not."""

import importlib
import tomllib
from pathlib import Path

import pytest

import stirred
from stirred.spec import InputError
from stirred.verify.evidence.verdict import Verdict

FOLDER = Path(__file__).parent
CLAIMS = tomllib.loads((FOLDER / "claims.toml").read_text(encoding="utf-8"))["mechanism"]

BY_ITS_FLOATS = {"numpy_style:laplace_count", "numpy_style:histogram"}
"""Unclamped, rounded Laplace noise of a double has an end, at another output for each data set: no ε alone is met."""

COMBINED, UNBOUNDED = "two draws are combined here", "unbounded: clamp it"
NOT_FOLLOWED = {
    "numpy_style:geometric_count": UNBOUNDED,
    "numpy_style:subsampled_count": UNBOUNDED,
    "numpy_style:noisy_max": COMBINED,
    "numpy_style:gumbel_max": COMBINED,
    "numpy_style:above_threshold": COMBINED,
    "random_style:exponential_difference": COMBINED,
    "broken:endless_threshold": COMBINED,
    "broken:released_maximum": COMBINED,
    "broken:scale_upside_down": "the digits of an undrawn uniform number are asked for",
    "broken:empty_bins_left_out": "the digits of an undrawn uniform number are asked for",
    "broken:seeded_by_the_data": "random.Random is refused",
}


def audited(claim):
    module, _, name = claim["function"].partition(":")
    return stirred.audit(
        getattr(importlib.import_module(module), name),
        data_sets=[tuple(data) for data in claim["data_sets"]],
        distance=claim["distance"],
        epsilon=claim["epsilon"],
        delta=claim.get("delta"),
        generator=claim["generator"],
    )


@pytest.fixture(autouse=True)
def _modules(monkeypatch):
    monkeypatch.syspath_prepend(FOLDER)


@pytest.mark.parametrize("claim", CLAIMS, ids=lambda one: one["function"])
def test_it_is_decided_exactly_or_refused_with_what_cannot_be_followed(claim):
    name = claim["function"]
    if name in NOT_FOLLOWED:
        with pytest.raises(InputError, match=NOT_FOLLOWED[name]):
            audited(claim)
    elif claim["expected"] == "met" and name not in BY_ITS_FLOATS:
        assert audited(claim).verdict in (Verdict.EXHAUSTED, Verdict.ENCLOSED)
    elif claim["expected"] == "met":
        found = audited(claim)
        assert found.verdict is Verdict.OPEN
        assert "the rounding of doubles misses it by an event of probability" in found.because
    else:
        assert audited(claim).verdict is Verdict.REFUTED


@pytest.mark.parametrize(
    "claim", [one for one in CLAIMS if one["expected"] == "refuted"], ids=lambda one: one["function"]
)
def test_a_mistake_is_found_by_draws_too(claim):
    module, _, name = claim["function"].partition(":")
    found = stirred.estimate(
        getattr(importlib.import_module(module), name),
        pairs=[(tuple(claim["x"]), tuple(claim["x_prime"]))],
        epsilon=claim["epsilon"],
        seed=1,
        draws=100_000,
    )
    assert found.verdict is Verdict.REFUTED
